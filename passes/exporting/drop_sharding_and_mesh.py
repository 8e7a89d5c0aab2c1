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
from sdy.mlir.search import for_each_with, ops_named
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
    for_each_with(module, SHARDING, _drop_sharding)
    meshes = ops_named(module, "sdy.mesh")
    unused = _unused(map(symbol_name, meshes), module)
    for mesh in meshes:
        if symbol_name(mesh) in unused:
            mesh.erase()


def _drop_sharding(op: ir.Operation) -> None:
    del op.attributes[SHARDING]


def _unused(names: Iterable[str], module: ir.Operation) -> set[str]:
    """Those of the symbols that no attribute names. Looks at ops until all of them have been found."""
    left, symbols_of = set(names), SymbolsOf(module.context)
    go_on, stop = ir.WalkResult.ADVANCE, ir.WalkResult.INTERRUPT

    def visit(op: ir.Operation) -> ir.WalkResult:
        stored = op.attributes
        if len(stored):
            left.difference_update(symbols_of(stored))
        return go_on if left else stop

    if left:
        module.walk(visit, ir.WalkOrder.PRE_ORDER)
    return left


def _without_sharding(entries: Entries) -> Entries:
    return {name: attr for name, attr in entries.items() if name != SHARDING}
