"""Constants, custom calls and free variables of loops on their way from XLA."""

from __future__ import annotations

import re
from collections.abc import Callable

from sdy.dialect import builders
from sdy.dialect.shardings.attribute_shardings import op_shardings
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, Faults
from sdy.mlir.rewriting import At, replace
from sdy.mlir.search import ops_named
from sdy.mlir.walk import pre_order
from sdy.passes import options as shared
from sdy.passes.interchange.importing.xla_forms import with_open_dims
from sdy.passes.interchange.sites import CUSTOM_CALL, frontend_string, target_of
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_
from sdy.passes.steps import FUNCTION


@pass_("xla-sdy-import-constants", on=FUNCTION)
def import_constants(func: ir.Operation) -> object:
    """xla-sdy-import-constants: Replace constants by those of the dialect.

        %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
    ==> %0 = sdy.constant dense<1.0> : tensor<8xf32>

    Spec: interchange, 8.1.
    """
    found = ops_named(func, "stablehlo.constant")
    for op in found:
        value = builders.constant(op.attributes["value"], loc=op.location, ip=ir.InsertionPoint(op))
        for entry in op.attributes:
            name = entry if isinstance(entry, str) else entry.name
            if name != "value":
                value.owner.attributes[name] = op.attributes[name]
        replace(op, [value])
    return None if found else UNCHANGED


@dataclass(frozen=True)
class Options:
    sharding_calls: tuple[str, ...] = option(*shared.SHARDING_CALLS)


@pass_("xla-sdy-import-sdy-custom-calls", options=Options)
def import_sdy_custom_calls(module: ir.Operation, options: Options) -> object:
    """xla-sdy-import-sdy-custom-calls: Replace XLA's custom calls about shardings by ops of the dialect.

        %0 = stablehlo.custom_call @Sharding(%x) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>,
          backend_config = "unspecified_dims=[1]"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
        stablehlo.custom_call @xla.sdy.ShardingGroup(%0) {has_side_effect = true,
          mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "1 : i64"}} : (tensor<8x8xf32>) -> ()
    ==> %0 = sdy.sharding_constraint %x <@mesh, [{"a"}, {?}]> : tensor<8x8xf32>
        sdy.sharding_group %0 group_id=1 : tensor<8x8xf32>

    Spec: interchange, 5.1, 5.3 and 6.
    """
    importers = {**_IMPORTERS, **dict.fromkeys(options.sharding_calls, _constraint)}
    calls = [(op, target_of(op)) for op in ops_named(module, CUSTOM_CALL)]
    with Faults() as faults:
        for op, target in calls:
            if target.startswith("xla.sdy.") and target not in importers:
                with faults.one():
                    raise DiagnosticError(op, f"calls @{target}, which is not a form of sharding")
    found = [op for op, target in calls if target in importers]
    for op in found:
        importers[target_of(op)](op)
    return None if found else UNCHANGED


def _constraint(op: ir.Operation) -> None:
    operand, shardings = _operand(op), op_shardings(op)
    if shardings is None:
        raise DiagnosticError(op, "expected a sharding on this custom call")
    _replace(op, builders.sharding_constraint(operand, with_open_dims(op, shardings[0]), **_place(op)))


def _group(op: ir.Operation) -> None:
    group_id = _integer(op, "xla.sdy.sharding_group_id", "a group id")
    for operand in op.operands:
        builders.sharding_group(operand, group_id, **_place(op))
    for result in op.results:
        if any(True for _ in result.uses):
            raise DiagnosticError(op, "the result of a sharding group is used")
    op.erase()


def _barrier(op: ir.Operation) -> None:
    direction = _integer(op, "xla.sdy.allowed_direction", "an allowed direction")
    if direction not in range(len(_DIRECTIONS)):
        raise DiagnosticError(op, f"allowed direction {direction} is not in 0 to {len(_DIRECTIONS) - 1}")
    _replace(op, builders.propagation_barrier(_operand(op), _DIRECTIONS[direction], **_place(op)))


