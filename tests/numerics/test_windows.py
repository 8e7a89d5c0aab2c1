"""Windows that reach beyond a device's part: the edges are sent, not whole parts."""

from __future__ import annotations

from random import Random

import jax
import numpy as np
import pytest

import tests.generators.op_families  # noqa: F401  (fills GENERATORS)
from sdy.partition import partition
from tests import depth
from tests.generators.op_instances import random_instance
from tests.numerics import one_op
from tests.numerics.harness import check
from tests.numerics.programs import body, in_parts, program, sharded

WINDOWS = [
    ("stride = [1], pad = [[1, 1]]", 16, 16),
    ("stride = [2], pad = [[0, 1]]", 16, 8),
    ("stride = [1], pad = [[2, 2]], rhs_dilate = [2]", 13, 13),
    ("stride = [1], pad = [[2, 1]], lhs_dilate = [2]", 16, 32),
]


@pytest.mark.parametrize(("window", "size", "made"), WINDOWS)
@pytest.mark.parametrize("axes", ['{"x"}', '{"y", "x"}', '{"x":(1)2}'])
def test_convolution_along_a_sharded_dimension_sends_the_edges(window: str, size: int, made: int, axes: str) -> None:
    operand, kernel, result = f"tensor<2x{size}x4xf32>", "tensor<3x4x6xf32>", f"tensor<2x{made}x6xf32>"
    first = in_parts("%a", operand, f"[{{}}, {axes}, {{}}]", "%s")
    op = (
        f"%r = stablehlo.convolution(%s, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{{window}}} "
        "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} "
        f": ({operand}, {kernel}) -> {result}"
    )
    text = program({"a": operand, "k": kernel}, result, *first, op, sharding=f"[{{}}, {axes}, {{}}]")
    kinds = [one.kind for one in check(text, tolerance=1e-4).collectives]
    assert "collective_permute" in kinds
    assert kinds.count("all_gather") <= 1, "the result is gathered, not the operand"


# Of eight features and four groups: whole groups, a part of one on each device, pieces of several where 3 have 9.
GROUPS = [
    ('[{}, {"y"}, {}]', '[{"y"}, {}, {}]', 8),
    ('[{}, {"x"}, {}]', "[{}, {}, {}]", 8),
    ('[{}, {"x", "y"}, {}]', '[{"x"}, {"y"}, {}]', 8),
    ('[{}, {"x"}, {}]', '[{"x", "y"}, {}, {}]', 8),
    ('[{}, {"x"}, {"y"}]', '[{"x"}, {}, {}]', 8),
    ('[{"x"}, {"y"}, {}]', '[{"y"}, {}, {}]', 8),
    ("[{}, {}, {}]", '[{}, {"y"}, {}]', 8),
    ('[{}, {"x":(1)2}, {"y"}]', '[{"x":(1)2}, {}, {}]', 8),
    ('[{}, {"y"}, {}]', '[{"y"}, {}, {}]', 9),
    ('[{}, {"x"}, {}]', '[{"x"}, {}, {}]', 9),
]


@pytest.mark.parametrize(("lhs", "kernel", "features"), GROUPS)
@pytest.mark.parametrize("kind", ["feature", "batch"])
def test_groups_of_a_convolution(lhs: str, kernel: str, features: int, kind: str) -> None:
    groups = 4 if features == 8 else 3
    of_features = kind == "feature"
    operand = f"tensor<2x{features}x12xf32>" if of_features else f"tensor<{features}x2x12xf32>"
    weights = f"tensor<{features}x{features // groups if of_features else 2}x3xf32>"
    result = f"tensor<{2 if of_features else features // groups}x{features}x12xf32>"
    dims = lhs.strip("[]").replace("}, {", "}|{").split("|")
    first = sharded("%a", operand, f"[{', '.join(dims if of_features else [dims[1], dims[0], dims[2]])}]", "%s")
    op = (
        "%r = stablehlo.convolution(%s, %t) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[1, 1]]} "
        f"{{batch_group_count = {1 if of_features else groups} : i64, "
        f"feature_group_count = {groups if of_features else 1} : i64}} : ({operand}, {weights}) -> {result}"
    )
    text = program({"a": operand, "k": weights}, result, first, sharded("%k", weights, kernel, "%t"), op)
    check(text, tolerance=1e-4)


