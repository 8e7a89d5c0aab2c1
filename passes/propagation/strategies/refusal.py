"""Why a tensor does not take an axis: what the strategies answer where they are asked (spec: propagation, 5)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from sdy.dialect.values.axes import AxisRef


class RefusalKind(Enum):
    """What keeps an axis out of a factor of a tensor."""

    NAMED = auto()
    """The tensor's sharding has it as replicated or unreduced."""
    USED = auto()
    """Another factor of the tensor has it."""
    CLOSED = auto()
    """The factor takes no more axes."""
    NO_ROOM = auto()
    """The factor has axes that do not divide it, or the axis does not divide what is left of it."""
    PART = auto()
    """It is a sub-axis, and the op is conservative."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """`rival` is the axis that is there already, `rival_factor` the factor that has it, if one does."""

    kind: RefusalKind
    rival: AxisRef | None = None
    rival_factor: int | None = None


Refusals = list[Refusal]
"""Where a question is to leave its reasons, in the order in which they were met."""
