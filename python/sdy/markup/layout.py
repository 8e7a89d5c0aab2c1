"""How a tensor lies on a mesh, as it is shown to people: pieces, copies, and who holds what."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import DimensionSharding, TensorSharding


def axis_text(axis: AxisRef) -> str:
    """``x``, or ``x:(1)2`` for a part of an axis."""
    return axis.name if axis.sub_axis is None else f"{axis.name}:({axis.sub_axis.pre_size}){axis.sub_axis.size}"


@dataclass(frozen=True)
class Layout:
    """A tensor of `shape` (less than 0 where the size is not known) and element type, and its sharding on `mesh`.

    Without a sharding every device of the mesh has all of it; without a mesh, nothing is known of devices. `remarks`
    are what else tells it from most values: the name of another mesh, the kind of memory that it is in.
    """

    shape: tuple[int, ...]
    element: str
    sharding: TensorSharding | None = None
    mesh: Mesh | None = None
    remarks: tuple[str, ...] = ()

    @cached_property
    def dims(self) -> tuple[DimensionSharding, ...]:
        if self.sharding is None or self.sharding.rank != len(self.shape):
            return (DimensionSharding(),) * len(self.shape)
        return self.sharding.dims

    @cached_property
    def shards(self) -> tuple[int, ...]:
        """In how many pieces each dimension is cut."""
        if self.mesh is None:
            return (1,) * len(self.shape)
        return tuple(dim.shards(self.mesh.axis_sizes) for dim in self.dims)

    @property
    def unreduced(self) -> tuple[AxisRef, ...]:
        return () if self.sharding is None else self.sharding.unreduced

    @cached_property
    def pieces(self) -> int:
        return math.prod(self.shards)

    @cached_property
    def copies(self) -> int:
        """How many devices hold the same; those that hold partial results of one value do not."""
        if self.mesh is None:
            return 1
        partial = math.prod(axis.size(self.mesh.axis_sizes) for axis in self.unreduced)
        return self.mesh.size // (self.pieces * partial)

    @cached_property
    def local_shape(self) -> tuple[int, ...]:
        """The shape on one device; what does not divide is padded."""
        return tuple(size if size < 0 else -(-size // by) for size, by in zip(self.shape, self.shards, strict=True))

    @cached_property
    def text(self) -> str:
        """``f32[16÷4 data, 2048] ×2 copies``."""
        parts = [f"Σ {' '.join(map(axis_text, self.unreduced))} "] if self.unreduced else []
        cells = []
        for size, by, dim in zip(self.shape, self.shards, self.dims, strict=True):
            axes = " ".join(map(axis_text, dim.axes))
            cut = "" if self.mesh is None else f"÷{by}"
            cells.append(f"{size_text(size)}{cut} {axes}" if axes else size_text(size))
        parts.append(f"{self.element}[{', '.join(cells)}]")
        if self.copies > 1:
            parts.append(f" ×{self.copies} copies")
        parts += [f" {remark}" for remark in self.remarks]
        return "".join(parts)

    # Devices -------------------------------------------------------------------------------------

    def piece(self, logical: int) -> tuple[int, ...]:
        """Which piece, by dimension, the device with that logical number holds."""
        assert self.mesh is not None, "asked for layouts on a mesh"
        return tuple(self.mesh.shard_index(dim.axes, logical) for dim in self.dims)

    @cached_property
    def holders(self) -> dict[tuple[int, ...], tuple[int, ...]]:
        """The ids of the devices by the piece that they hold."""
        assert self.mesh is not None, "asked for layouts on a mesh"
        found: dict[tuple[int, ...], list[int]] = {}
        for logical, device in enumerate(self.mesh.devices):
            found.setdefault(self.piece(logical), []).append(device)
        return {piece: tuple(devices) for piece, devices in found.items()}

    def padding(self, piece: Sequence[int]) -> tuple[int, ...]:
        """How much of a piece, by dimension, is behind the end of the tensor."""
        return tuple(
            0 if size < 0 else min(local, max(0, (index + 1) * local - size))
            for index, size, local in zip(piece, self.shape, self.local_shape, strict=True)
        )

    def ranges(self, piece: Sequence[int]) -> str:
        """The indices of a piece: ``[0:4, :]``; nothing is there behind the end of a dimension."""
        parts = []
        for index, size, local, by in zip(piece, self.shape, self.local_shape, self.shards, strict=True):
            if by == 1 or size < 0:
                parts.append(":")
            else:
                parts.append(f"{min(index * local, size)}:{min((index + 1) * local, size)}")
        return f"[{', '.join(parts)}]"


def size_text(size: int) -> str:
    return "?" if size < 0 else str(size)
