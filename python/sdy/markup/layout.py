"""Layout of a tensor on a mesh, for drawings: pieces, copies, and the devices that hold them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property

from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import DimensionSharding, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.markup.templating import render


def axis_text(axis: AxisRef) -> str:
    """``x``, or ``x:(1)2`` for a part of an axis."""
    return axis.name if axis.sub_axis is None else f"{axis.name}:({axis.sub_axis.pre_size}){axis.sub_axis.size}"


@dataclass(frozen=True)
class Layout:
    """A tensor of `shape` (negative for unknown sizes) and element type, and its sharding on `mesh`.

    Without a sharding every device of the mesh has all of it; without a mesh, devices are unknown. `remarks` are
    uncommon properties: the name of another mesh, the kind of memory.
    """

    shape: tuple[int, ...]
    element: str
    sharding: TensorSharding | None = None
    mesh: Mesh | None = None
    remarks: tuple[str, ...] = ()

    @cached_property
    def dims(self) -> tuple[DimensionSharding, ...]:
        """Sharding of each dimension; replicated if it has none of that rank."""
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
        """Axes along which devices hold partial results."""
        return () if self.sharding is None else self.sharding.unreduced

    @cached_property
    def pieces(self) -> int:
        """Number of pieces that the tensor is cut into."""
        return math.prod(self.shards)

    @cached_property
    def copies(self) -> int:
        """Number of devices that hold a copy of the same piece; holders of partial results do not count."""
        if self.mesh is None:
            return 1
        partial = math.prod(axis.size(self.mesh.axis_sizes) for axis in self.unreduced)
        return self.mesh.size // (self.pieces * partial)

    @cached_property
    def local_shape(self) -> tuple[int, ...]:
        """Return the shape on one device; uneven dimensions are padded."""
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
        """Return the piece, by dimension, that the device with that logical number holds."""
        assert self.mesh is not None, "asked for layouts on a mesh"
        return tuple(self.mesh.shard_index(dim.axes, logical) for dim in self.dims)

    @cached_property
    def devices_of_pieces(self) -> dict[tuple[int, ...], tuple[int, ...]]:
        """Return the device ids by the piece that they hold."""
        assert self.mesh is not None, "asked for layouts on a mesh"
        found: dict[tuple[int, ...], list[int]] = {}
        for logical, device in enumerate(self.mesh.devices):
            found.setdefault(self.piece(logical), []).append(device)
        return {piece: tuple(devices) for piece, devices in found.items()}

    def padding(self, piece: Sequence[int]) -> tuple[int, ...]:
        """Return how much of a piece, by dimension, lies beyond the end of the tensor."""
        return tuple(
            0 if size < 0 else min(local, max(0, (index + 1) * local - size))
            for index, size, local in zip(piece, self.shape, self.local_shape, strict=True)
        )

    def ranges(self, piece: Sequence[int]) -> str:
        """Return the indices of a piece: ``[0:4, :]``; indices behind the end of a dimension are empty."""
        parts = []
        for index, size, local, by in zip(piece, self.shape, self.local_shape, self.shards, strict=True):
            if by == 1 or size < 0:
                parts.append(":")
            else:
                parts.append(f"{min(index * local, size)}:{min((index + 1) * local, size)}")
        return f"[{', '.join(parts)}]"


def size_text(size: int) -> str:
    """Return the size of a dimension, ``?`` if it is dynamic."""
    return "?" if size < 0 else str(size)


COLOURS = 8

FAINTEST, STRONGEST = 12, 48
"""Per cent of an axis' colour in the first and in the last of the pieces that it cuts: numbers can be read on all."""


class Colours:
    """The colours of the axes of some meshes, by name, in order."""

    def __init__(self, meshes: Iterable[Mesh]) -> None:
        names = dict.fromkeys(axis.name for mesh in meshes for axis in mesh.axes)
        self.names: tuple[str, ...] = tuple(names)

    def __getitem__(self, axis: AxisRef | str) -> int:
        name = axis if isinstance(axis, str) else axis.name
        return self.names.index(name) % COLOURS if name in self.names else 0

    def shade(self, axes: Sequence[AxisRef], mesh: Mesh, logical: int) -> str:
        """Return the fill of a device's part, cut by these axes: the blended shades of their colours."""
        fill = "var(--piece)"
        for axis in axes:
            size = axis.size(mesh.axis_sizes)
            if size > 1:
                step = FAINTEST + (STRONGEST - FAINTEST) * mesh.coordinate(axis, logical) / (size - 1)
                fill = f"color-mix(in oklab, var(--a{self[axis]}) {step:.0f}%, {fill})"
        return fill


def label(layout: Layout, colours: Colours, *, as_written: bool = False) -> str:
    """The line as HTML.

    `as_written` shows the written sharding, including open dimensions, priorities and explicitly replicated axes.
    """
    dims = [
        {
            "size": size_text(size),
            "shards": by if layout.mesh is not None else 0,
            "axes": [{"name": axis_text(axis), "colour": colours[axis]} for axis in dim.axes],
            "is_open": as_written and not dim.is_closed,
            "priority": dim.priority if as_written else None,
        }
        for size, by, dim in zip(layout.shape, layout.shards, layout.dims, strict=True)
    ]
    unreduced = [{"name": axis_text(axis), "colour": colours[axis]} for axis in layout.unreduced]
    kept = layout.sharding.replicated if as_written and layout.sharding is not None else ()
    return render(
        "label.html.j2",
        element=layout.element,
        dims=dims,
        unreduced=unreduced,
        replicated=[{"name": axis_text(axis), "colour": colours[axis]} for axis in kept],
        copies=1 if as_written else layout.copies,
        remarks=layout.remarks,
        text=str(layout.sharding) if as_written else layout.text,
    )
