"""Windows over elements that stand apart, counted in elements, as plain numbers (spec: partitioner, 3.5)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sdy.passes.partitioning.facts.halo_plan import DimPlan, part_numbers


@dataclass(frozen=True)
class SpreadElements:
    """What devices take of a dimension whose elements stand `plan.dilation` apart, if windows are one position apart.

    A device takes `count` elements, the first of which is the last one at or before its first position. Between the two
    lie fewer positions than elements are apart, another number on each device: `shifts` are the fewest and the most.
    What is made has as many results `more` as these differ by; each device cuts out its own.
    """

    plan: DimPlan

    @cached_property
    def shifts(self) -> tuple[int, int]:
        rests = self._starts % self.plan.dilation
        return int(rests.min()), int(rests.max())

    @property
    def more(self) -> int:
        return self.shifts[1] - self.shifts[0]

    @property
    def count(self) -> int:
        return (self.plan.window + self.shifts[1] - 1) // self.plan.dilation + 1

    @cached_property
    def edges(self) -> tuple[int, int]:
        """Padding before and behind what a device has got: as many elements as some device looks at there."""
        plan = self.plan
        firsts = self._starts // plan.dilation - self._parts * plan.source_size
        low, high = -int(firsts.min()) - plan.left_rows, int(firsts.max()) + self.count - plan.source_size
        return self._at_most_all(low), self._at_most_all(high - plan.right_rows)

    @property
    def padding(self) -> tuple[int, int]:
        """How the elements that a device takes are padded, so that windows begin where some device needs one."""
        low, high = self.shifts
        return -low, high + self.plan.window - (self.count - 1) * self.plan.dilation - 1

    @property
    def elements_before(self) -> int:
        """So many elements before the first one all windows have begun, so that no number is negative."""
        return max(0, -(-self.plan.low // self.plan.dilation))

    def _at_most_all(self, edge: int) -> int:
        return min(self.count, max(0, edge))

    @cached_property
    def _parts(self) -> np.ndarray:
        plan = self.plan
        return part_numbers(plan.shards, plan.target_size, plan.source_size * plan.dilation, plan.low)

    @cached_property
    def _starts(self) -> np.ndarray:
        """The first position of each part of the result; elements are at multiples of the dilation."""
        return self._parts * self.plan.target_size - self.plan.low
