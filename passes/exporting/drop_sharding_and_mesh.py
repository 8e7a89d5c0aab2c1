"""sdy-drop-sharding-and-mesh: removes all `sdy.sharding` attributes, and the meshes that nothing names any more.

It ends the partitioner: the program is local, and what is left of shardings would mislead.

    sdy.mesh @mesh = <["x"=4]>
    func.func @f(%arg0: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) { ... }
==> func.func @f(%arg0: tensor<2xf32>) { ... }
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from sdy.dialect.attributes import SHARDING
from sdy.dialect.functions import symbol_name
from sdy.dialect.search import ops_named
from sdy.dialect.sharding import symbol
from sdy.dialect.walk import pre_order
from sdy.mlir import ir
from sdy.passes.exporting.function_attributes import Entries, map_entries
from sdy.passes.registry import pass_

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
            _drop(module, name)
    ops = pre_order(module)
    for op in ops:
        _drop(op, SHARDING)
        if op.name == "func.func":
            map_entries(op, _without_sharding)
    _erase_unused_meshes(module, ops)


def _drop(op: ir.Operation, name: str) -> None:
    attributes = op.attributes
    if name in attributes:
        del attributes[name]


def _without_sharding(entries: Entries) -> Entries:
    return {name: attr for name, attr in entries.items() if name != SHARDING}


def _erase_unused_meshes(module: ir.Operation, ops: list[ir.Operation]) -> None:
    meshes = ops_named(module, "sdy.mesh")
    if not meshes:
        return
    used = set(_symbols(ops))
    for mesh in meshes:
        if symbol(symbol_name(mesh)) not in used:
            mesh.erase()


_SYMBOL = re.compile(r'@(?:[A-Za-z_][\w$.]*|"(?:[^"\\]|\\.)*")')
_WITHOUT_SYMBOLS = (ir.StringAttr, ir.IntegerAttr, ir.FloatAttr, ir.TypeAttr, ir.DenseElementsAttr, ir.UnitAttr)


def _symbols(ops: list[ir.Operation]) -> Iterator[str]:
    """The symbols, with ``@``, that attributes of `ops` name; each distinct attribute is looked at once."""
    seen: set[ir.Attribute] = set()
    for op in ops:
        for attr in op.attributes.values():
            if attr not in seen:
                seen.add(attr)
                if not isinstance(attr, _WITHOUT_SYMBOLS):
                    yield from _SYMBOL.findall(str(attr))
