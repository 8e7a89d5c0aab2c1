"""A layout in one line: ``f32 [16÷4 data] [2048] ×2 copies``, with the axes in their colours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.markup.layout import Layout, axis_text, size_text
from sdy.markup.templating import render

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
        """The fill of what a device holds, cut by these axes: a step of each one's colour, one over the other."""
        fill = "var(--piece)"
        for axis in axes:
            size = axis.size(mesh.axis_sizes)
            if size > 1:
                step = FAINTEST + (STRONGEST - FAINTEST) * mesh.coordinate(axis, logical) / (size - 1)
                fill = f"color-mix(in oklab, var(--a{self[axis]}) {step:.0f}%, {fill})"
        return fill


def label(layout: Layout, colours: Colours, *, as_written: bool = False) -> str:
    """The line as HTML.

    `as_written` shows the sharding instead of what it comes to: open dimensions, priorities, axes kept from sharding.
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
