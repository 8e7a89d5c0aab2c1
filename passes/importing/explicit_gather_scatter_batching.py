"""sdy-explicit-gather-scatter-batching: Turn an iota index of the leading dimension into a batching dimension.

    %0 = stablehlo.iota dim = 0 : tensor<8x3x1xi32>
    %1 = stablehlo.concatenate %0, %arg1, dim = 2 : (tensor<8x3x1xi32>, tensor<8x3x1xi32>) -> tensor<8x3x2xi32>
    %2 = stablehlo.gather(%arg0, %1) collapsed_slice_dims = [0, 1], start_index_map = [0, 1] ...
==> %2 = stablehlo.gather(%arg0, %arg1) collapsed_slice_dims = [1], start_index_map = [1],
         operand_batching_dims = [0], start_indices_batching_dims = [0] ...

Upstream's greedy driver does the rewriting, so dead ops are erased and constants are folded, merged and hoisted, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sdy.dialect.op_properties import shape_of
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir, rewrite, stablehlo
from sdy.mlir.rewriting import defining_op, remade
from sdy.passes.registry import pass_
from sdy.stablehlo import ops, views


@pass_("sdy-explicit-gather-scatter-batching", on="func.func")
def explicit_gather_scatter_batching(func: ir.Operation) -> None:
    """Spec: import-passes, 4.5."""
    patterns = rewrite.RewritePatternSet()
    patterns.add("stablehlo.gather", _GATHER.rewrite)
    patterns.add("stablehlo.scatter", _SCATTER.rewrite)
    rewrite.apply_patterns_and_fold_greedily(func, patterns.freeze())


@dataclass(frozen=True, slots=True)
class _Indexing:
    """Indexing of a gather or scatter into its operand.

    `mapped[k]` is the operand dimension that index component k selects in; `dropped` are operand dimensions without
    counterpart in the slices.
    """

    batching: tuple[int, ...]
    indices_batching: tuple[int, ...]
    dropped: tuple[int, ...]
    mapped: tuple[int, ...]
    vector_dim: int

    def with_leading_batch(self) -> _Indexing:
        """Operand dimension 0 batched with dimension 0 of the indices instead of selected in."""
        return replace(
            self,
            batching=(0,),
            indices_batching=(0,),
            dropped=tuple(dim for dim in self.dropped if dim != 0),
            mapped=tuple(dim for dim in self.mapped if dim != 0),
        )


@dataclass(frozen=True, slots=True)
class _NumberNames:
    """Names of the dimension numbers of an op, in the order of `_Indexing`."""

    attribute: str
    kind: type[stablehlo.GatherDimensionNumbers] | type[stablehlo.ScatterDimensionNumbers]
    window: str
    lists: tuple[str, ...]

    def rewrite(self, op: ir.Operation, rewriter: rewrite.PatternRewriter) -> bool:
        """Pattern; true means that it does not apply."""
        op = op.operation
        numbers = self.kind(op.attributes[self.attribute])
        batching, indices_batching, dropped, mapped = (tuple(getattr(numbers, name)) for name in self.lists)
        indexing = _Indexing(batching, indices_batching, dropped, mapped, numbers.index_vector_dim)
        operands = list(op.operands)
        at = len(operands) // 2
        if not _is_implicit_batch(operands[0], operands[at], indexing):
            return True
        operands[at] = _without_component(operands[at], indexing, op.location, rewriter.ip)
        new = indexing.with_leading_batch()
        window = getattr(numbers, self.window)
        written = self.kind.get(window, new.dropped, new.batching, new.indices_batching, new.mapped, new.vector_dim)
        new_op = _recreate(op, operands, self.attribute, written, rewriter.ip)
        for old_region, new_region in zip(op.regions, new_op.regions, strict=True):
            old_region.blocks[0].append_to(new_region)
        rewriter.replace_op(op, new_op)
        return False


_GATHER = _NumberNames(
    "dimension_numbers",
    stablehlo.GatherDimensionNumbers,
    "offset_dims",
    ("operand_batching_dims", "start_indices_batching_dims", "collapsed_slice_dims", "start_index_map"),
)
_SCATTER = _NumberNames(
    "scatter_dimension_numbers",
    stablehlo.ScatterDimensionNumbers,
    "update_window_dims",
    (
        "input_batching_dims",
        "scatter_indices_batching_dims",
        "inserted_window_dims",
        "scattered_dims_to_operand_dims",
    ),
)


# Recognising ---------------------------------------------------------------------------------------


def _is_implicit_batch(operand: ir.Value, indices: ir.Value, indexing: _Indexing) -> bool:
    """Return whether an index component counts dimension 0 of the indices and selects in dimension 0 of the operand."""
    operand_shape, indices_shape = shape_of(operand), shape_of(indices)
    vector_dim = indexing.vector_dim
    if indexing.batching or not operand_shape or not indices_shape:
        return False
    if vector_dim >= len(indices_shape) or indices_shape[vector_dim] <= 1 or operand_shape[0] != indices_shape[0]:
        return False
    return 0 in indexing.mapped and 0 in indexing.dropped and _counts_leading_dim(indices, indexing)


def _counts_leading_dim(indices: ir.Value, indexing: _Indexing) -> bool:
    """Return whether the component that selects in operand dimension 0 comes from an iota over dimension 0."""
    component = indexing.mapped.index(0)
    if (joined := views.Concatenate.defining(indices)) is not None:
        if joined.dimension != indexing.vector_dim or len(joined.inputs) <= component:
            return False
        indices = joined.inputs[component]
    value: ir.Value | None = indices
    while value is not None:
        if (iota := views.Iota.defining(value)) is not None:
            return iota.iota_dimension == 0
        value = _passed_through(defining_op(value))
    return False


def _passed_through(op: ir.Operation | None) -> ir.Value | None:
    """The value that `op` hands on, perhaps reshaped or clamped."""
    if op is None:
        return None
    if op.name in ("stablehlo.reshape", "stablehlo.broadcast_in_dim"):
        return op.operands[0]
    if (clamp := views.Clamp.match(op)) is not None:
        return clamp.operand
    if (select := views.Select.match(op)) is not None:
        return select.on_true if views.Iota.defining(select.on_false) is None else select.on_false
    return None


# Rewriting -----------------------------------------------------------------------------------------


def _without_component(indices: ir.Value, indexing: _Indexing, loc: ir.Location, ip: ir.InsertionPoint) -> ir.Value:
    """The index vectors without the component that selects in operand dimension 0."""
    component, dim = indexing.mapped.index(0), indexing.vector_dim
    size = indices.type.shape[dim]
    joined = views.Concatenate.defining(indices)
    if joined is not None and joined.dimension == dim and len(joined.inputs) == size:
        return _concatenate([*joined.inputs[:component], *joined.inputs[component + 1 :]], dim, loc, ip)
    ranges = [(start, limit) for start, limit in ((0, component), (component + 1, size)) if start < limit]
    return _concatenate([_slice(indices, dim, start, limit, loc, ip) for start, limit in ranges], dim, loc, ip)


def _slice(value: ir.Value, dim: int, start: int, limit: int, loc: ir.Location, ip: ir.InsertionPoint) -> ir.Value:
    shape = value.type.shape
    starts, limits = [0] * len(shape), list(shape)
    starts[dim], limits[dim] = start, limit
    return ops.slice(value, starts, limits, loc=loc, ip=ip)


def _concatenate(values: Sequence[ir.Value], dim: int, loc: ir.Location, ip: ir.InsertionPoint) -> ir.Value:
    """Return the values concatenated along `dim`; a single value itself."""
    return values[0] if len(values) == 1 else ops.concatenate(values, dim, loc=loc, ip=ip)


def _recreate(
    op: ir.Operation, operands: Sequence[ir.Value], name: str, attr: ir.Attribute, ip: ir.InsertionPoint
) -> ir.Operation:
    """Copy `op` with other operands and one other attribute; flags become explicit, regions start out empty."""
    stored = op.attributes
    new = {key: stored[key] for key in stored}
    flags = ["indices_are_sorted"] + ["unique_indices"] * (op.name == "stablehlo.scatter")
    new = {**{flag: ir.BoolAttr.get(False) for flag in flags}, **new, name: attr}
    return remade(op, operands, [result.type for result in op.results], new, ip=ip)
