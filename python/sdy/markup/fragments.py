"""Fragments of HTML for notebooks: tables and labels that need no script, and drawings.

A fragment brings its own style, which affects nothing around it, and it has no ids, so several fit on one page. Light
and dark mode follow the notebook.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.markup.drawing import drawings, mesh_drawing
from sdy.markup.layout import Colours, Layout, axis_text, label
from sdy.markup.templating import markup, render

MOST_ROWS = 200
"""Rows that are shown; how many more there are is said."""

_TENSOR = re.compile(r"tensor<((?:[\d?]+x)*)([^x<>,][^<>,]*(?:<[^<>]*>)?)(?:,.*)?>")


@dataclass(frozen=True, slots=True)
class Cell:
    """Cell of a table: text, or HTML made in this package; numbers are right-aligned."""

    text: str = ""
    html: str = ""
    is_number: bool = False


def fragment(text: str, *parts: str) -> str:
    """Stack parts of HTML, and put the equivalent `text` behind a click."""
    return render("fragment.html.j2", parts=[markup(part) for part in parts if part], text=text)


def table(headings: Sequence[str], rows: Iterable[Sequence[Cell]], title: str = "") -> str:
    """Return a table whose first rows are shown."""
    listed = list(rows)
    return render(
        "table.html.j2",
        title=title,
        headings=headings,
        rows=[[_cell(cell) for cell in row] for row in listed[:MOST_ROWS]],
        more=max(0, len(listed) - MOST_ROWS),
    )


def _cell(cell: Cell) -> dict[str, str | bool]:
    return {"text": markup(cell.html) if cell.html else cell.text, "is_number": cell.is_number}


def listing(title: str, lines: Iterable[str]) -> str:
    """Return lines behind a click; nothing if there are none."""
    return render("listing.html.j2", title=title, lines=list(lines))


def preformatted(title: str, lines: Iterable[str]) -> str:
    """Return lines with their alignment preserved."""
    return render("preformatted.html.j2", title=title, lines=list(lines))


# Shardings -------------------------------------------------------------------------------------------


def axes_html(axes: Iterable[AxisRef] | None) -> str:
    """Return axes coloured by their order here."""
    if axes is None:
        return "irregular"
    names = [axis_text(axis) for axis in axes]
    return render("axes.html.j2", axes=[{"name": name, "colour": _colour(name)} for name in names])


def _colour(name: str) -> int:
    """Without a mesh to take the order from, the colour follows from the name."""
    return sum(name.partition(":(")[0].encode()) % 8


def sharding_label(type_: str, sharding: TensorSharding | None, mesh: Mesh | None = None) -> str:
    """Return the label of a value of a type in MLIR syntax; the number of pieces requires the mesh."""
    layout = layout_of(type_, sharding, mesh)
    return type_label(type_) if layout is None else label(layout, _Named())


def type_label(type_: str) -> str:
    """Return a type as HTML."""
    return render("text.html.j2", text=type_)


def sharding_drawings(type_: str, sharding: TensorSharding | None, mesh: Mesh | None) -> str:
    """Return the mesh and the tensor side by side; nothing without a mesh."""
    layout = layout_of(type_, sharding, mesh)
    return "" if layout is None or mesh is None else "".join(drawings(layout, _Named()))


def mesh_picture(mesh: Mesh) -> str:
    """A mesh, its devices numbered."""
    return mesh_drawing(mesh, _Named())


def layout_of(type_: str, sharding: TensorSharding | None, mesh: Mesh | None) -> Layout | None:
    """Return the layout of a value of that type on a mesh; None for non-tensors. An inline mesh counts, too."""
    found = _TENSOR.fullmatch(type_)
    if found is None:
        return None
    shape = tuple(-1 if size == "?" else int(size) for size in found[1].split("x")[:-1])
    if mesh is None and sharding is not None and isinstance(sharding.mesh_or_ref, Mesh):
        mesh = sharding.mesh_or_ref
    return Layout(shape, found[2], sharding, mesh)


class _Named(Colours):
    """Colours by axis name, the same in all fragments."""

    def __init__(self) -> None:
        super().__init__(())

    def __getitem__(self, axis: AxisRef | str) -> int:
        return _colour(axis if isinstance(axis, str) else axis.name)
