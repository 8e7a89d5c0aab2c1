"""sdy-join-padded-parts: parts of a sharded dimension that are padded with zeros and added up are joined.

    %2 = stablehlo.pad %0, %zero, low = [0], high = [8], interior = [0] : tensor<8xf32> -> tensor<16xf32>
    %3 = stablehlo.pad %1, %zero, low = [8], high = [0], interior = [0] : tensor<8xf32> -> tensor<16xf32>
    %4 = stablehlo.add %2, %3 : tensor<16xf32>
==> %4 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>

As in the gradient of slices that take a tensor apart. Where a part goes to other devices it is sent there once, and
nobody adds up zeros; what stands between the parts is zero. Parts have to be sharded like what is made of them. Cost
model: none, never more is moved or computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.ir_builders.init_values import repeated
from sdy.dialect.ir_builders.operand_slots import erase_unused
from sdy.dialect.ir_builders.with_sharding import marked
from sdy.dialect.lowering.layout import Layouts
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.mlir import ir
from sdy.mlir.rewriting import defining_op, has_one_use
from sdy.mlir.search import ops_named
from sdy.mlir.tensor_types import with_shape
from sdy.passes.registry import pass_
from sdy.stablehlo import views
from sdy.stablehlo.constants import splat_number
from sdy.stablehlo.ops import Builder

_ADD = "stablehlo.add"


@pass_("sdy-join-padded-parts", on="func.func")
def join_padded_parts(func: ir.Operation) -> None:
    if len(ops_named(func, "stablehlo.pad")) < 2:
        return
    layouts = Layouts(of_module(MeshTable, func))
    gone: set[ir.Value] = set()
    for total in [op.results[0] for op in reversed(ops_named(func, _ADD))]:
        if total in gone:
            continue
        found = _Summands(layouts, total)
        if len(found.parts) > 1:
            gone.update(found.sums)
            _join(total, found)


@dataclass(frozen=True)
class _PaddedPart:
    """What is padded with zeros along `dim` only, and where it is in what is made of it."""

    value: ir.Value
    dim: int
    start: int
    stop: int


class _Summands:
    """What additions of one block add up, from the last one on: `parts` that do not overlap, and `rest`, if any."""

    def __init__(self, layouts: Layouts, value: ir.Value) -> None:
        self.layout, self._layouts, self._block = layouts.of_value(value), layouts, value.owner.operation.block
        self.parts: list[_PaddedPart] = []
        self.sums: list[ir.Value] = []
        self.rest: ir.Value | None = self._read(value)

    def _read(self, value: ir.Value) -> ir.Value | None:
        while (rest := self._without_part(value)) is not None:
            self.sums.append(value)
            value = rest
            if not has_one_use(value):
                return value
            if self._takes(value):
                return None
        return value

    def _without_part(self, value: ir.Value) -> ir.Value | None:
        """The other summand, if `value` is a sum and one summand is a part."""
        op = defining_op(value)
        if op is None or op.name != _ADD or SHARDING_RULE in op.attributes or op.block != self._block:
            return None
        lhs, rhs = op.operands
        return lhs if self._takes(rhs) else rhs if self._takes(lhs) else None

    def _takes(self, value: ir.Value) -> bool:
        part = _part(value, self._block) if has_one_use(value) else None
        if part is None or not self._is_alike(part):
            return False
        if any(part.dim != one.dim or (part.start < one.stop and one.start < part.stop) for one in self.parts):
            return False
        self.parts.append(part)
        return True

    def _is_alike(self, part: _PaddedPart) -> bool:
        """Whether a part is sharded like the sum, along the dimension too, and evenly."""
        layout = self._layouts.of_value(part.value)
        if layout.unreduced or layout.mesh is None or layout.mesh != self.layout.mesh or layout.mesh.is_maximal:
            return False
        return layout.is_sharded(part.dim) and layout.divides and layout.dim_axes == self.layout.dim_axes


def _part(value: ir.Value, block: ir.Block) -> _PaddedPart | None:
    pad = views.Pad.defining(value)
    if pad is None or SHARDING_RULE in pad.op.attributes or pad.op.block != block:
        return None
    if not pad.operand.type.has_static_shape or splat_number(repeated(pad.padding_value)) != 0:
        return None
    added = list(zip(pad.edge_padding_low, pad.edge_padding_high, pad.interior_padding, strict=True))
    dims = [dim for dim, numbers in enumerate(added) if any(numbers)]
    if len(dims) != 1 or added[dims[0]][2] or min(added[dims[0]]) < 0:
        return None
    (dim,), low = dims, added[dims[0]][0]
    return _PaddedPart(pad.operand, dim, low, low + pad.operand.type.shape[dim])


def _join(total: ir.Value, found: _Summands) -> None:
    b, dim = Builder.before(total.owner.operation), found.parts[0].dim
    joined = marked(b.concatenate(list(_pieces(b, total.type, found)), dim), found.layout.sharding)
    if found.rest is not None:
        joined = marked(b.add(found.rest, joined), found.layout.sharding)
    total.replace_all_uses_with(joined)
    erase_unused([total])


def _pieces(b: Builder, type_: ir.RankedTensorType, found: _Summands) -> Iterator[ir.Value]:
    """The parts, and zeros where there is none."""
    at, dim = 0, found.parts[0].dim
    size = type_.shape[dim]
    for part in (*sorted(found.parts, key=lambda part: part.start), None):
        start = size if part is None else part.start
        if start > at:
            shape = [start - at if each == dim else given for each, given in enumerate(type_.shape)]
            yield marked(b.constant(0, with_shape(type_, shape)), found.layout.sharding)
        if part is not None:
            yield part.value
            at = part.stop
