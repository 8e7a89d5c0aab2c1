"""Random numbers (spec: sharding-rules, 4.3; partitioner, 7.10 and 10.2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdy.dialect.ir_builders import local_collectives
from sdy.dialect.ir_builders.with_sharding import use_instead, uses_of
from sdy.dialect.lowering.local_op import LocalOp
from sdy.dialect.lowering.sharded_op import ShardedOp, local_types
from sdy.dialect.ops.model import OpModel, op_model
from sdy.dialect.ops.op_signature import NEED_REPLICATION, OpSignature, RuleBuilder
from sdy.dialect.values.axes import AxisRef, difference
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import Reduction
from sdy.mlir import ir
from sdy.stablehlo.ops import Builder

_FACTORS = (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53)


@op_model("stablehlo.rng_bit_generator")
class RngBitGenerator(OpModel):
    """The state is replicated and blocked; the random bits may be sharded in any way."""

    def rule(self, op: OpSignature) -> ShardingRule:
        rule = RuleBuilder(op)
        for dim, size in enumerate(op.operand(0)):
            rule.factor(size, {0: dim}, {0: dim}, NEED_REPLICATION, blocked=True)
        for dim, size in enumerate(op.result(1)):
            rule.factor(size, {}, {1: dim})
        return rule.build()

    def localize(self, op: LocalOp) -> None:
        """Draws each part from a state of its own; returns the new state of the first part.

        The numbers differ from those of the unpartitioned program by design.
        """
        output = op.result_layouts[1]
        if output.is_replicated or output.mesh is None:
            op.keep()
            return
        state_layout = op.setting.layouts.of(op.operand_layouts[0].type, None)
        op.bring(0, state_layout)
        b, mesh = op.b, output.mesh
        axes = [axis for dim_axes in output.dim_axes for axis in dim_axes]
        state = op.operands[0]
        element = state.type.element_type
        if not isinstance(element, ir.IntegerType) or element.width not in (32, 64):
            op.fail(f"generates parts of a sharded tensor from a state of {element}; it must have 32 or 64 bits")
        device = op.devices.id(b)
        salt = _salt(op, mesh, axes, element, device)
        salted = b.add(state, b.broadcast_in_dim(salt, state.type.shape))
        attributes = {"rng_algorithm": op.op.attributes["rng_algorithm"]}
        local = b.create(op.op.name, (salted,), (state.type, local_types(op)[1]), attributes)
        first = op.devices.is_first(b, mesh, axes, device)
        chosen = b.select(first, local.results[0], b.constant(0, state.type))
        new_state = local_collectives.all_reduce(op.comm, b, chosen, axes, Reduction.SUM, output.mesh_ref, mesh)
        op.replace(new_state, local.results[1])


@op_model("stablehlo.rng")
class Rng(OpModel):
    """Draws a part on each device; devices with equal parts copy it from the first of them."""

    def check_parts(self, op: ShardedOp) -> str | None:
        del op
        return None

    def localize(self, op: LocalOp) -> None:
        """Draws a part on each device; devices with equal parts copy it from the first of them."""
        layout = op.result_layouts[0]
        if layout.is_replicated or layout.mesh is None:
            return
        b, mesh = op.b, layout.mesh
        shape = b.constant(np.array(layout.local_shape), op.operands[2].type.element_type)
        op.op.operands[2] = shape
        op.keep()
        slots = uses_of(op.op.results[0])
        use_instead(slots, _from_first(op, Builder.after(op.op), mesh))


def _salt(op: LocalOp, mesh: Mesh, axes: Sequence[AxisRef], element: ir.IntegerType, device: ir.Value) -> ir.Value:
    """The entry of `_hashes` for the part that the device has along `axes`."""
    b = op.b
    if not op.devices.computes(mesh):
        return op.devices.lookup(b, _hashes(mesh.shard_indices(axes), element), element, device)
    wide = ir.IntegerType.get_unsigned(64)
    index = b.convert(op.devices.position(b, mesh, tuple(axes), device), wide)
    low = b.and_(_finalized(b, index), b.constant(0xFFFFFFFF, index.type))
    if element.width == 64:
        low = b.or_(b.shift_left(low, b.constant(32, index.type)), low)
    return b.convert(low, element)


def _finalized(b: Builder, x: ir.Value) -> ir.Value:
    """Build `_finalize` as ops, for a number whose bits make its first step a no-op."""
    for factor in _FACTORS:
        x = b.multiply(x, b.constant(factor, x.type))
        x = b.xor(x, b.shift_right_logical(x, b.constant(33, x.type)))
    return x


def _hashes(indices: np.ndarray, element: ir.IntegerType) -> np.ndarray:
    """Return one hash of that type per shard index; 0 for index 0."""
    low = [_finalize(int(index)) & 0xFFFFFFFF for index in indices]
    numbers = low if element.width == 32 else [number << 32 | number for number in low]
    return np.array(numbers, dtype=np.uint64).astype(f"{'uint' if element.is_unsigned else 'int'}{element.width}")


def _finalize(x: int) -> int:
    """The 64-bit finalizer of MurmurHash3."""
    mask = (1 << 64) - 1
    x ^= x >> 33
    x = x * _FACTORS[0] & mask
    x ^= x >> 33
    x = x * _FACTORS[1] & mask
    return x ^ x >> 33


def _from_first(op: LocalOp, b: Builder, mesh: Mesh) -> ir.Value:
    """Return the result of `op` that the first device with the same part has."""
    layout = op.result_layouts[0]
    result = op.op.results[0]
    used = [axis for axes in layout.dim_axes for axis in axes]
    others = difference(mesh.atomic_axes(used), used, mesh.axis_sizes)
    manual = op.manual_axes
    unused = [axis for axis in others if axis.size(mesh.axis_sizes) > 1 and axis.name not in manual]
    if not unused:
        return result
    first = op.devices.is_first(b, mesh, unused)
    chosen = b.select(first, result, b.constant(0, result.type))
    return local_collectives.all_reduce(
        op.comm, b, chosen, mesh.sort_and_merge(unused), Reduction.SUM, layout.mesh_ref, mesh
    )
