"""One op at a time, sharded where it hurts: along the dimensions that it mixes, and in parts that are not even.

Ops that only move elements have tests of their own, in test_moving_ops.py.
"""

from __future__ import annotations

import jax
import numpy as np
import pytest

from sdy.partition import partition
from tests.numerics.harness import check, run_partitioned
from tests.numerics.programs import MESHES, body, program, sharded

# Reductions and products ----------------------------------------------------------------------------


@pytest.mark.parametrize("size", [16, 7, 4])
@pytest.mark.parametrize("op", ["add", "multiply", "maximum", "minimum"])
def test_reduce_with_an_init_value_that_is_not_neutral(op: str, size: int) -> None:
    type_ = f"tensor<{size}x6xf32>"
    first = sharded("%a", type_, '[{"x"}, {"y"}]', "%s")
    line = f"%r = stablehlo.reduce(%s init: %v) applies stablehlo.{op} across dimensions = [0] : ({type_}, tensor<f32>)"
    text = program({"a": type_, "v": "tensor<f32>"}, "tensor<6xf32>", first, line + " -> tensor<6xf32>")
    values = 1 + np.arange(size * 6, dtype=np.float32).reshape(size, 6) % 3
    check(text, inputs=[values, np.array(5, np.float32)])


@pytest.mark.parametrize("size", [16, 7])
def test_reduce_by_more_than_an_addition(size: int) -> None:
    """By (p + 1) * (q + 1) - 1, of which 0 is the neutral element."""
    type_, element = f"tensor<{size}x2xf32>", "tensor<f32>"
    lines = [
        sharded("%a", type_, '[{"x"}, {}]', "%s"),
        "%zero = stablehlo.constant dense<0.0> : tensor<f32>",
        '%r = "stablehlo.reduce"(%s, %zero) <{dimensions = array<i64: 0>}> ({',
        f"^bb0(%p: {element}, %q: {element}):",
        f"%m = stablehlo.multiply %p, %q : {element}",
        f"%n = stablehlo.add %m, %p : {element}",
        f"%o = stablehlo.add %n, %q : {element}",
        f"stablehlo.return %o : {element}",
        f"}}) : ({type_}, {element}) -> tensor<2xf32>",
    ]
    values = np.random.default_rng(0).random((size, 2), np.float32)
    check(program({"a": type_}, "tensor<2xf32>", *lines), inputs=[values])


@pytest.mark.parametrize("op", ["and", "or", "xor"])
def test_reduce_of_bits(op: str) -> None:
    first = sharded("%a", "tensor<7xi32>", '[{"x"}]', "%s")
    line = f"%r = stablehlo.reduce(%s init: %v) applies stablehlo.{op} across dimensions = [0] : "
    text = program(
        {"a": "tensor<7xi32>", "v": "tensor<i32>"},
        "tensor<i32>",
        first,
        line + "(tensor<7xi32>, tensor<i32>) -> tensor<i32>",
    )
    check(text, inputs=[np.array([7, 15, 6, 14, 22, 30, 39], np.int32), np.array(5, np.int32)])


@pytest.mark.parametrize("size", [16, 7])
def test_argmax(size: int) -> None:
    f, i = f"tensor<{size}xf32>", f"tensor<{size}xi32>"
    lines = [
        sharded("%a", f, '[{"x"}]', "%s"),
        f"%n = stablehlo.iota dim = 0 : {i}",
        "%low = stablehlo.constant dense<0xFF800000> : tensor<f32>",
        "%zero = stablehlo.constant dense<0> : tensor<i32>",
        f"%m:2 = stablehlo.reduce(%s init: %low), (%n init: %zero) across dimensions = [0] : "
        f"({f}, {i}, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)",
        " reducer(%p: tensor<f32>, %q: tensor<f32>) (%k: tensor<i32>, %l: tensor<i32>) {",
        "   %g = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>",
        "   %u = stablehlo.select %g, %p, %q : tensor<i1>, tensor<f32>",
        "   %w = stablehlo.select %g, %k, %l : tensor<i1>, tensor<i32>",
        "   stablehlo.return %u, %w : tensor<f32>, tensor<i32>",
        " }",
        "%r = stablehlo.add %m#1, %zero : tensor<i32>",
    ]
    check(program({"a": f}, "tensor<i32>", *lines))


