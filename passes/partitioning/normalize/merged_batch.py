"""Products with batching dimensions merged by a frontend: batch and heads are kept separate."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from sdy.dialect.definition.attributes import SHARDING
from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op, users
from sdy.passes.pattern_sets import Rewriter, pattern
from sdy.stablehlo import views
from sdy.stablehlo.ops import Builder

_Sizes = tuple[int, ...]


@pattern("merged-batch", views.DotGeneral)
def split_merged_batch(dot: views.DotGeneral, rewriter: Rewriter) -> bool:
    """Split the merged dimensions of a product's batching dimension, and merge behind it.

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
    pairs = zip(numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions, strict=True)
    merged = [(_merged(dot.lhs, left), _merged(dot.rhs, right)) for left, right in pairs]
    if not any(all(sizes) for sizes in merged):
        return rewriter.no_match(dot.op, "no reshapes merge dimensions of both operands into a batching dimension")
    for splits in ([_common(*sizes, by=by) for sizes in merged] for by in (min, max)):
        counts = [*(len(sizes) or 1 for sizes in splits), *[1] * (dot.result.type.rank - len(splits))]
        if any(splits) and _is_split(dot.result, _shape(dot.result, dict(enumerate(splits))), counts):
            made = _product(dot, splits)
            _replace(dot.result, made, counts)
            dot.op.erase()
            return True
    return rewriter.no_match(dot.op, "the batching dimension is not split behind it")


def _product(dot: views.DotGeneral, splits: Sequence[_Sizes]) -> ir.Value:
    """Build the product with batching dimensions split."""
    b, numbers = Builder.before(dot.op), dot.dot_dimension_numbers
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
    return made


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


def _common(lhs: _Sizes, rhs: _Sizes, *, by: Callable[..., _Sizes]) -> _Sizes:
    """Return the sizes of the operand with the fewest dimensions, or with the most if these divide the others."""
    coarse, fine = sorted((lhs, rhs), key=len)
    is_refined = bool(coarse) and {*_products(coarse)} <= {*_products(fine)}
    return by(coarse, fine, key=len) if is_refined else ()


def _shape(value: ir.Value, splits: dict[int, _Sizes]) -> list[int]:
    """Return the shape of `value` with dimensions split."""
    return [part for dim, size in enumerate(value.type.shape) for part in splits.get(dim, ()) or (size,)]


def _is_split(value: ir.Value, shape: Sequence[int], counts: Sequence[int]) -> bool:
    """Return whether each use splits `value` into `shape`, behind transposes perhaps."""
    for user in users(value):
        if SHARDING in user.attributes:
            return False
        if (transpose := views.Transpose.match(user)) is not None:
            dims = transpose.permutation
            moved = [shape[dim] for dim in _dims(dims, counts)]
            if not _is_split(transpose.result, moved, [counts[dim] for dim in dims]):
                return False
        elif user.name != "stablehlo.reshape":
            return False
        elif user.results[0].type == value.type:
            if not _is_split(user.results[0], shape, counts):
                return False
        elif list(user.results[0].type.shape) != list(shape):
            return False
    return bool(users(value))


# Apart -------------------------------------------------------------------------------------------


def _dims(dims: Sequence[int], counts: Sequence[int]) -> list[int]:
    """Return the new dimensions of `dims`; `counts` gives the number of new dimensions of each old one."""
    return [sum(counts[:dim]) + number for dim in dims for number in range(counts[dim])]


def _apart(value: ir.Value, splits: dict[int, _Sizes], b: Builder) -> tuple[ir.Value, list[int]]:
    """Return an operand with split dimensions, and the number of parts of each."""
    counts = [len(splits.get(dim, ())) or 1 for dim in range(value.type.rank)]
    for dim in sorted(splits, reverse=True):
        if splits[dim]:
            value = _split(value, dim, splits[dim], b)
    return value, counts


def _split(value: ir.Value, dim: int, sizes: _Sizes, b: Builder) -> ir.Value:
    """Return `value` with the dimension `dim` split; the operand of the merge, if it has this shape."""
    shape = _shape(value, {dim: sizes})
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
    """Replace `value`, a reshape of `split`, by `split` where `value` is split again."""
    for user in users(value):
        if (transpose := views.Transpose.match(user)) is not None:
            dims = transpose.permutation
            made = Builder.before(user).transpose(split, _dims(dims, counts))
            _replace(transpose.result, made, [counts[dim] for dim in dims])
        elif user.results[0].type == value.type:
            _replace(user.results[0], split, counts)
        else:
            user.results[0].replace_all_uses_with(split)
        user.erase()
