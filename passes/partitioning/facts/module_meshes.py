"""The meshes of a module, for a pass that needs new ones."""

from __future__ import annotations

from sdy.dialect import builders as sdy_ops
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import MeshRef
from sdy.mlir import ir
from sdy.mlir.functions import ModuleSymbols, module_body


class ModuleMeshes:
    """Finds and makes meshes. `table` knows them all."""

    def __init__(self, module: ir.Operation) -> None:
        self._module = module
        self._symbols: ModuleSymbols | None = None
        self.table = MeshTable(module)

    def named_like(self, mesh: Mesh, ref: MeshRef, suffix: str) -> MeshRef:
        """How to refer to `mesh`: by name if `ref` is one, made from it with `suffix` if there is no such mesh."""
        if isinstance(ref, Mesh):
            return mesh
        return self.name_of(mesh, ref + suffix)

    def name_of(self, mesh: Mesh, name: str) -> str:
        """The name of `mesh` in the module; a new mesh is declared at the start, as `name` if that is free."""
        for known, other in self.table.by_name.items():
            if other == mesh:
                return known
        if self._symbols is None:
            self._symbols = ModuleSymbols(self._module)
        start = ir.InsertionPoint.at_block_begin(module_body(self._module))
        unique = self._symbols.insert(sdy_ops.mesh(name, mesh, loc=self._module.location, ip=start))
        self.table.by_name[unique] = mesh
        return unique
