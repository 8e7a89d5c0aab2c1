"""Records of how axes travelled during propagation (spec: dialect, 3.6 and 10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from sdy.dialect.values.axes import AxisRef


class EdgeNode(Enum):
    """Whether an edge end is an operand or a result."""

    OPERAND = 0
    RESULT = 1


@dataclass(frozen=True, slots=True)
class EdgeValueRef:
    """Operand or result number `index` of the op that carries the record."""

    node: EdgeNode
    index: int

    def __str__(self) -> str:
        return f"{self.node.name.lower()}-{self.index}"


@dataclass(frozen=True, slots=True)
class AxisToPropagationDetails:
    """One axis went from `source` to `targets`."""

    axis: AxisRef
    source: EdgeValueRef
    targets: tuple[EdgeValueRef, ...]

    def __str__(self) -> str:
        return f"{{{self.axis} = {self.source} -> [{', '.join(map(str, self.targets))}]}}"


@dataclass(frozen=True, slots=True)
class PropagationOneStep:
    """All that travelled across the op at one step."""

    step_index: int
    axis_entries: tuple[AxisToPropagationDetails, ...]

    def __str__(self) -> str:
        return f"{{step-{self.step_index} = [{', '.join(map(str, self.axis_entries))}]}}"


@dataclass(frozen=True, slots=True)
class PropagationEdges:
    """The steps of one op, in order."""

    steps: tuple[PropagationOneStep, ...]

    def __iter__(self) -> Iterator[PropagationOneStep]:
        return iter(self.steps)

    def __str__(self) -> str:
        return f"<[{', '.join(map(str, self.steps))}]>"
