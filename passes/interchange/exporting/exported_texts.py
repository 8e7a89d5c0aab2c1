"""Sharding text of values of the dialect (spec: interchange, 3)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.definition import attributes
from sdy.dialect.sharding_text.forms import REPLICATED, Leaf, Several
from sdy.dialect.sharding_text.from_sharding import REPLICATED_ANYWHERE, named_of, tiles_of
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError


class ExportedTexts:
    """The texts of shardings on the meshes of a module; tiles, or the names of axes.

    Of shardings that are `propagated` names say no more than tiles do: dimensions are closed, and a value without axes
    is replicated on whatever mesh there is.
    """

    def __init__(self, module: ir.Operation, *, named: bool = False, propagated: bool = False) -> None:
        self._meshes = MeshTable(module)
        self._named = named
        self._propagated = propagated
        self._known: dict[tuple[TensorSharding, tuple[str, ...]], Leaf] = {}
        self._of_attributes: dict[ir.Attribute, ir.Attribute] = {}

    def leaf(self, sharding: TensorSharding, at: ir.Operation, manual: Sequence[str] = ()) -> Leaf:
        """`sharding` as XLA writes it; `manual` are the axes that regions around handle, the outermost first.

        Raises `DiagnosticError` at `at` for a mesh that there is not, or a name that text cannot hold.
        """
        key = (sharding, tuple(manual))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._new_leaf(sharding, at, manual)
        return found

    def _new_leaf(self, sharding: TensorSharding, at: ir.Operation, manual: Sequence[str]) -> Leaf:
        mesh = self._meshes.of(sharding)
        if mesh is None:
            raise DiagnosticError(at, f"unknown mesh: @{sharding.mesh_or_ref}")
        if not self._named:
            return tiles_of(sharding, mesh, manual)
        if self._propagated:
            sharding = sharding.close()
            if not manual and not mesh.is_maximal and sharding.is_fully_replicated and not sharding.unreduced:
                return REPLICATED_ANYWHERE
        return named_of(sharding, mesh, manual)

    def of_attribute(self, shardings: ir.Attribute, at: ir.Operation) -> ir.Attribute:
        """The text of a sharding or a list of them; few of them are distinct."""
        found = self._of_attributes.get(shardings)
        if found is None:
            value = attributes.value_of(shardings)
            listed = [value] if isinstance(value, TensorSharding) else list(value)
            found = self._of_attributes[shardings] = self.text(listed, at)
        return found

    def text(self, shardings: Sequence[TensorSharding], at: ir.Operation, manual: Sequence[str] = ()) -> ir.Attribute:
        """The text for all results of an op, or for an op without results."""
        leaves = tuple(self.leaf(sharding, at, manual) for sharding in shardings)
        try:
            if len(leaves) == 1:
                return ir.StringAttr.get(str(leaves[0]))
            return ir.StringAttr.get(str(Several(leaves)) if leaves else str(REPLICATED))
        except ValueError as error:
            raise DiagnosticError(at, str(error)) from None
