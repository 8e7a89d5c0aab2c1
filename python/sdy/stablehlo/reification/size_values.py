"""Sizes as values of the program, and which function reifies the shape of which op."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sdy.mlir import ir
from sdy.stablehlo.constants import known_value
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.types.sizes import DYNAMIC

Size = int | ir.Value
"""A number, or a value of type `index`."""


class Sizes:
    """Sizes and elements of the operands of an op, read where the insertion point is.

    Attributes:
      facts: the op.
    """

    def __init__(self, facts: OpFacts, operands: Sequence[ir.Value]) -> None:
        self.facts = facts
        self._operands = operands

    def of(self, operand: int, dim: int) -> Size:
        """The size of a dimension of an operand."""
        size = self.facts.tensor(operand).dims[dim]
        return size if size != DYNAMIC else _index_op("tensor.dim", [self._operands[operand], _constant(dim)])

    def element(self, operand: int, *position: int) -> Size:
        """An element of an integer operand, which says a size."""
        known = known_value(self.facts, operand)
        if known is not None:
            flat = 0
            for extent, each in zip(known.shape, position, strict=True):
                flat = flat * extent + each
            return known.values[flat]
        element = self._operands[operand].type.element_type
        operands = [self._operands[operand], *map(_constant, position)]
        value = ir.Operation.create("tensor.extract", results=[element], operands=operands).results[0]
        return value if isinstance(element, ir.IndexType) else _index_op("arith.index_cast", [value])


# Arithmetic, done at once where both sides are known ------------------------------------------------------------------


def add(first: Size, second: Size) -> Size:
    if isinstance(first, int) and isinstance(second, int):
        return first + second
    return first if _is(second, 0) else second if _is(first, 0) else _binary("arith.addi", first, second)


def subtract(first: Size, second: Size) -> Size:
    if isinstance(first, int) and isinstance(second, int):
        return first - second
    return first if _is(second, 0) else _binary("arith.subi", first, second)


def multiply(first: Size, second: Size) -> Size:
    if isinstance(first, int) and isinstance(second, int):
        return first * second
    return first if _is(second, 1) else second if _is(first, 1) else _binary("arith.muli", first, second)


def divide(first: Size, second: Size) -> Size:
    """Rounded down; of numbers that are not negative."""
    if isinstance(first, int) and isinstance(second, int):
        return first // second
    return first if _is(second, 1) else _binary("arith.divsi", first, second)


def largest(first: Size, second: Size) -> Size:
    if isinstance(first, int) and isinstance(second, int):
        return max(first, second)
    return _binary("arith.maxsi", first, second)


def if_equal(first: Size, second: Size, then: Size, otherwise: Size) -> Size:
    """One of two sizes."""
    if isinstance(first, int) and isinstance(second, int):
        return then if first == second else otherwise
    predicate = {"predicate": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0)}
    boolean = ir.IntegerType.get_signless(1)
    operands = [_value(first), _value(second)]
    test = ir.Operation.create("arith.cmpi", results=[boolean], operands=operands, attributes=predicate).results[0]
    return _index_op("arith.select", [test, _value(then), _value(otherwise)])


def _is(size: Size, number: int) -> bool:
    return isinstance(size, int) and size == number


def _binary(name: str, first: Size, second: Size) -> ir.Value:
    return _index_op(name, [_value(first), _value(second)])


# Ops -----------------------------------------------------------------------------------------------------------------


def written(sizes: Sequence[Size]) -> ir.Value:
    """A tensor of these sizes."""
    if not sizes:
        return _tensor_op("arith.constant", [], [0], {"value": ir.Attribute.parse("dense<> : tensor<0xindex>")})
    return _tensor_op("tensor.from_elements", list(map(_value, sizes)), [len(sizes)], {})


def as_index_tensor(value: ir.Value) -> ir.Value:
    """An integer tensor with elements of type `index`."""
    type_ = ir.RankedTensorType(value.type)
    if isinstance(type_.element_type, ir.IndexType):
        return value
    return _tensor_op("arith.index_cast", [value], list(type_.shape), {})


def _value(size: Size) -> ir.Value:
    return _constant(size) if isinstance(size, int) else size


def _constant(number: int) -> ir.Value:
    return _index_op("arith.constant", [], {"value": ir.IntegerAttr.get(ir.IndexType.get(), number)})


def _index_op(name: str, operands: Sequence[ir.Value], attributes: dict[str, ir.IntegerAttr] | None = None) -> ir.Value:
    created = ir.Operation.create(
        name, results=[ir.IndexType.get()], operands=list(operands), attributes=attributes or {}
    )
    return created.results[0]


def _tensor_op(
    name: str, operands: Sequence[ir.Value], dims: Sequence[int], attributes: dict[str, ir.Attribute]
) -> ir.Value:
    type_ = ir.RankedTensorType.get(list(dims), ir.IndexType.get())
    return ir.Operation.create(name, results=[type_], operands=list(operands), attributes=attributes).results[0]


Rule = Callable[[Sizes, int, int], Size | None]
"""The size of a dimension of a result, of which number and dimension are given; None where it does not follow."""

_RULES: dict[str, Rule] = {}


def result_size(sizes: Sizes, number: int, dim: int) -> Size | None:
    """The size of a dimension of a result; None where it does not follow from the operands."""
    found = _RULES.get(sizes.facts.name)
    return None if found is None else found(sizes, number, dim)


def rule(names: str) -> Callable[[Rule], Rule]:
    """Declares the decorated function to say sizes of the results of these ops; without a dialect: of StableHLO."""

    def register(function: Rule) -> Rule:
        for name in names.split():
            _RULES[name if "." in name else f"stablehlo.{name}"] = function
        return function

    return register
