"""Schedule of a device of a machine, and its memory over time (spec: async, 13)."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence

from sdy.dialect.values.mesh import Mesh
from sdy.markup.layout import axis_text
from sdy.mlir import ir
from sdy.mlir.walk import identity
from sdy.page.data_types import LaneData, LiveColumns, MemoryColumns, ScheduleData
from sdy.passes.costs.liveness import live_bytes, stays
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.op_cost import fused_seconds
from sdy.passes.costs.program_collectives import entry_functions
from sdy.passes.costs.program_steps import Item, Reader, Region, Steps
from sdy.passes.costs.simulation import Run, Start, Work
from sdy.report.step_estimate import Estimate, estimate_of

MOST_HELD = 30
"""Tensors that are listed where most memory is used."""

SMALLEST_PART = 10_000
"""A tensor that takes less than this part of the peak has no row in `live`."""

MOST_SPANS = 20_000
"""Rounds of a loop are drawn one by one until there are so many spans."""

_SAME = 1e-12
"""Seconds by which two spans may overlap that are one after the other, but for rounding."""

Span = tuple[float, float, int]
"""When it begins and ends, in seconds, and the number of its op or collective."""

NumberOf = Callable[[ir.Operation], int]
"""The op of the program that an op of the local program was, by number; -1 if it is not known."""


class Schedule:
    """The spans of one step, in microseconds, with a lane for computation and one for each set of axes."""

    def __init__(self, module: ir.Operation, mesh: Mesh, machine: Machine, number_of: NumberOf, name: str = "") -> None:
        self.name = name or str(machine)
        self._number_of = number_of
        self._lanes: dict[tuple[str, ...], list[Span]] = {("compute",): []}
        self._begun: dict[Hashable, float] = {}
        self._runs: dict[tuple[int, Hashable], int] = {}
        self.times: list[tuple[float, float]] = []
        """Of each collective that runs, in program order: seconds that it takes, and those that the device waits."""
        self.estimate: Estimate = estimate_of(module, machine, mesh)
        self.machine = machine
        steps = Steps()
        reader = Reader(module, mesh, machine, seconds_of=fused_seconds(module))
        entries = entry_functions(module)
        for function in entries:
            steps.items += reader.of_function(function).items
        run = steps.run()
        self._spans = 0
        self._add(steps, run, 0.0, counts=True)
        self._memory: MemoryColumns = {"time": [], "bytes": []}
        self._live: LiveColumns = {"name": [], "kind": [], "bytes": [], "op": [], "from": [], "to": []}
        now = 0.0
        for function in entries:
            now = self._remember(function, module, now, run.total)
        if self._memory["time"]:
            self._memory["time"].append(_microseconds(run.total))
            self._memory["bytes"].append(self._memory["bytes"][-1])

    def data(self) -> ScheduleData:
        """Return the schedule as data of the page."""
        found = self.estimate
        limit = self.machine.memory
        return {
            "machine": str(self.machine),
            "machine_name": self.name,
            "step": found.step,
            "products": found.products,
            "traffic": found.traffic,
            "starts": found.starts,
            "communication": found.communication,
            "exposed": found.exposed,
            "is_exact": found.is_exact,
            "peak": found.memory.peak,
            "arguments": found.memory.arguments,
            "where": found.memory.where,
            "held": [[one.name, one.kind, one.bytes] for one in found.memory.held[:MOST_HELD]],
            "limit": None if math.isinf(limit) else limit,
            "bound": _bound(found),
            "lanes": [lane for key in self._lanes for lane in _lanes(key, self._lanes[key])],
            "memory": self._memory,
            "live": self._live,
        }

    def _remember(self, function: ir.Operation, module: ir.Operation, now: float, end: float) -> float:
        """Record the memory of a device over time; ops without a time take that of the op before."""
        times, sizes = self._memory["time"], self._memory["bytes"]
        starts = []
        for op, size in live_bytes(function, module):
            now = max(now, self._begun.get(identity(op), now))
            starts.append(_microseconds(now))
            if sizes and times[-1] == starts[-1]:
                sizes[-1] = max(sizes[-1], size)
            elif not sizes or sizes[-1] != size:
                times.append(starts[-1])
                sizes.append(size)
        starts += [_microseconds(end)] * 2
        for stay in stays(function, module):
            if stay.held.bytes * SMALLEST_PART >= self.estimate.memory.peak:
                self._live["name"].append(stay.held.name)
                self._live["kind"].append(stay.held.kind)
                self._live["bytes"].append(stay.held.bytes)
                self._live["op"].append(-1 if stay.op is None else self._number_of(stay.op))
                self._live["from"].append(starts[stay.first])
                self._live["to"].append(starts[stay.last + 1])
        return now

    def _add(self, steps: Steps, run: Run, offset: float, *, counts: bool, is_first: bool = True) -> None:
        """Draw the ops that run from second `offset` on; later rounds of a loop record nothing else."""
        for item, (begun, ended) in zip(steps.items, run.spans, strict=True):
            if is_first:
                self._begun.setdefault(identity(item.op), offset + begun)
            if item.transfer is not None and isinstance(item.step, Start):
                flight = run.flights[item.step.key]
                number = self._runs.setdefault((id(steps), item.step.key), len(self.times))
                if counts:
                    self._span(_lane(item), number, offset + flight.begun, offset + flight.arrived)
                if is_first:
                    self.times.append((flight.seconds, flight.wait))
            elif counts and ended > begun and isinstance(item.step, Work) and not item.regions:
                self._span(("compute",), self._number_of(item.op), offset + begun, offset + ended)
            self._inside(item.regions, offset + begun, item, counts=counts, is_first=is_first)

    def _inside(self, regions: Sequence[Region], offset: float, item: Item, *, counts: bool, is_first: bool) -> None:
        for region in regions:
            self._add(region.steps, region.run, offset, counts=counts and region.counts, is_first=is_first)
        if not regions or not counts or not (last := regions[-1]).rounds:
            return
        once = last.run.total
        for number in range(1, last.rounds):
            begun = offset + once * number
            if self._spans > MOST_SPANS:
                self._rest(last, item, begun, offset + once * last.rounds)
                return
            self._add(last.steps, last.run, begun, counts=True, is_first=False)

    def _rest(self, region: Region, loop: Item, begun: float, ended: float) -> None:
        """Draw the rounds beyond the limit as one span for the loop, and one for each collective in it."""
        self._span(("compute",), self._number_of(loop.op), begun, ended)
        for item in region.steps.items:
            if item.transfer is not None and isinstance(item.step, Start):
                self._span(_lane(item), self._runs[id(region.steps), item.step.key], begun, ended)

    def _span(self, lane: tuple[str, ...], item: int, begun: float, ended: float) -> None:
        self._spans += 1
        self._lanes.setdefault(lane, []).append((begun, ended, item))


def _lane(item: Item) -> tuple[str, ...]:
    """The lane of a collective: the mesh axes that it sends along."""
    assert item.transfer is not None, "asked of collectives only"
    return tuple(axis_text(axis) for axis in item.transfer.collective.axes or ()) or ("irregular",)


def _lanes(key: tuple[str, ...], spans: list[Span]) -> Iterator[LaneData]:
    """Yield a lane of spans in order of their begin, and further lanes for spans at the same time."""
    lanes: list[list[Span]] = [[]]
    for span in sorted(spans):
        free = (lane for lane in lanes if not lane or lane[-1][1] <= span[0] + _SAME)
        lane = next(free, None)
        if lane is None:
            lanes.append(lane := [])
        lane.append(span)
    for number, lane in enumerate(lanes, 1):
        yield {
            "name": " + ".join(key) + (f" ({number})" if number > 1 else ""),
            "axes": [] if key == ("compute",) else list(key),
            "item": [item for _, _, item in lane],
            "start": [_microseconds(begun) for begun, _, _ in lane],
            "length": [_microseconds(ended - begun) for begun, ended, _ in lane],
        }


def _microseconds(seconds: float) -> float:
    return float(f"{1e6 * seconds:.6g}") if seconds < 1 else round(1e6 * seconds, 3)


def _bound(found: Estimate) -> str:
    """Return the part that takes most of the step."""
    parts = {
        "products of matrices": found.products,
        "memory traffic": found.traffic,
        "the fixed cost of starting kernels": found.starts,
        "waiting for communication": found.exposed,
    }
    return max(parts, key=lambda name: parts[name]) if found.step else ""
