"""Finds the plan of a program for a complete request (see `sdy.auto.partition`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import sdy
from sdy.auto.plan_difference import Named, PlanFacts
from sdy.auto.plan_source import PlanSource, shape_of
from sdy.dialect.assembly import PrintOptions
from sdy.dialect.context import exclusively
from sdy.dialect.program_values import Program
from sdy.dialect.shardings.attribute_shardings import arg_shardings, result_shardings
from sdy.dialect.surroundings import op_name
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, collecting
from sdy.mlir.functions import main_function
from sdy.mlir.interpreter import collector_paused
from sdy.passes.auto.annotating import Annotations, decisions, unsharded
from sdy.passes.auto.plan_costs import AS_GIVEN, Found, PlanCost, Request
from sdy.passes.auto.planner import find_plan
from sdy.passes.auto.written_plans import mesh_of_program, written
from sdy.programs.given_modules import import_foreign, own_copy
from sdy.programs.meshes import AnyMesh, is_number_of_devices, mesh_from, placed_mesh
from sdy.programs.sources import AnyProgram
from sdy.suggestions.changes import Wanted, shard

_AXES = ("x", "y", "z")

_MOST_DEVICES = 1 << 20
"""For how many devices a mesh is chosen."""


def prepared(program: AnyProgram, filename: str, context: ir.Context | None) -> ir.Operation:
    """Return a copy of a program, with foreign shardings converted and inlined meshes named."""
    copy = own_copy(program, filename, context).operation
    with copy.context, exclusively(copy.context), ir.Location.unknown(), collecting(lambda diagnostic: None):
        import_foreign(copy)
        sdy.run(copy, "sdy-lift-inlined-meshes")
    return copy


def what_if(source: PlanSource, wanted: Wanted) -> PlanFacts:
    """The plan for the same program with some shardings given; see `Plan.what_if`."""
    module = source.module
    with (
        module.context,
        exclusively(module.context),
        ir.Location.unknown(),
        collecting(lambda diagnostic: None),
        collector_paused(),
    ):
        # A program without a mesh gets that of the plan, which shardings then go by.
        declared = written(module, module, Annotations(), AS_GIVEN, source.request.mesh)
        copy = declared.clone().operation
        shard(copy, declared, Program(declared, "-"), wanted)
        return _plan(copy, find_plan(copy, source.request))


def plan_for(module: ir.Operation, request: Request, mesh: AnyMesh | None, axes: Sequence[str] | None) -> PlanFacts:
    """Return the best plan for a prepared module, in the current context, on a mesh or a number of devices."""
    return _plan(module, _found(module, request, mesh, axes))


def _found(module: ir.Operation, request: Request, mesh: AnyMesh | None, axes: Sequence[str] | None) -> Found:
    if not is_number_of_devices(mesh):
        request = _on(request, _mesh(module, mesh), axes)
        if mesh is not None:
            request = replace(request, machine=request.machine.on(placed_mesh(mesh)))
        return find_plan(module, request)
    if mesh > _MOST_DEVICES:
        raise ValueError(f"a mesh is chosen for at most {_MOST_DEVICES:,} devices, not {mesh:,}")
    if axes is not None:
        raise ValueError("axes are given for a mesh, and here the mesh is to be chosen")
    if mesh < 1:
        raise ValueError(f"a number of devices is at least 1, not {mesh}")
    known = mesh_of_program(module)
    if known is not None:
        if known[1].size != mesh:
            raise DiagnosticError(module, f"is written for the mesh {known[1]}, not for {mesh} devices")
        return _found(module, request, known[1], None)
    return find_plan(module, *(_on(request, each, None) for each in meshes_of(mesh)))


def meshes_of(devices: int) -> Iterator[Mesh]:
    """The meshes of up to three axes that so many devices can form; of many devices up to two."""
    yield Mesh((MeshAxis(_AXES[0], devices),))
    for first in range(2, devices // 2 + 1):
        if devices % first == 0:
            yield Mesh((MeshAxis(_AXES[0], first), MeshAxis(_AXES[1], devices // first)))
    if devices > 16:
        return
    for first in range(2, devices // 4 + 1):
        for second in range(2, devices // (2 * first) + 1):
            if devices % (first * second) == 0:
                sizes = (first, second, devices // (first * second))
                yield Mesh(tuple(map(MeshAxis, _AXES, sizes)))


def _on(request: Request, mesh: Mesh, axes: Sequence[str] | None) -> Request:
    names = tuple(axis.name for axis in mesh.axes)
    unknown = [name for name in axes or () if name not in names]
    if unknown:
        raise ValueError(f"the mesh has no axis {unknown[0]!r}; it has {', '.join(names)}")
    return replace(request, mesh=mesh, axes=names if axes is None else tuple(name for name in names if name in axes))


def _mesh(module: ir.Operation, mesh: AnyMesh | None) -> Mesh:
    known = mesh_of_program(module)
    if mesh is None:
        if known is None:
            raise DiagnosticError(module, "has no mesh; give a mesh, or a number of devices")
        return known[1]
    given = mesh_from(mesh)
    if not given.axes:
        raise ValueError("a mesh to be planned for has at least one axis")
    if known is not None and known[1] != given:
        raise DiagnosticError(module, f"is written for the mesh {known[1]}, not for {given}")
    return given


def _plan(given: ir.Operation, found: Found) -> PlanFacts:
    request = found.request
    source = PlanSource(given, request, found.annotations, found.is_inlined)
    plan = plan_of(
        found.module,
        source,
        predicted=found.predicted,
        replicated=found.replicated,
        without_rule=found.without_rule,
        is_exact=found.is_exact,
        solves=found.solves,
    )
    is_told = request.effort != "fast" and found.annotate != AS_GIVEN
    told = decisions(found.problem, found.plan) if is_told else ()
    return replace(
        plan,
        estimated=None if found.measured is None else found.measured.cost,
        parts=found.measured,
        annotate=found.annotate,
        decisions=told,
        is_complete=found.is_complete,
        refusals=tuple(map(str, found.refusals)),
        alternatives=tuple(cost for _, cost in found.others),
        unsharded=unsharded(found.problem, found.plan) if is_told else (),
    )


def plan_of(
    module: ir.Operation,
    source: PlanSource,
    *,
    predicted: PlanCost,
    replicated: PlanCost,
    without_rule: dict[str, int],
    is_exact: bool,
    solves: int,
) -> PlanFacts:
    """The plan that is written into a module, not partitioned."""
    main = main_function(module)
    type_ = main.attributes["function_type"].value
    names = [op_name(argument.location) for argument in main.regions[0].blocks[0].arguments]
    inputs = zip(names, type_.inputs, arg_shardings(main), strict=True)
    outputs = zip(type_.results, result_shardings(main), strict=True)
    arguments = tuple(
        Named(name if name != "unknown" else f"argument {number}", shape_of(each) or (), sharding)
        for number, (name, each, sharding) in enumerate(inputs)
    )
    results = tuple(
        Named(f"result {number}", shape_of(each) or (), sharding) for number, (each, sharding) in enumerate(outputs)
    )
    return PlanFacts(
        text=sdy.print_module(module, PrintOptions(debug_info=True)),
        mesh=source.request.mesh,
        machine=source.request.machine,
        arguments=arguments,
        results=results,
        predicted=predicted,
        replicated=replicated,
        without_rule=without_rule,
        is_exact=is_exact,
        solves=solves,
        source=source,
    )
