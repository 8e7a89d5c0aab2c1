"""Modules are verified op by op: a valid one that is changed is refused at what was changed, or behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import sdy
from sdy.mlir import ir
from sdy.stablehlo import InferenceError, register_op, registry, verify_module

_MODULE = """func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>, %c: tensor<f32>, %p: tensor<i1>) {
  %t0 = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %t1 = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %r0 = "stablehlo.reduce"(%x, %c) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %v = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%v) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %r1 = "stablehlo.reduce"(%x, %c) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %v = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%v) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %d0 = "stablehlo.if"(%p) ({
    %v = "stablehlo.if"(%p) ({
      "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }, {
      "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }) : (tensor<i1>) -> tensor<f32>
    "stablehlo.return"(%v) : (tensor<f32>) -> ()
  }, {
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<i1>) -> tensor<f32>
  %d1 = "stablehlo.if"(%p) ({
    %v = "stablehlo.if"(%p) ({
      "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }, {
      "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }) : (tensor<i1>) -> tensor<f32>
    "stablehlo.return"(%v) : (tensor<f32>) -> ()
  }, {
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<i1>) -> tensor<f32>
  %k0 = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %k1 = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
  %w0 = "stablehlo.dynamic_reshape"(%x, %k0) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %w1 = "stablehlo.dynamic_reshape"(%x, %k0) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %l0 = "stablehlo.reduce"(%x, %c) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%b) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %l1 = "stablehlo.reduce"(%x, %c) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%b) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %b0:2 = "stablehlo.optimization_barrier"(%c, %c) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}"""
_T1, _R1, _D1, _K1, _W1, _L1 = 1, 3, 5, 7, 9, 11
"""The number of the second op of each kind; the first one stays as it is."""


def _inner(op: Any, *path: int) -> Any:
    """The op at a path of numbers, each in the first block of the first region."""
    for number in path:
        op = op.regions[0].blocks[0].operations[number].operation
    return op


def _operand(op: Any, arguments: Any) -> None:
    op.operands[0] = arguments[1]


def _result(op: Any, arguments: Any) -> None:
    op.results[0].set_type(arguments[0].type)


def _attribute(op: Any, arguments: Any) -> None:
    op.attributes["permutation"] = ir.DenseI64ArrayAttr.get([0, 0], context=op.context)


def _name_of_an_attribute(op: Any, arguments: Any) -> None:
    op.attributes["other"] = op.attributes["permutation"]
    del op.attributes["permutation"]


def _more_results_than_operands(op: Any, arguments: Any) -> None:
    """As many types as the barrier at the end has."""
    scalar = arguments[2]
    place, location = ir.InsertionPoint(op.parent.regions[0].blocks[0].operations[13].operation), op.location
    ir.Operation.create("stablehlo.optimization_barrier", [scalar.type] * 3, [scalar], ip=place, loc=location)


def _argument_of_a_region(op: Any, arguments: Any) -> None:
    op.regions[0].blocks[0].arguments[0].set_type(arguments[3].type)


def _result_in_a_region(op: Any, arguments: Any) -> None:
    _inner(op, 0).results[0].set_type(arguments[3].type)


def _returned_from_a_region(op: Any, arguments: Any) -> None:
    _inner(op, 1).operands[0] = arguments[3]


def _returned_from_a_region_in_a_region(op: Any, arguments: Any) -> None:
    _inner(op, 0, 0).operands[0] = arguments[3]


def _known_operand(op: Any, arguments: Any) -> None:
    op.operands[1] = op.parent.regions[0].blocks[0].operations[_K1].operation.results[0]


@pytest.mark.parametrize(
    ("number", "change"),
    [
        (_T1, _operand),
        (_T1, _result),
        (_T1, _attribute),
        (_R1, _operand),
        (_R1, _argument_of_a_region),
        (_R1, _result_in_a_region),
        (_R1, _returned_from_a_region),
        (_D1, _returned_from_a_region),
        (_D1, _returned_from_a_region_in_a_region),
        (_W1, _known_operand),
        (_T1, _name_of_an_attribute),
        (_L1, _argument_of_a_region),
        (_L1, _more_results_than_operands),
    ],
)
def test_what_differs_is_verified(number: int, change: Callable[[Any, Any], None]) -> None:
    module = sdy.parse(_MODULE, "f.mlir")
    block = module.body.operations[0].regions[0].blocks[0]
    verify_module(module, upstream=False)
    changed = block.operations[number].operation
    change(changed, block.arguments)
    with pytest.raises(InferenceError) as raised:
        verify_module(module, upstream=False)
    first = str(changed.location).split(":")[1]
    assert int(str(raised.value.location).split(":")[1]) >= int(first)


def test_a_registered_verifier_is_asked_about_each_op(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    known = registry.find("stablehlo.transpose")
    assert known is not None
    monkeypatch.setitem(registry._registrations, "stablehlo.transpose", known)
    register_op("stablehlo.transpose", verify=asked.append)
    module = sdy.parse(_MODULE)
    asked.clear()
    verify_module(module, upstream=False)
    assert len(asked) == 2
