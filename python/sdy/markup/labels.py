"""A layout in one line: ``f32 [16÷4 data] [2048] ×2 copies``, with the axes in their colours."""

from __future__ import annotations

from sdy.markup.colours import Colours
from sdy.markup.layout import Layout, axis_text, size_text
from sdy.markup.templating import render


def label(layout: Layout, colours: Colours) -> str:
    """The line as HTML."""
    dims = [
        {
            "size": size_text(size),
            "shards": by if layout.mesh is not None else 0,
            "axes": [{"name": axis_text(axis), "colour": colours[axis]} for axis in dim.axes],
        }
        for size, by, dim in zip(layout.shape, layout.shards, layout.dims, strict=True)
    ]
    unreduced = [{"name": axis_text(axis), "colour": colours[axis]} for axis in layout.unreduced]
    return render(
        "label.html.j2", element=layout.element, dims=dims, unreduced=unreduced, copies=layout.copies, text=layout.text
    )
