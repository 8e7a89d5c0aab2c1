"""Ops on each device that no conversion marks, since they take nothing and give nothing (spec: interchange, 5.2).

    call @shmap_body() : () -> ()
    func.func private @shmap_body() {
      stablehlo.custom_call @xla_ffi_python_cpu_callback() {has_side_effect = true, mhlo.sharding = "{manual}"} ...

Only the texts of what has effects tell.
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.values.mesh import Mesh
from sdy.mlir import ir
from sdy.mlir.effects import is_effect_free
from sdy.mlir.functions import ModuleSymbols, callee_name
from sdy.mlir.search import ops_with
from sdy.passes.interchange.importing.imported_meshes import is_manual
from sdy.passes.interchange.importing.manual.conversions import conversion_of
from sdy.passes.interchange.importing.manual.texts_of_manual_axes import TextsOfManualAxes
from sdy.passes.interchange.sites import TEXT, op_sites


def has_manual_effects(module: ir.Operation) -> bool:
    """Whether some op with effects says that it is done on each device."""
    sites = op_sites([op for op in ops_with(module, TEXT) if not is_effect_free(op)])
    return any(is_manual(leaf) for site in sites for leaf in site.read())


class SaidAxes:
    """The manual axes that ops say: by their own text, or where they have none by those of their effects."""

    def __init__(self, module: ir.Operation, symbols: ModuleSymbols, texts: TextsOfManualAxes) -> None:
        self._symbols = symbols
        self._texts = texts
        self._are_effects_manual = has_manual_effects(module)
        self._of_functions: dict[str, set[tuple[str, ...] | None]] = {}

    def axes(self, op: ir.Operation, mesh: Mesh) -> tuple[str, ...] | None:
        """In the order of the mesh; None where nothing is said, or one effect says something else than another.

        Raises `DiagnosticError` where a part of an axis is manual.
        """
        said = self._texts.axes(op, mesh)
        if said is not None or not self._are_effects_manual or not _holds_others(op):
            return said
        found = self._of_effects(op, mesh)
        return next(iter(found)) if len(found) == 1 else None

    def has_effects_inside(self, ops: Sequence[ir.Operation], mesh: Mesh, outer: frozenset[str]) -> bool:
        """Whether some of `ops` has effects, and is manual on more axes than `outer`."""
        if not self._are_effects_manual:
            return False
        found = (self.axes(op, mesh) for op in ops if not is_effect_free(op))
        return any(axes is not None and not outer.issuperset(axes) for axes in found)

    def _of_effects(self, op: ir.Operation, mesh: Mesh) -> set[tuple[str, ...] | None]:
        """What the effects of `op`, of its regions and of what it calls say; a conversion says nothing here."""
        if op.name == "func.call":
            name = callee_name(op)
            if name not in self._of_functions:
                self._of_functions[name] = self._of_regions(self._symbols.callee(op), mesh)
            return self._of_functions[name]
        if conversion_of(op):
            return {None}
        if len(op.regions):
            return self._of_regions(op, mesh)
        return set() if is_effect_free(op) else {self._texts.axes(op, mesh)}

    def _of_regions(self, op: ir.Operation, mesh: Mesh) -> set[tuple[str, ...] | None]:
        ops = (each.operation for region in op.regions for block in region.blocks for each in block.operations)
        return set().union(*(self._of_effects(each, mesh) for each in ops))


def _holds_others(op: ir.Operation) -> bool:
    return op.name == "func.call" or len(op.regions) > 0
