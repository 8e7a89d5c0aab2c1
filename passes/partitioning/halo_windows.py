"""Windows that slide along a sharded dimension: devices fetch the elements that their windows reach beyond their part.

    %0 = "stablehlo.reduce_window"(%a, %init) <{window_dimensions = array<i64: 3>, padding = [[1, 1]]}> ({...})
         {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
==> %0 = sdy.manual_computation(%a, %init) ... manual_axes={"x"} (%part: tensor<4xf32>, %value: tensor<f32>) {
      ...                                           // one element of either neighbour
      %1 = "stablehlo.reduce_window"(%with_neighbours, %value) <{window_dimensions = array<i64: 3>}> ({...})
           : (tensor<6xf32>, tensor<f32>) -> tensor<4xf32>
      sdy.return %1 : tensor<4xf32>
    }
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from sdy.dialect import ops as sdy_ops
from sdy.dialect.attributes import SHARDING_RULE
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.stored import set_op_shardings
from sdy.mlir import ir, stablehlo
from sdy.passes.partitioning.communication import Communication
from sdy.passes.partitioning.halo_exchange import exchange_dim, manual_names
from sdy.passes.partitioning.halo_plan import DimPlan, needed_rows
from sdy.passes.partitioning.layout import Layout
from sdy.passes.partitioning.marking import set_sharding
from sdy.passes.partitioning.stablehlo_builder import Builder, i64_array, with_shape

LayoutOf = Callable[[ir.Value], Layout]


@dataclass(frozen=True)
class _Window:
    """How an op slides along one dimension. `index` is the place in the op's attributes."""

    index: int
    source_dim: int
    result_dim: int
    size: int
    stride: int
    low: int
    source_dilation: int
    window_dilation: int

    @property
    def span(self) -> int:
        return (self.size - 1) * self.window_dilation + 1

    @property
    def is_trivial(self) -> bool:
        return (self.size, self.stride, self.low, self.source_dilation) == (1, 1, 0, 1)


def is_windowed(op: ir.Operation) -> bool:
    """Whether `exchange_windows` knows the op."""
    return op.name in ("stablehlo.reduce_window", "stablehlo.convolution")


def exchange_windows(op: ir.Operation, layout_of: LayoutOf, comm: Communication) -> bool:
    """Rewrites a windowed op along its sharded dimensions; False if these have to be gathered, or need nothing."""
    is_convolution = op.name == "stablehlo.convolution"
    windows = _spatial_windows(op) if is_convolution else _reduced_windows(op)
    source, result = layout_of(op.operands[0]), layout_of(op.results[0])
    slid = [window for window in windows if source.is_sharded(window.source_dim) and not window.is_trivial]
    if not slid or source.mesh is None or source.mesh.is_maximal or result.mesh != source.mesh:
        return False
    operands = [layout_of(operand) for operand in op.operands]
    results = [layout_of(value) for value in op.results]
    if not _are_alike(slid, operands, results, is_convolution) or (
        is_convolution and not _groups_are_whole(op, source)
    ):
        return False
    plans = [_plan(window, source, result) for window in slid]
    if any(plan.is_costly for plan in plans):
        return False
    _Exchange(op, operands, results, slid, plans, comm).run()
    return True


# The windows -------------------------------------------------------------------------------------


def _reduced_windows(op: ir.Operation) -> list[_Window]:
    sizes = list(op.attributes["window_dimensions"])
    strides, bases, dilations = (
        _numbers(op, name, len(sizes)) for name in ("window_strides", "base_dilations", "window_dilations")
    )
    lows = _lows(op, len(sizes))
    return [
        _Window(dim, dim, dim, sizes[dim], strides[dim], lows[dim], bases[dim], dilations[dim])
        for dim in range(len(sizes))
    ]


