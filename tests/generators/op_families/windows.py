"""Ops that slide a window."""

from __future__ import annotations

from random import Random

from tests.generators.op_families.draw import shape, size, window_positions
from tests.generators.op_families.reductions import reduction
from tests.generators.op_instances import OpInstance, Shape, array, combiner, generator, pairs, tensor


@generator("stablehlo.reduce_window")
def reduce_window(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    windows, strides, padding, bases, dilations, result = [], [], [], [], [], []
    for extent in sizes:
        while True:
            window, stride = rng.choice([1, 1, 2, 3]), rng.choice([1, 1, 2])
            pads = rng.choice([(0, 0), (0, 0), (1, 1), (0, 1), (1, -1)])
            if window > 1 and rng.random() < 0.1:
                window, stride, pads = extent, 1, rng.choice([(extent - 1, 0), (0, extent - 1)])
            base, dilation = rng.choice([1, 1, 1, 2]), rng.choice([1, 1, 1, 2])
            positions = window_positions(extent, window, stride, *pads, base, dilation)
            if positions >= 0:
                break
        windows.append(window)
        strides.append(stride)
        padding.append(pads)
        bases.append(base)
        dilations.append(dilation)
        result.append(positions)
    attributes = [f"window_dimensions = {array(windows)}"]
    optional = {
        "window_strides": (array(strides), all(stride == 1 for stride in strides)),
        "base_dilations": (array(bases), all(base == 1 for base in bases)),
        "window_dilations": (array(dilations), all(dilation == 1 for dilation in dilations)),
        "padding": (pairs(padding), all(pads == (0, 0) for pads in padding)),
    }
    for name, (text, is_default) in optional.items():
        if not is_default or (sizes and rng.random() < 0.5):
            attributes.append(f"{name} = {text}")
    drawn = reduction(rng, in_order=True)
    operands = [tensor(sizes, element) for element in drawn.elements]
    arguments, starts, before = drawn.starts(len(operands))
    return OpInstance(
        kind,
        [*operands, *arguments],
        [tensor(result, element) for element in drawn.elements],
        ", ".join(attributes),
        drawn.region,
        [*[(f"%a{number}", type_) for number, type_ in enumerate(operands)], *starts],
        before,
    )


@generator("stablehlo.select_and_scatter")
def select_and_scatter(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng)
    windows, strides, padding, source = [], [], [], []
    for extent in sizes:
        while True:
            window, stride = rng.choice([1, 1, 2, 3]), rng.choice([1, 1, 2])
            pads = rng.choice([(0, 0), (0, 0), (1, 1), (0, 1)])
            positions = window_positions(extent, window, stride, *pads)
            if positions >= 0:
                break
        windows.append(window)
        strides.append(stride)
        padding.append(pads)
        source.append(positions)
    attributes = [f"window_dimensions = {array(windows)}"]
    if any(stride != 1 for stride in strides):
        attributes.append(f"window_strides = {array(strides)}")
    if any(pads != (0, 0) for pads in padding):
        attributes.append(f"padding = {pairs(padding)}")
    value = rng.choice([None, None, "2.5", "0.0", "-1.0"])
    sources = [tensor(sizes), tensor(source), *([tensor([])] if value is None else [])]
    init = ("%a2" if value is None else "%init", tensor([]))
    select = combiner("stablehlo.compare GE,").replace(
        "%x, %y : tensor<f32>", "%x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>"
    )
    select = select.replace("(%z) : (tensor<f32>)", "(%z) : (tensor<i1>)")
    return OpInstance(
        kind,
        sources,
        [tensor(sizes)],
        ", ".join(attributes),
        f"{select}, {combiner(rng.choice(['stablehlo.add', 'stablehlo.add', 'stablehlo.maximum']))}",
        [("%a0", sources[0]), ("%a1", sources[1]), init],
        "" if value is None else f"%init = stablehlo.constant dense<{value}> : tensor<f32>",
    )


def _layout(order: list[int], names: tuple[str, str]) -> str:
    """Text like `[b, 0, f, 1]`: what each dimension is, given the places of the two named ones and the spatial ones."""
    labels = [""] * len(order)
    for label, place in zip([*names, *map(str, range(len(order) - 2))], order, strict=True):
        labels[place] = label
    return f"[{', '.join(labels)}]"


def _placed(order: list[int], sizes: Shape) -> Shape:
    placed = [0] * len(order)
    for place, extent in zip(order, sizes, strict=True):
        placed[place] = extent
    return placed


@generator("stablehlo.convolution")
def convolution(rng: Random, kind: str) -> OpInstance:
    rank = rng.randint(0, 3)
    batch_groups, feature_groups = rng.choice([(1, 1), (1, 1), (rng.choice([2, 4]), 1), (1, rng.choice([2, 4]))])
    batch, features = size(rng) or 1, size(rng) or 1
    out_features = (size(rng) or 1) * batch_groups * feature_groups
    spatial, kernel, output, attributes = _spatial(rng, rank)
    orders = [rng.sample(range(rank + 2), rank + 2) for _ in range(3)]
    lhs = _placed(orders[0], [batch * batch_groups, features * feature_groups, *spatial])
    rhs = _placed(orders[1], [features, out_features, *kernel])
    result = _placed(orders[2], [batch, out_features, *output])
    layouts = [
        _layout(orders[0], ("b", "f")),
        _layout(orders[1], ("i", "o")),
        _layout(orders[2], ("b", "f")),
    ]
    attributes += [
        f"dimension_numbers = #stablehlo.conv<{layouts[0]}x{layouts[1]}->{layouts[2]}>",
        f"batch_group_count = {batch_groups} : i64",
        f"feature_group_count = {feature_groups} : i64",
    ]
    return OpInstance(kind, [tensor(lhs), tensor(rhs)], [tensor(result)], ", ".join(attributes))


def _spatial(rng: Random, rank: int) -> tuple[Shape, Shape, Shape, list[str]]:
    """Spatial sizes of lhs, kernel and output, and the attributes that relate them."""
    spatial, kernel, output, strides, padding, bases, dilations = [], [], [], [], [], [], []
    for _ in range(rank):
        while True:
            extent, window, stride = size(rng), rng.choice([1, 1, 2, 3, 5, 8]), rng.choice([1, 1, 1, 2, 3])
            base, dilation = rng.choice([1, 1, 1, 2]), rng.choice([1, 1, 1, 2])
            low, high = rng.choice([(0, 0), (0, 0), (1, 1), (0, 1), (2, 2), (1, -1)])
            positions = window_positions(extent, window, stride, low, high, base, dilation)
            if positions > 0 or (positions == 0 and rng.random() < 0.05):
                break
        spatial.append(extent)
        kernel.append(window)
        output.append(positions)
        strides.append(stride)
        padding.append((low, high))
        bases.append(base)
        dilations.append(dilation)
    attributes = [
        f"window_strides = {array(strides)}",
        f"padding = {pairs(padding)}",
        f"lhs_dilation = {array(bases)}",
        f"rhs_dilation = {array(dilations)}",
    ]
    return spatial, kernel, output, attributes
