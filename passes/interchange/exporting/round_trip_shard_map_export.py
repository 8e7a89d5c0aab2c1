"""xla-sdy-round-trip-shard-map-export: manual computations become calls of functions between changes of shape.

    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"}
      (%a: tensor<4xf32>) { ... } : (tensor<8xf32>) -> tensor<8xf32>
==> %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x) {mhlo.frontend_attributes =
      {xla.sdy.in_shardings = "...", xla.sdy.manual_axes = "#sdy<manual_axes{\\22a\\22}>"}} :
      (tensor<8xf32>) -> tensor<4xf32>
    %1 = call @xla.sdy.manual_computation_body(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%1) {...} : (tensor<4xf32>) -> tensor<8xf32>
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect import attributes
from sdy.dialect.functions import ModuleSymbols
from sdy.dialect.lists import ManualAxes, ShardingPerValue
from sdy.dialect.search import ops_named
from sdy.mlir import ir
from sdy.passes.interchange import strings
from sdy.passes.interchange.custom_calls import FRONTEND
from sdy.passes.interchange.exporting.building import call, custom_call, function_of_region
from sdy.passes.registry import UNCHANGED, pass_


@pass_("xla-sdy-round-trip-shard-map-export")
def round_trip_shard_map_export(module: ir.Operation) -> object:
    """Spec: interchange, 6 and 7."""
    symbols = ModuleSymbols(module)
    found = ops_named(module, "sdy.manual_computation")
    for op in found:
        _export(op, symbols)
    return None if found else UNCHANGED


def _export(op: ir.Operation, symbols: ModuleSymbols) -> None:
    block = op.regions[0].blocks[0]
    ins, outs = (attributes.get(op, name) for name in ("in_shardings", "out_shardings"))
    manual: ManualAxes = attributes.get(op, "manual_axes")
    local_types = [argument.type for argument in block.arguments]
    *_, terminator = block.operations
    local_results = [value.type for value in terminator.operation.operands]
    func = function_of_region(strings.BODY, op, None)
    name = symbols.insert(func)
    operands: Sequence[ir.Value] = ()
    if local_types:
        entries = _entries(strings.IN_SHARDINGS, ins, manual)
        before = custom_call(strings.GLOBAL_TO_LOCAL, op.operands, local_types, op, side_effect=True, frontend=entries)
        operands = before.results
    called = call(name, list(operands), local_results, op)
    called.attributes[FRONTEND] = ir.DictAttr.get({"inlineable": ir.StringAttr.get("xla_late")})
    if local_results:
        entries = _entries(strings.OUT_SHARDINGS, outs, manual)
        types = [result.type for result in op.results]
        behind = custom_call(strings.LOCAL_TO_GLOBAL, called.results, types, op, side_effect=True, frontend=entries)
        for old, new in zip(op.results, behind.results, strict=True):
            old.replace_all_uses_with(new)
    op.erase()


def _entries(key: str, shardings: ShardingPerValue, manual: ManualAxes) -> dict[str, ir.Attribute]:
    return {key: strings.string_of(shardings), strings.MANUAL_AXES: strings.string_of(manual)}
