"""Products of which a frontend merged the batching dimensions: batch and heads stay apart."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sdy.dialect.definition.attributes import SHARDING
from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op, has_no_use, users
from sdy.passes.pattern_sets import Rewriter, pattern
from sdy.stablehlo import views
from sdy.stablehlo.ops import Builder

_Sizes = tuple[int, ...]


@pattern("merged-batch", views.DotGeneral)
def split_merged_batch(dot: views.DotGeneral, rewriter: Rewriter) -> bool:
    """Keep dimensions apart that a reshape merges into a batching dimension, as frontends do that have one of them.

    Merged, a dimension cannot be sharded as the second of two is: batch and heads, along two axes, are gathered.

    %1 = stablehlo.reshape %q : (tensor<8x4x32x8xf32>) -> tensor<32x32x8xf32>              // and %2 of %k
    %3 = stablehlo.dot_general %1, %2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : ...
    %4 = stablehlo.reshape %3 : (tensor<32x32x32xf32>) -> tensor<8x4x32x32xf32>
    ==>  %4 = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : ...
    """
    if SHARDING in dot.op.attributes:
        return rewriter.no_match(dot.op, "it has a sharding")
    if not all(value.type.has_static_shape for value in (dot.lhs, dot.rhs, dot.result)):
        return rewriter.no_match(dot.op, "a shape is dynamic")
    numbers = dot.dot_dimension_numbers
    pairs = [*zip(numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions, strict=True)]
    splits = [_common(_merged(dot.lhs, left), _merged(dot.rhs, right)) for left, right in pairs]
    if not any(splits):
        return rewriter.no_match(dot.op, "no reshape merges dimensions into a batching dimension")
    b = Builder.before(dot.op)
    lhs, left = _apart(dot.lhs, dict(zip(numbers.lhs_batching_dimensions, splits, strict=True)), b)
    rhs, right = _apart(dot.rhs, dict(zip(numbers.rhs_batching_dimensions, splits, strict=True)), b)
    made = b.dot_general(
        lhs,
        rhs,
        contracting=(_dims(numbers.lhs_contracting_dimensions, left), _dims(numbers.rhs_contracting_dimensions, right)),
        batching=(_dims(numbers.lhs_batching_dimensions, left), _dims(numbers.rhs_batching_dimensions, right)),
        element_type=dot.result.type.element_type,
    )
    kept = made.owner.attributes
    for name in dot.op.attributes:
        if name not in kept:
            kept[name] = dot.op.attributes[name]
    rest = dot.result.type.rank - len(splits)
    _replace(dot.result, made, [*(len(sizes) or 1 for sizes in splits), *[1] * rest])
    dot.op.erase()
    return True


# What is merged ----------------------------------------------------------------------------------


def _merged(value: ir.Value, dim: int) -> _Sizes:
    """Return the sizes above 1 of the dimensions that a reshape merges into `dim`; empty for fewer than two."""
    op = defining_op(value)
    if op is None or SHARDING in op.attributes:
        return ()
    if (transpose := views.Transpose.match(op)) is not None:
        return _merged(transpose.operand, transpose.permutation[dim])
    if op.name != "stablehlo.reshape" or not op.operands[0].type.has_static_shape:
        return ()
    before, after = op.operands[0].type.shape, value.type.shape
    if list(before) == list(after):
        return _merged(op.operands[0], dim)
    start, end = math.prod(after[:dim]), math.prod(after[: dim + 1])
    product, sizes = 1, []
    for size in before:
        if start <= product < end and size > 1:
            sizes.append(size)
        product *= size
    is_merged = len(sizes) > 1 and math.prod(sizes) * start == end and start in _products(before)
    return tuple(sizes) if is_merged else ()


def _products(shape: Sequence[int]) -> list[int]:
    return [math.prod(shape[:number]) for number in range(len(shape) + 1)]


def _common(lhs: _Sizes, rhs: _Sizes) -> _Sizes:
    """Return the sizes into which both operands split a dimension, as few as possible; empty for what does not fit."""
    if not lhs or not rhs:
        return lhs or rhs
    coarse, fine = sorted((lhs, rhs), key=len)
    return coarse if {*_products(coarse)} <= {*_products(fine)} else ()


# Apart -------------------------------------------------------------------------------------------


def _dims(dims: Sequence[int], counts: Sequence[int]) -> list[int]:
    """Return the dimensions that become of `dims`; `counts` says how many of each dimension of the value."""
    return [sum(counts[:dim]) + number for dim in dims for number in range(counts[dim])]


def _apart(value: ir.Value, splits: dict[int, _Sizes], b: Builder) -> tuple[ir.Value, list[int]]:
    """Return an operand with dimensions split, and how many each of them is now."""
    counts = [len(splits.get(dim, ())) or 1 for dim in range(value.type.rank)]
    for dim in sorted(splits, reverse=True):
        if splits[dim]:
            value = _split(value, dim, splits[dim], b)
    return value, counts


def _split(value: ir.Value, dim: int, sizes: _Sizes, b: Builder) -> ir.Value:
    """Return `value` with the dimension `dim` split: what was merged, where that has this shape."""
    shape = [*value.type.shape[:dim], *sizes, *value.type.shape[dim + 1 :]]
    op = defining_op(value)
    if op is None or not _merged(value, dim):
        return b.reshape(value, shape)
    if (transpose := views.Transpose.match(op)) is not None:
        inner = transpose.permutation[dim]
        counts = [len(sizes) if each == inner else 1 for each in range(value.type.rank)]
        return b.transpose(_split(transpose.operand, inner, sizes, b), _dims(transpose.permutation, counts))
    source = op.operands[0]
    if list(source.type.shape) == shape:
        return source
    return _split(source, dim, sizes, b) if source.type == value.type else b.reshape(source, shape)


def _replace(value: ir.Value, split: ir.Value, counts: Sequence[int]) -> None:
    """Use `split`, of which `value` is a reshape, where `value` is split again, and a reshape of it elsewhere."""
    for user in users(value):
        if SHARDING in user.attributes:
            continue
        if (transpose := views.Transpose.match(user)) is not None:
            dims = transpose.permutation
            made = Builder.before(user).transpose(split, _dims(dims, counts))
            _replace(transpose.result, made, [counts[dim] for dim in dims])
            user.erase()
        elif user.name == "stablehlo.reshape" and user.results[0].type == value.type:
            _replace(user.results[0], split, counts)
            user.erase()
        elif user.name == "stablehlo.reshape" and user.results[0].type == split.type:
            user.results[0].replace_all_uses_with(split)
            user.erase()
    if not has_no_use(value):
        value.replace_all_uses_with(Builder.before(value.owner).reshape(split, value.type.shape))
