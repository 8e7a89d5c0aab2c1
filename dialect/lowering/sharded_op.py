"""An op on its way to types that its shardings divide."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import field
from typing import Any, NoReturn

from sdy.dialect import builders as sdy_ops
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE, ShardingPerValue, attr_of
from sdy.dialect.ir_builders.communication import index_type
from sdy.dialect.ir_builders.with_sharding import (
    first_elements,
    pad_high,
    slice_high,
    use_instead,
    uses_of,
    with_sharding,
)
from sdy.dialect.lowering.layout import FunctionLayouts, Layout, Layouts
from sdy.dialect.ops.model import Attributes, any_model
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, remark
from sdy.mlir.tensor_types import tensor_type, with_shape
from sdy.stablehlo.constants import is_zero
from sdy.stablehlo.ops import Builder


class ShardedOp:
    """Op of a global program with the layouts of its operands and results, before it is rewritten.

    The layouts were taken before anything changed.
    """

    __slots__ = ("_builder", "op", "operand_layouts", "result_layouts")

    def __init__(
        self, op: ir.Operation, operand_layouts: tuple[Layout, ...], result_layouts: tuple[Layout, ...]
    ) -> None:
        self.op = op
        self.operand_layouts = operand_layouts
        self.result_layouts = result_layouts
        self._builder: Builder | None = None

    @property
    def operands(self) -> list[ir.Value]:
        return list(self.op.operands)

    @property
    def b(self) -> Builder:
        """Inserts in front of the op."""
        if self._builder is None:
            self._builder = Builder.before(self.op)
        return self._builder

    def get(self, name: str) -> Any:
        """The value object of an sdy attribute."""
        return attributes.get(self.op, name)

    @property
    def is_padded_alike(self) -> bool:
        """True if all tensors with dimensions are padded to one shape."""
        layouts = (*self.operand_layouts, *self.result_layouts)
        return len({layout.padded_shape for layout in layouts if layout.rank}) <= 1

    def drop(self, *names: str) -> None:
        """Removes attributes that no longer describe the op."""
        for name in names:
            if name in self.op.attributes:
                del self.op.attributes[name]

    def fail(self, message: str) -> NoReturn:
        raise DiagnosticError(self.op, message)


def local_type(layout: Layout, at: ir.Operation) -> ir.Type:
    """The local type of a value with this layout.

    Raises:
      DiagnosticError: at the op `at`, if the devices would have parts of different sizes.
    """
    if not layout.divides:
        raise DiagnosticError(
            at, f"has a value of type {layout.type} that its sharding {layout.sharding} does not divide evenly"
        )
    return layout.local_type


def local_types(op: ShardedOp) -> tuple[ir.Type, ...]:
    """The types of the results of an op on each device."""
    return tuple([local_type(layout, op.op) for layout in op.result_layouts])


def local_attributes(op: ShardedOp) -> Attributes:
    """Return the attributes of an op that differ on each device, for an op whose layouts fit.

    Raises:
      DiagnosticError: the attributes cannot be expressed for parts.
    """
    return any_model(op.op, "local_attributes").local_attributes(op)


def made_types(op: ShardedOp) -> tuple[ir.Type, ...]:
    """Return the result types inferred with these attributes; a device may need only a part of them."""
    types = local_types(op)
    if not op.result_layouts or not op.result_layouts[0].sharded_dims:
        return types
    return any_model(op.op, "made_types").made_types(op, types)


@dataclass
class Progress:
    """State of one run of the pass; `zero_padded` has the values whose padding is zero."""

    layouts: Layouts
    functions: dict[str, FunctionLayouts]
    zero_padded: set[ir.Value] = field(default_factory=set)


def is_zero_of_stablehlo(value: ir.Value) -> bool:
    """Return whether a value is a `stablehlo.constant` of zeros; as in the reference, no `sdy.constant` is."""
    return is_zero(value) and isinstance(value, ir.OpResult) and value.owner.operation.name == "stablehlo.constant"


Padding = Callable[["PadOp"], None]
"""Gives one op padded operands and results."""


class PadOp(ShardedOp):
    """One op with the layouts of its operands and results, types unpadded.

    When an op is padded its operands are padded already, its results are not, and nested ops are done.
    """

    __slots__ = ("progress",)

    def __init__(
        self,
        op: ir.Operation,
        operand_layouts: tuple[Layout, ...],
        result_layouts: tuple[Layout, ...],
        progress: Progress,
    ) -> None:
        super().__init__(op, operand_layouts, result_layouts)
        self.progress = progress

    # What is there -------------------------------------------------------------------------------

    def grown_dims(self, index: int) -> list[int]:
        """Return the dimensions of operand `index` that were padded."""
        layout = self.operand_layouts[index]
        shape = self.op.operands[index].type.shape if layout.rank else ()
        return [dim for dim, (old, new) in enumerate(zip(layout.shape, shape, strict=True)) if old != new]

    def is_zero_padded(self, value: ir.Value) -> bool:
        return value in self.progress.zero_padded

    # What becomes of the op ----------------------------------------------------------------------

    def grow(self) -> None:
        """Gives the results their padded types."""
        for result, layout in zip(self.op.results, self.result_layouts, strict=True):
            if layout.padded_shape != layout.shape:
                result.set_type(with_shape(layout.type, layout.padded_shape))

    def high_pad(self, index: int, shape: Sequence[int], sharding: TensorSharding | None) -> None:
        """Extends operand `index` to `shape` with zeros; the new value has `sharding`."""
        old = self.op.operands[index]
        padded = pad_high(self.b, old, shape, sharding)
        if padded is old:
            return
        if self.is_zero_padded(old) or not self.grown_dims(index):
            self.progress.zero_padded.add(padded)
        self.op.operands[index] = padded

    def slice_result(self, shape: Sequence[int], sharding: TensorSharding) -> ir.Value:
        """Give users the first elements of the only result, of `shape`."""
        result = self.op.results[0]
        slots = uses_of(result)
        part = with_sharding(first_elements(Builder.after(self.op), result, shape), sharding)
        use_instead(slots, part)
        return part

    def mask(self, index: int, dims: Collection[int], value: ir.Value | None = None) -> None:
        """Replaces the padding of operand `index` along `dims` by `value`, or by zero."""
        x, layout, grown = self.op.operands[index], self.operand_layouts[index], self.grown_dims(index)
        if not grown or (value is None and self.is_zero_padded(x)):
            return
        b = self.b
        filler = value if value is not None else b.constant(0, x.type.element_type)
        grown = [dim for dim in grown if dim in dims]
        if not grown:
            return
        inside = None
        whole = layout.sharding.with_unreduced(()) if layout.sharding is not None else None
        for dim in grown:
            shape = x.type.shape
            number = index_type(shape[dim])
            position = with_sharding(b.iota(tensor_type(shape, number), dim), whole)
            limit = with_sharding(b.broadcast_in_dim(b.constant(layout.shape[dim], number), shape), whole)
            below = with_sharding(b.compare(position, limit, "LT"), whole)
            inside = below if inside is None else with_sharding(b.and_(inside, below), whole)
        assert inside is not None
        # Of a partial value the predicate is no part, and zero is the same on all devices; another filler is a part.
        fills_with_zero = value is None or is_zero_of_stablehlo(value)
        fill = with_sharding(b.broadcast_in_dim(filler, x.type.shape), whole if fills_with_zero else layout.sharding)
        self.op.operands[index] = with_sharding(b.select(inside, x, fill), layout.sharding)

    def drop_rule(self) -> None:
        """Removes the sharding rule, which describes the unpadded op."""
        self.drop(SHARDING_RULE)

    def compute_unpadded(self) -> None:
        """Compute the op on operands without padding: gather, slice off the padding, cut the results again."""
        remark(self.op, "requires unpadded dimensions, which have uneven parts: they are gathered")
        for index, layout in enumerate(self.operand_layouts):
            self.shrink(index, layout)
        shardings = [layout.sharding for layout in self.result_layouts]
        for index, layout in enumerate(self.result_layouts):
            padded = [dim for dim in range(layout.rank) if layout.padded_shape[dim] != layout.shape[dim]]
            if padded and layout.sharding is not None:
                computed = shardings[index] = layout.sharding.replicated_along(padded)
                self._cut(index, layout, layout.sharding, computed)
        if any(sharding is not None for sharding in shardings):
            present = tuple(sharding for sharding in shardings if sharding is not None)
            self.op.attributes[SHARDING] = attr_of(ShardingPerValue(present))

    def shrink(self, index: int, layout: Layout) -> None:
        """Replaces operand `index`, which has `layout`, by its gathered, unpadded value, if it has padding."""
        grown = self.grown_dims(index)
        if not grown or layout.sharding is None:
            return
        b, x = self.b, self.op.operands[index]
        gathered = layout.sharding.replicated_along(grown)
        axes = [layout.dim_axes[dim] if dim in grown else () for dim in range(layout.rank)]
        whole = sdy_ops.all_gather(x, axes, gathered, loc=b.location, ip=b.ip)
        self.op.operands[index] = slice_high(b, whole, layout.shape, gathered)

    def _cut(self, index: int, layout: Layout, sharding: TensorSharding, computed: TensorSharding) -> None:
        result = self.op.results[index]
        slots = uses_of(result)
        b = Builder.after(self.op)
        padded = pad_high(b, result, layout.padded_shape, computed)
        axes = [() if computed.dims[dim].axes == dims.axes else dims.axes for dim, dims in enumerate(sharding.dims)]
        part = sdy_ops.all_slice(padded, axes, sharding, loc=b.location, ip=b.ip)
        self.progress.zero_padded.add(part)
        use_instead(slots, part)