def _spatial_windows(op: ir.Operation) -> list[_Window]:
    numbers = stablehlo.ConvDimensionNumbers(op.attributes["dimension_numbers"])
    count = len(numbers.input_spatial_dimensions)
    strides, bases, dilations = (
        _numbers(op, name, count) for name in ("window_strides", "lhs_dilation", "rhs_dilation")
    )
    lows, kernel = _lows(op, count), op.operands[1].type.shape
    return [
        _Window(
            index,
            numbers.input_spatial_dimensions[index],
            numbers.output_spatial_dimensions[index],
            kernel[numbers.kernel_spatial_dimensions[index]],
            strides[index],
            lows[index],
            bases[index],
            dilations[index],
        )
        for index in range(count)
    ]


def _numbers(op: ir.Operation, name: str, count: int) -> list[int]:
    """An optional array attribute of ones."""
    return list(op.attributes[name]) if name in op.attributes else [1] * count


def _lows(op: ir.Operation, count: int) -> list[int]:
    if "padding" not in op.attributes:
        return [0] * count
    return [int(low) for low, _ in np.array(op.attributes["padding"]).reshape(count, 2)]


def _plan(window: _Window, source: Layout, result: Layout) -> DimPlan:
    shards, size = source.shards[window.source_dim], source.shape[window.source_dim]
    made = result.shape[window.result_dim]
    left, right = needed_rows(size, made, shards, window.low, window.source_dilation, window.stride, window.span)
    return DimPlan(
        window.source_dim,
        shards,
        -(-size // shards),
        -(-made // shards),
        window.low,
        window.source_dilation,
        window.stride,
        left,
        right,
        is_needed=True,
        span=window.span,
    )


# Whether parts fit together ----------------------------------------------------------------------


def _are_alike(
    windows: Sequence[_Window], operands: Sequence[Layout], results: Sequence[Layout], is_convolution: bool
) -> bool:
    """Whether what slides and all results are sharded alike along slid dimensions, and nothing else has the axes."""
    source = operands[0]
    assert source.mesh is not None
    slid = operands[:1] if is_convolution else operands[: len(results)]
    for window in windows:
        axes = source.dim_axes[window.source_dim]
        sizes = (source.shape[window.source_dim], results[0].shape[window.result_dim])
        same = all(each.rank and each.dim_axes[window.source_dim] == axes for each in slid)
        if min(sizes) <= 0 or not same or any(each.dim_axes[window.result_dim] != axes for each in results):
            return False
    manual = set(manual_names(source.mesh, [source.dim_axes[window.source_dim] for window in windows]))
    for layout in (*operands, *results):
        is_slid = layout in slid
        taken = {w.source_dim if is_slid else w.result_dim for w in windows} if is_slid or layout in results else set()
        others = [axes for dim, axes in enumerate(layout.dim_axes) if dim not in taken]
        if layout.unreduced or any(axis.name in manual for axes in others for axis in axes):
            return False
    return True


def _groups_are_whole(op: ir.Operation, source: Layout) -> bool:
    """Whether the dimension of a convolution that consists of groups is not sharded."""
    numbers = stablehlo.ConvDimensionNumbers(op.attributes["dimension_numbers"])
    features, batches = (op.attributes[f"{name}_group_count"].value for name in ("feature", "batch"))
    if features > 1 and source.is_sharded(numbers.input_feature_dimension):
        return False
    return batches == 1 or not source.is_sharded(numbers.input_batch_dimension)


# The rewriting -----------------------------------------------------------------------------------


class _Exchange:
    """One windowed op that becomes a manual computation."""

    def __init__(
        self,
        op: ir.Operation,
        operands: Sequence[Layout],
        results: Sequence[Layout],
        windows: Sequence[_Window],
        plans: Sequence[DimPlan],
        comm: Communication,
    ) -> None:
        assert operands[0].mesh is not None and operands[0].sharding is not None
        self.op = op
        self.windows = windows
        self.plans = plans
        self.comm = comm
        self.mesh = operands[0].mesh
        self.axes = [operands[0].dim_axes[plan.dim] for plan in plans]
        self.manual = manual_names(self.mesh, self.axes)
        ref = operands[0].mesh_ref
        self.ins, self.outs = (
            [layout.sharding or TensorSharding.closed(ref, layout.rank) for layout in layouts]
            for layouts in (operands, results)
        )
        self.slid = 1 if op.name == "stablehlo.convolution" else len(results)

    def run(self) -> None:
        b = Builder.before(self.op)
        operands = list(self.op.operands)
        values = [b.scalar(operands[0].type.element_type, 0)] if self._is_convolution else operands[self.slid :]
        for index in range(self.slid):
            operands[index] = self._padded(b, operands[index], values[index], self.ins[index])
        ends = [self._grown(result.type, by_parts=False) for result in self.op.results]
        parts = [self._part(operand.type) if i < self.slid else operand.type for i, operand in enumerate(operands)]
        computation = sdy_ops.manual_computation(
            operands, ends, self.ins, self.outs, self.manual, parts, loc=b.location, ip=b.ip
        )
        self._fill(computation.regions[0].blocks[0], b.location)
        for old, whole, sharding in zip(self.op.results, computation.results, self.outs, strict=True):
            cut = b.high_slice(whole, old.type.shape)
            if cut != whole:
                set_sharding(cut, sharding)
            old.replace_all_uses_with(cut)
        self.op.erase()

    @property
    def _is_convolution(self) -> bool:
        return self.op.name == "stablehlo.convolution"

    def _padded(self, b: Builder, x: ir.Value, value: ir.Value, sharding: TensorSharding) -> ir.Value:
        shape = list(x.type.shape)
        for plan in self.plans:
            shape[plan.dim] = plan.source_size * plan.shards
        padded = b.high_pad(x, shape, value)
        if padded != x:
            set_sharding(padded, sharding)
        return padded

    def _part(self, type_: ir.Type) -> ir.Type:
        shape = list(type_.shape)
        for plan in self.plans:
            shape[plan.dim] = plan.source_size
        return with_shape(type_, shape)

    def _grown(self, type_: ir.Type, *, by_parts: bool) -> ir.Type:
        """The type of a result with even parts, or of one part."""
        shape = list(type_.shape)
        for window, plan in zip(self.windows, self.plans, strict=True):
            shape[window.result_dim] = plan.target_size * (1 if by_parts else plan.shards)
        return with_shape(type_, shape)

    def _fill(self, block: ir.Block, location: ir.Location) -> None:
        b = Builder.at_end(block, location)
        operands = list(block.arguments)
        values = [b.scalar(operands[0].type.element_type, 0)] if self._is_convolution else operands[self.slid :]
        for index in range(self.slid):
            inner = self.ins[index].erase_manual_axes(self.manual)
            for plan, axes in zip(self.plans, self.axes, strict=True):
                operands[index] = exchange_dim(
                    self.comm, b, operands[index], values[index], plan, self.mesh, axes, inner
                )
        local = self.op.clone(ip=b.ip).operation
        for index, operand in enumerate(operands):
            local.operands[index] = operand
        for result in local.results:
            result.set_type(self._grown(result.type, by_parts=True))
        self._unpad(local)
        set_op_shardings(local, tuple(sharding.erase_manual_axes(self.manual) for sharding in self.outs))
        if SHARDING_RULE in local.attributes:
            del local.attributes[SHARDING_RULE]
        sdy_ops.return_(list(local.results), loc=location, ip=b.ip)

    def _unpad(self, local: ir.Operation) -> None:
        """What has been exchanged is padded and dilated already."""
        bases = "lhs_dilation" if self._is_convolution else "base_dilations"
        if bases in local.attributes:
            numbers = list(local.attributes[bases])
            for window in self.windows:
                numbers[window.index] = 1
            local.attributes[bases] = i64_array(numbers)
        if "padding" in local.attributes:
            padding = np.array(local.attributes["padding"]).reshape(-1, 2)
            for window in self.windows:
                padding[window.index] = 0
            local.attributes["padding"] = ir.DenseIntElementsAttr.get(np.ascontiguousarray(padding, dtype=np.int64))
