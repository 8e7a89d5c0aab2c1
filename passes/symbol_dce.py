"""symbol-dce: removes symbols that are not used and that nobody outside of the module can use, meshes included.

    sdy.mesh @unused = <["a"=2]> {sym_visibility = "private"}
    func.func private @unused_too() { return }
==>
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sdy.dialect.attributes import is_sdy, text_of, value_of
from sdy.dialect.lists import ShardingPerValue
from sdy.dialect.sharding import TensorSharding
from sdy.mlir import ir
from sdy.passes.manager import run_upstream
from sdy.passes.registry import pass_

_MODULE = "builtin.module"
_VISIBILITY = "sym_visibility"


@pass_("symbol-dce", on=_MODULE)
def symbol_dce(module: ir.Operation) -> None:
    """Upstream does not know that meshes are symbols; they name no other symbols, so they can go last."""
    run_upstream(f"{_MODULE}(symbol-dce)", module)
    _remove_meshes(module)


def _remove_meshes(table: ir.Operation) -> None:
    """Removes unused meshes from `table` and the modules in it. Nothing outside of the outermost one sees any of it."""
    candidates: dict[str, ir.Operation] = {}
    for op in _ops_of(table):
        if op.name == _MODULE:
            _remove_meshes(op)
        elif op.name == "sdy.mesh" and _VISIBILITY in op.attributes and text_of(op.attributes[_VISIBILITY]) != "public":
            candidates[text_of(op.attributes["sym_name"])] = op
    if candidates:
        for name in _used(table):
            candidates.pop(name, None)
    for mesh in candidates.values():
        mesh.erase()


def _used(table: ir.Operation) -> Iterator[str]:
    """The symbols that the ops of the table use; of a module in it only its own attributes are looked at."""
    for op in _ops_of(table):
        attributes = op.attributes
        yield from _symbols(attributes[name] for name in attributes)
        if op.name != _MODULE:
            yield from _used(op)


def _ops_of(op: ir.Operation) -> list[ir.Operation]:
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


def _mesh_names(shardings: Iterable[TensorSharding]) -> Iterator[str]:
    return (each.mesh_or_ref for each in shardings if isinstance(each.mesh_or_ref, str))
