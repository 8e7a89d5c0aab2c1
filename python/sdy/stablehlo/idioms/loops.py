"""Loops: their variables, trip counts, and how often ops run."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeGuard

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import callee_name
from sdy.mlir.rewriting import defining_op, remade, terminator
from sdy.mlir.walk import ops_around
from sdy.stablehlo import views
from sdy.stablehlo.constants import splat_integer

IDEMPOTENT = frozenset({"stablehlo.maximum", "stablehlo.minimum", "stablehlo.and", "stablehlo.or"})
"""Ops for which it does not matter how often a value is combined."""

COMMUTATIVE = IDEMPOTENT | {"stablehlo.add", "stablehlo.multiply", "stablehlo.xor"}
"""Associative ops for which the order does not matter."""


_REDUCTIONS = frozenset(f"stablehlo.{name}" for name in ("add", "multiply", "maximum", "minimum"))

_BOOLEAN_REDUCTIONS = _REDUCTIONS | {"stablehlo.and", "stablehlo.or"}


def is_reduction(name: str, element: ir.Type) -> bool:
    """Return whether all back ends can reduce by an op: sums, products, extremes, and logic of booleans."""
    is_boolean = isinstance(element, ir.IntegerType) and element.width == 1
    return name in (_BOOLEAN_REDUCTIONS if is_boolean else _REDUCTIONS)


def combining_ops(region: ir.Region) -> list[str] | None:
    """Return the op that combines the i-th accumulator and value, for each i; None if the body does anything else."""
    block = region.blocks[0]
    arguments = list(block.arguments)
    count = len(arguments) // 2
    returned_values = terminator(block).operands
    if len(returned_values) != count:
        return None
    names: list[str] = []
    for index, returned in enumerate(returned_values):
        if isinstance(returned.owner, ir.Block):
            return None
        op = returned.owner.operation
        if op.name not in COMMUTATIVE:
            return None
        pair = [arguments[index], arguments[count + index]]
        if list(op.operands) not in (pair, pair[::-1]):
            return None
        names.append(op.name)
    return names


def selects(region: ir.Region) -> bool:
    """Return whether each result i is either accumulator i or value i.

    An example is the search for the largest element and its index. An element combined with itself must stay unchanged.
    """
    block = region.blocks[0]
    arguments = list(block.arguments)
    count = len(arguments) // 2
    returned = list(terminator(block).operands)
    if len(returned) != count:
        return False
    for index, value in enumerate(returned):
        if isinstance(value.owner, ir.Block) or not _is_one_of(value, (arguments[index], arguments[count + index])):
            return False
    return True


_CHOOSING = frozenset({"stablehlo.maximum", "stablehlo.minimum"})


def _is_one_of(value: ir.Value, candidates: tuple[ir.Value, ir.Value]) -> bool:
    """Return whether `value` is a selection between two block arguments."""
    if isinstance(value.owner, ir.Block):
        return value in candidates
    op = value.owner.operation
    if op.name == "stablehlo.select":
        return all(_is_one_of(operand, candidates) for operand in list(op.operands)[1:])
    return op.name in _CHOOSING and all(_is_one_of(operand, candidates) for operand in op.operands)


WHILE = "stablehlo.while"
BRANCHES = ("stablehlo.case", "stablehlo.if")
CONTROL_FLOW = (WHILE, *BRANCHES)

UNKNOWN_ROUNDS = 16
"""Assumed trip count of loops with unknown trip count."""


def loop_body(loop: ir.Operation) -> ir.Block:
    return loop.regions[1].blocks[0]


def loop_around(op: ir.Operation) -> ir.Operation | None:
    """Return the loop whose body directly contains `op`; None if there is none."""
    holder = op.parent
    if holder is None or holder.operation.name != WHILE or op.block != loop_body(holder.operation):
        return None
    return holder.operation


def unchanged_variables(loop: ir.Operation) -> dict[ir.Value, ir.Value]:
    """Return the initial values of the loop variables that the body returns unchanged."""
    body = loop_body(loop)
    returned = terminator(body).operands
    triples = zip(body.arguments, returned, loop.operands, strict=True)
    return {variable: before for variable, after, before in triples if after == variable}


def before_loop(value: ir.Value, loop: ir.Operation) -> ir.Value | None:
    """Return the loop-invariant value of a body value.

    It is the initial value of an unchanged loop variable, or the outer value itself; else None.
    """
    body = loop_body(loop)
    block = value.owner if isinstance(value, ir.BlockArgument) else value.owner.operation.block
    return unchanged_variables(loop).get(value) if block == body else value


def before_loops(value: ir.Value) -> ir.Value:
    """Return the value before all loops that leave it unchanged; else `value` itself."""
    while isinstance(value, ir.OpResult) and value.owner.operation.name == WHILE:
        loop = value.owner.operation
        unchanged = unchanged_variables(loop)
        variable = loop_body(loop).arguments[ir.OpResult(value).result_number]
        if variable not in unchanged:
            break
        value = unchanged[variable]
    return value


def with_more_variables(loop: ir.Operation, first: Sequence[ir.Value]) -> ir.Operation:
    """Return a loop in front of `loop` that will take its regions, with more variables, which start as `first`."""
    return remade(loop, [*loop.operands, *first], [value.type for value in (*loop.results, *first)])


def return_more(body: ir.Block, values: Sequence[ir.Value]) -> None:
    """Let a loop's body return `values` as well, behind the others."""
    old = terminator(body)
    remade(old, [*old.operands, *values], [])
    old.erase()


