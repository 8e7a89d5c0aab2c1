"""Reads the graph of a program: the ops with a choice, and the uses of their values.

Constants, and values computed from them alone, are made at each use.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from sdy.dialect.definition import attributes
from sdy.dialect.hlo_async.chains import HLO_ASYNC
from sdy.dialect.op_properties import is_constant, is_elementwise_name, is_terminator
from sdy.dialect.ops.model import CUSTOM_CALL
from sdy.dialect.shardings.attribute_shardings import arg_shardings, op_shardings, result_shardings
from sdy.dialect.shardings.meshes import mesh_of
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes, product
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes.auto.search.op_profiles import OpProfiles
from sdy.passes.auto.search.program_graph import GIVEN, GROUP, NOWHERE, UNKNOWN_ROUNDS, ProgramGraph, Use, Variable
from sdy.passes.auto.search.strategies import Profile, Strategy, TensorSize
from sdy.passes.costs.liveness import aliases
from sdy.passes.costs.op_cost import FREE
from sdy.passes.propagation.engine.snapshot import Snapshot
from sdy.stablehlo.idioms.loops import WHILE, trip_count

_NAMES = ("sdy.data_flow_edge", "sdy.propagation_barrier")
_MANUAL = "sdy.manual_computation"
_SHAPES = frozenset(f"stablehlo.{name}" for name in "broadcast_in_dim convert iota reshape transpose".split())


def read_program(module: ir.Operation) -> ProgramGraph:
    """The graph of the main function of a module without calls.

    Raises `DiagnosticError` at what cannot be partitioned automatically: dynamic shapes, calls, values with unreduced
    axes.
    """
    reader = _Reader(Snapshot(module))
    reader.read()
    return reader.graph


class _Reader:
    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.graph = ProgramGraph(snapshot)
        self._profiles = OpProfiles(snapshot)
        self._seen: set[tuple[int, int, int, Any]] = set()
        self._groups: dict[int, list[tuple[int, int]]] = {}
        self._manual: frozenset[str] = frozenset()
        self._mesh: Mesh | None = None
        """Mesh of the surrounding manual computations."""

    def read(self) -> None:
        snapshot, graph = self.snapshot, self.graph
        main = snapshot.main_function
        function = snapshot.ops[main]
        given = arg_shardings(function)
        for place, value in enumerate(snapshot.entry_arguments(main)):
            variable = self._tensor_variable(value, given[place], 1, None)
            graph.arguments.append(variable)
        self._read_ops(snapshot.regions[main][0], 1)
        self._read_results(main, function)
        self._share_copies()
        self._tie_groups()

    def _share_copies(self) -> None:
        """Lets uses that run equally often share one copy: a variable between the value and them."""
        graph = self.graph
        groups: dict[tuple[int, int, int], list[int]] = {}
        for number, use in enumerate(graph.uses):
            if use.times:
                groups.setdefault((use.source, use.result, use.times), []).append(number)
        for (source, result, times), numbers in groups.items():
            if len({graph.uses[number].target for number in numbers}) < 2:
                continue
            first = graph.uses[numbers[0]]
            profile = self._profiles.identity_of(replace(first.tensor, is_in_memory=True))
            copy = self._add(Variable(profile, times, None, first.op))
            graph.variables[copy].manual = graph.variables[source].manual
            graph.copies[copy] = (source, result)
            last = max(graph.uses[number].op for number in numbers)
            of_sum = graph.variables[source].profile.can_reduce
            for number in numbers:
                graph.uses[number] = replace(graph.uses[number], source=copy, result=0, of_sum=of_sum)
            graph.uses.append(Use(source, result, copy, 0, first.tensor, times, first.op, NOWHERE, last))

    def _tie_groups(self) -> None:
        """Tie the values of a sharding group, except those that the user has sharded."""
        for members in self._groups.values():
            tensor = self._profiles.tensor(members[0][0])
            said = [(value, op, get_sharding(self.snapshot.value(value))) for value, op in members]
            given = next((sharding for _, _, sharding in said if sharding is not None), None)
            group = self._add(Variable(self._profiles.identity_of(tensor), 1, given, members[0][1]))
            places = [self.graph.values[value] for value, _ in members if value in self.graph.values]
            self.graph.variables[group].manual = frozenset().union(
                *(self.graph.variables[variable].manual for variable, _ in places)
            )
            for value, op, sharding in said:
                if value in self.graph.values and sharding in (None, given) and self._profiles.tensor(value) == tensor:
                    place = self.graph.values[value]
                    self.graph.uses.append(Use(*place, group, 0, tensor, 1, op, NOWHERE, op, is_tied=True))

    def _refuse_asynchronous(self, op: int) -> NoReturn:
        """Refuse an asynchronous op: the body of a start has one op, so a plan cannot constrain its values."""
        problem = "is asynchronous, which automatic partitioning does not support: use sdy-convert-async before it"
        raise DiagnosticError(self.snapshot.ops[op], problem)

    def _read_results(self, main: int, function: ir.Operation) -> None:
        """Read the results: they take buffers of arguments, follow the user's sharding, or keep theirs."""
        given, taken = result_shardings(function), aliases(function)
        terminator = self.snapshot.regions[main][0][-1]
        for place, value in enumerate(self.snapshot.returned(main)):
            asked = given[place] if place < len(given) else None
            if place in taken and (asked is None or asked.is_fully_open):
                self._use(value, self.graph.arguments[taken[place]], 0, 1, terminator, place)
                self.graph.taken[place] = taken[place]
            elif asked is not None:
                self.graph.asked[place] = self._constrain(value, asked, 1, terminator, place)

    # Ops -----------------------------------------------------------------------------------------

    def _read_ops(self, members: Sequence[int], times: int) -> None:
        snapshot = self.snapshot
        for op in members:
            name = snapshot.names[op]
            if name == _MANUAL:
                self._read_manual(op, times)
            elif name == HLO_ASYNC.start:
                self._refuse_asynchronous(op)
            elif name in snapshot.data_flow_names:
                self._read_data_flow(op, times)
            elif name == "func.call":
                raise DiagnosticError(snapshot.ops[op], "is not inlined, so its callee cannot be partitioned with it")
            elif name in _NAMES:
                self._read_name(op)
            elif name in GIVEN:
                self._read_given(op, times)
            elif name == GROUP:
                number = ir.IntegerAttr(snapshot.ops[op].attributes["group_id"]).value
                self._groups.setdefault(number, []).append((snapshot.operands[op][0], op))
            elif not is_terminator(snapshot.ops[op]):
                self._read_op(op, name, times)

    def _read_op(self, op: int, name: str, times: int) -> None:
        snapshot = self.snapshot
        view, operands = snapshot.ops[op], snapshot.operands[op]
        if not len(snapshot.results[op]):
            self._read_effect(op, operands, times)
            return
        is_made_anywhere = name in _SHAPES or is_elementwise_name(name)
        if is_constant(view) or (is_made_anywhere and all(value in self._profiles.free for value in operands)):
            self._profiles.free.update(snapshot.results[op])
            return
        if not any(snapshot.users[value] for value in snapshot.results[op]):
            self._profiles.free.update(snapshot.results[op])
            return
        profile, has_rule = self._profiles.of(op, self._mesh)
        if not has_rule:
            self.graph.without_rule.append(op)
        variable = self._add(Variable(profile, times, None, op))
        for place, value in enumerate(operands):
            self._use(value, variable, place, times, op, place)
        for place, value in enumerate(snapshot.results[op]):
            self.graph.values[value] = (variable, place)
        self._keep_given(op, view, times)

    def _read_effect(self, op: int, operands: Sequence[int], times: int) -> None:
        """Require replicated operands of an op without results."""
        for place, value in enumerate(operands):
            if value in self.graph.values and self._profiles.tensor(value).shape:
                fixed = self._add(Variable(self._profiles.replicated([value], []), times, None, op))
                self._use(value, fixed, 0, times, op, place)

    def _keep_given(self, op: int, view: ir.Operation, times: int) -> None:
        """Constrain results that the user has sharded after the op; the op itself stays free."""
        shardings = op_shardings(view)
        for place, sharding in enumerate(shardings or ()):
            value = self.snapshot.results[op][place]
            if view.name == CUSTOM_CALL and self._is_on_one_device(sharding, op):
                continue  # a callback: it runs on one device, and all get what it returns
            if not sharding.is_fully_open and self._profiles.tensor(value).shape:
                self.graph.values[value] = (self._constrain(value, sharding, times, op, NOWHERE), 0)

    def _constrain(self, value: int, sharding: TensorSharding, times: int, op: int, place: int) -> int:
        variable = self._add(Variable(self._profiles.identity(value), times, self._checked(sharding, op), op))
        self._use(value, variable, 0, times, op, place)
        return variable

    def _read_given(self, op: int, times: int) -> None:
        result, operand = self.snapshot.results[op][0], self.snapshot.operands[op][0]
        sharding = get_sharding(self.snapshot.ops[op].results[0])
        assert sharding is not None, "the op holds one"
        if self._checked(sharding, op).is_fully_open:
            self._read_name(op)
            return
        variable = self._add(Variable(self._profiles.identity(result), times, sharding, op))
        self._use(operand, variable, 0, times, op, 0)
        self.graph.values[result] = (variable, 0)

    def _read_name(self, op: int) -> None:
        """Read a named value: the result is the operand."""
        result, operand = self.snapshot.results[op][0], self.snapshot.operands[op][0]
        if operand in self.graph.values:
            self.graph.values[result] = self.graph.values[operand]
        else:
            self._profiles.free.add(result)

    def _checked(self, sharding: TensorSharding, op: int | None) -> TensorSharding:
        at = self.snapshot.ops[self.snapshot.main_function if op is None else op]
        if sharding.unreduced:
            raise DiagnosticError(
                at, "has a sharding with unreduced axes, which automatic partitioning does not support"
            )
        if self._is_on_one_device(sharding, op):
            raise DiagnosticError(at, "is on a single device, which automatic partitioning does not support")
        return sharding

    def _is_on_one_device(self, sharding: TensorSharding, op: int | None) -> bool:
        at = self.snapshot.ops[self.snapshot.main_function if op is None else op]
        mesh = mesh_of(sharding.mesh_or_ref, at)
        return mesh is not None and mesh.is_maximal

    # Regions -------------------------------------------------------------------------------------

    def _read_data_flow(self, op: int, times: int) -> None:
        """Loops, branches and barriers: each tensor that flows is one variable."""
        snapshot = self.snapshot
        info, view = snapshot.data_flow_ops[op], snapshot.ops[op]
        inner = self._rounds(snapshot.names[op], view) * times
        variables = {}
        for owner in info.owners:
            given = get_sharding(snapshot.value(owner))
            variable = self._tensor_variable(owner, given, inner if snapshot.definers[owner] < 0 else times, op)
            variables[owner] = variable
        for target, owner in info.owner_of.items():
            self.graph.values[target] = (variables[owner], 0)
        for members in snapshot.regions.get(op, ()):
            self._read_ops(members, inner)
        for owner, variable in variables.items():
            for user, place in info.sources[owner]:
                value = snapshot.operands[user][place]
                self._use(value, variable, 0, times if user == op else inner, user, place)

    def _rounds(self, name: str, view: ir.Operation) -> int:
        if name != WHILE:
            return 1
        rounds = trip_count(view)
        self.graph.is_exact &= rounds is not None
        return UNKNOWN_ROUNDS if rounds is None else rounds

    def _read_manual(self, op: int, times: int) -> None:
        """Read a manual computation: operands and results keep their manual axes.

        Where axes remain, their use inside is chosen; otherwise the body keeps the user's sharding.
        """
        snapshot, view = self.snapshot, self.snapshot.ops[op]
        manual = frozenset(attributes.get(view, "manual_axes").names)
        inputs, outputs = (
            tuple(one.with_replicated(_not_used(one, manual)) for one in attributes.get(view, name).shardings)
            for name in ("in_shardings", "out_shardings")
        )
        entered = [
            self._constrain(value, sharding, times, op, place)
            for place, (value, sharding) in enumerate(zip(snapshot.operands[op], inputs, strict=True))
        ]
        left = [
            self._tensor_variable(value, sharding, times, op)
            for value, sharding in zip(snapshot.results[op], outputs, strict=True)
        ]
        mesh = self._mesh_to_read(op, manual, (*inputs, *outputs))
        if mesh is None:
            self.graph.manual.append((op, times))
            return
        self.graph.opened.append(op)
        around, self._manual, self._mesh = (self._manual, self._mesh), self._manual | manual, mesh
        self._read_body(op, times, list(zip(entered, inputs, strict=True)), list(zip(left, outputs, strict=True)))
        self._manual, self._mesh = around

    def _read_body(
        self,
        op: int,
        times: int,
        entered: Sequence[tuple[int, TensorSharding]],
        left: Sequence[tuple[int, TensorSharding]],
    ) -> None:
        """Read a body. Variables of operands and results stand for the values outside, with the user's shardings."""
        snapshot, graph = self.snapshot, self.graph
        for value, (variable, sharding) in zip(snapshot.arguments[op], entered, strict=True):
            inner = self._border(variable, value, sharding, times, op, is_entered=True)
            self._tie(variable, inner, op)
            graph.values[value] = (inner, 0)
        (members,) = snapshot.regions[op]
        self._read_ops(members, times)
        last = members[-1]
        for place, (value, (variable, sharding)) in enumerate(zip(snapshot.operands[last], left, strict=True)):
            inner = self._border(variable, value, sharding, times, op, is_entered=False)
            self._use(value, inner, 0, times, last, place)
            self._tie(inner, variable, op)

    def _mesh_to_read(self, op: int, manual: frozenset[str], shardings: Sequence[TensorSharding]) -> Mesh | None:
        """Return the mesh of a manual computation with free axes, if its body may be split; else None."""
        snapshot = self.snapshot
        mesh = mesh_of(shardings[0].mesh_or_ref, snapshot.ops[op]) if shardings else None
        if mesh is None or all(axis.size == 1 or axis.name in self._manual | manual for axis in mesh.axes):
            return None
        (members,) = snapshot.regions[op]
        outside = (*snapshot.operands[op], *snapshot.results[op])
        inside = (*snapshot.arguments[op], *snapshot.operands[members[-1]])
        rows = zip(map(self._profiles.tensor, outside), map(self._profiles.tensor, inside), shardings, strict=True)
        return mesh if all(is_even(*row, manual, mesh.axis_sizes) for row in rows) else None

    def _border(
        self, variable: int, value: int, sharding: TensorSharding, times: int, op: int, *, is_entered: bool
    ) -> int:
        """Add the border between the variable outside and the value inside."""
        outside, inside = self.graph.variables[variable].profile.results[0], self._profiles.tensor(value)
        found = border(outside, inside, sharding, self._manual, is_entered=is_entered)
        return self._add(Variable(found.profile, times, None, op, first=found.given))

    def _tie(self, source: int, target: int, op: int) -> None:
        """Tie the result of one variable to the operand of another."""
        tensor = self.graph.variables[source].profile.results[0]
        if tensor.shape:
            self.graph.uses.append(Use(source, 0, target, 0, tensor, 1, op, NOWHERE, op, is_tied=True))

    # Variables and uses --------------------------------------------------------------------------

    def _add(self, variable: Variable) -> int:
        variable.manual = self._manual
        self.graph.variables.append(variable)
        return len(self.graph.variables) - 1

    def _tensor_variable(self, value: int, given: TensorSharding | None, times: int, op: int | None) -> int:
        if given is not None:
            given = self._checked(given, op)
        number = self._add(Variable(self._profiles.identity(value), times, given, op))
        self.graph.values[value] = (number, 0)
        return number

    def _use(self, value: int, target: int, operand: int, times: int, op: int, place: int) -> None:
        """Add a use; equal uses of one variable share a reshard."""
        if value not in self.graph.values:
            return
        source, result = self.graph.values[value]
        tensor = self._profiles.operand(value)
        if not tensor.shape or source == target:
            return
        mapping = self.graph.variables[target].profile.rule.operands[operand]
        key = (source, result, target, mapping)
        repeated = key in self._seen
        self._seen.add(key)
        self.graph.uses.append(Use(source, result, target, operand, tensor, 0 if repeated else times, op, place, op))


