"""Modules for the partitioner: meshes that it makes, asynchronous ops that must stay single ops."""

from __future__ import annotations

from sdy.dialect import builders as sdy_ops
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import MeshRef
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import ModuleSymbols, module_body
from sdy.mlir.search import ops_named

ASYNC_START = "stablehlo.async_start"


def check_asynchronous(module: ir.Operation) -> None:
    """Raises `DiagnosticError` at an asynchronous op that a pass has put further ops into."""
    for op in ops_named(module, ASYNC_START):
        if len(op.regions[0].blocks[0].operations) > 2:
            raise DiagnosticError(
                op,
                "may hold only one op, but moving sharded values adds others; "
                "'sdy-convert-async=to=marked' makes it synchronous during partitioning",
            )


class ModuleMeshes:
    """Finds and makes meshes, all of which are in `table`."""

    def __init__(self, module: ir.Operation) -> None:
        self._module = module
        self._symbols: ModuleSymbols | None = None
        self.table = MeshTable(module)

    def named_like(self, mesh: Mesh, ref: MeshRef, suffix: str) -> MeshRef:
        """Return a reference to `mesh`: by name if `ref` is one; a missing mesh is declared with `suffix`."""
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
