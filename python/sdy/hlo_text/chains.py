"""Asynchronous chains: a start, its updates, its done (spec: async, 9.1)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.hlo_text.flow import Flow, is_start
from sdy.hlo_text.model import Computation, Instruction
from sdy.hlo_text.opcodes import NATIVE_STARTS
from sdy.hlo_text.printer import HloModule
from sdy.hlo_text.shape import TOKEN, ArrayShape, Shape, TokenShape, TupleShape, same
from sdy.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class AsyncChain:
    """Asynchronous operation: start, updates and done.

    Attributes:
      start: where it begins.
      updates: its updates, in order.
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
        """Return whether the operation has native opcodes."""
        return self.computation is None

    @property
    def links(self) -> tuple[Instruction, ...]:
        """Start, updates, and the done if there is one."""
        return (self.start, *self.updates, *([self.done] if self.done else ()))

    @property
    def operands(self) -> tuple[str, ...]:
        """Return the operands of the start and of its updates."""
        return (*self.start.operands, *(name for each in self.updates for name in each.operands[1:]))


def chains(computation: Computation) -> tuple[AsyncChain, ...]:
    """Return the chains of a computation, including native ones, in the order of their starts.

    Also follows bundles through tuples, copies and barriers within the computation.
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


_U32 = ArrayShape("u32")


def is_native_start(opcode: str, operands: Sequence[Shape], shape: Shape) -> bool:
    """Return whether `shape` is valid for a native start of these operands."""
    inputs = operands[0] if len(operands) == 1 else TupleShape(tuple(operands))
    if opcode == "all-reduce-start":
        return same(shape, inputs)
    elements: tuple[Shape, ...] = shape.elements if isinstance(shape, TupleShape) else ()
    if opcode == "copy-start":
        contexts = [each.plain for each in elements[2:]]
        return (
            len(operands) == 1 and same(shape.at((1,)), inputs) and same(shape.at((0,)), inputs) and contexts == [_U32]
        )
    if opcode in ("send", "recv"):
        ends = len(elements) == 3 and same(elements[1], _U32) and isinstance(elements[2], TokenShape)
        if opcode == "recv":
            return ends and len(operands) == 1 and isinstance(operands[0], TokenShape)
        return ends and len(operands) == 2 and same(shape.at((0,)), operands[0]) and isinstance(operands[1], TokenShape)
    if len(elements) < 2 or not operands or not same(elements[0], inputs):
        return False
    if len(operands) > 1 and not _has_length(elements[1], len(operands)):
        return False
    return opcode == "collective-permute-start" or len(elements) == 2


def done_shape(opcode: str, shape: Shape) -> Shape | None:
    """Return the shape of the done of a valid start; None if that has no result."""
    if opcode == "all-reduce-start":
        return shape
    if opcode == "send":
        return TOKEN
    if opcode == "recv":
        data = shape.at((0,))
        return None if data is None else TupleShape((data, TOKEN))
    return shape.at((0 if opcode == "copy-start" else 1,))


def _has_length(shape: Shape, length: int) -> bool:
    return isinstance(shape, TupleShape) and len(shape.elements) == length
