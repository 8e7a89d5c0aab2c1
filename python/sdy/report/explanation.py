"""Explains the shardings of values after propagation, and why other axes are missing.

>>> found = sdy.explain(text, "result:0", filename="program.mlir")
>>> print(found)                     # for people
>>> found[0].axes[0].hops            # as data

Propagation runs on a copy of the module, as in the propagation pipeline: calls are followed into the functions. For
each axis of a value the record has where it was given and which ops it crossed. Where it stopped, and which axes of
neighbouring tensors did not arrive, follows from the final shardings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import overload

from sdy.dialect.context import exclusively
from sdy.dialect.op_properties import is_terminator
from sdy.dialect.program_values import Program, ProgramValue, SelectorError, ValueKind, select
from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes, difference
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding, axis_set
from sdy.lazy_dataclass import dataclass
from sdy.markup.fragments import Cell, fragment, listing, sharding_label, table
from sdy.mlir import ir
from sdy.mlir.diagnostics import collecting
from sdy.passes.manager import run_pipeline
from sdy.passes.propagation.engine.driver import GROUP
from sdy.passes.propagation.explain.propagated_program import OriginKind, Place, PropagatedProgram
from sdy.passes.propagation.explain.propagation_stops import Judge, Obstacle, Reason, VisitOfSlots, VisitsOfSlots
from sdy.passes.propagation.explain.propagation_trace import Arrival, PropagationPhase, traced_propagation
from sdy.passes.propagation.propagation_options import OpPriorityOptions
from sdy.programs.bytecode import exact_copy
from sdy.programs.given_modules import CompiledProgram, GivenProgram, compiled, parsed, text_of, with_own_shardings
from sdy.programs.partitioning import Partitioning
from sdy.report.communication_report import communication_of
from sdy.report.transfers import Transfer

__all__ = ["AxisOrigin", "Explanation", "Explanations", "Hop", "OriginKind", "Place", "Reason", "Stop", "explain"]

_MOST_SHOWN_WHOLE = 8
"""Values of which notebooks show all that is said."""


@dataclass(frozen=True, slots=True)
class Hop:
    """An axis went across an op, or to another member of a sharding group, at a step of propagation.

    `source` and `target` are the roles of the values in the op (``operand 0``, ``result 0``, ``block argument 1``);
    `value` is the name of the target in the program, empty if it has none, and `number` its number there
    (`ProgramValue.number`), -1 if it has none.
    """

    op: Place
    source: str
    target: str
    value: str
    step: int
    number: int = -1

    def __str__(self) -> str:
        value = f", {self.value}" if self.value not in ("", self.target) else ""
        return f"step {self.step}: {self.op}: {self.source} -> {self.target}{value}"


class Hops(Sequence[Hop]):
    """Hops in the order in which they were made.

    Those of a value extend those of the value that the axis came from by one, and are stored so.
    """

    __slots__ = ("_before", "_last", "_length")

    def __init__(self, before: Hops | None = None, last: Hop | None = None) -> None:
        self._before, self._last = before, last
        self._length = 0 if before is None else len(before) + 1

    def __len__(self) -> int:
        return self._length

    def __reversed__(self) -> Iterator[Hop]:
        at = self
        while at._before is not None and at._last is not None:
            yield at._last
            at = at._before

    def __iter__(self) -> Iterator[Hop]:
        return iter(list(reversed(self))[::-1])

    @overload
    def __getitem__(self, index: int) -> Hop: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Hop, ...]: ...

    def __getitem__(self, index: int | slice) -> Hop | tuple[Hop, ...]:
        return tuple(self)[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (Hops, tuple)) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


@dataclass(frozen=True, slots=True)
class AxisOrigin:
    """Origin of an axis, or of a part of one, in a dimension: `hops` lead from `origin` to the value.

    `number` is that of the value at the origin (`ProgramValue.number`), -1 if it is not in the program.
    """

    axis: AxisRef
    dim: int
    kind: OriginKind
    origin: Place | None
    hops: Sequence[Hop]
    number: int = field(default=-1, compare=False)

    def __str__(self) -> str:
        return "\n  ".join([self._head(), *map(str, self.hops)])

    def in_short(self) -> str:
        """Return the text with only the hops from the last value of the program on the way."""
        shown: list[Hop] = []
        for hop in reversed(self.hops):
            if shown and hop.value:
                way = f", {len(self.hops)} hops, the last from {hop.value}"
                return "\n  ".join([self._head() + way, *map(str, reversed(shown))])
            shown.append(hop)
        return str(self)

    def _head(self) -> str:
        head = f"{self.axis} in dimension {self.dim}: "
        if self.kind is OriginKind.UNKNOWN:
            return f"{head}from a neighbouring tensor; which one is not recorded"
        return f"{head}from {self.origin}" if self.hops else f"{head}given here, by {self.origin}"


@dataclass(frozen=True, slots=True)
class Stop:
    """Some axes did not get from `source` to `target` of an op; `target` is empty if the op itself stops them.

    `value` is the name of the target in the program, empty if it has none. `detail` says more than `reason`.
    """

    axes: AxisList
    op: Place
    source: str
    target: str
    value: str
    reason: Reason
    detail: str

    def __str__(self) -> str:
        axes = axis_set(self.axes)[1:-1]
        way = f"{self.source} -> {self.target}" if self.target else self.source
        value = f", {self.value}" if self.value not in ("", self.target) else ""
        return f"{axes} at {self.op}, {way}{value}: {self.reason.value}: {self.detail}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """One value after propagation.

    `name` is its name in the printed module, `what` its op or argument. `calls` leads to it if its function is called.
    `stops` are the ops that stopped axes of the value, `missed` those that stopped axes of its neighbours.
    """

    name: str
    what: Place
    type: str
    calls: tuple[str, ...]
    sharding: TensorSharding | None
    axes: tuple[AxisOrigin, ...]
    stops: tuple[Stop, ...]
    missed: tuple[Stop, ...]

    def __str__(self) -> str:
        return self._text(map(str, self.axes))

    def _repr_html_(self) -> str:
        """Return the sharding and its explanation, for notebooks."""
        return fragment(str(self), *self.html_parts())

    def html_parts(self) -> Iterator[str]:
        """Return the parts for notebooks, without the text and the style."""
        name = self.name if self.name == self.what.what else f"{self.name} = {self.what}"
        yield table((name,), [[Cell(html=sharding_label(self.type, self.sharding))]])
        for origin in self.axes:
            first, *hops = str(origin).splitlines()
            yield listing(first, hops) or table((), [[Cell(first)]])
        yield listing("went no further", map(str, self.stops))
        yield listing("did not come", map(str, self.missed))

    def in_short(self) -> str:
        """Return the text without the ways of axes to other values."""
        return self._text(origin.in_short() for origin in self.axes)

    def _text(self, origins: Iterable[str]) -> str:
        lines = [self._head(), *(f"in {call}" for call in self.calls)]
        lines += [f"  {line}" for origin in origins for line in origin.splitlines()]
        for title, stops in (("went no further:", self.stops), ("did not come:", self.missed)):
            if stops:
                lines += [f"  {title}", *(f"    {stop}" for stop in stops)]
        return "\n".join(lines)

    def _head(self) -> str:
        what = f"{self.name} = {self.what}" if self.name != self.what.what else str(self.what)
        return f"{what} : {self.type} {_dims(self.sharding)}"


@dataclass(frozen=True, slots=True)
class Explanations:
    """The requested values in program order; values of a called function, once per call.

    In the text of all values, each one lists how axes came from the previous value, which has its own entry.
    """

    values: tuple[Explanation, ...]
    are_all: bool = False

    def __iter__(self) -> Iterator[Explanation]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, index: int) -> Explanation:
        return self.values[index]

    def _repr_html_(self) -> str:
        """Return a line per value, or full explanations if there are few, for notebooks."""
        if len(self.values) <= _MOST_SHOWN_WHOLE:
            return fragment(str(self), *(part for each in self.values for part in each.html_parts()))
        rows = [
            [Cell(each.name), Cell(each.what.what), Cell(html=sharding_label(each.type, each.sharding))]
            for each in self.values
        ]
        return fragment(str(self), table(("value", "of", "sharding"), rows))

    def __str__(self) -> str:
        return "\n\n".join(each.in_short() if self.are_all else str(each) for each in self.values)


def explain(
    module: GivenProgram,
    selector: str = "all",
    *,
    filename: str = "-",
    context: ir.Context | None = None,
    options: OpPriorityOptions | None = None,
    is_embedded: bool | None = None,
    text: str = "",
) -> Explanations:
    """Explain the shardings that propagation gives values of `module`.

    Args:
      module: input of `sdy.parse`, an `ir.Module` (not changed), or what `sdy.partition` or `sdy.jax.jit`
        return, for the original program.
      selector: ``all``; ``argument:0`` or ``result:0`` of the main function; ``%3`` or ``%3#1`` as in the printed
        module, or ``%w`` as in its source text; each after ``@f:`` for another function;
        ``file.mlir:12`` or ``file.mlir:12:5``, with or without the file; the name that the frontend gave an argument or
        an op (``params['w']``), with ``*`` and ``?`` for any text; or the id of a collective that `sdy.communication`
        shows, ``c3``, for the value it serves.
      filename: name in locations of a module from a text without a name.
      context: the MLIR context to parse a text into (see `sdy.partition`).
      options: of propagation; None for those of the compiled program.
      is_embedded: as for `sdy.partition`: functions that JAX calls are then inlined before anything is propagated, and
        their values are explained once for each call. None follows the compiled program.
      text: the source text of a module, for its names.

    Returns:
      `Explanations`: of each selected value its axes with their origins, and the axes that stopped.

    Raises:
      SelectorError (a ValueError): the selector is invalid, or matches no value, or only dead code.
      DiagnosticError, DiagnosticErrors: the module cannot be propagated.
    """
    own = compiled(module, filename=filename)
    if is_embedded is not None:
        own = replace(own, partitioning=own.partitioning.changed(embedded=is_embedded))
    original = parsed(own.program, filename, own.context or context)
    with original.context, exclusively(original.context), ir.Location.unknown(), collecting(lambda diagnostic: None):
        original = with_own_shardings(original, own.partitioning.options)
        program = Program(original.operation, filename, text or text_of(own.program, filename))
        values = select(program, _served(replace(own, program=original), selector, filename))
        explainer = explainer_of(original, program, own.partitioning, options)
        found = tuple(one for value in values for one in explainer.explanations(value))
    if not found and selector != "all":
        inlined = ", or of a function that is inlined before" if own.partitioning.options.embedded else ""
        raise SelectorError(f"'{selector}' is dead code, which propagation removes{inlined}")
    return Explanations(found, selector == "all")


def explainer_of(
    original: ir.Module | ir.Operation,
    program: Program,
    partitioning: Partitioning,
    options: OpPriorityOptions | None = None,
) -> Explainer:
    """Propagate a copy of a module, with the values `program`, in the current context.

    It is prepared as for compilation first. `options` are those of the partitioning if None.
    """
    if options is None:
        options = OpPriorityOptions(conservative_propagation=partitioning.options.conservative_propagation)
    copy = exact_copy(original)
    program.tag(copy.operation)
    run_pipeline(copy.operation, [*partitioning.phases().only("preparing")])
    return Explainer(PropagatedProgram(program, traced_propagation(copy.operation, options)))


_ID = re.compile(r"c\d+")


def collectives_text(transfers: Sequence[Transfer]) -> str:
    """Return how many collectives a program has, and their ids, as errors list them."""
    ids = [one.id for one in transfers if one.id]
    shown = ids[0] if len(ids) == 1 else f"{ids[0]} to {ids[-1]}" if ids else ""
    return f"it has {len(transfers)}{f': {shown}' if shown else ''}"


def _served(own: CompiledProgram, selector: str, filename: str) -> str:
    """Return the selector; for the id of a collective, that of the value it serves."""
    if not isinstance(selector, str):
        raise TypeError(
            f"explain() takes selectors of values as text, such as '%3' or 'w', not {type(selector).__name__}"
        )
    if not _ID.fullmatch(selector):
        return selector
    transfers = communication_of(own, filename).transfers
    found = next((one for one in transfers if one.id == selector), None)
    if found is None:
        raise SelectorError(f"the program has no collective '{selector}'; {collectives_text(transfers)}")
    if not found.value:
        raise SelectorError(f"'{selector}' serves no value whose sharding is known: the program is that of one device")
    return found.value


@dataclass(frozen=True, slots=True)
class _Way:
    """The way of an axis to a value."""

    kind: OriginKind
    origin: Place | None
    hops: Hops
    number: int


class Explainer:
    """Explains the values of one run of propagation."""

    def __init__(self, propagated: PropagatedProgram) -> None:
        self._program, self._session = propagated, propagated.session
        self._snapshot, self._store = propagated.session.snapshot, propagated.session.store
        self._visits, self._judge = VisitsOfSlots(propagated.session), Judge(propagated.session)
        self._ways: dict[tuple[int, AxisRef], _Way] = {}

    def explanations(self, value: ProgramValue) -> list[Explanation]:
        return [self._explain(value, op, slot) for op, slot in self._program.instances(value)]

    def sharding(self, value: ProgramValue) -> TensorSharding | None:
        """Return the final sharding of a value, in the first of the calls of its function; None if it has none."""
        first = next(iter(self._program.instances(value)), None)
        return None if first is None else self._store.sharding(first[1])

    def mesh(self, sharding: TensorSharding) -> Mesh:
        """The mesh that a sharding of the propagated program is on."""
        return self._session.table.mesh(sharding.mesh_or_ref)

    def _explain(self, value: ProgramValue, op: int, slot: int) -> Explanation:
        sharding = self._store.sharding(slot)
        is_inside = value.kind is ValueKind.ARGUMENT or self._snapshot.names[op] == "func.func"
        around = op if is_inside else self._snapshot.parents[op]
        visits = self._visits.of_slot.get(slot, ())
        stops = [stop for visit in visits for stop in self._stops(visit, slot)]
        missed = [stop for visit in visits for stop in self._missed(visit, slot)]
        for stop, is_own in self._unruled(slot):
            (stops if is_own else missed).append(stop)
        return Explanation(
            self._program.program.name(value),
            value.what,
            value.type,
            self._program.calls_around(around),
            sharding,
            tuple(self._origins(slot, sharding)),
            tuple(dict.fromkeys(stops)),
            tuple(dict.fromkeys(missed)),
        )

    # Origins -------------------------------------------------------------------------------------

    def _origins(self, slot: int, sharding: TensorSharding | None) -> Iterator[AxisOrigin]:
        if sharding is None:
            return
        sizes = self._session.table.mesh(sharding.mesh_or_ref).axis_sizes
        for dim, axes in enumerate(sharding.dim_axes):
            for axis in axes:
                for part in self._parts(slot, axis, sizes):
                    yield self._origin(slot, dim, part)

    def _parts(self, slot: int, axis: AxisRef, sizes: AxisSizes) -> list[AxisRef]:
        """Cut the axis into given and received parts."""
        shared = (own.overlap(axis) for own in self._session.own[slot])
        given = [part for part in shared if part is not None]
        parts = [*given, *difference((axis,), given, sizes)]
        return sorted(parts, key=lambda part: part.pre_size)

    def _origin(self, slot: int, dim: int, axis: AxisRef) -> AxisOrigin:
        """Follow the axis back to the value that it was given to, or to the border where it is a manual axis."""
        way = self._way(slot, axis)
        return AxisOrigin(axis, dim, way.kind, way.origin, way.hops, way.number)

    def _way(self, slot: int, axis: AxisRef) -> _Way:
        """Return the way of an axis; ways are cached, since a way continues that of another value."""
        pending: list[Arrival] = []
        at, before, way = slot, None, None
        while way is None and not self._is_given(at, axis):
            arrival = self._arrival(at, axis, before)
            if arrival is None:
                break
            way = self._ways.get((id(arrival), axis))
            if way is None:
                pending.append(arrival)
                # Members of a group get an axis at the step at which the first of them does.
                at, before = arrival.source, arrival.step + (arrival.op is None)
        way = way or self._start(at, axis)
        for arrival in reversed(pending):
            way = _Way(way.kind, way.origin, Hops(way.hops, self._hop(arrival)), way.number)
            self._ways[id(arrival), axis] = way
        return way

    def _start(self, slot: int, axis: AxisRef) -> _Way:
        """Return the way of an axis to the value that had it first."""
        kind, place = self._program.origin(slot)
        if not self._is_given(slot, axis) and kind is not OriginKind.MANUAL_COMPUTATION:
            kind, place = OriginKind.UNKNOWN, None
        return _Way(kind, place, Hops(), self._program.number(slot))

    def _is_given(self, slot: int, axis: AxisRef) -> bool:
        return any(own.overlaps(axis) for own in self._session.own[slot])

    def _arrival(self, slot: int, axis: AxisRef, before: int | None) -> Arrival | None:
        """Return the move that brought the axis, or the first part of it, to a slot before the step `before`."""
        come = [
            arrival
            for arrival in self._session.arrivals.get(slot, ())
            if arrival.axis.overlaps(axis) and (before is None or arrival.step < before)
        ]
        return next((arrival for arrival in come if arrival.axis.contains(axis)), next(iter(come), None))

    def _hop(self, arrival: Arrival) -> Hop:
        value, number = self._program.name(arrival.target), self._program.number(arrival.target)
        if arrival.op is None:
            return Hop(self._program.group_place(arrival.target), "other member", "member", value, arrival.step, number)
        source = self._program.role(arrival.op, arrival.source_tensor, arrival.slots)
        target = self._program.role(arrival.op, arrival.target_tensor, arrival.slots)
        return Hop(self._program.place(arrival.op), source, target, value, arrival.step, number)

    # Stops ---------------------------------------------------------------------------------------

    def _stops(self, visit: VisitOfSlots, slot: int) -> Iterator[Stop]:
        source = visit.slots.index(slot)
        others = [tensor for tensor, other in enumerate(visit.slots) if other != slot]
        for obstacle in self._judge.obstacles(visit, source, others):
            yield self._stop(visit, source, obstacle)

    def _missed(self, visit: VisitOfSlots, slot: int) -> Iterator[Stop]:
        target = visit.slots.index(slot)
        for source, other in enumerate(visit.slots):
            if other != slot:
                for obstacle in self._judge.obstacles(visit, source, [target]):
                    if obstacle.reason not in _OUTGOING:
                        yield self._stop(visit, source, obstacle)

    def _stop(self, visit: VisitOfSlots, source: int, obstacle: Obstacle) -> Stop:
        place, role = self._program.place(visit.op), self._program.role(visit.op, source, visit.slots)
        detail = self._detail(visit, obstacle)
        if obstacle.target is None:
            return Stop(obstacle.axes, place, role, "", "", obstacle.reason, detail)
        target = self._program.role(visit.op, obstacle.target, visit.slots)
        value = self._program.name(visit.slots[obstacle.target])
        return Stop(obstacle.axes, place, role, target, value, obstacle.reason, detail)

    def _detail(self, visit: VisitOfSlots, obstacle: Obstacle) -> str:
        if obstacle.rival is not None:
            return self._rivalry(visit, obstacle, obstacle.rival)
        if obstacle.reason is Reason.CLOSED:
            return f"{self._cause(visit, obstacle)} is closed"
        if obstacle.reason is Reason.DIVISIBILITY:
            return f"a factor of size {obstacle.factor_size} cannot be split that way"
        return obstacle.reason.detail

    def _rivalry(self, visit: VisitOfSlots, obstacle: Obstacle, rival: AxisRef) -> str:
        """Return the conflicting axis, its position and origin, and why it was first."""
        assert obstacle.cause is not None
        tensor, dim = obstacle.cause
        text = f"{self._cause(visit, obstacle)} has {rival}"
        if dim is not None:
            origin = self._origin(visit.slots[tensor], dim, rival).origin
            text += f" from {origin}" if origin else ""
        came, could = obstacle.rival_phase, obstacle.phase
        if came is None or could is None:
            return text
        return f"{text}, which had {_first(came, could)}"

    def _cause(self, visit: VisitOfSlots, obstacle: Obstacle) -> str:
        assert obstacle.cause is not None
        tensor, dim = obstacle.cause
        where = self._program.role(visit.op, tensor, visit.slots)
        return f"{where} (replicated or unreduced)" if dim is None else f"dimension {dim} of {where}"

    # Ops without a rule --------------------------------------------------------------------------

    def _unruled(self, slot: int) -> Iterator[tuple[Stop, bool]]:
        """Return one stop per op without a rule and sharded tensor of it; tell whether it is that of `slot`."""
        for op in self._unruled_ops.get(slot, ()):
            slots = self._slots_of(op)
            for other in dict.fromkeys(slots):
                sharding = None if other == self._store.nowhere else self._store.sharding(other)
                if sharding is not None and not sharding.is_fully_replicated:
                    axes = tuple(axis for axes in sharding.dim_axes for axis in axes)
                    role = self._program.role(op, slots.index(other), slots)
                    place, detail = self._program.place(op), Reason.NO_RULE.detail
                    yield Stop(axes, place, role, "", "", Reason.NO_RULE, detail), other == slot

    @cached_property
    def _unruled_ops(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for op, name in enumerate(self._snapshot.names):
            slots = self._slots_of(op)
            tensors = {slot for slot in slots if slot != self._store.nowhere and self._store.types[slot].rank}
            if len(tensors) > 1 and name not in _CONNECTED and self._has_no_rule(op):
                for slot in dict.fromkeys(slot for slot in slots if slot in tensors):
                    found.setdefault(slot, []).append(op)
        return found

    def _has_no_rule(self, op: int) -> bool:
        if self._visits.of_ops.profile_of[op] >= 0 or not self._session.driver.is_alive(op):
            return False
        return op not in self._snapshot.data_flow_ops and not is_terminator(self._snapshot.ops[op])

    def _slots_of(self, op: int) -> tuple[int, ...]:
        values = [*self._snapshot.operands[op], *self._snapshot.results[op]]
        return tuple(self._store.slot_of[value] for value in values)


_CONNECTED = frozenset({GROUP, "func.func", "func.call"})
"""Ops that are connected in another way than by a rule."""

_OUTGOING = (Reason.NO_DIMENSION, Reason.MANUAL)
"""Reasons that lie in the tensor that the axes are on."""


def _first(came: PropagationPhase, could: PropagationPhase) -> str:
    """Return the phase in which a rival came first."""
    if came.priority != could.priority:
        return f"user priority {came.priority}, before {could.priority}"
    return f"op-priority level {came.level}, before {could.level}"


def _dims(sharding: TensorSharding | None) -> str:
    """Return the sharding without its mesh, which is usually common to all."""
    if sharding is None:
        return "(no sharding)"
    text = f"[{', '.join(map(str, sharding.dims))}]"
    for name, axes in (("replicated", sharding.replicated), ("unreduced", sharding.unreduced)):
        text += f" {name}={axis_set(axes)}" if axes else ""
    return text
