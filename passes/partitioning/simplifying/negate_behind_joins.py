"""sdy-negate-behind-joins: slices that are joined along a sharded dimension are negated where they have come to.

    %0 = stablehlo.slice %a [8:16] ... ; %1 = stablehlo.negate %0 ; %2 = stablehlo.slice %a [0:8] ...
    %3 = stablehlo.concatenate %1, %2, dim = 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
==> %3 = stablehlo.concatenate %0, %2, dim = 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
    %4 = stablehlo.negate %3 : tensor<16xf32>
    ...                                            // the first eight places
    %5 = stablehlo.select %places, %4, %3 : tensor<16xi1>, tensor<16xf32>

As of the rotated halves that tell positions in transformers. What is joined are slices of one tensor then, of which
each device sends what others need, once: a rotation by half of the dimension sends the device's part. Cost model:
bytes; beside what is sent, that one of two numbers is chosen does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.ir_builders.devices import index_type
from sdy.dialect.ir_builders.operand_slots import erase_unused
from sdy.dialect.ir_builders.with_sharding import marked
from sdy.dialect.lowering.layout import Layout, Layouts
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.module_facts import of_module
from sdy.mlir import ir
from sdy.mlir.rewriting.uses import defining_op
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import tensor_type
from sdy.passes.registry import pass_
from sdy.stablehlo.ops import Builder


@pass_("sdy-negate-behind-joins", on="func.func")
def negate_behind_joins(func: ir.Operation) -> None:
    found = [op for op in ops_named(func, "stablehlo.concatenate") if any(map(_is_negation, op.operands))]
    if not found:
        return
    layouts = Layouts(of_module(MeshTable, func))
    for op in found:
        dim = ir.IntegerAttr(op.attributes["dimension"]).value
        layout = layouts.of_value(op.results[0])
        sources = {_sliced(_without_sign(operand), dim) for operand in op.operands}
        if layout.is_sharded(dim) and len(sources) == 1 and _is_alike(sources.pop(), layout, layouts):
            _rewrite(op, dim, layout)


def _is_negation(value: ir.Value) -> bool:
    op = defining_op(value)
    return op is not None and op.name == "stablehlo.negate" and SHARDING_RULE not in op.attributes


def _without_sign(value: ir.Value) -> ir.Value:
    return value.owner.operation.operands[0] if _is_negation(value) else value


def _sliced(value: ir.Value, dim: int) -> ir.Value | None:
    """What `value` is a slice of, along `dim` and no other dimension, without steps."""
    op = defining_op(value)
    if op is None or op.name != "stablehlo.slice" or not value.type.has_static_shape:
        return None
    source = op.operands[0]
    sizes = zip(source.type.shape, value.type.shape, op.attributes["strides"], strict=True)
    others = [size for each, size in enumerate(sizes) if each != dim]
    is_plain = op.attributes["strides"][dim] == 1 and all(had == has and step == 1 for had, has, step in others)
    return source if is_plain else None


def _is_alike(source: ir.Value | None, layout: Layout, layouts: Layouts) -> bool:
    """Whether what slices are taken of is sharded like what is made of them."""
    if source is None or layout.mesh is None or layout.mesh.is_maximal or layout.unreduced:
        return False
    have = layouts.of_value(source)
    return not have.unreduced and (have.mesh, have.dim_axes) == (layout.mesh, layout.dim_axes)


def _rewrite(op: ir.Operation, dim: int, layout: Layout) -> None:
    b, before = Builder.before(op), list(op.operands)
    joined = marked(b.concatenate([_without_sign(value) for value in before], dim), layout.sharding)
    made = marked(b.negate(joined), layout.sharding)
    if not all(map(_is_negation, before)):
        made = marked(b.select(_negative_places(b, before, dim, layout), made, joined), layout.sharding)
    op.results[0].replace_all_uses_with(made)
    op.erase()
    erase_unused(before)


def _negative_places(b: Builder, joined: Sequence[ir.Value], dim: int, layout: Layout) -> ir.Value:
    """Whether elements are negated, for each place of the result."""
    assert layout.sharding is not None
    along = layout.sharding.with_dims([layout.sharding.dims[dim]])
    number = index_type(layout.shape[dim])
    place = marked(b.iota(tensor_type([layout.shape[dim]], number), 0), along)
    found: ir.Value | None = None
    for at, is_negated in _changes(joined, dim):
        bound = marked(b.constant(at, place.type), along)
        direction = "LT" if found is None and not is_negated else "GE"
        behind = marked(b.compare(place, bound, direction), along)
        found = behind if found is None else marked(b.xor(found, behind), along)
    assert found is not None
    return marked(b.broadcast_in_dim(found, layout.shape, [dim]), layout.sharding)


def _changes(joined: Sequence[ir.Value], dim: int) -> Iterator[tuple[int, bool]]:
    """The places from which on elements are negated, or are not, while those before are not, or are."""
    at = 0
    for before, after in pairwise(joined):
        at += before.type.shape[dim]
        if _is_negation(before) != _is_negation(after):
            yield at, _is_negation(after)
