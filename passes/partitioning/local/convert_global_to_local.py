"""sdy-convert-global-to-local: Convert the global program to the program of one device.

    func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
      %0 = sdy.all_gather [{"x"}] %a out_sharding=<@mesh, [{}]> : tensor<8xf32>
==> func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
      %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, ...}> : (tensor<4xf32>) -> tensor<8xf32>

Every value gets the type of one device's part, every sdy op becomes StableHLO. Shards must be even; see
sdy-pad-for-divisibility. If the shardings of an op do not allow each device to compute its own part, every device
computes it replicated.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial, wraps
from typing import Any

from sdy.dialect.data_flow import DataFlowOp
from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.ir_builders.communication import Communication, Devices, max_channel
from sdy.dialect.ir_builders.local_collectives import is_in_place, relayout
from sdy.dialect.ir_builders.with_sharding import uses_of
from sdy.dialect.lowering import generic_lowering
from sdy.dialect.lowering.generic_lowering import by_layouts, by_own_rule, by_rule, unchanged
from sdy.dialect.lowering.layout import FunctionLayouts, Layout, ProgramLayouts
from sdy.dialect.lowering.local_op import LocalOp, Lowering, LoweringContext
from sdy.dialect.lowering.sharded_op import local_type, local_types
from sdy.dialect.ops.model import (
    TARGETS,
    OpModel,
    has_users_model,
    model_with,
    target_of,
    users_model_with,
    when_declared,
)
from sdy.dialect.replica_groups import ManualScopes
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import RECORDED, store_main_shardings
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import set_boundary_types
from sdy.mlir.per_context import PerContext
from sdy.mlir.rewriting import inline
from sdy.passes import options as shared
from sdy.passes.options import option
from sdy.passes.partitioning.analysis.programs import check_asynchronous
from sdy.passes.registry import pass_
from sdy.stablehlo.ops import Builder


@dataclass(frozen=True)
class ConvertGlobalToLocalOptions:
    """Options of sdy-convert-global-to-local."""

    enable_rgv3: bool = option(True, "replica groups in mesh-axes form instead of dense matrices")
    per_dim_all_gather: bool = option(*shared.PER_DIM_ALL_GATHER)
    combine_multi_dimension_reduce_scatter: bool = option(
        False, "one reduce_scatter between transposes for several dimensions instead of all_reduce and slice"
    )
    signed_zeros: bool = option(False, "use -0.0 as the neutral element of sums, so that -0.0 stays -0.0")
    axes_above: int = option(
        0,
        "replica groups along axes of a mesh that stands in the op, in place of dense ones, and positions "
        "of devices computed, in place of tables, on meshes of more devices than this; 0 for none",
    )
    replica_count: int = option(*shared.REPLICA_COUNT)
    partition_count: int = option(*shared.PARTITION_COUNT)


@pass_("sdy-convert-global-to-local", options=ConvertGlobalToLocalOptions)
def convert_global_to_local(module: ir.Operation, options: ConvertGlobalToLocalOptions) -> None:
    if options.replica_count > 1 and options.partition_count > 1:
        raise DiagnosticError(
            module,
            "is converted for replicas or for partitions, but both counts are greater than 1; set one of them to 1",
        )
    store_main_shardings(module)
    if RECORDED in module.attributes:
        del module.attributes[RECORDED]
    devices = Devices(by_replica=options.replica_count > 1, computed_above=options.axes_above)
    world = MeshTable(module).global_mesh()
    first_channel = max_channel(module) + 1
    communication = Communication(
        devices,
        options.enable_rgv3,
        first_channel,
        world,
        scopes=ManualScopes(module),
        signed_zeros=options.signed_zeros,
        axes_above=options.axes_above,
    )
    Conversion(
        module,
        communication,
        per_dim_all_gather=options.per_dim_all_gather,
        combine_multi_dimension_reduce_scatter=options.combine_multi_dimension_reduce_scatter,
    ).run()
    check_asynchronous(module)


class Conversion:
    """Makes a module local.

    Two sweeps. The first reads: it records the layout of every value and chooses a lowering for every op, while all
    types are still global. The second converts one op after the other, nested ops before the op that holds them.
    """

    def __init__(
        self,
        module: ir.Operation,
        communication: Communication,
        *,
        per_dim_all_gather: bool = False,
        combine_multi_dimension_reduce_scatter: bool = False,
    ) -> None:
        self._program = ProgramLayouts(module)
        self._setting = LoweringContext(
            self._program.layouts,
            communication,
            self._program.functions,
            {},
            per_dim_all_gather,
            combine_multi_dimension_reduce_scatter,
        )
        self._of_layouts: dict[tuple[str, tuple[Layout, ...], tuple[Layout, ...]], _Action | None] = {}
        """Action for ops by name and layouts; None if it depends on more."""
        self._by_facts: dict[Hashable, _Action] = {}
        """Action for ops whose rule decides, by name, layouts, and what the rule depends on."""
        self._kept: dict[tuple[Layout, ...], _NewTypes] = {}
        self._decides: dict[str, bool] = {}
        """By name, whether rules decide on ops without data-flow edges."""
        self._by_numbers = _by_numbers.of(module.context)
        self._changes: list[tuple[Callable[[Any], object], Any]] = []
        """Functions and what they are called with."""

    def run(self) -> None:
        for function in self._program.functions.values():
            for layout in (*function.arguments, *function.results):
                _local_type(layout, function.func)
        self._program.read(self._read, self._read_argument)
        for function in self._program.functions.values():
            _change_signature(function)
        for change, argument in self._changes:
            change(argument)

    def _read_argument(self, owner: ir.Operation, argument: ir.Value, layout: Layout) -> None:
        type_ = _local_type(layout, owner)
        if type_ is not layout.type:
            self._changes.append((argument.set_type, type_))

    def _read(
        self,
        op: ir.Operation,
        name: str,
        values: Sequence[ir.Value],
        operands: tuple[Layout, ...],
        results: tuple[Layout, ...],
        flow: DataFlowOp | None,
    ) -> None:
        """Record the change of an op, to be made after all ops were read."""
        key = (name, operands, results)
        action, local = self._of_layouts.get(key, _UNKNOWN), None
        if action is _UNKNOWN:
            local = LocalOp(op, operands, results, self._setting)
            action = self._of_layouts[key] = self._by_layouts(local, name, flow)
        if action is None:
            facts = self._facts(op, name) if flow is None else None
            action = None if facts is None else self._by_facts.get((key, facts))
            if action is None:
                local = local or LocalOp(op, operands, results, self._setting)
                action = self._shortened(self._by_op(local, name, flow), local, name)
                if facts is not None:
                    self._by_facts[key, facts] = action
        if not isinstance(action, _NewTypes):
            self._changes.append((action, local or LocalOp(op, operands, results, self._setting)))
        elif action.types:
            self._changes.append((action, values))

    def _by_layouts(self, local: LocalOp, name: str, flow: DataFlowOp | None) -> _Action | None:
        """Return the rewrite of all ops with that name and such layouts; None if it depends on more."""
        choice = choice_of(name)
        takes_more = flow is not None or choice is not None or _has_other_attributes(name)
        key = (name, takes_more, local.layout_numbers)
        if key not in self._by_numbers:
            for layout in local.result_layouts:
                _local_type(layout, local.op)
            self._by_numbers[key] = None if takes_more else generic_lowering.by_layouts(local)
        lowering = choice.lowering if isinstance(choice, Always) else self._by_numbers[key]
        return None if lowering is None else self._shortened(lowering, local, name)

    def _facts(self, op: ir.Operation, name: str) -> Hashable:
        """Return what decides on the lowering of an op, besides layouts; None if more does."""
        if name not in self._decides:
            alone = name not in TARGETS and users_model_with("keeps_parts", name) is None
            self._decides[name] = alone and model_with("unshardable_factors", name) is None
        facts = self._setting.rule_facts.of(op, name) if self._decides[name] else None
        stored = op.attributes
        return (facts, stored[SHARDING_RULE]) if facts is not None and SHARDING_RULE in stored else facts

    def _by_op(self, local: LocalOp, name: str, flow: DataFlowOp | None) -> Lowering:
        choice = choice_of(name)
        if choice is not None:
            return choice(local)
        if flow is not None:
            return lower_data_flow(flow, self._program.of)
        return generic_lowering.by_own_rule(local)

    def _shortened(self, lowering: Lowering, op: LocalOp, name: str) -> _Action:
        """Return `lowering`, or the new types of the results if it only sets them."""
        if lowering is generic_lowering.unchanged:
            return _NewTypes(())
        if lowering is not LocalOp.keep or _has_other_attributes(name):
            return lowering
        if op.result_layouts not in self._kept:
            self._kept[op.result_layouts] = _NewTypes(tuple(op.new_types()))
        return self._kept[op.result_layouts]


_by_numbers: PerContext[dict[Hashable, Lowering | None]] = PerContext(dict)
"""The lowerings of ops of a name in all modules of a context, by the numbers of the layouts; None if it takes more."""


@dataclass(frozen=True)
class _NewTypes:
    """New types of the results of an op, by number."""

    types: tuple[tuple[int, ir.Type], ...]

    def __call__(self, values: Sequence[ir.Value]) -> None:
        for index, type_ in self.types:
            values[index].set_type(type_)


_Action = Lowering | _NewTypes

_UNKNOWN = _NewTypes(())
"""Stands for an action that is not in a dictionary; told by identity."""


def _has_other_attributes(name: str) -> bool:
    """Return whether ops of that name may have other attributes on one device's part."""
    return model_with("local_attributes", name) is not None


