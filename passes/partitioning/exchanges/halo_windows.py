"""Windows that run along a sharded dimension: devices fetch the elements that their windows reach beyond their part.

    %0 = "stablehlo.reduce_window"(%a, %init) <{window_dimensions = array<i64: 3>, padding = [[1, 1]]}> ({...})
         {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
==> %0 = sdy.manual_computation(%a, %init) ... manual_axes={"x"} (%part: tensor<4xf32>, %value: tensor<f32>) {
      ...                                           // one element of either neighbour
      %1 = "stablehlo.reduce_window"(%with_neighbours, %value) <{window_dimensions = array<i64: 3>}> ({...})
           : (tensor<6xf32>, tensor<f32>) -> tensor<4xf32>
      sdy.return %1 : tensor<4xf32>
    }

If the kernel of a convolution is sharded like the input, as in the gradient of a kernel, each device adds up what its
part of the kernel meets, and the result, which is whole on every device, stays a partial value. Where the parts of the
kernel are uneven, the padding of the kernel meets only zeros.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.ir_builders.communication import Communication
from sdy.dialect.ir_builders.devices import as_index, index_type
from sdy.dialect.ir_builders.init_values import are_fillers, fillers, flagged_reduction
from sdy.dialect.ir_builders.manual_frame import Entering, Leaving, replace_by_hand, scalars
from sdy.dialect.ir_builders.operand_slots import erase_unused
from sdy.dialect.ir_builders.positions import manual_names, position_along
from sdy.dialect.ir_builders.with_sharding import high_padded, marked
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.ops.access import Window
from sdy.dialect.ops.convolution import is_plain_contraction, torn_group_factors
from sdy.dialect.ops.model import windows_of
from sdy.dialect.shardings.attribute_shardings import set_op_shardings
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import AxisList, difference
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import Reduction, TensorSharding
from sdy.mlir import ir
from sdy.mlir.tensor_types import i1, tensor_type, with_element_type, with_shape
from sdy.passes.costs.machine import Machine
from sdy.passes.partitioning.exchanges.exchange import DimExchange
from sdy.passes.partitioning.exchanges.gathering import LayoutOf, is_whole_before, whole_before
from sdy.passes.partitioning.exchanges.uneven_sums import first_windows, rows_by_themselves, windows_apart
from sdy.passes.partitioning.exchanges.window_costs import ShardedWindow, WindowCosts
from sdy.passes.partitioning.facts.intervals import Access, DilatedWindow, DimPlan
from sdy.stablehlo.ops import Builder
from sdy.stablehlo.ops.making.attribute_writers import i64_array


def is_windowed(op: ir.Operation) -> bool:
    """Whether `exchange_windows` knows the op."""
    return op.name in ("stablehlo.reduce_window", "stablehlo.convolution")


def exchange_windows(
    op: ir.Operation, rule: ShardingRule, layout_of: LayoutOf, comm: Communication, machine: Machine
) -> bool:
    """Rewrites a windowed op along its sharded dimensions; False if these have to be gathered, or need nothing.

    They are gathered, too, where that is faster on `machine`.
    """
    windowed = _Windowed(op, layout_of)
    if not windowed.fits(rule) or not windowed.is_faster(machine):
        return False
    _WindowExchange(windowed, comm).run()
    return True


class _Windowed:
    """An op with its layouts, and its windows along sharded dimensions: those that slide, and those that are summed."""

    def __init__(self, op: ir.Operation, layout_of: LayoutOf) -> None:
        self.op, self.layout_of = op, layout_of
        self.operands = [layout_of(operand) for operand in op.operands]
        self.results = [layout_of(value) for value in op.results]
        self.is_convolution = op.name == "stablehlo.convolution"
        self.slid = self.operands[: 1 if self.is_convolution else len(self.results)]
        """The operands along which windows run."""
        self.skips_gaps = self.is_convolution or are_fillers(op.regions[0], op.operands[len(self.slid) :])
        """Whether what the op takes to be between elements may stand in their place, too."""
        source = self.operands[0]
        self.windows = [w for w in windows_of(op) if source.is_sharded(w.source_dim) and not self._is_local(w)]
        self.axes = [source.dim_axes[window.source_dim] for window in self.windows]
        self.sums = [self._is_summed(window) for window in self.windows]
        self.plans = [
            self._plan(window.source_dim, (Access.sum_up if is_sum else Access.slide)(window, source))
            for window, is_sum in zip(self.windows, self.sums, strict=True)
        ]

    def _is_local(self, window: Window) -> bool:
        """Whether every device has what it needs along a dimension."""
        if window.is_trivial:
            return True
        return self._is_summed(window) and is_plain_contraction(self.op, window.index, window.made)

    def _plan(self, dim: int, access: Access) -> DimPlan:
        """The exchange along `dim`; all parts are gathered if windows reach so far, each device computes its part."""
        values = list(self.op.operands)[: len(self.slid)]
        is_whole = all(is_whole_before(value, [dim], self.layout_of) for value in values)
        halo = access.needed.halo
        plan = DimPlan(dim, access.shards, access.part, *halo, is_whole, access=access, tight=True)
        return replace(plan, gathers=plan.is_costly)

    def _is_summed(self, window: Window) -> bool:
        return window.kernel_dim is not None and self.operands[1].is_sharded(window.kernel_dim)

    # Whether it can be done ----------------------------------------------------------------------

    def fits(self, rule: ShardingRule) -> bool:
        """Whether all tensors are sharded as their part in the windows demands, and nothing else has the axes."""
        mesh = self.operands[0].mesh
        if not self.windows or mesh is None or mesh.is_maximal:
            return False
        layouts = (*self.operands, *self.results)
        if any(layout.mesh not in (None, mesh) for layout in layouts) or any(o.unreduced for o in self.operands):
            return False
        if any(min(w.size, w.made, self.operands[0].shape[w.source_dim]) <= 0 for w in self.windows):
            return False
        manual = set(manual_names(mesh, self.axes))
        expected = [*map(self.operand_axes, range(len(self.operands))), *([self.result_axes] * len(self.results))]
        return (
            all(_has_axes(*pair, manual) for pair in zip(layouts, expected, strict=True))
            and self._sums_are_unreduced(manual)
            and not any(w.is_reversed for w, is_sum in zip(self.windows, self.sums, strict=True) if is_sum)
            and not (self.is_convolution and self._splits_groups(rule))
        )

    def operand_axes(self, index: int) -> dict[int, AxisList]:
        """The axes that dimensions of an operand have because of the windows."""
        if index < len(self.slid):
            return {window.source_dim: axes for window, axes in zip(self.windows, self.axes, strict=True)}
        if not self.is_convolution:
            return {}
        parts = zip(self.windows, self.axes, self.sums, strict=True)
        return {window.kernel_dim: axes for window, axes, is_sum in parts if is_sum and window.kernel_dim is not None}

    @property
    def result_axes(self) -> dict[int, AxisList]:
        """The axes that dimensions of all results have because of the windows."""
        parts = zip(self.windows, self.axes, self.sums, strict=True)
        return {window.result_dim: axes for window, axes, is_sum in parts if not is_sum}

    @property
    def sum_axes(self) -> AxisList:
        """The axes along which each device has only a part of every sum."""
        return tuple(axis for axes, is_sum in zip(self.axes, self.sums, strict=True) if is_sum for axis in axes)

    def _sums_are_unreduced(self, manual: set[str]) -> bool:
        """Whether the results are partial values along the axes of sums, and along no other manual ones."""
        mesh = self.operands[0].mesh
        assert mesh is not None
        for layout in self.results:
            if layout.unreduced and layout.sharding is not None and layout.sharding.reduction is not Reduction.SUM:
                return False
            if difference(self.sum_axes, layout.unreduced, mesh.axis_sizes):
                return False
            if any(axis.name in manual for axis in difference(layout.unreduced, self.sum_axes, mesh.axis_sizes)):
                return False
        return True

    def _splits_groups(self, rule: ShardingRule) -> bool:
        """Whether a device has pieces of several groups of a convolution."""
        grouped = torn_group_factors(self.op, rule, self.layout_of)
        return any(
            layout.is_sharded(dim) and not grouped.isdisjoint(factors)
            for layout, mapping in zip((*self.operands, *self.results), rule.tensors, strict=True)
            for dim, factors in enumerate(mapping)
        )

    # What it costs -------------------------------------------------------------------------------

    def is_faster(self, machine: Machine) -> bool:
        """Whether it takes no longer than if the dimensions were gathered.

        Of sums that weighs what it takes to add them up along more axes against doing all of them on each device.
        """
        if not any(self.sums):
            return True
        source, kernel = self.operands
        assert source.mesh is not None
        whole = [is_sum and self._is_kernel_whole(w) for w, is_sum in zip(self.windows, self.sums, strict=True)]
        windows = [*map(ShardedWindow, self.plans, self.axes, self.sums, whole)]
        costs = WindowCosts(self.op, source, kernel, self.results[0], windows)
        on_mesh = machine.on(source.mesh)
        return costs.exchanged(on_mesh) <= costs.gathered(on_mesh)

    def _is_kernel_whole(self, window: Window) -> bool:
        dim = window.kernel_dim
        return dim is not None and is_whole_before(self.op.operands[1], [dim], self.layout_of)


def _has_axes(layout: Layout, expected: dict[int, AxisList], manual: set[str]) -> bool:
    """Whether dimensions have the `expected` axes, and no others any that are `manual`."""
    return (
        all(
            axes == expected[dim] if dim in expected else not any(axis.name in manual for axis in axes)
            for dim, axes in enumerate(layout.dim_axes)
        )
        and len(expected) <= layout.rank
    )


# The rewriting -----------------------------------------------------------------------------------


class _WindowExchange:
    """One windowed op that becomes a manual computation."""

    def __init__(self, windowed: _Windowed, comm: Communication) -> None:
        source = windowed.operands[0]
        assert source.mesh is not None and source.sharding is not None
        self.op = windowed.op
        self.windowed = windowed
        self.windows, self.plans, self.axes = windowed.windows, windowed.plans, windowed.axes
        self.comm = comm
        self.mesh = source.mesh
        self.manual = manual_names(self.mesh, self.axes)
        ref = source.mesh_ref
        self.ins, self.outs = (
            [layout.sharding or TensorSharding.closed(ref, layout.rank) for layout in layouts]
            for layouts in (windowed.operands, windowed.results)
        )
        self.slid = len(windowed.slid)
        self.is_flagged = False
        """Whether elements carry flags that say whether they count."""
        self.spread = {n: DilatedWindow(plan) for n, plan in enumerate(self.plans) if self._may_spread(n)}
        """The windows along dilated dimensions that begin at another place between two elements on each device."""
        self.spread_along: dict[int, DimExchange] = {}

    def run(self) -> None:
        b = Builder.before(self.op)
        whole = [plan.dim for plan in self.plans if plan.is_whole]
        for index in range(self.slid if whole else 0):
            self._use_whole(index, whole)
        operands = list(self.op.operands)
        values = self._values(b, operands)
        inits = operands[self.slid :]
        new = [] if self.windowed.is_convolution else [value for value in values if value not in inits]
        for index in range(len(operands)):
            sizes = self._sizes(index, by_parts=False)
            if sizes:
                shape = _resized(operands[index].type, sizes).shape
                operands[index] = high_padded(b, operands[index], shape, self.ins[index], values[index])
        parts = [_resized(operand.type, self._sizes(index, by_parts=True)) for index, operand in enumerate(operands)]
        leaving = [
            Leaving(self._grown(result.type, by_parts=False), sharding, result.type.shape)
            for result, sharding in zip(self.op.results, self.outs, strict=True)
        ]

        def body(inside: Builder, arguments: list[ir.Value]) -> Sequence[ir.Value]:
            brought = dict(zip([*inits, *new], arguments[self.slid :], strict=True))
            if self.windowed.is_convolution:
                fillers = self._values(inside, arguments)
            else:
                fillers = [brought[value] for value in values]
            return self._filled(inside, arguments[: len(operands)], fillers)

        entering = [*map(Entering, operands, self.ins, parts), *scalars(new, self.ins[0].mesh_or_ref)]
        replace_by_hand(self.op, b, entering, leaving, self.manual, body)

    def _use_whole(self, index: int, dims: Sequence[int]) -> None:
        """Gives the op all of `dims` of an operand."""
        part = self.op.operands[index]
        whole = whole_before(self.op, part, dims, self.windowed.layout_of)
        self.ins[index] = get_sharding(whole) or self.ins[index]
        self.op.operands[index] = whole
        erase_unused([part])

    def _values(self, b: Builder, operands: Sequence[ir.Value]) -> Sequence[ir.Value]:
        """What stands where an operand has no elements: zeros around those of a convolution.

        Elsewhere what changes no result, or just anything if flags say that it does not count.
        """
        if self.windowed.is_convolution:
            return [b.constant(0, operands[0].type.element_type)] * len(operands)
        init_values = operands[self.slid :]
        found = fillers(b, self.op.regions[0], init_values)
        self.is_flagged = found is None
        return init_values if found is None else found

    def _sizes(self, index: int, *, by_parts: bool) -> dict[int, int]:
        """The even sizes of dimensions of an operand that windows run along, or those of one part."""
        parts: dict[int, int] = {}
        for window, plan, is_sum in zip(self.windows, self.plans, self.windowed.sums, strict=True):
            if index < self.slid and not plan.is_whole:
                parts[window.source_dim] = plan.part * (1 if by_parts else plan.shards)
            elif index == self.slid and is_sum and window.kernel_dim is not None:
                parts[window.kernel_dim] = plan.access.target * (1 if by_parts else plan.shards)
        return parts

    def _grown(self, type_: ir.RankedTensorType, *, by_parts: bool) -> ir.RankedTensorType:
        """The type of a result with even parts, or of one part."""
        sizes = {
            window.result_dim: plan.access.target * (1 if by_parts else plan.shards)
            for window, plan, is_sum in zip(self.windows, self.plans, self.windowed.sums, strict=True)
            if not is_sum
        }
        return _resized(type_, sizes)

    def _made(self, type_: ir.RankedTensorType) -> ir.RankedTensorType:
        """The type of what the local op gives, of which devices may cut out their part."""
        part = self._grown(type_, by_parts=True)
        more = {self.windows[number].result_dim: elements.surplus_rows for number, elements in self.spread.items()}
        return _resized(part, {dim: part.shape[dim] + count for dim, count in more.items()})

    def _filled(self, b: Builder, operands: list[ir.Value], values: Sequence[ir.Value]) -> Sequence[ir.Value]:
        """The results of the op on parts; `values` stand where there is no element."""
        uneven: list[tuple[int, DimExchange]] = []
        for index in range(self.slid):
            inner = self.ins[index].erase_manual_axes(self.manual)
            for number, (plan, axes) in enumerate(zip(self.plans, self.axes, strict=True)):
                exchange = DimExchange(self.comm, plan, self.mesh, axes, values[index], inner, cuts=True)
                if self._keeps_dilation(number):
                    operands[index] = exchange.fetched(b, operands[index], exchange.position(b))
                    continue
                if number in self.spread:
                    operands[index] = exchange.spread(b, operands[index], self.spread[number])
                    self.spread_along[number] = exchange
                    continue
                operands[index] = exchange.needed(b, operands[index])
                if self._is_uneven_sum(number):
                    uneven.append((number, exchange))
        return self._summed(b, operands, uneven) if uneven else self._done(b, operands, {})

    def _summed(
        self, b: Builder, operands: Sequence[ir.Value], uneven: Sequence[tuple[int, DimExchange]]
    ) -> Sequence[ir.Value]:
        """The sums where the kernel is padded along the `uneven` windows: then no element may meet the padding."""
        x, kernel = operands
        (number, exchange), *others = uneven
        apart: dict[int, int] = {}
        for other, along in others:
            x = windows_apart(b, x, along, self.windows[other], 0)
            apart[other] = along.plan.access.target
        window, count = self.windows[number], exchange.plan.access.target
        rows = rows_by_themselves(exchange, window, x, self._grown(self.op.results[0].type, by_parts=True))
        rest = windows_apart(b, x, exchange, window, rows)
        if not rows:
            return self._done(b, [rest, kernel], {**apart, number: count})
        parts = [self._of_kernel(b, kernel, number, *ends) for ends in ((0, rows), (rows, count))]
        (first,) = self._done(b, [first_windows(b, x, exchange, window, rows), parts[0]], apart)
        (last,) = self._done(b, [rest, parts[1]], {**apart, number: count - rows})
        return [marked(b.add(first, last), get_sharding(first))]

    def _of_kernel(self, b: Builder, kernel: ir.Value, number: int, start: int, limit: int) -> ir.Value:
        dim, shape = self.windows[number].kernel_dim, list(kernel.type.shape)
        starts = [start if each == dim else 0 for each in range(len(shape))]
        limits = [limit if each == dim else size for each, size in enumerate(shape)]
        return marked(b.slice(kernel, starts, limits), self.ins[1].erase_manual_axes(self.manual))

    def _done(self, b: Builder, operands: Sequence[ir.Value], apart: Mapping[int, int]) -> Sequence[ir.Value]:
        """The results of the op on what has been exchanged; so many rows are `apart` for each window of some."""
        local = self._local(b, operands)
        self._unpad(local, apart)
        outs = [sharding.erase_manual_axes(self.manual) for sharding in self.outs]
        set_op_shardings(local, (*outs, *outs[:1])[: len(local.results)])
        results = list(local.results)[: len(outs)]
        for number, elements in self.spread.items():
            own, dim = self.spread_along[number].own_results, self.windows[number].result_dim
            results = [marked(own(b, made, dim, elements), out) for made, out in zip(results, outs, strict=True)]
        return results

    def _local(self, b: Builder, operands: Sequence[ir.Value]) -> ir.Operation:
        """The op on what has been exchanged, with flags if it is not known what changes no result."""
        types = [self._made(result.type) for result in self.op.results]
        if not self.is_flagged:
            local = self.op.clone(ip=b.ip).operation
            for index, operand in enumerate(operands):
                local.operands[index] = operand
            for result, type_ in zip(local.results, types, strict=True):
                result.set_type(type_)
            if SHARDING_RULE in local.attributes:
                del local.attributes[SHARDING_RULE]
            return local
        slid, init_values = operands[: self.slid], operands[self.slid :]
        flags = self._flags(b, slid[0])
        counts = b.constant(1, i1())
        types.append(with_element_type(types[0], i1()))
        return flagged_reduction(b, self.op, [*slid, flags], [*init_values, counts], types)

    def _flags(self, b: Builder, exchanged: ir.Value) -> ir.Value:
        """Which elements of `exchanged`, the first operand after the exchange, are elements of the tensor."""
        inner, shape = self.ins[0].erase_manual_axes(self.manual), exchanged.type.shape
        flags = None
        for window, plan, axes in zip(self.windows, self.plans, self.axes, strict=True):
            step = plan.access.target * plan.access.stride
            last = (self.op.operands[0].type.shape[window.source_dim] - 1) * plan.access.dilation
            number = index_type(step * plan.shards + abs(plan.access.low) + shape[plan.dim], last)
            numbers = tensor_type(shape, number)
            position = as_index(b, position_along(self.comm, b, self.mesh, axes), number)
            first = b.multiply(position, b.constant(step, number))
            first = marked(b.broadcast_in_dim(b.subtract(first, b.constant(plan.access.low, number)), shape), inner)
            place = marked(b.add(marked(b.iota(numbers, plan.dim), inner), first), inner)
            conditions = [(place, "GE", 0), (place, "LE", last)]
            if plan.access.dilation > 1:
                dilation = marked(b.constant(plan.access.dilation, numbers), inner)
                conditions.append((marked(b.remainder(place, dilation), inner), "EQ", 0))
            for number, direction, limit in conditions:
                holds = marked(b.compare(number, marked(b.constant(limit, numbers), inner), direction), inner)
                flags = holds if flags is None else marked(b.and_(flags, holds), inner)
        assert flags is not None
        return flags

    def _is_uneven_sum(self, number: int) -> bool:
        """Whether the kernel is padded along a window: then no element may meet the padding."""
        plan = self.plans[number]
        return self.windowed.sums[number] and self.windows[number].size != plan.access.target * plan.shards

    def _keeps_dilation(self, number: int) -> bool:
        """Whether windows run over a dilated input as it is, which costs less than with zeros between its elements.

        For that the windows of all devices have to begin at the same distance from their parts.
        """
        plan = self.plans[number]
        is_aligned = plan.access.target * plan.access.stride == plan.part * plan.access.dilation
        if plan.gathers or plan.access.dilation == 1 or not self.windowed.skips_gaps:
            return False
        return is_aligned and not self._is_uneven_sum(number)

    def _may_spread(self, number: int) -> bool:
        """Whether a dilated input is convolved as it is where windows of devices begin at different distances.

        For that windows are one position apart: the distances are how many results are not wanted.
        """
        plan = self.plans[number]
        if plan.gathers or plan.access.dilation == 1 or plan.access.stride > 1 or not self.windowed.is_convolution:
            return False
        return not self.windowed.sums[number] and not self._keeps_dilation(number)

    def _padding(self, number: int) -> tuple[int, int]:
        """How the local op pads what has been exchanged along a dimension."""
        plan = self.plans[number]
        if number in self.spread:
            return self.spread[number].padding
        if not self._keeps_dilation(number):
            return 0, 0
        fetched = (plan.left_rows + plan.part + plan.right_rows - 1) * plan.access.dilation + 1
        low = plan.access.low - plan.left_rows * plan.access.dilation
        return low, plan.access.window - fetched - low

    def _unpad(self, local: ir.Operation, apart: Mapping[int, int]) -> None:
        """What has been exchanged is padded, perhaps dilated, and perhaps `apart` already."""
        bases = "lhs_dilation" if self.windowed.is_convolution else "base_dilations"
        if bases in local.attributes:
            numbers = list(local.attributes[bases])
            for number, window in enumerate(self.windows):
                if not self._keeps_dilation(number) and number not in self.spread:
                    numbers[window.index] = 1
            local.attributes[bases] = i64_array(numbers)
        for number, rows in apart.items():
            _set_spatial(local, "window_strides", self.windows[number].index, rows)
            _set_spatial(local, "rhs_dilation", self.windows[number].index, 1)
        paddings = {window.index: self._padding(number) for number, window in enumerate(self.windows)}
        if "padding" in local.attributes or any(map(any, paddings.values())):
            rank = len(self.windowed.operands[0].shape) - (2 if self.windowed.is_convolution else 0)
            given = local.attributes["padding"] if "padding" in local.attributes else [0] * (2 * rank)
            padding = np.array(given, dtype=np.int64).reshape(rank, 2)
            for index, ends in paddings.items():
                padding[index] = ends
            local.attributes["padding"] = ir.DenseIntElementsAttr.get(np.ascontiguousarray(padding))


def _set_spatial(convolution: ir.Operation, name: str, index: int, number: int) -> None:
    """Sets the entry of a spatial dimension in an attribute of which all are 1 by default."""
    count = len(convolution.operands[0].type.shape) - 2
    numbers = list(convolution.attributes[name]) if name in convolution.attributes else [1] * count
    numbers[index] = number
    convolution.attributes[name] = i64_array(numbers)


def _resized(type_: ir.RankedTensorType, sizes: dict[int, int]) -> ir.RankedTensorType:
    """`type_` with other sizes of some dimensions."""
    if not sizes:
        return type_
    shape = list(type_.shape)
    for dim, size in sizes.items():
        shape[dim] = size
    return with_shape(type_, shape)
