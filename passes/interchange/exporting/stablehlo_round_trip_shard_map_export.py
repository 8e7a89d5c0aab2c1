"""xla-sdy-stablehlo-round-trip-shard-map-export: manual computations become calls between GSPMD's conversions.

    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"}
      (%a: tensor<4xf32>) { ... } : (tensor<8xf32>) -> tensor<8xf32>
==> %0 = stablehlo.custom_call @Sharding(%x) {sdy.sharding = ...} : (tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} :
      (tensor<8xf32>) -> tensor<4xf32>
    %2 = call @xla.sdy.inlinable_manual_computation_body(%1) : (tensor<4xf32>) -> tensor<4xf32>
    %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<4xf32>
    %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {sdy.sharding = ...} : (tensor<4xf32>) -> tensor<8xf32>

Every op of the body says which axes are manual there.
"""

from __future__ import annotations

from dataclasses import dataclass

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.values.lists import ShardingPerValue
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.functions import ModuleSymbols
from sdy.mlir.rewriting.insertion import terminator
from sdy.mlir.search import ops_named
from sdy.passes import shared_options as shared
from sdy.passes.interchange.custom_calls import FULL_TO_SHARD, SHARD_TO_FULL, SHARDING_CALL
from sdy.passes.interchange.exporting.building import call, custom_call, function_of_region
from sdy.passes.interchange.exporting.manual_texts import MANUAL, ManualTexts, Surroundings
from sdy.passes.interchange.sites import TEXT
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_

_BODY = "xla.sdy.inlinable_manual_computation_body"


@dataclass(frozen=True)
class Options:
    create_hlo_sharding_constraints: bool = option(
        True, "write the constraints around as calls of @Sharding, not as mhlo.copy"
    )
    enable_hlo_sharding_v3: bool = option(*shared.NAMES_OF_AXES_WRITTEN)


@pass_("xla-sdy-stablehlo-round-trip-shard-map-export", options=Options)
def stablehlo_round_trip_shard_map_export(module: ir.Operation, options: Options) -> object:
    """Spec: interchange, 5.2."""
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
    options: Options

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
