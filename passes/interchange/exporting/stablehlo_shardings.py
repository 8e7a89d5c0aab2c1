"""Shardings and manual computations as sharding text."""

from __future__ import annotations

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE
from sdy.dialect.sharding_text.forms import REPLICATED
from sdy.dialect.sharding_text.from_sharding import REPLICATED_ANYWHERE
from sdy.dialect.values.rule import ShardingPerValue
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.functions import ModuleSymbols, entries_of, funcs_in_modules, put_entries, top_level
from sdy.mlir.rewriting import terminator
from sdy.mlir.search import ops_named, ops_with
from sdy.mlir.walk import for_each_below, pre_order
from sdy.passes import options as shared
from sdy.passes.interchange.exporting.op_forms import (
    GROUPS,
    MANUAL,
    ExportedTexts,
    ManualTexts,
    Surroundings,
    call,
    custom_call,
    function_of_region,
    make_groups_dense,
    refuse_ops_left,
)
from sdy.passes.interchange.sites import ENTRIES, FULL_TO_SHARD, SHARD_TO_FULL, SHARDING_CALL, TEXT, WRAPPED, wrap_texts
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_
from sdy.stablehlo.idioms.loops import CONTROL_FLOW


@dataclass(frozen=True)
class ExportShardingsOptions:
    enable_hlo_sharding_v3: bool = option(*shared.NAMES_OF_AXES_WRITTEN)
    add_missing_sharding_to_control_flow: bool = option(*shared.ADD_MISSING_SHARDING_TO_CONTROL_FLOW)


_UNLIKE_OTHERS = (TEXT, SHARDING_RULE, GROUPS, WRAPPED)
"""Attributes that few ops have."""


@pass_("xla-sdy-stablehlo-export-shardings", options=ExportShardingsOptions)
def stablehlo_export_shardings(module: ir.Operation, options: ExportShardingsOptions) -> object:
    """xla-sdy-stablehlo-export-shardings: Convert shardings to sharding text, and erase the meshes.

        sdy.mesh @mesh = <["a"=2]>
        %0 = stablehlo.sine %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : tensor<8xf32>
    ==> %0 = stablehlo.sine %x {mhlo.sharding = "{devices=[2]<=[2]}"} : tensor<8xf32>

    Dimensions are closed first: the shardings are final after propagation.

    Spec: interchange, 3 and 8.1.
    """
    refuse_ops_left(module, "sharding text")
    unlike = ops_with(module, *_UNLIKE_OTHERS)
    make_groups_dense(module, unlike)
    texts = ExportedTexts(module, named=options.enable_hlo_sharding_v3, propagated=True)
    changed = False
    for func in funcs_in_modules(module):
        for entries in ENTRIES:
            changed |= _export_entries(func, entries, texts)
    for op in unlike:
        changed |= _export_op(op, texts)
    changed |= _export_plain(module, texts)
    if options.add_missing_sharding_to_control_flow:
        changed |= _complete_control_flow(module, named=options.enable_hlo_sharding_v3)
    wrap_texts(unlike)
    for op in top_level(module):
        if op.name == "sdy.mesh":
            op.erase()
            changed = True
    return None if changed else UNCHANGED


def _export_plain(module: ir.Operation, texts: ExportedTexts) -> bool:
    """Export ops with a sharding but no text, which repeat few shardings; return whether there are any."""
    written: dict[ir.Attribute, ir.Attribute] = {}

    def export(op: ir.Operation) -> None:
        stored = op.attributes
        shardings = stored.get(SHARDING)
        if shardings is not None:
            text = written.get(shardings)
            if text is None:
                text = written[shardings] = texts.of_attribute(shardings, op)
            stored[TEXT] = text
            del stored[SHARDING]

    for_each_below(module, export)
    return bool(written)


def _export_op(op: ir.Operation, texts: ExportedTexts) -> bool:
    """Return whether there is something to export about an op that may have more than a sharding."""
    stored = op.attributes
    shardings = stored.get(SHARDING)
    has_rule = SHARDING_RULE in stored
    if shardings is not None:
        # What stands in a manual computation has its text already.
        if TEXT not in stored:
            stored[TEXT] = texts.of_attribute(shardings, op)
        del stored[SHARDING]
    if has_rule:
        del stored[SHARDING_RULE]
    return has_rule or shardings is not None


def _export_entries(func: ir.Operation, entries: str, texts: ExportedTexts) -> bool:
    changed = entries_of(func, entries)
    found = [kept for kept in changed if SHARDING in kept]
    for kept in found:
        kept.setdefault(TEXT, texts.of_attribute(kept.pop(SHARDING), func))
    if found:
        put_entries(func, entries, changed)
    return bool(found)


def _complete_control_flow(module: ir.Operation, *, named: bool) -> bool:
    missing = [op for op in pre_order(module) if op.name in CONTROL_FLOW and TEXT not in op.attributes]
    for op in missing:
        op.attributes[TEXT] = ir.StringAttr.get(str(REPLICATED_ANYWHERE if named else REPLICATED))
    return bool(missing)


