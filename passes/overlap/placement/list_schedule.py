"""An order for a machine: ops move as well, those first on which the longest path hangs (spec: async, 14.3)."""

from __future__ import annotations

from collections.abc import Hashable
from heapq import heappop, heappush

from sdy.passes.overlap.placement.keep_order import chains
from sdy.passes.overlap.placement.placing import UNLIMITED, Begin, Block, End, Op, Order, Pair

_Entry = tuple[float, int]
"""A priority, negated, and a node: what is more urgent is less; ties by program order."""


def list_schedule(block: Block, limit: int = UNLIMITED) -> Order:
    """The order in which a device with the durations of the nodes would take them, at most `limit` bytes in flight."""
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


class _Schedule:
    """The state of a device that runs the block, as of second `now`."""

    def __init__(self, block: Block, limit: int) -> None:
        self.nodes = block.nodes
        self.limit = limit
        self.users = block.users()
        self.priorities = priorities(block)
        self.starts, self.dones = block.segments()
        self.before, self.after = chains(block)
        self.missing = [len(set(node.operands)) for node in block.nodes]
        for number in self.before:
            self.missing[number] += 1
        self.segment = 0
        self.now = 0.0
        self.free: dict[Hashable, float] = {}
        self.bytes = 0
        self.ready: list[_Entry] = []
        self.ready_to_send: list[_Entry] = []
        self.unsent = 0
        self.flying: list[tuple[float, int]] = []
        self.arrived: dict[int, None] = {}
        self.placed: Order = []

    def order(self) -> Order:
        """A segment is what stands before an op with effects, which is its last; nothing passes that."""
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
        """The nodes by the segment in which they are placed, or started."""
        found: list[list[int]] = [[] for _ in range(max((*self.starts, *self.dones), default=0) + 1)]
        for number, segment in enumerate(self.starts):
            found[segment].append(number)
        return found

    def _compute_all(self, count: int) -> None:
        """Places the `count` computing ops of the segment, whatever is sent meanwhile."""
        while count:
            self._receive()
            self._send()
            if self.ready:
                self._compute(heappop(self.ready)[1])
                count -= 1
            else:
                self._wait()

    def _end_segment(self) -> None:
        """Starts the other collectives of the segment, and ends those that are done in it."""
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

    def _have(self, number: int) -> None:
        """The results of a node are there."""
        for user in self.users[number]:
            self._lacks_one_less(user)

    def _lacks_one_less(self, number: int) -> None:
        self.missing[number] -= 1
        self._offer(number)

    def _offer(self, number: int) -> None:
        """Takes a node of this segment among those that can be placed, if it lacks nothing."""
        node = self.nodes[number]
        if self.missing[number] or self.starts[number] != self.segment or node.is_ordered:
            return
        heappush(self.ready if node.pair is None else self.ready_to_send, (-self.priorities[number], number))

    # Sending -------------------------------------------------------------------------------------

    def _send(self) -> None:
        """Starts what is ready, the most urgent first, until one does not fit."""
        while self.ready_to_send:
            number = self.ready_to_send[0][1]
            self._end_operands(number)
            if not self._makes_room_for(number):
                return
            heappop(self.ready_to_send)
            self._begin(number)

    def _makes_room_for(self, number: int) -> bool:
        """Whether a collective fits, be it that others that have arrived are ended for it."""
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
        """What has arrived by now can be used."""
        while self.flying and self.flying[0][0] <= self.now:
            number = heappop(self.flying)[1]
            self.arrived[number] = None
            self._have(number)

    def _wait(self) -> None:
        """Until the first transfer arrives."""
        self.now = max(self.now, self.flying[0][0])
        self._receive()

    def _end_operands(self, number: int) -> None:
        """Places the dones of what a node uses."""
        for operand in self.nodes[number].operands:
            if operand in self.arrived:
                self._end(operand)

    def _end(self, number: int) -> None:
        self.placed.append(End(number))
        self.bytes -= self._pair(number).bytes
        del self.arrived[number]

    def _pair(self, number: int) -> Pair:
        pair = self.nodes[number].pair
        assert pair is not None, "asked for collectives only"
        return pair
