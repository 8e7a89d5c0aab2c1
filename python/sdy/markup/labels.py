"""A layout in one line: ``f32 [16÷4 data] [2048] ×2 copies``, with the axes in their colours."""

from __future__ import annotations

from sdy.markup.colours import Colours
from sdy.markup.layout import Layout, axis_text, size_text
from sdy.markup.templating import render


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
