"""Sizes of results as values of the program are, computed on static operands, those of the inferred types."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.stablehlo import InferenceError, infer_return_types, reify_return_type_shapes
from sdy.stablehlo.declarations import declaration_of
from tests.depth import ALL
from tests.generators.typed_ops import CASE_GENERATORS, Case, random_case
from tests.parity.stablehlo_worker import make_context

WITHOUT_TENSORS = {
    f"stablehlo.{name}" for name in "after_all async_start create_token infeed outfeed recv send tuple".split()
}

SAYING_SIZES = {
    "stablehlo.dynamic_broadcast_in_dim": {1},
    "stablehlo.dynamic_conv": {2},
    "stablehlo.dynamic_gather": {2},
    "stablehlo.dynamic_iota": {0},
    "stablehlo.dynamic_pad": {2, 3, 4},
    "stablehlo.dynamic_reshape": {1},
    "stablehlo.real_dynamic_slice": {1, 2, 3},
    "stablehlo.rng": {2},
    "stablehlo.set_dimension_size": {1},
}
"""Operands whose values count."""

_SIZES = re.compile(r"tensor<((?:(?:\d+|\?)x)+)(.*?)(?:, #stablehlo\.bounds<[^>]*>)?>$")


def _opened(text: str) -> str:
    """The type with no size known."""
    found = _SIZES.match(text)
    return f"tensor<{'?x' * found[1].count('x')}{found[2]}>" if found and "!quant" not in text else text


def _shape(text: str) -> list[int]:
    found = _SIZES.match(text)
    return [int(size) for size in found[1].split("x")[:-1]] if found else []


class Evaluator:
    """Computes values of type `index` on operands of given shapes and contents."""

    def __init__(self, operands: dict[Any, tuple[list[int], list[int]]]) -> None:
        self._operands = operands

    def of(self, value: Any) -> Any:
        op = value.owner.operation
        if value in self._operands:
            return self._operands[value][1]
        operands = list(op.operands)
        if op.name == "tensor.dim":
            return self._operands[operands[0]][0][self.of(operands[1])]
        if op.name == "tensor.extract":
            dims, contents = self._operands[operands[0]]
            place = 0
            for extent, index in zip(dims, operands[1:], strict=True):
                place = place * extent + self.of(index)
            return contents[place]
        if op.name == "arith.constant":
            attribute = op.attributes["value"]
            return attribute.value if isinstance(attribute, ir.IntegerAttr) else list(attribute)
        return self._computed(op.name, [self.of(operand) for operand in operands])

    def _computed(self, name: str, values: list[Any]) -> Any:
        if name == "tensor.from_elements":
            return values
        if name == "arith.index_cast":
            return values[0]
        if name == "arith.select":
            return values[1] if values[0] else values[2]
        first, second = values
        return {
            "arith.addi": lambda: first + second,
            "arith.subi": lambda: first - second,
            "arith.muli": lambda: first * second,
            "arith.divsi": lambda: math.trunc(first / second),
            "arith.maxsi": lambda: max(first, second),
            "arith.cmpi": lambda: first == second,
        }[name]()


@pytest.fixture(scope="module")
def context() -> ir.Context:
    return make_context()


@pytest.mark.parametrize("name", CASE_GENERATORS)
def test_sizes_are_those_of_static_operands(context: ir.Context, name: str) -> None:
    compared = 0
    for number in range(30 if name in WITHOUT_TENSORS else 300):
        case = random_case(number, name)
        static = _inferred(case, context)
        if static is None or "?" in " ".join([*case.operands, *static]):
            continue
        if SAYING_SIZES.get(name, set()) <= set(case.known):
            compared += _compare(context, Random(number), replace(case, results=static))
        if compared >= (40 if ALL else 4):
            break
    assert (compared > 0) == (name not in WITHOUT_TENSORS)


def _inferred(case: Case, context: ir.Context) -> tuple[str, ...] | None:
    """The types of the results of a static instance."""
    if case.results is not None:
        return case.results
    with case.parts(context) as (operands, attributes, module):
        holder = replace(case, name="test.holder", results=()).create([], {}, module)
        try:
            return tuple(map(str, infer_return_types(case.name, operands, attributes, list(holder.regions))))
        except InferenceError:
            return None


def _compare(context: ir.Context, random: Random, case: Case) -> bool:
    """Opens all sizes; says whether the sizes could be reified, and are right."""
    shapes = [_shape(text) for text in case.operands]
    contents = {number: _contents(text) for number, text in case.known.items()}
    expected = [_shape(text) for text in case.results or ()]
    opened = _opened_case(case if random.random() < 0.5 else replace(case, known={}))
    with opened.parts(context) as (operands, attributes, module):
        op = opened.create(operands, attributes, module)
        given = {operand: (shapes[number], contents.get(number, [])) for number, operand in enumerate(operands)}
        try:
            found = reify_return_type_shapes(ir.InsertionPoint(module.body), op, operands)
        except InferenceError as error:
            assert error.constraint.endswith("_results") or case.name in WITHOUT_TENSORS, (str(opened), error)
            return False
        evaluator = Evaluator(given)
        assert [evaluator.of(value) for value in found] == expected, str(case)
        assert [str(value.type) for value in found] == [f"tensor<{len(dims)}xindex>" for dims in expected]
    return True


def _opened_case(case: Case) -> Case:
    """The same with sizes that are not known, but for those of operands whose values count."""
    declared = declaration_of(case.name)
    assert declared is not None
    kept = SAYING_SIZES.get(case.name, set())
    is_static = [value.form in ("static", "bounded") for value in declared.results] * len(case.results or ())
    results = zip(case.results or (), is_static, strict=False)
    return replace(
        case,
        operands=tuple(text if number in kept else _opened(text) for number, text in enumerate(case.operands)),
        results=tuple(text if is_kept else _opened(text) for text, is_kept in results),
    )


def _contents(text: str) -> list[int]:
    """What is in a dense attribute that a generator has written."""
    return list(map(int, re.findall(r"-?\d+", text.partition(" : ")[0])))


def test_known_values_are_used(context: ir.Context) -> None:
    """The sizes are then written down, and nothing is read from the operands."""
    cases = (random_case(number, "stablehlo.dynamic_pad") for number in range(100))
    case = _opened_case(next(case for case in cases if len(case.known) == 3 and case.operands[0].count("x") > 1))
    with case.parts(context) as (operands, attributes, module):
        op = case.create(operands, attributes, module)
        reify_return_type_shapes(ir.InsertionPoint(module.body), op, operands)
        names = [view.operation.name for view in module.body.operations]
    assert "tensor.dim" in names
    assert "tensor.extract" not in names


@pytest.mark.parametrize(
    "op",
    [
        '"stablehlo.custom_call"(%x) {call_target_name = "f"} : (tensor<?xf32>) -> tensor<?xf32>',
        '"stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<> : tensor<0x0xi64>} '
        ": (tensor<?xf32>) -> tensor<?xf32>",
        '"stablehlo.broadcast_in_dim"(%x) {broadcast_dimensions = array<i64: 0>} : (tensor<?xf32>) '
        "-> tensor<?xf32, #stablehlo.bounds<4>>",
    ],
)
def test_sizes_that_do_not_follow(context: ir.Context, op: str) -> None:
    with context, ir.Location.unknown():
        module = ir.Module.parse(f"func.func @f(%x: tensor<?xf32>) {{ %0 = {op} return }}")
        asked = module.body.operations[0].regions[0].blocks[0].operations[0].operation
        with pytest.raises(InferenceError, match="does not follow from its operands"):
            reify_return_type_shapes(ir.InsertionPoint(asked), asked, list(asked.operands))


def test_one_open_size_of_a_reshape_follows(context: ir.Context) -> None:
    with context, ir.Location.unknown():
        module = ir.Module.parse("""
            func.func @f(%x: tensor<?x6xf32>) {
              %0 = "stablehlo.reshape"(%x) : (tensor<?x6xf32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 9>>
              return
            }""")
        asked = module.body.operations[0].regions[0].blocks[0].operations[0].operation
        (found,) = reify_return_type_shapes(ir.InsertionPoint(asked), asked, list(asked.operands))
        assert Evaluator({asked.operands[0]: ([2, 6], [])}).of(found) == [4, 3]


def test_what_a_scan_carries_is_not_as_long_as_what_it_scans(context: ir.Context) -> None:
    """The sizes of what is carried are those that the body returns, which nobody knows before it runs."""
    text = """
      func.func @f(%x: tensor<?x4xf32>, %c: tensor<?xf32>) {
        %0:2 = "chlo.scan"(%x, %c) <{dimension = 0 : i64, is_associative = false, is_reverse = false,
            operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
        ^bb0(%a: tensor<4xf32>, %b: tensor<?xf32>):
          stablehlo.return %a, %b : tensor<4xf32>, tensor<?xf32>
        }) : (tensor<?x4xf32>, tensor<?xf32>) -> (tensor<?x4xf32>, tensor<?xf32>)
        return
      }"""
    with context, ir.Location.unknown():
        module = ir.Module.parse(text)
        op = ops_named(module.operation, "chlo.scan")[0]
        with pytest.raises(InferenceError, match="size 0 of its result does not follow"):
            reify_return_type_shapes(ir.InsertionPoint(op), op, list(op.operands))
