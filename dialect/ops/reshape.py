"""Reshape: which dimensions correspond, and whether data moves between devices (spec: partitioner, 3.6)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from sdy.dialect.ir_builders.communication import check_indices
from sdy.dialect.lowering.generic_lowering import check_aligned
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.lowering.local_op import LocalOp
from sdy.dialect.lowering.sharded_op import PadOp, ShardedOp
from sdy.dialect.ops.model import Attributes, OpModel, op_model
from sdy.dialect.ops.op_signature import NEED_REPLICATION, PERMUTATION, OpSignature, RuleBuilder, Shape
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import TensorSharding, is_equivalent_across_reshape
from sdy.lazy_dataclass import dataclass
from sdy.mlir.tensor_types import i32, num_elements
from sdy.stablehlo import views
from sdy.stablehlo.ops.attribute_writers import i64_array


@dataclass(frozen=True)
class Group:
    """Consecutive dimensions of the operand and of the result that hold the same elements."""

    source: tuple[int, ...]
    target: tuple[int, ...]

    def is_pass_through(self, source_shape: Sequence[int], target_shape: Sequence[int]) -> bool:
        """At most one dimension on each side has a size other than 1."""
        return _large(self.source, source_shape) <= 1 and _large(self.target, target_shape) <= 1

    def is_split(self, source_shape: Sequence[int], target_shape: Sequence[int]) -> bool:
        """Return whether one dimension becomes several."""
        return _large(self.source, source_shape) <= 1 < _large(self.target, target_shape)


def _large(dims: Sequence[int], shape: Sequence[int]) -> int:
    return sum(shape[dim] != 1 for dim in dims)


def groups_of(source: Sequence[int], target: Sequence[int]) -> list[Group]:
    """Return the smallest groups of dimensions with equal products, from the left.

    In an empty tensor some products may differ.
    """
    groups: list[Group] = []
    a = c = 0
    while a < len(source) or c < len(target):
        first_a, first_c = a, c
        left = source[a] if a < len(source) else 1
        right = target[c] if c < len(target) else 1
        a, c = min(a + 1, len(source)), min(c + 1, len(target))
        while (left < right and a < len(source)) or (right < left and c < len(target)):
            if left < right:
                left *= source[a]
                a += 1
            else:
                right *= target[c]
                c += 1
        groups.append(Group(tuple(range(first_a, a)), tuple(range(first_c, c))))
    return groups


def has_uneven_dim(group: Group, source: Layout, target: Layout) -> bool:
    """Return whether some dimension of the group is not a multiple of its shards."""
    return any(source.shape[dim] % source.shards[dim] for dim in group.source) or any(
        target.shape[dim] % target.shards[dim] for dim in group.target
    )


def moves_no_data(source: Layout, target: Layout) -> bool:
    """Return whether every device can reshape its own part, padding included."""
    if is_equivalent(source, target):
        return True
    return is_equivalent(source, target, non_divisible=True) and all(
        group.is_pass_through(source.shape, target.shape) for group in groups_of(source.shape, target.shape)
    )


def is_equivalent(source: Layout, target: Layout, *, non_divisible: bool = False) -> bool:
    """Return whether the shardings place the elements alike (spec: sharding-algebra, 6.2)."""
    if source.mesh is None or source.mesh != target.mesh or source.sharding is None or target.sharding is None:
        return False
    shardings, shapes = (source.sharding, target.sharding), (source.shape, target.shape)
    return _are_equivalent(source.mesh, *shardings, *shapes, non_divisible)


@lru_cache(maxsize=1 << 12)
def _are_equivalent(
    mesh: Mesh,
    source: TensorSharding,
    target: TensorSharding,
    source_shape: tuple[int, ...],
    target_shape: tuple[int, ...],
    non_divisible: bool,
) -> bool:
    return is_equivalent_across_reshape(
        source.with_mesh(mesh).with_replicated(()),
        source_shape,
        target.with_mesh(mesh).with_replicated(()),
        target_shape,
        mesh.axis_sizes,
        non_divisible=non_divisible,
    )


@op_model("stablehlo.transpose")
class Transpose(OpModel):
    """Model of transpose: every dimension passes through, in the order of the result."""

    def rule(self, op: OpSignature) -> ShardingRule:
        rule = RuleBuilder(op)
        shape = op.operand(0)
        for result_dim, dim in enumerate(op.integers("permutation")):
            rule.factor(shape[dim], {0: dim}, {0: result_dim})
        return rule.build()


@op_model("stablehlo.broadcast_in_dim")
class BroadcastInDim(OpModel):
    """The operand's dimensions pass through.

    One that is expanded from size 1 has separate factors in operand and result.
    """

    def rule(self, op: OpSignature) -> ShardingRule:
        rule = RuleBuilder(op)
        shape = op.operand(0)
        operand_dims = {result_dim: dim for dim, result_dim in enumerate(op.integers("broadcast_dimensions"))}
        for result_dim, size in enumerate(op.result(0)):
            dim = operand_dims.get(result_dim)
            if dim is not None and shape[dim] == 1 and size != 1:
                rule.factor(1, {0: dim})
                dim = None
            rule.factor(size, {} if dim is None else {0: dim}, {0: result_dim})
        return rule.build()


@op_model("stablehlo.broadcast")
class Broadcast(OpModel):
    """New leading dimensions; the operand's dimensions follow the result's."""

    def check_parts(self, op: ShardedOp) -> str | None:
        """The operand is sharded like the result's minor dimensions."""
        source, target = op.operand_layouts[0], op.result_layouts[0]
        rest = target.dim_axes[target.rank - source.rank :]
        return None if source.dim_axes == rest else "the operand is not sharded like the result"

    def local_attributes(self, op: ShardedOp) -> Attributes:
        """New leading dimensions become as small as the result's part."""
        target = op.result_layouts[0]
        count = target.rank - op.operand_layouts[0].rank
        return {"broadcast_sizes": i64_array(target.local_shape[:count])}

    def localize(self, op: LocalOp) -> None:
        """New leading dimensions become as small as the result's part; the operand's dimensions follow the result's."""
        source, target = op.operand_layouts[0], op.result_layouts[0]
        count = target.rank - source.rank
        if target.sharding is None:
            op.bring(0, op.setting.layouts.of(source.type, None))
            return
        dims = target.sharding.dims[count:]
        op.bring(0, op.setting.layouts.of(source.type, target.sharding.with_dims(dims)))
        op.keep()


