"""The conversion of an op to its local form, and of gather and scatter indices into sharded operands."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import field
from enum import Enum
from typing import Any, TypeVar

from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE, ShardingPerValue, attr_of
from sdy.dialect.ir_builders import local_collectives
from sdy.dialect.ir_builders.communication import REDUCTIONS, Communication, Devices, index_type
from sdy.dialect.ir_builders.local_collectives import as_partial, is_in_place, relayout
from sdy.dialect.ir_builders.with_sharding import use_instead, uses_of
from sdy.dialect.lowering.layout import FunctionLayouts, Layout, Layouts
from sdy.dialect.lowering.sharded_op import ShardedOp, local_attributes, local_types
from sdy.dialect.ops.model import any_model, model_with, target_of
from sdy.dialect.ops.rules import RuleFacts, create_rule, extension_rule, is_users, reduction_of
from sdy.dialect.shardings.attribute_shardings import summed_axes
from sdy.dialect.values.axes import AxisList, AxisRef, difference
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ShardingRule, to_factors
from sdy.dialect.values.sharding import MeshRef, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir
from sdy.mlir.diagnostics import remark
from sdy.mlir.rewriting import replace, users
from sdy.stablehlo import ops
from sdy.stablehlo.ops import Builder
from sdy.stablehlo.ops.regions import Body


def local_rule(op: ShardedOp) -> ShardingRule | None:
    """Return a custom rule on the op, else the rule of its current types.

    Other rules on the op may describe the types before padding.
    """
    stored = op.get(SHARDING_RULE)
    if stored is not None and stored.is_custom:
        return stored
    rule = extension_rule(op.op) or create_rule(op.op) or stored
    return None if rule is None else rule_of_devices(op.op, rule)


def is_reduced_by_users(op: ShardedOp) -> bool:
    """Return whether a user's rule of an op has reduction factors."""
    name = op.op.name
    if name != "stablehlo.custom_call" and SHARDING_RULE not in op.op.attributes and not is_users(name):
        return False
    rule = local_rule(op)
    return rule is not None and rule.is_custom and bool(rule.reduction)


def rule_of_devices(op: ir.Operation, rule: ShardingRule) -> ShardingRule:
    """Return `rule` without permutation factors along which devices are independent."""
    return any_model(op, "rule_of_devices").rule_of_devices(op, rule)


def unshardable_factors(op: ir.Operation, rule: ShardingRule) -> frozenset[int]:
    """Return the factors along which every device needs all of the data although `rule` allows sharding."""
    model = model_with("unshardable_factors", op.name, target_of(op))
    return frozenset() if model is None else model.unshardable_factors(op, rule)


def keep_and_sum(op: LocalOp, axes: AxisList, reduced: Layout) -> None:
    """Keeps the op, and sums its first result over the axes of the dimensions of `reduced` that it reduces.

    Nothing is added where other ops combine the results of the devices, as behind sdy-insert-explicit-reshards.
    """
    op.keep()
    left = () if reduced.mesh is None or not axes else axes_left_to_reduce(op, axes, reduced.mesh)
    if left and reduced.mesh is not None:
        op.all_reduce_result(0, reduced.mesh_ref, reduced.mesh, left, ops.add)


def keep_and_combine(op: LocalOp) -> None:
    """Keeps the op as it is, and combines its results over the axes of the reduction factors of its sharding rule.

    The results are summed unless the rule was declared with another reduction. Nothing is added where other ops combine
    them, as behind sdy-insert-explicit-reshards.
    """
    op.keep()
    combine_results(op)


def combine_results(op: LocalOp) -> None:
    """Combine the results like `keep_and_combine`, for an op that has local results already."""
    kind, axes = reduction_of(op.op), _reduced_axes(op)
    if not axes:
        return
    sharded = next(layout for layout in op.operand_layouts if layout.sharded_dims)
    assert sharded.mesh is not None
    left = axes_left_to_reduce(op, sharded.mesh.sort_and_merge(axes), sharded.mesh)
    for index in range(len(op.result_layouts) if left else 0):
        op.all_reduce_result(index, sharded.mesh_ref, sharded.mesh, left, REDUCTIONS[kind])


def replace_and_combine(op: LocalOp, *values: ir.Value) -> None:
    """Puts `values`, local results, in the place of the op's, and combines them; see `keep_and_combine`."""
    op.keep()
    combine_results(op)
    op.replace(*values)


def _reduced_axes(op: LocalOp) -> list[AxisRef]:
    """The axes of all reduction factors of the op's rule."""
    rule = local_rule(op)
    found: list[AxisRef] = []
    for layout, mapping in zip(op.operand_layouts, () if rule is None else rule.operands, strict=False):
        if rule is None or layout.sharding is None or layout.mesh is None:
            continue
        factors = to_factors(layout.sharding, mapping, rule.factor_sizes, layout.mesh.axis_sizes)
        for factor in rule.reduction:
            part = factors[factor]
            found += [axis for axis in (part.axes if part is not None else ()) if axis not in found]
    return found


