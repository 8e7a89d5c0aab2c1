"""What keeps axes from travelling across an op, as explanations say it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sdy.dialect.values.axes import AxisList, AxisRef
from sdy.passes.propagation.explain.propagation_trace import PropagationPhase


class Reason(Enum):
    """What keeps an axis from travelling across an op."""

    CONFLICT = "conflict"
    """Another tensor of the op has another axis there."""
    PRIORITY = "priority"
    """The same or the next one, and the other axis was there first because what it came by has a higher priority."""
    IN_USE = "axis in use"
    """The other tensor already uses the axis for something else."""
    CLOSED = "closed dimension"
    BLOCKED = "blocked factor"
    """The sharding rule does not let anything through there."""
    NO_RULE = "no sharding rule"
    NO_DIMENSION = "no such dimension"
    """No other tensor of the op has that dimension."""
    DIVISIBILITY = "divisibility"
    """The sizes of dimensions and axes do not go together."""
    BARRIER = "propagation barrier"
    MANUAL = "manual axis"
    """The other side of the computation's border does not see it."""
    MESH = "different meshes"
    ORDER = "order of visits"
    """It could travel, but the op was not visited again after it had come."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """`axes` do not get to tensor number `target` of an op (None: not across the op); operands count from 0, results
    follow.

    `cause` is what is in the way: a dimension of a tensor, with the dimension None for axes that the sharding names as
    replicated or unreduced. `rival` is the axis there, `factor_size` that of the factor that is too small. If it was
    decided by who came first, `rival_phase` says when the rival came, and `phase` when `axes` could.
    """

    axes: AxisList
    target: int | None
    reason: Reason
    cause: tuple[int, int | None] | None = None
    rival: AxisRef | None = None
    rival_phase: PropagationPhase | None = None
    phase: PropagationPhase | None = None
    factor_size: int | None = None
