"""The mark of an op that was asynchronous, and will be again once it is local (spec: async, 17).

The op says what the asynchronous operation was like, the module has one entry for each, by number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sdy.dialect.asynchronous_pairs import MARK
from sdy.dialect.hlo_async.chains import Chain
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, Position, position_of


@dataclass(frozen=True, slots=True)
class Mark:
    """What is needed to start an op again.

    `number` tells asynchronous operations apart. With `is_stablehlo` it was one of StableHLO, with `is_late` something
    stood between its start and its done.
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
        """That of an op that has one; `DiagnosticError` if it is no valid one."""
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
    """Whether start, updates and done follow one another directly."""
    op = chain.start
    for link in (*chain.updates, chain.done):
        if ir.InsertionPoint.after(op).ref_operation != link:
            return False
        op = link
    return True


@dataclass(frozen=True, slots=True)
class Origin:
    """What an asynchronous operation was, for messages: name and place of the op."""

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
    """The origins that are noted on the module, from which they are removed.

    Raises:
      DiagnosticError: what stands there are none.
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
    """Reports what is wrong with a mark that somebody has written."""
    try:
        yield
    except (KeyError, TypeError, ValueError):
        raise DiagnosticError(op, f"has an attribute '{MARK}' that sdy-mark-asynchronous does not write") from None
