"""Types and attributes of ops on one device: worked examples, refusals, and that the conversion gives the same."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import sdy
from sdy.dialect.lowering import sharded_op
from sdy.dialect.lowering.sharded_op import ShardedOp, local_types
from sdy.dialect.ops.model import OpModel, any_model
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.mlir.walk import pre_order
from sdy.passes.partitioning.local import convert_global_to_local as conversion
from tests import depth
from tests.data.generate import names, program

MESH = Mesh.of(x=2)


def sharding(text: str) -> str:
    """`x,` is a first dimension on axis x and a second that is whole."""
    dims = ", ".join(f'{{"{axis}"}}' if axis else "{}" for axis in text.split(","))
    return f"<@mesh, [{dims}]>"


def made(
    name: str, operands: list[tuple[str, str]], result: tuple[str, str], attributes: str = "", region: str = ""
) -> tuple[sdy.Module, ir.Operation]:
    """An op in a module; operands and result with their shardings."""
    arguments = ", ".join(
        f"%a{number}: tensor<{type_}> {{sdy.sharding = #sdy.sharding{sharding(axes)}}}"
        if "x" in type_
        else f"%a{number}: tensor<{type_}>"
        for number, (type_, axes) in enumerate(operands)
    )
    used = ", ".join(f"%a{number}" for number in range(len(operands)))
    types = ", ".join(f"tensor<{type_}>" for type_, _ in operands)
    stored = f"sdy.sharding = #sdy.sharding_per_value<[{sharding(result[1])}]>"
    listed = f"{attributes}, {stored}" if attributes else stored
    module = sdy.parse(f"""
