"""Search of stages and of a schedule for a chain of computations by a model of the machine (spec: mpmd, 12).

For each number of meshes the chain is split so that the busiest mesh is as little busy as possible, then the step is
timed for each schedule that fits into memory.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from sdy.lazy_dataclass import dataclass
from sdy.markup.templating import ShownText
from sdy.pipeline.generators import GENERATORS
from sdy.pipeline.list_scheduling import searched_table
from sdy.pipeline.tables import Kind, Placement, Table, Unit
from sdy.report.text_table import columns
from sdy.report.timelines.timeline import duration

MOST_NODES = 200_000
"""Partial splits that are looked at, from which on the best so far is taken."""


def best_split(seconds: Sequence[float], crossing: Sequence[float], owners: Sequence[int]) -> tuple[int, ...]:
    """Return the places of cuts: the first unit of each stage but the first.

    Args:
      seconds: of each unit of the chain.
      crossing: of each place between units, the seconds of the transfers there, which occupy both sides.
      owners: of each stage in order, the number of its mesh.

    Raises:
      ValueError: there are fewer units than stages.
    """
    count, stages = len(seconds), len(owners)
    if count < stages:
        raise ValueError(f"{count} computations are no {stages} stages")
    search = _Search(seconds, crossing, owners)
    search.best_cuts = _even(seconds, stages)
    search.best = search.load(search.best_cuts)
    search.extend((), [0.0] * (max(owners) + 1), 0.0)
    return search.best_cuts


def _even(seconds: Sequence[float], stages: int) -> tuple[int, ...]:
    """Return cuts near equal parts of the seconds."""
    sums = [0.0, *itertools.accumulate(seconds)]
    cuts: list[int] = []
    for stage in range(1, stages):
        low, high = (cuts[-1] if cuts else 0) + 1, len(seconds) - (stages - stage)
        wanted = sums[-1] * stage / stages
        cuts.append(min(range(low, high + 1), key=lambda cut, wanted=wanted: abs(sums[cut] - wanted)))
    return tuple(cuts)


class _Search:
    """Depth first search of cuts, from the first one on, that leaves out what is not below the best."""

    def __init__(self, seconds: Sequence[float], crossing: Sequence[float], owners: Sequence[int]) -> None:
        self.sums = [0.0, *itertools.accumulate(seconds)]
        self.crossing, self.owners = crossing, owners
        self.lowest = self.sums[-1] / (max(owners) + 1)
        self.nodes = 0
        self.best = float("inf")
        self.best_cuts: tuple[int, ...] = ()

    def load(self, cuts: tuple[int, ...]) -> float:
        """Return the seconds of the busiest mesh."""
        edges = (0, *cuts, len(self.sums) - 1)
        loads = [0.0] * (max(self.owners) + 1)
        for stage, (first, end) in enumerate(itertools.pairwise(edges)):
            loads[self.owners[stage]] += self._stage(stage, first, end)
        return max(loads)

    def _stage(self, stage: int, first: int, end: int) -> float:
        """Return the seconds of a stage with its transfers; neighbours on one mesh transfer nothing."""
        own, owners = self.owners[stage], self.owners
        before = self.crossing[first - 1] if stage and owners[stage - 1] != own else 0.0
        behind = self.crossing[end - 1] if stage + 1 < len(owners) and owners[stage + 1] != own else 0.0
        return self.sums[end] - self.sums[first] + before + behind

    def extend(self, cuts: tuple[int, ...], loads: list[float], most: float) -> None:
        """Try the places of the next cut; `loads` are those of the stages before it."""
        self.nodes += 1
        if self.nodes > MOST_NODES or self.best <= self.lowest * (1 + 1e-12):
            return
        stage, count = len(cuts), len(self.sums) - 1
        first = cuts[-1] if cuts else 0
        is_last = stage == len(self.owners) - 1
        last = count - (len(self.owners) - 1 - stage)
        for end in [count] if is_last else range(first + 1, last + 1):
            own = self.owners[stage]
            load = loads[own] + self._stage(stage, first, end)
            if load >= self.best:
                continue  # with transfers a longer stage may be less busy
            if is_last:
                self.best, self.best_cuts = max(most, load), cuts
                return
            longer = [*loads]
            longer[own] = load
            self.extend((*cuts, end), longer, max(most, load))


SEARCHED = "searched"
REMAT = "TABLE_GPIPE with remat"
NAMES = ("TABLE_GPIPE", "TABLE_1F1B", "INTERLEAVED_1F1B", "ZB_H1", "ZB_H2", "ZB_V", "DUAL_PIPE_V", SEARCHED, REMAT)
"""Schedules that are tried, of which earlier ones win ties."""

_V = ("ZB_V", "DUAL_PIPE_V")


@dataclass(frozen=True)
class ChainUnit:
    """A computation of a chain, on a mesh of a given size.

    Attributes:
      name: of the computation.
      seconds: by kind of a pass, those of one microbatch; of B, those of both halves.
      parameters: bytes on each device that live for the whole step.
      residuals: bytes on each device that the forward pass leaves for the backward pass of one microbatch.
      sent: bytes on each device that the forward pass of one microbatch sends to the next unit.
    """

    name: str
    seconds: Mapping[Kind, float]
    parameters: int = 0
    residuals: int = 0
    sent: int = 0


@dataclass(frozen=True)
class Candidate:
    """A timed split and schedule.

    Attributes:
      schedule: one of `NAMES`.
      placement: by name of a mesh, its stages.
      stages: names of the computations of each stage.
      seconds: of a step.
      bytes: on a device of the fullest mesh.
      table: the order of units.
    """

    schedule: str
    placement: Placement
    stages: tuple[tuple[str, ...], ...]
    seconds: float
    bytes: int
    table: Table = field(repr=False)


@dataclass(frozen=True)
class FoundPipeline(ShownText):
    """The fastest candidate, and all timed ones, fastest first."""

    best: Candidate
    candidates: tuple[Candidate, ...]
    refused: int

    def __str__(self) -> str:
        rows = [("schedule", "meshes", "stages", "step", "bytes per device")]
        rows += [
            (
                each.schedule,
                f"{len(each.placement)}",
                f"{len(each.stages)}",
                duration(each.seconds),
                f"{each.bytes:,}",
            )
            for each in self.candidates
        ]
        best = self.best
        where = [
            f"{mesh}: " + "; ".join(f"stage {stage} {_range(best.stages[stage])}" for stage in stages)
            for mesh, stages in best.placement.items()
        ]
        more = f"\n{self.refused} more do not fit into memory" if self.refused else ""
        return "\n".join([f"{best.schedule} on {len(best.placement)} meshes", *where, columns(rows)]) + more


def _range(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"


@dataclass(frozen=True)
class Limits:
    """Limits of a pipeline.

    Attributes:
      memory: bytes on each device.
      optimizer: ratio of the bytes of parameters, gradients and optimizer state to those of parameters.
      bandwidth, latency: between meshes.
    """

    memory: float
    optimizer: float
    bandwidth: float
    latency: float


def search(
    chains: Mapping[int, Sequence[ChainUnit]], microbatches: int, chunks: Iterable[int], limits: Limits
) -> FoundPipeline:
    """Return the fastest pipeline.

    Args:
      chains: by number of meshes: the chain on meshes of the size that is left.
      microbatches: of a step.
      chunks: numbers of stages per mesh.
      limits: memory, and the links between meshes.

    Raises:
      ValueError: nothing fits into the memory, there are fewer computations than stages, or a number of stages per
        mesh is below 1.
    """
    timed: list[Candidate] = []
    refused = 0
    counts = sorted(chunks)
    if not counts or counts[0] < 1:
        raise ValueError(f"a mesh has at least one stage; chunks are {counts}")
    for (meshes, chain), count in itertools.product(chains.items(), counts):
        for each in _candidates(chain, meshes, count, microbatches, limits):
            if each.bytes <= limits.memory:
                timed.append(each)
            else:
                refused += 1
    if not timed and not refused:
        shortest = min(meshes * counts[0] for meshes in chains)
        computed = max(map(len, chains.values()))
        raise ValueError(f"{computed} computations cannot be split into {shortest} or more stages")
    if not timed:
        raise ValueError(f"no pipeline fits into {limits.memory:,.0f} bytes per device; {refused} were tried")
    timed.sort(key=lambda each: (each.seconds, each.bytes, NAMES.index(each.schedule)))
    return FoundPipeline(timed[0], tuple(timed), refused)


def _candidates(
    chain: Sequence[ChainUnit], meshes: int, chunks: int, microbatches: int, limits: Limits
) -> Iterator[Candidate]:
    """Yield the schedules of a number of meshes and stages per mesh; none with too few computations."""
    if len(chain) < meshes * chunks:
        return
    for name in NAMES:
        is_v = name in _V
        fits = chunks == 2 if is_v else (chunks > 1) == (name == "INTERLEAVED_1F1B")
        if not fits or (name == "DUAL_PIPE_V" and microbatches < 2 * meshes):
            continue
        owners = [min(n, 2 * meshes - 1 - n) if is_v else n % meshes for n in range(meshes * chunks)]
        yield _candidate(name, chain, owners, microbatches, limits)


def _candidate(
    name: str, chain: Sequence[ChainUnit], owners: Sequence[int], microbatches: int, limits: Limits
) -> Candidate:
    """Split the chain for a schedule, and time it."""
    crossing = [2 * (limits.latency + unit.sent / limits.bandwidth) for unit in chain[:-1]]
    busy = [unit.seconds[Kind.FORWARD] + unit.seconds[Kind.BACKWARD] for unit in chain]
    edges = (0, *best_split(busy, crossing, owners), len(chain))
    stages = [chain[first:end] for first, end in itertools.pairwise(edges)]
    placement = {
        f"m{mesh}": [stage for stage, owner in enumerate(owners) if owner == mesh] for mesh in range(max(owners) + 1)
    }
    again = name == REMAT
    seconds = [{kind: sum(unit.seconds[kind] for unit in stage) for kind in Kind} for stage in stages]
    if again:
        for each in seconds:
            each[Kind.BACKWARD] += each[Kind.FORWARD]

    def of(unit: Unit) -> float:
        assert unit.stage is not None
        return seconds[unit.stage][unit.kind]

    if name == SEARCHED:
        table = searched_table(placement, microbatches, len(placement), of)
    else:
        table = GENERATORS["TABLE_GPIPE" if again else name](placement, microbatches)
    total = table.steps(
        of, lambda stage: crossing[edges[stage + 1] - 1] / 2 if owners[stage] != owners[stage + 1] else 0
    )
    most = max(_bytes(order, stages, limits, again=again) for order in table.orders.values())
    return Candidate(name, placement, tuple(tuple(unit.name for unit in each) for each in stages), total, most, table)


def _bytes(order: Sequence[Unit], stages: Sequence[Sequence[ChainUnit]], limits: Limits, *, again: bool) -> int:
    """Return the bytes on a device of a mesh: parameters with gradients and optimizer, and live forward values."""
    own = {unit.stage for unit in order}
    fixed = sum(limits.optimizer * unit.parameters for stage in own for unit in stages[stage or 0])
    left = [sum(unit.residuals for unit in stage) for stage in stages]
    if again:
        left = [stages[number - 1][-1].sent if number else stage[0].sent for number, stage in enumerate(stages)]
    last = {(unit.microbatch, unit.stage): place for place, unit in enumerate(order) if unit.kind is not Kind.FORWARD}
    held = most = 0
    for place, unit in enumerate(order):
        key = unit.microbatch, unit.stage
        if unit.kind is Kind.FORWARD and key in last:
            held += left[unit.stage or 0]
            most = max(most, held)
        if last.get(key) == place:
            held -= left[unit.stage or 0]
    return int(fixed) + most
