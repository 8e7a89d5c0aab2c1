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
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.mlir import ir
from sdy.mlir.tensor_types import tensor_type
from sdy.passes.registry import pass_
from sdy.stablehlo import views
from sdy.stablehlo.ops import Builder


@pass_("sdy-negate-behind-joins", on="func.func")
def negate_behind_joins(func: ir.Operation) -> None:
    found = [join for join in views.Concatenate.all_in(func) if any(map(_is_negation, join.inputs))]
    if not found:
        return
    layouts = Layouts(of_module(MeshTable, func))
    for join in found:
        dim, layout = join.dimension, layouts.of_value(join.result)
        sources = {_sliced(_without_sign(operand), dim) for operand in join.inputs}
        if layout.is_sharded(dim) and len(sources) == 1 and _is_alike(sources.pop(), layout, layouts):
            _rewrite(join.op, dim, layout)


def _is_negation(value: ir.Value) -> bool:
    negate = views.Negate.defining(value)
    return negate is not None and SHARDING_RULE not in negate.op.attributes


def _without_sign(value: ir.Value) -> ir.Value:
    return views.Negate(value.owner.operation).operand if _is_negation(value) else value


def _sliced(value: ir.Value, dim: int) -> ir.Value | None:
    """What `value` is a slice of, along `dim` and no other dimension, without steps."""
    cut = views.Slice.defining(value)
    if cut is None or not value.type.has_static_shape or max(cut.strides, default=1) > 1:
        return None
    sizes = enumerate(zip(cut.operand.type.shape, value.type.shape, strict=True))
    return cut.operand if all(had == has for each, (had, has) in sizes if each != dim) else None


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
