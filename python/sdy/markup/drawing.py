"""A layout as two drawings: the mesh, in which devices with equal data have one colour, and the tensor.

A tensor cut along more than two dimensions shows one slice; padding in the last pieces is hatched. A mesh of many
devices shows no numbers; of one of very many only the axes that cut are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.lazy_dataclass import dataclass
from sdy.markup.layout import Colours, Layout, axis_text
from sdy.markup.templating import render

STEP = 5.0
"""Between two lines, along an edge."""


def hatching(x: float, y: float, width: float, height: float) -> str:
    """Lines from the lower left to the upper right of a rectangle; none for an empty one."""
    return "".join(
        f"M{left:.1f} {below:.1f}L{right:.1f} {above:.1f}" for left, below, right, above in _lines(x, y, width, height)
    )


def _lines(x: float, y: float, width: float, height: float) -> Iterator[tuple[float, float, float, float]]:
    """Each line holds the points of one sum of coordinates."""
    if width <= 0 or height <= 0:
        return
    at = x + y + STEP / 2
    while at < x + y + width + height:
        left, right = max(x, at - y - height), min(x + width, at - y)
        yield left, at - left, right, at - right
        at += STEP


MOST_NUMBERED = 64
"""Devices whose numbers are written into the drawing of the mesh."""

MOST_DRAWN = 1024
"""Devices that are drawn at all."""

_CELL, _SMALL, _GAP = 22.0, 7.0, 14.0
_WIDTH, _HEIGHT, _LEFT, _TOP = 164.0, 110.0, 16.0, 16.0
_LETTER = 6.2


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle: a device, or a piece of the tensor."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    text: str
    title: str
    piece: str
    hatching: str = ""


@dataclass(frozen=True, slots=True)
class Caption:
    """A line of text; `turned` ones run down."""

    x: float
    y: float
    text: str
    turned: bool = False


def drawings(layout: Layout, colours: Colours) -> tuple[str, str]:
    """The mesh and the tensor, as SVG; both empty without a mesh, the second for a number.

    Of more than `MOST_DRAWN` devices, those that differ only in unused axes are merged.
    """
    drawn = _drawn(layout, colours)
    return ("", "") if drawn is None else (_mesh(drawn), _tensor(drawn))


def mesh_drawing(mesh: Mesh, colours: Colours) -> str:
    """Return a mesh alone, its devices numbered; empty if it is too large."""
    if mesh.size > MOST_DRAWN or not mesh.axes:
        return ""
    layout = Layout((), "", None, mesh)
    return _mesh(_Drawn(layout, mesh, colours, layout.text))


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A drawn layout on `mesh`, labelled `text`; each drawn device stands for `each` devices."""

    layout: Layout
    mesh: Mesh
    colours: Colours
    text: str
    each: int = 1

    @property
    def cutting(self) -> list[AxisRef]:
        return _cutting(self.layout)

    def devices(self, ids: Sequence[int]) -> str:
        """Return ``device 3``, ``devices 0, 2``; or their number, if they are not distinguished."""
        if self.each > 1:
            return f"{self.each * len(ids):,} devices"
        return f"device{'s' * (len(ids) > 1)} {', '.join(map(str, ids))}"


