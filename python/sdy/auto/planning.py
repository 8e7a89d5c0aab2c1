"""`sdy.auto.partition`: shardings that make the step of a program short, in the memory that there is.

>>> plan = sdy.auto.partition(text, mesh={"data": 4, "model": 2}, machine="h100", memory_limit=60e9)
>>> print(plan)                      # what it costs, how arguments are sharded
>>> sdy.partition(plan.text)         # the program of each device
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import sdy
from sdy.auto.meshes import AnyMesh, is_number_of_devices, mesh_from, placed_mesh
from sdy.auto.plan import Named, Plan
from sdy.auto.plan_source import PlanSource, shape_of
from sdy.cures.wanted_shardings import Wanted, shard
from sdy.dialect.assembly import PrintOptions
from sdy.dialect.context import exclusively
from sdy.dialect.op_names import op_name
from sdy.dialect.program_values import Program
from sdy.dialect.shardings.attribute_shardings import arg_shardings, result_shardings
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, collecting
from sdy.mlir.functions import main_function
from sdy.passes.auto.annotating import Annotations
from sdy.passes.auto.auto_options import ANNOTATE, EFFORTS, SOFT, USED, check_choice, check_time_limit
from sdy.passes.auto.decisions import decisions
from sdy.passes.auto.plan_costs import PlanCost
from sdy.passes.auto.planner import AS_GIVEN, Found, Request, find_plan, mesh_of_program, written
from sdy.passes.auto.unsharded import unsharded
from sdy.passes.costs.machine import Machine
from sdy.programs.given_modules import import_foreign, own_copy
from sdy.programs.sources import AnyProgram

_AXES = ("x", "y", "z")


def partition(
    program: AnyProgram,
    mesh: AnyMesh | None = None,
    machine: Machine | str = "generic",
    *,
    memory_limit: float | str | None = None,
    axes: Sequence[str] | None = None,
    annotate: str = "best",
    effort: str = "default",
    verify: int = 1,
    time_limit: float | None = None,
    filename: str = "-",
    context: ir.Context | None = None,
) -> Plan:
    """The shardings with which a step of `program` takes the least time on a mesh of a machine.

    Shardings and constraints that the program has are kept: closed dimensions as they are, open ones may get further
    axes. What comes is the same in every process.

    Args:
      program: what `sdy.parse` takes, or an `ir.Module` (which is not changed), before propagation.
      mesh: a `Mesh`, a mesh of JAX, sizes by names of axes, pairs of names and sizes, a text such as
        ``"data:4,model:2"``, or a number of devices, for which the mesh is chosen, too; None for that of the program.
      machine: a `Machine`, or what `Machine.parse` reads.
      memory_limit: bytes that a device may hold; None for nine tenths of what the machine has; "soft" for as much, if
        there is a plan, and else for that of least memory.
      axes: the axes that may be used; others are left to the user. None for all.
      annotate: what is written down: "arguments" (and results) only, "values" of ops, too, "full", which constrains
        every use that needs a value in another layout; "best": "values", or "full" where that is measured to be better;
        "minimal": of "values" those without which a step would take longer, found by up to 40 partitionings.
      effort: "fast" for one descent, "default" for several, which are mixed, "thorough" for some from plans that are
        drawn as well, and for pairs of axes at a time.
      verify: how many of the best plans are partitioned and measured; with 0 plans are only predicted, and the memory
        limit is that of the model.
      time_limit: seconds after which no further solution is begun; then `is_complete` of the plan is false, and what
        comes depends on the clock.
      filename: what locations call a module that was parsed from a text without a name.
      context: the MLIR context to parse a text into.

    Raises:
      DiagnosticError: the program cannot be partitioned (dynamic shapes, calls that stay, unreduced values, several
        meshes), or no plan fits into memory.
      TypeError, ValueError, OSError: an argument that is none of these.
    """
    machine = _machine(machine)
    check_choice("annotate", annotate, ANNOTATE)
    check_choice("effort", effort, EFFORTS)
    if isinstance(verify, bool) or not isinstance(verify, int) or verify < 0:
        raise ValueError(f"verify is a number of plans, not {verify!r}")
    check_time_limit(math.inf if time_limit is None else time_limit)
    limit = USED * machine.memory if memory_limit in (None, SOFT) else memory_limit
    if isinstance(limit, str) or not limit > 0:
        raise ValueError(f"memory_limit is a positive number of bytes, or 'soft', not {memory_limit!r}")
    copy = prepared(program, filename, context)
    with copy.context, exclusively(copy.context), ir.Location.unknown(), collecting(lambda diagnostic: None):
        seconds = math.inf if time_limit is None else time_limit
        request = Request(Mesh(), machine, (), limit, effort, annotate, verify, memory_limit == SOFT, seconds)
        return _plan(copy, *_found(copy, request, mesh, axes))


def prepared(program: AnyProgram, filename: str, context: ir.Context | None) -> ir.Operation:
    """A copy of a program, whose shardings are those of sdy on meshes with names."""
    copy = own_copy(program, filename, context).operation
    with copy.context, exclusively(copy.context), ir.Location.unknown(), collecting(lambda diagnostic: None):
        import_foreign(copy)
        sdy.run(copy, "sdy-lift-inlined-meshes")
    return copy


def what_if(source: PlanSource, wanted: Wanted) -> Plan:
    """The plan for the same program with some shardings given; see `Plan.what_if`."""
    module = source.module
    with module.context, exclusively(module.context), ir.Location.unknown(), collecting(lambda diagnostic: None):
        # A program without a mesh gets that of the plan, which shardings then go by.
        declared = written(module, module, Annotations(), AS_GIVEN, source.request.mesh)
        copy = declared.clone().operation
        shard(copy, declared, Program(declared, "-"), wanted)
        return _plan(copy, find_plan(copy, source.request), source.request)


def _found(
    module: ir.Operation, request: Request, mesh: AnyMesh | None, axes: Sequence[str] | None
) -> tuple[Found, Request]:
    if not is_number_of_devices(mesh):
        request = _on(request, _mesh(module, mesh), axes)
        if mesh is not None:
            request = replace(request, machine=request.machine.on(placed_mesh(mesh)))
        return find_plan(module, request), request
    if axes is not None:
        raise ValueError("axes are given for a mesh, and here the mesh is to be chosen")
    if mesh < 1:
        raise ValueError(f"a number of devices is at least 1, not {mesh}")
    known = mesh_of_program(module)
    if known is not None:
        if known[1].size != mesh:
            raise DiagnosticError(module, f"is written for the mesh {known[1]}, not for {mesh} devices")
        return _found(module, request, known[1], None)
    candidates = [_on(request, each, None) for each in meshes_of(mesh)]
    predicted = [(find_plan(module, replace(each, verify=0)).predicted.step, each) for each in candidates]
    best = min(predicted, key=lambda pair: (pair[0], len(pair[1].axes)))[1]
    return find_plan(module, best), best


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
            raise DiagnosticError(module, "has no mesh; say on which mesh, or on how many devices, it is to run")
        return known[1]
    given = mesh_from(mesh)
    if not given.axes:
        raise ValueError("a mesh to be planned for has at least one axis")
    if known is not None and known[1] != given:
        raise DiagnosticError(module, f"is written for the mesh {known[1]}, not for {given}")
    return given


def _machine(machine: Machine | str) -> Machine:
    machine = Machine.parse(machine) if isinstance(machine, str) else machine
    if not isinstance(machine, Machine):
        raise TypeError(f"partition() takes a Machine, not {type(machine).__name__}")
    return machine


def _plan(given: ir.Operation, found: Found, request: Request) -> Plan:
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
        measured=None if found.measured is None else found.measured.cost,
        parts=found.measured,
        annotate=found.annotate,
        decisions=told,
        is_complete=found.is_complete,
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
) -> Plan:
    """The plan that is written into a module, not measured."""
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
    return Plan(
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
