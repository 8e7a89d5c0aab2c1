"""The plan of an exchange along a sharded dimension: sender, receiver and elements, as plain numbers.

Pieces of some tensors become pieces of others along one dimension that `shards` devices share. Sizes and starts of
pieces are global, those of segments are per device.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from sdy.lazy_dataclass import dataclass
from sdy.passes.costs.machine import moved_bytes


class Piece(NamedTuple):
    """`length` elements of tensor `source` from `start` on, which move to `target` at `at`."""

    source: int
    start: int
    target: int
    at: int
    length: int


class Segment(NamedTuple):
    """A run of elements that device `sender` has and device `receiver` needs; starts are local to the devices."""

    sender: int
    receiver: int
    source: int
    start: int
    target: int
    at: int
    length: int

    @property
    def stays(self) -> bool:
        return self.sender == self.receiver


Round = tuple[Segment, ...]
"""Segments that are sent at once: every device sends and receives at most one."""


@dataclass(frozen=True)
class Schedule:
    """Schedule of the transfers of segments.

    Those in `local` stay on their device; the others are sent in `rounds`, one permute each, or if `is_exchange` in a
    single all_to_all of as many elements.
    """

    shards: int
    local: tuple[Segment, ...]
    rounds: tuple[Round, ...]
    is_exchange: bool = False

    @cached_property
    def rows(self) -> float:
        """Elements along the dimension that each device sends."""
        if self.is_exchange:
            return moved_bytes("all_to_all", self.shards, self.shards * self.per_pair * self.longest)
        longest = (max(segment.length for segment in each) for each in self.rounds)
        return sum(moved_bytes("collective_permute", self.shards, length) for length in longest)

    @cached_property
    def sent(self) -> tuple[Segment, ...]:
        return tuple(segment for each in self.rounds for segment in each)

    @cached_property
    def longest(self) -> int:
        return max((segment.length for segment in self.sent), default=0)

    @cached_property
    def per_pair(self) -> int:
        """The most segments that one device sends to another."""
        return _most_per_pair(self.sent)

    @cached_property
    def exchanged(self) -> tuple[Segment, ...]:
        """Return the segments of the all_to_all; also those that stay on their device, if they have the same size."""
        if not self.is_exchange:
            return ()
        fit = _most_per_pair(self.local) <= self.per_pair and all(one.length <= self.longest for one in self.local)
        return (*self.local, *self.sent) if fit else self.sent


def _most_per_pair(segments: Sequence[Segment]) -> int:
    return max(Counter((segment.sender, segment.receiver) for segment in segments).values(), default=0)


def schedule(
    pieces: Sequence[Piece], source_sizes: Sequence[int], target_sizes: Sequence[int], shards: int
) -> Schedule:
    """The cheapest of a few ways to move `pieces`: by distance, in as few rounds as possible, or all at once."""
    segments = list(_segments(pieces, source_sizes, target_sizes, shards))
    local = tuple(segment for segment in segments if segment.stays)
    sent = [segment for segment in segments if not segment.stays]
    ways = [Schedule(shards, local, rounds) for rounds in (_by_distance(sent, shards), _matched(sent))]
    best = min(ways, key=lambda way: (way.rows, len(way.rounds)))
    at_once = Schedule(shards, local, best.rounds, is_exchange=True)
    return at_once if len(best.rounds) > 1 and at_once.rows <= best.rows else best


def _segments(
    pieces: Sequence[Piece], source_sizes: Sequence[int], target_sizes: Sequence[int], shards: int
) -> Iterator[Segment]:
    """Return the pieces, cut at the ends of parts of sources and targets, ordered by position in the targets."""
    source_parts, target_parts = ([-(-size // shards) for size in sizes] for sizes in (source_sizes, target_sizes))
    for piece in sorted(pieces, key=lambda piece: (piece.target, piece.at)):
        part, target_part = source_parts[piece.source], target_parts[piece.target]
        done = 0
        while done < piece.length:
            sender, start = divmod(piece.start + done, part)
            receiver, at = divmod(piece.at + done, target_part)
            length = min(piece.length - done, part - start, target_part - at)
            yield Segment(sender, receiver, piece.source, start, piece.target, at, length)
            done += length


def _by_distance(sent: Sequence[Segment], shards: int) -> tuple[Round, ...]:
    """Rounds of segments that go equally far, the order in a round being that of the receivers."""
    rounds: dict[tuple[int, int], list[Segment]] = defaultdict(list)
    pairs: Counter[tuple[int, int]] = Counter()
    for segment in sent:
        pair = (segment.sender, segment.receiver)
        rounds[(segment.receiver - segment.sender) % shards, pairs[pair]].append(segment)
        pairs[pair] += 1
    return tuple(tuple(rounds[key]) for key in sorted(rounds))


def _matched(sent: Sequence[Segment]) -> tuple[Round, ...]:
    """Match segments to the fewest rounds: the most segments that any device sends or receives.

    The edges of a bipartite graph (senders and receivers) are coloured, long ones first. If the free colours at both
    ends differ, they are swapped along the path of these two colours.
    """
    at_sender: dict[int, dict[int, Segment]] = defaultdict(dict)
    at_receiver: dict[int, dict[int, Segment]] = defaultdict(dict)
    for segment in sorted(sent, key=lambda segment: -segment.length):
        mine, theirs = at_sender[segment.sender], at_receiver[segment.receiver]
        both = _free(mine, theirs)
        free_here, free_there = _free(mine), _free(theirs)
        if both <= max(free_here, free_there):
            free_here = both
        else:
            _swap(at_sender, at_receiver, segment.receiver, free_here, free_there)
        mine[free_here] = theirs[free_here] = segment
    rounds: dict[int, list[Segment]] = defaultdict(list)
    for colours in at_sender.values():
        for colour, segment in colours.items():
            rounds[colour].append(segment)
    ordered = [sorted(rounds[colour], key=lambda segment: segment.receiver) for colour in sorted(rounds)]
    return tuple(map(tuple, ordered))


def _free(*taken: dict[int, Segment]) -> int:
    colour = 0
    while any(colour in each for each in taken):
        colour += 1
    return colour


def _swap(
    at_sender: dict[int, dict[int, Segment]],
    at_receiver: dict[int, dict[int, Segment]],
    receiver: int,
    wanted: int,
    other: int,
) -> None:
    """Free colour `wanted` at `receiver`, where `other` is free, by swapping the two along a path."""
    path: list[tuple[Segment, int]] = []
    at, colour, is_receiver = receiver, wanted, True
    while colour in (colours := (at_receiver if is_receiver else at_sender)[at]):
        segment = colours[colour]
        path.append((segment, colour))
        at = segment.sender if is_receiver else segment.receiver
        colour = other if colour == wanted else wanted
        is_receiver = not is_receiver
    for segment, colour in path:
        del at_sender[segment.sender][colour], at_receiver[segment.receiver][colour]
    for segment, colour in path:
        new = other if colour == wanted else wanted
        at_sender[segment.sender][new] = at_receiver[segment.receiver][new] = segment


# Where devices put together what they get --------------------------------------------------------


class Placed(NamedTuple):
    """`length` elements of a device's block, from `start` on, with the position `at`."""

    block: int
    start: int
    at: int
    length: int