def _drawn(layout: Layout, colours: Colours) -> _Drawn | None:
    mesh = layout.mesh
    if mesh is None or not mesh.axes:
        return None
    if mesh.size <= MOST_DRAWN:
        return _Drawn(layout, mesh, colours, layout.text)
    cutting = {axis.name for axis in _cutting(layout)}
    less = Mesh(tuple(axis for axis in mesh.axes if axis.name in cutting))
    if not less.axes or less.size > MOST_DRAWN or layout.sharding is None:
        return None
    of_less = replace(layout, mesh=less, sharding=replace(layout.sharding, replicated=(), unreduced=()))
    return _Drawn(of_less, less, colours, layout.text, mesh.size // less.size)


def _cutting(layout: Layout) -> list[AxisRef]:
    return [axis for dim in layout.dims for axis in dim.axes]


def _svg(name: str, cells: Sequence[Box], captions: Sequence[Caption], label: str) -> str:
    width = max(cell.x + cell.width for cell in cells) + 2
    width = max([width, *(one.x + _LETTER * len(one.text) for one in captions if not one.turned)])
    height = max(cell.y + cell.height for cell in cells) + 2
    height = max([height, *(one.y + _LETTER * len(one.text) for one in captions if one.turned)])
    return render("drawing.svg.j2", name=name, cells=cells, captions=captions, width=width, height=height, label=label)


# The mesh --------------------------------------------------------------------------------------------


def _mesh(drawn: _Drawn) -> str:
    """Draw the last axis to the right, the one before down, all others as separate grids."""
    mesh = drawn.mesh
    side = _CELL if mesh.size <= MOST_NUMBERED else _SMALL
    right = mesh.axes[-1]
    down = mesh.axes[-2] if len(mesh.axes) > 1 else None
    rows, columns = down.size if down else 1, right.size
    left = _LETTER * (len(down.name) + 3) if down else 2.0
    top = 32.0 if len(mesh.axes) > 2 else 16.0
    step = columns * side + _GAP
    if len(mesh.axes) > 2:
        step = max(step, _LETTER * max(map(len, _grid_names(mesh))) + _GAP)
    cells, captions = [], []
    for grid, name in enumerate(_grid_names(mesh)):
        x = left + grid * step
        captions += [Caption(x, 12.0, name)] if name else []
        captions.append(Caption(x, top - 4, f"{right.name} →"))
        for at in range(rows * columns):
            cells.append(_device(drawn, grid * rows * columns + at, x, top, columns, side))
    captions += [Caption(0.0, top + side / 2 + 4, f"{down.name} ↓")] if down else []
    return _svg(f"{mesh.size} devices", cells, captions, f"the mesh: {drawn.text}")


def _grid_names(mesh: Mesh) -> list[str]:
    """The coordinates along the axes before the last two, one text for each grid."""
    outer = mesh.axes[:-2]
    names = []
    for grid in range(math.prod(axis.size for axis in outer)):
        parts, rest = [], grid
        for axis in reversed(outer):
            parts.append(f"{axis.name}={rest % axis.size}")
            rest //= axis.size
        names.append(" ".join(reversed(parts)))
    return names


def _device(drawn: _Drawn, logical: int, x: float, y: float, columns: int, side: float) -> Box:
    layout, mesh = drawn.layout, drawn.mesh
    row, column = divmod(logical % (columns * (mesh.axes[-2].size if len(mesh.axes) > 1 else 1)), columns)
    device, piece = mesh.devices[logical], layout.piece(logical)
    where = ", ".join(f"{axis.name}={mesh.coordinate(AxisRef(axis.name), logical)}" for axis in mesh.axes)
    holds = f": {layout.ranges(piece)}" if layout.shape else ""
    return Box(
        x + column * side,
        y + row * side,
        side,
        side,
        drawn.colours.shade(drawn.cutting, mesh, logical),
        str(device) if side == _CELL and drawn.each == 1 else "",
        f"{drawn.devices([device])} ({where}){holds}",
        "_".join(map(str, piece)),
    )


# The tensor ------------------------------------------------------------------------------------------


def _tensor(drawn: _Drawn) -> str:
    """Draw the two dimensions with most pieces, and of every other one the first slice."""
    layout = drawn.layout
    if not layout.shape:
        return ""
    by_shards = sorted(range(len(layout.shape)), key=lambda dim: (-layout.shards[dim], dim))
    shown = sorted(by_shards[:2])
    down, right = shown if len(shown) == 2 else (None, shown[0])
    cells = list(_pieces(drawn, down, right))
    captions = [Caption(_LEFT, 11.0, _dim_text(layout, right) + " →")]
    captions += [] if down is None else [Caption(10.0, _TOP + 2, _dim_text(layout, down) + " →", turned=True)]
    bottom = _TOP + _HEIGHT + 14
    for dim, by in enumerate(layout.shards):
        if by > 1 and dim not in shown:
            captions.append(Caption(_LEFT, bottom, f"one of {by} slices along dimension {dim}"))
            bottom += 14
    return _svg("tensor", cells, captions, f"the tensor: {drawn.text}")


def _dim_text(layout: Layout, dim: int) -> str:
    axes = "·".join(map(axis_text, layout.dims[dim].axes))
    size = "?" if layout.shape[dim] < 0 else layout.shape[dim]
    return f"d{dim}: {size}" + (f" ÷{layout.shards[dim]} {axes}" if axes else "")


def _pieces(drawn: _Drawn, down: int | None, right: int) -> Iterator[Box]:
    layout, mesh = drawn.layout, drawn.mesh
    rows, columns = 1 if down is None else layout.shards[down], layout.shards[right]
    width, height = _WIDTH / columns, (_HEIGHT if down is not None else 30.0) / rows
    logical_of = {device: logical for logical, device in enumerate(mesh.devices)}
    for piece, devices in sorted(layout.devices_of_pieces.items()):
        if any(index for dim, index in enumerate(piece) if dim not in (down, right)):
            continue
        row, column = 0 if down is None else piece[down], piece[right]
        x, y = _LEFT + column * width, _TOP + row * height
        padded = layout.padding(piece)
        yield Box(
            x,
            y,
            width,
            height,
            drawn.colours.shade(drawn.cutting, mesh, logical_of[devices[0]]),
            _fitting(devices, width, height) if drawn.each == 1 else "",
            f"{layout.ranges(piece)}: {drawn.devices(devices)}"
            + "".join(f"; {size} of padding in dimension {dim}" for dim, size in enumerate(padded) if size),
            "_".join(map(str, piece)),
            _padding(layout, padded, down, right, (x, y, width, height)),
        )


def _padding(
    layout: Layout, padded: Sequence[int], down: int | None, right: int, box: tuple[float, float, float, float]
) -> str:
    """Hatch padding: at the right of a piece, and below the rest of it."""
    x, y, width, height = box
    across = width * padded[right] / layout.local_shape[right] if padded[right] else 0.0
    below = height * padded[down] / layout.local_shape[down] if down is not None and padded[down] else 0.0
    return hatching(x + width - across, y, across, height) + hatching(x, y + height - below, width - across, below)


def _fitting(devices: Sequence[int], width: float, height: float) -> str:
    """Return as many device numbers as fit."""
    if height < 10:
        return ""
    for text in (",".join(map(str, devices)), f"{devices[0]}…"):
        if len(text) * _LETTER <= width:
            return text
    return ""
