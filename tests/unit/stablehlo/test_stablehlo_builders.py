"""`sdy.stablehlo.ops`: every op is built, printed and parsed again."""

from __future__ import annotations

import importlib.util
import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sdy.mlir import ir
from sdy.stablehlo import InferenceError, ops, verify_module
from sdy.stablehlo.declarations import declared_ops
from sdy.stablehlo.ops import chlo
from tests.unit.stablehlo.builder_cases import CASES, GROUPS, MODULE, P, Values, X, added, builder_name

ROOT = Path(__file__).parents[3]


def _texts(result: Any) -> str:
    return " ".join(str(value.type) for value in (result if isinstance(result, tuple) else [result]))


def test_every_op_is_built_printed_and_parsed(module: ir.Module, values: Values) -> None:
    for name, (build, types) in CASES.items():
        result = build(values)
        first = result[0] if isinstance(result, tuple) else result
        assert first.owner.name == name
        assert _texts(result) == types, name
    verify_module(module.operation)
    printed = module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)
    again = ir.Module.parse(printed, module.context)
    assert again.operation.get_asm(print_generic_op_form=True, enable_debug_info=True) == printed
    pretty = str(module)
    assert str(ir.Module.parse(pretty, module.context)) == pretty


LATER = {"stablehlo.collective_reduce"}
"""What the registered dialect does not have yet."""


def test_every_op_has_a_builder_and_a_case() -> None:
    for name in declared_ops():
        family = chlo if name.startswith("chlo.") else ops
        assert inspect.isfunction(getattr(family, builder_name(name), None)), name
    assert set(declared_ops()) - set(CASES) == {"stablehlo.return"} | LATER
    for family in (ops, chlo):
        for function in filter(inspect.isfunction, vars(family).values()):
            if function.__module__.startswith("sdy.stablehlo.ops.") and function.__name__ in vars(family).get(
                "__all__", vars(family)
            ):
                assert function.__doc__ or function.__name__.startswith("_"), function


def test_results_are_values_with_operators(values: Values) -> None:
    x = values["x"]
    names = [
        (value.owner.name, str(value.type))
        for value in (x + 1, 1 - x, x * x, x / 2.0, x % x, x**2, -x, x <= x, x > 0, ~(x < x), (x < x) & (x >= 1))
    ]
    expected = "add subtract multiply divide remainder power negate compare compare not and".split()
    assert [name for name, _ in names] == [f"stablehlo.{name}" for name in expected]
    assert {types for _, types in names} == {X, P}
    assert x == values["x"]
    assert len({x, ops.Value(x)}) == 1
    with pytest.raises(TypeError, match=r"ops\.if_"):
        bool(x < x)


@pytest.mark.parametrize(
    ("value", "type_", "text"),
    [
        (True, None, "dense<true> : tensor<i1>"),
        (3, None, "dense<3> : tensor<i32>"),
        (0.5, None, "dense<5.000000e-01> : tensor<f32>"),
        (1 + 2j, None, "dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>"),
        (-1, "tensor<2x2xi64>", "dense<-1> : tensor<2x2xi64>"),
        (2**64 - 1, "ui64", "dense<18446744073709551615> : tensor<ui64>"),
        ([1, 200], "ui8", "dense<[1, 200]> : tensor<2xui8>"),
        ([[1, -8]], "i4", "dense<[[1, -8]]> : tensor<1x2xi4>"),
        ([1.0, 0.5], "bf16", "dense<[1.000000e+00, 5.000000e-01]> : tensor<2xbf16>"),
        ([1.0, 0.5], "f8E4M3FN", "dense<[1.000000e+00, 5.000000e-01]> : tensor<2xf8E4M3FN>"),
        ([True, False], None, "dense<[true, false]> : tensor<2xi1>"),
        ([], "f32", "dense<> : tensor<0xf32>"),
        (np.arange(3, dtype=np.int16), None, "dense<[0, 1, 2]> : tensor<3xi16>"),
        (np.array([1, 2], np.float16), None, "dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf16>"),
        (
            np.array([1, 2j]),
            None,
            "dense<[(1.000000e+00,0.000000e+00), (0.000000e+00,2.000000e+00)]> : tensor<2xcomplex<f64>>",
        ),
    ],
)
def test_constants(values: Values, value: Any, type_: str | None, text: str) -> None:
    assert str(ops.constant(value, type_).owner.attributes["value"]) == text