def take_over(loop: ir.Operation, made: ir.Operation) -> None:
    """Move the regions of `loop` to `made`, which replaces it; its condition takes all variables."""
    condition = loop.regions[0].blocks[0]
    for result in list(made.results)[len(loop.results) :]:
        condition.add_argument(result.type, loop.location)
    for source, target in zip(loop.regions, made.regions, strict=True):
        source.blocks[0].append_to(target)
    loop.erase()


_SAME_VALUE = frozenset({"sdy.data_flow_edge", "sdy.propagation_barrier", "sdy.reshard", "sdy.sharding_constraint"})
"""Ops that only say where a value is, as `jax.shard_map` does of every value of a body that leaves axes free."""

_SWAPPED = {"LT": "GT", "LE": "GE", "GT": "LT", "GE": "LE", "NE": "NE"}


@dataclass(frozen=True)
class Counting:
    """Counter of a loop: variable `number` starts at `start` and grows by `step` in each of `rounds` rounds."""

    number: int
    start: int
    step: int
    rounds: int


def trip_count(loop: ir.Operation) -> int | None:
    """Return the number of iterations of a counting `stablehlo.while`, None if unknown."""
    found = counting(loop)
    return None if found is None else found.rounds


def rounds_of(block: ir.Block) -> int:
    """Return how often a block runs per call of its function, `UNKNOWN_ROUNDS` times in a loop that does not count."""
    holders = () if block.owner is None else (block.owner.operation, *ops_around(block.owner.operation))
    counts = [trip_count(each) for each in holders if each.name == WHILE]
    return math.prod(UNKNOWN_ROUNDS if count is None else max(1, count) for count in counts)


def counting(loop: ir.Operation) -> Counting | None:
    """Return counter, start, step and rounds of a `stablehlo.while` with constant bounds; None for any other.

    The condition has to compare the counter with the limit, in any direction; the limit may be a constant, or an
    unchanged loop variable. Ops that only set shardings are ignored.
    """
    body, found = views.While(loop).body, _comparison(views.While(loop).cond)
    if found is None:
        return None
    counter, direction, limit = found
    start = splat_integer(_itself(loop.operands[counter.arg_number]))
    end = splat_integer(_itself(_invariant(limit, loop, body)))
    step = _step(body, counter.arg_number)
    if start is None or end is None or not step or not _is_far_from_overflow(counter.type, end, step):
        return None
    rounds = _rounds(start, direction, end, step)
    return None if rounds is None else Counting(counter.arg_number, start, step, rounds)


def _comparison(condition: ir.Block) -> tuple[ir.BlockArgument, str, ir.Value] | None:
    """Return the counter, the comparison that continues the loop, and the limit."""
    compare = views.Compare.defining(_itself(terminator(condition).operands[0]))
    if compare is None or compare.comparison_direction not in _SWAPPED:
        return None
    direction, lhs, rhs = compare.comparison_direction, _itself(compare.lhs), _itself(compare.rhs)
    if _is_argument(lhs, condition):
        return lhs, direction, rhs
    return (rhs, _SWAPPED[direction], lhs) if _is_argument(rhs, condition) else None