def axes_left_to_reduce(op: LocalOp, axes: Sequence[AxisRef], mesh: Mesh) -> AxisList:
    """Return the `axes` over which the results of `op` are not reduced yet.

    Axes along which the result stays partial are left out, and axes that a user of a result reduces: an
    `sdy.all_reduce` or `sdy.reduce_scatter`.
    """
    sizes = mesh.axis_sizes
    left = tuple(axes)
    for result, layout in zip(op.op.results, op.result_layouts, strict=True):
        for done in (layout.unreduced, *_combined_by_users(result)):
            rest = difference(axes, done, sizes)
            if not rest:
                return ()
            if len(rest) < len(left):
                left = rest
    return left


def _combined_by_users(result: ir.Value) -> list[AxisList]:
    """The axes of each collective that combines `result`."""
    return [summed_axes(user) for user in users(result) if user.name in ("sdy.all_reduce", "sdy.reduce_scatter")]


def merged_axes(layout: Layout, dims: Sequence[int]) -> AxisList:
    """The axes of several dimensions in mesh order."""
    if layout.mesh is None:
        return ()
    return layout.mesh.sort_and_merge(axis for dim in dims for axis in layout.dim_axes[dim])


@dataclass(frozen=True)
class LoweringContext:
    """Context shared by all ops of one conversion.

    `known` caches facts about layouts, `rule_facts` the facts that rules depend on. `combined` maps the address of a
    partial value to the replicated value that it was made of, and the axes. `per_dim_all_gather` and
    `combine_multi_dimension_reduce_scatter` are the options of the pass.
    """

    layouts: Layouts
    communication: Communication
    functions: dict[str, FunctionLayouts]
    known: dict[Hashable, Any]
    per_dim_all_gather: bool = False
    combine_multi_dimension_reduce_scatter: bool = False
    rule_facts: RuleFacts = field(default_factory=RuleFacts)
    combined: dict[int, tuple[AxisList, ir.Value]] = field(default_factory=dict)


Fact = TypeVar("Fact")

Lowering = Callable[["LocalOp"], None]
"""Makes one op local, in place or by replacing it."""