_BODY = "xla.sdy.inlinable_manual_computation_body"


@dataclass(frozen=True)
class ShardMapExportOptions:
    create_hlo_sharding_constraints: bool = option(
        True, "write the constraints around as calls of @Sharding, not as mhlo.copy"
    )
    enable_hlo_sharding_v3: bool = option(*shared.NAMES_OF_AXES_WRITTEN)


@pass_("xla-sdy-stablehlo-round-trip-shard-map-export", options=ShardMapExportOptions)
def stablehlo_round_trip_shard_map_export(module: ir.Operation, options: ShardMapExportOptions) -> object:
    """xla-sdy-stablehlo-round-trip-shard-map-export: Convert manual computations to calls and GSPMD conversions.

        %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>]
          manual_axes={"a"} (%a: tensor<4xf32>) { ... } : (tensor<8xf32>) -> tensor<8xf32>
    ==> %0 = stablehlo.custom_call @Sharding(%x) {sdy.sharding = ...} : (tensor<8xf32>) -> tensor<8xf32>
        %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} :
          (tensor<8xf32>) -> tensor<4xf32>
        %2 = call @xla.sdy.inlinable_manual_computation_body(%1) : (tensor<4xf32>) -> tensor<4xf32>
        %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<4xf32>
        %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {sdy.sharding = ...} : (tensor<4xf32>) -> tensor<8xf32>

    Every op of the body has the manual axes in its text.

    Spec: interchange, 5.2.
    """
    found = ops_named(module, MANUAL)  # those inside of others come first
    if not found:
        return UNCHANGED
    texts = ManualTexts(module, named=options.enable_hlo_sharding_v3)
    around = [texts.surroundings(op) for op in found]
    for at in around:
        texts.write_body(at)
    exporter = _ComputationExporter(texts, ModuleSymbols(module), options)
    for at in around:
        exporter.export(at)
    return None


@dataclass(frozen=True)
class _ComputationExporter:
    texts: ManualTexts
    symbols: ModuleSymbols
    options: ShardMapExportOptions

    def export(self, at: Surroundings) -> None:
        """Puts a call of the body, between conversions, in the place of the computation."""
        op = at.op
        ins, outs = (attributes.get(op, name) for name in ("in_shardings", "out_shardings"))
        block = op.regions[0].blocks[0]
        local_types = [argument.type for argument in block.arguments]
        local_results = [value.type for value in terminator(block).operands]
        operands = [
            self._to_local(operand, sharding, type_, at)
            for operand, sharding, type_ in zip(op.operands, ins, local_types, strict=True)
        ]
        local_ins, local_outs = (
            ShardingPerValue(tuple(self.texts.local(one, type_, at) for one, type_ in zip(given, types, strict=True)))
            for given, types in ((ins, local_types), (outs, local_results))
        )
        entries = {"arg_attrs": _entries(local_ins), "res_attrs": _entries(local_outs)}
        func = function_of_region(_BODY, op, "private", entries)
        name = self.symbols.insert(func)
        self.texts.write_entries(func, at)
        called = call(name, operands, local_results, op)
        if len(local_outs):
            attributes.put(called, SHARDING, local_outs)
            self.texts.write_op(called, at)
        for result, local, sharding in zip(op.results, called.results, outs, strict=True):
            result.replace_all_uses_with(self._to_global(local, sharding, result.type, at))
        op.erase()

    def _to_local(self, value: ir.Value, sharding: TensorSharding, type_: ir.Type, at: Surroundings) -> ir.Value:
        constraint = self._constraint(value, self.texts.outside(sharding, at), at)
        text = self.texts.inside(sharding, type_, at)
        return custom_call(FULL_TO_SHARD, [constraint], [type_], at.op, attributes={TEXT: text}).results[0]

    def _to_global(self, value: ir.Value, sharding: TensorSharding, type_: ir.Type, at: Surroundings) -> ir.Value:
        constraint = self._constraint(value, self.texts.inside(sharding, value.type, at), at)
        text = self.texts.outside(sharding, at)
        return custom_call(SHARD_TO_FULL, [constraint], [type_], at.op, attributes={TEXT: text}).results[0]

    def _constraint(self, value: ir.Value, text: ir.Attribute, at: Surroundings) -> ir.Value:
        if self.options.create_hlo_sharding_constraints:
            return custom_call(SHARDING_CALL, [value], [value.type], at.op, attributes={TEXT: text}).results[0]
        return ir.Operation.create(
            "mhlo.copy",
            results=[value.type],
            operands=[value],
            attributes={TEXT: text},
            loc=at.op.location,
            ip=ir.InsertionPoint(at.op),
        ).results[0]


def _entries(shardings: ShardingPerValue) -> ir.Attribute:
    """The attributes of arguments or results."""
    return ir.ArrayAttr.get([ir.DictAttr.get({SHARDING: attributes.attr_of(one)}) for one in shardings])
