"""sdy-convert-async: Convert asynchronous operations to another form, or make them synchronous.

    %s = hlo_async.start(%a) thread "main" (%x: tensor<8xf32>) {
      %y = stablehlo.tanh %x : tensor<8xf32>
      hlo_async.return %y : tensor<8xf32>
    } : (tensor<8xf32>) -> !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], []>
    %0 = hlo_async.done %s : !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], []> -> tensor<8xf32>
==> %0 = stablehlo.tanh %a : tensor<8xf32>

`to` is the form:

* `synchronous`: the op alone, where its start was. Undoes `sdy-async-collectives`.
* `hlo-async`: StableHLO's pairs become chains of the dialect hlo_async. `mark` notes on each start that it was a pair.
* `stablehlo`: chains become StableHLO's pairs. StableHLO starts collectives with one operand and one result, and
  slices; it has no updates and no threads. Other chains are errors; `keep-others` leaves them. `only-marked` converts
  those that `mark` has noted. Contexts and names of computations are dropped.
* `xla`: as `stablehlo`; slices and other chains become synchronous, because XLA does not start them from StableHLO. A
  remark names each.
* `marked`: the op alone with an attribute that keeps the rest, so that the partitioner finds ordinary ops around which
  it moves data. Collectives that StableHLO starts are local already and stay.
* `restored`: undoes `marked` for each op that is still one op with its name. The done moves to the first use if
  something stood between start and done. An op that the partitioner replaced stays synchronous, and a remark says so.

A start without exactly one done in its block is an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from typing import Any

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING, ShardingPerValue
from sdy.dialect.hlo_async import async_builders
from sdy.dialect.hlo_async.async_builders import bundle_of
from sdy.dialect.hlo_async.chains import (
    MARK,
    STABLEHLO,
    Chain,
    chain_of,
    chains,
    operation_of,
    problem_of_start,
    unwrap,
    wrap,
)
from sdy.dialect.hlo_async.declarations import IN_SHARDINGS, MAIN_THREAD, START
from sdy.dialect.shardings.attribute_shardings import op_shardings, set_op_shardings
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, Faults, Position, position_of, remark
from sdy.mlir.rewriting import first_user, replace
from sdy.mlir.search import ops_named, ops_with
from sdy.passes.options import option
from sdy.passes.overlap.pairs import checked_starts, make_synchronous, restore_all_to_all
from sdy.passes.registry import UNCHANGED, pass_

FROM_STABLEHLO = "sdy.from_stablehlo"
"""The attribute of a start of hlo_async that is to become one of StableHLO again."""

MOVES = frozenset(f"stablehlo.{name}" for name in ("slice", "dynamic_slice", "dynamic_update_slice"))
"""The ops that may be started with several operands."""

COLLECTIVES = frozenset(
    f"stablehlo.{name}"
    for name in ("all_gather", "all_reduce", "all_to_all", "collective_broadcast", "collective_permute")
) | {"stablehlo.reduce_scatter"}
"""The ops that may be started with one operand."""


def obstacle_of(chain: Chain) -> str | None:
    """Return why StableHLO cannot express a chain of hlo_async; None if it can."""
    name = chain.wrapped.name
    if chain.updates:
        return "has an update, which StableHLO lacks"
    if chain.thread != MAIN_THREAD:
        return f'is for thread "{chain.thread}", and StableHLO has no threads'
    if name not in COLLECTIVES | MOVES:
        return f"starts '{name}', which StableHLO cannot start"
    operands, results = len(chain.start.operands), len(chain.done.results)
    if results != 1 or (operands != 1 and name not in MOVES):
        counts = f"{operands} operands and {results} results"
        return f"starts '{name}' with {counts}, and StableHLO starts it with one of each"
    return None


def to_stablehlo(chain: Chain) -> None:
    """Replaces a supported chain of hlo_async by a pair of StableHLO, which takes its op."""
    start, op, done = chain.start, chain.wrapped, chain.done
    type_ = op.results[0].type
    future = ir.Type.parse(f"!stablehlo.future<{type_}>", start.context)
    arguments = list(start.regions[0].blocks[0].arguments)
    dropped = ("thread", "computation", IN_SHARDINGS, FROM_STABLEHLO)
    kept = {name: start.attributes[name] for name in start.attributes if name not in dropped}
    here: dict[str, Any] = {"loc": start.location, "ip": ir.InsertionPoint(start)}
    made = ir.Operation.create(STABLEHLO.start, [future], list(start.operands), kept, regions=1, **here)
    attributes = {name: done.attributes[name] for name in done.attributes}
    at_done = ir.InsertionPoint(done)
    ended = ir.Operation.create(STABLEHLO.done, [type_], [made.results[0]], attributes, loc=done.location, ip=at_done)
    block = made.regions[0].blocks.append(
        *(each.type for each in arguments), arg_locs=[each.location for each in arguments]
    )
    for old, new in zip(arguments, block.arguments, strict=True):
        old.replace_all_uses_with(new)
    returned, end = op.block.operations[1].operation.location, ir.InsertionPoint(block)
    op.move_before(ir.Operation.create(STABLEHLO.terminator, [], list(op.results), loc=returned, ip=end))
    replace(done, [ended.results[0]])
    start.erase()


def to_hlo_async(start: ir.Operation) -> ir.Operation:
    """Replaces a StableHLO start and its done by those of hlo_async; returns the new start.

    The pair must have passed `checked_starts`.
    """
    done, op = next(iter(start.results[0].uses)).owner.operation, operation_of(start)
    arguments = list(start.regions[0].blocks[0].arguments)
    with ir.InsertionPoint(start), start.location:
        made = async_builders.start(list(start.operands), [result.type for result in op.results])
    for name in start.attributes:
        made.attributes[name] = start.attributes[name]
    with ir.InsertionPoint(done), done.location:
        ended = async_builders.done(made.results[0])
    for name in done.attributes:
        ended.attributes[name] = done.attributes[name]
    block = made.regions[0].blocks[0]
    for old, new in zip(arguments, block.arguments, strict=True):
        old.replace_all_uses_with(new)
        new.set_location(old.location)
    terminator = op.block.operations[1].operation
    with ir.InsertionPoint(block), terminator.location:
        op.move_before(async_builders.return_(list(op.results)))
    replace(done, list(ended.results))
    start.erase()
    return made


@dataclass(frozen=True, slots=True)
class Mark:
    """Record for restarting an op.

    `number` identifies the asynchronous operation. With `is_stablehlo` it was one of StableHLO, with `is_late` there
    were ops between its start and its done.
    """

    number: int
    updates: int
    thread: str
    contexts: tuple[ir.Type, ...]
    computation: str | None
    is_stablehlo: bool
    is_late: bool

    @staticmethod
    def of_chain(number: int, chain: Chain, contexts: Sequence[ir.Type], *, is_stablehlo: bool) -> Mark:
        is_late, contexts = not _stands_together(chain), tuple(contexts)
        return Mark(number, len(chain.updates), chain.thread, contexts, chain.computation, is_stablehlo, is_late)

    @staticmethod
    def of_op(op: ir.Operation) -> Mark:
        """Return the mark of an op that has one; raise `DiagnosticError` if it is not valid."""
        with _reading(op):
            return Mark._read(op.attributes[MARK])

    @staticmethod
    def _read(entries: Mapping[str, ir.Attribute]) -> Mark:
        return Mark(
            ir.IntegerAttr(entries["number"]).value,
            ir.IntegerAttr(entries["updates"]).value,
            ir.StringAttr(entries["thread"]).value,
            tuple(ir.TypeAttr(each).value for each in ir.ArrayAttr(entries["contexts"])),
            ir.StringAttr(entries["computation"]).value if "computation" in entries else None,
            "is_stablehlo" in entries,
            "is_late" in entries,
        )

    def put(self, op: ir.Operation) -> None:
        """Marks an op."""
        i64 = ir.IntegerType.get_signless(64, op.context)
        entries: dict[str, Any] = {
            "number": ir.IntegerAttr.get(i64, self.number),
            "updates": ir.IntegerAttr.get(i64, self.updates),
            "thread": ir.StringAttr.get(self.thread, op.context),
            "contexts": ir.ArrayAttr.get([ir.TypeAttr.get(each) for each in self.contexts], op.context),
        }
        if self.computation is not None:
            entries["computation"] = ir.StringAttr.get(self.computation, op.context)
        for name in ("is_stablehlo", "is_late"):
            if getattr(self, name):
                entries[name] = ir.UnitAttr.get(op.context)
        op.attributes[MARK] = ir.DictAttr.get(entries, op.context)


def _stands_together(chain: Chain) -> bool:
    """Return whether start, updates and done are adjacent."""
    op = chain.start
    for link in (*chain.updates, chain.done):
        if ir.InsertionPoint.after(op).ref_operation != link:
            return False
        op = link
    return True


@dataclass(frozen=True, slots=True)
class Origin:
    """Name and position of an asynchronous operation, for messages."""

    name: str
    place: Position

    @staticmethod
    def of(op: ir.Operation) -> Origin:
        return Origin(op.name, position_of(op.location))


def write_origins(module: ir.Operation, origins: Sequence[Origin]) -> None:
    """Notes the origins of all marks on the module, in the order of their numbers."""
    rows = [[each.name, each.place.file, str(each.place.line), str(each.place.column)] for each in origins]
    texts = [ir.ArrayAttr.get([ir.StringAttr.get(text) for text in row]) for row in rows]
    module.attributes[MARK] = ir.ArrayAttr.get(texts)


def take_origins(module: ir.Operation) -> list[Origin]:
    """Return the origins recorded on the module, and remove them from it.

    Raises:
      DiagnosticError: the entries are not origins.
    """
    if MARK not in module.attributes:
        return []
    with _reading(module):
        rows = [list(map(_text, ir.ArrayAttr(row))) for row in ir.ArrayAttr(module.attributes[MARK])]
        found = [Origin(name, Position(file, int(line), int(column))) for name, file, line, column in rows]
    del module.attributes[MARK]
    return found


def _text(attr: ir.Attribute) -> str:
    return ir.StringAttr(attr).value


@contextmanager
def _reading(op: ir.Operation) -> Iterator[None]:
    """Reports an invalid mark."""
    try:
        yield
    except (KeyError, TypeError, ValueError):
        raise DiagnosticError(op, f"has an attribute '{MARK}' that sdy-convert-async does not write") from None


def _to_marked(module: ir.Operation) -> object:
    starts = ops_named(module, STABLEHLO.start, START)
    slices = [op for op in starts if op.name == STABLEHLO.start and operation_of(op).name in MOVES]
    if not slices and all(op.name == STABLEHLO.start for op in starts):
        return UNCHANGED
    for start in slices:
        problem = problem_of_start(start)
        if problem is not None:
            raise DiagnosticError(start, problem)
    for start in slices:
        to_hlo_async(start).attributes[FROM_STABLEHLO] = ir.UnitAttr.get(module.context)
    origins = []
    for number, chain in enumerate(chains(module)):
        contexts = bundle_of(chain.start.results[0].type).contexts
        mark = Mark.of_chain(number, chain, contexts, is_stablehlo=FROM_STABLEHLO in chain.start.attributes)
        sharding = chain.done.attributes.get(SHARDING)
        op = unwrap(chain)
        if sharding is not None:
            op.attributes[SHARDING] = sharding
        mark.put(op)
        origins.append(Origin.of(op))
    write_origins(module, origins)
    return None


def _to_restored(module: ir.Operation) -> object:
    if MARK not in module.attributes:
        return UNCHANGED
    origins = take_origins(module)
    by_number: dict[int, list[tuple[ir.Operation, Mark]]] = {}
    for op in ops_with(module, MARK):
        mark = Mark.of_op(op)
        by_number.setdefault(mark.number, []).append((op, mark))
        del op.attributes[MARK]
    for number, origin in enumerate(origins):
        _restore(by_number.get(number, ()), origin)
    return None


def _restore(marked: Sequence[tuple[ir.Operation, Mark]], origin: Origin) -> None:
    if len(marked) != 1 or marked[0][0].name != origin.name:
        became = f"it has become {len(marked)} ops" if len(marked) > 1 else "the partitioner has made other ops of it"
        remark(origin.place, f"'{origin.name}' stays synchronous: {became}")
        return
    op, mark = marked[0]
    chain = wrap(op, thread=mark.thread, computation=mark.computation, updates=mark.updates, contexts=mark.contexts)
    if mark.is_late:
        _end_late(chain)
    _keep_shardings(chain)
    if mark.is_stablehlo and obstacle_of(chain) is None:
        to_stablehlo(chain)


def _end_late(chain: Chain) -> None:
    """Moves the done to the first op that uses its results, or contains such an op."""
    first = first_user(chain.done)
    if first is not None:
        chain.done.move_before(first)


def _keep_shardings(chain: Chain) -> None:
    """Copy the shardings of the op to the ends of the chain."""
    shardings = op_shardings(chain.wrapped)
    if shardings is None:
        return
    set_op_shardings(chain.done, shardings)
    given = tuple(each for operand in chain.start.operands if (each := get_sharding(operand)) is not None)
    if given and len(given) == len(chain.start.operands):
        attributes.put(chain.start, IN_SHARDINGS, ShardingPerValue(given))


def _to_hlo_async(module: ir.Operation, *, mark: bool) -> object:
    starts = [start for start in checked_starts(module) if start.name == STABLEHLO.start]
    for start in starts:
        made = to_hlo_async(start)
        if mark:
            made.attributes[FROM_STABLEHLO] = ir.UnitAttr.get(made.context)
    return None if starts else UNCHANGED


def _to_stablehlo(module: ir.Operation, *, keep_others: bool, only_marked: bool) -> object:
    asked = [chain for chain in chains(module) if not only_marked or FROM_STABLEHLO in chain.start.attributes]
    found = [(chain, obstacle_of(chain)) for chain in asked]
    if not keep_others:
        with Faults() as faults:
            for chain, obstacle in found:
                with faults.one():
                    if obstacle is not None:
                        raise DiagnosticError(chain.start, f"{obstacle}; 'keep-others' leaves it as it is")
    possible = [chain for chain, obstacle in found if obstacle is None]
    for chain in possible:
        to_stablehlo(chain)
    return None if possible else UNCHANGED


def _to_xla(module: ir.Operation) -> object:
    starts = ops_named(module, STABLEHLO.start, START)
    if not starts:
        return UNCHANGED
    for start in starts:
        if start.name == START:
            chain = chain_of(start)
            if chain.wrapped.name not in MOVES and obstacle_of(chain) is None:
                to_stablehlo(chain)
                continue
        elif operation_of(start).name not in MOVES or problem_of_start(start) is not None:
            continue
        remark(start, f"'{operation_of(start).name}' becomes synchronous: XLA does not start it from StableHLO")
        make_synchronous(start)
    return None


def _to_synchronous(module: ir.Operation) -> object:
    starts = checked_starts(module)
    for start in starts:
        restore_all_to_all(make_synchronous(start))
    return None if starts else UNCHANGED


class Form(Enum):
    """The form that asynchronous operations get."""

    SYNCHRONOUS = "synchronous"
    HLO_ASYNC = "hlo-async"
    STABLEHLO = "stablehlo"
    XLA = "xla"
    MARKED = "marked"
    RESTORED = "restored"


@dataclass(frozen=True)
class ConvertAsyncOptions:
    """Options of sdy-convert-async."""

    to: Form = option(Form.SYNCHRONOUS, "the form of the result; see above")
    mark: bool = option(False, "to=hlo-async: note on each start that it was one of StableHLO")
    keep_others: bool = option(False, "to=stablehlo: keep operations that StableHLO cannot start")
    only_marked: bool = option(False, "to=stablehlo: leave operations without the mark of `mark`")


@pass_("sdy-convert-async", options=ConvertAsyncOptions)
def convert_async(module: ir.Operation, options: ConvertAsyncOptions) -> object:
    match options.to:
        case Form.SYNCHRONOUS:
            return _to_synchronous(module)
        case Form.HLO_ASYNC:
            return _to_hlo_async(module, mark=options.mark)
        case Form.STABLEHLO:
            return _to_stablehlo(module, keep_others=options.keep_others, only_marked=options.only_marked)
        case Form.XLA:
            return _to_xla(module)
        case Form.MARKED:
            return _to_marked(module)
        case Form.RESTORED:
            return _to_restored(module)
