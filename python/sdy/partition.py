"""Partitioning of a program with shardings into the program of one device.

>>> partitioned = sdy.partition(text)
>>> print(partitioned.text)          # StableHLO with local shapes and explicit collectives, no sdy
>>> print(sdy.report.collectives.table(partitioned.collectives))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

import sdy
from sdy.dialect.assembly import PrintOptions
from sdy.dialect.definition import attributes
from sdy.dialect.extensions import load_extensions
from sdy.dialect.shardings.attribute_shardings import remove_sdy_attributes
from sdy.dialect.shardings.value_shardings import OUTPUTS, PARAMETERS
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import Diagnostic, Severity, collecting, saying_once
from sdy.mlir.faults import faults_of
from sdy.mlir.functions import main_function
from sdy.mlir.interpreter import keep_loaded
from sdy.partitioned_module import PartitionedModule
from sdy.passes.executable import records
from sdy.passes.manager import Observer, PlannedStep, plan, run_planned
from sdy.passes.partitioning.partition_options import PIPELINE, PartitionOptions
from sdy.passes.registry import registrations
from sdy.passes.steps import PipelineError
from sdy.programs.given_modules import copy_for_passes
from sdy.programs.partitioning import Partitioning
from sdy.programs.sources import ACCEPTED, AnyProgram, is_module, source
from sdy.running.boundary import Boundary, make_boundaries


def partition(
    module: AnyProgram,
    *,
    filename: str = "-",
    context: ir.Context | None = None,
    num_devices: int | None = None,
    pipeline: str = PIPELINE,
    is_embedded: bool = False,
    import_shardings: str = "auto",
    sharding_calls: Sequence[str] = (),
    overlap: sdy.Overlap | None = None,
    dump_ir_to: str | Path = "",
) -> PartitionedModule:
    """Propagate the shardings of a program, partition it, and return the program of one device.

    Args:
      module: input of `sdy.parse`, or an `ir.Module` (not changed), with one function or one called `main`.
      filename: named in diagnostics if `module` is text.
      context: the MLIR context to parse a text into, which may know dialects of your own (see `sdy.load_irdl_file`); a
        module is partitioned in its own.
      num_devices: how many devices there are; None for as many as the mesh asks for.
      is_embedded: whether XLA compiles the result of a module that JAX lowered. Device ids are logical numbers there,
        and XLA moves arguments and results whose shardings the program's mesh cannot express.
      import_shardings: which shardings that are not of the dialect count: those as "strings", "named" text or "tiles"
        (see `sdy-import-foreign-shardings`); "auto" for whichever there are, "off" for none.
      sharding_calls: targets of custom calls that are another compiler's sharding constraints.
      pipeline: the passes that partition, if not the usual ones; they have to end with a local program, as
        `sdy-convert-global-to-local` does, and to answer the program's queries (see `sdy-resolve-partitioner-calls`,
        `sdy-record-main-shardings`).
      dump_ir_to: a folder into which the program is written after each pass that changes it, numbered; nowhere if it is
        empty.
      overlap: how collectives overlap with computation; None for collectives that stay where they are needed.

    Returns:
      A `PartitionedModule`: the text of the local program, with types and shardings of arguments and results.

    Raises:
      DiagnosticError: at the op that is wrong or not supported: a mesh larger than `num_devices`, arguments that the
        shards do not divide, ...
      InternalError: it failed for a reason that lies in this package.
      PipelineError: `pipeline` has an unknown pass or option, or leaves a global program.
      TypeError, ValueError, OSError: an invalid argument, a module in another context, or one that cannot
        be read.
    """
    if overlap is not None and not isinstance(overlap, sdy.Overlap):
        raise TypeError(f"overlap must be a sdy.Overlap, not {type(overlap).__name__}")
    if isinstance(sharding_calls, str):
        raise TypeError("sharding_calls is a list of targets, not one")
    if num_devices is not None and num_devices < 1:
        raise ValueError(f"num_devices is at least 1, not {num_devices}")
    options = PartitionOptions(
        import_shardings=import_shardings,
        sharding_calls=tuple(sharding_calls),
        executable=True,
        keep_records=True,
        num_devices=num_devices or 0,
        embedded=is_embedded,
    )
    if isinstance(module, PartitionedModule):
        raise TypeError(f"expected {ACCEPTED}, not PartitionedModule: it is partitioned already")
    program = module if is_module(module) else source(module, filename)  # a FIFO is read once
    given = program
    if is_module(program):
        from sdy.programs.bytecode import exact_copy

        given = exact_copy(program)
    partitioning = Partitioning.of(pipeline, options, overlap)
    planned = partial(_planned, partitioning)
    reported: list[Diagnostic] = []
    with collecting(reported.append), saying_once(), copy_for_passes(program, filename, context) as own:
        result = _partitioned(own, planned, pipeline, _dumps(dump_ir_to))
        del own  # before the next program is in its context
    return replace(
        result,
        warnings=tuple(one for one in reported if one.severity is Severity.WARNING),
        remarks=tuple(one for one in reported if one.severity is Severity.REMARK),
        context=module.operation.context if is_module(module) else context,
        source=given,
        partitioning=partitioning,
    )


def _dumps(folder: str | Path) -> list[Observer]:
    if not folder:
        return []
    from sdy.passes.ir_printing import PrintIr, When

    changed = When(after_all=True, after_change=True)
    return [PrintIr(changed, PrintOptions(), module_scope=True, tree_dir=str(folder), verifies=False)]


Planned = tuple[tuple[PlannedStep, ...], ...]
"""The passes up to a local program, if somebody has to look at it, and those that make it one that XLA compiles."""


def _partitioned(
    module: ir.Module, planned: Callable[[int], Planned], pipeline: str, observers: Sequence[Observer]
) -> PartitionedModule:
    """Runs the passes on the module."""
    faults = faults_of("partitioning", module.operation, (PipelineError,))
    with module.context, ir.Location.unknown(), faults:
        load_extensions()
        *partitioning, executable = planned(registrations())
        for steps in partitioning:
            run_planned(module, steps, observers=observers)
            _check_is_local(module.operation, pipeline)
        run_planned(module, executable, observers=observers)
        return _result(module.operation)


@lru_cache(maxsize=32)
def _planned(partitioning: Partitioning, _registrations: int) -> Planned:
    """Return the planned passes, cached until something new is registered."""
    phases = partitioning.phases()
    if not partitioning.instead and not partitioning.trailing:
        # It is known to leave a local program; so what all passes leave is verified once.
        planned = (plan([*phases]),)
    else:
        planned = plan([*phases.without("executable")]), plan([*phases.only("executable")])
    keep_loaded()
    return planned


def _check_is_local(module: ir.Operation, pipeline: str) -> None:
    type_ = main_function(module).attributes["function_type"].value
    taken = [len(_taken_shardings(module, name)) for name in (PARAMETERS, OUTPUTS)]
    if taken != [len(type_.inputs), len(type_.results)]:
        raise PipelineError(
            f"{pipeline!r} leaves a global program, not that of one device: it has to end as {PIPELINE} does, with "
            "sdy-convert-global-to-local"
        )


def _result(module: ir.Operation) -> PartitionedModule:
    """Return the result of a partitioned module; its facts move from module attributes to the result."""
    main = main_function(module)
    global_type = ir.TypeAttr(module.attributes[records.MAIN_TYPE]).value
    local_type = main.attributes["function_type"].value
    mesh, ins, outs = records.devices(module), _taken_shardings(module, PARAMETERS), _taken_shardings(module, OUTPUTS)
    logical = Mesh(mesh.axes)
    arguments = make_boundaries(main, global_type.inputs, local_type.inputs, ins, logical)
    results = make_boundaries(main, global_type.results, local_type.results, outs, logical)
    given = [records.given(module, name) for name in (records.GIVEN_PARAMETERS, records.GIVEN_OUTPUTS)]
    inspections = records.inspections(module)
    remove_sdy_attributes(module)
    name = ir.StringAttr(module.attributes["sym_name"]).value if "sym_name" in module.attributes else "main"
    return PartitionedModule(
        name,
        module.get_asm(enable_debug_info=True),
        mesh,
        _with_given(arguments, given[0]),
        _with_given(results, given[1]),
        inspections=inspections,
    )


def _with_given(boundaries: tuple[Boundary, ...], given: records.Shardings) -> tuple[Boundary, ...]:
    pairs = zip(boundaries, given, strict=True) if given else ()
    return tuple(replace(one, given=sharding) for one, sharding in pairs) or boundaries


def _taken_shardings(module: ir.Operation, name: str) -> Sequence[TensorSharding]:
    """Return the shardings that the passes left as a module attribute."""
    shardings = attributes.get(module, name)
    return () if shardings is None else tuple(shardings)