class LocalOp(ShardedOp):
    """Op with the layouts of its operands and results.

    When an op is made local its operands are local values, its results still have global types, nested ops are done.
    """

    __slots__ = ("setting",)

    def __init__(
        self,
        op: ir.Operation,
        operand_layouts: tuple[Layout, ...],
        result_layouts: tuple[Layout, ...],
        setting: LoweringContext,
    ) -> None:
        super().__init__(op, operand_layouts, result_layouts)
        self.setting = setting

    # What is there -------------------------------------------------------------------------------

    @property
    def layout_numbers(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return numbers that identify the layouts of operands and results, in all modules of a context."""
        operands = tuple([layout.number for layout in self.operand_layouts])
        return operands, tuple([layout.number for layout in self.result_layouts])

    @property
    def comm(self) -> Communication:
        return self.setting.communication

    @property
    def manual_axes(self) -> frozenset[str]:
        """Names of the axes that are manual at the op; no collective made for it may cross them."""
        return self.setting.communication.scopes.around(self.op)

    @property
    def devices(self) -> Devices:
        return self.setting.communication.devices

    def remembered(self, what: str, attribute: str, make: Callable[[], Fact]) -> Fact:
        """Return the result of `make`, cached by an attribute of the op and the layout of its first operand."""
        key = (what, address(self.op.attributes[attribute]), self.operand_layouts[0])
        known = self.setting.known
        if key not in known:
            known[key] = make()
        return known[key]

    @property
    def is_replicated(self) -> bool:
        """Return whether no operand or result is sharded, and the op makes no result partial."""
        given = all(layout.is_replicated for layout in (*self.operand_layouts, *self.result_layouts))
        return given and not self.turns_partial

    @property
    def turns_partial(self) -> bool:
        """Return whether a result is partial along an axis along which no operand is."""
        return any(layout.unreduced and self._turns_partial(layout) for layout in self.result_layouts)

    def _turns_partial(self, result: Layout) -> bool:
        made = [axis for layout in self.operand_layouts for axis in layout.unreduced]
        return result.mesh is not None and bool(difference(result.unreduced, made, result.mesh.axis_sizes))

    def offset(self, layout: Layout, dim: int) -> ir.Value:
        """Compute the start of the executing device's part of dimension `dim`, an i32 scalar."""
        assert layout.mesh is not None
        return self.devices.offset(self.b, layout.mesh, layout.dim_axes[dim], layout.local_shape[dim])

    # What becomes of the op ----------------------------------------------------------------------

    def keep(self) -> None:
        """Gives the results their local types, and the op the attributes that it has on each device."""
        attributes = local_attributes(self)
        if attributes:
            stored = self.op.attributes
            for name, attribute in attributes.items():
                stored[name] = attribute
        for index, type_ in self.new_types():
            self.op.results[index].set_type(type_)

    def new_types(self) -> list[tuple[int, ir.Type]]:
        """The results that have other types on each device, by their number."""
        layouts, types = self.result_layouts, local_types(self)
        return [(index, type_) for index, type_ in enumerate(types) if type_ is not layouts[index].type]

    def drop_sharding(self) -> None:
        """Removes the sharding and the rule of an op that has changed."""
        self.drop(SHARDING, SHARDING_RULE)

    def spell_out(self, name: str) -> None:
        """Writes down a boolean attribute that is false by default."""
        if name not in self.op.attributes:
            self.op.attributes[name] = ir.BoolAttr.get(False)

    def replace(self, *values: ir.Value) -> None:
        """Uses of the results become uses of `values`; the op is gone."""
        replace(self.op, values)

    def replace_by_whole(self, value: ir.Value) -> None:
        """Replace uses of the only result by `value`, which is not partial.

        Where the result is partial, one device of each group keeps `value`.
        """
        layout = self.result_layouts[0]
        self.replace(as_partial(self.comm, self.b, value, self.setting.layouts.of(layout.type, None), layout))

    def bring(self, index: int, layout: Layout) -> None:
        """Reshards operand `index` to `layout`, if it has another one."""
        have = self.operand_layouts[index]
        if is_in_place(have, layout):
            return
        value = self.op.operands[index]
        moved = relayout(self.comm, self.b, value, have, layout, self.op)
        if moved is not value:
            self.op.operands[index] = moved

    def gather_compute_slice(self) -> None:
        """Computes the op replicated on every device, which is correct for any op."""
        remark(self.op, "is computed replicated on every device")
        for index, have in enumerate(self.operand_layouts):
            self.bring(index, self.setting.layouts.of(have.type, None))
        after = Builder.after(self.op)
        for result, want in zip(list(self.op.results), self.result_layouts, strict=True):
            if want.mesh is None or not (want.sharded_dims or want.unreduced):
                continue
            if not want.divides:
                self.fail(f"has a result of type {want.type} that its sharding does not divide")
            slots = uses_of(result)
            part = result
            if want.sharded_dims:
                part = local_collectives.all_slice(self.comm, after, result, want.dim_axes, want.mesh, want.local_shape)
            have = self.setting.layouts.of(want.type, None)
            use_instead(slots, as_partial(self.comm, after, part, have, want))
        self.drop_sharding()

    def all_reduce_result(self, index: int, ref: MeshRef, mesh: Mesh, axes: Sequence[AxisRef], body: Body) -> None:
        """Combines the partial results of the devices along `axes`, behind the op."""
        result = self.op.results[index]
        slots = uses_of(result)
        use_instead(slots, self.comm.all_reduce(Builder.after(self.op), result, ref, mesh, axes, body))


class Bounds(Enum):
    """Bounds of a device's part to check."""

    LOWER = 0
    BOTH = 1


def adjusted_index_type(b: Builder, indices: ir.Value, shape: Sequence[int], index_map: Sequence[int]) -> ir.Value:
    """The indices in a type that can hold the offset of any part of an operand of `shape`."""
    element = indices.type.element_type
    largest = max((shape[dim] for dim in index_map), default=0)
    bits = element.width if element.is_unsigned else element.width - 1
    return indices if largest < 1 << bits else b.convert(indices, index_type(largest))


def index_bounds(
    op: LocalOp,
    operand: Layout,
    index_map: Sequence[int],
    sharded: Sequence[int],
    type_: ir.RankedTensorType,
    index_vector_dim: int,
    wanted: Bounds,
) -> tuple[ir.Value, ir.Value | None]:
    """The first and the last index of the device's part of `operand`, as tensors of the indices' type `type_`.

    Component i of the index refers to dimension `index_map[i]`. The part bounds the components in `sharded`, the
    operand bounds the others.
    """
    b = op.b
    element = type_.element_type
    lows: list[ir.Value] = []
    highs: list[ir.Value] = []
    for dim in index_map:
        if dim in sharded:
            lows.append(b.convert(op.offset(operand, dim), element))
            if wanted is Bounds.BOTH:
                highs.append(b.add(lows[-1], b.constant(operand.local_shape[dim] - 1, element)))
        else:
            lows.append(b.constant(0, element))
            if wanted is Bounds.BOTH:
                highs.append(b.constant(operand.shape[dim] - 1, element))
    lower = _spread(b, lows, type_, index_vector_dim, operand)
    return lower, _spread(b, highs, type_, index_vector_dim, operand) if highs else None


def _spread(
    b: Builder, numbers: Sequence[ir.Value], type_: ir.RankedTensorType, index_vector_dim: int, operand: Layout
) -> ir.Value:
    """Repeat one number per component of the index for all indices."""
    if len(numbers) == 1:
        spread = b.broadcast_in_dim(numbers[0], type_.shape)
    else:
        row = b.concatenate([b.reshape(number, [1]) for number in numbers], 0)
        spread = b.broadcast_in_dim(row, type_.shape, [index_vector_dim])
    replicated = TensorSharding.closed(operand.mesh_ref, len(type_.shape))
    spread.owner.operation.attributes[SHARDING] = attr_of(ShardingPerValue((replicated,)))
    return spread