sdy.mesh @mesh = <["x"=2]>
func.func @main({arguments}) {{
  %0 = "{name}"({used}) {f"({region})" if region else ""} {{{listed}}} : ({types}) -> tensor<{result[0]}>
  return
}}""")
    return module, next(op for op in pre_order(module.operation) if op.name == name)


def local(*parts: Any) -> str:
    _module, op = made(*parts)
    return ", ".join(map(str, sdy.local_return_types(op, MESH)))


def attribute(name: str, *parts: Any) -> list[int]:
    _module, op = made(*parts)
    found = sdy.localize_attributes(op, MESH)
    assert "sdy.sharding" not in found and set(found) == set(op.attributes) - {"sdy.sharding"}
    value = found[name]
    return list(value) if isinstance(value, ir.DenseI64ArrayAttr) else [ir.IntegerAttr(value).value]


# Examples (spec: type-inference, 3.5) --------------------------------------------------------------------------------

SLICE = (
    "stablehlo.slice",
    [("8x4xf32", "x,")],
    ("4x4xf32", "x,"),
    "start_indices = array<i64: 0, 0>, limit_indices = array<i64: 8, 4>, strides = array<i64: 2, 1>",
)

GROUPED = (
    "stablehlo.convolution",
    [("8x8x8x4xf32", ",,,x"), ("1x1x1x16xf32", ",,,x")],
    ("8x8x8x16xf32", ",,,x"),
    "dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, "
    "feature_group_count = 4 : i64, batch_group_count = 1 : i64",
)


def pad(operand: str, result: str, low: str, high: str, interior: str) -> tuple[Any, ...]:
    attributes = (
        f"edge_padding_low = array<i64: {low}>, edge_padding_high = array<i64: {high}>, "
        f"interior_padding = array<i64: {interior}>"
    )
    return "stablehlo.pad", [(operand, "x,"), ("f32", "")], (result, "x,"), attributes


def test_slice_takes_each_part_in_steps() -> None:
    assert local(*SLICE) == "tensor<2x4xf32>"
    assert attribute("limit_indices", *SLICE) == [4, 4]
    assert attribute("strides", *SLICE) == [2, 1]


def test_convolution_divides_its_groups() -> None:
    assert local(*GROUPED) == "tensor<8x8x8x8xf32>"
    assert attribute("feature_group_count", *GROUPED) == [2]


def test_padding_between_elements_is_the_same_everywhere() -> None:
    op = pad("4x4xf32", "8x4xf32", "0, 0", "1, 0", "1, 0")
    assert local(*op) == "tensor<4x4xf32>"
    assert attribute("edge_padding_low", *op) == [0, 0]
    assert attribute("edge_padding_high", *op) == [1, 0]


def test_padding_that_moves_elements_to_other_devices_is_refused() -> None:
    with pytest.raises(sdy.DiagnosticError, match="dimension 0 must be replicated"):
        local(*pad("6x4xf32", "8x4xf32", "0, 0", "2, 0", "0, 0"))


def test_different_paddings_are_part_of_a_larger_one() -> None:
    """Two elements become one on each of two devices: one in front of the first, one behind the second."""
    op = pad("2x4xf32", "4x4xf32", "1, 0", "1, 0", "0, 0")
    assert local(*op) == "tensor<2x4xf32>"
    assert attribute("edge_padding_low", *op) == [1, 0]
    assert attribute("edge_padding_high", *op) == [1, 0]


@pytest.mark.parametrize(
    ("op", "type_"),
    [
        (("stablehlo.tanh", [("8x?xf32", "x,")], ("8x?xf32", "x,")), "tensor<4x?xf32>"),
        (("stablehlo.tanh", [("8x4xf32", ",")], ("8x4xf32", ",")), "tensor<8x4xf32>"),
        (
            ("stablehlo.transpose", [("8x4xf32", "x,")], ("4x8xf32", ",x"), "permutation = array<i64: 1, 0>"),
            "tensor<4x4xf32>",
        ),
        (("stablehlo.reshape", [("8x4xf32", "x,")], ("32xf32", "x")), "tensor<16xf32>"),
        (("stablehlo.iota", [], ("8x4xf32", "x,"), "iota_dimension = 0 : i64"), "tensor<4x4xf32>"),
        (("stablehlo.constant", [], ("8x4xf32", "x,"), "value = dense<1.0> : tensor<8x4xf32>"), "tensor<4x4xf32>"),
        (
            ("stablehlo.constant", [], ("2x1xf32", "x,"), "value = dense<[[1.0], [2.0]]> : tensor<2x1xf32>"),
            "tensor<1x1xf32>",
        ),
        (
            (
                *("stablehlo.rng", [("f32", ""), ("f32", ""), ("2xi64", "")], ("8x4xf32", "x,")),
                "rng_distribution = #stablehlo<rng_distribution UNIFORM>",
            ),
            "tensor<4x4xf32>",
        ),
        (
            ("stablehlo.broadcast", [("4xf32", "")], ("8x4xf32", "x,"), "broadcast_sizes = array<i64: 8>"),
            "tensor<4x4xf32>",
        ),
    ],
)
def test_local_types(op: Any, type_: str) -> None:
    assert local(*op) == type_


def test_constants() -> None:
    """A repeated number is repeated less often, also a complex one; of other values each device takes a part."""
    for value, expected in (
        ("dense<1.0> : tensor<8xf32>", "dense<1.000000e+00> : tensor<4xf32>"),
        ("dense<(1.0, 2.0)> : tensor<8xcomplex<f32>>", "dense<(1.000000e+00,2.000000e+00)> : tensor<4xcomplex<f32>>"),
        ("dense<[1, 2]> : tensor<2xi8>", "dense<[1, 2]> : tensor<2xi8>"),
        ("dense<[(1.0, 2.0), (2.0, 1.0)]> : tensor<2xcomplex<f32>>", None),
    ):
        type_ = value.partition("tensor<")[2][:-1]
        module, op = made("stablehlo.constant", [], (type_, "x"), f"value = {value}")
        found = sdy.localize_attributes(op, MESH)["value"]
        assert str(found) == (expected or str(op.attributes["value"])), module
        assert str(sdy.local_return_types(op, MESH)[0]).startswith(f"tensor<{int(type_[0]) // 2}x")


# What types do not tell (spec: type-inference, 3.4) ------------------------------------------------------------------

WINDOW = "window_strides = array<i64: 1>, padding = dense<1> : tensor<1x2xi64>, "


@pytest.mark.parametrize(
    "op",
    [
        ("stablehlo.reverse", [("8x4xf32", "x,")], ("8x4xf32", "x,"), "dimensions = array<i64: 0>"),
        (
            *("stablehlo.sort", [("8x4xf32", "x,")], ("8x4xf32", "x,"), "dimension = 0 : i64"),
            "{ ^bb0(%x: tensor<f32>, %y: tensor<f32>): "
            '%c = "stablehlo.compare"(%x, %y) {comparison_direction = #stablehlo<comparison_direction LT>} : '
            "(tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %c : tensor<i1> }",
        ),
        (
            *("stablehlo.fft", [("4x8xcomplex<f32>", ",x")], ("4x8xcomplex<f32>", ",x")),
            "fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>",
        ),
        ("stablehlo.reshape", [("8x4xf32", ",x")], ("32xf32", "x")),
        (
            *("stablehlo.convolution", [("2x8x1xf32", ",x,"), ("3x1x1xf32", ",,")], ("2x8x1xf32", ",x,")),
            f"{WINDOW}dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, "
            "feature_group_count = 1 : i64, batch_group_count = 1 : i64",
        ),
        ("stablehlo.add", [("8x4xf32", "x,"), ("8x4xf32", ",")], ("8x4xf32", "x,")),
        ("stablehlo.tanh", [("7x4xf32", "x,")], ("7x4xf32", "x,")),
        (
            *("stablehlo.dynamic_iota", [("2xi64", "")], ("8x4xf32", "x,")),
            "iota_dimension = 0 : i64",
        ),
        ("stablehlo.torch_index_select", [("8x4xf32", "x,"), ("8xi32", "")], ("8x4xf32", "x,"), "dim = 0 : i64"),
    ],
)
def test_refused(op: Any) -> None:
    if op[0].endswith("torch_index_select"):
        op = (*op[:3], "dim = 0 : i64, batch_dims = 0 : i64")
    with pytest.raises(sdy.DiagnosticError, match=op[0]):
        local(*op)


def test_size_of_a_sharded_dimension_is_refused() -> None:
    module = sdy.parse("""
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<8x4xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<8x4xf32>) -> tensor<i32>
  return
}""")
    first, second = (op for op in pre_order(module.operation) if op.name == "stablehlo.get_dimension_size")
    with pytest.raises(sdy.DiagnosticError, match="dimension 0 must be replicated"):
        sdy.local_return_types(first, MESH)
    assert list(map(str, sdy.local_return_types(second, MESH))) == ["tensor<i32>"]


# The conversion ------------------------------------------------------------------------------------------------------

NUMBER = "test.number"

LARGE = {"transformer_96", "transformer_96_functions"}
SOME = ("cnn", "gnn", "moe", "while_cond", "transformer_2")
PROGRAMS = [name for name in names() if name not in LARGE] if depth.ALL else SOME

GLOBAL = (
    "sdy-propagation-pipeline,func.func(sdy-insert-explicit-reshards{enable-full-version=true},"
    "sdy-reshard-to-collectives),sdy-pad-for-divisibility"
)


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_conversion_gives_the_same(name: str) -> None:
    """Ops of real programs that keep their place in them have these types and attributes in the program of a device."""
    module = sdy.parse(program(name))
    sdy.run(module, GLOBAL)
    wanted, mesh = {}, next(iter(MeshTable(module).by_name.values()))
    numbered = [op for op in pre_order(module.operation) if op.name.startswith("stablehlo.")]
    for number, op in enumerate(numbered):
        try:
            types = sdy.local_return_types(op, mesh)
        except sdy.DiagnosticError:
            continue
        op.attributes[NUMBER] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64, module.context), number)
        wanted[number] = op.name, types, sdy.localize_attributes(op, mesh)
    assert len(wanted) >= 0.8 * len(numbered)
    sdy.run(module, "sdy-convert-global-to-local")
    compared = 0
    for op in pre_order(module.operation):
        if NUMBER in op.attributes:
            compared += 1
            kind, types, attributes = wanted[op.attributes[NUMBER].value]
            assert (op.name, [result.type for result in op.results]) == (kind, types)
            given = {key: op.attributes[key] for key in attributes if key != NUMBER}
            assert given == {key: value for key, value in attributes.items() if key != NUMBER}
    assert compared >= 0.7 * len(numbered)


KEPT = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<i32>) -> tensor<8x8xf32> {
  %0 = stablehlo.slice %x [0:8:2, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.dynamic_slice %0, %i, %i, sizes = [4, 2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x2xf32>
  %2 = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} dense<1.0> : tensor<4x2xf32>
  %3 = stablehlo.add %1, %2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<4x2xf32>
  %4 = stablehlo.constant dense<2.0> : tensor<f32>
  %5 = "stablehlo.broadcast"(%4) {broadcast_sizes = array<i64: 8, 8>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<f32>) -> tensor<8x8xf32>
  return %5 : tensor<8x8xf32>
}
"""  # noqa: E501


