"""Ops that move elements about: shapes, slices, padding."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tests.generators.block import Block, Type, Value
from tests.generators.ops.kinds import (
    MAX_SIZE,
    i64s,
    kind,
    neutral,
    static_tensor,
    with_rank,
)


@kind("iota")
def iota(b: Block) -> None:
    x = b.pick(with_rank(1))
    if x is not None:
        result = x.type.of(b.rng.choice(["f32", "i32"]))
        b.op("stablehlo.iota", [], [result], [f"iota_dimension = {b.rng.randrange(result.rank)} : i64"])


@kind("constant")
def constant(b: Block) -> None:
    x = b.pick(lambda t: t.is_float or t.is_integer)
    if x is not None and x.type.is_static and b.features.constants:
        b.constant(x.type)


@kind("reshape")
def reshape(b: Block) -> None:
    x = b.pick(static_tensor)
    if x is not None:
        shape = regrouped(b, x.type.static)
        b.op("stablehlo.reshape", [x], [Type(shape, x.type.element)])


def regrouped(b: Block, shape: Sequence[int]) -> tuple[int, ...]:
    """Another shape with as many elements: dimensions merged, split, or of size 1 added and removed."""
    dims = list(shape)
    for _ in range(b.rng.randint(1, 3)):
        change = b.rng.choice(["merge", "split", "one", "drop", "regroup"])
        if change == "merge" and len(dims) >= 2:
            at = b.rng.randrange(len(dims) - 1)
            dims[at : at + 2] = [dims[at] * dims[at + 1]]
        elif change == "split" and dims:
            at = b.rng.randrange(len(dims))
            divisors = [d for d in range(2, dims[at]) if dims[at] % d == 0]
            if divisors:
                major = b.rng.choice(divisors)
                dims[at : at + 1] = [major, dims[at] // major]
        elif change == "one":
            dims.insert(b.rng.randint(0, len(dims)), 1)
        elif change == "drop" and 1 in dims:
            dims.remove(1)
        elif change == "regroup" and len(dims) >= 2:
            at = b.rng.randrange(len(dims) - 1)
            total = dims[at] * dims[at + 1]
            divisors = [d for d in range(1, total + 1) if total % d == 0] or [0]
            major = b.rng.choice(divisors)
            dims[at : at + 2] = [major, total // major if major else 0]
    return tuple(dims) if len(dims) <= 5 else tuple(shape)


@kind("transpose")
def transpose(b: Block) -> None:
    x = b.pick(with_rank(1))
    if x is not None:
        order = list(range(x.type.rank))
        b.rng.shuffle(order)
        shape = tuple(x.type.static[d] for d in order)
        b.op("stablehlo.transpose", [x], [Type(shape, x.type.element)], [f"permutation = {i64s(order)}"])


@kind("broadcast_in_dim")
def broadcast_in_dim(b: Block) -> None:
    x = b.pick(static_tensor)
    if x is not None:
        shape = [b.rng.choice([2, 3, 4]) if d == 1 and b.rng.random() < 0.5 else d for d in x.type.static]
        positions = list(range(len(shape)))
        while len(shape) < 4 and b.rng.random() < 0.6 and math.prod(shape) <= MAX_SIZE // 8:
            at = b.rng.randint(0, len(shape))
            shape.insert(at, b.rng.choice([1, 2, 4, 8]))
            positions = [p + (p >= at) for p in positions]
        attributes = [f"broadcast_dimensions = {i64s(positions)}"]
        b.op("stablehlo.broadcast_in_dim", [x], [Type(tuple(shape), x.type.element)], attributes)


@kind("reverse")
def reverse(b: Block) -> None:
    x = b.pick(with_rank(1))
    if x is not None:
        dims = sorted(b.rng.sample(range(x.type.rank), b.rng.randint(1, x.type.rank)))
        b.op("stablehlo.reverse", [x], [x.type], [f"dimensions = {i64s(dims)}"])


@kind("slice")
def slice_(b: Block) -> None:
    x = b.pick(with_rank(1))
    if x is not None:
        sliced(b, x)


def sliced(b: Block, x: Value) -> Value:
    starts, limits, strides, shape = [], [], [], []
    for size in x.type.static:
        if size < 2 or b.rng.random() < 0.5:
            start, limit, stride = 0, size, 1
        else:
            start = b.rng.randrange(size)
            limit, stride = b.rng.randint(start + 1, size), b.rng.choice([1, 1, 1, 2]) if b.features.delicate else 1
        starts.append(start)
        limits.append(limit)
        strides.append(stride)
        shape.append(-(-(limit - start) // stride))
    attributes = [f"start_indices = {i64s(starts)}", f"limit_indices = {i64s(limits)}", f"strides = {i64s(strides)}"]
    return b.op("stablehlo.slice", [x], [Type(tuple(shape), x.type.element)], attributes)


@kind("pad")
def pad(b: Block) -> None:
    x = b.pick(with_rank(1))
    if x is None:
        return
    low, high, interior, shape = [], [], [], []
    for size in x.type.static:
        edges = (0, 0, 0) if b.rng.random() < 0.5 else (b.rng.choice([0, 1, -1, 2]), b.rng.choice([0, 1, 3]), 0)
        if b.rng.random() < 0.1:
            edges = (*edges[:2], 1)
        result = edges[0] + edges[1] + size + max(size - 1, 0) * edges[2]
        if result < 1:
            edges, result = (0, 0, 0), size
        low.append(edges[0])
        high.append(edges[1])
        interior.append(edges[2])
        shape.append(result)
    lists = [("edge_padding_low", low), ("edge_padding_high", high), ("interior_padding", interior)]
    attributes = [f"{name} = {i64s(values)}" for name, values in lists]
    value = b.tensor((), x.type.element) if b.features.delicate else neutral(b, x.type.element, "add")
    b.op("stablehlo.pad", [x, value], [Type(tuple(shape), x.type.element)], attributes)


@kind("concatenate")
def concatenate(b: Block) -> None:
    x = b.pick(with_rank(1))
    if x is None or math.prod(x.type.static) > MAX_SIZE // 4:
        return
    dim = b.rng.randrange(x.type.rank)
    parts = [x]
    for _ in range(b.rng.randint(0, 2)):
        if b.rng.random() < 0.4:
            parts.append(_slice_of(b, x, dim))
        else:
            shape = list(x.type.static)
            shape[dim] = b.rng.choice([1, 2, 4, shape[dim]])
            parts.append(b.tensor(tuple(shape), x.type.element))
    if b.rng.random() < 0.3:
        parts[0] = _slice_of(b, x, dim)
    b.rng.shuffle(parts)
    shape = list(x.type.static)
    shape[dim] = sum(part.type.static[dim] for part in parts)
    attributes = [f"dimension = {dim} : i64"]
    b.op("stablehlo.concatenate", parts, [Type(tuple(shape), x.type.element)], attributes)


def _slice_of(b: Block, x: Value, dim: int) -> Value:
    """A slice along one dimension."""
    shape = list(x.type.static)
    start = b.rng.randrange(shape[dim]) if shape[dim] else 0
    limits = list(shape)
    starts = [0] * len(shape)
    starts[dim] = start
    shape[dim] -= start
    attributes = [
        f"start_indices = {i64s(starts)}",
        f"limit_indices = {i64s(limits)}",
        f"strides = {i64s([1] * len(shape))}",
    ]
    return b.op("stablehlo.slice", [x], [Type(tuple(shape), x.type.element)], attributes)


@kind("dynamic_slice")
def dynamic_slice(b: Block) -> None:
    x = b.pick(with_rank(1))
    if x is not None:
        shape = _smaller(b, x.type.static)
        indices = [b.tensor((), "i32") for _ in shape]
        attributes = [f"slice_sizes = {i64s(shape)}"]
        b.op("stablehlo.dynamic_slice", [x, *indices], [Type(shape, x.type.element)], attributes)


@kind("dynamic_update_slice")
def dynamic_update_slice(b: Block) -> None:
    x = b.pick(with_rank(1))
    if x is not None:
        update = b.tensor(_smaller(b, x.type.static), x.type.element)
        indices = [b.tensor((), "i32") for _ in x.type.static]
        b.op("stablehlo.dynamic_update_slice", [x, update, *indices], [x.type])


def _smaller(b: Block, shape: Sequence[int]) -> tuple[int, ...]:
    return tuple(size if size < 2 or b.rng.random() < 0.5 else b.rng.randint(1, size) for size in shape)


@kind("bitcast_convert")
def bitcast_convert(b: Block) -> None:
    x = b.pick(lambda t: t.is_static and t.element in ("f32", "i32", "ui32"))
    if x is not None:
        result = b.rng.choice([x.type.of("ui32"), Type((*x.type.static, 2), "bf16")])
        b.op("stablehlo.bitcast_convert", [x], [result])


@kind("get_dimension_size")
def get_dimension_size(b: Block) -> None:
    x = b.pick(lambda t: t.shape is not None and len(t.shape) > 0)
    if x is not None and x.type.shape is not None:
        b.op(
            "stablehlo.get_dimension_size",
            [x],
            [Type((), "i32")],
            [f"dimension = {b.rng.randrange(len(x.type.shape))} : i64"],
        )
