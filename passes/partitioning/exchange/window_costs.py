"""Seconds of convolutions with partial sums, and with everything gathered (spec: partitioner, 3.5)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sdy.dialect.lowering.layout import Layout
from sdy.dialect.ops.convolution import feature_factors
from sdy.dialect.values.axes import AxisList, difference, product
from sdy.dialect.values.rule import ShardingRule
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.op_cost import product_operations
from sdy.passes.partitioning.exchange.gathering import LayoutOf, was_replicated
from sdy.passes.partitioning.exchange.window_strategies import ShardedWindow
from sdy.stablehlo import views


def features_to_gather(op: ir.Operation, rule: ShardingRule, layout_of: LayoutOf, machine: Machine) -> frozenset[int]:
    """Return the features of groups to gather, if computing with all of them is faster than adding up parts.

    Other ops have none.
    """
    if op.name != "stablehlo.convolution":
        return frozenset()
    convolution = views.Convolution(op)
    numbers, kernel = convolution.dimension_numbers, layout_of(convolution.rhs)
    is_grouped = max(convolution.feature_group_count, convolution.batch_group_count) > 1
    if not is_grouped or kernel.mesh is None or not kernel.is_sharded(numbers.kernel_input_feature_dimension):
        return frozenset()
    is_faster = adds_up_features(machine.on(kernel.mesh), op, layout_of)
    return frozenset() if is_faster else feature_factors(op, rule)


def adds_up_features(machine: Machine, op: ir.Operation, layout_of: LayoutOf) -> bool:
    """Return whether adding up parts of sharded features is no slower than computing with all features."""
    source, kernel, result = map(layout_of, (*op.operands, op.results[0]))
    numbers = views.Convolution(op).dimension_numbers
    dim = numbers.kernel_input_feature_dimension
    parts, names = kernel.shards[dim], [axis.name for axis in kernel.dim_axes[dim]]
    gathered = _product_seconds(machine, op, source, kernel, result, parts, parts)
    for index, (layout, at) in enumerate(((source, numbers.input_feature_dimension), (kernel, dim))):
        if not was_replicated(op.operands[index], [at], layout_of):
            gathered += machine.collective_seconds("all_gather", parts, layout.local_bytes, names)
    added_up = machine.collective_seconds("all_reduce", parts, result.local_bytes, names)
    return added_up + _product_seconds(machine, op, source, kernel, result, 1, 1) <= gathered


def _product_seconds(
    machine: Machine, op: ir.Operation, source: Layout, kernel: Layout, result: Layout, parts: int, kernel_parts: int
) -> float:
    """Return the seconds of the product on so many parts of the input and of the kernel."""
    numbers = views.Convolution(op).dimension_numbers
    made_by = math.prod(result.shards) * math.prod(
        count for dim, count in enumerate(kernel.shards) if dim != numbers.kernel_output_feature_dimension
    )
    operations = (product_operations(op) or 0.0) / made_by * parts
    touched = source.local_bytes * parts + kernel.local_bytes * kernel_parts + result.local_bytes
    return machine.product_seconds(operations, touched, str(source.type.element_type))


@dataclass(frozen=True)
class WindowCosts:
    """A convolution with windows along sharded dimensions, of which `of_kernel` need a gathered kernel."""

    op: ir.Operation
    source: Layout
    kernel: Layout
    result: Layout
    windows: Sequence[ShardedWindow]
    of_kernel: Sequence[ShardedWindow]

    def exchanged(self, machine: Machine) -> float:
        """Return the seconds if each device computes its part, and partial sums are added along their axes."""
        moved = sum(self._fetched(machine, window) for window in self.windows)
        return moved + self._products(machine, 1, 1) + self._added_up(machine, self.result.unreduced)

    def gathered(self, machine: Machine) -> float:
        """Seconds, if each device does all that the windows make."""
        sums = [window for window in self.windows if window.is_sum]
        gone = [axis for window in sums for axis in window.axes]
        parts, kernel_parts = (math.prod(window.plan.shards for window in some) for some in (self.windows, sums))
        return (
            self._gathered(machine, [window for window in self.windows if not window.plan.is_replicated], self.source)
            + self._gathered(machine, self.of_kernel, self.kernel)
            + self._products(machine, parts, kernel_parts)
            + self._added_up(machine, difference(self.result.unreduced, gone, self._sizes))
        )

    def _gathered(self, machine: Machine, windows: Sequence[ShardedWindow], layout: Layout) -> float:
        """Return the seconds of gathering the parts that windows split a tensor into."""
        parts = math.prod(window.plan.shards for window in windows)
        names = [name for window in windows for name in window.names]
        return machine.collective_seconds("all_gather", parts, layout.local_bytes, names) if windows else 0.0

    def _fetched(self, machine: Machine, window: ShardedWindow) -> float:
        """Return the seconds for fetching the rows of other parts in a window's reach."""
        plan, held = window.plan, self.source.local_bytes
        if plan.is_replicated:
            return 0.0
        if plan.gathers:
            return machine.collective_seconds("all_gather", plan.shards, held, window.names)
        return sum(
            machine.collective_seconds(
                "collective_permute", plan.shards, plan.rows(distance) * held / plan.part, window.names
            )
            for distance in plan.distances
        )

    def _products(self, machine: Machine, parts: int, kernel_parts: int) -> float:
        """Return the seconds of the product on so many parts of the input and of the kernel."""
        return _product_seconds(machine, self.op, self.source, self.kernel, self.result, parts, kernel_parts)

    def _added_up(self, machine: Machine, axes: AxisList) -> float:
        names = [axis.name for axis in axes]
        return machine.collective_seconds("all_reduce", product(axes, self._sizes), self.result.local_bytes, names)

    @property
    def _sizes(self) -> dict[str, int]:
        assert self.source.mesh is not None
        return self.source.mesh.axis_sizes