_MAX_DEVICES = 2**20
"""A local program has tables with an entry for each device."""


def _local_type(layout: Layout, op: ir.Operation) -> ir.Type:
    """The type of a value of `op` on each device."""
    if layout.mesh is not None and layout.sharded_dims and layout.mesh.size > _MAX_DEVICES:
        raise DiagnosticError(op, f"has a value on a mesh of {layout.mesh.size} devices, more than {_MAX_DEVICES}")
    return local_type(layout, op)


def _change_signature(function: FunctionLayouts) -> None:
    inputs = [local_type(layout, function.func) for layout in function.arguments]
    set_boundary_types(function.func, inputs, [local_type(layout, function.func) for layout in function.results])


Choice = Callable[[LocalOp], Lowering]


@dataclass(frozen=True)
class Always:
    """The choice that does not depend on the op."""

    lowering: Lowering

    def __call__(self, op: LocalOp) -> Lowering:
        return self.lowering


def choice_of(name: str) -> Choice | None:
    """Return the function that chooses the lowering of ops called `name`; None if no model defines one."""
    if name in TARGETS and has_users_model(name):
        return _by_target
    return _choice(name, None)


def _by_target(op: LocalOp) -> Lowering:
    choice = _choice(op.op.name, target_of(op.op))
    return choice(op) if choice is not None else by_layouts(op) or by_own_rule(op)


