"""Which communication hides behind what is computed, where collectives are asynchronous.

What is made of arguments alone, as weights are, can be gathered before it is needed; what goes to results alone, as
gradients do, can be summed up while other things are computed. So a part of both is waited for, and the rest costs
nothing. All else is on the way from arguments to results, and is waited for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sdy.dialect.op_properties import is_constant, is_elementwise_name
from sdy.passes.auto.search.program_graph import ProgramGraph
from sdy.passes.auto.search.strategies import Profile
from sdy.passes.propagation.engine.snapshot import Snapshot

_SHAPES = frozenset(
    f"stablehlo.{name}"
    for name in "bitcast_convert broadcast_in_dim concatenate convert dynamic_slice pad reshape slice transpose".split()
)
"""Ops that hand on what they get, in another form."""

_PUTS = _SHAPES | {"stablehlo.dynamic_update_slice"}
"""Those by which a result is put together."""


def hide(graph: ProgramGraph, overlap: float) -> None:
    """Says of the uses and variables of a graph which part of what is sent for them costs nothing: `overlap`, or 0."""
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
    """The values that something else than arguments in other forms goes into."""
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
    """What a value goes into directly."""
    for user, place in snapshot.uses(value):
        owners = _owners(snapshot, user, place)
        for op, owner in owners:
            yield from _targets(snapshot, op, owner)
        if not owners:
            yield from snapshot.results[user]


def _not_for_results_alone(snapshot: Snapshot) -> set[int]:
    """The values that something else is made of than results of the program, put together of them."""
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