@op_model("stablehlo.bitcast_convert")
class BitcastConvert(OpModel):
    """Pointwise; the extra last dimension on the side of the narrower element type is replicated."""

    def rule(self, op: OpSignature) -> ShardingRule:
        rule = RuleBuilder(op)
        operand, result = op.operand(0), op.result(0)
        for dim, size in enumerate(operand if len(operand) <= len(result) else result):
            rule.align(dim, size)
        if len(operand) > len(result):
            rule.factor(operand[-1], {0: len(operand) - 1}, kind=NEED_REPLICATION)
        elif len(operand) < len(result):
            rule.factor(result[-1], {}, {0: len(result) - 1}, kind=NEED_REPLICATION)
        return rule.build()


@op_model("stablehlo.reshape")
class Reshape(OpModel):
    """Dimensions that are merged or split pass through."""

    def rule(self, op: OpSignature) -> ShardingRule | None:
        """Dimensions that are merged or split pass through.

        Where the two shapes diverge, the common part moves data and the rest is replicated until they align again. None
        if a tensor is empty or its shape not static.
        """
        operand, result = op.operand(0), op.result(0)
        if any(size <= 0 for size in operand + result):
            return None
        rule = RuleBuilder(op)
        source, target = _Side(operand), _Side(result)
        while not (source.at_end and target.at_end):
            if source.at_unit_dim:
                rule.factor(1, {0: source.dim}, kind=NEED_REPLICATION)
                source.dim += 1
            elif target.at_unit_dim:
                rule.factor(1, {}, {0: target.dim}, kind=NEED_REPLICATION)
                target.dim += 1
            else:
                source.enter()
                target.enter()
                _next_factor(rule, source, target)
                source.leave()
                target.leave()
        return rule.build()

    def check_parts(self, op: ShardedOp) -> str | None:
        """The shardings split the elements alike."""
        source, target = op.operand_layouts[0], op.result_layouts[0]
        return None if is_equivalent(source, target) else "the shardings of operand and result do not correspond"

    def keeps_parts(self, op: ShardedOp) -> bool:
        """Return whether the shardings split the elements alike."""
        source, target = op.operand_layouts[0], op.result_layouts[0]
        if not source.sharded_dims and not target.sharded_dims:
            return True
        return source.unreduced == target.unreduced and source.divides and is_equivalent(source, target)

    def pad(self, op: PadOp) -> None:
        """Only padded dimensions that the reshape passes through stay padded."""
        source, target = op.operand_layouts[0], op.result_layouts[0]
        same_size = num_elements(op.op.operands[0].type.shape) == num_elements(target.padded_shape)
        if same_size and moves_no_data(source, target):
            op.grow()
        else:
            op.compute_unpadded()


