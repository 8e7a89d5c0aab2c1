"""Memory model of plans: a sum over variables and edges at each op of the program.

Counted are arguments, for the whole program; results of ops up to the last use, unless they are fused, aliases, or
returned in the buffer of an argument; and the copies made by reshards, from the first to the last use that shares them.
Outer values of a loop live as long as the loop.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from sdy.dialect.values.axes import product
from sdy.lazy_dataclass import dataclass
from sdy.passes.auto.search.program_graph import GIVEN, GROUP, NOWHERE, ProgramGraph, Use
from sdy.passes.auto.search.strategies import LayoutNumbers, Option
from sdy.passes.costs.liveness import held_at
from sdy.passes.costs.op_cost import renames
from sdy.stablehlo.op_table import Memory, ops_in_memory

_IN_PLACE = ops_in_memory(Memory.IN_PLACE)


@dataclass(frozen=True, slots=True)
class Entry:
    """A memory use: result number `result` of a variable, from one op to another, both included."""

    variable: int
    result: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Peak:
    """The peak memory of a plan: bytes, the op at which it occurs, and the bytes of arguments."""

    bytes: float
    at: int
    arguments: float


class MemoryModel:
    """Live ranges of the variables of one program, and sums over them."""

    def __init__(self, graph: ProgramGraph) -> None:
        self.graph = graph
        snapshot = graph.snapshot
        self._opened = set(graph.opened)
        self._last = self._last_uses()
        self._first = [self._defined(value) for value in range(len(snapshot.types))]
        self.end = len(snapshot.names)
        free = self._without_room()
        arguments = set(graph.arguments)
        found: dict[tuple[int, int], list[int]] = {}
        for value, place in graph.values.items():
            if value in free or place[0] in arguments or not self._tensor_bytes(place):
                continue
            first, last = self._first[value], max(self._first[value], self._last[value])
            span = found.setdefault(place, [first, last])
            span[0], span[1] = min(span[0], first), max(span[1], last)
        self._shared = self._copies_for_all()
        self.entries = [Entry(*self._holder(place), *span) for place, span in found.items()]
        self.copies = [(use, self._needed(use)) for use in graph.uses if use.target not in graph.copies]
        self._updated = arguments
        self._returned = {graph.values.get(value) for value in snapshot.returned(snapshot.main_function)}
        self._used: dict[int, int] = {}
        for use in graph.uses:
            self._used[use.source] = min(use.op, self._used.get(use.source, use.op))
        self._made = {place: span for place, span in found.items() if place in self._shared}

    def _copies_for_all(self) -> dict[tuple[int, int], int]:
        """Return, by value, the variable that holds the copy for all uses, regardless of layout."""
        arguments = set(self.graph.arguments)
        sources: dict[tuple[int, int], list[int]] = {}
        for use in self.graph.uses:
            if use.source not in arguments:
                sources.setdefault((use.source, use.result), []).append(use.target)
        return {
            place: found[0] for place, found in sources.items() if len(found) == 1 and found[0] in self.graph.copies
        }

    def _holder(self, place: tuple[int, int]) -> tuple[int, int]:
        return (self._shared[place], 0) if place in self._shared else place

    # Lifetimes -----------------------------------------------------------------------------------

    def _last_uses(self) -> list[int]:
        """Return the op of a value's last use."""
        snapshot = self.graph.snapshot
        last = [0] * len(snapshot.types)
        for op in range(len(snapshot.names) - 1, -1, -1):
            for value in snapshot.operands[op]:
                last[value] = max(last[value], self._needed_by(op, value, last))
        return last

    def _needed_by(self, op: int, value: int, last: Sequence[int]) -> int:
        """Return the op behind which an operand is free, considering aliases."""
        snapshot = self.graph.snapshot
        renamed = [last[result] for result in snapshot.results[op]] if renames(snapshot.ops[op]) else []
        if op in self._opened:
            pairs = zip(snapshot.operands[op], snapshot.arguments[op], strict=True)
            renamed += [last[inside] for outside, inside in pairs if outside == value]
        return max([self._needed_until(op, value), *renamed])

    def _needed_until(self, op: int, value: int) -> int:
        """Return the op, or the end of the outermost loop around it that the value enters."""
        snapshot = self.graph.snapshot
        found, holder = op, snapshot.parents[op]
        while holder >= 0 and self._is_outside(value, holder):
            found, holder = snapshot.ends[holder] - 1, snapshot.parents[holder]
        return found

    def _is_outside(self, value: int, holder: int) -> bool:
        snapshot = self.graph.snapshot
        if snapshot.names[holder] == "func.func":
            return False
        definer = snapshot.holder_of(value)
        return definer < holder or (definer == holder and snapshot.definers[value] >= 0)

    def _needed(self, use: Use) -> int:
        """Return the op behind which the operand of a use is free, considering aliases."""
        snapshot = self.graph.snapshot
        if use.place == NOWHERE:
            return use.last
        return max(use.last, self._needed_by(use.op, snapshot.operands[use.op][use.place], self._last))

    def _defined(self, value: int) -> int:
        snapshot = self.graph.snapshot
        holder = snapshot.holder_of(value)
        if holder in self._opened and snapshot.definers[value] >= 0:
            return snapshot.ends[holder]
        # What flows through a loop takes the buffer of what flows in, and what is scattered into is changed in place.
        in_place = holder in snapshot.data_flow_ops or snapshot.names[holder] in _IN_PLACE
        return holder + 1 if in_place and holder in snapshot.regions else holder

    def _without_room(self) -> set[int]:
        """Return values that are fused, aliases, or returned in the buffer of an argument."""
        graph, snapshot = self.graph, self.graph.snapshot
        found = set()
        returned = snapshot.returned(snapshot.main_function)
        for place in graph.taken:
            found.add(self._source(returned[place]))
        for value, (variable, _) in graph.values.items():
            work = graph.variables[variable].profile.work
            definer = snapshot.definers[value]
            if work.is_fused or (definer >= 0 and renames(snapshot.ops[definer])) or self._only_says(value):
                found.add(value)
            if definer < 0 and snapshot.holder_of(value) in self._opened:
                found.add(value)
        return found

    def _only_says(self, value: int) -> bool:
        """Return whether a value serves only as the layout of another one."""
        snapshot = self.graph.snapshot
        is_said = snapshot.definers[value] >= 0 and snapshot.names[snapshot.definers[value]] in GIVEN
        return is_said and all(snapshot.names[user] == GROUP for user, _ in snapshot.uses(value))

    def _source(self, value: int) -> int:
        snapshot = self.graph.snapshot
        while (definer := snapshot.definers[value]) >= 0 and renames(snapshot.ops[definer]):
            value = snapshot.operands[definer][0]
        return value

    def _tensor_bytes(self, place: tuple[int, int]) -> float:
        return self.graph.variables[place[0]].profile.results[place[1]].bytes

    # Sums ----------------------------------------------------------------------------------------

    def peak(self, options: Sequence[Option], shards: Shards) -> Peak:
        """Return the most memory of the plan that takes these options."""
        own = (entry for entry in self.entries if entry.variable not in self.graph.copies)
        spans = [(entry.first, entry.last, self._bytes(entry, options, shards)) for entry in own]
        spans += self._copied(options, shards)
        while_running = ((self._place(n), option.held) for n, option in enumerate(options) if option.held)
        spans += ((at, at, held) for at, held in while_running)
        arguments = (
            self._tensor_bytes((variable, 0)) / shards.of(options[variable].results[0])
            for variable in self.graph.arguments
        )
        return self._peak(spans, sum(arguments))

    def _peak(self, spans: Iterable[tuple[int, int, float]], arguments: float) -> Peak:
        live = held_at(self.end + 1, spans)
        at = int(live.argmax())
        return Peak(arguments + float(live[at]), at, arguments)

    def _place(self, variable: int) -> int:
        """The op of a variable that is one."""
        op = self.graph.variables[variable].op
        assert op is not None, "a value that is not computed needs no memory"
        return op

    def held(self, options: Sequence[Option], shards: Shards, at: int) -> list[tuple[float, int]]:
        """Return the tensors live at an op besides arguments: bytes and variables, largest first."""
        found = [
            (self._bytes(entry, options, shards), entry.variable)
            for entry in self.entries
            if entry.first <= at <= entry.last
        ]
        return sorted(found, key=lambda one: (-one[0], one[1]))

    def least(self, devices: int) -> Peak:
        """Return a lower bound of peak memory: live values in equal parts on all devices."""
        spans = (
            (entry.first, entry.last, self._tensor_bytes((entry.variable, entry.result)) / devices)
            for entry in self.entries
        )
        return self._peak(spans, sum(self._tensor_bytes((variable, 0)) for variable in self.graph.arguments) / devices)

    def whole(self, at: int) -> list[tuple[float, int]]:
        """Return the tensors live at an op on all devices together: bytes and variables, largest first."""
        found = [(self._tensor_bytes((variable, 0)), variable) for variable in self.graph.arguments]
        for entry in self.entries:
            if entry.first <= at <= entry.last:
                found.append((self._tensor_bytes((entry.variable, entry.result)), entry.variable))
        return sorted(found, key=lambda one: (-one[0], one[1]))

    def weights(
        self, points: Sequence[int], until: float = math.inf, share: float = 1.0
    ) -> tuple[list[tuple[float, ...]], list[float]]:
        """Return, by variable, at how many points its result is in memory; and by use, the memory of its copies.

        The last number of a variable is that for temporary memory while it runs. Of values made behind the op `until`
        only that `share` counts.
        """

        def weight(first: int, last: int) -> float:
            return (1.0 if first <= until else share) * sum(first <= at <= last for at in points)

        own = [[0.0] * (len(variable.profile.results) + 1) for variable in self.graph.variables]
        for number, variable in enumerate(self.graph.variables):
            if variable.op is not None:
                own[number][-1] = weight(variable.op, variable.op)
        for entry in self.entries:
            own[entry.variable][entry.result] = weight(entry.first, entry.last)
        for variable in self.graph.arguments:
            own[variable][0] = len(points) * (1.0 if self._used.get(variable, 0) <= until else share)
        ends = self._copy_spans()
        copies = []
        for use in self.graph.uses:
            place = (use.source, use.result)
            is_kept = place in self._made and self._shared[place] == use.target
            copies.append(0.0 if is_kept else weight(*ends[use.source, use.result, use.target, use.operand]))
        return [tuple(each) for each in own], copies

    def _copy_spans(self) -> dict[tuple[int, int, int, int], tuple[int, int]]:
        """Return the ops between which a copy for an operand of a variable lives."""
        spans: dict[tuple[int, int], tuple[int, int]] = {}
        for use in self.graph.uses:
            origin = self.graph.copies.get(use.source, (use.source, use.result))
            first, last = spans.get(origin, (use.op, use.last))
            spans[origin] = (min(first, use.op), max(last, self._needed(use)))
        return {
            (use.source, use.result, use.target, use.operand): spans[
                self.graph.copies.get(use.source, (use.source, use.result))
            ]
            for use in self.graph.uses
        }

    def _bytes(self, entry: Entry, options: Sequence[Option], shards: Shards) -> float:
        return self._tensor_bytes((entry.variable, entry.result)) / shards.of(
            options[entry.variable].results[entry.result]
        )

    def _copied(self, options: Sequence[Option], shards: Shards) -> Iterable[tuple[int, int, float]]:
        """Return the first and last op and the bytes of each copy, and of possible copies for all uses.

        Layouts of uses are written, so each copy is made from the value itself, which is kept until then; the
        partitioner merges equal ones.
        """
        spans: dict[tuple[int, int, int], list[int]] = {}
        sizes = {}
        kept = {place: span[place in self._returned] for place, span in self._made.items()}
        for use, needed in self.copies:
            origin = self.graph.copies.get(use.source, (use.source, use.result))
            have, want = options[origin[0]].results[origin[1]], options[use.target].operands[use.operand]
            if have == want or use.target in self._updated or shards.are_parts(have, want):
                if origin in kept:
                    kept[origin] = max(kept[origin], needed)
                continue
            span = spans.setdefault((*origin, want), [use.op, needed])
            span[0], span[1] = min(span[0], use.op), max(span[1], needed)
            sizes[*origin, want] = use.tensor.bytes / shards.of(want)
        for (*place, _), (first, _) in spans.items():
            origin = (place[0], place[1])
            if origin in kept:
                kept[origin] = max(kept[origin], first)
        for origin, last in kept.items():
            first = self._made[origin][0]
            yield first, max(first, last), self._tensor_bytes(origin) / shards.of(options[origin[0]].results[origin[1]])
        for key, (first, last) in spans.items():
            yield first, last, sizes[key]


class Shards:
    """Into how many parts layouts cut a tensor, by the numbers of layouts."""

    def __init__(self, layouts: LayoutNumbers, sizes: dict[str, int]) -> None:
        self._layouts = layouts
        self._sizes = sizes
        self._counts: dict[int, int] = {}

    def of(self, layout: int) -> int:
        found = self._counts.get(layout)
        if found is None:
            axes = self._layouts[layout]
            found = self._counts[layout] = math.prod(product(each, self._sizes) for each in axes)
        return found

    def are_parts(self, have: int, want: int) -> bool:
        """Return whether each device only needs to slice its part."""
        pairs = zip(self._layouts[have], self._layouts[want], strict=True)
        return all(want[: len(have)] == have for have, want in pairs)
