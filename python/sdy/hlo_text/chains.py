"""Asynchronous chains: a start, its updates, its done (spec: async, 9.1)."""

from __future__ import annotations

from dataclasses import dataclass

from sdy.hlo_text.flow import Flow, is_start
from sdy.hlo_text.model import Computation, Instruction
from sdy.hlo_text.module import HloModule
from sdy.hlo_text.opcodes import NATIVE_STARTS


@dataclass(frozen=True, slots=True)
class AsyncChain:
    """One asynchronous operation.

    Attributes:
      start: where it begins.
      updates: what continues it, in order.
      done: where it ends; None if nothing ends it, or more than one instruction, or in another computation.
      computation: the name of the wrapped computation; None for a native pair, such as all-gather-start and -done.
      thread: where it is executed.
    """

    start: Instruction
    updates: tuple[Instruction, ...]
    done: Instruction | None
    computation: str | None
    thread: str

    @property
    def is_native(self) -> bool:
        """Whether it has opcodes of its own."""
        return self.computation is None

    @property
    def links(self) -> tuple[Instruction, ...]:
        """Start, updates, and the done if there is one."""
        return (self.start, *self.updates, *([self.done] if self.done else ()))

    @property
    def operands(self) -> tuple[str, ...]:
        """The operands of the start, and those that updates add."""
        return (*self.start.operands, *(name for each in self.updates for name in each.operands[1:]))


def chains(computation: Computation) -> tuple[AsyncChain, ...]:
    """The chains of a computation, native ones too, in the order of their starts.

    Also follows bundles through tuples, copies and barriers of the computation, but not into others.
    """
    if not any(is_start(each) for each in computation.instructions):
        return ()
    flow = Flow(HloModule(computation.name, (), (computation,), computation.name))
    order = {each.name: position for position, each in enumerate(computation.instructions)}
    found = []
    for start in computation.instructions:
        if is_start(start):
            journey = flow.journey(computation, start)
            updates = sorted({each.user.name for each in journey.updates}, key=lambda name: order[name])
            dones = {each.user.name: each.user for each in journey.dones}
            done = next(iter(dones.values())) if len(dones) == 1 else None
            wrapped = None if start.opcode in NATIVE_STARTS else next(iter(start.called), "")
            later = tuple(computation.by_name[name] for name in updates)
            found.append(AsyncChain(start, later, done, wrapped, start.thread))
    return tuple(found)
