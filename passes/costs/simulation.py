"""Simulation of one device's step: a stream of ops in order, and channels for transfers (spec: async, 13).

The simulation works on durations, without a program. A transfer begins when its start is reached and its channels are
free, first come first served; its done waits for its arrival.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import field

from sdy.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Work:
    """Computation of `compute` seconds.

    A step with nested steps, such as a loop, also waits for `exposed` seconds inside, while it sends for
    `communication` seconds, with at most `bytes_in_flight` more than around it.
    """

    compute: float
    exposed: float = 0.0
    communication: float = 0.0
    bytes_in_flight: int = 0


@dataclass(frozen=True, slots=True)
class Start:
    """Begins transfer `key`, which holds its `buffers` (bytes by identity) until its done.

    It occupies all of `channels` at once.
    """

    key: int
    seconds: float
    channels: tuple[Hashable, ...]
    buffers: tuple[tuple[Hashable, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Done:
    """Waits for transfer `key`."""

    key: int


Step = Work | Start | Done


@dataclass(slots=True)
class Flight:
    """The times of a transfer in seconds: start, begin, arrival, done; `wait` is the time that the stream lost."""

    issued: float
    begun: float
    arrived: float
    waited_from: float | None = None
    wait: float = 0.0

    @property
    def seconds(self) -> float:
        return self.arrived - self.begun


@dataclass(slots=True)
class Run:
    """A simulated step: `total = compute + exposed`, seconds. `spans` has the begin and end of each step."""

    compute: float = 0.0
    communication: float = 0.0
    exposed: float = 0.0
    peak_bytes_in_flight: int = 0
    spans: list[tuple[float, float]] = field(default_factory=list)
    flights: dict[int, Flight] = field(default_factory=dict)
    bytes_in_flight: list[tuple[float, int]] = field(default_factory=list)
    """At each start and done what is in flight from then on, as (second, bytes)."""

    @property
    def total(self) -> float:
        return self.compute + self.exposed


def simulate(steps: Iterable[Step]) -> Run:
    """Runs the steps in order from idle channels."""
    run, now = Run(), 0.0
    free: dict[Hashable, float] = {}
    held = _Held(run)
    for step in steps:
        before = now
        if isinstance(step, Work):
            now += step.compute + step.exposed
            run.compute += step.compute
            run.exposed += step.exposed
            run.communication += step.communication
            held.reach(step.bytes_in_flight)
        elif isinstance(step, Start):
            begun = max((now, *(free.get(channel, 0.0) for channel in step.channels)))
            free.update(dict.fromkeys(step.channels, begun + step.seconds))
            run.flights[step.key] = Flight(now, begun, begun + step.seconds)
            run.communication += step.seconds
            held.take(step, now)
        else:
            now = _finish(run, run.flights[step.key], now)
            held.drop(step.key, now)
        run.spans.append((before, now))
    return run


def _finish(run: Run, flight: Flight, now: float) -> float:
    """Return when the stream continues after the done of a transfer."""
    flight.waited_from = now
    flight.wait = max(0.0, flight.arrived - now)
    run.exposed += flight.wait
    return max(now, flight.arrived)


class _Held:
    """The buffers of transfers in flight; a buffer of several transfers counts once."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.bytes = 0
        self.buffers: dict[int, tuple[tuple[Hashable, int], ...]] = {}
        self.use_counts: dict[Hashable, int] = {}

    def take(self, start: Start, now: float) -> None:
        self.buffers[start.key] = start.buffers
        for buffer, size in start.buffers:
            self.use_counts[buffer] = self.use_counts.get(buffer, 0) + 1
            self.bytes += size if self.use_counts[buffer] == 1 else 0
        self.reach(0)
        self.run.bytes_in_flight.append((now, self.bytes))

    def drop(self, key: int, now: float) -> None:
        for buffer, size in self.buffers.pop(key):
            self.use_counts[buffer] -= 1
            self.bytes -= 0 if self.use_counts[buffer] else size
        self.run.bytes_in_flight.append((now, self.bytes))

    def reach(self, more: int) -> None:
        self.run.peak_bytes_in_flight = max(self.run.peak_bytes_in_flight, self.bytes + more)
