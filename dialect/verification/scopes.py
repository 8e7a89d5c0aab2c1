"""The scopes of a module, and which one an op stands in."""

from __future__ import annotations

from collections.abc import Iterable

from sdy.dialect.definition.attributes import ManualAxes
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.verification.scope import Scope, value
from sdy.mlir import ir

_MODULE = "builtin.module"
_MANUAL = "sdy.manual_computation"

WITH_SCOPE = frozenset({_MODULE, _MANUAL})
"""Ops that what is in them has a scope of its own."""


class Scopes:
    """Made on demand; most modules have one only."""

    def __init__(self, module: ir.Operation, inner: Iterable[ir.Operation]) -> None:
        """`inner` are the ops in the module that have a scope of their own."""
        self.outermost = module_scope(module)
        self._by_op = {module: self.outermost}
        self._inner = list(inner)
        self.share_meshes = all(op.name != _MODULE for op in self._inner)
        """Whether a mesh has the same name everywhere."""
        manual = (value(op, "manual_axes", ManualAxes) for op in self._inner if op.name == _MANUAL)
        self.manual_names = frozenset(name for axes in manual for name in axes.names)
        """The axes that are manual anywhere."""

    def around(self, op: ir.Operation) -> Scope:
        """The scope that an op in the module stands in."""
        if not self._inner:
            return self.outermost
        parent = op.parent.operation
        while parent.name not in WITH_SCOPE:
            parent = parent.parent.operation
        return self._inside(parent)

    def _inside(self, op: ir.Operation) -> Scope:
        scope = self._by_op.get(op)
        if scope is None:
            outer = self.around(op)
            if op.name == _MODULE:
                scope = module_scope(op, outer)
            else:
                scope = outer.inside(op, value(op, "manual_axes", ManualAxes))
            self._by_op[op] = scope
        return scope


def module_scope(module: ir.Operation, outer: Scope | None = None) -> Scope:
    """The scope of the ops in a module.

    Raises:
      DiagnosticError: at the first of its meshes that is none.
    """
    for op in module.regions[0].blocks[0].operations:
        if op.operation.name == "sdy.mesh":
            value(op.operation, "mesh", Mesh)
    return Scope(MeshTable(module), outer.manual if outer else ())
