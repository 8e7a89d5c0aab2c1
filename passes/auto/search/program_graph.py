"""A program as variables, one for each op with a choice, and edges from the maker of a value to its users.

Arguments are variables, too, and a loop variable is one, whose states are layouts. A result that takes the buffer of an
argument must have the argument's layout.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

from sdy.dialect.op_properties import is_constant, is_elementwise_name
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.passes.auto.search.strategies import Profile, Strategy, TensorSize
from sdy.passes.propagation.engine.snapshot import Snapshot
from sdy.stablehlo.op_table import Linear, Memory, OpKind, ops_in_memory, ops_of

UNKNOWN_ROUNDS = 10
"""Assumed trip count of loops with unknown trip count."""

NOWHERE = -1
"""The place of an operand that is none: of a copy which several ops share, of a result that is as the user says."""

GIVEN = ("sdy.sharding_constraint", "sdy.reshard")
"""Ops whose result is their operand as the user wants it."""

GROUP = "sdy.sharding_group"
"""The op that says that its operand is sharded like others."""


@dataclass(slots=True)
class Variable:
    """A choice: an op, or a tensor that no op computes.

    `given` is the user's sharding, whose open dimensions may get more axes. `times` is how often it runs. `op` is the
    number of the op in the snapshot, None for arguments. Along the axes `manual` of enclosing computations there is no
    choice. It starts with `first`, or fully replicated if that is None.
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

    `tensor` moves if the layouts differ; it tells whether the tensor is in memory if they do not. `times` is how often
    it moves. `op` and `place` are the operand in the program, `last` is the op of the last use of a copy. Tied uses
    (`is_tied`) need equal layouts. The share `hidden` of the sending time costs nothing. `of_sum` tells that the source
    is a copy of a value that may be summed.
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

    `arguments` are the variables of the arguments of the main function; `taken` maps results to the arguments whose
    buffers and layouts they take; `asked` are the variables of results that the user sharded; `copies` are the
    variables of values with several users, which may be moved once for all of them, with the variable and result that
    they copy. `without_rule` names the ops without a rule, which need replicated operands. `opened` are the manual
    computations whose bodies are read, and `manual` the others, with how often they run.
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


# Which communication hides behind what is computed, where collectives are asynchronous.
#
# What is made of arguments alone, as weights are, can be gathered before it is needed; what goes to results alone, as
# gradients do, can be summed up while other things are computed. So a part of both is waited for, and the rest costs
# nothing. All else is on the way from arguments to results, and is waited for.


_PUTS = (ops_of(OpKind.MOVES) - ops_of(OpKind.MOVES, linear=Linear.NO)) | {"stablehlo.bitcast_convert"}
"""Ops that assemble a result."""

_SHAPES = _PUTS - ops_in_memory(Memory.IN_PLACE)
"""Ops that hand on what they get, in another form."""


def hide(graph: ProgramGraph, overlap: float) -> None:
    """Set the share of communication that costs nothing for the uses and variables of a graph: `overlap`, or 0."""
    snapshot = graph.snapshot
    waiting = _not_of_arguments_alone(snapshot)
    places = {graph.values[value] for value in graph.values if value not in waiting}
    for number, use in enumerate(graph.uses):
        if graph.copies.get(use.source, (use.source, use.result)) in places:
            graph.uses[number] = replace(use, hidden=overlap)
    awaited = _not_for_results_alone(snapshot)
    profiles: dict[Profile, Profile] = {}
    for variable in graph.variables:
        op = variable.op
        if not variable.profile.can_reduce or op is None or not awaited.isdisjoint(snapshot.results[op]):
            continue
        profile = replace(variable.profile, hidden=overlap)
        variable.profile = profiles.setdefault(profile, profile)


def _not_of_arguments_alone(snapshot: Snapshot) -> set[int]:
    """Return the values that depend on more than reshaped arguments."""
    found: set[int] = set()
    new: list[int] = []
    for op, name in enumerate(snapshot.names):
        is_made = not (_is_handed_on(name, _SHAPES) or name in snapshot.data_flow_names or name == "func.func")
        if is_made and not is_constant(snapshot.ops[op]):
            new += snapshot.results[op]
    while new:
        value = new.pop()
        if value not in found:
            found.add(value)
            new += _made_of(snapshot, value)
    return found


def _made_of(snapshot: Snapshot, value: int) -> Iterator[int]:
    """Return the direct users of a value."""
    for user, place in snapshot.uses(value):
        owners = _owners(snapshot, user, place)
        for op, owner in owners:
            yield from _targets(snapshot, op, owner)
        if not owners:
            yield from snapshot.results[user]


def _not_for_results_alone(snapshot: Snapshot) -> set[int]:
    """Return the values that are not only parts of program results."""
    main, flows = snapshot.main_function, snapshot.data_flow_ops
    sources = {source for info in flows.values() for owner in info.owners for source in info.sources[owner]}
    found: set[int] = set()
    new: list[int] = []
    for op, name in enumerate(snapshot.names):
        is_return = snapshot.parents[op] == main and not len(snapshot.results[op])
        if not (_is_handed_on(name, _PUTS) or is_return):
            new += (value for place, value in enumerate(snapshot.operands[op]) if (op, place) not in sources)
    owner_of = {target: (op, owner) for op, info in flows.items() for target, owner in info.owner_of.items()}
    while new:
        value = new.pop()
        if value in found:
            continue
        found.add(value)
        if value in owner_of:
            op, owner = owner_of[value]
            new += (snapshot.operands[user][place] for user, place in flows[op].sources[owner])
        elif snapshot.definers[value] >= 0:
            new += snapshot.operands[snapshot.definers[value]]
    return found


def _owners(snapshot: Snapshot, user: int, place: int) -> list[tuple[int, int]]:
    """The data-flow ops, with the owners of the edges, that an operand flows into."""
    around = (user, snapshot.parents[user])
    infos = [(op, snapshot.data_flow_ops[op]) for op in around if op in snapshot.data_flow_ops]
    return [(op, owner) for op, info in infos for owner in info.owners if (user, place) in info.sources[owner]]


def _targets(snapshot: Snapshot, op: int, owner: int) -> Iterator[int]:
    return (target for target, other in snapshot.data_flow_ops[op].owner_of.items() if other == owner)


def _is_handed_on(name: str, forms: frozenset[str]) -> bool:
    return name in forms or is_elementwise_name(name)
