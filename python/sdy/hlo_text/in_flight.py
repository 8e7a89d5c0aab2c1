"""Buffers that asynchronous operations hold (spec: async, 9.6)."""

from __future__ import annotations

from collections import Counter

from sdy.hlo_text.chains import AsyncChain, chains, done_shape
from sdy.hlo_text.errors import HloRuleError
from sdy.hlo_text.model import Computation
from sdy.hlo_text.printer import HloModule
from sdy.hlo_text.rules.checked import bundle_parts
from sdy.hlo_text.shape import TupleShape
from sdy.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class HeldBuffers:
    """Buffers that one chain holds from its start to its done, both included.

    Attributes:
      chain: the chain.
      first: position of its start among the instructions of the computation.
      last: position of its done, or of the last instruction if this computation has no done.
      operand_bytes: bytes of its operands.
      result_bytes: bytes of its result, which is that of the done.
      context_bytes: bytes of the contexts that start, updates and done share.
    """

    chain: AsyncChain
    first: int
    last: int
    operand_bytes: int
    result_bytes: int
    context_bytes: int


@dataclass(frozen=True, slots=True)
class InFlight:
    """Buffers in flight in one computation.

    Attributes:
      computation: its name.
      held: buffers of each chain, in the order of starts.
      bytes: bytes in flight while each instruction is executed; an operand of several chains counts once.
    """

    computation: str
    held: tuple[HeldBuffers, ...]
    bytes: tuple[int, ...]

    @property
    def peak(self) -> int:
        """Peak of the bytes in flight."""
        return max(self.bytes, default=0)


def in_flight(module: HloModule) -> tuple[InFlight, ...]:
    """Return the buffers in flight of each computation that has asynchronous operations.

    The order of instructions is that of the text; it is the order of execution if the module is scheduled.

    Raises:
      HloRuleError: a buffer has no size, or a start cannot have its shape.
    """
    found = []
    for computation in module.computations:
        present = chains(computation)
        if present:
            found.append(_in_computation(computation, present))
    return tuple(found)


def _in_computation(computation: Computation, present: tuple[AsyncChain, ...]) -> InFlight:
    positions = {each.name: position for position, each in enumerate(computation.instructions)}
    end = len(positions) - 1
    held = tuple(_held(computation, each, positions, end) for each in present)
    begins: dict[int, list[HeldBuffers]] = {}
    ends: dict[int, list[HeldBuffers]] = {}
    for each in held:
        begins.setdefault(each.first, []).append(each)
        ends.setdefault(each.last, []).append(each)
    users: Counter[str] = Counter()
    total, over_time = 0, []
    for position in range(end + 1):
        for each in begins.get(position, ()):
            total += each.result_bytes + each.context_bytes
            for name in dict.fromkeys(each.chain.operands):
                total += computation.by_name[name].shape.bytes if not users[name] else 0
                users[name] += 1
        over_time.append(total)
        for each in ends.get(position, ()):
            total -= each.result_bytes + each.context_bytes
            for name in dict.fromkeys(each.chain.operands):
                users[name] -= 1
                total -= computation.by_name[name].shape.bytes if not users[name] else 0
    return InFlight(computation.name, held, tuple(over_time))


def _held(computation: Computation, chain: AsyncChain, positions: dict[str, int], end: int) -> HeldBuffers:
    start = chain.start
    last = positions[chain.done.name] if chain.done is not None and chain.done.name in positions else end
    try:
        operands = sum(computation.by_name[name].shape.bytes for name in dict.fromkeys(chain.operands))
        result, context = _result_and_context(chain)
    except ValueError as error:
        raise HloRuleError(str(error), start.position) from None
    return HeldBuffers(chain, positions[start.name], last, operands, result, context)


def _result_and_context(chain: AsyncChain) -> tuple[int, int]:
    """Return the bytes of the result, from the done if there is one, and of the context."""
    start = chain.start
    if not chain.is_native:
        parts = bundle_parts(start.shape)
        if parts is None:
            raise ValueError(f"the shape of a start is a tuple ((operands), result, context), not {start.shape}")
        result = chain.done.shape if chain.done is not None else parts[1]
        return result.bytes, sum(each.bytes for each in parts[2])
    result = done_shape(start.opcode, start.shape)
    if result is None:
        raise ValueError(f"{start.opcode} cannot have the shape {start.shape}")
    context = start.shape.elements[2:] if isinstance(start.shape, TupleShape) and start.opcode in _WITH_CONTEXT else ()
    if start.opcode in ("send", "recv"):
        return (result.bytes, 4) if start.opcode == "recv" else (0, 4)
    return result.bytes, sum(each.bytes for each in context)


_WITH_CONTEXT = frozenset({"collective-permute-start", "copy-start"})