def test_conversion_asks_where_the_public_functions_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    """What each device has is derived in one place, with the same answers for one op and for a whole program."""
    asked: dict[str, list[tuple[str, str]]] = {}

    class Noted(OpModel):
        def __init__(self, model: OpModel) -> None:
            self.model = model

        def local_attributes(self, op: ShardedOp) -> dict[str, Any]:
            found = self.model.local_attributes(op)
            asked.setdefault(op.op.name, []).append((str(local_types(op)), str(found)))
            return found

    def noted(op: ir.Operation, part: str) -> OpModel:
        model = any_model(op, part)
        return Noted(model) if part == "local_attributes" else model

    monkeypatch.setattr(sharded_op, "any_model", noted)
    module = sdy.parse(KEPT)
    changed = {"slice", "dynamic_slice", "constant", "broadcast"}
    for op in pre_order(module.operation):
        if op.name.removeprefix("stablehlo.") in changed and "sdy.sharding" in op.attributes:
            sdy.local_return_types(op, MESH)
    by_op = {name: answers[0] for name, answers in asked.items()}
    asked.clear()
    sdy.run(module, "sdy-convert-global-to-local")
    assert {name: answers[0] for name, answers in asked.items()} == by_op
    assert len(by_op) == len(changed)


def test_nothing_else_of_the_conversion_derives_types() -> None:
    """Layouts know their local types; the conversion has them from the place where the public functions have them."""
    room = Path(conversion.__file__).parent
    others = [file for file in room.rglob("*.py") if file.parent.name != "inference"]
    assert len(others) > 2
    assert [file.name for file in others if re.search(r"\.local_type\b|\.local_attributes\(", file.read_text())] == []
