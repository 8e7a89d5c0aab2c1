"""Ops on dimensions that their shards do not divide, in ways that random programs have shown to be delicate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from tests.numerics.harness import check
from tests.numerics.programs import body, program, sharded


@dataclass(frozen=True)
class Case:
    """An op on operands (type and sharding), the type of its result, and how that is sharded."""

    op: str
    operands: tuple[tuple[str, str], ...]
    result: str
    sharding: str


BROADCAST = Case(
    "stablehlo.broadcast_in_dim %s0, dims = [0, 1] : (tensor<7x1xf32>) -> tensor<7x7xf32>",
    (("tensor<7x1xf32>", '[{}, {"x"}]'),),
    "tensor<7x7xf32>",
    "[{}, {}]",
)
MAP = Case(
    f'"stablehlo.map"(%s0, %s1) <{{dimensions = array<i64: 0, 1>}}> {body("multiply")} '
    ": (tensor<9x10xf32>, tensor<9x10xf32>) -> tensor<9x10xf32>",
    (("tensor<9x10xf32>", '[{}, {"x"}]'), ("tensor<9x10xf32>", '[{"y"}, {}]')),
    "tensor<9x10xf32>",
    '[{"x"}, {}]',
)
HOLES = Case(
    '"stablehlo.reduce_window"(%s0, %s1) <{window_dimensions = array<i64: 3, 1>, base_dilations = array<i64: 1, 2>, '
    f"padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}}> {body('add')} "
    ": (tensor<4x16xf32>, tensor<f32>) -> tensor<3x31xf32>",
    (("tensor<4x16xf32>", '[{}, {"x"}]'), ("tensor<f32>", "[]")),
    "tensor<3x31xf32>",
    '[{}, {"y"}]',
)
NO_INDEX = Case(
    '"stablehlo.gather"(%s0, %s1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], '
    "index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<16x8xf32>, tensor<4x0xi32>) -> tensor<4xf32>",
    (("tensor<16x8xf32>", '[{"x"}, {"y"}]'), ("tensor<4x0xi32>", "[{}, {}]")),
    "tensor<4xf32>",
    "[{}]",
)
WHOLE_DIM_AT_AN_INDEX = Case(
    '"stablehlo.gather"(%s0, %s1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], '
    "start_index_map = [0]>, slice_sizes = array<i64: 7, 8>}> : (tensor<7x8xf32>, tensor<1xi32>) -> tensor<7x8xf32>",
    (("tensor<7x8xf32>", '[{"x"}, {"y"}]'), ("tensor<1xi32>", "[{}]")),
    "tensor<7x8xf32>",
    '[{"x"}, {"y"}]',
)
SINGLE_BATCH = Case(
    '"stablehlo.gather"(%s0, %s1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], '
    "operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, "
    "slice_sizes = array<i64: 1, 2>}> : (tensor<1x8xf32>, tensor<1x1xi32>) -> tensor<1x2xf32>",
    (("tensor<1x8xf32>", '[{"y"}, {}]'), ("tensor<1x1xi32>", '[{"y"}, {}]')),
    "tensor<1x2xf32>",
    '[{"y"}, {}]',
)

WHOLE_DIMENSION = Case(
    '"stablehlo.gather"(%s0, %s1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], '
    "start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 3, 2>}> "
    ": (tensor<3x2xf32>, tensor<1xi32>) -> tensor<3x2xf32>",
    (("tensor<3x2xf32>", '[{"y"}, {}]'), ("tensor<1xi32>", "[{}]")),
    "tensor<3x2xf32>",
    '[{"y"}, {}]',
)
NARROW_INDEX = Case(
    '"stablehlo.gather"(%s0, %s1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], '
    "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> "
    ": (tensor<301x2xf32>, tensor<120x1xi8>) -> tensor<120x2xf32>",
    (("tensor<301x2xf32>", '[{"x"}, {}]'), ("tensor<120x1xi8>", '[{"y"}, {}]')),
    "tensor<120x2xf32>",
    '[{"y"}, {}]',
)


def convolved(
    numbers: str, window: str, lhs: tuple[str, str], kernel: tuple[str, str], result: str, groups: int
) -> Case:
    text = (
        f"stablehlo.convolution(%s0, %s1) dim_numbers = {numbers}, window = {{{window}}} "
        f"{{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}} : ({lhs[0]}, {kernel[0]}) -> {result}"
    )
    dims = result.count("x")
    return Case(text, (lhs, kernel), result, f'[{{"y"}}{", {}" * (dims - 1)}]')


CONVOLUTIONS = {
    "single_kernel_feature": convolved(
        "[b, f]x[o, i]->[f, b]",
        "",
        ("tensor<2x4xf32>", "[{}, {}]"),
        ("tensor<48x1xf32>", '[{}, {"x"}]'),
        "tensor<48x2xf32>",
        4,
    ),
    "single_kernel_position": convolved(
        "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
        "stride = [1, 1], pad = [[0, 0], [0, 0]]",
        ("tensor<2x8x1x3xf32>", "[{}, {}, {}, {}]"),
        ("tensor<3x1x3x5xf32>", '[{}, {"y"}, {}, {}]'),
        "tensor<2x6x1x5xf32>",
        1,
    ),
    "single_result_feature": convolved(
        "[b, 0, f]x[0, i, o]->[f, b, 0]",
        "stride = [1], pad = [[0, 0]]",
        ("tensor<4x8x3xf32>", '[{}, {"x"}, {}]'),
        ("tensor<3x3x1xf32>", '[{}, {}, {"y"}]'),
        "tensor<1x4x6xf32>",
        1,
    ),
}
CASES = {
    "broadcast": BROADCAST,
    "map": MAP,
    "holes": HOLES,
    "no_index": NO_INDEX,
    "single_batch": SINGLE_BATCH,
    "whole_dimension": WHOLE_DIMENSION,
    "narrow_index": NARROW_INDEX,
    "whole_dim_at_an_index": WHOLE_DIM_AT_AN_INDEX,
    **CONVOLUTIONS,
}


@pytest.mark.parametrize("name", CASES)
def test_uneven(name: str) -> None:
    case = CASES[name]
    arguments = {f"a{i}": type_ for i, (type_, _) in enumerate(case.operands)}
    lines = [sharded(f"%a{i}", type_, sharding, f"%s{i}") for i, (type_, sharding) in enumerate(case.operands)]
    check(program(arguments, case.result, *lines, f"%r = {case.op}", sharding=case.sharding), tolerance=1e-4)


@pytest.mark.parametrize("index", ["i32", "ui32", "ui8"])
@pytest.mark.parametrize("combine", ["add", "minimum", "maximum"])
def test_updates_in_the_padding_go_nowhere(combine: str, index: str) -> None:
    """Behind an exponential the padding of the updates is one, and its index is that of the first row."""
    rows, updates, indices = "tensor<8x2xf32>", "tensor<5x2xf32>", f"tensor<5x1x{index}>"
    lines = [
        sharded("%u", updates, '[{"x"}, {}]', "%s0"),
        f"%e = stablehlo.exponential %s0 : {updates}",
        sharded("%i", indices, '[{"x"}, {}]', "%s1"),
        f'%r = "stablehlo.scatter"(%a, %s1, %e) <{{scatter_dimension_numbers = #stablehlo.scatter<'
        "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
        f"index_vector_dim = 1>}}> {body(combine)} : ({rows}, {indices}, {updates}) -> {rows}",
    ]
    numbers = np.array([[3], [1], [4], [1], [5]], {"i32": np.int32, "ui32": np.uint32, "ui8": np.uint8}[index])
    rng = np.random.default_rng(0)
    inputs = [rng.standard_normal(shape).astype(np.float32) for shape in ((8, 2), (5, 2))]
    check(program({"a": rows, "u": updates, "i": indices}, rows, *lines), inputs=[*inputs, numbers])


def test_behind_a_barrier_that_says_nothing_all_is_returned() -> None:
    """From a function, and from a region."""
    rows = "tensor<7x8xf32>"
    lines = [
        sharded("%a", rows, '[{"x"}, {}]', "%s"),
        f"%b = sdy.propagation_barrier %s allowed_direction=BACKWARD : {rows}",
        f"""%c = "stablehlo.case"(%i) ({{ stablehlo.return %b : {rows} }}) : (tensor<i32>) -> {rows}""",
        f"%r = stablehlo.negate %c : {rows}",
    ]
    arguments = {"a": rows, "i": "tensor<i32>"}
    check(program(arguments, rows, *lines))
    check(program(arguments, rows, *lines[:1], lines[1].replace("%b", "%r")))


def test_more_parts_than_before() -> None:
    """Six rows in two parts, then in four: row 3 changes its part when the rows are padded to eight."""
    rows = "tensor<6x2xf32>"
    moved = sharded("%first", rows, '[{"y", "x":(1)2}, {}]', "%s")
    first = sharded("%a", rows, '[{}, {"y"}]', "%first")
    check(program({"a": rows}, rows, first, moved, f"%r = stablehlo.negate %s : {rows}"))


def test_padding_from_before_is_replaced() -> None:
    """Behind a logarithm the padding of dimension 0 is infinite, whatever is padded later."""
    a, b, c = "tensor<7x8x7xf32>", "tensor<7x3xf32>", "tensor<8x7x3xf32>"
    lines = [
        sharded("%a", a, '[{"x"}, {"y"}, {}]', "%s0"),
        f"%e = stablehlo.log %s0 : {a}",
        sharded("%e", a, '[{"x"}, {"y"}, {}]', "%s1"),
        sharded("%s1", a, '[{"x"}, {}, {"y"}]', "%s2"),
        sharded("%b", b, '[{"x"}, {}]', "%k"),
        f"%r = stablehlo.dot_general %s2, %k, contracting_dims = [0] x [0] : ({a}, {b}) -> {c}",
    ]
    rng = np.random.default_rng(0)
    inputs = [rng.random(shape, np.float32) + 1 for shape in ((7, 8, 7), (7, 3))]
    check(program({"a": a, "b": b}, c, *lines, sharding='[{}, {"y"}, {}]'), inputs=inputs)


# Source, kernel and windows; padding in front, and the row of the source that is infinite. The last part of the kernel
# has a row of padding that would meet it.
KERNEL_GRADIENTS = [(15, 15, 3, 1, 14), (18, 15, 3, 0, 16), (9, 9, 3, 1, 8)]


@pytest.mark.parametrize(("size", "rows", "windows", "low", "infinite"), KERNEL_GRADIENTS)
@pytest.mark.parametrize("axes", ['{"x"}', '{"y", "x"}'])
def test_infinities_do_not_meet_the_padding_of_a_kernel(
    size: int, rows: int, windows: int, low: int, infinite: int, axes: str
) -> None:
    source, kernel, result = f"tensor<2x{size}x2xf32>", f"tensor<{rows}x2x4xf32>", f"tensor<2x{windows}x4xf32>"
    high = windows - 1 + rows - size - low
    lines = [
        sharded("%a", source, f"[{{}}, {axes}, {{}}]", "%s"),
        sharded("%b", kernel, f"[{axes}, {{}}, {{}}]", "%k"),
        "%r = stablehlo.convolution(%s, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], "
        f"window = {{pad = [[{low}, {high}]]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} "
        f": ({source}, {kernel}) -> {result}",
    ]
    rng = np.random.default_rng(0)
    inputs = [rng.integers(1, 4, shape).astype(np.float32) for shape in ((2, size, 2), (rows, 2, 4))]
    inputs[0][:, infinite] = np.inf
    check(program({"a": source, "b": kernel}, result, *lines), inputs=inputs)
