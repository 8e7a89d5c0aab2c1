"""Which of the colours of the page an axis has: the same wherever it is shown (`static/report.css` says which)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh

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
