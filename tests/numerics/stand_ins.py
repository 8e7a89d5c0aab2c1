"""What computes the same as ops that XLA has no code for on a CPU."""

from __future__ import annotations

from dataclasses import replace

import sdy
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import tensor_type
from sdy.partitioned_module import PartitionedModule
from sdy.stablehlo import ops
from sdy.stablehlo.attribute_readers import RaggedDims
from sdy.stablehlo.ops import Builder


def on_cpu(partitioned: PartitionedModule) -> PartitionedModule:
    """The same program for CPUs."""
    return replace(partitioned, text=with_stand_ins(partitioned.text))


def with_stand_ins(text: str) -> str:
    """A program without ragged products, and without scans of which cumulative sums are made."""
    module = sdy.parse(text)
    for op in ops_named(module.operation, "chlo.ragged_dot"):
        with op.location:
            op.results[0].replace_all_uses_with(_dense(Builder.before(op), op))
        op.erase()
    sdy.run(module, "builtin.module(func.func(sdy-normalize-ops{enable-patterns=scans-to-windows}))")
    return sdy.print_module(module)


def _dense(b: Builder, op: ir.Operation) -> ir.Value:
    """A product with a further dimension for groups, in which everything but the group's own elements is zero."""
    dims = RaggedDims.of(op.attributes["ragged_dot_dimension_numbers"])
    lhs, rhs, sizes = op.operands
    contracting = ([dim + 1 for dim in dims.lhs_contracting], list(dims.rhs_contracting))
    batching = ([dim + 1 for dim in dims.lhs_batching], list(dims.rhs_batching))
    if dims.ragged in dims.lhs_batching:
        return b.dot_general(
            lhs,
            rhs,
            contracting=(dims.lhs_contracting, dims.rhs_contracting),
            batching=(dims.lhs_batching, dims.rhs_batching),
        )
    left = _own_elements(b, lhs, dims.ragged, sizes)
    if dims.contracts_groups:
        right = _own_elements(b, rhs, dims.rhs_contracting[dims.lhs_contracting.index(dims.ragged)], sizes)
        contracting = (contracting[0], [dim + 1 for dim in contracting[1]])
        batching = ([0, *batching[0]], [0, *(dim + 1 for dim in batching[1])])
        return b.dot_general(left, right, contracting=contracting, batching=batching)
    contracting = ([0, *contracting[0]], [*dims.rhs_group, *contracting[1]])
    return b.dot_general(left, rhs, contracting=contracting, batching=batching)


def _own_elements(b: Builder, x: ir.Value, dim: int, sizes: ir.Value) -> ir.Value:
    """`x` once for each group, with zeros where other groups are along `dim`."""
    (count,), element = sizes.type.shape, sizes.type.element_type
    ends = b.reduce_window(sizes, b.constant(0, element), [count], ops.add, padding=[(count - 1, 0)])
    shape = [count, *x.type.shape]
    places = b.iota(tensor_type(shape, element), dim + 1)
    last = b.compare(places, b.broadcast_in_dim(ends, shape, [0]), "LT")
    first = b.compare(places, b.broadcast_in_dim(b.subtract(ends, sizes), shape, [0]), "GE")
    repeated = b.broadcast_in_dim(x, shape, range(1, len(shape)))
    return b.select(b.and_(first, last), repeated, b.constant(0, repeated.type))
