"""An op, and how its operands and results are laid out."""

from __future__ import annotations

from typing import Any, NoReturn

from sdy.dialect.definition import attributes
from sdy.dialect.lowering.layout import Layout
from sdy.mlir import address, ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.per_context import PerContext
from sdy.stablehlo.ops import Builder

_integers: PerContext[dict[int, tuple[int, ...]]] = PerContext(dict)
"""The numbers of dense array attributes, by their address."""


class ShardedOp:
    """One op of a global program with the layouts of its operands and results, which somebody may be about to rewrite.

    The layouts were taken before anything changed.
    """

    __slots__ = ("_builder", "op", "operand_layouts", "result_layouts")

    def __init__(
        self, op: ir.Operation, operand_layouts: tuple[Layout, ...], result_layouts: tuple[Layout, ...]
    ) -> None:
        self.op = op
        self.operand_layouts = operand_layouts
        self.result_layouts = result_layouts
        self._builder: Builder | None = None

    @property
    def operands(self) -> list[ir.Value]:
        return list(self.op.operands)

    @property
    def b(self) -> Builder:
        """Inserts in front of the op."""
        if self._builder is None:
            self._builder = Builder.before(self.op)
        return self._builder

    def get(self, name: str) -> Any:
        """The value object of an sdy attribute."""
        return attributes.get(self.op, name)

    def integers(self, name: str) -> list[int]:
        """The numbers of a dense array attribute."""
        attr = self.op.attributes[name]
        known = _integers.of(attr.context)
        found = known.get(address(attr))
        if found is None:
            found = known[address(attr)] = tuple(attr)
        return list(found)

    @property
    def is_padded_alike(self) -> bool:
        """True if all tensors with dimensions are padded to one shape."""
        layouts = (*self.operand_layouts, *self.result_layouts)
        return len({layout.padded_shape for layout in layouts if layout.rank}) <= 1

    def drop(self, *names: str) -> None:
        """Removes attributes that say something of an op that it is not any more."""
        for name in names:
            if name in self.op.attributes:
                del self.op.attributes[name]

    def fail(self, message: str) -> NoReturn:
        raise DiagnosticError(self.op, message)
