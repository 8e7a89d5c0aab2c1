"""One op at a time, sharded where it hurts: along the dimensions that it mixes, and in parts that are not even."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

import jax
import numpy as np
import pytest

from sdy.partition import partition
from tests import depth
from tests.numerics.harness import check, run_partitioned

MESHES = 'sdy.mesh @mesh = <["x"=4, "y"=2]>\n'


def grid(*values: Iterable[Any]) -> list[tuple[Any, ...]]:
    """All combinations of `values`; about every third, of each value some, unless everything is tested."""
    combinations = list(product(*values))
    return combinations if depth.ALL else combinations[::3] + combinations[1::7]


def sharded(value: str, type_: str, sharding: str, name: str) -> str:
    """A line that shards `value` and calls the result `name`."""
    return f"{name} = sdy.sharding_constraint {value} <@mesh, {sharding}> : {type_}"


def program(arguments: dict[str, str], result: str, *lines: str, sharding: str | None = None) -> str:
    """@main of the arguments (name to type) that returns `%r`, of type `result`, sharded inside if so asked."""
    listed = ", ".join(f"%{name}: {type_}" for name, type_ in arguments.items())
    body = list(lines)
    returned = "%r"
    if sharding is not None:
        body.append(sharded("%r", result, sharding, "%shards"))
        body.append(f"%whole = sdy.sharding_constraint %shards <@mesh, {_unsharded(sharding)}> : {result}")
        returned = "%whole"
    text = "\n".join(f"  {line}" for line in body)
    return f"{MESHES}func.func @main({listed}) -> {result} {{\n{text}\n  return {returned} : {result}\n}}\n"


def _unsharded(sharding: str) -> str:
    dims = sharding.count("{")
    return "[" + ", ".join(["{}"] * dims) + "]"


def body(op: str, element: str = "f32") -> str:
    return (
        f"({{\n  ^bb0(%p: tensor<{element}>, %q: tensor<{element}>):\n"
        f"    %n = stablehlo.{op} %p, %q : tensor<{element}>\n    stablehlo.return %n : tensor<{element}>\n  }})"
    )


# Slices, pads and updates along sharded dimensions ---------------------------------------------------

SLICES = [
    ("[0:16]", 16),
    ("[1:15]", 14),
    ("[3:16]", 13),
    ("[5:9]", 4),
    ("[0:16:2]", 8),
    ("[1:15:2]", 7),
    ("[2:16:3]", 5),
    ("[7:8]", 1),
]


@pytest.mark.parametrize(("case", "axes"), grid(SLICES, ['{"x"}', '{"y"}', '{"x", "y"}', '{"y", "x"}', '{"x":(1)2}']))
def test_slice(case: tuple[str, int], axes: str) -> None:
    window, size = case
    op = f"%r = stablehlo.slice %s {window} : (tensor<16xf32>) -> tensor<{size}xf32>"
    first = sharded("%a", "tensor<16xf32>", f"[{axes}]", "%s")
    check(program({"a": "tensor<16xf32>"}, f"tensor<{size}xf32>", first, op, sharding=f"[{axes}]"))


PADS = [(1, 2, 0), (0, 0, 1), (2, 2, 0), (-1, 3, 0), (5, 0, 1), (0, -3, 2), (0, 9, 0), (-2, -2, 0)]


@pytest.mark.parametrize(("amounts", "size", "axes"), grid(PADS, [16, 7], ['{"x"}', '{"y"}', '{"x", "y"}']))
def test_pad(amounts: tuple[int, int, int], size: int, axes: str) -> None:
    low, high, interior = amounts
    result = f"tensor<{low + high + size + (size - 1) * interior}xf32>"
    operand = f"tensor<{size}xf32>"
    op = (
        f"%r = stablehlo.pad %s, %v, low = [{low}], high = [{high}], interior = [{interior}] "
        f": ({operand}, tensor<f32>) -> {result}"
    )
    first = sharded("%a", operand, f"[{axes}]", "%s")
    text = program({"a": operand, "v": "tensor<f32>"}, result, first, op, sharding=f"[{axes}]")
    check(text, inputs=[np.arange(1, size + 1, dtype=np.float32), np.array(100, np.float32)])


@pytest.mark.parametrize(("whole", "size", "start"), grid([16, 13], [1, 3, 5, 16], [-1, 0, 2, 3, 4, 6, 9, 20]))
def test_dynamic_update_slice(whole: int, size: int, start: int) -> None:
    size = min(size, whole)
    operand, update = f"tensor<{whole}xf32>", f"tensor<{size}xf32>"
    op = f"%r = stablehlo.dynamic_update_slice %s, %u, %i : ({operand}, {update}, tensor<i32>) -> {operand}"
    first = sharded("%a", operand, '[{"x"}]', "%s")
    text = program({"a": operand, "u": update, "i": "tensor<i32>"}, operand, first, op, sharding='[{"x"}]')
    values = [np.arange(whole, dtype=np.float32), 100 + np.arange(size, dtype=np.float32), np.array(start, np.int32)]
    check(text, inputs=values)


@pytest.mark.parametrize("element", ["i8", "ui8", "i32", "ui32"])
def test_dynamic_update_slice_with_narrow_index(element: str) -> None:
    """Offsets of parts do not fit into the index type. XLA itself does not survive this in all versions."""
    operand = "tensor<256xf32>"
    op = f"%r = stablehlo.dynamic_update_slice %s, %u, %i : ({operand}, tensor<1xf32>, tensor<{element}>) -> {operand}"
    arguments = {"a": operand, "u": "tensor<1xf32>", "i": f"tensor<{element}>"}
    text = program(arguments, operand, sharded("%a", operand, '[{"x"}]', "%s"), op, sharding='[{"x"}]')
    index = np.array(120, dtype={"i8": np.int8, "ui8": np.uint8, "i32": np.int32, "ui32": np.uint32}[element])
    expected = np.arange(256, dtype=np.float32)
    inputs = [expected.copy(), np.array([-1], np.float32), index]
    expected[120] = -1
    (got,) = run_partitioned(partition(text), inputs)
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("size", [16, 13])
@pytest.mark.parametrize("start", [-3, 0, 5, 30])
def test_dynamic_slice(size: int, start: int) -> None:
    operand = f"tensor<{size}x6xf32>"
    op = f"%r = stablehlo.dynamic_slice %s, %i, %i, sizes = [{size}, 2] : ({operand}, tensor<i32>, tensor<i32>) -> "
    first = sharded("%a", operand, '[{"x"}, {}]', "%s")
    result = f"tensor<{size}x2xf32>"
    text = program({"a": operand, "i": "tensor<i32>"}, result, first, op + result, sharding='[{"x"}, {}]')
    check(text, inputs=[np.arange(size * 6, dtype=np.float32).reshape(size, 6), np.array(start, np.int32)])


@pytest.mark.parametrize("size", [16, 7, 5])
@pytest.mark.parametrize("axes", ['{"x"}', '{"y", "x"}', '{"y"}'])
def test_reverse(size: int, axes: str) -> None:
    type_ = f"tensor<{size}x3xf32>"
    first = sharded("%a", type_, f"[{axes}, {{}}]", "%s")
    op = f"%r = stablehlo.reverse %s, dims = [0, 1] : {type_}"
    check(program({"a": type_}, type_, first, op, sharding=f"[{axes}, {{}}]"))


@pytest.mark.parametrize("shift", [1, 8, 5])
def test_rotation_of_a_sharded_dimension(shift: int) -> None:
    """What `jnp.roll` makes."""
    one, two = 16 - shift, shift
    lines = [
        sharded("%a", "tensor<16xf32>", '[{"x"}]', "%s"),
        f"%b = stablehlo.slice %s [{shift}:16] : (tensor<16xf32>) -> tensor<{one}xf32>",
        f"%c = stablehlo.slice %s [0:{shift}] : (tensor<16xf32>) -> tensor<{two}xf32>",
        f"%r = stablehlo.concatenate %b, %c, dim = 0 : (tensor<{one}xf32>, tensor<{two}xf32>) -> tensor<16xf32>",
    ]
    check(program({"a": "tensor<16xf32>"}, "tensor<16xf32>", *lines, sharding='[{"x"}]'))


RESHAPES = [
    ("10", "2x5", '[{"y", "x"}]', '[{"y"}, {"x"}]'),
    ("2x5", "10", '[{"y"}, {"x"}]', '[{"y", "x"}]'),
    ("16", "4x4", '[{"x", "y"}]', '[{"x"}, {"y"}]'),
    ("6", "3x2", '[{"x"}]', '[{"x"}, {}]'),
    ("7x4", "28", '[{"x"}, {}]', '[{"x"}]'),
    ("5x6x2", "30x2", '[{"x"}, {"y"}, {}]', "[{}, {}]"),
    ("4x15", "6x10", '[{"y"}, {"x"}]', '[{"y"}, {"x"}]'),
    ("1x12", "12x1", '[{}, {"x"}]', '[{"x"}, {}]'),
]


@pytest.mark.parametrize(("source", "target", "before", "after"), RESHAPES)
def test_reshape(source: str, target: str, before: str, after: str) -> None:
    first = sharded("%a", f"tensor<{source}xf32>", before, "%s")
    op = f"%r = stablehlo.reshape %s : (tensor<{source}xf32>) -> tensor<{target}xf32>"
    check(program({"a": f"tensor<{source}xf32>"}, f"tensor<{target}xf32>", first, op, sharding=after))


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


# Indexing -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [16, 13])
@pytest.mark.parametrize("element", ["i32", "ui8"])
def test_embedding_lookup(rows: int, element: str) -> None:
    table = f"tensor<{rows}x6xf32>"
    lines = [
        sharded("%a", table, '[{"x"}, {"y"}]', "%s"),
        '%r = "stablehlo.gather"(%s, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], '
        "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> "
        f": ({table}, tensor<9x1x{element}>) -> tensor<9x6xf32>",
    ]
    indices = (
        np.array([0, 3, 4, 5, 15, 12, 7, 100, 11]) if element == "ui8" else np.array([0, 3, 4, -2, 15, 12, 7, 100, 11])
    )
    dtype = {"i32": np.int32, "ui8": np.uint8}[element]
    values = [np.arange(rows * 6, dtype=np.float32).reshape(rows, 6), indices.astype(dtype).reshape(9, 1)]
    check(program({"a": table, "i": f"tensor<9x1x{element}>"}, "tensor<9x6xf32>", *lines), inputs=values)


@pytest.mark.parametrize(
    ("rows", "updates", "op"),
    grid([16, 13], ["[{}, {}]", '[{"y"}, {}]', '[{"y"}, {"x"}]'], ["add", "maximum", "minimum", "multiply"]),
)
def test_scatter(rows: int, updates: str, op: str) -> None:
    table, update = f"tensor<{rows}x4xf32>", "tensor<8x4xf32>"
    lines = [
        sharded("%a", table, '[{"x"}, {}]', "%s"),
        sharded("%u", update, updates, "%t"),
        '%r = "stablehlo.scatter"(%s, %i, %t) <{scatter_dimension_numbers = '
        "#stablehlo.scatter<update_window_dims = [1], "
        f"inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> {body(op)} "
        f": ({table}, tensor<8x1xi32>, {update}) -> {table}",
    ]
    text = program({"a": table, "i": "tensor<8x1xi32>", "u": update}, table, *lines, sharding='[{"x"}, {}]')
    indices = np.array([0, 3, 3, 12, -1, 40, 7, 4], np.int32).reshape(8, 1)
    whole = (1 + np.arange(rows * 4, dtype=np.float32) % 7).reshape(rows, 4)
    parts = (np.arange(32, dtype=np.float32) % 5 - 2).reshape(8, 4)
    parts[1, 1] = -np.inf if op != "multiply" else 3
    check(text, inputs=[whole, indices, parts])


def test_scatter_that_keeps_the_last_update() -> None:
    """The updates of a body that is no sum are gathered."""
    table, update = "tensor<8xf32>", "tensor<4xf32>"
    lines = [
        sharded("%a", table, '[{"y"}]', "%s"),
        sharded("%u", update, '[{"x"}]', "%t"),
        '%r = "stablehlo.scatter"(%s, %i, %t) <{scatter_dimension_numbers = '
        "#stablehlo.scatter<inserted_window_dims = [0], "
        "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({",
        "  ^bb0(%p: tensor<f32>, %q: tensor<f32>):",
        "    stablehlo.return %q : tensor<f32>",
        f"  }}) : ({table}, tensor<4x1xi32>, {update}) -> {table}",
    ]
    text = program({"a": table, "i": "tensor<4x1xi32>", "u": update}, table, *lines)
    check(
        text,
        inputs=[
            np.arange(8, dtype=np.float32),
            np.array([[6], [1], [3], [0]], np.int32),
            np.array([50, 51, 52, 53], np.float32),
        ],
    )


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
