"""Schedules by tables: maps units to fragments and checks the table against data flow."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from sdy.jax.mpmd.schedules import (
    PREDICATES,
    PipelineContext,
    PipelineSchedule,
    Predicate,
    Rules,
    schedule_by,
)
from sdy.lazy_dataclass import dataclass
from sdy.passes.mpmd.common.fragments import FragmentInfo, SplitFragmentType
from sdy.passes.mpmd.common.rules import FragmentScheduleRule
from sdy.pipeline.generators import GENERATORS, SPLIT
from sdy.pipeline.tables import Kind, Table, Unit, check_units, parse_units, time_orders

Orders: TypeAlias = "Mapping[str, str | Sequence[str | Unit]]"
"""By name of a mesh: its units in order, or their texts."""


@dataclass(frozen=True)
class TableSchedule(PipelineSchedule):
    """A schedule whose order is a table, given or by the name of a generator.

    Attributes:
      orders: units of each mesh; None for those of `generator`.
      generator: name of a schedule, whose table depends on the stages of meshes and the number of microbatches.
    """

    orders: Orders | None = None
    generator: str = ""

    def table(self, placement: Mapping[str, Sequence[int]], microbatches: int) -> Table:
        """Return the table for the stages of meshes, and a number of microbatches.

        Raises:
          ValueError: the table does not fit, or deadlocks.
        """
        if self.orders is None:
            return GENERATORS[self.generator](placement, microbatches)
        return Table.of(self.orders, placement)

    def rules(self, fragments: Iterable[FragmentInfo], context: PipelineContext) -> Rules:
        """Return one rule for each mesh.

        Raises:
          ValueError: a unit has no fragment, a fragment no unit, or the table deadlocks with data flow.
        """
        units = _units_of(fragments)
        placement = _placement(units, context)
        microbatches = 1 + max((unit.microbatch for own in units.values() for unit in own), default=-1)
        if unknown := {*(self.orders or ())} - {*units}:
            raise ValueError(f"the table has mesh {min(unknown)!r}, which has no fragments of microbatches")
        table = self.table(placement, microbatches)
        orders: dict[str, list[FragmentInfo]] = {}
        names: dict[FragmentInfo, Unit] = {}
        for mesh, own in units.items():
            order = _as_split(table.orders.get(mesh, ()), own)
            _check_mesh(mesh, order, own)
            orders[mesh] = [own[unit] for unit in order]
            names |= {own[unit]: unit for unit in order}
        if self.orders is None:
            orders = {mesh: _behind_needs(order, context) for mesh, order in orders.items()}
        _check_flow(orders, names, context)
        return [FragmentScheduleRule(tuple(order)) for order in orders.values() if order], []


def _units_of(fragments: Iterable[FragmentInfo]) -> dict[str, dict[Unit, FragmentInfo]]:
    """Return the fragments of microbatches by mesh and unit. Raises `ValueError` for two of one unit."""
    found: dict[str, dict[Unit, FragmentInfo]] = {}
    for each in fragments:
        if each.call_counter is None or each.transpose_count not in (0, 1):
            continue
        kind = Kind.FORWARD if each.is_forward else _BACKWARD[each.split_type]
        unit = Unit(kind, each.call_counter, each.stage_id)
        own = found.setdefault(each.mesh_name, {})
        if unit in own:
            raise ValueError(f"two fragments are {unit} on mesh {each.mesh_name!r}: {own[unit]} and {each}")
        own[unit] = each
    return found


_BACKWARD = {
    None: Kind.BACKWARD,
    SplitFragmentType.KEEP_TRANSFERRED: Kind.INPUTS,
    SplitFragmentType.DROP_TRANSFERRED: Kind.PARAMETERS,
}


def _placement(units: Mapping[str, Mapping[Unit, FragmentInfo]], context: PipelineContext) -> dict[str, list[int]]:
    """Return the stages of meshes, in pipeline order. Raises `ValueError` for fragments without one."""
    meshes = sorted(units, key=lambda mesh: context.mesh_names.index(mesh) if mesh in context.mesh_names else 0)
    missing = [unit for own in units.values() for unit in own if unit.stage is None]
    if missing:
        raise ValueError(f"a table needs stages, but {missing[0]} has none; see name_to_stage_assignment")
    return {mesh: sorted({unit.stage for unit in units[mesh] if unit.stage is not None}) for mesh in meshes}


def _as_split(order: Sequence[Unit], own: Mapping[Unit, FragmentInfo]) -> list[Unit]:
    """Return the order with backward passes whole or in halves, as in the program.

    A whole one stands where its first half is, which others wait for.
    """
    found: list[Unit] = []
    for unit in order:
        whole = Unit(Kind.BACKWARD, unit.microbatch, unit.stage)
        halves = [Unit(kind, unit.microbatch, unit.stage) for kind in (Kind.INPUTS, Kind.PARAMETERS)]
        if unit in halves and whole in own:
            found += [whole] if unit == halves[0] else []
        elif unit == whole and unit not in own:
            found += [half for half in halves if half in own] or [unit]
        else:
            found.append(unit)
    return found


def _check_mesh(mesh: str, order: Sequence[Unit], own: Mapping[Unit, FragmentInfo]) -> None:
    """Raise `ValueError` unless each fragment of a mesh stands in its order once."""
    check_units({mesh: order})
    for unit in order:
        if unit not in own:
            raise ValueError(f"the table has {unit} on mesh {mesh!r}, which the program has not: it has {_listed(own)}")
    missing = [unit for unit in own if unit not in order]
    if missing:
        raise ValueError(f"the table lacks {_listed(missing)} on mesh {mesh!r}")


def _behind_needs(order: Sequence[FragmentInfo], context: PipelineContext) -> list[FragmentInfo]:
    """Return the order with fragments behind others of the mesh that they depend on.

    A generator knows of values between stages alone, and a fragment may have taken in what another stage needs.
    """
    own, placed = {*order}, dict[FragmentInfo, None]()
    for fragment in order:
        placed |= dict.fromkeys(each for each in (*context.needs(fragment), fragment) if each in own)
    return [*placed]


def _listed(units: Iterable[Unit]) -> str:
    return ", ".join(map(str, units))


def _check_flow(
    orders: Mapping[str, Sequence[FragmentInfo]], names: Mapping[FragmentInfo, Unit], context: PipelineContext
) -> None:
    """Raise `ValueError` with the cycle if the orders of meshes wait for one another."""
    table = {mesh: [names[each] for each in order] for mesh, order in orders.items()}
    infos = {unit: info for info, unit in names.items()}
    needs = {unit: [names[each] for each in context.needs(info) if each in names] for unit, info in infos.items()}
    time_orders(table, needs.__getitem__, lambda _: 1.0)


_GENERATED = {
    name: TableSchedule((), {"mpmd_split_bwd_fragments": True} if name in SPLIT else {}, None, name)
    for name in GENERATORS
}
_REGISTRY: Mapping[str, PipelineSchedule] = MappingProxyType({**PREDICATES, **_GENERATED})


def get_pipeline_schedule(name: str) -> PipelineSchedule:
    """Return the registered schedule of that name.

    Raises:
      ValueError: there is none.
    """
    if name not in _REGISTRY:
        close = difflib.get_close_matches(name.upper(), [*_REGISTRY], 1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        raise ValueError(f"unknown pipeline schedule {name!r}; {hint}these are {', '.join(_REGISTRY)}")
    return _REGISTRY[name]


def schedule(order: Orders | Predicate, required_options: Mapping[str, bool | str] | None = None) -> PipelineSchedule:
    """A schedule by a table, or by a function that says which of two fragments of a mesh has to run first.

    >>> table = mpmd.schedule({"m0": "F0 F1 B0 B1", "m1": "F0 B0 F1 B1"})
    >>> gpipe = mpmd.schedule(lambda f, g, context: (f.transpose_count, f.call_counter) < (g.transpose_count, ...))

    A table has each unit once: F3 is the forward pass of microbatch 3, B3 its backward pass, A3 and W3 its halves with
    the gradients of inputs and of parameters; 2F3 is that of stage 2, where a mesh has several. The table is checked
    against data flow before anything is ordered.

    Args:
      order: units by name of a mesh; or a function of two scheduling units of a mesh and the `PipelineContext`.
      required_options: options of the passes that the schedule needs.

    Raises:
      TypeError: the order is neither.
      ValueError: a text is not a unit, or a unit occurs twice.
    """
    if callable(order):
        return schedule_by(order, required_options)
    if not isinstance(order, Mapping):
        raise TypeError(f"a schedule is a table by name of a mesh, or a function, not a {type(order).__name__}")
    units = {mesh: tuple(parse_units(each)) for mesh, each in order.items()}
    check_units(units)
    is_split = any(unit.kind in (Kind.INPUTS, Kind.PARAMETERS) for own in units.values() for unit in own)
    options = {"mpmd_split_bwd_fragments": True} if is_split else {}
    return TableSchedule((), {**options, **(required_options or {})}, units)
