"""Named computations and named tensors, until they are fragments."""

from __future__ import annotations

from sdy.dialect.definition.attributes import get, string_of
from sdy.dialect.mpmd import mpmd_builders
from sdy.dialect.mpmd.values import UserOrigin
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, Faults, warning
from sdy.mlir.greedy import apply_greedily
from sdy.mlir.rewriting import after, before, defining_op, has_one_use, inline, remade, replace, terminator
from sdy.mlir.search import ops_named
from sdy.mlir.walk import enclosing
from sdy.passes.mpmd.common.fragments import block_of, is_distributed, is_mpmd_function, returned, topology_of
from sdy.passes.mpmd.common.rules import ASSIGNMENT, Placement, mesh_problem, nearest, parse_assignment
from sdy.passes.mpmd.common.simplification import simplify_at_boundary
from sdy.passes.options import option
from sdy.passes.registry import pass_

_BARRIER = "stablehlo.optimization_barrier"
_COMPUTATION, _TENSOR = "mpmd.named_computation", "mpmd.named_tensor"
_IDENTITIES = (_TENSOR, "mpmd.broadcast", "mpmd.reduce")


@dataclass(frozen=True)
class AssignmentOptions:
    """Options of passes that look at the meshes of names."""

    assignment: tuple[str, ...] = option((), ASSIGNMENT)

    def __post_init__(self) -> None:
        """Raises `ValueError` for entries of another form."""
        parse_assignment(self.assignment)


@pass_("mpmd-insert-nameless-clone-of-negligible-ops", on="func.func")
def insert_nameless_clone_of_negligible_ops(func: ir.Operation) -> None:
    """mpmd-insert-nameless-clone-of-negligible-ops: Compute ops without operands outside of named computations.

        %0 = mpmd.named_computation<"f"> () () {
          %2 = stablehlo.constant dense<1.0> : tensor<4xf32>
          mpmd.return %2 : tensor<4xf32>
        } : () -> tensor<4xf32>
        %1 = stablehlo.abs %0 : tensor<4xf32>
    ==> %0 = mpmd.named_computation<"f"> () () { ... } : () -> tensor<4xf32>
        %cst = stablehlo.constant dense<1.0> : tensor<4xf32>
        %1 = stablehlo.abs %cst : tensor<4xf32>

    The function returns the results of the named computation.
    """
    for computation in ops_named(func, _COMPUTATION) if is_distributed(func) else []:
        where = after(computation)
        for result, value in zip(computation.results, returned(computation), strict=True):
            source = defining_op(value)
            if source is None or len(source.operands) or len(source.results) != 1:
                continue
            clone = source.clone(ip=where).operation
            ends = [use.owner.operation for use in result.uses if use.owner.operation.name == "func.return"]
            result.replace_all_uses_except(clone.results[0], ends)


@pass_("mpmd-simplify-named-computations", on="func.func")
def simplify_named_computations(func: ir.Operation) -> None:
    """mpmd-simplify-named-computations: Remove operands and results that are unused, equal or passed through.

        %0:2 = mpmd.named_computation<"f"> (%arg0, %arg0) (%arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
          %1 = stablehlo.add %arg1, %arg2 : tensor<4xf32>
          mpmd.return %1, %arg2 : tensor<4xf32>, tensor<4xf32>
        } : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    ==> %0 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) {
          %1 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
          mpmd.return %1 : tensor<4xf32>
        } : (tensor<4xf32>) -> tensor<4xf32>     (with %arg0 in place of %0#1)

    Arguments pass by optimization barriers if they are only returned. Dead ops go.
    """
    if not is_distributed(func):
        return
    for computation in ops_named(func, _COMPUTATION):
        for op in [view.operation for view in block_of(computation).operations]:
            if op.name == _BARRIER:
                _pass_by(op, block_of(computation))
    apply_greedily(func, {_COMPUTATION: [simplify_at_boundary]})


def _pass_by(barrier: ir.Operation, block: ir.Block) -> None:
    """Take arguments of the block that are only returned out of a barrier."""
    end = terminator(block)
    kept = []
    for operand, result in zip(barrier.operands, barrier.results, strict=True):
        is_returned = has_one_use(result) and next(iter(result.uses)).owner.operation == end
        if is_returned and isinstance(operand, ir.BlockArgument) and operand.owner == block:
            result.replace_all_uses_with(operand)
        else:
            kept.append((operand, result))
    if len(kept) == len(barrier.results):
        return
    if kept:
        new = remade(barrier, [operand for operand, _ in kept], [result.type for _, result in kept])
        for (_, result), replacement in zip(kept, new.results, strict=True):
            result.replace_all_uses_with(replacement)
    barrier.erase()


@pass_("mpmd-inline-nested-user-exposed-ops", on="func.func", options=AssignmentOptions)
def inline_nested_user_exposed_ops(func: ir.Operation, options: AssignmentOptions) -> None:
    """mpmd-inline-nested-user-exposed-ops: Remove names inside of named computations.

        %0 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) {
          %1 = mpmd.named_tensor %arg1 name="x" : tensor<4xf32>
          mpmd.return %1 : tensor<4xf32>
        } : (tensor<4xf32>) -> tensor<4xf32>
    ==> %0 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) {
          mpmd.return %arg1 : tensor<4xf32>
        } : (tensor<4xf32>) -> tensor<4xf32>

    Nested named computations are inlined, the operands of broadcasts and reductions used in their places.

    Raises `DiagnosticError` at a nested op that is assigned to another mesh or stage than what it is in.
    """
    if not is_distributed(func):
        return
    assignment = parse_assignment(options.assignment)
    with Faults() as faults:
        for op in ops_named(func, _COMPUTATION, *_IDENTITIES):
            around = enclosing(op, _COMPUTATION)
            if around is None:
                continue
            with faults.one():
                if op.name in (_COMPUTATION, _TENSOR):
                    _check_nested(op, around, assignment)
                if op.name == _COMPUTATION:
                    inline(op)
                else:
                    replace(op, [op.operands[0]])


