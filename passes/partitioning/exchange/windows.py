"""Windows along a sharded dimension: devices fetch the elements that their windows reach beyond their part.

    %0 = "stablehlo.reduce_window"(%a, %init) <{window_dimensions = array<i64: 3>, padding = [[1, 1]]}> ({...})
         {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
==> %0 = sdy.manual_computation(%a, %init) ... manual_axes={"x"} (%part: tensor<4xf32>, %value: tensor<f32>) {
      ...                                           // one element of either neighbour
      %1 = "stablehlo.reduce_window"(%with_neighbours, %value) <{window_dimensions = array<i64: 3>}> ({...})
           : (tensor<6xf32>, tensor<f32>) -> tensor<4xf32>
      sdy.return %1 : tensor<4xf32>
    }

If the kernel of a convolution is sharded like the input, as in the gradient of a kernel, each device sums the products
with its part of the kernel, and the replicated result stays a partial value. Where the parts of the kernel are uneven,
its padding meets only zeros.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sdy.dialect.ir_builders.communication import Communication, as_index, index_type, manual_names, position_along
from sdy.dialect.ir_builders.init_values import are_fillers, fillers, flagged_reduction
from sdy.dialect.ir_builders.with_sharding import (
    ManualOperand,
    ManualResult,
    erase_unused,
    pad_high,
    replace_with_manual_computation,
    scalars,
    with_sharding,
)
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.ops.convolution import split_group_factors
from sdy.dialect.ops.model import Window, any_model, model_with, target_of, windows_of
from sdy.dialect.shardings.attribute_shardings import set_op_shardings
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import AxisList, difference
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import Reduction, TensorSharding
from sdy.mlir import ir
from sdy.mlir.tensor_types import i1, tensor_type, with_element_type, with_shape
from sdy.passes.costs.machine import Machine
from sdy.passes.partitioning.analysis.intervals import Access, DimPlan
from sdy.passes.partitioning.exchange.dim_exchange import (
    Candidate,
    DimExchange,
    build_cheapest,
    on_parts,
    slice_dim,
)
from sdy.passes.partitioning.exchange.gathering import LayoutOf, replicated_before, was_replicated
from sdy.passes.partitioning.exchange.window_costs import WindowCosts
from sdy.passes.partitioning.exchange.window_strategies import ShardedWindow, UnevenSum, strategy
from sdy.stablehlo.ops import Builder


def exchange_windows(
    op: ir.Operation, rule: ShardingRule, layout_of: LayoutOf, comm: Communication, machine: Machine
) -> bool:
    """Rewrite a windowed op along its sharded dimensions; return False if it needs a gather, or no exchange.

    They are also gathered where that is faster on `machine`.
    """
    windowed = _Windowed(op, layout_of)
    if not windowed.fits(rule):
        return False
    if not any(each.is_sum for each in windowed.windows):
        _WindowExchange(windowed, comm).run()
        return True
    costs, on_mesh = windowed.costs, machine.on(windowed.mesh)
    exchanged = Candidate(costs.exchanged(on_mesh), lambda: _WindowExchange(windowed, comm).run())
    return build_cheapest(exchanged, Candidate(costs.gathered(on_mesh)))


class _Windowed:
    """An op with its layouts, and its windows along sharded dimensions: sliding ones and summed ones."""

    def __init__(self, op: ir.Operation, layout_of: LayoutOf) -> None:
        self.op, self.layout_of = op, layout_of
        self.operands = [layout_of(operand) for operand in op.operands]
        self.results = [layout_of(value) for value in op.results]
        self.all_windows = windows_of(op)
        self.has_kernel = any(window.kernel_dim is not None for window in self.all_windows)
        self.padding_value = any_model(op, "access").padding_value
        self.slid = self.operands[: len(self.results) if self.padding_value is None else 1]
        """The operands along which windows run."""
        self.skips_gaps = self.has_kernel
        """True if the op's fill value may also stand in place of elements."""
        if self.padding_value is None:
            self.skips_gaps = are_fillers(op.regions[0], op.operands[len(self.slid) :])
        source = self.operands[0]
        self.windows = [
            self._sharded(window)
            for window in self.all_windows
            if source.is_sharded(window.source_dim) and not self._is_local(window)
        ]
        self.axes = [each.axes for each in self.windows]

    def _is_local(self, window: Window) -> bool:
        """Return whether every device has all elements that it needs along a dimension."""
        if window.is_trivial:
            return True
        return self._is_summed(window) and window.is_whole

    def _sharded(self, window: Window) -> ShardedWindow:
        """Plan a sharded window; a long one gathers all parts, and each device still computes only its own part."""
        source, is_sum, dim = self.operands[0], self._is_summed(window), window.source_dim
        access = Access.sum_up(window, source) if is_sum else Access.slide(window, source)
        values = list(self.op.operands)[: len(self.slid)]
        is_replicated = all(was_replicated(value, [dim], self.layout_of) for value in values)
        plan = DimPlan(
            dim, access.shards, access.part, *access.needed.halo, is_replicated, access=access, minimal_padding=True
        )
        plan = replace(plan, gathers=plan.is_costly)
        return strategy(window, plan, source.dim_axes[dim], is_sum, skips_gaps=self.skips_gaps)

    def _is_summed(self, window: Window) -> bool:
        return window.kernel_dim is not None and self.operands[1].is_sharded(window.kernel_dim)

    # Whether it can be done ----------------------------------------------------------------------

    def fits(self, rule: ShardingRule) -> bool:
        """Return whether all tensors are sharded as the windows require, and nothing else has the axes."""
        mesh = self.operands[0].mesh
        if not self.windows or mesh is None or mesh.is_maximal or not self._can_be_set():
            return False
        layouts = (*self.operands, *self.results)
        if any(layout.mesh not in (None, mesh) for layout in layouts) or any(o.unreduced for o in self.operands):
            return False
        windows = [each.window for each in self.windows]
        if any(min(w.size, w.made, self.operands[0].shape[w.source_dim]) <= 0 for w in windows):
            return False
        manual = set(manual_names(mesh, self.axes))
        numbers = range(len(layouts))
        expected = [{dim: each.axes for dim, each in self.windowed_dims(number).items()} for number in numbers]
        return (
            all(_has_axes(*pair, manual) for pair in zip(layouts, expected, strict=True))
            and self._sums_are_unreduced(manual)
            and not any(each.is_sum and each.window.is_reversed for each in self.windows)
            and not (self.has_kernel and self._splits_groups(rule))
        )

    def _can_be_set(self) -> bool:
        """Return whether the op reads exchanged operands: by its windows as they are, or those that its model sets."""
        if model_with("set_windows", self.op.name, target_of(self.op)) is not None:
            return True
        windows = [each.window for each in self.windows]
        return all((w.low, w.high, w.source_dilation) == (0, 0, 1) for w in windows)

    def windowed_dims(self, number: int) -> dict[int, ShardedWindow]:
        """The windows along the dimensions of an operand, or behind the last operand of a result."""
        if number < len(self.slid):
            return {each.window.source_dim: each for each in self.windows}
        if number >= len(self.operands):
            return {each.window.result_dim: each for each in self.windows if not each.is_sum}
        dims = [(each.window.kernel_dim, each) for each in self.windows if each.is_sum]
        return {dim: each for dim, each in dims if dim is not None}

    @property
    def sum_axes(self) -> AxisList:
        """The axes along which each device has only a part of every sum."""
        return tuple(axis for each in self.windows if each.is_sum for axis in each.axes)

    def _sums_are_unreduced(self, manual: set[str]) -> bool:
        """Return whether the results are partial along the axes of sums, and along no other manual ones."""
        sizes = self.mesh.axis_sizes
        for layout in self.results:
            if layout.unreduced and layout.sharding is not None and layout.sharding.reduction is not Reduction.SUM:
                return False
            if difference(self.sum_axes, layout.unreduced, sizes):
                return False
            if any(axis.name in manual for axis in difference(layout.unreduced, self.sum_axes, sizes)):
                return False
        return True

    def _splits_groups(self, rule: ShardingRule) -> bool:
        """Return whether a device has pieces of several groups of a convolution."""
        grouped = split_group_factors(self.op, rule, self.layout_of)
        return any(
            layout.is_sharded(dim) and not grouped.isdisjoint(factors)
            for layout, mapping in zip((*self.operands, *self.results), rule.tensors, strict=True)
            for dim, factors in enumerate(mapping)
        )

    @property
    def costs(self) -> WindowCosts:
        """Return the costs of adding up along more axes, and of computing all sums on each device."""
        source, kernel = self.operands
        dims = self.windowed_dims(1).items()
        in_parts = [each for dim, each in dims if not was_replicated(self.op.operands[1], [dim], self.layout_of)]
        return WindowCosts(self.op, source, kernel, self.results[0], self.windows, in_parts)

    @property
    def mesh(self) -> Mesh:
        mesh = self.operands[0].mesh
        assert mesh is not None
        return mesh


