"""What keeps axes from travelling across an op, as explanations say it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Self

from sdy.dialect.values.axes import AxisList, AxisRef
from sdy.passes.propagation.explain.propagation_trace import PropagationPhase


class Reason(Enum):
    """What keeps an axis from travelling across an op: the value is the word for it.

    Attributes:
      detail: the sentence that says more, for reasons of which it is always the same.
    """

    detail: str

    def __new__(cls, word: str, detail: str = "") -> Self:
        reason = object.__new__(cls)
        reason._value_ = word
        reason.detail = detail
        return reason

    CONFLICT = "conflict"
    """Another tensor of the op has another axis there."""
    PRIORITY = "priority"
    """The same or the next one, and the other axis was there first because what it came by has a higher priority."""
    IN_USE = "axis in use"
    """The other tensor already uses the axis for something else."""
    CLOSED = "closed dimension"
    BLOCKED = "blocked factor", "the sharding rule blocks this dimension"
    NO_RULE = "no sharding rule", "it is not known how the dimensions of operands and results correspond"
    NO_DIMENSION = "no such dimension", "no other operand or result of the op has this dimension"
    DIVISIBILITY = "divisibility"
    """The sizes of dimensions and axes do not go together."""
    BARRIER = "propagation barrier", "the barrier does not let it through in this direction"
    MANUAL = "manual axis", "what is on the other side of the computation's border does not see it"
    MESH = "different meshes", "the tensors of the op are on different meshes"
    ORDER = "order of visits", "it could go there, but the op was not visited again after it had come"


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
