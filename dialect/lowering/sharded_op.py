"""An op with the layouts of its operands and results, and its types and attributes on one device."""

from __future__ import annotations

from typing import Any, NoReturn

from sdy.dialect.definition import attributes
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.ops.model import Attributes, any_model
from sdy.mlir import address, ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.per_context import PerContext
from sdy.stablehlo.ops import Builder

_integers: PerContext[dict[int, tuple[int, ...]]] = PerContext(dict)
"""The numbers of dense array attributes, by their address."""


class ShardedOp:
    """Op of a global program with the layouts of its operands and results, before it is rewritten.

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
        """Removes attributes that no longer describe the op."""
        for name in names:
            if name in self.op.attributes:
                del self.op.attributes[name]

    def fail(self, message: str) -> NoReturn:
        raise DiagnosticError(self.op, message)


def local_type(layout: Layout, at: ir.Operation) -> ir.Type:
    """The local type of a value with this layout.

    Raises:
      DiagnosticError: at the op `at`, if the devices would have parts of different sizes.
    """
    if not layout.divides:
        raise DiagnosticError(
            at, f"has a value of type {layout.type} that its sharding {layout.sharding} does not divide evenly"
        )
    return layout.local_type


def local_types(op: ShardedOp) -> tuple[ir.Type, ...]:
    """The types of the results of an op on each device."""
    return tuple([local_type(layout, op.op) for layout in op.result_layouts])


def local_attributes(op: ShardedOp) -> Attributes:
    """Return the attributes of an op that differ on each device, for an op whose layouts fit.

    Raises:
      DiagnosticError: the attributes cannot be expressed for parts.
    """
    return any_model(op.op, "local_attributes").local_attributes(op)


def made_types(op: ShardedOp) -> tuple[ir.Type, ...]:
    """Return the result types inferred with these attributes; a device may need only a part of them."""
    types = local_types(op)
    if not op.result_layouts or not op.result_layouts[0].sharded_dims:
        return types
    return any_model(op.op, "made_types").made_types(op, types)
