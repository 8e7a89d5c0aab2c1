"""sdy-drop-sharding-and-mesh: removes all `sdy.sharding` attributes, and the meshes that nothing names any more.

It ends the partitioner: the program is local, and what is left of shardings would mislead.

    sdy.mesh @mesh = <["x"=4]>
    func.func @f(%arg0: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) { ... }
==> func.func @f(%arg0: tensor<2xf32>) { ... }
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.symbol_uses import SymbolsOf
from sdy.mlir import ir
from sdy.mlir.function_attributes import Entries, map_entries
from sdy.mlir.functions import symbol_name
from sdy.mlir.search import ops_named
from sdy.mlir.walk import for_each_below
from sdy.passes.options import option
from sdy.passes.registry import pass_

_MODULE_METADATA = ("sdy.parameters_shardings", "sdy.output_shardings")


@dataclass(frozen=True)
class Options:
    keep_module_sharding_metadata: bool = option(
        False, "keep the module attributes that record the shardings of the main function"
    )


@pass_("sdy-drop-sharding-and-mesh", options=Options)
def drop_sharding_and_mesh(module: ir.Operation, options: Options) -> None:
    """Other attributes stay, `sharding` and `sdy.sharding_rule` included (spec: export-passes, 3.3)."""
    if not options.keep_module_sharding_metadata:
        for name in _MODULE_METADATA:
            if name in module.attributes:
                del module.attributes[name]
    for func in ops_named(module, "func.func"):
        map_entries(func, _without_sharding)
    meshes = ops_named(module, "sdy.mesh")
    unused = _drop_shardings(module, map(symbol_name, meshes))
    for mesh in meshes:
        if symbol_name(mesh) in unused:
            mesh.erase()


def _drop_shardings(module: ir.Operation, names: Iterable[str]) -> set[str]:
    """Drops the shardings of ops; returns those of the symbols that no other attribute names."""
    left, symbols_of = set(names), SymbolsOf(module.context)
    left.difference_update(symbols_of(module.attributes))

    def visit(op: ir.Operation) -> None:
        stored = op.attributes
        if SHARDING in stored:
            del stored[SHARDING]
        if left and len(stored):
            left.difference_update(symbols_of(stored))

    for_each_below(module, visit)
    return left


def _without_sharding(entries: Entries) -> Entries:
    return {name: attr for name, attr in entries.items() if name != SHARDING}