@op_model("stablehlo.get_dimension_size")
class GetDimensionSize(OpModel):
    """The size in the global program, not that of the device's part."""

    def check_parts(self, op: ShardedOp) -> str | None:
        dim = views.GetDimensionSize(op.op).dimension
        return f"dimension {dim} must be replicated" if dim in op.operand_layouts[0].sharded_dims else None

    def localize(self, op: LocalOp) -> None:
        """Return the size in the global program, not that of the device's part."""
        source = op.operand_layouts[0]
        dim = views.GetDimensionSize(op.op).dimension
        if source.is_sharded(dim) and source.shape[dim] >= 0:
            check_indices(op.b, source.shape[dim])
            op.replace(op.b.constant(source.shape[dim], i32()))


@op_model("stablehlo.set_dimension_size")
class SetDimensionSize(OpModel):
    """The resized dimension is replicated."""

    def check_parts(self, op: ShardedOp) -> str | None:
        return check_aligned(op, [views.SetDimensionSize(op.op).dimension])


@op_model(
    "stablehlo.dynamic_broadcast_in_dim",
    "stablehlo.dynamic_conv",
    "stablehlo.dynamic_gather",
    "stablehlo.dynamic_iota",
    "stablehlo.dynamic_pad",
    "stablehlo.dynamic_reshape",
    "stablehlo.real_dynamic_slice",
)
class DynamicShapes(OpModel):
    """An operand gives the global shape of the result."""

    def check_parts(self, op: ShardedOp) -> str | None:
        del op
        return "an operand gives the global size of the result"


class _Side:
    """Progress of factoring the dimensions of one side of a reshape."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.dim = 0
        self.entered = 1
        """Product of the dimensions entered so far."""
        self.done = 1
        """Product of the factors made so far."""

    @property
    def at_end(self) -> bool:
        return self.dim == len(self.shape)

    @property
    def at_unit_dim(self) -> bool:
        return not self.at_end and self.shape[self.dim] == 1

    @property
    def left(self) -> int:
        """Remaining size of the current dimension."""
        return self.entered // self.done

    def enter(self) -> None:
        """Starts the current dimension unless it is begun."""
        if not self.at_end and self.entered == self.done:
            self.entered *= self.shape[self.dim]

    def leave(self) -> None:
        """Goes on to the next dimension if the current one is used up."""
        if not self.at_end and self.entered == self.done:
            self.dim += 1


def _next_factor(rule: RuleBuilder, source: _Side, target: _Side) -> None:
    common = math.gcd(source.left, target.left)
    if source.done < target.done:
        size = _catch_up(source.left, common, source.done, target.done)
        rule.factor(size, {0: source.dim}, kind=NEED_REPLICATION)
        source.done *= size
    elif source.done > target.done:
        size = _catch_up(target.left, common, target.done, source.done)
        rule.factor(size, {}, {0: target.dim}, kind=NEED_REPLICATION)
        target.done *= size
    elif common > 1:
        rule.factor(common, {0: source.dim}, {0: target.dim})
        source.done *= common
        target.done *= common
    else:
        # The shapes diverge: what is left of both dimensions becomes one factor, of the operand's size.
        rule.factor(source.left, {0: source.dim}, {0: target.dim}, PERMUTATION)
        source.done, target.done = source.done * source.left, target.done * target.left


def _catch_up(left: int, common: int, behind: int, ahead: int) -> int:
    """Size of the next factor of the side whose product of factors is `behind`.

    `left` of its dimension remains, `common` of that is shared with the other side.
    """
    if ahead % behind == 0 and left % (ahead // behind) == 0:
        return ahead // behind
    return left // common if left > common else left