_DIRECTIONS = ("NONE", "FORWARD", "BACKWARD", "BOTH")


def _shard_barrier(op: ir.Operation) -> None:
    """Import a barrier of GSPMD, which stops propagation from or to its operand."""
    direction = "BACKWARD" if target_of(op) == _BARRIER_FROM else "FORWARD"
    _replace(op, builders.propagation_barrier(_operand(op), direction, **_place(op)))


def _operand(op: ir.Operation) -> ir.Value:
    if len(op.operands) != 1 or len(op.results) != 1:
        raise DiagnosticError(op, f"@{target_of(op)} takes one value and returns it")
    return op.operands[0]


def _integer(op: ir.Operation, key: str, what: str) -> int:
    """The integer that a frontend attribute holds as text."""
    text = frontend_string(op, key)
    found = re.fullmatch(r"\s*(\d{1,18})\s*(?::\s*i\d+)?\s*", text or "")
    if found is None:
        raise DiagnosticError(op, f"expected {what} in the frontend attribute '{key}'")
    return int(found[1])


def _replace(op: ir.Operation, value: ir.Value) -> None:
    if value.type != op.results[0].type:
        raise DiagnosticError(op, f"@{target_of(op)} changes the type of its operand")
    replace(op, [value])


def _place(op: ir.Operation) -> At:
    return {"loc": op.location, "ip": ir.InsertionPoint(op)}


_BARRIER_FROM, _BARRIER_TO = "ShardBarrierFrom", "ShardBarrierTo"

_IMPORTERS: dict[str, Callable[[ir.Operation], None]] = {
    "Sharding": _constraint,
    "xla.sdy.ShardingGroup": _group,
    "xla.sdy.PropagationBarrier": _barrier,
    _BARRIER_FROM: _shard_barrier,
    _BARRIER_TO: _shard_barrier,
}


@pass_("xla-sdy-open-while-free-vars-sharding", on=FUNCTION)
def open_while_free_vars_sharding(func: ir.Operation) -> object:
    """xla-sdy-open-while-free-vars-sharding: Let values that a loop captures be sharded differently inside it.

        %0 = sdy.sharding_constraint %x <@mesh, [{"a"}]> : tensor<8xf32>
        stablehlo.while(...) do { ... stablehlo.add %arg, %0 ... }
    ==> %0 = sdy.sharding_constraint %x <@mesh, [{"a"}]> : tensor<8xf32>
        %1 = sdy.sharding_constraint %0 <@mesh, [{?}]> : tensor<8xf32>
        stablehlo.while(...) do { ... stablehlo.add %arg, %1 ... }

    A value made by an open constraint needs no other one, so that export and import restore the module.

    Spec: interchange, 6.1.
    """
    changed = False
    for loop in ops_named(func, "stablehlo.while"):
        changed |= _open(loop)
    return None if changed else UNCHANGED


def _open(loop: ir.Operation) -> bool:
    """Open the shardings of values captured by the regions of `loop`; return whether there were any."""
    opened: dict[ir.Value, ir.Value] = {}
    nested = [op for op in pre_order(loop) if op != loop]
    inside = {result for op in nested for result in op.results}
    inside |= {a for op in (loop, *nested) for region in op.regions for block in region.blocks for a in block.arguments}
    for op in nested:
        for number, value in enumerate(op.operands):
            if value in inside:
                continue
            sharding = get_sharding(value)
            if sharding is None:
                continue
            anything = TensorSharding.open(sharding.mesh_or_ref, sharding.rank)
            if sharding == anything and _is_constraint(value):
                continue
            if value not in opened:
                opened[value] = builders.sharding_constraint(
                    value, anything, loc=loop.location, ip=ir.InsertionPoint(loop)
                )
            op.operands[number] = opened[value]
    return bool(opened)


def _is_constraint(value: ir.Value) -> bool:
    return isinstance(value, ir.OpResult) and value.owner.operation.name == "sdy.sharding_constraint"
