"""What takes time on a timeline. Seconds from the start of the step; bytes of one device."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TimedCollective:
    """A collective on the timeline; in a loop, as it runs in the first round.

    Attributes:
      kind, axes, group_size: what it does, and between which devices.
      bytes_sent: by each device, each time it runs.
      times: how often it runs in the step; None if that is not known, which counts as once.
      counts: False in a branch beside that which takes longest.
      is_asynchronous: whether it has a start and a done of its own.
      location, done_location: where start and done stand in the source; a synchronous one is its own done.
      issued, begun, arrived: when it was started, when its channel was free, and when all of it was there.
      awaited: when its done was reached.
      wait: how long the device then waited, each time.
    """

    kind: str
    axes: str
    group_size: int
    bytes_sent: float
    times: int | None
    counts: bool
    is_asynchronous: bool
    location: str
    done_location: str
    issued: float
    begun: float
    arrived: float
    awaited: float
    wait: float

    @property
    def seconds(self) -> float:
        """How long it is being sent."""
        return self.arrived - self.begun

    @property
    def bytes_overlapped(self) -> float:
        """Bytes sent while the device computed, each time it runs."""
        return self.bytes_sent * (1 - min(1.0, self.wait / self.seconds)) if self.seconds else 0.0


@dataclass(frozen=True, slots=True)
class TimedOp:
    """An op that computes, or holds what does; `rounds` is how often a loop runs, None if it is none or not known."""

    name: str
    location: str
    begun: float
    ended: float
    rounds: int | None = None
    is_loop: bool = False
