"""Import of foreign shardings in any encoding."""

from __future__ import annotations

from typing import Any

from sdy.dialect import builders
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import PARAMETERS
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, warning
from sdy.mlir.functions import ModuleSymbols
from sdy.passes.interchange.importing.batch_dimensions import import_batch_dimensions
from sdy.passes.interchange.importing.foreign_shardings import (
    Encoding,
    ForeignShardings,
    num_partitions,
)
from sdy.passes.interchange.importing.refused_shardings import refuse_other_shardings
from sdy.passes.interchange.importing.xla_forms import flatten_tuples, remove_copies, remove_texts
from sdy.passes.interchange.sites import (
    unwrap_texts,
)
from sdy.passes.manager import run_nested
from sdy.passes.registry import UNCHANGED, step
from sdy.passes.steps import Step


def _steps(encoding: Encoding, sharding_calls: tuple[str, ...]) -> list[Step]:
    """The pipeline that imports an encoding."""
    given: dict[str, Any] = {"enable_constant_import": False, "sharding_calls": sharding_calls}
    if encoding is Encoding.TILES:
        return [step("xla-sdy-stablehlo-import-pipeline", **given)]
    if encoding is Encoding.NAMED:
        return [step("xla-sdy-round-trip-import-pipeline", enable_hlo_sharding_v3=True, **given)]
    return [step("xla-sdy-round-trip-import-pipeline", lift_and_dedup_meshes=True, **given)]


def import_encoded(module: ir.Operation, given: str | None, sharding_calls: tuple[str, ...]) -> object:
    """Import shardings in the given encoding; without one, in the encoding that the module uses."""
    is_changed = flatten_tuples(module) | unwrap_texts(module)
    foreign = ForeignShardings(module)
    encoding = foreign.encoding if given is None else Encoding(given)
    if remove_copies(module):
        is_changed, foreign = True, ForeignShardings(module)
    if encoding is Encoding.NONE:
        refuse_other_shardings(module)
        is_partitioned = PARAMETERS in module.attributes
        return None if (not is_partitioned and _declare_devices(module)) or is_changed else UNCHANGED
    if encoding is Encoding.NATIVE:
        return _drop_texts(foreign)
    for_one = foreign.is_for_one_device
    if for_one and num_partitions(module) <= 1:
        remove_texts([site for site in foreign.sites if site.entries])
    run_nested(module, _steps(encoding, sharding_calls))
    if encoding is Encoding.TILES:
        import_batch_dimensions(module)
    _check_devices(module, for_one)
    refuse_other_shardings(module)
    return None


def _drop_texts(foreign: ForeignShardings) -> object:
    if not foreign.cutting:
        return UNCHANGED
    first = foreign.cutting[0]
    warning(first.op, f'the sharding "{first.text}" is dropped: the module has shardings of sdy')
    remove_texts(foreign.cutting)
    return None


def warn_of_foreign(module: ir.Operation) -> None:
    """Warn of shardings that are not imported."""
    foreign = ForeignShardings(module)
    if foreign.encoding in (Encoding.NONE, Encoding.NATIVE):
        return
    at = foreign.cutting[0].op if foreign.cutting else module
    warning(at, "shardings that are not of sdy are not imported, and do not count")


def _check_devices(module: ir.Operation, is_for_one_device: bool) -> None:
    """Check that there is a mesh of the module's number of devices, or that the module needs none."""
    count = num_partitions(module)
    sizes = [mesh.size for mesh in MeshTable(module).by_name.values() if mesh.axes]
    if sizes and count and count not in sizes:
        raise DiagnosticError(module, f"has shardings for {sizes[0]} devices, but is for {count}")
    if sizes or count == 1 or is_for_one_device:
        return
    if not _declare_devices(module):
        raise DiagnosticError(module, "has shardings, but no number of devices")


def _declare_devices(module: ir.Operation) -> bool:
    """Declare a mesh of the module's number of devices; return whether it has such a number above 1."""
    count = num_partitions(module)
    if count <= 1:
        return False
    mesh = Mesh((MeshAxis("devices", count),))
    start = ir.InsertionPoint.at_block_begin(module.regions[0].blocks[0])
    ModuleSymbols(module).insert(builders.mesh("mesh", mesh, loc=module.location, ip=start))
    return True
