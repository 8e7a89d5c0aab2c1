"""What the reference's explicit reshards crash on, refuse or get wrong, in numbers on eight devices.

Every program also runs with the partial version in front, whose reshards and reductions must be as right as those of
the full version, which follows in `sdy-partition-pipeline`.
"""

from __future__ import annotations

import numpy as np
import pytest

import sdy
from sdy.partition import partition
from tests.numerics.harness import check, inputs_for, run_partitioned

MESHES = """
sdy.mesh @mesh = <["x"=4, "y"=2]>
sdy.mesh @device = <[], device_ids=[3]>
"""


def on(dims: str, extra: str = "") -> str:
    """A sharding, without brackets around its name."""
    return f"<@mesh, {dims}{extra}>"


def argument(name: str, type_: str, sharding: str) -> str:
    return f"%{name}: tensor<{type_}> {{sdy.sharding = #sdy.sharding{sharding}}}"


def op(text: str, sharding: str, types: str, extra: str = "") -> str:
    """An op with one result that is sharded."""
    return f"{text} {{sdy.sharding = #sdy.sharding_per_value<[{sharding}]>{extra}}} : {types}"


def main(arguments: list[str], result: str, *lines: str) -> str:
    """@main of these lines, which returns `%r`, whole."""
    whole = on(f"[{', '.join(['{}'] * result.count('x'))}]")
    body = [*lines, f"%whole = sdy.reshard %r {whole} : tensor<{result}>", f"return %whole : tensor<{result}>"]
    text = "\n".join(f"  {line}" for line in body)
    return f"{MESHES}func.func @main({', '.join(arguments)}) -> tensor<{result}> {{\n{text}\n}}\n"


X, Y = on('[{"x"}, {}]'), on('[{}, {"y"}]')
UNREDUCED_Y = on("[{}, {}]", ', unreduced={"y"}')
UNREDUCED_X = on("[{}, {}]", ', unreduced={"x"}')
MATRIX = "8x8xf32"
MATRICES = "(tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>"

ROWS = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1"
UPDATED = (
    "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
)
SUM = """({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
  })"""
ROWS_ON_X = on('[{"x"}, {}]', ', unreduced={"y"}')

