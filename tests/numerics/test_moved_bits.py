"""What a partitioned program only moves arrives bit by bit, by sums over devices too: -0.0, infinities, NaNs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from sdy.partition import partition
from sdy.passes.partitioning.partition_options import PIPELINE
from tests.numerics.harness import run_partitioned, run_unpartitioned
from tests.numerics.programs import MESHES, body, program, sharded

NUMBERS = np.array(
    [0x80000000, 0, 0x7F800000, 0xFF800000, 0x7FC12345, 0xFFC00001, 0x00000001, 0x80000001, 0x3F800000], np.uint32
).view(np.float32)
"""-0.0, 0.0, infinities, NaNs of two kinds, the smallest numbers, and 1."""

TABLE = "tensor<ROWSx3xf32>"
UPDATE = "tensor<5x3xf32>"
INDEX = np.array(5, np.int32)
INDICES = np.array([[0], [3], [12], [7], [9]], np.int32)


@dataclass(frozen=True)
class Case:
    """An op on a table of ROWS rows; other arguments by name, with their types and values (None: any numbers)."""

    op: str
    result: str = TABLE
    arguments: dict[str, tuple[str, np.ndarray | None]] = field(default_factory=dict)


def _numbers(shape: Sequence[int], seed: int) -> np.ndarray:
    return np.random.default_rng(seed).choice(NUMBERS, shape)


def _scatter(region: str, numbers: str, indices: str) -> str:
    return (
        f'%r = "stablehlo.scatter"(%s, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<{numbers}>}}> '
        f"{region} : ({TABLE}, {indices}, {UPDATE}) -> {TABLE}"
    )


ROW_NUMBERS = (
    "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
)
SET = "({\n  ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n    stablehlo.return %q : tensor<f32>\n  })"
AT: dict[str, tuple[str, np.ndarray | None]] = {
    "i": ("tensor<i32>", INDEX),
    "z": ("tensor<i32>", np.array(0, np.int32)),
}
CASES = {
    "slice at an index": Case(
        f"%r = stablehlo.dynamic_slice %s, %i, %z, sizes = [4, 3] : ({TABLE}, tensor<i32>, tensor<i32>) -> "
        "tensor<4x3xf32>",
        "tensor<4x3xf32>",
        AT,
    ),
    "look-up": Case(
        '%r = "stablehlo.gather"(%s, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], '
        "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> "
        f": ({TABLE}, tensor<5x1xi32>) -> {UPDATE}",
        UPDATE,
        {"i": ("tensor<5x1xi32>", INDICES)},
    ),
    "update": Case(
        f"%r = stablehlo.dynamic_update_slice %s, %u, %i, %z : ({TABLE}, {UPDATE}, tensor<i32>, tensor<i32>) -> "
        f"{TABLE}",
        TABLE,
        {"u": (UPDATE, None), **AT},
    ),
    "updates of rows": Case(
        _scatter(SET, ROW_NUMBERS, "tensor<5x1xi32>"),
        TABLE,
        {"i": ("tensor<5x1xi32>", INDICES), "u": (UPDATE, None)},
    ),
    "addition to some rows": Case(
        _scatter(body("add"), "update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0]", "tensor<1xi32>"),
        TABLE,
        {"i": ("tensor<1xi32>", np.array([4], np.int32)), "u": (UPDATE, None)},
    ),
    "reverse": Case(f"%r = stablehlo.reverse %s, dims = [0] : {TABLE}"),
}


@pytest.mark.parametrize("rows", [16, 13])
@pytest.mark.parametrize("name", CASES)
def test_moved_by_an_op(name: str, rows: int) -> None:
    case = CASES[name]
    table, result, op = (text.replace("ROWS", str(rows)) for text in (TABLE, case.result, case.op))
    arguments = {"a": table, **{each: type_ for each, (type_, _) in case.arguments.items()}}
    out = '[{"x"}, {}]' if case.result == TABLE else None
    # An addition of -0.0 that stands alone flushes subnormal numbers on CPUs.
    text = program(arguments, result, sharded("%a", table, '[{"x"}, {}]', "%s"), op, sharding=out, is_kept=False)
    others = [_numbers((5, 3), 7) if value is None else value for _, value in case.arguments.values()]
    _check(text, [_numbers((rows, 3), rows), *others])


def test_scattered_look_up() -> None:
    """The sum of what was looked up is needed in parts only."""
    rows = CASES["look-up"].op.replace("ROWS", "16").replace("5x", "8x")
    table, indices, found = "tensor<16x3xf32>", "tensor<8x1xi32>", "tensor<8x3xf32>"
    text = program(
        {"a": table, "i": indices},
        found,
        sharded("%a", table, '[{"x"}, {}]', "%s"),
        rows,
        sharding='[{"x"}, {}]',
    )
    _check(text, [_numbers((16, 3), 1), np.array([[0], [3], [12], [7], [9], [1], [2], [15]], np.int32)])


def test_from_a_single_device() -> None:
    text = (
        MESHES
        + """sdy.mesh @device = <[], device_ids=[3]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.reverse %a, dims = [0] {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : tensor<8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<8xf32>
  return %1 : tensor<8xf32>
}
"""
    )
    _check(text, [_numbers((8,), 2)])


def _check(text: str, inputs: Sequence[np.ndarray]) -> None:
    partitioned = partition(text, pipeline=PIPELINE)
    (got,) = run_partitioned(partitioned, inputs)
    (wanted,) = run_unpartitioned(text, partitioned, inputs)
    np.testing.assert_array_equal(got.view(np.uint32), wanted.view(np.uint32))


@pytest.mark.parametrize("table", ['[{"x"}, {}]', '[{"x"}, {"y"}]', "[{}, {}]"])
def test_partial_along_more_axes_than_the_table_is_sharded(table: str) -> None:
    """One device of each group along the others has what is looked up."""
    text = f"""{MESHES}
