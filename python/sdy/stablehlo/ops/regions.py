"""Regions from Python functions, copies of regions, and builders of control flow."""

from __future__ import annotations

import functools
from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from inspect import isfunction
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, overload

from sdy.mlir import ir
from sdy.mlir.rewriting import At, clone_with, terminator
from sdy.stablehlo.op_facts import InferenceError
from sdy.stablehlo.ops.constants import TypeLike, as_type
from sdy.stablehlo.ops.creation import Options, RegionPlan, Returned, create

if TYPE_CHECKING:
    _Base = ir.Value
else:
    _Base = ABC


def operators(
    name: str, direction: str | None = None
) -> tuple[Callable[[Value, Operand], Value], Callable[[Value, Operand], Value]]:
    """Return the two methods of a binary operator, with the other operand on the right or left."""
    attributes = None if direction is None else {"comparison_direction": direction}

    def made(lhs: Operand, rhs: Operand) -> Value:
        return Result(create(f"stablehlo.{name}", _pair(name, lhs, rhs), attributes).results[0])

    return lambda value, other: made(value, other), lambda value, other: made(other, value)


class Value(_Base):
    """A value of the program whose operators make elementwise ops at the current insertion point.

    The other side is a value of the same type, or a Python number, which becomes a constant of that type. `==` and
    `hash` are those of the bindings: identity of the value.

    `Value(value)` gives operators to a value of the bindings, and is a result of an op or an argument of a block as
    that is.
    """

    __slots__ = ()

    def __new__(cls, value: ir.Value) -> Value:
        return Argument(value) if isinstance(value.owner, ir.Block) else Result(value)

    __add__, __radd__ = operators("add")
    __sub__, __rsub__ = operators("subtract")
    __mul__, __rmul__ = operators("multiply")
    __truediv__, __rtruediv__ = operators("divide")
    __mod__ = operators("remainder")[0]  # with the sign of the dividend, as in C and unlike Python's
    __pow__ = operators("power")[0]
    __and__ = operators("and")[0]
    __or__ = operators("or")[0]
    __xor__ = operators("xor")[0]
    __lt__ = operators("compare", "LT")[0]
    __le__ = operators("compare", "LE")[0]
    __gt__ = operators("compare", "GT")[0]
    __ge__ = operators("compare", "GE")[0]

    def __neg__(self) -> Value:
        return Result(create("stablehlo.negate", (self,)).results[0])

    def __invert__(self) -> Value:
        return Result(create("stablehlo.not", (self,)).results[0])

    def __bool__(self) -> bool:
        raise TypeError("a value of the program has no truth value in Python; use ops.if_ or ops.select")


def _with_operators(bound: type[ir.OpResult] | type[ir.BlockArgument]) -> Callable[[ir.Value], Value]:
    """Return a class of the bindings, which admit no second base, with the operators of `Value`."""
    base: Any = bound

    class WithOperators(base):
        __slots__ = ()

    for name, member in vars(Value).items():
        if isfunction(member) and name != "__new__":
            setattr(WithOperators, name, member)
    values: Any = Value  # an abstract base class, which a checker takes for the one of the bindings
    values.register(WithOperators)
    made: Any = WithOperators
    return made


Result = _with_operators(ir.OpResult)
Argument = _with_operators(ir.BlockArgument)

Operand = Value | complex
"""Operand of a Python operator."""

Group = TypeVar("Group", Value, ir.Value, Sequence[Value], Sequence[ir.Value])
"""One value, or several: the results come in the same way."""

Member = TypeVar("Member")


def _pair(name: str, lhs: Operand, rhs: Operand) -> tuple[ir.Value, ir.Value]:
    """Return both sides as values; at least one is a value already."""
    if isinstance(lhs, ir.Value):
        return lhs, rhs if isinstance(rhs, ir.Value) else splat_like(name, lhs, rhs)
    assert isinstance(rhs, ir.Value)
    return splat_like(name, rhs, lhs), rhs


def splat_like(name: str, value: ir.Value, number: object) -> ir.Value:
    """A constant of the type of `value` with the same number everywhere."""
    if not isinstance(number, (bool, int, float, complex)):
        raise InferenceError(f"stablehlo.{name}", f"{name}_i2", f"operand must be a value or a number, not {number!r}")
    return create("stablehlo.constant", (), {"value": (number, value.type)}).results[0]


# For the families ----------------------------------------------------------------------------------------------------


def one(
    name: str, operands: Sequence[ir.Value], attributes: Mapping[str, object] | None = None, **options: Unpack[Options]
) -> Value:
    """Create an op and return its only result; options are those of `create`."""
    return Result(create(name, operands, attributes, **options).results[0])


def several(
    name: str, operands: Sequence[ir.Value], attributes: Mapping[str, object] | None = None, **options: Unpack[Options]
) -> tuple[Value, ...]:
    """The results of a new op."""
    return tuple(map(Result, create(name, operands, attributes, **options).results))


@overload
def listed(group: ir.Value | Sequence[ir.Value]) -> list[ir.Value]: ...
@overload
def listed(group: Sequence[Member]) -> list[Member]: ...
def listed(group: object) -> Sequence[object]:
    """Return the members of a list or tuple as a list; any other object becomes its only member."""
    return list(group) if isinstance(group, (list, tuple)) else [group]


def like(group: Group | None, results: tuple[Value, ...]) -> Group:
    """Return one result for a single value, a list for several and for None."""
    several_or_one: Any = results if group is None or isinstance(group, (list, tuple)) else results[0]
    return several_or_one


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
    return RegionPlan(arguments, taken, Argument)


def combining(
    values: Sequence[ir.Value], element_type: TypeLike | None, body: Body
) -> Callable[[], Sequence[RegionPlan]]:
    """Return the region of an op whose body takes two scalars for each of the combined values (see `scalars`).

    It is planned once the operands are known to be values.
    """
    return lambda: [region(scalars(values, element_type) * 2, body)]


def _as_it_is(value: V) -> V:
    return value


def _copied(block: ir.Block, arguments: Sequence[ir.Value]) -> list[ir.Value]:
    """Copy a block, except its last op, to the current insertion point; return the operands of its last op."""
    *ops, end = [view.operation for view in block.operations]
    copies: dict[ir.Value, ir.Value] = dict(zip(block.arguments, arguments, strict=True))
    for op in ops:
        clone = clone_with(op, copies, ir.InsertionPoint.current)
        copies.update(zip(op.results, clone.results, strict=True))
    return [copies.get(value, value) for value in end.operands]


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