def _check_nested(op: ir.Operation, around: ir.Operation, assignment: dict[str, Placement]) -> None:
    outer = _origin(around).name
    placed = assignment.get(outer)
    if placed is None:
        raise DiagnosticError(around, f"'{outer}' is not assigned to a mesh{nearest(outer, assignment)}")
    name = string_of(op.attributes["name"]) if op.name == _TENSOR else _origin(op).name
    own = assignment.get(name)
    if own is None or (own.mesh_name, own.stage) == (placed.mesh_name, placed.stage):
        return
    if op.name == _TENSOR and own.mesh_name == placed.mesh_name:
        return
    notes = [(around, f"'{outer}' is assigned to {_shown(placed)}")]
    raise DiagnosticError(op, f"'{name}' is assigned to {_shown(own)}, and nested in '{outer}' on another one", notes)


def _shown(placed: Placement) -> str:
    return f"mesh '{placed.mesh_name}'" + ("" if placed.stage is None else f" in stage {placed.stage}")


def _origin(computation: ir.Operation) -> UserOrigin:
    return get(computation, "origin")


@pass_("mpmd-validate-named-ops-in-mpmd-func", on="func.func")
def validate_named_ops_in_mpmd_func(func: ir.Operation) -> None:
    """mpmd-validate-named-ops-in-mpmd-func: Refuse named ops that are not directly in functions of several meshes.

    Raises `DiagnosticError` at named computations and tensors in other functions, and in regions of ops of other
    dialects.
    """
    with Faults() as faults:
        for op in ops_named(func, _COMPUTATION, _TENSOR):
            around = op.parent.operation
            if is_mpmd_function(around) if around == func else around.name.startswith("mpmd."):
                continue
            with faults.one():
                where = "a function without a topology" if around == func else f"'{around.name}'"
                raise DiagnosticError(op, f"is in {where}, where named ops are not supported")


@pass_("mpmd-map-named-ops-to-mpmd-ops", on="func.func", options=AssignmentOptions)
def map_named_ops_to_mpmd_ops(func: ir.Operation, options: AssignmentOptions) -> None:
    """mpmd-map-named-ops-to-mpmd-ops: Make named computations fragments on their meshes, and assign named tensors.

        %0 = mpmd.named_computation<"f"> (%arg0) (%arg1: tensor<4xf32>) { ... } : (tensor<4xf32>) -> tensor<4xf32>
    ==> %0 = mpmd.assign {origin = "f"} %arg0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
        %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) (%arg1: tensor<4xf32>) { ... }
            : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
        %2 = mpmd.unassign {origin = "f"} %1 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>

    Named tensors without a mesh are their operands.

    Raises `DiagnosticError` at named computations without a mesh.
    """
    if not is_distributed(func):
        return
    assignment = parse_assignment(options.assignment)
    with Faults() as faults:
        for op in ops_named(func, _COMPUTATION, _TENSOR):
            with faults.one():
                if op.name == _TENSOR:
                    _map_tensor(func, op, assignment.get(string_of(op.attributes["name"])))
                else:
                    _map_computation(func, op, assignment)


def _check_mesh(func: ir.Operation, op: ir.Operation, name: str, placed: Placement) -> None:
    problem = mesh_problem(placed, topology_of(func))
    if problem is not None:
        raise DiagnosticError(op, f"'{name}': {problem}")


def _map_tensor(func: ir.Operation, op: ir.Operation, placed: Placement | None) -> None:
    if placed is None:
        replace(op, [op.operands[0]])
        return
    name = string_of(op.attributes["name"])
    _check_mesh(func, op, name, placed)
    where = {"loc": op.location, "ip": before(op)}
    type_ = mpmd_builders.mesh_tensor(placed.mesh_name, op.operands[0].type, None, placed.memory_kind)
    assigned = mpmd_builders.assign(op.operands[0], type_, name, **where)
    replace(op, [mpmd_builders.unassign(assigned, name, **where)])


def _map_computation(func: ir.Operation, op: ir.Operation, assignment: dict[str, Placement]) -> None:
    origin = _origin(op)
    placed = assignment.get(origin.name)
    if placed is None:
        raise DiagnosticError(
            op, f"top-level '{origin.name}' is not assigned to a mesh{nearest(origin.name, assignment)}"
        )
    _check_mesh(func, op, origin.name, placed)
    if placed.memory_kind is not None:
        warning(op, f"the memory kind '{placed.memory_kind}' of '{origin.name}' is ignored: results have a mesh only")
    where = {"loc": op.location, "ip": before(op)}

    def on_mesh(value: ir.Value) -> ir.Type:
        return mpmd_builders.mesh_tensor(placed.mesh_name, value.type)

    assigned = {
        operand: mpmd_builders.assign(operand, on_mesh(operand), origin.name, **where)
        for operand in dict.fromkeys(op.operands)
    }
    fragment = mpmd_builders.fragment(
        placed.mesh_name,
        [origin],
        [assigned[operand] for operand in op.operands],
        list(map(on_mesh, op.results)),
        stage=placed.stage,
        **where,
    )
    block = block_of(fragment)
    block_of(op).append_to(fragment.regions[0])
    block.append_to(op.regions[0])
    for result, value in zip(op.results, fragment.results, strict=True):
        result.replace_all_uses_with(mpmd_builders.unassign(value, origin.name, **where))
    op.erase()
