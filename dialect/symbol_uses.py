"""Symbols that ops refer to: functions by calls and other attributes, meshes by shardings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from sdy.dialect.definition.attributes import is_sdy, text_of, value_of
from sdy.dialect.values.axes import unquote
from sdy.dialect.values.rule import ShardingPerValue
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import address, ir
from sdy.mlir.per_context import PerContext

_MODULE = "builtin.module"

_PLAIN = (
    ir.IntegerAttr,
    ir.BoolAttr,
    ir.FloatAttr,
    ir.StringAttr,
    ir.UnitAttr,
    ir.TypeAttr,
    ir.DenseElementsAttr,
    ir.DenseResourceElementsAttr,
    ir.DenseBoolArrayAttr,
    ir.DenseI32ArrayAttr,
    ir.DenseI64ArrayAttr,
)
"""Attributes that hold no others."""

_SYMBOL = re.compile(r'"(?:[^"\\]|\\.)*"|@(?:([a-zA-Z_][\w$.]*)|"((?:[^"\\]|\\.)*)")')
"""A string, to be passed over, or a symbol."""


def used_symbols(table: ir.Operation) -> list[str]:
    """Return the symbols that the ops of the table use; a nested module counts with its own attributes only."""
    found: list[str] = []
    symbols_of = SymbolsOf(table.context)
    _for_each_in(table, lambda op: found.extend(symbols_of(op.attributes)))
    return found


class SymbolsOf:
    """The symbols that the attributes of ops name, remembered per attribute and context."""

    def __init__(self, context: ir.Context) -> None:
        self._of_attributes = _of_attributes.of(context)

    def __call__(self, attributes: ir.OpAttributeMap) -> list[str]:
        found: list[str] = []
        known = self._of_attributes
        for attr in attributes.values():
            key = address(attr)
            symbols = known.get(key)
            if symbols is None:
                symbols = known[key] = tuple(_symbols([attr]))
            if symbols:
                found += symbols
        return found


_of_attributes: PerContext[dict[int, tuple[str, ...]]] = PerContext(dict)
"""By the address of the attribute."""


def _for_each_in(table: ir.Operation, visit: Callable[[ir.Operation], None]) -> None:
    """Calls `visit` with each op in `table`, parents first, but not with ops inside a nested module."""

    def enter(op: ir.Operation) -> ir.WalkResult:
        if op == table:
            return advance
        visit(op)
        return skip if op.name == _MODULE else advance

    advance, skip = ir.WalkResult.ADVANCE, ir.WalkResult.SKIP
    table.walk(enter, ir.WalkOrder.PRE_ORDER)


def ops_directly_in(op: ir.Operation) -> list[ir.Operation]:
    """The ops directly in `op`."""
    return [nested.operation for region in op.regions for block in region.blocks for nested in block.operations]


def _symbols(attributes: Iterable[ir.Attribute]) -> Iterator[str]:
    """The symbols that occur in attributes, the outermost part of each."""
    for attr in attributes:
        if isinstance(attr, ir.ArrayAttr):
            yield from _symbols(attr)
        elif isinstance(attr, ir.DictAttr):
            yield from _symbols(entry.attr for entry in attr)
        elif isinstance(attr, ir.FlatSymbolRefAttr):
            yield text_of(attr)
        elif isinstance(attr, ir.SymbolRefAttr):
            yield attr.value[0]
        elif is_sdy(attr, TensorSharding):
            yield from _mesh_names([value_of(attr)])
        elif is_sdy(attr, ShardingPerValue):
            yield from _mesh_names(value_of(attr).shardings)
        elif not isinstance(attr, _PLAIN):
            # An attribute of another dialect, such as a device group of StableHLO that names a mesh.
            yield from (match[1] or unquote(match[2]) for match in _SYMBOL.finditer(str(attr)) if match[1] or match[2])


def _mesh_names(shardings: Iterable[TensorSharding]) -> Iterator[str]:
    return (each.mesh_or_ref for each in shardings if isinstance(each.mesh_or_ref, str))