PROGRAMS = {
    "custom rule, element-wise": main(
        [argument("a", MATRIX, X), argument("b", MATRIX, Y)],
        MATRIX,
        op(
            "%r = stablehlo.subtract %a, %b",
            on('[{}, {"x"}]'),
            "tensor<8x8xf32>",
            ", sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=8}, custom>",
        ),
    ),
    "custom rule, contraction": main(
        [argument("a", MATRIX, on('[{"y"}, {}]')), argument("b", MATRIX, X)],
        MATRIX,
        op(
            "%r = stablehlo.dot %a, %b",
            on('[{}, {"x"}]'),
            MATRICES,
            ", sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=8, k=8} "
            "reduction={k}, custom>",
        ),
    ),
    "product": main(
        [argument("a", MATRIX, X)],
        "8xf32",
        "%one = stablehlo.constant dense<1.0> : tensor<f32>",
        "%e = stablehlo.sign %a : tensor<8x8xf32>",
        op(
            "%r = stablehlo.reduce(%e init: %one) applies stablehlo.multiply across dimensions = [0]",
            on('[{"y"}]'),
            "(tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>",
        ),
    ),
    "value of the largest of several, and where it is": main(
        [argument("a", MATRIX, on('[{"y"}, {"x"}]')), "%i: tensor<8x8xi32>"],
        "8xf32",
        "%m = stablehlo.constant dense<0xFF800000> : tensor<f32>",
        "%z = stablehlo.constant dense<0> : tensor<i32>",
        "%b:2 = stablehlo.reduce(%a init: %m), (%i init: %z) across dimensions = [1] "
        ": (tensor<8x8xf32>, tensor<8x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)",
        "reducer(%v: tensor<f32>, %w: tensor<f32>) (%j: tensor<i32>, %k: tensor<i32>) {",
        "  %c = stablehlo.compare GE, %v, %w : (tensor<f32>, tensor<f32>) -> tensor<i1>",
        "  %n = stablehlo.select %c, %v, %w : tensor<i1>, tensor<f32>",
        "  %o = stablehlo.select %c, %j, %k : tensor<i1>, tensor<i32>",
        "  stablehlo.return %n, %o : tensor<f32>, tensor<i32>",
        "}",
        "%f = stablehlo.convert %b#1 : (tensor<8xi32>) -> tensor<8xf32>",
        "%r = stablehlo.subtract %b#0, %f : tensor<8xf32>",
    ),
    "gather of rows that are on the axis of the result": main(
        [argument("a", "16x8xf32", X), argument("i", "8x1xi32", X)],
        MATRIX,
        f"%u = sdy.reshard %a {ROWS_ON_X} : tensor<16x8xf32>",
        op(
            f'%r = "stablehlo.gather"(%u, %i) <{{dimension_numbers = #stablehlo.gather<{ROWS}>, '
            "slice_sizes = array<i64: 1, 8>}>",
            ROWS_ON_X,
            "(tensor<16x8xf32>, tensor<8x1xi32>) -> tensor<8x8xf32>",
        ),
    ),
    "scatter into rows that are on the axis of the updates": main(
        [argument("a", "16x8xf32", X), argument("i", "8x1xi32", X), argument("u", MATRIX, X)],
        "16x8xf32",
        f"%b = sdy.reshard %a {ROWS_ON_X} : tensor<16x8xf32>",
        f"%v = sdy.reshard %u {ROWS_ON_X} : tensor<8x8xf32>",
        op(
            f'%r = "stablehlo.scatter"(%b, %i, %v) '
            f"<{{scatter_dimension_numbers = #stablehlo.scatter<{UPDATED}>}}> {SUM}",
            ROWS_ON_X,
            "(tensor<16x8xf32>, tensor<8x1xi32>, tensor<8x8xf32>) -> tensor<16x8xf32>",
        ),
    ),
    "unreduced result of operands that disagree": main(
        [argument("a", MATRIX, on('[{}, {"x"}]')), argument("b", MATRIX, Y)],
        MATRIX,
        op("%r = stablehlo.dot %a, %b", UNREDUCED_X, MATRICES),
    ),
    "unreduced axis on another operand": main(
        [argument("a", MATRIX, X), argument("b", MATRIX, Y)],
        MATRIX,
        f"%u = sdy.reshard %a {UNREDUCED_Y} : tensor<8x8xf32>",
        op("%r = stablehlo.multiply %u, %b", UNREDUCED_Y, "tensor<8x8xf32>"),
    ),
    "axes that are reduced while others become unreduced": main(
        [argument("a", MATRIX, X)],
        MATRIX,
        f"%u = sdy.reshard %a {UNREDUCED_Y} : tensor<8x8xf32>",
        f"%r = sdy.reshard %u {UNREDUCED_X} : tensor<8x8xf32>",
    ),
    "a value without a sharding becomes unreduced": main(
        ["%a: tensor<8x8xf32>"],
        MATRIX,
        f"%r = sdy.reshard %a {UNREDUCED_X} : tensor<8x8xf32>",
    ),
    "all_reduce of an unreduced value": main(
        [argument("a", MATRIX, X)],
        MATRIX,
        f"%u = sdy.reshard %a {UNREDUCED_Y} : tensor<8x8xf32>",
        f'%r = sdy.all_reduce {{"y"}} %u out_sharding={on("[{}, {}]")} : tensor<8x8xf32>',
    ),
    "op on one device of what several have in uneven parts": main(
        ["%a: tensor<6x8xf32>"],
        "6x8xf32",
        op("%e = stablehlo.negate %a", X, "tensor<6x8xf32>"),
        op("%r = stablehlo.abs %e", "<@device, []>", "tensor<6x8xf32>"),
    ),
    "reshape whose axes end in the first of three factors": main(
        [argument("a", "2x3x4xf32", on('[{"x":(1)2}, {}, {"y"}]'))],
        "24xf32",
        op("%r = stablehlo.reshape %a", on('[{"x", "y"}]'), "(tensor<2x3x4xf32>) -> tensor<24xf32>"),
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_numbers(name: str) -> None:
    check(PROGRAMS[name])


@pytest.mark.parametrize("name", PROGRAMS)
def test_numbers_after_the_partial_version(name: str) -> None:
    module = sdy.parse(PROGRAMS[name])
    sdy.run(module, "func.func(sdy-insert-explicit-reshards{mark-partial-result-with-unreduced-axes=true})")
    check(sdy.print_module(module))


def test_manual_computation_that_takes_a_maximum() -> None:
    """Which has no meaning on one device, so the numbers are computed here: both devices along "y" have the whole."""
    maximum = ', unreduced=max{"y"}'
    text = main(
        [argument("a", MATRIX, X)],
        MATRIX,
        f"%u = sdy.reshard %a {on('[{}, {}]', maximum)} : tensor<8x8xf32>",
        f"%r = sdy.manual_computation(%u) in_shardings=[{ROWS_ON_X.replace('unreduced=', 'unreduced=max')}] "
        f'out_shardings=[{X}] manual_axes={{"x"}} (%b: tensor<2x8xf32>) {{',
        f"  %c = sdy.reshard %b {on('[{}, {}]')} : tensor<2x8xf32>",
        "  %d = stablehlo.negate %c : tensor<2x8xf32>",
        "  sdy.return %d : tensor<2x8xf32>",
        "} : (tensor<8x8xf32>) -> tensor<8x8xf32>",
    )
    partitioned = partition(text)
    given = inputs_for(partitioned.arguments, 0)
    (got,) = run_partitioned(partitioned, given)
    np.testing.assert_array_equal(got, -given[0])
