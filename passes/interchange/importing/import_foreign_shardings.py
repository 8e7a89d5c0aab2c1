"""Import of shardings that are not of the dialect; readers of sharding text are loaded for programs that have some."""

from __future__ import annotations

from enum import Enum

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.functions import funcs_in_modules, top_level
from sdy.mlir.search import ops_named, ops_with
from sdy.passes import options as shared
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_


class Import(Enum):
    """Encodings that are imported."""

    AUTO = "auto"
    OFF = "off"
    STRINGS = "strings"
    NAMED = "named"
    TILES = "tiles"


@dataclass(frozen=True)
class ForeignShardingsOptions:
    import_shardings: Import = option(Import.AUTO, "encoding of the shardings; auto: the one in use; off: none")
    sharding_calls: tuple[str, ...] = option(*shared.SHARDING_CALLS)


@pass_("sdy-import-foreign-shardings", options=ForeignShardingsOptions)
def import_foreign_shardings(module: ir.Operation, options: ForeignShardingsOptions) -> object:
    """sdy-import-foreign-shardings: Convert shardings in the encodings of XLA to shardings of the dialect.

        func.func @main(%x: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) ...
    ==> sdy.mesh @mesh = <["_axis_0"=2]>
        func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0"}]>}) ...

    It detects strings, named text or tiles and runs the pipeline that imports them. In a module with shardings of the
    dialect only these count; a warning names the first dropped text. An unsharded module for several devices
    (`mhlo.num_partitions`) gets a mesh of these. Calls with a number of batch dimensions get a sharding rule. Errors: a
    module that is sharded only in an encoding that the option excludes.

    Spec: interchange, 10.
    """
    if options.import_shardings is Import.AUTO and _is_native(module):
        return UNCHANGED
    from sdy.passes.interchange.importing.foreign_import import import_encoded, warn_of_foreign

    if options.import_shardings is Import.OFF:
        warn_of_foreign(module)
        return UNCHANGED
    given = None if options.import_shardings is Import.AUTO else options.import_shardings.value
    return import_encoded(module, given, options.sharding_calls)


_FOREIGN_OPS = ("stablehlo.custom_call", "stablehlo.tuple", "mhlo.copy")
_FOREIGN_ATTRIBUTES = ("mhlo.sharding", "mhlo.frontend_attributes")


def _is_native(module: ir.Operation) -> bool:
    """Return whether the module has a mesh of the dialect, and no op that may hold a foreign sharding."""
    if not any(op.name == "sdy.mesh" for op in top_level(module)):
        return False
    if ops_named(module, *_FOREIGN_OPS) or ops_with(module, *_FOREIGN_ATTRIBUTES):
        return False
    functions = [func.attributes for func in funcs_in_modules(module)]
    entries = [entry for each in functions for name in ("arg_attrs", "res_attrs") for entry in each.get(name) or ()]
    return not any(name in each for each in (module.attributes, *entries) for name in _FOREIGN_ATTRIBUTES)
