"""From a program with shardings to the program of one device.

>>> partitioned = sdy.partition(text)
>>> print(partitioned.text)          # StableHLO with local shapes and explicit collectives, no sdy
>>> print(sdy.report.table(partitioned.collectives))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import sdy
from sdy import report
from sdy.boundary import Boundary, check_boundary, make_boundaries
from sdy.custom_partitioning import expand_custom_partitioning
from sdy.dialect import attributes
from sdy.dialect.diagnostics import Diagnostic, Severity, collecting
from sdy.dialect.faults import faults_of
from sdy.dialect.functions import main_function
from sdy.dialect.mesh import Mesh
from sdy.dialect.meshes import MeshTable
from sdy.dialect.sharding import TensorSharding
from sdy.finishing import finish
from sdy.fourier_layouts import fix_fourier_layouts
from sdy.given_modules import own_copy
from sdy.high_products import expand_high_products
from sdy.inspections import Inspection, take_inspections
from sdy.logical_devices import number_logically
from sdy.mlir import ir
from sdy.overlap import Overlap
from sdy.passes.exporting.sharding_survey import shardings_in
from sdy.passes.manager import run_pipeline
from sdy.passes.pipeline_text import parse_pipeline
from sdy.passes.registry import PipelineError, Step
from sdy.running.common_mesh import use_common_mesh
from sdy.running.empty_results import replicate_empty_results
from sdy.running.foreign_boundaries import Shardings, bring_home
from sdy.sources import is_module
from sdy.starting import say_in_stablehlo

PIPELINE = "sdy-partition-pipeline"
"""The passes that partition a program; after them @main has local types and the module says how it is sharded."""


@dataclass(frozen=True)
class PartitionedModule:
    """The program that each device runs, and how its arguments and results lie on the mesh.

    Attributes:
      text: the local module: StableHLO, func and CHLO with local shapes, no sdy. Devices are numbered logically: device
        i of the collectives is the i-th in row-major order of the mesh's axes.
      mesh: all devices; its `device_ids`, if any, say which device each logical number is.
      arguments, results: those of `@main`, with global and local type and sharding (on `mesh`, inlined).
      collectives: what `sdy.report` shows.
      warnings: what the passes found doubtful.
      remarks: the ops along whose sharded dimensions data is gathered, since they need it as a whole.
      inspections: the shardings that the program asks for, as with `jax.debug.inspect_array_sharding`.
      context: that of the module or text, if the caller gave one: it knows the dialects of `text`.
    """

    name: str
    text: str
    mesh: Mesh
    arguments: tuple[Boundary, ...]
    results: tuple[Boundary, ...]
    collectives: tuple[report.Collective, ...]
    warnings: tuple[Diagnostic, ...] = ()
    remarks: tuple[Diagnostic, ...] = ()
    inspections: tuple[Inspection, ...] = ()
    context: Any = field(default=None, repr=False, compare=False)

    @property
    def num_devices(self) -> int:
        return self.mesh.size

    @property
    def in_shardings(self) -> tuple[TensorSharding, ...]:
        return tuple(argument.sharding for argument in self.arguments)

    @property
    def out_shardings(self) -> tuple[TensorSharding, ...]:
        return tuple(result.sharding for result in self.results)


def partition(
    module: Any,
    *,
    filename: str = "-",
    context: Any = None,
    num_devices: int | None = None,
    pipeline: str = PIPELINE,
    is_embedded: bool = False,
    import_shardings: str = "auto",
    overlap: Overlap | None = None,
) -> PartitionedModule:
    """Propagates the shardings of a program, partitions it, and returns the program of one device.

    Args:
      module: what `sdy.parse` takes, or an `ir.Module` (which is not changed), with one function or one called `main`.
      filename: named in diagnostics if `module` is text.
      context: the MLIR context to parse a text into, which may know dialects of your own (see `sdy.load_irdl_file`); a
        module is partitioned in its own.
      num_devices: how many devices there are; None for as many as the mesh asks for.
      is_embedded: whether XLA compiles what becomes of a module that JAX lowered. Device ids are logical numbers there,
        and XLA moves arguments and results whose shardings the mesh of the program has not.
      import_shardings: which shardings that are not of the dialect count: those as "strings", "named" text or "tiles"
        (see `sdy-import-foreign-shardings`); "auto" for whichever there are, "off" for none.
      pipeline: the passes, if not the usual ones; they have to leave what `sdy-convert-global-to-local` leaves.
      overlap: how collectives overlap with what is computed; None for collectives that stay where they are needed.

    Raises:
      DiagnosticError: at the op that is wrong or not supported: a mesh larger than `num_devices`, arguments that the
        shards do not divide, ...
      InternalError: it failed for a reason that lies in this package.
      PipelineError: `pipeline` has an unknown pass or option, or leaves a global program.
      TypeError, ValueError, OSError: `module` is none of these, or in another context, or cannot be read.
    """
    if not isinstance(overlap, Overlap | None):
        raise TypeError(f"overlap must be a sdy.Overlap, not {type(overlap).__name__}")
    parsed = own_copy(module, filename, context)
    faults = faults_of("partitioning", parsed.operation, (PipelineError,))
    with parsed.context, ir.Location.unknown(), faults:
        imported: list[Diagnostic] = []
        if import_shardings != "off":
            with collecting(imported.append):
                sdy.run(parsed, f"sdy-import-foreign-shardings{{import-shardings={import_shardings}}}")
        _declare_meshes(parsed)
        mesh = number_logically(parsed, num_devices, are_logical=is_embedded)
        if is_embedded:
            use_common_mesh(parsed)
            replicate_empty_results(parsed)
        main = main_function(parsed.operation)
        main.attributes["sym_name"] = ir.StringAttr.get("main")
        check_boundary(main, MeshTable(parsed))
        global_type = main.attributes["function_type"].value
        reported = list(imported)
        with collecting(reported.append):
            expand_custom_partitioning(parsed)
            inspections = take_inspections(parsed, Mesh(mesh.axes))
            given = bring_home(parsed, main, Mesh(mesh.axes)) if is_embedded else ((), ())
            run_pipeline(parsed, _without_imports(pipeline) if import_shardings == "off" else pipeline)
            if overlap is not None:
                sdy.run(parsed, overlap.pipeline)
            say_in_stablehlo(parsed)
        warnings = tuple(one for one in reported if one.severity is Severity.WARNING)
        remarks = tuple(one for one in reported if one.severity is Severity.REMARK)
        result = _with_given(_result(parsed, mesh, global_type, pipeline), *given)
        known = parsed.context if is_module(module) else context
        return replace(result, warnings=warnings, remarks=remarks, inspections=inspections, context=known)


def _without_imports(pipeline: str) -> list[Step]:
    """The steps of a pipeline, of which PIPELINE does not look for shardings of others."""
    steps = parse_pipeline(pipeline)
    return [
        replace(one, options={**one.options, "import-shardings": "off"}) if one.name == PIPELINE else one
        for one in steps
    ]


def _declare_meshes(module: Any) -> None:
    """Declares the meshes that are written into shardings, so that their devices are numbered like those of others."""
    if any(isinstance(sharding.mesh_or_ref, Mesh) for sharding in shardings_in(module.operation)):
        sdy.run(module, "sdy-lift-inlined-meshes")


def _result(module: Any, mesh: Mesh, global_type: Any, pipeline: str) -> PartitionedModule:
    """Takes the partitioned module apart; what the passes know of its boundary goes from the module to the result."""
    main = main_function(module.operation)
    local_type = main.attributes["function_type"].value
    logical = Mesh(mesh.axes)
    ins, outs = (_taken_shardings(module.operation, name) for name in ("parameters", "output"))
    if (len(ins), len(outs)) != (len(local_type.inputs), len(local_type.results)):
        raise PipelineError(
            f"{pipeline!r} leaves a global program, not that of one device: it has to end as {PIPELINE} does, with "
            "sdy-convert-global-to-local"
        )
    arguments = make_boundaries(main, global_type.inputs, local_type.inputs, ins, logical)
    results = make_boundaries(main, global_type.results, local_type.results, outs, logical)
    finish(module)
    sdy.run(module, "sdy-convert-einsum-operands,sdy-explicit-scatter-indices")
    if mesh.size > 1:
        expand_high_products(module)
        fix_fourier_layouts(module)
    name = module.operation.attributes["sym_name"].value if "sym_name" in module.operation.attributes else "main"
    text = module.operation.get_asm(enable_debug_info=True)
    return PartitionedModule(name, text, mesh, arguments, results, report.collectives(module, logical))


def _with_given(result: PartitionedModule, arguments: Shardings, results: Shardings) -> PartitionedModule:
    def with_given(boundaries: tuple[Boundary, ...], given: Shardings) -> tuple[Boundary, ...]:
        pairs = zip(boundaries, given, strict=True) if given else ()
        return tuple(replace(one, given=sharding) for one, sharding in pairs) or boundaries

    return replace(
        result, arguments=with_given(result.arguments, arguments), results=with_given(result.results, results)
    )


def _taken_shardings(module: Any, which: str) -> Sequence[TensorSharding]:
    """The shardings that the passes left as a module attribute, which is removed."""
    name = f"sdy.{which}_shardings"
    shardings = attributes.get(module, name)
    if shardings is None:
        return ()
    del module.attributes[name]
    return tuple(shardings)