def test_devices_with_whole_groups_of_a_convolution_send_nothing() -> None:
    operand, weights = "tensor<2x8x12xf32>", "tensor<8x2x3xf32>"
    op = (
        "%r = stablehlo.convolution(%a, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[1, 1]]} "
        f"{{batch_group_count = 1 : i64, feature_group_count = 4 : i64}} : ({operand}, {weights}) -> {operand}"
    )
    text = program({"a": operand, "k": weights}, operand, op, sharding='[{}, {"x"}, {}]')
    (gathered,) = check(text, tolerance=1e-4).collectives
    assert gathered.operand_bytes == 2 * 2 * 12 * 4, "the part of the result, which is asked for as a whole"


@pytest.mark.parametrize(("features", "size", "kind"), [(16, 4096, "all_gather"), (1024, 1, "all_reduce")])
def test_features_of_a_group_are_gathered_or_added_up(features: int, size: int, kind: str) -> None:
    """Whichever is faster: the kernel is small beside a long result, and large beside a short one."""
    operand, weights = f"tensor<1x{features}x{size}xf32>", f"tensor<{features}x{features // 2}x1xf32>"
    op = (
        "%r = stablehlo.convolution(%a, %t) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[0, 0]]} "
        f"{{batch_group_count = 1 : i64, feature_group_count = 2 : i64}} : ({operand}, {weights}) -> {operand}"
    )
    first = sharded("%k", weights, '[{"y"}, {"x"}, {}]', "%t")
    text = program({"a": operand, "k": weights}, operand, first, op)
    collectives = check(text, tolerance=1e-3).collectives
    assert {one.kind for one in collectives if [axis.name for axis in one.axes or ()] == ["x"]} == {kind}


def test_pooling_along_sharded_dimensions_sends_the_edges() -> None:
    operand, result = "tensor<2x16x10xf32>", "tensor<2x16x5xf32>"
    op = (
        '%r = "stablehlo.reduce_window"(%s, %v) <{padding = dense<[[0, 0], [1, 1], [0, 1]]> : tensor<3x2xi64>, '
        "window_dimensions = array<i64: 1, 3, 3>, window_strides = array<i64: 1, 1, 2>}> "
        f"{body('maximum')} : ({operand}, tensor<f32>) -> {result}"
    )
    first = sharded("%a", operand, '[{}, {"x"}, {"y"}]', "%s")
    text = program({"a": operand, "v": "tensor<f32>"}, result, first, op, sharding='[{}, {"x"}, {"y"}]')
    values = np.arange(320, dtype=np.float32).reshape(2, 16, 10) % 37
    partitioned = check(text, inputs=[values, np.array(-5, np.float32)])
    assert [one.kind for one in partitioned.collectives].count("collective_permute") >= 3


@pytest.mark.parametrize(("sizes", "made"), [("16, 10", "1x1"), ("16, 3", "1x8")])
@pytest.mark.parametrize("init", [0, 3])
def test_pooling_of_whole_dimensions(sizes: str, made: str, init: int) -> None:
    """The init value is in each result once; the gradient repeats what it gets."""
    operand, result = "tensor<2x16x10xf32>", f"tensor<2x{made}xf32>"
    op = (
        f'%r = "stablehlo.reduce_window"(%s, %v) <{{window_dimensions = array<i64: 1, {sizes}>}}> '
        f"{body('add')} : ({operand}, tensor<f32>) -> {result}"
    )
    constant = f"%v = stablehlo.constant dense<{init}.0> : tensor<f32>"
    first = sharded("%a", operand, '[{}, {"x"}, {}]', "%s")
    check(program({"a": operand}, result, first, constant, op))


