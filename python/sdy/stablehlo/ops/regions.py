"""Regions from Python functions, and copies of regions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, TypeVar

from sdy.mlir import ir
from sdy.mlir.rewriting.insertion import terminator
from sdy.stablehlo.ops import binary
from sdy.stablehlo.ops.making.creation import RegionPlan, Returned
from sdy.stablehlo.ops.making.type_writers import TypeLike, as_type
from sdy.stablehlo.ops.values import Argument

V = TypeVar("V", bound=ir.Value)

Body = Callable[..., Returned] | ir.Region
"""Takes the arguments of the region as values and returns what the region returns; or a region that is copied."""


def region(arguments: Sequence[ir.Type], body: Body) -> RegionPlan:
    """A region with arguments of these types, or the copy of one with its own."""
    if isinstance(body, ir.Region) and len(body.blocks) == 1:
        block = body.blocks[0]
        types = [argument.type for argument in block.arguments]
        end = terminator(block).location
        return RegionPlan(types, lambda *new: _copied(block, new), _as_it_is, end)
    taken: Any = body  # a region that is none of one block is refused by who makes it
    op = _ONE_OP.get(body, "") if isinstance(body, FunctionType) and _are_one_type(arguments) else ""
    return RegionPlan(arguments, taken, Argument, None, op)


def combining(
    values: Sequence[ir.Value], element_type: TypeLike | None, body: Body
) -> Callable[[], Sequence[RegionPlan]]:
    """The region of an op whose body takes two scalars for each of the values that are combined (see `scalars`).

    It is planned once the operands are known to be values.
    """
    return lambda: [region(scalars(values, element_type) * 2, body)]


_ONE_OP: dict[Any, str] = {
    getattr(binary, name): f"stablehlo.{name.rstrip('_')}"
    for name in ("add", "and_", "maximum", "minimum", "multiply", "or_", "xor")
}
"""Builders of the ops that reductions mostly combine two scalars by."""


def _are_one_type(arguments: Sequence[ir.Type]) -> bool:
    return len(arguments) == 2 and arguments[0] == arguments[1]


def _as_it_is(value: V) -> V:
    return value


def _copied(block: ir.Block, arguments: Sequence[ir.Value]) -> list[ir.Value]:
    """Copies a block, but for its last op, to the current insertion point; returns what the last op returns."""
    *ops, end = [view.operation for view in block.operations]
    copies: dict[ir.Value, ir.Value] = dict(zip(block.arguments, arguments, strict=True))
    for op in ops:
        clone = op.clone(ip=ir.InsertionPoint.current).operation
        _rewire(clone, copies)
        copies.update(zip(op.results, clone.results, strict=True))
    return [copies.get(value, value) for value in end.operands]


def _rewire(op: ir.Operation, copies: dict[ir.Value, ir.Value]) -> None:
    for number, operand in enumerate(op.operands):
        if operand in copies:
            op.operands[number] = copies[operand]
    for inner in op.regions:
        for block in inner.blocks:
            for view in block.operations:
                _rewire(view.operation, copies)


def scalars(values: Sequence[ir.Value], element_type: TypeLike | None = None) -> list[ir.Type]:
    """Types of scalars with the element types of `values`, or all with the one given; other types stay."""
    given = None if element_type is None else as_type(element_type)
    return [_scalar(value.type, given) for value in values]


def _scalar(type_: ir.Type, element: ir.Type | None) -> ir.Type:
    if not isinstance(type_, ir.ShapedType):
        return type_
    return ir.RankedTensorType.get([], element if element is not None else type_.element_type)
