"""Sharding constraints and sharding groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sdy.dialect import builders
from sdy.dialect.data_flow import edge_of_target, owning_op
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.op_properties import rank, shape_of
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.sharding_walk import ShardingWrites
from sdy.dialect.shardings.value_shardings import shardable_value
from sdy.dialect.values.rule import ShardingRule, to_factors
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import CallGraph, callee_name, main_function, symbol_name, top_level
from sdy.mlir.search import ops_named
from sdy.mlir.walk import enclosing
from sdy.passes import options as shared
from sdy.passes.options import option
from sdy.passes.registry import pass_

_CONSTRAINT = "sdy.sharding_constraint"
_MANUAL = "sdy.manual_computation"
_EDGES = frozenset({"sdy.data_flow_edge", "sdy.func_data_flow_edge"})


@dataclass(frozen=True)
class Options:
    debug_sharding_origins: bool = option(*shared.DEBUG_SHARDING_ORIGINS)
    debug_propagation_edge_sharding: bool = option(*shared.DEBUG_PROPAGATION_EDGE_SHARDING)


@pass_("sdy-apply-sharding-constraints", on="builtin.module", options=Options)
def apply_sharding_constraints(module: ir.Operation, options: Options) -> None:
    """sdy-apply-sharding-constraints: Copy the sharding of a closed constraint to the tensor that it constrains.

        %0 = stablehlo.add %arg0, %arg1 : tensor<8xf32>
        %1 = sdy.sharding_constraint %0 <@mesh, [{"a"}]> : tensor<8xf32>
    ==> %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : tensor<8xf32>
        %1 = sdy.sharding_constraint %0 <@mesh, [{"a"}]> {sdy.sharding_rule = ...} : tensor<8xf32>

    Propagation cannot carry closed dimensions. In shardings of manual computations are constraints on the operands. A
    tensor of a data-flow edge, which must stay open, gets a constraint for all its uses instead.

    Spec: import-passes, 4.8.

    Raises `DiagnosticError` if the module has no main function, and at a constraint that puts an argument of a manual
    computation without data-flow edges on a single device.

    Callees come before callers; the order shows only in the step numbers of debug records.
    """
    main = main_function(module)
    is_recorded = options.debug_sharding_origins or options.debug_propagation_edge_sharding
    debug = _DebugInfo(module, options) if is_recorded else None
    constraints = _Constraints(main, debug)
    nested = [op for op in top_level(module) if op.name == "builtin.module"]
    for root in (*CallGraph(module).callee_first, *nested):
        for op in ops_named(root, _CONSTRAINT, _MANUAL):
            if op.name == _CONSTRAINT:
                constraints.bypass_chain(op)
                constraints.apply(op, op.operands[0], attributes.get(op, "sharding"))
            else:
                for index, sharding in enumerate(attributes.get(op, "in_shardings").shardings):
                    constraints.apply(op, op.operands[index], sharding)
    constraints.shardings.write()
    if debug is not None:
        debug.write()


class _DebugInfo:
    """Records of axes from constraints that the options ask for."""

    def __init__(self, module: ir.Operation, options: Options) -> None:
        from sdy.dialect import debug_info

        self._movements = debug_info.axis_movements
        self._origins = debug_info.ShardingOrigins(module) if options.debug_sharding_origins else None
        self._records = debug_info.PropagationRecords(module) if options.debug_propagation_edge_sharding else None
        self._meshes = MeshTable(module)

    def handed_over(self, op: ir.Operation, old: TensorSharding | None, new: TensorSharding) -> None:
        """Records that the constraint `op` replaced the sharding `old` of its input by its own, `new`."""
        rule, mesh = attributes.get(op, SHARDING_RULE), self._meshes.of(new)
        if mesh is None or rule is None or not (new.dims or new.replicated or new.unreduced):
            return
        if old is not None and len(old.dims) != len(new.dims):
            old = None  # a single device, which one of several results may be on: it has no axes
        sizes, factor_sizes = mesh.axis_sizes, rule.factor_sizes
        mapping = rule.operands[0]
        result = to_factors(new, rule.results[0], factor_sizes, sizes)
        before = [to_factors(old, mapping, factor_sizes, sizes), result]
        after = [to_factors(new, mapping, factor_sizes, sizes), result]
        movements = self._movements(rule, before, after, sizes)
        if self._records is not None:
            self._records.record(op, movements, 1)
        if self._origins is not None:
            for movement in movements:
                self._origins.inherit(op.operands[0], movement.axis, op.results[0])

    def write(self) -> None:
        if self._origins is not None:
            self._origins.write()
        if self._records is not None:
            self._records.write()


class _Constraints:
    """Applies the constraints of a module one after the other."""

    def __init__(self, main: ir.Operation, debug: _DebugInfo | None) -> None:
        self.shardings = ShardingWrites()
        self._main = main
        self._debug = debug
        self._demanded: dict[ir.Value, tuple[TensorSharding, ...]] = {}
        """The different shardings that the users of a value demand of it; forgotten when these are replaced."""

    def _has_effective_sharding(self, value: ir.Value) -> bool:
        """Return whether `value` has a sharding that constrains it.

        The sharding of a scalar, `[]`, does, except on an op with several results, where it may fill the list.
        """
        sharding = self.shardings.get(value)
        if sharding is None or sharding.is_fully_open:
            return False
        if sharding.dims or sharding.replicated or sharding.unreduced:
            return True
        return not isinstance(value, ir.OpResult) or len(value.owner.operation.results) == 1

    # Chains --------------------------------------------------------------------------------------

    def bypass_chain(self, head: ir.Operation) -> None:
        """Lets later users of a value use the end of the chain of constraints that starts on it.

        The chain must be the only constraint of the value, and its end must be unconstrained.
        """
        value = head.operands[0]
        if isinstance(value, ir.OpResult) and value.owner.operation.name == _CONSTRAINT:
            return
        tail = _chain_end(head)
        if tail == head or self._has_effective_sharding(value):
            return
        if any(user != head for user, _ in _constraints_on(value)) or any(_constraints_on(tail.results[0])):
            return
        block = tail.block
        for use in list(value.uses):
            user = use.owner.operation
            if user == head or user.block != block or self._returns_from_main(user):
                continue
            if tail.is_before_in_block(user):
                user.operands[use.operand_number] = tail.results[0]

    def _returns_from_main(self, op: ir.Operation) -> bool:
        return op.name == "func.return" and op.parent.operation == self._main

    # Applying ------------------------------------------------------------------------------------

    def apply(self, op: ir.Operation, value: ir.Value, sharding: TensorSharding) -> None:
        """Gives `value` the sharding of the constraint `op`, unless something else determines it."""
        if not sharding.is_fully_closed or shardable_value(value) is None or self._has_effective_sharding(value):
            return
        if len(self._demands(value)) > 1:
            return
        if _is_tied_to_edge(value):
            self._constrain_all_uses(op, value, sharding)
        else:
            _attach_rule(op)
            if self._debug is not None:
                self._debug.handed_over(op, self.shardings.get(value), sharding)
            computation = owning_op(value) if isinstance(value, ir.BlockArgument) else None
            if computation is not None and computation.name == _MANUAL:
                # There is no edge: what changes is an in sharding, a demand on the operand.
                _expect_dimensions(op, value, sharding)
                self._demanded.pop(computation.operands[ir.BlockArgument(value).arg_number], None)
            self.shardings.set(value, sharding)

    def _demands(self, value: ir.Value) -> tuple[TensorSharding, ...]:
        demanded = self._demanded.get(value)
        if demanded is None:
            different = dict.fromkeys(sharding for _, sharding in _constraints_on(value))
            demanded = self._demanded[value] = tuple(different)
        return demanded

    def _constrain_all_uses(self, op: ir.Operation, value: ir.Value, sharding: TensorSharding) -> None:
        """Puts a constraint between `value` and all its uses; unreduced axes stay on the edge."""
        constraint = op if op.name == _CONSTRAINT else _new_constraint(op, value, sharding)
        result = constraint.results[0]
        _move_behind(constraint, value)
        value.replace_all_uses_except(result, [constraint])
        for changed in (value, result):
            self._demanded.pop(changed, None)
        if sharding.unreduced:
            current = self.shardings.get_or_open(value, sharding.mesh_or_ref)
            self.shardings.set(value, current.with_unreduced(sharding.unreduced, sharding.reduction))


# Questions about uses ----------------------------------------------------------------------------


def _constraints_on(value: ir.Value) -> Iterator[tuple[ir.Operation, TensorSharding]]:
    """Return the ops that demand a sharding of `value`, with that sharding."""
    for use in value.uses:
        user = use.owner.operation
        if user.name == _CONSTRAINT:
            yield user, attributes.get(user, "sharding")
        elif user.name == _MANUAL:
            yield user, attributes.get(user, "in_shardings").shardings[use.operand_number]


def _chain_end(head: ir.Operation) -> ir.Operation:
    """Return the last constraint of the chain that `head` starts.

    Each constraint is the only user of the previous one.
    """
    tail = head
    while True:
        user = _only_user(tail.results[0])
        if user is None or user.name != _CONSTRAINT:
            return tail
        tail = user


def _only_user(value: ir.Value) -> ir.Operation | None:
    """The user of a value that is used exactly once."""
    uses = value.uses
    first = next(uses, None)
    return None if first is None or next(uses, None) is not None else first.owner.operation


def _is_tied_to_edge(value: ir.Value) -> bool:
    if isinstance(value, ir.OpResult) and value.owner.operation.name in _EDGES:
        return True
    return edge_of_target(value) is not None


def _expect_dimensions(op: ir.Operation, argument: ir.Value, sharding: TensorSharding) -> None:
    """Raises `DiagnosticError` at `op` if it demands a single device of the argument of a manual computation."""
    if len(sharding.dims) != rank(argument.type):
        raise DiagnosticError(op, "puts the argument of a manual computation on a single device")


# Changes -----------------------------------------------------------------------------------------


def _new_constraint(op: ir.Operation, value: ir.Value, sharding: TensorSharding) -> ir.Operation:
    result = builders.sharding_constraint(value, sharding, loc=value.location, ip=ir.InsertionPoint(op))
    return result.owner.operation


def _move_behind(op: ir.Operation, value: ir.Value) -> None:
    """Moves `op` directly behind the definition of `value`, to the start of the block for an argument."""
    if isinstance(value, ir.BlockArgument):
        first = value.owner.operations[0].operation
        if first != op:
            op.move_before(first)
    else:
        op.move_after(value.owner.operation)


def _attach_rule(op: ir.Operation) -> None:
    """A constraint keeps its rule from here on: an identity."""
    if op.name != _CONSTRAINT or SHARDING_RULE in op.attributes:
        return
    shape: Sequence[int] | None = shape_of(op.results[0])
    if shape is not None:
        attributes.put(op, SHARDING_RULE, ShardingRule.identity(shape))


@pass_("sdy-sharding-group-import", on="builtin.module")
def sharding_group_import(module: ir.Operation) -> None:
    """sdy-sharding-group-import: Validate sharding groups, merge those that share a value, and number them 0, 1, ...

        sdy.sharding_group %0 group_id=10 : tensor<8xf32>
        sdy.sharding_group %1 group_id=7 : tensor<8xf32>
        sdy.sharding_group %0 group_id=7 : tensor<8xf32>
    ==> sdy.sharding_group %0 group_id=0 : tensor<8xf32>
        sdy.sharding_group %1 group_id=0 : tensor<8xf32>

    Spec: import-passes, 4.9.

    Raises `DiagnosticError` at a group op whose value has another shape than the first member of the group, or stands
    in another manual computation.
    """
    groups = ops_named(module, "sdy.sharding_group")
    if groups:
        _validate(groups, _ManualComputations(module))
    by_value: dict[ir.Value, list[ir.Operation]] = {}
    for op in groups:
        by_value.setdefault(op.operands[0], []).append(op)
    classes = _Classes()
    for members in by_value.values():
        for op in members:
            classes.unite(_group_id(members[0]), _group_id(op))
    number = classes.numbers()
    i64 = ir.IntegerType.get_signless(64)
    for members in by_value.values():
        seen: set[int] = set()
        for op in members:
            new = number[_group_id(op)]
            if new in seen:
                op.erase()
            else:
                seen.add(new)
                op.attributes["group_id"] = ir.IntegerAttr.get(i64, new)


def _group_id(op: ir.Operation) -> int:
    return ir.IntegerAttr(op.attributes["group_id"]).value


def _validate(groups: Iterable[ir.Operation], computations: _ManualComputations) -> None:
    first: dict[int, tuple[ir.Operation | None, tuple[int, ...] | None]] = {}
    for op in groups:
        group, computation, shape = _group_id(op), computations.around(op), shape_of(op.operands[0])
        first_computation, first_shape = first.setdefault(group, (computation, shape))
        if not _same(computation, first_computation):
            raise DiagnosticError(op, f"is in group {group}, of which other values are in another manual computation")
        if shape != first_shape:
            raise DiagnosticError(op, f"is in group {group}, of which other values have another shape")


def _same(first: ir.Operation | None, second: ir.Operation | None) -> bool:
    return second is None if first is None else second is not None and first == second


class _ManualComputations:
    """Manual computations around ops. A function counts as inside the one around its last call.

    Callers come before callees, and calls of a function in textual order.
    """

    def __init__(self, module: ir.Operation) -> None:
        self._of_function: dict[str, ir.Operation | None] = {}
        if not ops_named(module, _MANUAL):
            return
        graph = CallGraph(module)
        for func in graph.caller_first:
            for call in graph.calls[symbol_name(func)]:
                self._of_function[callee_name(call)] = self.around(call)

    def around(self, op: ir.Operation) -> ir.Operation | None:
        """The innermost manual computation around `op`."""
        found = enclosing(op, _MANUAL, "func.func")
        if found is None or found.name == _MANUAL:
            return found
        return self._of_function.get(symbol_name(found))


class _Classes:
    """Sets of group ids; joining two sets keeps the leader of the first."""

    def __init__(self) -> None:
        self._above: dict[int, int] = {}

    def unite(self, first: int, second: int) -> None:
        leader = self._leader(first)
        self._above[self._leader(second)] = leader

    def numbers(self) -> dict[int, int]:
        """Return the number of each id's set: leaders are numbered in the order in which the ids first occurred."""
        leaders = [group for group, above in self._above.items() if group == above]
        position = {leader: index for index, leader in enumerate(leaders)}
        return {group: position[self._leader(group)] for group in self._above}

    def _leader(self, group: int) -> int:
        path = []
        above = self._above.setdefault(group, group)
        while above != group:
            path.append(group)
            group, above = above, self._above[above]
        for passed in path:
            self._above[passed] = group
        return group