@pytest.mark.parametrize("seed", depth.seeds(5, 200))
def test_padding_in_front_of_windows(seed: int) -> None:
    """As in gradients of average pooling: it is not made, and parts lie anywhere between elements."""
    rng = Random(f"pads {seed}")
    size, interior, taps = rng.choice([8, 16, 16, 13]), rng.randint(0, 2), rng.randint(1, 4)
    low, high, stride = rng.randint(0, 4), rng.randint(0, 4), rng.choice([1, 1, 2])
    if rng.random() < 0.5:  # all parts begin at an element
        made = (interior + 1) * size // stride
        high = max(0, (made - 1) * stride + taps - (size - 1) * (interior + 1) - 1 - low)
    number, name = rng.choice([("0.0", "add"), ("0xFF800000", "maximum")])
    padded = (size - 1) * (interior + 1) + 1 + low + high
    operand, wide, result = (
        f"tensor<2x{each}x3xf32>" for each in (size, padded, max(0, (padded - taps) // stride + 1))
    )
    axes = rng.choice(['{"x"}', '{"y", "x"}', '{"x":(1)2}'])
    lines = [
        f"%v = stablehlo.constant dense<{number}> : tensor<f32>",
        *in_parts("%a", operand, f"[{{}}, {axes}, {{}}]", "%s"),
        f"%wide = stablehlo.pad %s, %v, low = [0, {low}, 1], high = [0, {high}, 0], interior = [0, {interior}, 0] "
        f": ({operand}, tensor<f32>) -> {wide.replace('x3x', 'x4x')}",
        f'%r = "stablehlo.reduce_window"(%wide, %v) <{{window_dimensions = array<i64: 1, {taps}, 2>, '
        f"window_strides = array<i64: 1, {stride}, 1>}}> {body(name)} "
        f": ({wide.replace('x3x', 'x4x')}, tensor<f32>) -> {result}",
    ]
    check(program({"a": operand}, result, *lines, sharding=f"[{{}}, {axes}, {{}}]"))


@pytest.mark.parametrize("seed", depth.seeds(6, 1500))
def test_reductions_contain_init_values_once(seed: int) -> None:
    """Whatever they are, and whatever the body: also where a window has padding or holes."""
    kind = ("stablehlo.reduce_window", "stablehlo.reduce_window", "stablehlo.reduce")[seed % 3]
    with jax.enable_x64(True):
        one_op.check(random_instance(kind, 100 + seed), seed)


@pytest.mark.parametrize(
    ("attributes", "made"),
    [
        ("padding = dense<[[0, 1]]> : tensor<1x2xi64>", 8),
        ("base_dilations = array<i64: 2>, window_strides = array<i64: 2>", 7),
        ("padding = dense<[[2, -1]]> : tensor<1x2xi64>, window_dilations = array<i64: 3>", 6),
    ],
)
@pytest.mark.parametrize("name", ["add", "atan2"])
def test_padding_and_holes_count_for_nothing(attributes: str, made: int, name: str) -> None:
    op = (
        f'%r = "stablehlo.reduce_window"(%s, %v) <{{window_dimensions = array<i64: 2>, {attributes}}}> '
        f"{body(name)} : (tensor<8xf32>, tensor<f32>) -> tensor<{made}xf32>"
    )
    arguments = {"a": "tensor<8xf32>", "v": "tensor<f32>"}
    first = sharded("%a", "tensor<8xf32>", '[{"x"}]', "%s")
    text = program(arguments, f"tensor<{made}xf32>", first, op, sharding='[{"x"}]')
    values = np.array([0, 1, 0, -2, 3, 0, 5, 4], np.float32)
    kinds = [one.kind for one in check(text, inputs=[values, np.array(2.5, np.float32)]).collectives]
    assert kinds.count("all_gather") <= 1, "the result is gathered, not the operand"


def _convolved(kernel: str, result: str, window: str, *, groups: int = 1) -> str:
    """A convolution of 2x16x8x4 images, the third dimension of which is sharded like that of the result."""
    operand = "tensor<2x16x8x4xf32>"
    op = (
        "%r = stablehlo.convolution(%s, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
        f"window = {{{window}}} {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}} "
        f": ({operand}, {kernel}) -> {result}"
    )
    first = sharded("%a", operand, '[{}, {"x", "y"}, {}, {}]', "%s")
    return program({"a": operand, "k": kernel}, result, first, op, sharding='[{}, {"x", "y"}, {}, {}]')


@pytest.mark.parametrize(
    ("kernel", "result", "window", "groups", "sent"),
    [
        ("1x1x4x6", "2x16x8x6", "", 1, []),
        ("1x1x4x6", "2x8x4x6", "stride = [2, 2]", 1, []),
        ("1x3x4x6", "2x16x8x6", "pad = [[0, 0], [1, 1]], rhs_dilate = [3, 1]", 1, []),
        ("2x1x4x6", "2x8x8x6", "stride = [2, 1]", 1, []),
        ("1x1x1x4", "2x16x8x4", "", 4, []),
        ("1x1x2x6", "2x16x8x6", "", 2, []),
        ("3x3x2x6", "2x16x8x6", "pad = [[1, 1], [1, 1]]", 2, ["collective_permute"] * 2),
        ("1x1x4x6", "2x32x8x6", "pad = [[0, 1], [0, 0]], lhs_dilate = [2, 1]", 1, []),
        ("3x1x4x6", "2x32x8x6", "pad = [[1, 2], [0, 0]], lhs_dilate = [2, 1]", 1, ["collective_permute"]),
    ],
)
def test_convolution_fetches_what_windows_reach(
    kernel: str, result: str, window: str, groups: int, sent: list[str]
) -> None:
    text = _convolved(f"tensor<{kernel}xf32>", f"tensor<{result}xf32>", window, groups=groups)
    kinds = [one.kind for one in check(text, tolerance=1e-4).collectives]
    assert kinds == [*sent, "all_gather"], "the result is gathered"


def test_holes_between_elements_are_left_to_the_local_convolution() -> None:
    text = _convolved("tensor<3x1x4x6xf32>", "tensor<2x32x8x6xf32>", "pad = [[1, 2], [0, 0]], lhs_dilate = [2, 1]")
    local = partition(text).text
    assert "lhs_dilate = [2, 1]" in local
    assert "stablehlo.pad" not in local


@pytest.mark.parametrize("seed", depth.seeds(4, 200))
def test_holes_where_parts_begin_at_another_place_between_elements(seed: int) -> None:
    """A transposed convolution whose padding leaves no multiple of what was there."""
    rng = Random(f"holes {seed}")
    dilation, size, taps, apart = rng.randint(2, 4), rng.randint(16, 32), rng.randint(1, 5), rng.choice([1, 1, 2])
    low, high = rng.randint(-2, 6), rng.randint(0, 6)
    made = max(1, (size - 1) * dilation + low + high - (taps - 1) * apart + 1)
    high = made - 2 - (size - 1) * dilation - low + (taps - 1) * apart + 1
    operand, kernel, result = f"tensor<2x{size}x3xf32>", f"tensor<{taps}x3x4xf32>", f"tensor<2x{made}x4xf32>"
    axes = rng.choice(['{"x"}', '{"y", "x"}', '{"x":(1)2}'])
    lines = [
        *in_parts("%a", operand, f"[{{}}, {axes}, {{}}]", "%s"),
        "%r = stablehlo.convolution(%s, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = "
        f"{{pad = [[{low}, {high}]], lhs_dilate = [{dilation}], rhs_dilate = [{apart}]}} "
        f"{{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({operand}, {kernel}) -> {result}",
    ]
    text = program({"a": operand, "k": kernel}, result, *lines, sharding=f"[{{}}, {axes}, {{}}]")
    check(text, tolerance=1e-4)


@pytest.mark.parametrize("row", [0, 11, 13, 14])
def test_infinities_meet_no_padding_of_the_kernel(row: int) -> None:
    """Sums of an uneven kernel, three of whose rows are on every device: one of the windows leaves the last row out."""
    operand, kernel, result = "tensor<4x15x8xf32>", "tensor<15x8x4xf32>", "tensor<4x3x4xf32>"
    lines = [
        *in_parts("%a", operand, '[{}, {"x"}, {}]', "%s"),
        *in_parts("%k", kernel, '[{"x"}, {}, {}]', "%t"),
        "%r = stablehlo.convolution(%s, %t) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} "
        f"{{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({operand}, {kernel}) -> {result}",
    ]
    values = np.random.default_rng(row).standard_normal((4, 15, 8)).astype(np.float32)
    values[1, row] = np.inf
    weights = np.random.default_rng(1).uniform(0.5, 1, (15, 8, 4)).astype(np.float32)
    partitioned = check(program({"a": operand, "k": kernel}, result, *lines), inputs=[values, weights], tolerance=1e-4)
    assert "all_reduce" in {one.kind for one in partitioned.collectives}
    assert partitioned.text.count("stablehlo.convolution") == 2


@pytest.mark.parametrize("size", [8, 16, 13])
def test_reduction_by_an_unknown_body(size: int) -> None:
    """(1 + p)(1 + q) - 1, with one element on each device, several, and uneven parts."""
    operand = f"tensor<{size}x3xf32>"
    op = (
        "%r = stablehlo.reduce(%s init: %v) across dimensions = [0] "
        f": ({operand}, tensor<f32>) -> tensor<3xf32>\n reducer(%p: tensor<f32>, %q: tensor<f32>) {{\n"
        "%m = stablehlo.multiply %p, %q : tensor<f32>\n%t = stablehlo.add %p, %q : tensor<f32>\n"
        "%u = stablehlo.add %m, %t : tensor<f32>\nstablehlo.return %u : tensor<f32>\n}"
    )
    first = sharded("%a", operand, '[{"y", "x"}, {}]', "%s")
    text = program({"a": operand, "v": "tensor<f32>"}, "tensor<3xf32>", first, op)
    values = np.arange(size * 3, dtype=np.float32).reshape(size, 3) % 3
    check(text, inputs=[values, np.array(7.5, np.float32)])