Layer = dict[int, Placed]
"""Pieces that devices take from one block, at most one each, by position."""


class Transfer(NamedTuple):
    """Chunks of `length` elements that each device sends at once.

    A chunk begins in the device's pool at the entry of its table for the device's position.
    """

    length: int
    chunks: Sequence[np.ndarray]


class Assembly:
    """Assembly of targets from a pool of own segments and one block per transfer."""

    def __init__(self, schedule: Schedule, num_sources: int, num_targets: int) -> None:
        self._shards = schedule.shards
        segments = [*schedule.local, *schedule.sent]
        self.used = [_span([one for one in segments if one.source == source]) for source in range(num_sources)]
        """The elements of each source that some device sends, or puts elsewhere: where they begin, and how many."""
        self._offsets = [0, *accumulate(length for _, length in self.used)]
        self.placed: list[list[list[Placed]]] = [[[] for _ in range(self._shards)] for _ in range(num_targets)]
        """For each target and each position along the dimension, what comes where."""
        exchanged = schedule.exchanged
        for segment in schedule.local:
            if segment not in exchanged:
                self._place(segment, 0, self._in_pool(segment))
        if schedule.is_exchange:
            self.transfers = [self._at_once(exchanged, schedule.longest, schedule.per_pair)]
        else:
            self.transfers = [self._in_round(each, number + 1) for number, each in enumerate(schedule.rounds)]

    def _in_round(self, segments: Round, block: int) -> Transfer:
        """Return the sends of one round."""
        length = max(segment.length for segment in segments)
        starts: dict[int, int] = {}
        for segment in segments:
            starts[segment.sender] = self._chunk_start(segment, length)
            self._place(segment, block, self._in_pool(segment) - starts[segment.sender])
        return Transfer(length, [self.table(starts)])

    def _at_once(self, segments: Sequence[Segment], length: int, count: int) -> Transfer:
        """Return the sends of one all-to-all: `count` chunks to each device."""
        starts: list[dict[int, int]] = [{} for _ in range(self._shards * count)]
        used = np.zeros((self._shards, self._shards), dtype=np.int64)
        for segment in segments:
            chunk = used[segment.sender, segment.receiver]
            used[segment.sender, segment.receiver] += 1
            start = self._chunk_start(segment, length)
            starts[segment.receiver * count + chunk][segment.sender] = start
            self._place(segment, 1, (segment.sender * count + chunk) * length + self._in_pool(segment) - start)
        return Transfer(length, [self.table(each) for each in starts])

    def _in_pool(self, segment: Segment) -> int:
        return self._offsets[segment.source] + segment.start - self.used[segment.source][0]

    def _chunk_start(self, segment: Segment, length: int) -> int:
        """Return the start in the pool of a chunk of `length` elements that holds the segment."""
        return min(self._in_pool(segment), self._offsets[-1] - length)

    def _place(self, segment: Segment, block: int, start: int) -> None:
        self.placed[segment.target][segment.receiver].append(Placed(block, start, segment.at, segment.length))

    def table(self, numbers: dict[int, int]) -> np.ndarray:
        """Return one number per position; positions without a number get an arbitrary one."""
        any_number = next(iter(numbers.values()), 0)
        return np.array([numbers.get(at, any_number) for at in range(self._shards)])


def _span(segments: Sequence[Segment]) -> tuple[int, int]:
    """Return the start of the first of `segments`, and the number of elements to the end of the last."""
    start = min((one.start for one in segments), default=0)
    return start, max((one.start + one.length for one in segments), default=0) - start


def layers_of(placed: Sequence[Sequence[Placed]], num_blocks: int) -> list[tuple[int, Layer]]:
    """Sort the segments `placed` at each position into layers with their block numbers, by start."""
    found: list[tuple[int, Layer]] = []
    for block in range(num_blocks):
        of_block = [[one for one in each if one.block == block] for each in placed]
        for number in range(max(map(len, of_block))):
            found.append((block, {at: each[number] for at, each in enumerate(of_block) if number < len(each)}))
    return sorted(found, key=lambda layer: sum(one.at for one in layer[1].values()) / len(layer[1]))


def covers(layers: Sequence[Layer], position: int, start: int, stop: int) -> bool:
    """Return whether on the device at `position` the elements from `start` to `stop` are all in `layers`."""
    for one in sorted((layer[position] for layer in layers if position in layer), key=lambda one: one.at):
        if one.at <= start:
            start = max(start, one.at + one.length)
    return start >= stop
