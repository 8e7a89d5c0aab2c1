"""A run of a propagate pass: reads the module, sweeps over it, writes the outcome (spec: propagation, 1.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from sdy.dialect.definition.attributes import SHARDING_RULE, attr_of, value_of
from sdy.dialect.op_properties import CONSTANTS
from sdy.dialect.ops.notation import check_rule
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.sharding_walk import RETURNS, transform_shardings
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import CLOSED, DimensionSharding, MeshRef, TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.search import ops_with
from sdy.mlir.walk import post_order
from sdy.passes.manager import run_nested
from sdy.passes.propagation.engine.driver import Driver, FunctionResults, ShardingGroups, synchronise_groups
from sdy.passes.propagation.engine.sharding_store import ShardingStore
from sdy.passes.propagation.engine.snapshot import Snapshot
from sdy.passes.propagation.engine.strategy import FactorStrategy, PropagationStrategy
from sdy.passes.propagation.engine.visit import UnknownMesh, remembered_visits
from sdy.passes.propagation.engine.visits import LEVELS, Visits
from sdy.passes.propagation.propagation_options import PropagationOptions
from sdy.passes.registry import step
from sdy.passes.steps import LEFT_OPEN, hand_on, is_next

if TYPE_CHECKING:
    from sdy.passes.propagation.engine.recorder import Recorder

_DROPS_RULES = "sdy-drop-sharding-rules"

_CLOSES = "sdy-close-shardings"

_LEAVES_SHARDINGS_OPEN = frozenset(
    """
    sdy-export-named-computations sdy-propagate-to-func-results sdy-sink-func-data-flow-edges sdy-unflatten-call-graph
    symbol-dce sdy-insert-func-call-reshards sdy-constant-or-scalar-merger sdy-sink-data-flow-edges
    sdy-remove-sharding-groups sdy-sharding-constraint-to-reshard sdy-update-non-divisible-input-output-shardings
    sdy-remove-sub-axes-in-input-output-shardings
    """.split()
)
"""Passes to which open dimensions matter on functions, calls, data flow, copies of constants, and returned values only.