def _has_axes(layout: Layout, expected: dict[int, AxisList], manual: set[str]) -> bool:
    """Return whether dimensions have the `expected` axes, and no other dimension has any that are `manual`."""
    return (
        all(
            axes == expected[dim] if dim in expected else not any(axis.name in manual for axis in axes)
            for dim, axes in enumerate(layout.dim_axes)
        )
        and len(expected) <= layout.rank
    )


# The rewriting -----------------------------------------------------------------------------------


class _WindowExchange:
    """A windowed op that becomes a manual computation."""

    def __init__(self, windowed: _Windowed, comm: Communication) -> None:
        self.op, self.windowed, self.windows = windowed.op, windowed, windowed.windows
        self.comm, self.mesh, ref = comm, windowed.mesh, windowed.operands[0].mesh_ref
        self.manual = manual_names(self.mesh, windowed.axes)
        self.ins, self.outs = (
            [layout.sharding or TensorSharding.closed(ref, layout.rank) for layout in layouts]
            for layouts in (windowed.operands, windowed.results)
        )
        self.slid, self.value = len(windowed.slid), windowed.padding_value
        self.is_flagged = False
        """True if elements carry flags of validity."""

    def run(self) -> None:
        b = Builder.before(self.op)
        whole = [each.plan.dim for each in self.windows if each.plan.is_replicated]
        for index in range(self.slid if whole else 0):
            self._use_whole(index, whole)
        operands = list(self.op.operands)
        values = self._values(b, operands)
        inits = operands[self.slid :]
        new = [] if self.value is not None else [value for value in values if value not in inits]
        entering: list[ManualOperand] = []
        for index, (operand, sharding) in enumerate(zip(operands, self.ins, strict=True)):
            even, part = (self._part_type(index, operand.type, by_parts=each) for each in (False, True))
            filler = values[index] if index < len(values) else None
            entering.append(ManualOperand(pad_high(b, operand, even.shape, sharding, filler), sharding, part))
        leaving = [
            ManualResult(self._part_type(len(operands), result.type, by_parts=False), sharding, result.type.shape)
            for result, sharding in zip(self.op.results, self.outs, strict=True)
        ]

        def body(inside: Builder, arguments: list[ir.Value]) -> Sequence[ir.Value]:
            brought = dict(zip([*inits, *new], arguments[self.slid :], strict=True))
            if self.value is not None:
                fillers = self._values(inside, arguments)
            else:
                fillers = [brought[value] for value in values]
            return self._made(inside, arguments[: len(operands)], fillers)

        entering += scalars(new, self.ins[0].mesh_or_ref)
        replace_with_manual_computation(self.op, b, entering, leaving, self.manual, body)

    def _use_whole(self, index: int, dims: Sequence[int]) -> None:
        """Gives the op all of `dims` of an operand."""
        part = self.op.operands[index]
        whole = replicated_before(self.op, part, dims, self.windowed.layout_of)
        self.ins[index] = get_sharding(whole) or self.ins[index]
        self.op.operands[index] = whole
        erase_unused([part])

    def _values(self, b: Builder, operands: Sequence[ir.Value]) -> Sequence[ir.Value]:
        """Return the values outside of an operand: the model's.

        Without one the filler is neutral, or arbitrary if flags mark it as unused.
        """
        if self.value is not None:
            return [b.constant(self.value, operands[0].type.element_type)] * len(operands)
        init_values = operands[self.slid :]
        found = fillers(b, self.op.regions[0], init_values)
        self.is_flagged = found is None
        return init_values if found is None else found

    def _part_type(self, number: int, type_: ir.RankedTensorType, *, by_parts: bool) -> ir.RankedTensorType:
        """Return the type of an operand, or of a result for larger numbers: of one part, or with even parts."""
        shape = list(type_.shape)
        for dim, each in self.windowed.windowed_dims(number).items():
            is_slid = number < self.slid
            if not (is_slid and each.plan.is_replicated):
                size = each.plan.part if is_slid else each.target
                shape[dim] = size if by_parts else size * each.plan.shards
        return with_shape(type_, shape)

    def _made(self, b: Builder, operands: list[ir.Value], values: Sequence[ir.Value]) -> Sequence[ir.Value]:
        """Return the results of the op on parts; `values` fill missing elements."""
        uneven: list[tuple[UnevenSum, DimExchange]] = []
        for index in range(self.slid):
            for each in self.windows:
                inner = self._inner(index)
                exchange = DimExchange(self.comm, each.plan, self.mesh, each.axes, values[index], inner, cuts=True)
                operands[index] = each.fetched(b, operands[index], exchange)
                if isinstance(each, UnevenSum):
                    uneven.append((each, exchange))
        return self._summed(b, operands, uneven) if uneven else self._done(b, operands, {})

    def _inner(self, index: int) -> TensorSharding:
        return self.ins[index].erase_manual_axes(self.manual)

    def _summed(
        self, b: Builder, operands: Sequence[ir.Value], uneven: Sequence[tuple[UnevenSum, DimExchange]]
    ) -> Sequence[ir.Value]:
        """Return the sums with a kernel padded along the `uneven` windows: no element meets the padding."""
        x, kernel = operands
        (first, exchange), *others = uneven
        strides: dict[int, int] = {}
        for other, along in others:
            x = other.destrided(b, x, along)
            strides[other.window.source_dim] = other.target
        index, dim, count = first.window.source_dim, first.window.kernel_dim, first.target
        rows = first.head_rows(x, self._part_type(len(self.ins), self.op.results[0].type, by_parts=True))
        tail = first.destrided(b, x, exchange, rows)
        if not rows or dim is None:
            return self._done(b, [tail, kernel], {**strides, index: count})
        kernels = [
            with_sharding(slice_dim(b, kernel, dim, *ends), self._inner(1)) for ends in ((0, rows), (rows, count))
        ]
        (head_sum,) = self._done(b, [first.head(b, x, exchange, rows), kernels[0]], strides)
        (tail_sum,) = self._done(b, [tail, kernels[1]], {**strides, index: count - rows})
        return [with_sharding(b.add(head_sum, tail_sum), get_sharding(head_sum))]

    def _done(self, b: Builder, operands: Sequence[ir.Value], strides: Mapping[int, int]) -> Sequence[ir.Value]:
        """Return the results of the op on exchanged values; windows with `strides` are one behind the other."""
        local = self._local(b, operands)
        self._set_windows(local, strides)
        outs = [sharding.erase_manual_axes(self.manual) for sharding in self.outs]
        set_op_shardings(local, (*outs, *outs[:1])[: len(local.results)])
        return list(local.results)[: len(outs)]

    def _local(self, b: Builder, operands: Sequence[ir.Value]) -> ir.Operation:
        """Build the op on exchanged values; flags mark elements that may be dropped."""
        types = [self._part_type(len(self.ins), result.type, by_parts=True) for result in self.op.results]
        if not self.is_flagged:
            return on_parts(b, self.op, operands, types)
        slid, init_values = operands[: self.slid], operands[self.slid :]
        flags = self._flags(b, slid[0])
        counts = b.constant(1, i1())
        types.append(with_element_type(types[0], i1()))
        return flagged_reduction(b, self.op, [*slid, flags], [*init_values, counts], types)

    def _flags(self, b: Builder, exchanged: ir.Value) -> ir.Value:
        """Build the mask of the elements of `exchanged` that are elements of the tensor."""
        inner, shape = self._inner(0), exchanged.type.shape
        flags = None
        for each in self.windows:
            plan, access = each.plan, each.plan.access
            step = access.target * access.stride
            last = (self.op.operands[0].type.shape[plan.dim] - 1) * access.dilation
            number = index_type(step * plan.shards + abs(access.low) + shape[plan.dim], last)
            numbers = tensor_type(shape, number)
            position = as_index(b, position_along(self.comm, b, self.mesh, each.axes), number)
            first = b.multiply(position, b.constant(step, number))
            first = with_sharding(b.broadcast_in_dim(b.subtract(first, b.constant(access.low, number)), shape), inner)
            place = with_sharding(b.add(with_sharding(b.iota(numbers, plan.dim), inner), first), inner)
            conditions = [(place, "GE", 0), (place, "LE", last)]
            if access.dilation > 1:
                dilation = with_sharding(b.constant(access.dilation, numbers), inner)
                conditions.append((with_sharding(b.remainder(place, dilation), inner), "EQ", 0))
            for number, direction, limit in conditions:
                holds = with_sharding(
                    b.compare(number, with_sharding(b.constant(limit, numbers), inner), direction), inner
                )
                flags = holds if flags is None else with_sharding(b.and_(flags, holds), inner)
        assert flags is not None
        return flags

    def _set_windows(self, local: ir.Operation, strides: Mapping[int, int]) -> None:
        """Set the dilations, strides and padding for the exchanged values."""
        windows = {window.source_dim: window for window in self.windowed.all_windows}
        for each in self.windows:
            dim, made = each.window.source_dim, local.results[0].type.shape[each.window.result_dim]
            low, high = each.padding
            new = replace(each.window, made=made, low=low, high=high, source_dilation=each.dilation)
            windows[dim] = replace(new, stride=strides[dim], window_dilation=1) if dim in strides else new
        any_model(self.op, "set_windows").set_windows(local, [*windows.values()])
