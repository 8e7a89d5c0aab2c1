"""sdy-import-foreign-shardings: a module that is sharded in another encoding gets shardings of the dialect.

    func.func @main(%x: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) ...
==> sdy.mesh @mesh = <["_axis_0"=2]>
    func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0"}]>}) ...

It finds out which of strings, named text and tiles there is and runs the pipeline that imports it. In a module that has
shardings of the dialect as well only these count; a warning names the first text that is dropped. A module that is not
sharded but says (`mhlo.num_partitions`) that it is for several devices gets a mesh of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from sdy.dialect import builders
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.module_shardings import PARAMETERS
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, warning
from sdy.mlir.functions import ModuleSymbols
from sdy.passes import shared_options as shared
from sdy.passes.interchange.importing.flat_tuples import flatten_tuples
from sdy.passes.interchange.importing.foreign_shardings import Encoding, ForeignShardings
from sdy.passes.interchange.importing.hlo_copies import remove_copies
from sdy.passes.interchange.importing.imported_meshes import num_partitions
from sdy.passes.interchange.importing.removal import remove_texts
from sdy.passes.interchange.wrapped_ops import unwrap_texts
from sdy.passes.manager import run_nested
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_, step
from sdy.passes.steps import Step


class Import(Enum):
    """Which encoding is imported."""

    AUTO = "auto"
    OFF = "off"
    STRINGS = "strings"
    NAMED = "named"
    TILES = "tiles"


@dataclass(frozen=True)
class Options:
    import_shardings: Import = option(Import.AUTO, "the encoding of the shardings; auto: whichever there is; off: none")
    sharding_calls: tuple[str, ...] = option(*shared.SHARDING_CALLS)


def _steps(encoding: Encoding, options: Options) -> list[Step]:
    """The pipeline that imports an encoding."""
    given: dict[str, Any] = {"enable_constant_import": False, "sharding_calls": options.sharding_calls}
    if encoding is Encoding.TILES:
        return [step("xla-sdy-stablehlo-import-pipeline", **given)]
    if encoding is Encoding.NAMED:
        return [step("xla-sdy-round-trip-import-pipeline", enable_hlo_sharding_v3=True, **given)]
    return [step("xla-sdy-round-trip-import-pipeline", lift_and_dedup_meshes=True, **given)]


@pass_("sdy-import-foreign-shardings", options=Options)
def import_foreign_shardings(module: ir.Operation, options: Options) -> object:
    """Spec: interchange, 10."""
    if options.import_shardings is Import.OFF:
        _warn_of(ForeignShardings(module))
        return UNCHANGED
    is_changed = flatten_tuples(module) | unwrap_texts(module)
    foreign = ForeignShardings(module)
    encoding = foreign.encoding
    if remove_copies(module):
        is_changed, foreign = True, ForeignShardings(module)
    if options.import_shardings is not Import.AUTO:
        encoding = Encoding(options.import_shardings.value)
    if encoding is Encoding.NONE:
        is_partitioned = PARAMETERS in module.attributes
        return None if (not is_partitioned and _declare_devices(module)) or is_changed else UNCHANGED
    if encoding is Encoding.NATIVE:
        return _drop_texts(foreign)
    for_one = foreign.is_for_one_device
    if for_one and num_partitions(module) <= 1:
        remove_texts([site for site in foreign.sites if site.entries])
    run_nested(module, _steps(encoding, options))
    _check_devices(module, for_one)
    return None


def _drop_texts(foreign: ForeignShardings) -> object:
    if not foreign.cutting:
        return UNCHANGED
    first = foreign.cutting[0]
    warning(first.op, f'the sharding "{first.text}" is dropped: the module has shardings of sdy')
    remove_texts(foreign.cutting)
    return None


def _warn_of(foreign: ForeignShardings) -> None:
    if foreign.encoding in (Encoding.NONE, Encoding.NATIVE):
        return
    at = foreign.cutting[0].op if foreign.cutting else foreign.module
    warning(at, "shardings that are not of sdy are not imported, and do not count")


def _check_devices(module: ir.Operation, is_for_one_device: bool) -> None:
    """There is a mesh, of the size that the module says, or as many devices as it says that need none."""
    count = num_partitions(module)
    sizes = [mesh.size for mesh in MeshTable(module).by_name.values() if mesh.axes]
    if sizes and count and count not in sizes:
        raise DiagnosticError(module, f"has shardings for {sizes[0]} devices, and is for {count}")
    if sizes or count == 1 or is_for_one_device:
        return
    if not _declare_devices(module):
        raise DiagnosticError(module, "has shardings, but nothing says for how many devices")


def _declare_devices(module: ir.Operation) -> bool:
    """A mesh of as many devices as the module says that it is for; whether it says so, and there are several."""
    count = num_partitions(module)
    if count <= 1:
        return False
    mesh = Mesh((MeshAxis("devices", count),))
    start = ir.InsertionPoint.at_block_begin(module.regions[0].blocks[0])
    ModuleSymbols(module).insert(builders.mesh("mesh", mesh, loc=module.location, ip=start))
    return True
