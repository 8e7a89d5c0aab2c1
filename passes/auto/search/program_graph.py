"""A program as variables, one for each op that has a choice, and edges from what makes a value to what uses it.

Arguments are variables, too, and what loops carry is one, whose states are layouts. A result that takes the buffer of
an argument has to come back in its layout.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sdy.dialect.values.sharding import TensorSharding
from sdy.passes.auto.search.strategies import Profile, Strategy, TensorSize
from sdy.passes.propagation.engine.snapshot import Snapshot

UNKNOWN_ROUNDS = 10
"""How often a loop is taken to run of which that is not known."""

NOWHERE = -1
"""The place of an operand that is none: of a copy which several ops share, of a result that is as the user says."""

GIVEN = ("sdy.sharding_constraint", "sdy.reshard")
"""Ops whose result is their operand as the user wants it."""

GROUP = "sdy.sharding_group"
"""The op that says that its operand is sharded like others."""


@dataclass(slots=True)
class Variable:
    """What has a choice: an op, or a tensor that nothing is computed of.

    `given` is a sharding that the user has asked for, whose open dimensions may get further axes. `times` is how often
    it runs. `op` is the number of the op in the snapshot, None for arguments. Along the axes `manual` of computations
    around it nothing can be chosen. It begins with `first`, or, if that is None, with everything everywhere.
    """

    profile: Profile
    times: int = 1
    given: TensorSharding | None = None
    op: int | None = None
    name: str = ""
    manual: frozenset[str] = frozenset()
    first: Strategy | None = None


@dataclass(frozen=True, slots=True)
class Use:
    """An edge: result number `result` of variable `source` is operand number `operand` of variable `target`.

    `tensor` says what moves if the layouts differ, and whether it is in memory if they do not; `times` how often it
    moves. `op` and `place` are the operand in the program, `last` is the op behind which a copy is not needed any more.
    What `is_tied` has to be laid out alike. The part `hidden` of the time in which the tensor is sent costs nothing.
    It is `of_sum` if the source is a copy of what may be added up.
    """

    source: int
    result: int
    target: int
    operand: int
    tensor: TensorSize
    times: int
    op: int
    place: int
    last: int
    is_tied: bool = False
    hidden: float = 0.0
    of_sum: bool = False


@dataclass(slots=True)
class ProgramGraph:
    """Variables and uses of one program; `values` are the variables, with the number of the result, by value.

    `arguments` are the variables of the arguments of the main function; `taken` says which result takes the buffer of
    which argument, and so is laid out like it; `asked` are the variables of the results of which the user says how they
    are sharded; `copies` are the variables of values that several ops use, which may be
    moved once for all of them, with the variable and result that they are copies of. `without_rule` names the ops that
    have no rule and so need everything everywhere. Of the manual computations `opened` are those whose bodies are read,
    and `manual` the others, with how often they run.
    """

    snapshot: Snapshot
    variables: list[Variable] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    values: dict[int, tuple[int, int]] = field(default_factory=dict)
    arguments: list[int] = field(default_factory=list)
    taken: dict[int, int] = field(default_factory=dict)
    asked: dict[int, int] = field(default_factory=dict)
    copies: dict[int, tuple[int, int]] = field(default_factory=dict)
    without_rule: list[int] = field(default_factory=list)
    manual: list[tuple[int, int]] = field(default_factory=list)
    opened: list[int] = field(default_factory=list)
    is_exact: bool = True
