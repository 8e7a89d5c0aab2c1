"""What a device knows about itself: its id, and numbers looked up by it (spec: partitioner, 2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.tensor_types import i1, i32
from sdy.stablehlo.ops import Builder

_LARGEST_INDEX = np.iinfo(np.int32).max


def check_indices(b: Builder, *numbers: int) -> None:
    """Raises `DiagnosticError` where the builder is if one of these is too large for an index of type i32."""
    largest = max(numbers)
    if largest > _LARGEST_INDEX:
        raise DiagnosticError(b.location, f"needs an index of {largest}, which no number of type i32 is")


class Devices:
    """Makes device-dependent values; the devices are replicas if `by_replica`, else partitions."""

    def __init__(self, by_replica: bool = False) -> None:
        self.by_replica = by_replica

    def id(self, b: Builder) -> ir.Value:
        """The id of the executing device, a scalar of type ui32."""
        return b.replica_id() if self.by_replica else b.partition_id()

    def lookup(
        self, b: Builder, numbers: np.ndarray, element_type: ir.Type | None = None, device: ir.Value | None = None
    ) -> ir.Value:
        """The entry of `numbers` (one per device id) for the executing device, a scalar; i32 unless told otherwise.

        `device` is an id that exists already. `DiagnosticError` for numbers that the type does not hold.
        """
        if element_type is None:
            check_indices(b, numbers.max(initial=0))
        index = device if device is not None else self.id(b)
        table = b.constant(numbers, element_type or i32())
        return b.reshape(b.dynamic_slice(table, [index], [1]), ())

    def offset(self, b: Builder, mesh: Mesh, axes: Sequence[AxisRef], shard_size: int) -> ir.Value:
        """Where the executing device's shard along `axes` starts, a scalar of type i32."""
        return self.lookup(b, mesh.shard_indices(axes) * shard_size)

    def is_first(self, b: Builder, mesh: Mesh, axes: Sequence[AxisRef], device: ir.Value | None = None) -> ir.Value:
        """Whether the executing device has the first shard along `axes`, a scalar of type i1."""
        return self.lookup(b, mesh.shard_indices(axes) == 0, i1(), device)