They put no sharding on other ops.
"""

_LEAVES_RULES = frozenset(
    {_CLOSES, "sdy-verify-unreduced-axes", "sdy-insert-explicit-reshards", "canonicalize", *_LEAVES_SHARDINGS_OPEN}
)
"""Passes that do not look at rules, or find out what they are themselves."""


class Session:
    """A module being propagated. Between the calls the IR is outdated; `write_back` updates it.

    Raises `DiagnosticError` for a module that propagation refuses: a result without static shape, a value in two
    sharding groups, an unknown mesh, no main function, a nested module with axes of its own.
    """

    def __init__(
        self,
        module: ir.Operation,
        options: PropagationOptions,
        make_recorder: Callable[[ir.Operation], Recorder] | None = None,
    ) -> None:
        """Observe the run by the result of `make_recorder` instead of the debug options."""
        self.module, self.options = module, options
        cache = remembered_visits(MeshTable(module).by_name)
        self.table = cache.table
        snapshot = Snapshot(module)
        if snapshot.named("builtin.module"):
            check_nested_modules(module, snapshot.ops)
        _check_shapes(snapshot)
        if snapshot.branching:
            erase_unreachable_blocks(snapshot.branching)
            snapshot = Snapshot(module)
        recorder = make_recorder(module) if make_recorder else _make_recorder(module, options)
        self._recorder = recorder
        if synchronise_groups(snapshot):
            snapshot = Snapshot(module)
        self.snapshot = snapshot
        self.store = ShardingStore(snapshot, self.table)
        if recorder is not None:
            recorder.start(snapshot)
        self._visits = Visits(self.store, conservative=options.conservative_propagation)
        groups = ShardingGroups(snapshot)
        observer = None if recorder is None else recorder.observe
        self.driver = Driver(self.store, self._visits, cache, groups, observer)
        self._results = FunctionResults(self.store, self.driver, cache, groups, observer)

    # Propagating ---------------------------------------------------------------------------------

    def sweep(self, strategy: FactorStrategy, level: int | None = None) -> None:
        """Propagate through the whole module once, at an op-priority level or without restriction."""
        with self._known_meshes():
            self._results.synchronise(strategy)
            self.driver.sweep(strategy, level)
            self._results.synchronise(strategy)

    def mesh_of(self, sharding: TensorSharding) -> Mesh:
        """Raises `DiagnosticError` if there is none."""
        with self._known_meshes():
            return self.table.mesh(sharding.mesh_or_ref)

    @contextmanager
    def _known_meshes(self) -> Iterator[None]:
        """Report meshes that the module does not declare."""
        try:
            yield
        except UnknownMesh as error:
            raise DiagnosticError(self.module, _unknown(error.ref)) from None

    def propagate(self, strategy: PropagationStrategy, *, by_op_priority: bool = False) -> None:
        """Sweeps with each strategy, at each op-priority level or once."""
        for level in LEVELS if by_op_priority else (None,):
            for factor_strategy in strategy.sweeps:
                self.sweep(factor_strategy, level)

    # Writing -------------------------------------------------------------------------------------

    def write_back(self) -> None:
        """Update shardings in the IR, erase dead ops, and attach the rules that were used."""
        self._write_shardings()
        self._write_rules(range(len(self.snapshot.ops)), is_static=self._is_static())

    def _is_static(self) -> bool:
        return all(info.shape is not None for info in set(self.snapshot.types))

    def _write_rules(self, numbers: Iterable[int], *, is_static: bool) -> None:
        """Attach rules to the ops that got one during propagation."""
        ops, profile_of = self.snapshot.ops, self._visits.profile_of
        attached, profiles, is_alive = self._visits.attached, self._visits.profiles, self.driver.is_alive
        attrs: dict[int, ir.Attribute] = {}
        types, operands = self.snapshot.types, self.snapshot.operands
        for op in numbers:
            position = profile_of[op]
            if position >= 0 and op not in attached and is_alive(op):
                attr = attrs.get(position)
                if attr is None:
                    if not profiles[position].has_rule:
                        continue
                    attr = attrs[position] = attr_of(profiles[position].rule)
                if not is_static and any(types[value].shape is None for value in operands[op]):
                    check_rule(ops[op], profiles[position].rule)
                ops[op].attributes[SHARDING_RULE] = attr

    def _write_rules_not_found_again(self) -> None:
        """Attach the rules that a later pass would not derive by itself, and rules of users."""
        visits, snapshot = self._visits, self.snapshot
        numbers = set(snapshot.named(*(name for name in snapshot.distinct_names if not visits.finds_again(name))))
        custom = {position for position, profile in enumerate(visits.profiles) if profile.rule.is_custom}
        if custom:
            numbers.update(op for op, position in enumerate(visits.profile_of) if position in custom)
        self._write_rules(sorted(numbers), is_static=True)

    def dump(self, name: str) -> None:
        """Writes the module as it is to a file, if the options name a directory (section 14.4)."""
        directory = self.options.module_dump_directory
        if directory:
            self.write_back()
            save = step("sdy-save-module", directory=directory, file_name=name, index=self.options.dump_index)
            run_nested(self.module, [save])

    def finish(self) -> None:
        """Update the IR; rules not written by users stay only if the options ask for it."""
        if self.options.keep_sharding_rules:
            # Rules that go anyway are not written: 2.5 to 4 % of propagation and partitioning of the transformers.
            if self._is_static() and is_next(_DROPS_RULES, but_for=_LEAVES_RULES):
                self._write_shardings()
                self._write_rules_not_found_again()
            else:
                self.write_back()
        else:
            self._write_shardings()
            self._remove_rules()
        if self._recorder is not None:
            self._recorder.write()

    def _write_shardings(self) -> None:
        is_watched = self._recorder is not None or self.options.module_dump_directory
        closes = not is_watched and is_next(_CLOSES, but_for=_LEAVES_SHARDINGS_OPEN)
        self.store.write_back(self._left_open() if closes else None)
        if self._recorder is not None:
            self._recorder.forget(self.driver.erased)
        for op in self.driver.erased:
            self.snapshot.ops[op].erase()
        self.driver.erased.clear()

    def _left_open(self) -> set[int]:
        """Return the slots that passes before the one that closes have to see open."""
        snapshot = self.snapshot
        in_lists = {snapshot.names[snapshot.holder_of(slot)] for slot in self.store.lists}
        names = (*CONSTANTS, "stablehlo.broadcast_in_dim", "func.call", *sorted(in_lists))
        hand_on(LEFT_OPEN, names)
        left = {value for op in snapshot.named(*names) for value in snapshot.results[op]}
        return left.union(*(snapshot.operands[op] for op in snapshot.named(*RETURNS)))

    def _remove_rules(self) -> None:
        for op in ops_with(self.module, SHARDING_RULE):
            if not value_of(op.attributes[SHARDING_RULE]).is_custom:
                del op.attributes[SHARDING_RULE]


def _make_recorder(module: ir.Operation, options: PropagationOptions) -> Recorder | None:
    origins, edges = options.debug_sharding_origins, options.debug_propagation_edge_sharding
    if not (origins or edges):
        return None
    from sdy.passes.propagation.engine.recorder import Recorder

    return Recorder(module, origins=origins, edges=edges)


def _unknown(ref: MeshRef) -> str:
    if isinstance(ref, Mesh):
        return "has shardings with inlined meshes; run 'sdy-lift-inlined-meshes' first"
    return f"unknown mesh '@{ref}'"


def _check_shapes(snapshot: Snapshot) -> None:
    """Raises `DiagnosticError` at the first op, nested ops before their parents, with a result that is not static."""
    bad = [value for value, info in enumerate(snapshot.types) if info.is_rejected and snapshot.definers[value] >= 0]
    if bad:
        first = min(bad, key=lambda value: (snapshot.post_order_key(snapshot.definers[value]), value))
        type_ = snapshot.value(first).type
        op = snapshot.ops[snapshot.definers[first]]
        raise DiagnosticError(op, f"has a result of type '{type_}', but propagation takes static shapes only")


def check_nested_modules(module: ir.Operation, ops: Sequence[ir.Operation]) -> None:
    """Raise `DiagnosticError` at the first op, in a module among `ops`, with an axis that `module` lacks."""
    meshes = MeshTable(module)
    for nested in ops:
        if nested.name == "builtin.module":
            for op in post_order(nested):
                _check_op(op, meshes)


def _check_op(op: ir.Operation, meshes: MeshTable) -> None:
    def check(sharding: TensorSharding) -> TensorSharding:
        ref, mesh = sharding.mesh_or_ref, meshes.of(sharding)
        if mesh is None:
            raise DiagnosticError(op, f"unknown mesh '@{ref}' in the outermost module")
        for axis in sharding.axis_refs():
            if axis.name not in mesh.axis_sizes:
                raise DiagnosticError(op, f"unknown axis '{axis.name}' in the mesh '@{ref}' of the outermost module")
        return sharding

    transform_shardings(op, check)


def erase_unreachable_blocks(regions: Sequence[ir.Region]) -> None:
    """Erases the blocks of each region to which no branch leads from its first one; nested regions come last."""
    for region in reversed(regions):
        entry, *others = region.blocks
        reached, pending = [entry], [entry]
        while pending:
            for successor in pending.pop().successors:
                if successor not in reached:
                    reached.append(successor)
                    pending.append(successor)
        _erase([block for block in others if block not in reached])


def _erase(blocks: Iterable[ir.Block]) -> None:
    """Erase blocks whose values have no outside users, by way of an op that owns them when it is erased."""
    grave = ir.Operation.create("builtin.module", regions=1, loc=ir.Location.unknown())
    for block in blocks:
        block.append_to(grave.regions[0])
    grave.erase()


Waiting = dict[int, list[tuple[int, TensorSharding]]]
"""By priority, 1 or more, in ascending order: slots, and the shardings that they had at first."""


def set_aside(store: ShardingStore, driver: Driver, mesh_of: Callable[[TensorSharding], Mesh]) -> Waiting:
    """Keep only priority 0 in all shardings; dimensions of other priorities are emptied and closed."""
    waiting: Waiting = {}
    shardings = store.table.shardings
    prioritised = {number for number in set(store.current) if _has_priorities(shardings[number])}
    for slot in _slots(store) if prioritised else ():
        sharding = store.sharding(slot)
        if sharding is None or store.current[slot] not in prioritised:
            continue
        for priority in dict.fromkeys(dim.priority_or_default for dim in sharding.dims):
            if priority > 0:
                waiting.setdefault(priority, []).append((slot, sharding))
        driver.set(slot, store.table.number(_first_priority_only(sharding, mesh_of(sharding))))
    return dict(sorted(waiting.items()))


def _has_priorities(sharding: TensorSharding | None) -> bool:
    return sharding is not None and any(dim.priority is not None for dim in sharding.dims)


def bring_in(store: ShardingStore, driver: Driver, priority: int, waiting: Waiting) -> None:
    """Restore the axes of the dimensions of a priority, and keep the rest of the sharding."""
    for slot, original in waiting[priority]:
        current = store.sharding(slot)
        if current is not None and _is_there(store, driver, slot):
            driver.set(slot, store.table.number(_with_priority(current, original, priority)))


def _slots(store: ShardingStore) -> Iterator[int]:
    """Return all slots: of functions, their arguments and results; then op by op. Owners with an edge are left out."""
    snapshot = store.snapshot
    for op, name in enumerate(snapshot.names):
        if name == "func.func":
            yield from snapshot.entry_arguments(op)
            yield from store.function_results[op]
        elif op in snapshot.data_flow_ops:
            yield from (owner for owner in snapshot.data_flow_ops[op].owners if owner not in store.edges)
        else:
            yield from snapshot.results[op]


def _is_there(store: ShardingStore, driver: Driver, slot: int) -> bool:
    """Return whether the op of a slot is alive."""
    snapshot = store.snapshot
    if slot >= len(snapshot.types):
        return True
    return driver.is_alive(snapshot.holder_of(slot))


def _first_priority_only(sharding: TensorSharding, mesh: Mesh) -> TensorSharding:
    dims = tuple(CLOSED if dim.priority_or_default else replace(dim, priority=None) for dim in sharding.dims)
    later = [axis for dim in sharding.dims if dim.priority_or_default for axis in dim.axes]
    if not later:
        return sharding.with_dims(dims)
    return sharding.with_dims(dims).with_replicated(sorted([*sharding.replicated, *later], key=mesh.order_key))


def _with_priority(current: TensorSharding, original: TensorSharding, priority: int) -> TensorSharding:
    back: list[DimensionSharding] = []
    for dim, first in zip(current.dims, original.dims, strict=True):
        back.append(replace(first, priority=None) if first.priority_or_default == priority else dim)
    taken = {axis for dim in original.dims if dim.priority_or_default == priority for axis in dim.axes}
    return current.with_dims(back).with_replicated(axis for axis in current.replicated if axis not in taken)
