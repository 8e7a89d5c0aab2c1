"""xla-sdy-round-trip-shard-map-export: manual computations become calls of functions between changes of shape.

    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"}
      (%a: tensor<4xf32>) { ... } : (tensor<8xf32>) -> tensor<8xf32>
==> %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x) {mhlo.frontend_attributes =
      {xla.sdy.in_shardings = "...", xla.sdy.manual_axes = "#sdy<manual_axes{\\22a\\22}>"}} :
      (tensor<8xf32>) -> tensor<4xf32>
    %1 = call @xla.sdy.manual_computation_body(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%1) {...} : (tensor<4xf32>) -> tensor<8xf32>

With `enable-hlo-sharding-v3` sharding text says the same: that of the operands on a @Sharding call for each of them,
manual axes on what is local.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sdy.dialect.definition import attributes
from sdy.dialect.values.lists import ManualAxes, ShardingPerValue
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.functions import ModuleSymbols
from sdy.mlir.search import ops_named
from sdy.passes.interchange import strings
from sdy.passes.interchange.custom_calls import FRONTEND, SHARDING_CALL
from sdy.passes.interchange.exporting.building import call, custom_call, function_of_region
from sdy.passes.interchange.exporting.exported_texts import ExportedTexts
from sdy.passes.interchange.sites import TEXT
from sdy.passes.registry import UNCHANGED, pass_
from sdy.passes.shared_options import NamedTextWritten


@pass_("xla-sdy-round-trip-shard-map-export", options=NamedTextWritten)
def round_trip_shard_map_export(module: ir.Operation, options: NamedTextWritten) -> object:
    """Spec: interchange, 6 and 7."""
    symbols = ModuleSymbols(module)
    form = _Named(ExportedTexts(module, named=True)) if options.enable_hlo_sharding_v3 else _Strings()
    found = ops_named(module, "sdy.manual_computation")
    for op in found:
        _export(op, symbols, form)
    return None if found else UNCHANGED


class _Strings:
    """Shardings and manual axes in frontend attributes of the changes of shape."""

    def operands(self, computation: ManualComputation) -> Sequence[ir.Value]:
        return list(computation.op.operands)

    def before(self, computation: ManualComputation) -> Attributes:
        return self._entries(strings.IN_SHARDINGS, computation.ins, computation.manual)

    def call(self, computation: ManualComputation) -> Attributes:
        return {}

    def behind(self, computation: ManualComputation) -> Attributes:
        return self._entries(strings.OUT_SHARDINGS, computation.outs, computation.manual)

    def _entries(self, key: str, shardings: ShardingPerValue, manual: ManualAxes) -> Attributes:
        entries = {key: strings.string_of(shardings), strings.MANUAL_AXES: strings.string_of(manual)}
        return {FRONTEND: ir.DictAttr.get(entries)}


@dataclass(frozen=True)
class _Named:
    """Sharding text, on constraints in front of the changes of shape as well."""

    texts: ExportedTexts

    def operands(self, computation: ManualComputation) -> Sequence[ir.Value]:
        op = computation.op
        return [
            custom_call(
                SHARDING_CALL, [value], [value.type], op, side_effect=True, attributes=self._text([one], op)
            ).results[0]
            for value, one in zip(op.operands, computation.ins, strict=True)
        ]

    def before(self, computation: ManualComputation) -> Attributes:
        return self._local(computation.ins, computation)

    def call(self, computation: ManualComputation) -> Attributes:
        return self._local(computation.outs, computation) if len(computation.outs) else {}

    def behind(self, computation: ManualComputation) -> Attributes:
        return self._text(list(computation.outs), computation.op)

    def _local(self, shardings: ShardingPerValue, computation: ManualComputation) -> Attributes:
        names = computation.manual.names
        return self._text([sharding.erase_manual_axes(names) for sharding in shardings], computation.op, names)

    def _text(self, shardings: Sequence[TensorSharding], at: ir.Operation, manual: Sequence[str] = ()) -> Attributes:
        return {TEXT: self.texts.text(shardings, at, manual)}


@dataclass(frozen=True)
class ManualComputation:
    """A manual computation and what it says of its operands, results and axes."""

    op: ir.Operation
    ins: ShardingPerValue
    outs: ShardingPerValue
    manual: ManualAxes

    @staticmethod
    def of(op: ir.Operation) -> ManualComputation:
        ins, outs = (attributes.get(op, name) for name in ("in_shardings", "out_shardings"))
        return ManualComputation(op, ins, outs, attributes.get(op, "manual_axes"))


Attributes = Mapping[str, ir.Attribute]


def _export(op: ir.Operation, symbols: ModuleSymbols, form: _Strings | _Named) -> None:
    computation = ManualComputation.of(op)
    block = op.regions[0].blocks[0]
    local_types = [argument.type for argument in block.arguments]
    *_, terminator = block.operations
    local_results = [value.type for value in terminator.operation.operands]
    name = symbols.insert(function_of_region(strings.BODY, op, None))
    operands: Sequence[ir.Value] = ()
    if local_types:
        given, around = form.operands(computation), form.before(computation)
        operands = custom_call(
            strings.GLOBAL_TO_LOCAL, given, local_types, op, side_effect=True, attributes=around
        ).results
    called = call(name, list(operands), local_results, op)
    entries: dict[str, ir.Attribute] = {"inlineable": ir.StringAttr.get("xla_late")}
    if not local_types and not local_results:  # no change of shape says the manual axes
        entries[strings.MANUAL_AXES] = strings.string_of(computation.manual)
    called.attributes[FRONTEND] = ir.DictAttr.get(entries)
    for key, attribute in form.call(computation).items():
        called.attributes[key] = attribute
    if local_results:
        types, around = [result.type for result in op.results], form.behind(computation)
        behind = custom_call(strings.LOCAL_TO_GLOBAL, called.results, types, op, side_effect=True, attributes=around)
        for old, new in zip(op.results, behind.results, strict=True):
            old.replace_all_uses_with(new)
    op.erase()
