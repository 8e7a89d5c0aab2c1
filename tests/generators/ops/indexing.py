"""Gathers, scatters and sorts."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tests.generators.block import Block, Type, Value, region
from tests.generators.ops.kinds import (
    MAX_SIZE,
    i64s,
    kind,
    scalar_region,
    with_rank,
)


class Window:
    """How a gather or scatter addresses an operand: the role of each of its dimensions, and the shape of the slices."""

    def __init__(self, b: Block, shape: Sequence[int]) -> None:
        rng = b.rng
        roles = [rng.choice(["whole", "whole", "part", "one", "batch"]) for _ in shape]
        self.batching = [d for d, role in enumerate(roles) if role == "batch"]
        self.collapsed = [d for d, role in enumerate(roles) if role == "one"]
        self.indexed = [d for d, role in enumerate(roles) if role in ("part", "one")]
        rng.shuffle(self.indexed)
        self.sizes = [
            1 if role in ("one", "batch") else (rng.randint(1, size) if role == "part" else size)
            for size, role in zip(shape, roles, strict=True)
        ]
        batch = [(d, shape[d]) for d in self.batching] + [(-1, rng.choice([2, 4, 8])) for _ in range(rng.randint(0, 2))]
        rng.shuffle(batch)
        self.index_vector_dim = rng.choice([len(batch), len(batch), rng.randint(0, len(batch))])
        indices = [size for _, size in batch]
        indices.insert(self.index_vector_dim, len(self.indexed))
        self.indices = tuple(indices)
        places = {d: i for i, (d, _) in enumerate(batch)}
        self.indices_batching = [places[d] + (places[d] >= self.index_vector_dim) for d in self.batching]
        windows = [self.sizes[d] for d in range(len(shape)) if d not in self.collapsed + self.batching]
        rank = len(batch) + len(windows)
        self.offsets = sorted(rng.sample(range(rank), len(windows)))
        rest_windows, rest_batch = iter(windows), iter(size for _, size in batch)
        self.slices = tuple(next(rest_windows if d in self.offsets else rest_batch) for d in range(rank))

    def usable(self) -> bool:
        return math.prod(self.slices) <= MAX_SIZE and len(self.slices) <= 5


@kind("gather")
def gather(b: Block) -> None:
    x = b.pick(with_rank(1))
    if x is None or 0 in x.type.static:
        return
    w = Window(b, x.type.static)
    if not w.usable():
        return
    numbers = [
        f"offset_dims = {w.offsets}",
        f"collapsed_slice_dims = {w.collapsed}",
        f"operand_batching_dims = {w.batching}",
        f"start_indices_batching_dims = {w.indices_batching}",
        f"start_index_map = {w.indexed}",
    ]
    attributes = [
        f"dimension_numbers = #stablehlo.gather<{', '.join(numbers)}, index_vector_dim = {w.index_vector_dim}>",
        f"slice_sizes = {i64s(w.sizes)}",
        f"indices_are_sorted = {b.rng.choice(['true', 'false'])}",
    ]
    b.op("stablehlo.gather", [x, b.tensor(w.indices, "i32")], [Type(w.slices, x.type.element)], attributes)


@kind("scatter")
def scatter(b: Block) -> None:
    x = b.pick(with_rank(1, lambda t: t.is_static and t.element in ("f32", "i32")))
    if x is None or 0 in x.type.static:
        return
    w = Window(b, x.type.static)
    if not w.usable():
        return
    numbers = [
        f"update_window_dims = {w.offsets}",
        f"inserted_window_dims = {w.collapsed}",
        f"input_batching_dims = {w.batching}",
        f"scatter_indices_batching_dims = {w.indices_batching}",
        f"scatter_dims_to_operand_dims = {w.indexed}",
    ]
    numbers.append(f"index_vector_dim = {w.index_vector_dim}")
    attributes = [
        f"scatter_dimension_numbers = #stablehlo.scatter<{', '.join(numbers)}>",
        f"unique_indices = {b.rng.choice(['true', 'false'])}",
    ]
    element = x.type.element
    reductions = ["add", "add", "maximum", "multiply", "subtract"] if b.features.delicate else ["add"]
    if b.rng.random() < 0.2:
        arguments = [Value("%s0", Type((), element)), Value("%s1", Type((), element))]
        body = region(arguments, [], f"stablehlo.return %s1 : tensor<{element}>")
    else:
        body = scalar_region(element, f"stablehlo.{b.rng.choice(reductions)}")
    operands = [x, b.tensor(w.indices, "i32"), b.tensor(w.slices, element)]
    b.op("stablehlo.scatter", operands, [x.type], attributes, [body])


@kind("sort")
def sort(b: Block) -> None:
    x = b.pick(with_rank(1, lambda t: t.is_static and t.element in ("f32", "i32")))
    if x is None:
        return
    inputs = [x] if b.rng.random() < 0.6 else [x, b.tensor(x.type.static, x.type.element)]
    scalar = Type((), x.type.element)
    arguments = [Value(f"%s{i}", scalar) for i in range(2 * len(inputs))]
    body = region(
        arguments,
        [f"%r0 = stablehlo.compare LT, %s0, %s1 : ({scalar}, {scalar}) -> tensor<i1>"],
        "stablehlo.return %r0 : tensor<i1>",
    )
    attributes = [f"dimension = {b.rng.randrange(x.type.rank)} : i64", "is_stable = true"]
    b.op("stablehlo.sort", inputs, [x.type] * len(inputs), attributes, [body])