_choices: dict[tuple[str, str | None], Choice | None] = {}
when_declared(_choices.clear)


def _choice(name: str, target: str | None) -> Choice | None:
    if (name, target) not in _choices:
        _choices[name, target] = _made(name, target)
    return _choices[name, target]


def _made(name: str, target: str | None) -> Choice | None:
    if model_with("is_idle", name, target) is not None:
        return Always(unchanged)
    model = model_with("localize", name, target)
    if model is None:
        parts = model_with("keeps_parts", name, target)
        return None if parts is None else partial(_if_parts_stay, parts)
    lowering = model.localize
    if users_model_with("localize", name, target) is model:
        lowering = _checked(lowering)
    if model.follows_rule or model.partial_results:
        return partial(by_rule, lowering=lowering, reductions=model.partial_results)
    return Always(lowering)


def _if_parts_stay(model: OpModel, op: LocalOp) -> Lowering:
    if model.keeps_parts(op):
        return LocalOp.keep
    return by_layouts(op) or by_own_rule(op)


def _checked(lowering: Lowering) -> Lowering:
    """Check a user's `lowering`: refuse one without local results."""

    @wraps(lowering)
    def check(op: LocalOp) -> None:
        slots, location, name = [uses_of(result) for result in op.op.results], op.op.location, op.op.name
        wanted = local_types(op)
        try:
            lowering(op)
        except ValueError as error:
            raise DiagnosticError(location, f"'{name}' op cannot be made local: {error}") from error
        for index, (users, type_) in enumerate(zip(slots, wanted, strict=True)):
            have = users[0].user.operands[users[0].number].type if users else type_
            if have != type_:
                raise DiagnosticError(
                    location,
                    f"'{name}' op has a local lowering that leaves result {index} of type {have}, expected {type_}",
                )

    return check


def lower_data_flow(flow: DataFlowOp, layout_of: Callable[[ir.Value], Layout]) -> Lowering:
    """Lower an op with data-flow edges: values that flow into an owner get the owner's layout.

    `layout_of` gives the layout of a value of the program before anything changes.
    """
    entering: list[tuple[ir.Operation, int, Layout, TensorSharding | None]] = []
    for owner in (*flow.result_owners(), *flow.block_arg_owners()):
        sharding = layout_of(owner).sharding
        seen = None if sharding is None else flow.at_sources(owner, sharding)
        for use in flow.sources(owner):
            have = layout_of(use.owner.operands[use.operand_number])
            entering.append((use.owner, use.operand_number, have, seen))

    def lower(op: LocalOp) -> None:
        for user, number, have, sharding in entering:
            want = op.setting.layouts.of(have.type, sharding)
            if is_in_place(have, want):
                continue
            value = user.operands[number]
            moved = relayout(op.comm, Builder.before(user), value, have, want, user)
            if moved is not value:
                user.operands[number] = moved
        if op.op.name == "sdy.manual_computation":
            inline(op.op)
        else:
            op.keep()

    return lower
