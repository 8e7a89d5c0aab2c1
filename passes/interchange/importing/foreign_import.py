"""Import of foreign shardings in any encoding."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE
from sdy.dialect.ops.op_signature import OpSignature, RuleBuilder, Shape
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import PARAMETERS
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.dialect.values.rule import ShardingRule
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, Faults, warning
from sdy.mlir.functions import ModuleSymbols, funcs_in_modules
from sdy.mlir.search import ops_named, ops_with
from sdy.passes.interchange.importing.foreign_shardings import (
    Encoding,
    ForeignShardings,
    num_partitions,
)
from sdy.passes.interchange.importing.xla_forms import flatten_tuples, remove_copies, remove_texts
from sdy.passes.interchange.sites import (
    CUSTOM_CALL,
    FRONTEND,
    frontend_string,
    unwrap_texts,
)
from sdy.passes.manager import run_nested
from sdy.passes.registry import UNCHANGED, step
from sdy.passes.steps import Step


def import_batch_dimensions(module: ir.Operation) -> None:
    """Give custom calls that act on each element of a batch separately a sharding rule.

        %0 = stablehlo.custom_call @lapack_spotrf_ffi(%x) {mhlo.frontend_attributes = {num_batch_dims = "1"}}
            : (tensor<16x8x8xf32>) -> tensor<16x8x8xf32>
    ==> %0 = stablehlo.custom_call @lapack_spotrf_ffi(%x) {mhlo.frontend_attributes = {num_batch_dims = "1"},
            sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m]) {i=16, j=8, k=8, l=8, m=8}, custom>}
            : (tensor<16x8x8xf32>) -> tensor<16x8x8xf32>

    GSPMD's partitioner splits such calls along their first dimensions. For Shardy, JAX writes this rule itself.

    Spec: interchange, 5.3.
    """
    for op in ops_with(module, FRONTEND):
        rule = None if SHARDING_RULE in op.attributes else _rule(op)
        if rule is not None:
            attributes.put(op, SHARDING_RULE, rule)


def _rule(op: ir.Operation) -> ShardingRule | None:
    """Return the rule that shares batch dimensions among all values; other dimensions have separate factors."""
    text = frontend_string(op, "num_batch_dims") if op.name == CUSTOM_CALL else None
    count = int(text) if text is not None and text.isdecimal() and len(text) < 10 else 0
    signature = OpSignature(op)
    operands, results = ([shape or () for shape in listed] for listed in (signature.operands, signature.results))
    batches = {shape[:count] for shape in (*operands, *results) if len(shape) >= count}
    if count == 0 or len(batches) != 1:
        return None
    builder = RuleBuilder(signature)
    for dim, size in enumerate(batches.pop()):
        builder.factor(size, _at(dim, operands, count), _at(dim, results, count))
    for listed, is_result in ((operands, False), (results, True)):
        for number, shape in enumerate(listed):
            for dim in range(count if len(shape) >= count else 0, len(shape)):
                place = {number: dim}
                builder.factor(shape[dim], None if is_result else place, place if is_result else None)
    return replace(builder.build(), is_custom=True)


def _at(dim: int, shapes: list[Shape], count: int) -> dict[int, int]:
    """Return dimension `dim` of each value that has all batch dimensions."""
    return {number: dim for number, shape in enumerate(shapes) if len(shape) >= count}


_HLO = ("mhlo.sharding", "mhlo.spmd_parameters_shardings", "mhlo.spmd_output_sharding")
_FRONTEND = "mhlo.frontend_attributes"
_XLA = re.compile(r"xla\.sdy\.(?!sharding_rule$)\w+")
"""Pattern of attributes that hold shardings, meshes or manual axes in XLA."""

_SPLITS = re.compile(r"devices=\[|manual|unreduced|unknown")
"""An HLO sharding that is not the same for every device, nor on a single one."""


def refuse_other_shardings(module: ir.Operation) -> None:
    """Refuse a module that only attributes of other compilers shard: `mhlo.sharding`, strings of XLA.

    A module with shardings of the dialect may have them as well, for example on host callbacks.

    Raises:
      DiagnosticErrors: at each op that has one.
    """
    found = list(_foreign(module))
    if found and not _has_shardings(module):
        with Faults() as faults:
            for op, what, name in found:
                with faults.one():
                    raise DiagnosticError(
                        op, f"{what}is sharded by '{name}' alone, which is not supported: use 'sdy.sharding'"
                    )


def _foreign(module: ir.Operation) -> Iterator[tuple[ir.Operation, str, str]]:
    """Return the ops with such attributes, the part of the op that has them, and the attribute's name."""
    for op in (module, *ops_with(module, _HLO[0], _FRONTEND)):
        name = _sharded_by(op.attributes)
        if name is not None:
            yield op, "", name
    for func in funcs_in_modules(module):
        for entries, what in (("arg_attrs", "argument"), ("res_attrs", "result")):
            for number, entry in enumerate(func.attributes.get(entries) or ()):
                name = _sharded_by(entry)
                if name is not None:
                    yield func, f"{what} {number} ", name


def _sharded_by(attributes: ir.OpAttributeMap | ir.DictAttr) -> str | None:
    for name in _HLO:
        if name in attributes and _SPLITS.search(str(attributes[name])):
            return name
    if _FRONTEND not in attributes:
        return None
    frontend = attributes[_FRONTEND]
    if not isinstance(frontend, ir.DictAttr):
        return None
    return next((entry.name for entry in frontend if _XLA.fullmatch(entry.name)), None)


def _has_shardings(module: ir.Operation) -> bool:
    """Return whether anything is sharded by this dialect."""
    if ops_with(module, SHARDING) or ops_named(module, *_SHARDED):
        return True
    entries = (
        func.attributes.get(name) or () for func in funcs_in_modules(module) for name in ("arg_attrs", "res_attrs")
    )
    return any(SHARDING in entry for each in entries for entry in each)


_SHARDED = ("sdy.sharding_constraint", "sdy.reshard", "sdy.manual_computation", "sdy.named_computation")
"""The ops that have shardings of their own when a program comes in."""


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
