"""sdy-carry-matrices-whole: a loop that decomposes the matrix it carries in each round carries the whole of it.

    %1 = stablehlo.multiply %x, %scale : tensor<8x8xf32>
    %2:2 = stablehlo.while(%m = %1, %i = %0) ... do { %3:2 = stablehlo.custom_call @Qr(%m) ... }

==> %whole = sdy.sharding_constraint %x <@mesh, [{}, {}]> : tensor<8x8xf32>
    %1 = stablehlo.multiply %whole, %scale : tensor<8x8xf32>
    %2:2 = stablehlo.while(%m = %1, %i = %0) ... {sdy.sharding = [<@mesh, [{}, {}]>, <@mesh, []>]}

JAX writes singular values and polar decompositions as such loops for TPUs. Every device needs, and decomposes, the
whole matrix in every round; were it sharded in between, it would be gathered as often, with what is added up on the
way. Leading dimensions, those of a batch, are sharded as they come. What else sums over the dimensions of that matrix
takes the whole of it, too, and so do products with it that are no larger. Loops that have a sharding stay as they are.

Cost model: a matrix that is gathered once need not be gathered by each decomposition in each round, and nothing that is
computed with it is added up; but products in the loop, which devices would share, are computed by all of them, as
decompositions are in any case. It is carried whole if that takes less time on the `machine` than the gathers of one
round. What has more than twice as many rows as columns, or columns as rows, stays as it is: a device would hold much
more than now.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod

from sdy.dialect import builders
from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE
from sdy.dialect.op_properties import is_elementwise, is_scalar
from sdy.dialect.ops.rules import create_rule
from sdy.dialect.shardings.attribute_shardings import open_like, set_op_shardings
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import DimensionSharding, TensorSharding
from sdy.mlir import ir
from sdy.mlir.rewriting import after_value, defining_op
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import byte_size
from sdy.passes.costs.machine import Machine, machine_to_compare_for
from sdy.passes.costs.op_cost import product_operations
from sdy.passes.options import option
from sdy.passes.partitioning.facts.carried_matrices import Dims, carried_matrices, dims_of, passed_on
from sdy.passes.registry import UNCHANGED, pass_
from sdy.stablehlo import views


@dataclass(frozen=True)
class CarriedOptions:
    """Options of sdy-carry-matrices-whole."""

    machine: str = option(
        "",
        "carry what is faster so on this machine, such as 'flops=2e14 bandwidth=5e10'; by default one "
        "that does 1400 operations of a product while it sends a byte",
    )

    def __post_init__(self) -> None:
        machine_to_compare_for(self.machine)


@pass_("sdy-carry-matrices-whole", on="func.func", options=CarriedOptions)
def carry_matrices_whole(func: ir.Operation, options: CarriedOptions) -> object:
    loops = ops_named(func, "stablehlo.while")
    meshes = [(name, each) for name, each in of_module(MeshTable, func).by_name.items() if each.axes]
    if not loops or len(meshes) != 1:
        return UNCHANGED
    (mesh, sizes), machine = meshes[0], machine_to_compare_for(options.machine)
    whole: dict[ir.Value, Dims] = {}
    for loop in loops:
        needed = {} if SHARDING in loop.attributes else carried_matrices(loop)
        if needed and _pays(loop, needed, sizes, machine):
            values = list(loop.results)
            shardings = [_whole(mesh, value, needed.get(number, frozenset())) for number, value in enumerate(values)]
            set_op_shardings(loop, shardings)
            for number, dims in needed.items():
                value, along = _origin(loop.operands[number], dims)
                whole[value] = whole.get(value, frozenset()) | along
    for value, dims in whole.items():
        made_by = defining_op(value)
        if made_by is None or made_by.name != "stablehlo.while":
            _constrain(mesh, value, dims)
    return None


def _whole(mesh: str, value: ir.Value, dims: Dims) -> TensorSharding:
    """Not sharded along `dims`, and along all others as it comes."""
    if not dims:
        return open_like(mesh, value.type)
    return TensorSharding(mesh, tuple(DimensionSharding(is_closed=dim in dims) for dim in range(value.type.rank)))


def _pays(loop: ir.Operation, needed: Mapping[int, Dims], mesh: Mesh, machine: Machine) -> bool:
    """Whether products that all devices compute take no longer than the matrices of a round would take to gather."""
    parts = mesh.size
    products = sum(
        machine.product_seconds(operations, 0.0, str(op.results[0].type.element_type))
        for op in ops_named(loop, "stablehlo.dot_general", "stablehlo.dot")
        if (operations := product_operations(op))
    )
    gathers = sum(
        machine.collective_seconds("all_gather", parts, byte_size(result.type) / parts)
        for number, result in enumerate(loop.results)
        if number in needed
    )
    return products * (1 - 1 / parts) <= gathers


# Where it comes from ---------------------------------------------------------------------------------


def _origin(value: ir.Value, dims: Dims) -> tuple[ir.Value, Dims]:
    """The value that `value` is computed from element by element, alone or with what is repeated along `dims`."""
    while (op := defining_op(value)) is not None and (is_elementwise(op) or op.name == "stablehlo.transpose"):
        taken = [(operand, along) for operand, along in passed_on(op, dims) if not _is_repeated(operand, along)]
        if len({operand for operand, _ in taken}) != 1 or not taken[0][1] or SHARDING in op.attributes:
            break
        value, dims = taken[0]
    return value, dims


def _is_repeated(value: ir.Value, dims: Dims) -> bool:
    """Whether all elements along `dims` are the same."""
    broadcast = views.BroadcastInDim.defining(value)
    if broadcast is None:
        return is_scalar(value)
    sizes = zip(broadcast.broadcast_dimensions, broadcast.operand.type.shape, strict=True)
    return dims.isdisjoint(dim for dim, size in sizes if size != 1)


def _constrain(mesh: str, value: ir.Value, dims: Dims) -> None:
    """What needs the value as a whole, or is cheaper so, gets it as a whole."""
    uses = [(use.owner.operation, use.operand_number) for use in value.uses]
    chosen = [(user, number) for user, number in uses if _had_better_be_whole(user, number, dims)]
    whole = builders.sharding_constraint(value, _whole(mesh, value, dims), ip=after_value(value))
    for user, number in chosen:
        user.operands[number] = whole


def _had_better_be_whole(user: ir.Operation, number: int, dims: Dims) -> bool:
    """Whether an operand goes into a loop, a sum over `dims`, or a product over them that is no larger."""
    if user.name == "stablehlo.while":
        return True
    if user.name in ("stablehlo.reduce", "stablehlo.dot_general"):
        rule = create_rule(user)
        if rule is None:
            return False
        summed = {factor for dim in dims for factor in rule.operands[number][dim]}.intersection(rule.reduction)
        sizes = [prod(value.type.shape) for value in (user.operands[number], user.results[0])]
        return bool(summed) and sizes[1] <= sizes[0]
    if not (is_elementwise(user) or user.name == "stablehlo.transpose"):
        return False
    passed = [(factors, along) for factors, along in _made_of(user, number, dims)]
    return bool(passed) and all(
        _had_better_be_whole(use.owner.operation, use.operand_number, along)
        for result, along in passed
        for use in result.uses
    )


def _made_of(op: ir.Operation, number: int, dims: Dims) -> Iterator[tuple[ir.Value, Dims]]:
    """The result of an op that keeps elements, and its dimensions that belong to those of an operand."""
    rule = create_rule(op)
    if rule is not None and SHARDING not in op.attributes and SHARDING_RULE not in op.attributes:
        factors = frozenset(factor for dim in dims for factor in rule.operands[number][dim])
        yield op.results[0], dims_of(rule.results[0], factors)
