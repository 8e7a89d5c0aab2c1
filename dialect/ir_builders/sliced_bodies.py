"""Bodies that compute each element of slices by itself, for slices of another shape."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.mlir import ir
from sdy.mlir.tensor_types import with_shape
from sdy.stablehlo.idioms.dense import local_splat


def give_shape(region: ir.Region, shape: Sequence[int]) -> None:
    """Makes the slices that a body takes and returns of `shape`; constants in it are splats."""
    block = region.blocks[0]
    old = list(block.arguments[0].type.shape)
    if old == list(shape):
        return
    for argument in block.arguments:
        argument.set_type(with_shape(argument.type, shape))
    for op in block.operations:
        for result in op.operation.results:
            if list(result.type.shape) != old:
                continue
            type_ = with_shape(result.type, shape)
            if "value" in op.attributes:
                value = local_splat(op.operation, type_)
                assert value is not None
                op.attributes["value"] = value
            result.set_type(type_)