@pytest.mark.parametrize("op", ["stablehlo.dot", "stablehlo.dot_general"])
@pytest.mark.parametrize("size", [8, 5])
def test_product_over_a_sharded_dimension(op: str, size: int) -> None:
    """The exponential makes sure that padding is not zero by chance."""
    lhs, rhs = f"tensor<6x{size}xf32>", f"tensor<{size}x3xf32>"
    numbers = ", contracting_dims = [1] x [0]" if op.endswith("general") else ""
    lines = [
        sharded("%a", lhs, '[{"y"}, {"x"}]', "%s"),
        f"%e = stablehlo.exponential %s : {lhs}",
        sharded("%b", rhs, '[{"x"}, {}]', "%t"),
        f"%f = stablehlo.cosine %t : {rhs}",
        f"%r = {op} %e, %f{numbers} : ({lhs}, {rhs}) -> tensor<6x3xf32>",
    ]
    rng = np.random.default_rng(0)
    values = [rng.random((6, size), dtype=np.float32), rng.random((size, 3), dtype=np.float32)]
    check(program({"a": lhs, "b": rhs}, "tensor<6x3xf32>", *lines), inputs=values)


# Ops that need all of a dimension --------------------------------------------------------------------


@pytest.mark.parametrize("dimension", ["", "dimension = 1 : i64", "dimension = -1 : i64", "dimension = 0 : i64"])
@pytest.mark.parametrize("size", [8, 5])
def test_sort(dimension: str, size: int) -> None:
    type_ = f"tensor<6x{size}xf32>"
    attributes = f" <{{{dimension}}}>" if dimension else ""
    compare = (
        "({\n  ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
        "    %n = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
        "    stablehlo.return %n : tensor<i1>\n  })"
    )
    first = sharded("%a", type_, '[{"y"}, {"x"}]', "%s")
    op = f'%r = "stablehlo.sort"(%s){attributes} {compare} : ({type_}) -> {type_}'
    check(program({"a": type_}, type_, first, op, sharding='[{"y"}, {"x"}]'))


@pytest.mark.parametrize("size", [8, 7])
@pytest.mark.parametrize(("window", "stride", "padding"), [(3, 1, (1, 1)), (2, 2, (0, 0)), (3, 2, (0, 1))])
def test_reduce_window(window: int, stride: int, padding: tuple[int, int], size: int) -> None:
    result_size = (size + sum(padding) - window) // stride + 1
    operand, result = f"tensor<{size}x4xf32>", f"tensor<{result_size}x4xf32>"
    op = (
        f'%r = "stablehlo.reduce_window"(%s, %v) <{{padding = dense<[[{padding[0]}, {padding[1]}], [0, 0]]> : '
        f"tensor<2x2xi64>, window_dimensions = array<i64: {window}, 1>, window_strides = array<i64: {stride}, 1>}}> "
        f"{body('add')} : ({operand}, tensor<f32>) -> {result}"
    )
    first = sharded("%a", operand, '[{"y"}, {"x"}]', "%s")
    text = program({"a": operand, "v": "tensor<f32>"}, result, first, op, sharding='[{"y"}, {"x"}]')
    check(text, inputs=[np.arange(size * 4, dtype=np.float32).reshape(size, 4), np.array(0, np.float32)])


CONVOLUTIONS = [
    ("4x8x8x4", "3x3x4x8", "4x6x6x8", '[{"x"}, {"y"}, {}, {}]', 1, 1),
    ("4x8x8x5", "3x3x5x7", "4x6x6x7", '[{}, {}, {}, {"x"}]', 1, 1),
    ("4x8x8x4", "3x3x1x8", "4x6x6x8", '[{}, {}, {}, {"x"}]', 4, 1),
    ("8x6x6x4", "3x3x4x8", "4x4x4x8", '[{"x"}, {}, {}, {}]', 1, 2),
    ("4x8x8x6", "3x3x2x9", "4x6x6x9", '[{"y"}, {}, {}, {"x"}]', 3, 1),
]


