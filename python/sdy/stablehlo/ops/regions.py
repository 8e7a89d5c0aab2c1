"""Regions from Python functions, copies of regions, and builders of control flow."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, Unpack

from sdy.mlir import ir
from sdy.mlir.rewriting import At, terminator
from sdy.stablehlo.ops.making.constants import TypeLike, as_type
from sdy.stablehlo.ops.making.creation import RegionPlan, Returned, create
from sdy.stablehlo.ops.values import Argument, Group, like, listed, several

__all__ = ["case", "if_", "return_"]

V = TypeVar("V", bound=ir.Value)

Body = Callable[..., Returned] | ir.Region
"""Takes the arguments of the region as values and returns what the region returns; or a region that is copied."""


def region(arguments: Sequence[ir.Type], body: Body) -> RegionPlan:
    """Build a region with arguments of these types, or copy one."""
    if isinstance(body, ir.Region) and len(body.blocks) == 1:
        block = body.blocks[0]
        types = [argument.type for argument in block.arguments]
        end = terminator(block).location
        return RegionPlan(types, lambda *new: _copied(block, new), _as_it_is, end)
    taken: Any = body  # a region that is none of one block is refused by who makes it
    op = getattr(body, "op_name", "")
    return RegionPlan(arguments, taken, Argument, None, op if op in _ONE_OP and _are_one_type(arguments) else "")


def combining(
    values: Sequence[ir.Value], element_type: TypeLike | None, body: Body
) -> Callable[[], Sequence[RegionPlan]]:
    """Return the region of an op whose body takes two scalars for each of the combined values (see `scalars`).

    It is planned once the operands are known to be values.
    """
    return lambda: [region(scalars(values, element_type) * 2, body)]


_ONE_OP = frozenset(f"stablehlo.{name}" for name in "add and maximum minimum multiply or xor".split())
"""Ops that reductions mostly combine two scalars by, which builders are known by."""


def _are_one_type(arguments: Sequence[ir.Type]) -> bool:
    return len(arguments) == 2 and arguments[0] == arguments[1]


def _as_it_is(value: V) -> V:
    return value


def _copied(block: ir.Block, arguments: Sequence[ir.Value]) -> list[ir.Value]:
    """Copy a block, except its last op, to the current insertion point; return the operands of its last op."""
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
    """Return scalar types with the element types of `values`, or all with the given one; other types stay."""
    given = None if element_type is None else as_type(element_type)
    return [_scalar(value.type, given) for value in values]


def _scalar(type_: ir.Type, element: ir.Type | None) -> ir.Type:
    if not isinstance(type_, ir.ShapedType):
        return type_
    return ir.RankedTensorType.get([], element if element is not None else type_.element_type)


def if_(pred: ir.Value, on_true: Callable[[], Group], on_false: Callable[[], Group], **at: Unpack[At]) -> Group:
    """Return the results of one of two branches.

        ops.if_(pred, lambda: x, lambda: -x)

    Args:
      pred: a boolean scalar.
      on_true: takes nothing and returns a value or a list of values.
      on_false: the same for a false predicate, with the same types.
    """
    return _branches("stablehlo.if", pred, (on_true, on_false), **at)


def case(index: ir.Value, branches: Sequence[Callable[[], Group]], **at: Unpack[At]) -> Group:
    """Return the results of the branch with that index, an `i32` scalar; of the last branch if there is none."""
    return _branches("stablehlo.case", index, branches, **at)


def _branches(name: str, operand: ir.Value, branches: Sequence[Callable[[], Group]], **at: Unpack[At]) -> Group:
    returned: list[Group] = []

    def noted(branch: Callable[[], Group]) -> Callable[[], Group]:
        """Wrap a branch so that its returned values are recorded."""
        if not callable(branch):
            return branch

        @functools.wraps(branch)
        def call() -> Group:
            returned.append(branch())
            return returned[-1]

        return call

    plans = [region((), noted(branch)) for branch in listed(branches)]
    results = several(name, (operand,), regions=plans, **at)
    return like(returned[0], results)


def return_(results: Sequence[ir.Value] = (), **at: Unpack[At]) -> None:
    """End a region that is written without a builder; functions passed to builders do so themselves."""
    create("stablehlo.return", results, types=(), **at)
