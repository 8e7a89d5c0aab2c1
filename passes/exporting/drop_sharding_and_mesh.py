"""sdy-drop-sharding-and-mesh: removes all `sdy.sharding` attributes, and the meshes that nothing names any more.

It ends the partitioner: the program is local, and what is left of shardings would mislead.

    sdy.mesh @mesh = <["x"=4]>
    func.func @f(%arg0: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) { ... }
==> func.func @f(%arg0: tensor<2xf32>) { ... }
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sdy.dialect.attributes import SHARDING
from sdy.dialect.functions import symbol_name
from sdy.dialect.search import ops_named
from sdy.dialect.walk import for_each
from sdy.mlir import ir
from sdy.passes.exporting.function_attributes import Entries, map_entries
from sdy.passes.registry import pass_
from sdy.passes.symbol_uses import SymbolsOf

_MODULE_METADATA = ("sdy.parameters_shardings", "sdy.output_shardings")


@dataclass(frozen=True)
class Options:
    keep_module_sharding_metadata: bool = field(
        default=False,
        metadata={"help": "keep the module attributes that record the shardings of the main function"},
    )


@pass_("sdy-drop-sharding-and-mesh", options=Options)
def drop_sharding_and_mesh(module: ir.Operation, options: Options) -> None:
    """Other attributes stay, `sharding` and `sdy.sharding_rule` included (spec: export-passes, 3.3)."""
    if not options.keep_module_sharding_metadata:
        for name in _MODULE_METADATA:
            if name in module.attributes:
                del module.attributes[name]
    meshes = ops_named(module, "sdy.mesh")
    symbols_of, used = SymbolsOf(module.context), set[str]()

    def visit(op: ir.Operation) -> None:
        if op.name == "func.func":
            map_entries(op, _without_sharding)
        stored = op.attributes
        if SHARDING in stored:
            del stored[SHARDING]
        if meshes:
            used.update(symbols_of(stored))

    for_each(module, visit)
    for mesh in meshes:
        if symbol_name(mesh) not in used:
            mesh.erase()


def _without_sharding(entries: Entries) -> Entries:
    return {name: attr for name, attr in entries.items() if name != SHARDING}