@pytest.mark.parametrize(("lhs", "kernel", "result", "sharding", "features", "batches"), CONVOLUTIONS)
def test_convolution(lhs: str, kernel: str, result: str, sharding: str, features: int, batches: int) -> None:
    types = [f"tensor<{shape}xf32>" for shape in (lhs, kernel, result)]
    op = (
        "%r = stablehlo.convolution(%s, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
        "window = {stride = [1, 1], pad = [[0, 0], [0, 0]]} "
        f"{{batch_group_count = {batches} : i64, feature_group_count = {features} : i64}} "
        f": ({types[0]}, {types[1]}) -> {types[2]}"
    )
    check(
        program({"a": types[0], "b": types[1]}, types[2], sharded("%a", types[0], sharding, "%s"), op), tolerance=1e-4
    )


@pytest.mark.parametrize("sharding", ['[{"x"}, {"y"}]', '[{"y"}, {"x"}]'])
def test_linear_algebra_on_sharded_matrices(sharding: str) -> None:
    type_ = "tensor<4x4xf32>"
    first = sharded("%a", type_, sharding, "%s")
    op = f"%r = stablehlo.cholesky %s, lower = true : {type_}"
    root = np.random.default_rng(0).random((4, 4)).astype(np.float32)
    check(
        program({"a": type_}, type_, first, op, sharding=sharding), inputs=[root @ root.T + np.eye(4, dtype=np.float32)]
    )


def test_get_dimension_size() -> None:
    lines = [
        sharded("%a", "tensor<7x4xf32>", '[{"x"}, {}]', "%s"),
        "%r = stablehlo.get_dimension_size %s, dim = 0 : (tensor<7x4xf32>) -> tensor<i32>",
    ]
    check(program({"a": "tensor<7x4xf32>"}, "tensor<i32>", *lines))


def test_map() -> None:
    type_ = "tensor<8xf32>"
    lines = [
        sharded("%a", type_, '[{"x"}]', "%s"),
        f'%r = "stablehlo.map"(%s, %b) <{{dimensions = array<i64: 0>}}> {body("multiply")} '
        f": ({type_}, {type_}) -> {type_}",
    ]
    check(program({"a": type_, "b": type_}, type_, *lines, sharding='[{"x"}]'))