def _not_used(sharding: TensorSharding, manual: frozenset[str]) -> list[AxisRef]:
    """Return replicated axes, and manual axes that shard nothing, so that they stay."""
    used = {axis.name for axis in (*sharding.axis_refs(), *sharding.replicated)}
    return [*sharding.replicated, *map(AxisRef, sorted(manual - used))]


@dataclass(frozen=True, slots=True)
class Border:
    """Operands or results of a computation, with the strategy that keeps the user's sharding."""

    profile: Profile
    given: Strategy


def border(
    outside: TensorSize, inside: TensorSize, sharding: TensorSharding, manual: Collection[str], *, is_entered: bool
) -> Border:
    """Return the border of a tensor, an operand of the manual computation if `is_entered`, else a result."""
    manual_axes, free_axes = manual_and_free(sharding, manual)
    sizes, axes = list[int](), list[AxisList]()
    for whole, part, *listed in zip(outside.shape, inside.shape, manual_axes, free_axes, strict=True):
        sizes += [whole // part if part else 1, part]
        axes += listed
    dims = range(len(inside.shape))
    wide, narrow = tuple((2 * dim, 2 * dim + 1) for dim in dims), tuple((2 * dim + 1,) for dim in dims)
    (operand, read), (result, made) = ((outside, wide), (inside, narrow))[:: 1 if is_entered else -1]
    rule = ShardingRule(tuple(sizes), (read,), (made,), need_replication=tuple(2 * dim for dim in dims))
    profile = Profile(rule, (operand,), (result,), FREE, can_reduce=False)
    return Border(profile, Strategy(tuple(axes), ((),) * len(dims)))


def manual_and_free(
    sharding: TensorSharding, manual: Collection[str]
) -> tuple[tuple[AxisList, ...], tuple[AxisList, ...]]:
    """The axes of each dimension, by whether they are manual."""
    cut = tuple(tuple(axis for axis in axes if axis.name in manual) for axes in sharding.dim_axes)
    free = tuple(tuple(axis for axis in axes if axis.name not in manual) for axes in sharding.dim_axes)
    return cut, free


def is_even(
    outside: TensorSize, inside: TensorSize, sharding: TensorSharding, manual: Collection[str], sizes: AxisSizes
) -> bool:
    """Return whether all devices have parts of the same size under the user's sharding."""
    rows = zip(outside.shape, inside.shape, *manual_and_free(sharding, manual), strict=True)
    return all(
        whole == part * product(cut, sizes) and part % product(free, sizes) == 0 for whole, part, cut, free in rows
    )
