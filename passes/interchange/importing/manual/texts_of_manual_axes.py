"""Which axes of a mesh sharding text says to be manual (spec: interchange, 5.2)."""

from __future__ import annotations

from sdy.dialect.sharding_text.common_mesh import CommonMesh, NoMeshError
from sdy.dialect.sharding_text.forms import Kind, Leaf, Named, Tiles
from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.passes.interchange.importing.imported_meshes import is_manual
from sdy.passes.interchange.sites import Site, text_in


class TextsOfManualAxes:
    """The manual axes of texts, each of which is read once."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, Mesh], tuple[str, ...] | None] = {}

    def axes(self, op: ir.Operation, mesh: Mesh) -> tuple[str, ...] | None:
        """The manual axes that the text of `op` says, in the order of the mesh; None where it says none.

        Raises `DiagnosticError` where a part of an axis is manual.
        """
        text = text_in(op.attributes)
        if text is None:
            return None
        if (text, mesh) not in self._known:
            site = Site(op, text)
            leaf = next(filter(is_manual, site.read()), None)
            self._known[text, mesh] = None if leaf is None else _axes_of(leaf, mesh, site)
        return self._known[text, mesh]


def _axes_of(leaf: Leaf, mesh: Mesh, site: Site) -> tuple[str, ...]:
    everything = tuple(axis.name for axis in mesh.axes)
    if isinstance(leaf, Named):
        return everything if leaf.for_all is Kind.MANUAL else tuple(axis.name for axis in leaf.manual)
    if not isinstance(leaf, Tiles):
        return everything
    try:
        axes = CommonMesh.of([leaf], mesh).axes_of(leaf)[leaf.rank + leaf.groups.index(Kind.MANUAL)]
    except NoMeshError as error:
        raise site.error(str(error)) from None
    for axis in axes:
        if axis.sub_axis is not None:
            raise site.error(f"a part of axis {axis.name!r} is manual, which only a whole axis can be")
    names = {axis.name for axis in axes}
    return tuple(name for name in everything if name in names)
