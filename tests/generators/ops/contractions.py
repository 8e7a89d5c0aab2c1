"""Contractions, reductions, windows."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tests.generators.block import Block, Type, Value, region
from tests.generators.ops.kinds import (
    MAX_SIZE,
    floating,
    i64s,
    kind,
    neutral,
    scalar_region,
    with_rank,
)

MOST_FACTORS = 64
"""Of products in programs that are run: larger ones overflow, and then it matters in which order."""


@kind("dot_general")
def dot_general(b: Block) -> None:
    x = b.pick(with_rank(1, floating))
    if x is None:
        return
    rng = b.rng
    roles = [rng.choice(["batch", "free", "free", "contract", "contract"]) for _ in x.type.static]
    by_role = {role: [d for d, r in enumerate(roles) if r == role] for role in ("batch", "free", "contract")}
    rng.shuffle(by_role["contract"])
    shared = [("batch", d) for d in by_role["batch"]] + [("contract", d) for d in by_role["contract"]]
    dims: list[tuple[str, int]] = shared + [("free", rng.choice([2, 4, 6, 8])) for _ in range(rng.randint(0, 2))]
    rng.shuffle(dims)
    shape = tuple(d if role == "free" else x.type.static[d] for role, d in dims)
    result = (
        *(x.type.static[d] for d in by_role["batch"]),
        *(x.type.static[d] for d in by_role["free"]),
        *(d for role, d in dims if role == "free"),
    )
    if math.prod(result) > MAX_SIZE or len(result) > 5:
        return
    y = b.tensor(shape, x.type.element)
    where = {entry: position for position, entry in enumerate(dims) if entry[0] != "free"}
    lists = {
        "lhs_batching_dimensions": by_role["batch"],
        "rhs_batching_dimensions": [where["batch", d] for d in by_role["batch"]],
        "lhs_contracting_dimensions": by_role["contract"],
        "rhs_contracting_dimensions": [where["contract", d] for d in by_role["contract"]],
    }
    numbers = ", ".join(f"{name} = [{', '.join(map(str, values))}]" for name, values in lists.items())
    b.op(
        "stablehlo.dot_general",
        [x, y],
        [Type(result, x.type.element)],
        [f"dot_dimension_numbers = #stablehlo.dot<{numbers}>"],
    )


@kind("dot")
def dot(b: Block) -> None:
    x = b.pick(lambda t: floating(t) and t.rank in (1, 2) and 0 not in t.static)
    if x is not None:
        *rows, inner = x.type.static
        columns = [b.rng.choice([2, 4, 8])] if b.rng.random() < 0.7 else []
        b.op(
            "stablehlo.dot", [x, b.tensor((inner, *columns), x.type.element)], [Type((*rows, *columns), x.type.element)]
        )


@kind("reduce")
def reduce(b: Block) -> None:
    x = b.pick(with_rank(1, lambda t: t.is_static and t.element in ("f32", "i32", "bf16")))
    if x is None:
        return
    dims = sorted(b.rng.sample(range(x.type.rank), b.rng.randint(1, x.type.rank)))
    result = Type(tuple(s for d, s in enumerate(x.type.static) if d not in dims), x.type.element)
    inputs = [x] if b.rng.random() < 0.8 else [x, b.tensor(x.type.static, x.type.element)]
    reduction: str = b.rng.choice(["add", "add", "maximum", "minimum", *(["multiply"] if b.features.delicate else [])])
    if b.features.runs and reduction == "multiply" and math.prod(x.type.static[dim] for dim in dims) > MOST_FACTORS:
        reduction = "maximum"
    body = scalar_region(x.type.element, f"stablehlo.{reduction}", len(inputs))
    if b.features.delicate:
        inits = [b.tensor((), x.type.element) for _ in inputs]
    else:
        inits = [neutral(b, x.type.element, reduction)] * len(inputs)
    b.op("stablehlo.reduce", [*inputs, *inits], [result] * len(inputs), [f"dimensions = {i64s(dims)}"], [body])


@kind("reduce_window")
def reduce_window(b: Block) -> None:
    x = b.pick(with_rank(1, floating))
    if x is None or 0 in x.type.static:
        return
    window = [b.rng.randint(1, min(3, size)) if b.rng.random() < 0.5 else 1 for size in x.type.static]
    strides = [b.rng.choice([1, 1, 2]) if w > 1 else 1 for w in window]
    padding = [(b.rng.randint(0, 1), b.rng.randint(0, 1)) if w > 1 else (0, 0) for w in window]
    bases = [1] * len(window)
    reduction = "maximum"
    if b.features.runs:
        reduction = b.rng.choice(["add", "add", "multiply", "minimum", "maximum", "atan2"])
        bases = [b.rng.choice([1, 1, 1, 1, 2]) for _ in window]
        if b.rng.random() < 0.2:
            _accumulate(b, x.type.static, window, strides, padding, bases)
        if reduction == "multiply" and math.prod(window) > MOST_FACTORS:
            reduction = "add"
    shape = tuple(
        ((size - 1) * base + 1 + sum(p) - w) // s + 1
        for size, w, s, p, base in zip(x.type.static, window, strides, padding, bases, strict=True)
    )
    if math.prod(shape) > MAX_SIZE:
        return
    attributes = [f"window_dimensions = {i64s(window)}", f"window_strides = {i64s(strides)}", _padding(padding)]
    if any(base > 1 for base in bases):
        attributes.append(f"base_dilations = {i64s(bases)}")
    init = _odd(b, x.type.element) if b.features.runs and b.rng.random() < 0.5 else b.tensor((), x.type.element)
    body = scalar_region(x.type.element, f"stablehlo.{reduction}")
    b.op("stablehlo.reduce_window", [x, init], [Type(shape, x.type.element)], attributes, [body])


def _accumulate(
    b: Block,
    shape: Sequence[int],
    window: list[int],
    strides: list[int],
    padding: list[tuple[int, int]],
    bases: list[int],
) -> None:
    """Makes the windows those of a cumulative reduction along one dimension."""
    dim = b.rng.randrange(len(shape))
    for each, size in enumerate(shape):
        is_along = each == dim
        window[each], strides[each], bases[each] = size if is_along else 1, 1, 1
        padding[each] = b.rng.choice([(size - 1, 0), (0, size - 1)]) if is_along else (0, 0)


def _odd(b: Block, element: str) -> Value:
    """A constant that hardly any reduction would start with."""
    type_ = Type((), element)
    return b.op("stablehlo.constant", [], [type_], [f"value = dense<{b.rng.choice(['2.5', '-3.0', '1.0'])}> : {type_}"])


@kind("select_and_scatter")
def select_and_scatter(b: Block) -> None:
    x = b.pick(with_rank(1, floating))
    if x is None or 0 in x.type.static:
        return
    x = b.exact(x) if b.features.runs else x  # the largest of a window gets all
    window = [2 if size % 2 == 0 and b.rng.random() < 0.6 else 1 for size in x.type.static]
    source = b.tensor(tuple(s // w for s, w in zip(x.type.static, window, strict=True)), x.type.element)
    scalar = Type((), x.type.element)
    arguments = [Value("%s0", scalar), Value("%s1", scalar)]
    chosen = region(
        arguments,
        [f"%r0 = stablehlo.compare GE, %s0, %s1 : ({scalar}, {scalar}) -> tensor<i1>"],
        "stablehlo.return %r0 : tensor<i1>",
    )
    attributes = [f"window_dimensions = {i64s(window)}", f"window_strides = {i64s(window)}"]
    b.op(
        "stablehlo.select_and_scatter",
        [x, source, b.tensor((), x.type.element)],
        [x.type],
        attributes,
        [chosen, scalar_region(x.type.element, "stablehlo.add")],
    )


def _padding(padding: Sequence[tuple[int, int]]) -> str:
    rows = ", ".join(f"[{low}, {high}]" for low, high in padding)
    return f"padding = dense<[{rows}]> : tensor<{len(padding)}x2xi64>"


@kind("convolution")
def convolution(b: Block) -> None:
    rng = b.rng
    spatial = rng.randint(1, 2)
    batch, groups = rng.choice([2, 4, 8]), rng.choice([1, 1, 1, 2])
    grouping = rng.choice(["feature", "batch"])
    feature_groups, batch_groups = (groups, 1) if grouping == "feature" else (1, groups)
    inner, outputs = rng.choice([1, 2, 4]), rng.choice([2, 4, 8])
    sizes = [rng.choice([4, 8, 6]) for _ in range(spatial)]
    kernel = [rng.choice([1, 3, 2, size]) for size in sizes]
    padding = [rng.choice([(0, 0), (k // 2, (k - 1) // 2)]) for k in kernel]
    results = [s + sum(p) - k + 1 for s, k, p in zip(sizes, kernel, padding, strict=True)]
    if min(results) < 1:
        return
    lhs = b.tensor((batch, *sizes, inner * feature_groups))
    rhs = b.tensor((*kernel, inner, outputs))
    axes = ", ".join(map(str, range(spatial)))
    attributes = [
        f"dimension_numbers = #stablehlo.conv<[b, {axes}, f]x[{axes}, i, o]->[b, {axes}, f]>",
        f"feature_group_count = {feature_groups} : i64",
        f"batch_group_count = {batch_groups} : i64",
        f"window_strides = {i64s([1] * spatial)}",
        _padding(padding),
    ]
    b.op("stablehlo.convolution", [lhs, rhs], [Type((batch // batch_groups, *results, outputs))], attributes)


@kind("batch_norm_inference")
def batch_norm_inference(b: Block) -> None:
    x = b.pick(lambda t: with_rank(2)(t) and t.element == "f32")
    if x is not None:
        feature = b.rng.randrange(x.type.rank)
        sides = [b.tensor((x.type.static[feature],)) for _ in range(4)]
        attributes = ["epsilon = 1.0e-3 : f32", f"feature_index = {feature} : i64"]
        b.op("stablehlo.batch_norm_inference", [x, *sides], [x.type], attributes)


@kind("map")
def map_(b: Block) -> None:
    x = b.pick(with_rank(1, lambda t: t.is_static and t.element == "f32"))
    if x is not None:
        y = b.tensor(x.type.static)
        attributes = [f"dimensions = {i64s(range(x.type.rank))}"]
        b.op("stablehlo.map", [x, y], [x.type], attributes, [scalar_region("f32", "stablehlo.multiply")])