def _rounds(start: int, direction: str, end: int, step: int) -> int | None:
    """Return the trip count; None if the counter moves away from the limit."""
    if direction == "NE":
        rounds, rest = divmod(end - start, step)
        return rounds if rest == 0 and rounds >= 0 else None
    if direction in ("GT", "GE"):
        start, end, step = -start, -end, -step
    last = end if direction in ("LE", "GE") else end - 1  # the counter goes on as long as it is at most this
    if start > last:
        return 0
    return (last - start) // step + 1 if step > 0 else None


def _is_far_from_overflow(type_: ir.Type, end: int, step: int) -> bool:
    """Return whether the counter's type can hold the limit plus one step."""
    element = ir.RankedTensorType(type_).element_type
    if not isinstance(element, ir.IntegerType):
        return False
    bits = element.width - (0 if element.is_unsigned else 1)
    least = 0 if element.is_unsigned else -(2**bits)
    return least <= end + step < 2**bits


def _is_argument(value: ir.Value, block: ir.Block) -> TypeGuard[ir.BlockArgument]:
    return isinstance(value, ir.BlockArgument) and value.owner == block


def _invariant(value: ir.Value, loop: ir.Operation, body: ir.Block) -> ir.Value:
    """Return the initial value of an argument of the condition if the body leaves it unchanged, else `value`."""
    if not _is_argument(value, views.While(loop).cond):
        return value
    number = value.arg_number
    unchanged = _itself(terminator(body).operands[number]) == body.arguments[number]
    return loop.operands[number] if unchanged else value


def _step(body: ir.Block, number: int) -> int | None:
    """Return the constant that the body adds to loop variable `number`; None if there is none."""
    op = defining_op(_itself(terminator(body).operands[number]))
    if op is None or op.name not in ("stablehlo.add", "stablehlo.subtract"):
        return None
    counter = body.arguments[number]
    lhs, rhs = map(_itself, op.operands)
    if op.name == "stablehlo.subtract":
        amount = splat_integer(rhs) if lhs == counter else None
        return None if amount is None else -amount
    return splat_integer(rhs) if lhs == counter else splat_integer(lhs) if rhs == counter else None


def _itself(value: ir.Value) -> ir.Value:
    """Return the value behind ops that only rename it."""
    while (op := defining_op(value)) is not None and op.name in _SAME_VALUE:
        value = op.operands[0]
    return value


@dataclass(frozen=True, slots=True)
class Execution:
    """An op that runs, once per call of its function.

    `times` is how often it runs, by the trip counts of the loops around it; None if one of them is unknown. In a branch
    (`is_conditional`) that is the largest possible count. Ops of a function count at its calls.
    """

    op: ir.Operation
    times: int | None = 1
    is_conditional: bool = False
    is_in_loop: bool = False


def executions(
    function: ir.Operation, functions: Mapping[str, ir.Operation], wanted: Container[str]
) -> Iterator[Execution]:
    """The ops with names in `wanted` that `function` runs, in program order.

    `functions` are those of the module by name. Raises `DiagnosticError` at a recursive call.
    """
    return _walk(Execution(function), functions, wanted, (function,))


def _walk(
    outer: Execution, functions: Mapping[str, ir.Operation], wanted: Container[str], running: tuple[ir.Operation, ...]
) -> Iterator[Execution]:
    """Walk the regions of an op and the functions that they call; `running` is the call stack."""
    for number, region in enumerate(outer.op.regions):
        inner = _inside(outer, number)
        for block in region.blocks:
            for nested in block.operations:
                op = nested.operation
                if op.name in wanted:
                    yield replace(inner, op=op)
                elif op.name == "func.call":
                    callee = functions[callee_name(op)]
                    if callee in running:
                        raise DiagnosticError(op, f"recursive call of '{callee_name(op)}' is not supported")
                    yield from _walk(replace(inner, op=callee), functions, wanted, (*running, callee))
                elif len(op.regions):
                    yield from _walk(replace(inner, op=op), functions, wanted, running)


def _inside(outer: Execution, region: int) -> Execution:
    """Return how often region `region` of an op runs; a loop condition runs once more than the body."""
    if outer.op.name in BRANCHES:
        return replace(outer, is_conditional=True)
    if outer.op.name != WHILE:
        return outer
    count = trip_count(outer.op)
    times = None if count is None or outer.times is None else outer.times * (count + (region == 0))
    return replace(outer, times=times, is_in_loop=True)
