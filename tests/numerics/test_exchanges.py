"""Random ops along sharded dimensions whose devices send each other elements: the numbers, and that it pays."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

import jax
import numpy as np
import pytest

from sdy.partition import partition
from sdy.report.communication_report import communication
from tests import depth
from tests.numerics.harness import check, inputs_for
from tests.numerics.programs import body, program, sharded

AXES = ('{"x"}', '{"x"}', '{"y"}', '{"x", "y"}', '{"y", "x"}', '{"x":(1)2}', '{"x":(2)2, "y"}')
TYPES = ("f32", "f32", "f32", "bf16", "i32", "ui8")
INDICES = {"i32": np.int32, "i64": np.int64, "ui32": np.uint32, "i8": np.int8}
GATHERED = "sdy-partition-pipeline{enable-halo-exchange=false}"
AS_IT_STANDS = "sdy-partition-pipeline{enable-halo-exchange=false save-communication=false}"

BYTES_ONLY = 'sdy-partition-pipeline{machine="flops=1e20 bandwidth=1 memory_bandwidth=1e20 latency=0"}'
"""On such a machine everything but what is sent takes no time."""


@dataclass(frozen=True)
class Case:
    """A program; `last` are its last arguments unless any will do."""

    text: str
    last: Sequence[np.ndarray] = ()


def _tensor(shape: list[int], element: str) -> str:
    return f"tensor<{'x'.join(map(str, [*shape, element]))}>"


def _sharding(dims: list[str]) -> str:
    return f"[{', '.join(dims)}]"


def _laid_out(rng: Random, rank: int, dims: list[int]) -> list[str]:
    """Axes for `dims` of a tensor of `rank`: different ones if there are two."""
    axes = ["{}"] * rank
    drawn = ['{"x"}', '{"y"}'] if len(dims) > 1 else [rng.choice(AXES)]
    for dim, each in zip(dims, rng.sample(drawn, len(drawn)), strict=True):
        axes[dim] = each
    return axes


def _program(arguments: dict[str, str], result: str, sharding: str, lines: list[str]) -> str:
    """@main of the arguments; `lines` make %o, of type `result`, which is used with `sharding`."""
    use = f"%r = stablehlo.add %kept, %kept : {result}"
    return program(arguments, result, *lines, sharded("%o", result, sharding, "%kept"), use, sharding=sharding)


# Convolutions ------------------------------------------------------------------------------------


def convolution(rng: Random) -> Case:
    """The gradient of a kernel: input and kernel are sharded along the same spatial dimensions."""
    count = rng.choice([1, 1, 2])
    sizes, made, strides, dilations, bases, lows, highs, kernels = ([] for _ in range(8))
    for _ in range(count):
        size, kernel = rng.randint(9, 20), rng.randint(5, 16)
        stride, dilation, base = rng.choice([1, 1, 2]), rng.choice([1, 1, 2]), rng.choice([1, 1, 1, 2])
        span, dilated = (kernel - 1) * dilation + 1, (size - 1) * base + 1
        windows, low = rng.randint(1, 4), rng.randint(-1, 3)
        numbers = (size, windows, stride, dilation, base, low, (windows - 1) * stride + span - dilated - low, kernel)
        for each, number in zip((sizes, made, strides, dilations, bases, lows, highs, kernels), numbers, strict=True):
            each.append(number)
    batch, features, groups = rng.choice([2, 4]), 2, rng.choice([1, 1, 2])
    element = rng.choice(["f32", "f32", "bf16"])
    spatial = ", ".join(map(str, range(count)))
    lhs = _tensor([batch * groups, *sizes, features], element)
    kernel = _tensor([*kernels, features, 4], element)
    result = _tensor([batch, *made, 4], element)
    dims = rng.sample(range(count), rng.randint(1, count))
    axes = _laid_out(rng, count, dims)
    pads = ", ".join(f"[{low}, {high}]" for low, high in zip(lows, highs, strict=True))
    batch_axes = '{"y"}' if not any("y" in each for each in axes) and groups == 1 and rng.random() < 0.4 else "{}"
    op = (
        f"%o = stablehlo.convolution(%s, %t) dim_numbers = [b, {spatial}, f]x[{spatial}, i, o]->[b, {spatial}, f], "
        f"window = {{stride = {strides}, pad = [{pads}], lhs_dilate = {bases}, rhs_dilate = {dilations}}} "
        f"{{batch_group_count = {groups} : i64, feature_group_count = 1 : i64}} : ({lhs}, {kernel}) -> {result}"
    )
    lines = [
        sharded("%a", lhs, _sharding([batch_axes, *axes, "{}"]), "%s"),
        sharded("%k", kernel, _sharding([*axes, "{}", "{}"]), "%t"),
        op,
    ]
    return Case(_program({"a": lhs, "k": kernel}, result, _sharding(["{}"] * (count + 2)), lines))


# Pooling -----------------------------------------------------------------------------------------


def select_and_scatter(rng: Random) -> Case:
    """The gradient of max pooling, with the padding around it or without."""
    count = rng.choice([1, 1, 2])
    element = rng.choice(["f32", "f32", "f32", "i32"])
    shape, pads, windows, strides, made = [3], [(0, 0)], [1], [1], [3]
    for _ in range(count):
        size, window, stride = rng.randint(8, 20), rng.randint(1, 4), rng.randint(1, 4)
        low, high = rng.choice([(0, 0), (0, 1), (1, 1), (rng.randint(0, 2), rng.randint(0, 2))])
        shape.append(size)
        pads.append((low, high))
        windows.append(window)
        strides.append(stride)
        made.append((size + low + high - window) // stride + 1)
    padded = [size + low + high for size, (low, high) in zip(shape, pads, strict=True)]
    whole, operand, source = _tensor(padded, element), _tensor(shape, element), _tensor(made, element)
    lows, highs = ([pair[end] for pair in pads] for end in (0, 1))
    dims = [1 + dim for dim in rng.sample(range(count), rng.randint(1, count))]
    axes = _sharding(_laid_out(rng, count + 1, dims))
    scattered = (
        (
            f'%w = "stablehlo.select_and_scatter"(%wide, %t, %z) <{{window_dimensions = array<i64: {windows}>, '
            f"window_strides = array<i64: {strides}>}}> ({{\n  ^bb0(%l: tensor<{element}>, %m: tensor<{element}>):\n"
            f"    %c = stablehlo.compare GE, %l, %m : (tensor<{element}>, tensor<{element}>) -> tensor<i1>\n"
            f"    stablehlo.return %c : tensor<i1>\n  }}, {body('add', element)[1:-1]}) "
            f": ({whole}, {source}, tensor<{element}>) -> {whole}"
        )
        .replace(": [", ": ")
        .replace("]>", ">")
    )
    cut = ", ".join(f"{low}:{low + size}" for low, size in zip(lows, shape, strict=True))
    lines = [
        sharded("%a", operand, axes, "%s"),
        sharded("%b", source, axes, "%t"),
        f"%v = stablehlo.constant dense<-100> : tensor<{element}>".replace(
            "-100>", "-100.0>" if element == "f32" else "-100>"
        ),
        f"%z = stablehlo.constant dense<0> : tensor<{element}>".replace("<0>", "<0.0>" if element == "f32" else "<0>"),
        f"%wide = stablehlo.pad %s, %v, low = {lows}, high = {highs}, interior = {[0] * len(shape)} "
        f": ({operand}, tensor<{element}>) -> {whole}",
        scattered,
        f"%o = stablehlo.slice %w [{cut}] : ({whole}) -> {operand}",
    ]
    return Case(_program({"a": operand, "b": source}, operand, axes, lines))


# Cumulative sums ---------------------------------------------------------------------------------


def cumulative(rng: Random) -> Case:
    """Windows that begin, or end, where the dimension does."""
    size, element = rng.randint(8, 24), rng.choice(TYPES)
    combine = rng.choice(["add", "add", "maximum", "minimum"])
    zero = "0.0" if "f" in element else "0"
    pad = f"[{size - 1}, 0]" if rng.random() < 0.5 else f"[0, {size - 1}]"
    type_, axes = _tensor([size, 6], element), rng.choice(AXES)
    other = '{"y"}' if "y" not in axes and rng.random() < 0.5 else "{}"
    op = (
        f'%o = "stablehlo.reduce_window"(%s, %z) <{{padding = dense<[{pad}, [0, 0]]> : tensor<2x2xi64>, '
        f"window_dimensions = array<i64: {size}, 1>}}> {body(combine, element)} "
        f": ({type_}, tensor<{element}>) -> {type_}"
    )
    lines = [
        f"%z = stablehlo.constant dense<{zero}> : tensor<{element}>",
        sharded("%a", type_, f"[{axes}, {other}]", "%s"),
        op,
    ]
    return Case(_program({"a": type_}, type_, f"[{axes}, {other}]", lines))


# Moves -------------------------------------------------------------------------------------------


def joined(rng: Random) -> Case:
    """Slices of two tensors, whole tensors and repeated numbers, one behind the other."""
    element, axes = rng.choice([*TYPES, "complex<f32>", "i1"]), rng.choice(AXES)
    other = '{"y"}' if "y" not in axes and rng.random() < 0.5 else "{}"
    sizes = {"s": rng.randint(8, 24), "t": rng.randint(8, 24)}
    lines = [
        sharded(f"%{argument}", _tensor([sizes[name], 6], element), f"[{axes}, {other}]", f"%{name}")
        for name, argument in (("s", "a"), ("t", "b"))
    ]
    names, types, total = [], [], 0
    for number in range(rng.randint(2, 4)):
        name, kind = rng.choice("sst"), rng.choice(["slice", "slice", "slice", "whole", "whole", "repeated"])
        size = sizes[name]
        if kind == "slice":
            start = rng.randint(0, size - 1)
            limit = rng.randint(start + 1, size)
            names.append(f"%p{number}")
            types.append(_tensor([limit - start, 6], element))
            lines.append(
                f"%p{number} = stablehlo.slice %{name} [{start}:{limit}, 0:6] "
                f": ({_tensor([size, 6], element)}) -> {types[-1]}"
            )
            total += limit - start
        elif kind == "whole":
            names.append(f"%{name}")
            types.append(_tensor([size, 6], element))
            total += size
        else:
            size = rng.randint(1, 5)
            names.append(f"%p{number}")
            types.append(_tensor([size, 6], element))
            lines.append(f"%p{number} = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<{element}>) -> {types[-1]}")
            total += size
    result = _tensor([total, 6], element)
    lines.append(f"%o = stablehlo.concatenate {', '.join(names)}, dim = 0 : ({', '.join(types)}) -> {result}")
    arguments = {
        "a": _tensor([sizes["s"], 6], element),
        "b": _tensor([sizes["t"], 6], element),
        "c": f"tensor<{element}>",
    }
    return Case(_program(arguments, result, f"[{axes}, {other}]", lines))


def slices(rng: Random) -> Case:
    """Several slices of a tensor, added up."""
    element, axes = rng.choice(TYPES), rng.choice(AXES)
    other = '{"y"}' if "y" not in axes and rng.random() < 0.5 else "{}"
    size = rng.randint(8, 32)
    made = rng.randint(1, size)
    operand, result = _tensor([size, 6], element), _tensor([made, 6], element)
    starts = [rng.randint(0, size - made) for _ in range(rng.randint(1, 4))]
    if rng.random() < 0.3 and size >= 8:
        made = size // 4
        result, starts = _tensor([made, 6], element), [made * index for index in range(4)]
    lines = [sharded("%a", operand, f"[{axes}, {other}]", "%s")]
    for index, start in enumerate(starts):
        lines.append(f"%p{index} = stablehlo.slice %s [{start}:{start + made}, 0:6] : ({operand}) -> {result}")
        if index:
            before = f"%q{index - 1}" if index > 1 else "%p0"
            lines.append(f"%q{index} = stablehlo.subtract {before}, %p{index} : {result}")
    last = f"%q{len(starts) - 1}" if len(starts) > 1 else "%p0"
    lines.append(sharded(last, result, f"[{axes}, {other}]", "%o"))
    return Case(_program({"a": operand}, result, f"[{axes}, {other}]", lines))


def few_rows(rng: Random) -> Case:
    """A slice with steps, or a pad between elements, of so few rows that each is moved by itself."""
    element, axes = rng.choice(TYPES), rng.choice(AXES)
    other = '{"y"}' if "y" not in axes and rng.random() < 0.4 else "{}"
    size, step = rng.randint(1, 18), rng.randint(1, 4)
    operand = _tensor([size, 6], element)
    if rng.random() < 0.5:
        start = rng.randint(0, size - 1)
        limit = rng.randint(start + 1, size)
        made, arguments = -(-(limit - start) // step), {"a": operand}
        op = f"%o = stablehlo.slice %s [{start}:{limit}:{step}, 0:6] : ({operand}) -> {_tensor([made, 6], element)}"
    else:
        low, high = rng.randint(-2, 9), rng.randint(-2, 9)
        made, arguments = max(0, low + high + (size - 1) * step + 1), {"a": operand, "v": f"tensor<{element}>"}
        op = (
            f"%o = stablehlo.pad %s, %v, low = [{low}, 0], high = [{high}, 0], interior = [{step - 1}, 0] "
            f": ({operand}, tensor<{element}>) -> {_tensor([made, 6], element)}"
        )
    layout = f"[{axes}, {other}]"
    return Case(_program(arguments, _tensor([made, 6], element), layout, [sharded("%a", operand, layout, "%s"), op]))


def far(rng: Random) -> Case:
    """A slice or a pad by so many rows that they go past the next device."""
    element, axes = rng.choice(TYPES), rng.choice(AXES)
    other = '{"y"}' if "y" not in axes and rng.random() < 0.4 else "{}"
    size = rng.randint(12, 48)
    operand, arguments = _tensor([size, 6], element), {}
    if rng.random() < 0.5:
        start = rng.choice([0, size // 2, rng.randint(0, size - 1)])
        limit = rng.choice([size, max(start + 1, size // 2), rng.randint(start + 1, size)])
        made = limit - start
        op = f"%o = stablehlo.slice %s [{start}:{limit}, 0:6] : ({operand}) -> {_tensor([made, 6], element)}"
    else:
        low, high = rng.choice([0, size, rng.randint(-10, 48)]), rng.choice([0, size, rng.randint(0, 48)])
        made, arguments = size + low + high, {"v": f"tensor<{element}>"}
        op = (
            f"%o = stablehlo.pad %s, %v, low = [{low}, 0], high = [{high}, 0], interior = [0, 0] "
            f": ({operand}, tensor<{element}>) -> {_tensor([made, 6], element)}"
        )
    layout, result = f"[{axes}, {other}]", _tensor([made, 6], element)
    return Case(_program({"a": operand, **arguments}, result, layout, [sharded("%a", operand, layout, "%s"), op]))


def dynamic_slice(rng: Random) -> Case:
    """A slice of some rows, or of some rows and columns, at indices that may be out of range."""
    element, axes = rng.choice([*TYPES, "complex<f32>", "i1"]), rng.choice(AXES)
    index = rng.choice([*INDICES])
    other = '{"y"}' if "y" not in axes and rng.random() < 0.5 else "{}"
    shape = [rng.randint(8, 32), 6]
    sizes = [rng.randint(1, 6), rng.choice([6, 6, 2])]
    operand, result = _tensor(shape, element), _tensor(sizes, element)
    op = (
        f"%o = stablehlo.dynamic_slice %s, %i, %j, sizes = {sizes} "
        f": ({operand}, tensor<{index}>, tensor<{index}>) -> {result}"
    )
    lines = [sharded("%a", operand, f"[{axes}, {other}]", "%s"), op]
    arguments = {"a": operand, "i": f"tensor<{index}>", "j": f"tensor<{index}>"}
    start = rng.randint(0 if index == "ui32" else -3, 40)
    values = [np.array(each, INDICES[index]) for each in (start, rng.randint(0, 5))]
    return Case(_program(arguments, result, "[{}, {}]", lines), values)


def update(rng: Random) -> Case:
    """One window that is set, or added, at an index that may be out of range."""
    element, axes = rng.choice([*TYPES, "complex<f32>"]), rng.choice(AXES)
    other = '{"y"}' if "y" not in axes and rng.random() < 0.5 else "{}"
    shape = [rng.randint(8, 32), 6]
    sizes = [rng.randint(1, 6), rng.choice([6, 6, 2])]
    operand, window = _tensor(shape, element), _tensor(sizes, element)
    index = [rng.randint(-2, shape[0]), rng.randint(0, 6 - sizes[1])]
    update_axes = axes if rng.random() < 0.3 else "{}"
    body_lines = (
        "stablehlo.return %q" if rng.random() < 0.6 else "%n = stablehlo.add %p, %q : T\n    stablehlo.return %n"
    )
    op = (
        '%o = "stablehlo.scatter"(%s, %j, %t) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = '
        "[0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({\n  ^bb0(%p: T, %q: T):\n"
        f"    {body_lines} : T\n  }}) : ({operand}, tensor<2xi32>, {window}) -> {operand}"
    ).replace("T", f"tensor<{element}>")
    constant = rng.random() < 0.5
    lines = [
        sharded("%a", operand, f"[{axes}, {other}]", "%s"),
        sharded("%u", window, f"[{update_axes}, {{}}]", "%t"),
        f"%j = stablehlo.constant dense<{index}> : tensor<2xi32>"
        if constant
        else "%j = stablehlo.negate %i : tensor<2xi32>",
        op,
    ]
    arguments = {"a": operand, "u": window, "i": "tensor<2xi32>"}
    last = [-np.array(index, np.int32)]
    return Case(_program(arguments, operand, f"[{axes}, {other}]", lines), last)


FAMILIES: dict[str, Callable[[Random], Case]] = {
    each.__name__: each
    for each in (convolution, select_and_scatter, cumulative, joined, slices, few_rows, far, dynamic_slice, update)
}


PAYING = ("convolution", "select_and_scatter", "cumulative", "few_rows", "dynamic_slice", "update")
"""Families of one op each. Of several, what one of them gathers may do for the others too, which no cost model sees."""

DEARER = {("select_and_scatter", False, 17), ("select_and_scatter", True, 17), ("select_and_scatter", True, 81)}
"""Those of more than one op that send up to 288 bytes for 180: a dimension of 8 elements on eight devices, padded to 9,
is gathered in parts of two; the second operand, two elements, is there before it is sliced and made parts of."""


@pytest.fixture(autouse=True)
def wide_numbers() -> Iterator[None]:
    """Indices may have 64 bits."""
    with jax.enable_x64(True):
        yield


def _in_parts(case: Case) -> Case:
    """The same of arguments of which no device has the whole; uneven ones all devices have otherwise."""
    of_argument = re.compile(
        r"  (%\w+) = sdy\.sharding_constraint %[abku] <@mesh, (.*)> : (tensor<[^>]*>)$", re.MULTILINE
    )
    return replace(case, text=of_argument.sub(_with_barrier, case.text))


def _with_barrier(line: re.Match[str]) -> str:
    name, before, type_ = line[1], f"{line[1]}_before", line[3]
    return f"{line[0].replace(name, before, 1)}\n  {name} = stablehlo.optimization_barrier {before} : {type_}"


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("in_parts", [False, True])
@pytest.mark.parametrize("seed", depth.seeds(1, 100))
def test_exchanged_equals_unpartitioned(family: str, in_parts: bool, seed: int) -> None:
    case = FAMILIES[family](Random(f"{family} {seed}"))
    case = _in_parts(case) if in_parts else case
    partitioned = partition(case.text)
    inputs = inputs_for(partitioned.arguments, seed)
    check(case.text, inputs=[*inputs[: len(inputs) - len(case.last)], *case.last], tolerance=1e-4)
    if family in PAYING:
        compared = (BYTES_ONLY, AS_IT_STANDS, GATHERED)
        sent, gathered, saving = (communication(partition(case.text, pipeline=each)).bytes_sent for each in compared)
        assert communication(partitioned).bytes_sent <= gathered
        assert (sent > saving) == ((family, in_parts, seed) in DEARER)


@pytest.mark.parametrize("seed", depth.seeds(1, 60))
def test_kernel_gradients_in_parts_where_products_take_long(seed: int) -> None:
    """Also where each device needs the whole input for its part."""
    case = convolution(Random(f"slow {seed}"))
    check(case.text, seed=seed, tolerance=1e-4, pipeline='sdy-partition-pipeline{machine="flops=1 bandwidth=1e12"}')


def test_steps_in_a_dimension_that_nobody_splits() -> None:
    """They are made by each device, beside what it gets from its neighbours."""
    operand, result = "tensor<16x6xf32>", "tensor<12x3xf32>"
    lines = [
        sharded("%a", operand, '[{"x"}, {}]', "%s"),
        f"%o = stablehlo.slice %s [2:14, 0:6:2] : ({operand}) -> {result}",
    ]
    check(_program({"a": operand}, result, '[{"x"}, {}]', lines), tolerance=0)


@pytest.mark.parametrize(("direction", "order"), [("GE", "%l, %m"), ("GT", "%m, %l"), ("LT", "%l, %m")])
def test_a_padding_of_the_gradient_of_pooling_itself_is_never_selected(direction: str, order: str) -> None:
    tensor, source = "tensor<32x6xf32>", "tensor<16x5xf32>"
    lines = [
        sharded("%a", tensor, '[{"x"}, {}]', "%s"),
        sharded("%b", source, '[{"x"}, {}]', "%t"),
        "%z = stablehlo.constant dense<0.0> : tensor<f32>",
        '%o = "stablehlo.select_and_scatter"(%s, %t, %z) <{window_dimensions = array<i64: 3, 2>, '
        "window_strides = array<i64: 2, 2>, padding = dense<[[1, 1], [2, 2]]> : tensor<2x2xi64>}> ({\n"
        "  ^bb0(%l: tensor<f32>, %m: tensor<f32>):\n"
        f"    %c = stablehlo.compare {direction}, {order} : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
        f"    stablehlo.return %c : tensor<i1>\n  }}, {body('add', 'f32')[1:-1]}) "
        f": ({tensor}, {source}, tensor<f32>) -> {tensor}",
    ]
    text = _program({"a": tensor, "b": source}, tensor, '[{"x"}, {}]', lines)
    check(text, tolerance=1e-5)
    assert "collective_permute" in {each.kind for each in communication(partition(text)).transfers}
