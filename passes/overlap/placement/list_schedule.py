"""Orders of the ops of a block: by list scheduling, keeping part of the given order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from heapq import heappop, heappush

from sdy.passes.overlap.placement.placing import UNLIMITED, Begin, Block, End, Op, Order, Pair

# Starts as early and dones as late as a limit of bytes in flight allows; all else keeps its order (spec: async, 14.2).
#
# Whatever the durations are, the result is never slower than with every collective waited for where it starts: the
# device waits for a collective only while some collective is being sent. More bytes than the limit are in flight only
# while that is one collective alone. n collectives among m ops take O((m + n) log n).


_Place = tuple[int, int]
"""A deadline and a collective."""


def keep_order(block: Block, limit: int = UNLIMITED) -> Order:
    """The order of a block with at most `limit` bytes in flight; `UNLIMITED` for any number."""
    return _Walk(block, limit).order()


def _deadlines(block: Block, users: list[list[int]]) -> list[int]:
    """Return, by collective, the position of its result's first user, also through other collectives."""
    end = len(block.nodes)
    found = [end] * end
    for number in reversed(range(end)):
        if block.nodes[number].pair is not None:
            found[number] = min(
                (user if block.nodes[user].pair is None else found[user] for user in users[number]), default=end
            )
    return found


class _Placing(ABC):
    """The state of placing the ops of a block: operands that nodes lack, bytes in flight, nodes placed."""

    def __init__(self, block: Block, limit: int) -> None:
        self.nodes = block.nodes
        self.limit = limit
        self.users = block.users()
        self.starts, self.dones = block.segments()
        self.before, self.after = chains(block)
        self.missing = [len(set(node.operands)) for node in block.nodes]
        for number in self.before:
            self.missing[number] += 1
        self.segment = 0
        self.bytes = 0
        self.placed: Order = []

    def _have(self, number: int) -> None:
        """The results of a node are there."""
        for user in self.users[number]:
            self._lacks_one_less(user)

    def _lacks_one_less(self, number: int) -> None:
        self.missing[number] -= 1
        self._offer(number)

    @abstractmethod
    def _offer(self, number: int) -> None:
        """Make a node available if nothing that it needs is missing."""

    def _pair(self, number: int) -> Pair:
        pair = self.nodes[number].pair
        assert pair is not None, "asked for collectives only"
        return pair