@pytest.mark.parametrize("element", ["i8", "ui8", "i32", "ui32", "i64", "ui64"])
def test_high_half_of_products(element: str) -> None:
    dtype = np.dtype(element.replace("ui", "uint") if element.startswith("u") else element.replace("i", "int"))
    edge = np.iinfo(dtype)
    one = np.array([edge.min, edge.max, edge.max - 1, 3, edge.max // 3, edge.min // 2, 0, edge.max // 7], dtype)
    type_ = f"tensor<8x{element}>"
    lines = [sharded("%a", type_, '[{"x"}]', "%s"), f"%r = chlo.mulhi %s, %b : {type_}, {type_} -> {type_}"]
    text = program({"a": type_, "b": type_}, type_, *lines, sharding='[{"x"}]')
    with jax.enable_x64(True):
        (got,) = run_partitioned(partition(text), [one, np.roll(one, 1)])
    wanted = [int(x) * int(y) >> edge.bits for x, y in zip(one, np.roll(one, 1), strict=True)]
    np.testing.assert_array_equal(got, np.array(wanted, dtype))


# Sources ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("element", ["f32", "i32", "ui8", "bf16", "complex<f32>"])
@pytest.mark.parametrize("size", [8, 7])
def test_iota_and_constants(element: str, size: int) -> None:
    type_ = f"tensor<{size}x{element}>"
    numbers = [
        f"({n}.0, {n + 1}.0)" if element.startswith("c") else f"{n}.0" if "f" in element else str(n)
        for n in range(size)
    ]
    lines = [
        f"%i = stablehlo.iota dim = 0 : {type_}",
        f"%c = stablehlo.constant dense<[{', '.join(numbers)}]> : {type_}",
        sharded("%i", type_, '[{"x"}]', "%s"),
        f"%t = stablehlo.add %s, %c : {type_}",
        f"%r = stablehlo.add %t, %a : {type_}",
    ]
    check(program({"a": type_}, type_, *lines, sharding='[{"x"}]'))


def test_indices_that_are_rounded_are_rounded_once() -> None:
    """As an offset of 21, which is none of the numbers, and a position within the part would not be."""
    types = [f"tensor<{size}x{element}>" for size, element in ((24, "f8E4M3FN"), (24, "f8E5M2"), (344, "bf16"))]
    lines = [
        f'  %i{number} = stablehlo.iota dim = 0 {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{"x", "y"}}]>]>}} '
        f": {type_}\n"
        for number, type_ in enumerate(types)
    ]
    results = ", ".join(f'{type_} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x", "y"}}]>}}' for type_ in types)
    end = f"  return %i0, %i1, %i2 : {', '.join(types)}\n}}\n"
    partitioned = partition(f"{MESHES}func.func @main() -> ({results}) {{\n{''.join(lines)}{end}")
    for result in run_partitioned(partitioned, []):
        np.testing.assert_array_equal(result, np.arange(len(result)).astype(result.dtype))


def test_calls_do_not_see_the_padding_of_their_arguments() -> None:
    text = (
        MESHES
        + """
func.func @main(%a: tensor<7xf32>) -> tensor<f32> {
  %one = stablehlo.constant dense<1.0> : tensor<7xf32>
  %s = sdy.sharding_constraint %a <@mesh, [{"y"}]> : tensor<7xf32>
  %t = stablehlo.add %s, %one : tensor<7xf32>
  %r = call @sum(%t) : (tensor<7xf32>) -> tensor<f32>
  return %r : tensor<f32>
}
func.func private @sum(%a: tensor<7xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
"""
    )
    check(text)


def test_parts_of_a_manual_computation_that_free_axes_do_not_divide() -> None:
    types = "(tensor<10x3xf32>) -> tensor<10x3xf32>"
    crossing = '[<@mesh, [{"y", "x"}, {}]>]'
    text = f"""{MESHES}
func.func @main(%a: tensor<10x3xf32>) -> tensor<10x3xf32> {{
  %0 = sdy.manual_computation(%a) in_shardings={crossing} out_shardings={crossing}
      manual_axes={{"y"}} (%b: tensor<5x3xf32>) {{
    %1 = stablehlo.exponential %b : tensor<5x3xf32>
    %c = stablehlo.constant dense<0.0> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %c) applies stablehlo.add across dimensions = [0]
      : (tensor<5x3xf32>, tensor<f32>) -> tensor<3xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<3xf32>) -> tensor<5x3xf32>
    sdy.return %3 : tensor<5x3xf32>
  }} : {types}
  %4 = sdy.reshard %0 <@mesh, [{{}}, {{}}]> : tensor<10x3xf32>
  return %4 : tensor<10x3xf32>
}}
"""
    a = np.arange(30, dtype=np.float32).reshape(10, 3) / 10
    (got,) = run_partitioned(partition(text, pipeline="sdy-partition-pipeline{propagate=false}"), [a])
    np.testing.assert_allclose(got, np.repeat(np.exp(a).reshape(2, 5, 3).sum(1), 5, axis=0), rtol=1e-6)


def test_a_constant_that_is_gathered_and_moved_between_dimensions() -> None:
    """A copy that each device has whole is equal to the sharded one, which stays."""
    text = f"""{MESHES}
func.func @main() -> (tensor<8x8x4xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{}}, {{"y"}}, {{}}]>}},
                      tensor<8x8x4xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}, {{"y"}}]>}}) {{
  %0 = stablehlo.constant {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{"x"}}, {{"y"}}, {{}}]>]>}}
    dense<2.0> : tensor<8x8x4xf32>
  return %0, %0 : tensor<8x8x4xf32>, tensor<8x8x4xf32>
}}
"""
    for got in run_partitioned(partition(text, pipeline="sdy-partition-pipeline{propagate=false}"), []):
        np.testing.assert_array_equal(got, np.full((8, 8, 4), 2, np.float32))


def test_single_device() -> None:
    text = (
        'sdy.mesh @mesh = <["x"=8]>\nsdy.mesh @device = <[], device_ids=[3]>\n'
        + """
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : tensor<8xf32>
  %1 = stablehlo.multiply %0, %a : tensor<8xf32>
  %2 = sdy.sharding_constraint %1 <@mesh, [{"x"}]> : tensor<8xf32>
  return %2 : tensor<8xf32>
}
"""
    )
    check(text)
