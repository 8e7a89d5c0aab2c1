"""Ops that cut out, paste, pad, join, reverse or sort."""

from __future__ import annotations

from random import Random

from tests.generators.op_families.draw import shape, subset
from tests.generators.op_instances import OpInstance, Shape, array, generator, tensor


@generator("stablehlo.slice")
def slice_(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    starts, limits, strides, result = [], [], [], []
    for extent in sizes:
        start = rng.randint(0, extent) if rng.random() < 0.5 else 0
        limit = rng.randint(start, extent) if rng.random() < 0.5 else extent
        stride = rng.choice([1, 1, 2])
        starts.append(start)
        limits.append(limit)
        strides.append(stride)
        result.append(-(-(limit - start) // stride))
    attributes = f"start_indices = {array(starts)}, limit_indices = {array(limits)}, strides = {array(strides)}"
    return OpInstance(kind, [tensor(sizes)], [tensor(result)], attributes)


def _smaller(rng: Random, sizes: Shape) -> Shape:
    return [rng.choice([extent, extent, rng.randint(min(1, extent), extent)]) for extent in sizes]


@generator("stablehlo.dynamic_slice")
def dynamic_slice(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng, 1)  # StableHLO cannot read what it prints for a scalar
    result = _smaller(rng, sizes)
    indices = [tensor([], "i32")] * len(sizes)
    return OpInstance(kind, [tensor(sizes), *indices], [tensor(result)], f"slice_sizes = {array(result)}")


@generator("stablehlo.dynamic_update_slice")
def dynamic_update_slice(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    indices = [tensor([], "i32")] * len(sizes)
    if rng.random() < 0.5:
        return OpInstance(kind, [tensor(sizes), tensor(_smaller(rng, sizes)), *indices], [tensor(sizes)])
    arguments = [tensor(sizes), tensor(_smaller(rng, sizes))]
    operands = [("%a0", arguments[0]), ("%a1", arguments[1]), *(("%c", tensor([], "i32")) for _ in sizes)]
    before = "%c = stablehlo.constant dense<0> : tensor<i32>"
    return OpInstance(kind, arguments, [tensor(sizes)], operands=operands, before=before)


@generator("stablehlo.pad")
def pad(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    low, high, interior, result = [], [], [], []
    for extent in sizes:
        before, after, between = rng.choice([0, 0, 1, 2, -1]), rng.choice([0, 0, 1, -1]), rng.choice([0, 0, 0, 1])
        if extent + max(extent - 1, 0) * between + before + after < 0:
            before = after = 0
        low.append(before)
        high.append(after)
        interior.append(between)
        result.append(extent + max(extent - 1, 0) * between + before + after)
    attributes = (
        f"edge_padding_low = {array(low)}, edge_padding_high = {array(high)}, interior_padding = {array(interior)}"
    )
    return OpInstance(kind, [tensor(sizes), tensor([])], [tensor(result)], attributes)


@generator("stablehlo.reverse")
def reverse(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    dims = subset(rng, len(sizes))
    rng.shuffle(dims)
    return OpInstance(kind, [tensor(sizes)], [tensor(sizes)], f"dimensions = {array(dims)}")


@generator("stablehlo.concatenate")
def concatenate(rng: Random, kind: str) -> OpInstance:
    """Operands are arguments, or slices of the arguments."""
    sizes = shape(rng, 1)
    dim = rng.randrange(len(sizes))
    type_ = tensor(sizes)
    arguments = [type_] * rng.randint(1, 2)
    before: list[str] = []
    operands: list[tuple[str, str]] = []
    total = 0
    slice_chance = rng.choice([0.0, 0.5, 1.0])
    for number in range(rng.randint(1, 3)):
        source = f"%a{rng.randrange(len(arguments))}"
        if rng.random() >= slice_chance:
            operands.append((source, type_))
            total += sizes[dim]
            continue
        limits = list(sizes)
        limits[dim] = rng.randint(0, sizes[dim])
        result = tensor(limits)
        attributes = f"start_indices = {array([0] * len(sizes))}, limit_indices = {array(limits)}"
        attributes += f", strides = {array([1] * len(sizes))}"
        before.append(f'%s{number} = "stablehlo.slice"({source}) {{{attributes}}} : ({type_}) -> {result}')
        if rng.random() < 0.1:
            before.append(f"%t{number} = stablehlo.negate %s{number} : {result}")
        operands.append((f"%{'t' if 't' in before[-1][:2] else 's'}{number}", result))
        total += limits[dim]
    result = tensor([*sizes[:dim], total, *sizes[dim + 1 :]])
    return OpInstance(
        kind, arguments, [result], f"dimension = {dim} : i64", operands=operands, before="\n".join(before)
    )


@generator("stablehlo.sort")
def sort(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng, 1)
    if rng.random() < 0.3:
        sizes = [1 if rng.random() < 0.8 else extent for extent in sizes]
    count = rng.randint(1, 2)
    scalars = [f"%x{number}: tensor<f32>" for number in range(2 * count)]
    region = (
        f"{{^bb0({', '.join(scalars)}):\n"
        '  %z = "stablehlo.compare"(%x0, %x1) {comparison_direction = #stablehlo<comparison_direction LT>} '
        ': (tensor<f32>, tensor<f32>) -> tensor<i1>\n  "stablehlo.return"(%z) : (tensor<i1>) -> ()\n}'
    )
    dim = rng.randint(-len(sizes), len(sizes) - 1)
    attributes = rng.choice([f"dimension = {dim} : i64, is_stable = true", f"dimension = {dim} : i64", ""])
    return OpInstance(kind, [tensor(sizes)] * count, [tensor(sizes)] * count, attributes, region)