def test_locations_and_insertion_points(context: ir.Context) -> None:
    module = ir.Module.parse(MODULE, context)
    block = module.body.operations[1].regions[0].blocks[0]
    x = ops.Value(block.arguments[0])
    end = ir.InsertionPoint(block.operations[0])
    first = ops.tanh(x, ip=end)
    assert "test_stablehlo_builders.py" in str(first.owner.location)
    second = ops.map([first], [0, 1], lambda a: a + a, loc=ir.Location.name("m", context=context), ip=end)
    (inner, _) = second.owner.regions[0].blocks[0].operations
    assert str(second.owner.location) == str(inner.location) == 'loc("m")'
    assert [op.operation.name for op in block.operations] == ["stablehlo.tanh", "stablehlo.map", "func.return"]
    with pytest.raises(InferenceError) as caught:
        ops.transpose(x, [0], ip=end)
    assert "test_stablehlo_builders.py" in str(caught.value.location)
    with pytest.raises(InferenceError, match="needs an insertion point"):
        added(x, x)


def test_wider_body(values: Values) -> None:
    """The region of a reduction may compute in a wider type than its operands have."""
    zero = ops.constant(0.0, "bf16")
    result = ops.reduce(values["b"], zero, [1], ops.add, element_type="f32")
    assert str(result.type) == "tensor<2xf32>"


def test_the_stubs_are_current() -> None:
    spec = importlib.util.spec_from_file_location("generate_builders", ROOT / "tools" / "generate_builders.py")
    assert spec is not None and spec.loader is not None
    generate_builders = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate_builders)
    for name, text in generate_builders.stubs().items():
        written = ROOT / "python" / "sdy" / "stablehlo" / "ops" / name
        assert written.read_text(encoding="utf-8") == text, "run `make docs`"


# At one place --------------------------------------------------------------------------------------------------------


def test_a_builder_has_every_function(values: Values) -> None:
    functions = {name for name in ops.__all__ if inspect.isfunction(getattr(ops, name))}
    x = values["x"]
    b = ops.Builder.before(ops.negate(x).owner)
    assert all(inspect.ismethod(getattr(b, name)) for name in functions)
    with pytest.raises(AttributeError):
        b.negated  # noqa: B018  # pyright: ignore[reportAttributeAccessIssue]
    b.location = ir.Location.name("there", context=x.type.context)
    made = b.add(b.multiply(x, x), x)
    assert "there" in str(made.owner.location)
    assert made.owner.operation.is_before_in_block(ops.negate(x).owner.operation)


def test_values_are_results_and_arguments(values: Values) -> None:
    """Whoever asks what a value is gets the answer of the bindings."""
    x = values["x"]
    assert isinstance(x, ir.BlockArgument) and isinstance(x, ops.Value) and x.arg_number == 0
    made = x + 1.0
    assert isinstance(made, ir.OpResult) and isinstance(made, ops.Value) and made.result_number == 0
    assert not isinstance(made, ir.BlockArgument)


def test_regions_are_copied(values: Values) -> None:
    x, init = values["x"], ops.constant(0.0)
    wide = ops.reduce(x, init, [1], lambda a, b: ops.maximum(a, ops.if_(a < b, lambda: b, lambda: a)))
    copy = ops.reduce(x, init, [1], wide.owner.regions[0])
    text = str(copy.owner.operation)
    assert text.count("stablehlo.maximum") == 1 and text.count("stablehlo.return") == 3
    assert str(wide.owner.regions[0].blocks[0]) == str(copy.owner.regions[0].blocks[0])
    with pytest.raises(InferenceError, match="all_reduce_c5"):
        ops.all_reduce(values["i"], GROUPS, wide.owner.regions[0], channel=1)


@pytest.mark.parametrize("body", [ops.add, ops.and_, ops.maximum, ops.minimum, ops.multiply, ops.or_, ops.xor])
def test_bodies_of_one_op_are_the_same_when_made_again(values: Values, body: Any) -> None:
    operand = values["i"]
    first, second = (ops.all_reduce(operand, GROUPS, body, channel=1) for _ in range(2))
    name = f"stablehlo.{body.__name__.rstrip('_')}"
    for made in (first, second):
        inner, end = made.owner.regions[0].blocks[0].operations
        assert (inner.operation.name, end.operation.name) == (name, "stablehlo.return")
        assert inner.operation.location == end.operation.location == made.owner.location
    assert str(first.owner.regions[0].blocks[0]) == str(second.owner.regions[0].blocks[0])
