"""Asynchronous operations: pairs of ops in any dialect, chains, and conversion to and from synchronous ops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sdy.dialect.data_flow import EDGE, edge_of_owner
from sdy.dialect.definition import attributes
from sdy.dialect.hlo_async import async_builders, declarations
from sdy.dialect.hlo_async.declarations import MAIN_THREAD, START, UPDATE
from sdy.dialect.shardings.attribute_shardings import op_shardings, set_op_shardings, with_entries
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.rewriting import replace, use_instead, values_from_above
from sdy.mlir.search import ops_named

MARK = "sdy.asynchronous"
"""On an op that is synchronous for the time being: what the asynchronous operation was like (spec: async, 17)."""


@dataclass(frozen=True, slots=True)
class AsynchronousFamily:
    """Names of the ops of one kind of pairs.

    The start has one region of one block, which holds the operation and a terminator, and one result: the handle. The
    handle is operand 0 of an update, whose result is the next handle, or of the done, whose results are the
    operation's.
    """

    start: str
    done: str
    terminator: str
    update: str | None = None


_families: dict[str, AsynchronousFamily] = {}


def asynchronous_family(family: AsynchronousFamily) -> AsynchronousFamily:
    """Declares a family; passes treat its ops as those of StableHLO from then on."""
    for name in (family.start, family.done, family.update):
        if name is not None:
            _families[name] = family
    return family


STABLEHLO = asynchronous_family(AsynchronousFamily("stablehlo.async_start", "stablehlo.async_done", "stablehlo.return"))

HLO_ASYNC = asynchronous_family(
    AsynchronousFamily(declarations.START, declarations.DONE, declarations.RETURN, declarations.UPDATE)
)


def families() -> tuple[AsynchronousFamily, ...]:
    """All declared families, in order of declaration."""
    return tuple(dict.fromkeys(_families.values()))


def family_of(op: ir.Operation) -> AsynchronousFamily | None:
    """The family that a start, update or done belongs to."""
    return _families.get(op.name)


def is_start(op: ir.Operation) -> bool:
    found = _families.get(op.name)
    return found is not None and found.start == op.name


def is_done(op: ir.Operation) -> bool:
    found = _families.get(op.name)
    return found is not None and found.done == op.name


def is_update(op: ir.Operation) -> bool:
    found = _families.get(op.name)
    return found is not None and found.update == op.name


def operation_of(start: ir.Operation) -> ir.Operation:
    """Return the op that a start holds; propagation may have put data-flow edges beside it."""
    return next(op.operation for op in start.regions[0].blocks[0].operations if op.operation.name != EDGE)


def chain(start: ir.Operation) -> Iterator[ir.Operation]:
    """Return the updates and the done that follow a start by its handle, up to the first break.

    A handle that others use as well, or that leaves its block, ends the chain.
    """
    op = start
    while not is_done(op):
        users = [use.owner.operation for use in op.results[0].uses]
        if len(users) != 1 or users[0].block != start.block or not (is_done(users[0]) or is_update(users[0])):
            return
        op = users[0]
        yield op


def done_of(start: ir.Operation) -> ir.Operation | None:
    """Return the done of a start in the same block; None if there is none or more than one."""
    found = list(chain(start))
    return found[-1] if found and is_done(found[-1]) else None


def start_of(done: ir.Operation) -> ir.Operation | None:
    """Return the start that a done or update leads back to, through updates; None if the handle has another origin."""
    op = done
    while not is_start(op):
        value = op.operands[0]
        if not isinstance(value, ir.OpResult):
            return None
        op = value.owner.operation
        if family_of(op) is None or is_done(op):
            return None
    return op


def problem_of_start(start: ir.Operation) -> str | None:
    """Return the error of a start without exactly one done in its block; None if it has one."""
    op = start
    while True:
        users = [use.owner.operation for use in op.results[0].uses]
        if len(users) != 1:
            return "has no done" if not users else f"has {len(users)} users, expected one done"
        user = users[0]
        if not (is_done(user) or is_update(user)):
            return f"is handed to '{user.name}', expected a done"
        if user.block != start.block:
            return "has its done in another block"
        if is_done(user):
            return None
        op = user


def problem_of_done(done: ir.Operation) -> str | None:
    """Return the error of a done or update that does not follow a start; None if it does."""
    return None if start_of(done) is not None else "waits for a value that is not the handle of a start"


def unwrap_pair(start: ir.Operation) -> ir.Operation:
    """Replaces a start of StableHLO and its done by the op that the start holds; returns the op.

    The start must have a done (see `problem_of_start`).
    """
    op, behind = operation_of(start), list(chain(start))
    op.move_before(start)
    for argument, operand in zip(start.regions[0].blocks[0].arguments, start.operands, strict=True):
        argument.replace_all_uses_with(operand)
    for old, new in zip(behind[-1].results, op.results, strict=True):
        old.replace_all_uses_with(new)
    for each in reversed(behind):
        each.erase()
    start.erase()
    return op


@dataclass(frozen=True, slots=True)
class Chain:
    """A start, its updates and its done."""

    start: ir.Operation
    updates: tuple[ir.Operation, ...]
    done: ir.Operation

    @property
    def wrapped(self) -> ir.Operation:
        """The op that is started."""
        block = self.start.regions[0].blocks[0]
        return next(op.operation for op in block.operations if op.operation.name != EDGE)

    @property
    def thread(self) -> str:
        return ir.StringAttr(self.start.attributes["thread"]).value

    @property
    def computation(self) -> str | None:
        """The name of the wrapped computation, if it has one."""
        attributes = self.start.attributes
        return ir.StringAttr(attributes["computation"]).value if "computation" in attributes else None


def chain_of(start: ir.Operation) -> Chain:
    """The chain that an `hlo_async.start` begins.

    Raises:
      DiagnosticError: no chain follows it, in an unverified module.
    """
    problem = problem_of_start(start)
    if problem is not None:
        raise DiagnosticError(start, problem)
    updates: list[ir.Operation] = []
    user = _user(start)
    while user.name == UPDATE:
        updates.append(user)
        user = _user(user)
    return Chain(start, tuple(updates), user)


def _user(op: ir.Operation) -> ir.Operation:
    return next(iter(op.results[0].uses)).owner.operation


def chains(root: ir.Operation) -> list[Chain]:
    """All chains below `root`, in textual order of their starts, nested ones first (see `chain_of`)."""
    return [chain_of(op) for op in ops_named(root, START)]


def wrap(
    op: ir.Operation,
    *,
    thread: str = MAIN_THREAD,
    computation: str | None = None,
    updates: int = 0,
    contexts: Sequence[ir.Type] = (),
    arrangement: Sequence[int] | None = None,
) -> Chain:
    """Makes an op asynchronous in place: users of its results take those of the done.

    The start has an operand for each operand of the op and for each outer value that its regions use.

    Args:
      op: the op.
      thread: the thread of execution.
      computation: name of the wrapped computation in HLO.
      updates: how many updates there are.
      contexts: the types of the context.
      arrangement: which operand of the start each operand of the op becomes; each its own, in order, if None.

    Raises:
      ValueError: `arrangement` does not say so for each operand.
    """
    captured = values_from_above(op)
    numbers = list(range(len(op.operands))) if arrangement is None else list(arrangement)
    count = max(numbers, default=-1) + 1
    if len(numbers) != len(op.operands) or set(numbers) != set(range(count)):
        raise ValueError(f"the arrangement {numbers} does not fit {len(op.operands)} operands")
    values = [*(op.operands[numbers.index(number)] for number in range(count)), *captured]
    with ir.InsertionPoint(op), op.location:
        start = async_builders.start(values, [each.type for each in op.results], contexts, thread, computation)
        bundle = start.results[0]
        waiting = []
        for _ in range(updates):
            bundle = async_builders.update(bundle)
            waiting.append(bundle.owner.operation)
        done = async_builders.done(bundle)
    for old, new in zip(op.results, done.results, strict=True):
        old.replace_all_uses_with(new)
    block = start.regions[0].blocks[0]
    with ir.InsertionPoint(block), op.location:
        ended = async_builders.return_(list(op.results))
    op.move_before(ended)
    for index, number in enumerate(numbers):
        op.operands[index] = block.arguments[number]
    for value, argument in zip(values[count:], list(block.arguments)[count:], strict=True):
        use_instead(op, {value: argument})
    return Chain(start, tuple(waiting), done)


def unwrap(chain: Chain) -> ir.Operation:
    """Replaces a start by its operation, which is returned; the inverse of `wrap`.

    Data-flow edges of the chain are erased; the shardings of the done's edges become the sharding of the op.
    """
    op, start = chain.wrapped, chain.start
    block = start.regions[0].blocks[0]
    _remove_edges(op, chain)
    for argument, operand in zip(block.arguments, start.operands, strict=True):
        argument.replace_all_uses_with(operand)
    for old, new in zip(chain.done.results, op.results, strict=True):
        old.replace_all_uses_with(new)
    op.move_before(start)
    for each in (chain.done, *reversed(chain.updates), start):
        each.erase()
    return op


def _remove_edges(op: ir.Operation, chain: Chain) -> None:
    block = chain.start.regions[0].blocks[0]
    behind = {number: edge for number, each in enumerate(chain.done.results) if (edge := edge_of_owner(each))}
    known = {number: sharding for number, edge in behind.items() if (sharding := attributes.get(edge, "sharding"))}
    if known:
        types = [result.type for result in op.results]
        set_op_shardings(op, with_entries(op_shardings(op), known, types))
    inside = [each.operation for each in block.operations if each.operation.name == EDGE]
    for edge in (*inside, *behind.values()):
        replace(edge, [edge.operands[0]])