func.func @main(%a: tensor<16x4xf32> {{sdy.sharding = #sdy.sharding<@mesh, {table}>}}, %i: tensor<5x1xi32>)
    -> tensor<5x4xf32> {{
  %0 = "stablehlo.gather"(%a, %i) <{{
    dimension_numbers = #stablehlo.gather<
      offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>}}>
    {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{}}, {{}}], unreduced={{"x", "y"}}>]>}}
    : (tensor<16x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  %1 = sdy.all_reduce {{"x", "y"}} %0 out_sharding=<@mesh, [{{}}, {{}}]> : tensor<5x4xf32>
  return %1 : tensor<5x4xf32>
}}
"""
    numbers = _numbers((16, 4), 3)
    (got,) = run_partitioned(partition(text, pipeline="sdy-partition-pipeline{propagate=false}"), [numbers, INDICES])
    np.testing.assert_array_equal(got.view(np.uint32), numbers[INDICES.ravel()].view(np.uint32))


@pytest.mark.parametrize("name", ["slice at an index", "look-up"])
@pytest.mark.parametrize("rows", [16, 13])
def test_moved_into_a_product(name: str, rows: int) -> None:
    """Where a zero is a zero; infinities and NaNs are what they are."""
    case = CASES[name]
    table, result, op = (text.replace("ROWS", str(rows)) for text in (TABLE, case.result, case.op))
    made = result.replace("x3x", "x2x")
    arguments = {"a": table, "w": "tensor<3x2xf32>", **{each: type_ for each, (type_, _) in case.arguments.items()}}
    product = f"%r = stablehlo.dot_general %v, %w, contracting_dims = [1] x [0] : ({result}, tensor<3x2xf32>) -> {made}"
    text = program(arguments, made, sharded("%a", table, '[{"x"}, {}]', "%s"), op.replace("%r", "%v"), product)
    partitioned = partition(text, pipeline=PIPELINE)
    assert "bitcast_convert" not in partitioned.text
    factors = np.arange(1, 7, dtype=np.float32).reshape(3, 2)
    others = [value for _, value in case.arguments.values() if value is not None]
    inputs = [_numbers((rows, 3), rows), factors, *others]
    (got,), (wanted,) = run_partitioned(partitioned, inputs), run_unpartitioned(text, partitioned, inputs)
    np.testing.assert_array_equal(got, wanted)
