"""How what is converted to one device, and back, is sharded as a whole (spec: interchange, 5.2)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.shardings.attribute_shardings import op_shardings
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes.interchange.custom_calls import SHARD_TO_FULL
from sdy.passes.interchange.importing.manual.conversions import constraint_before, conversion_of
from sdy.passes.interchange.importing.manual.manual_regions import ManualRegion
from sdy.passes.interchange.importing.open_dims import with_open_dims
from sdy.passes.interchange.sites import rank_of


def in_sharding(op: ir.Operation, mesh_name: str) -> TensorSharding:
    """What a conversion to one device says of the whole value, manual axes aside."""
    source = constraint_before(op)
    if source is not None and (shardings := op_shardings(source)) is not None:
        return with_open_dims(source, shardings[0])
    found = get_sharding(op.operands[0])
    return TensorSharding.closed(mesh_name, rank_of(op.operands[0].type)) if found is None else found


def out_sharding(op: ir.Operation) -> TensorSharding:
    """The same of a conversion back. Raises `DiagnosticError` if there is nothing."""
    shardings = op_shardings(op)
    if shardings is None:
        raise DiagnosticError(op, "expected a sharding on this custom call")
    return with_open_dims(op, shardings[0])


def complete(sharding: TensorSharding, manual: Sequence[str], mesh: Mesh) -> TensorSharding:
    """With the manual axes that `sharding` does not name as replicated ones."""
    missing = [AxisRef(name) for name in manual if not sharding.binds(name)]
    return sharding.with_replicated(mesh.sort_and_merge([*sharding.replicated, *missing]))


def check_local_types(
    region: ManualRegion, shardings: Sequence[TensorSharding], manual: Sequence[str], mesh: Mesh
) -> None:
    """Raises `DiagnosticError` at a conversion whose local type is not what `manual` axes cut the whole one into."""
    for op, sharding in zip(region.conversions, shardings, strict=True):
        globals_, locals_ = (op.operands[0].type, op.results[0].type)
        if conversion_of(op) == SHARD_TO_FULL:
            globals_, locals_ = locals_, globals_
        if not isinstance(globals_, ir.RankedTensorType):
            continue
        kept = sharding.map_axes(lambda axis: axis.name in manual)
        shape = kept.local_shape(globals_.shape, mesh.axis_sizes)
        if list(shape) != list(locals_.shape):
            raise DiagnosticError(
                op, f"has local type {locals_}, but {globals_} is cut into {'x'.join(map(str, shape))}"
            )