class _Walk(_Placing):
    """The state of the walk over a block: nodes waiting, collectives in flight, nodes placed."""

    def __init__(self, block: Block, limit: int) -> None:
        super().__init__(block, limit)
        self.returned = block.returned
        self.deadlines = _deadlines(block, self.users)
        self.collectives = _by_segment(block, self.starts, self.dones)
        self.started = [False] * len(block.nodes)
        self.complete = [False] * len(block.nodes)
        self.ready: list[_Place] = []
        self.flying: list[_Place] = []

    def order(self) -> Order:
        self._open_segment()
        for number, node in enumerate(self.nodes):
            if node.pair is not None:
                continue
            self._finish_all(node.operands)
            if node.is_ordered:
                self._close_segment()
            self.placed.append(Op(number))
            self._have(number)
            if node.is_ordered:
                self.segment += 1
                self._open_segment()
            self._issue()
        self._finish_all(self.returned)
        self._close_segment()
        return self.placed

    # Segments ------------------------------------------------------------------------------------

    def _open_segment(self) -> None:
        """Queue the starts of this segment whose operands are available."""
        for number in self.collectives.get(self.segment, ()):
            self._offer(number)
        self._issue()

    def _close_segment(self) -> None:
        """Place the remaining starts and dones of this segment."""
        for number in self.collectives.get(self.segment, ()):
            if self.dones[number] == self.segment:
                self._finish(number)
            else:
                self._start(number)

    # Starts --------------------------------------------------------------------------------------

    def _offer(self, number: int) -> None:
        is_open = self.nodes[number].pair is not None and self.starts[number] == self.segment
        if is_open and not self.missing[number] and not self.started[number]:
            heappush(self.ready, (self.deadlines[number], number))

    def _issue(self) -> None:
        """Start ready collectives, most urgent first, until one does not fit."""
        while self.ready:
            number = self.ready[0][1]
            if not self.started[number] and not self._fits(number):
                return
            heappop(self.ready)
            if not self.started[number]:
                self._begin(number)

    def _fits(self, number: int) -> bool:
        return not self.flying or self.limit == UNLIMITED or self.bytes + self._pair(number).bytes <= self.limit

    def _begin(self, number: int) -> None:
        self.placed.append(Begin(number))
        self.started[number] = True
        self.bytes += self._pair(number).bytes
        heappush(self.flying, (self.deadlines[number], number))
        if number in self.after:
            self._lacks_one_less(self.after[number])

    def _start(self, number: int) -> None:
        """Start a collective now, after the ops that it needs."""
        waiting = [number]
        while waiting:
            number = waiting[-1]
            lacking = None if self.started[number] else self._lacking(number)
            if lacking is not None and self.started[lacking]:
                self._land(lacking)
            elif lacking is not None:
                waiting.append(lacking)
            else:
                waiting.pop()
                self._begin_in_room(number)

    def _lacking(self, number: int) -> int | None:
        """Return a collective that has to end, or start, before `number` starts."""
        if not self.missing[number]:
            return None
        before = self.before.get(number)
        if before is not None and not self.started[before]:
            return before
        return next(operand for operand in self.nodes[number].operands if not self.complete[operand])

    def _begin_in_room(self, number: int) -> None:
        if self.started[number]:
            return
        kept: list[_Place] = []
        while not self._fits(number) and self.flying:
            entry = heappop(self.flying)
            if self.complete[entry[1]]:
                continue
            if self.dones[entry[1]] > self.segment:
                kept.append(entry)
            else:
                self._land(entry[1])
        for entry in kept:
            heappush(self.flying, entry)
        self._begin(number)

    # Dones ---------------------------------------------------------------------------------------

    def _finish_all(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._finish(number)

    def _finish(self, number: int) -> None:
        if self.complete[number]:
            return
        self._start(number)
        self._land(number)
        self._issue()

    def _land(self, number: int) -> None:
        self.placed.append(End(number))
        self.bytes -= self._pair(number).bytes
        self._have(number)
        while self.flying and self.complete[self.flying[0][1]]:
            heappop(self.flying)

    def _have(self, number: int) -> None:
        self.complete[number] = True
        super()._have(number)


def chains(block: Block) -> tuple[dict[int, int], dict[int, int]]:
    """Return the previous and the next collective with the same handle, by collective."""
    last: dict[Hashable, int] = {}
    before: dict[int, int] = {}
    for number, node in enumerate(block.nodes):
        if node.pair is not None and node.pair.handle is not None:
            if node.pair.handle in last:
                before[number] = last[node.pair.handle]
            last[node.pair.handle] = number
    return before, {first: second for second, first in before.items()}


def _by_segment(block: Block, starts: list[int], dones: list[int]) -> dict[int, list[int]]:
    """The collectives that start, or are done, in a segment, in program order."""
    found: dict[int, list[int]] = {}
    for number, node in enumerate(block.nodes):
        if node.pair is not None:
            for segment in dict.fromkeys((starts[number], dones[number])):
                found.setdefault(segment, []).append(number)
    return found


_Entry = tuple[float, int]
"""A priority, negated, and a node: what is more urgent is less; ties by program order."""


def list_schedule(block: Block, limit: int = UNLIMITED) -> Order:
    """Return the execution order of a device with the nodes' durations, with at most `limit` bytes in flight."""
    return _Schedule(block, limit).order()


def priorities(block: Block) -> list[float]:
    """By node, the seconds from its start to the end of the block on the longest path of ops and transfers."""
    users = block.users()
    found = [0.0] * len(block.nodes)
    for number in reversed(range(len(found))):
        node = block.nodes[number]
        own = node.pair.seconds if node.pair is not None else node.work.compute + node.work.exposed
        found[number] = own + max((found[user] for user in users[number]), default=0.0)
    return found


class _Schedule(_Placing):
    """The state of a device that runs the block, as of second `now`."""

    def __init__(self, block: Block, limit: int) -> None:
        super().__init__(block, limit)
        self.priorities = priorities(block)
        self.now = 0.0
        self.free: dict[Hashable, float] = {}
        self.ready: list[_Entry] = []
        self.ready_to_send: list[_Entry] = []
        self.unsent = 0
        self.flying: list[tuple[float, int]] = []
        self.arrived: dict[int, None] = {}

    def order(self) -> Order:
        """Order the ops by segments. A segment ends at an op with effects; no op moves across it."""
        for members in self._segments():
            ordered = [number for number in members if self.nodes[number].is_ordered]
            self.unsent = sum(self.nodes[number].pair is not None for number in members)
            for number in members:
                self._offer(number)
            self._compute_all(len(members) - self.unsent - len(ordered))
            self._end_segment()
            for number in ordered:
                self._compute(number)
            self.segment += 1
        return self.placed

    def _segments(self) -> list[list[int]]:
        """Return the nodes by the segment in which they are placed, or started."""
        found: list[list[int]] = [[] for _ in range(max((*self.starts, *self.dones), default=0) + 1)]
        for number, segment in enumerate(self.starts):
            found[segment].append(number)
        return found

    def _compute_all(self, count: int) -> None:
        """Places the `count` computing ops of the segment, independent of transfers."""
        while count:
            self._receive()
            self._send()
            if self.ready:
                self._compute(heappop(self.ready)[1])
                count -= 1
            else:
                self._wait()

    def _end_segment(self) -> None:
        """Start the remaining collectives of the segment, and end those with a done in it."""
        self._receive()
        self._send()
        while self.unsent:
            self._wait()
            self._send()
        while any(self._may_end(number) for _, number in self.flying):
            self._wait()
        for number in list(self.arrived):
            if self._may_end(number):
                self._end(number)

    def _may_end(self, number: int) -> bool:
        return self.dones[number] <= self.segment

    # Computing -----------------------------------------------------------------------------------

    def _compute(self, number: int) -> None:
        self._end_operands(number)
        self.placed.append(Op(number))
        work = self.nodes[number].work
        self.now += work.compute + work.exposed
        self._have(number)

    def _offer(self, number: int) -> None:
        """Make a node of this segment available if all its operands are placed."""
        node = self.nodes[number]
        if self.missing[number] or self.starts[number] != self.segment or node.is_ordered:
            return
        heappush(self.ready if node.pair is None else self.ready_to_send, (-self.priorities[number], number))

    # Sending -------------------------------------------------------------------------------------

    def _send(self) -> None:
        """Start ready transfers, most urgent first, until one does not fit."""
        while self.ready_to_send:
            number = self.ready_to_send[0][1]
            self._end_operands(number)
            if not self._makes_room_for(number):
                return
            heappop(self.ready_to_send)
            self._begin(number)

    def _makes_room_for(self, number: int) -> bool:
        """Return whether a collective fits, possibly after arrived ones are ended."""
        size = self._pair(number).bytes
        if self.limit == UNLIMITED or self.bytes + size <= self.limit:
            return True
        for other in list(self.arrived):
            if self._may_end(other):
                self._end(other)
        return self.bytes + size <= self.limit or not any(self._may_end(other) for _, other in self.flying)

    def _begin(self, number: int) -> None:
        pair = self._pair(number)
        self.placed.append(Begin(number))
        self.unsent -= 1
        self.bytes += pair.bytes
        begun = max((self.now, *(self.free.get(channel, 0.0) for channel in pair.channels)))
        self.free.update(dict.fromkeys(pair.channels, begun + pair.seconds))
        heappush(self.flying, (begun + pair.seconds, number))
        if number in self.after:
            self._lacks_one_less(self.after[number])

    def _receive(self) -> None:
        """Note the arrived collectives, so that their users can run."""
        while self.flying and self.flying[0][0] <= self.now:
            number = heappop(self.flying)[1]
            self.arrived[number] = None
            self._have(number)

    def _wait(self) -> None:
        """Wait until the first transfer arrives."""
        self.now = max(self.now, self.flying[0][0])
        self._receive()

    def _end_operands(self, number: int) -> None:
        """Place the dones of the operands of a node."""
        for operand in self.nodes[number].operands:
            if operand in self.arrived:
                self._end(operand)

    def _end(self, number: int) -> None:
        self.placed.append(End(number))
        self.bytes -= self._pair(number).bytes
        del self.arrived[number]
