"""Budgets: limits on communication, memory and computation of a program, and reports of excess."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from sdy.lazy_dataclass import dataclass
from sdy.passes.costs.machine import KINDS
from sdy.passes.options import did_you_mean
from sdy.report.transfers import Transfer, ops_of
from sdy.testing.footprint import Footprint

_ANY = "any"
_FORM = "a kind or 'any', then maybe 'over AXIS,AXIS', 'above BYTES', 'in loops'"


@dataclass(frozen=True, slots=True)
class CollectiveSelector:
    """Selects collectives: ``all_gather``, ``any over data``, ``all_reduce above 1000``, ``any in loops``.

    Attributes:
      text: the selector as it was written.
      kind: one of the kinds of collectives; empty for all.
      axes: mesh axes, all of which it sends over; groups of devices that are no axes of the mesh count as over all.
      above: bytes, more than which each device sends each time it runs.
      in_loops: whether it is in a loop.
    """

    text: str
    kind: str = ""
    axes: frozenset[str] = frozenset()
    above: float = -1
    in_loops: bool = False

    @staticmethod
    def parse(text: str) -> CollectiveSelector:
        """Read a selector.

        Raises:
          ValueError: the text is none.
        """
        words = text.split()
        if words[-2:] == ["in", "loops"]:
            return _narrowed(words[:-2], text, in_loops=True)
        return _narrowed(words, text, in_loops=False)

    def matches(self, transfer: Transfer) -> bool:
        """Return whether it selects a collective."""
        return (
            self.kind in ("", transfer.kind)
            and (transfer.axes is None or self.axes <= {axis.name for axis in transfer.axes})
            and transfer.moved_bytes > self.above
            and (transfer.is_in_loop or not self.in_loops)
        )

    def __str__(self) -> str:
        return self.text


def _narrowed(words: list[str], text: str, *, in_loops: bool) -> CollectiveSelector:
    """Read the words before those on loops."""
    kind = words[0].replace("-", "_") if words else ""
    if kind not in (_ANY, *KINDS):
        meant = did_you_mean(kind, (_ANY, *KINDS))
        raise ValueError(f"'{text}' selects no collectives{meant or f': expected {_FORM}, of {chr(32).join(KINDS)}'}")
    axes, above, left = frozenset[str](), -1.0, words[1:]
    while len(left) >= 2 and left[0] in ("over", "above"):
        if left[0] == "over":
            axes = frozenset(filter(None, left[1].split(",")))
        elif left[1].replace("_", "").replace(",", "").isdecimal():
            above = float(left[1].replace(",", ""))
        else:
            break
        left = left[2:]
    if left:
        raise ValueError(f"'{text}' cannot be read from '{' '.join(left)}' on: expected {_FORM}")
    return CollectiveSelector(text, "" if kind == _ANY else kind, axes, above, in_loops)


@dataclass(frozen=True, slots=True)
class Excess:
    """A limit that a program exceeds: `found` in place of `most`.

    `selector` and `rows` are the collectives that count, if it is a limit of collectives.
    """

    what: str
    found: float
    most: float
    selector: CollectiveSelector | None = None
    rows: tuple[Transfer, ...] = ()

    def __str__(self) -> str:
        return f"{self.what}: {self.found:,.0f}, at most {self.most:,.0f}"


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one program.

    Attributes:
      at_most: how often collectives may run in one step, by selector (see `CollectiveSelector`); an op that
        sends several tensors counts as several.
      max_bytes: that each device may send in one run.
      max_temp_bytes: that a device may hold besides its arguments (see `Footprint.temp_bytes`).
      max_flops: that a device may compute in one run (see `Footprint.flops`).
    """

    at_most: Mapping[str, int] = field(default_factory=dict)
    max_bytes: float | None = None
    max_temp_bytes: float | None = None
    max_flops: float | None = None

    @staticmethod
    def of(
        *,
        none_of: Iterable[str] = (),
        at_most: Mapping[str, int] | None = None,
        max_bytes: float | None = None,
        max_temp_bytes: float | None = None,
        max_flops: float | None = None,
    ) -> Budget:
        """Return the budget of these limits; `none_of` are selectors of forbidden collectives.

        Raises:
          TypeError: a limit of the wrong type.
          ValueError: an invalid selector, or a negative limit.
        """
        if isinstance(none_of, str):
            raise TypeError("none_of is a list of collectives, not one")
        counts = {**dict.fromkeys(none_of, 0), **(at_most or {})}
        limits = {"max_bytes": max_bytes, "max_temp_bytes": max_temp_bytes, "max_flops": max_flops}
        for name, limit in (*counts.items(), *limits.items()):
            if limit is None:
                continue
            if isinstance(limit, bool) or not isinstance(limit, (int, float)):
                raise TypeError(f"{name} is a number, not {limit!r}")
            if limit < 0:
                raise ValueError(f"{name} is at least 0, not {limit}")
        for text in counts:
            CollectiveSelector.parse(text)
        return Budget(counts, **limits)

    def excesses(self, footprint: Footprint) -> Iterator[Excess]:
        """Yield the limits that a program exceeds, counts of collectives first."""
        transfers = footprint.report.transfers
        for text, most in self.at_most.items():
            selector = CollectiveSelector.parse(text)
            found = tuple(filter(selector.matches, transfers))
            if ops_of(found) > most:
                yield Excess(text, ops_of(found), most, selector, found)
        if self.max_bytes is not None and footprint.bytes_sent > self.max_bytes:
            sent = footprint.bytes_sent
            yield Excess("bytes that each device sends", sent, self.max_bytes, CollectiveSelector(_ANY), transfers)
        if self.max_temp_bytes is not None and footprint.temp_bytes > self.max_temp_bytes:
            yield Excess("bytes of temporaries", footprint.temp_bytes, self.max_temp_bytes)
        if self.max_flops is not None and footprint.flops > self.max_flops:
            yield Excess("FLOPs of each device", footprint.flops, self.max_flops)
