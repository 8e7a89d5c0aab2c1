"""sdy-export-named-computations: named computations become functions and calls again.

    %0 = sdy.named_computation<"g">(%arg0) (%arg1: tensor<8xf32>) {
      sdy.return %arg1 : tensor<8xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
==> %0 = call @g(%arg0) : (tensor<8xf32>) -> tensor<8xf32>

    func.func private @g(%arg0: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "g"} {
      return %arg0 : tensor<8xf32>
    }
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.definition.attributes import SHARDING, attr_of
from sdy.dialect.shardings.attribute_shardings import set_op_shardings
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.function_attributes import ARGUMENTS
from sdy.mlir.functions import ORIGINAL_NAME, ModuleSymbols
from sdy.mlir.rewriting.insertion import before, terminator
from sdy.mlir.search import ops_named
from sdy.passes.exporting.named_computations.computation_plan import plan_of_computations
from sdy.passes.exporting.named_computations.computation_reader import computations_in, outer_shardings
from sdy.passes.exporting.sinking import erase_edges
from sdy.passes.registry import Parts, pass_, shortcut, step

_THREAD = "execution_thread"
_INHERENT = ("name", "in_shardings", "out_shardings", _THREAD)


@pass_("sdy-export-named-computations")
def export_named_computations(module: ir.Operation) -> None:
    """Every computation gets a private function of its own at the end of the module (spec: export-passes, 4.1)."""
    symbols = ModuleSymbols(module)
    calls = [_export(op, symbols) for op in ops_named(module, "sdy.named_computation")]
    for call in calls:
        erase_edges(call.results)


def _export(op: ir.Operation, symbols: ModuleSymbols) -> ir.Operation:
    """Replaces the computation by a call of a new function, which is returned."""
    in_shardings, out_shardings = outer_shardings(op)
    return _call(op, symbols.insert(_take_body(op, in_shardings)), out_shardings)


@shortcut(
    step("sdy-export-named-computations"),
    step("sdy-propagate-to-func-results"),
    step("sdy-unflatten-call-graph"),
    step("symbol-dce"),
)
def _export_different_ones(module: ir.Operation, parts: Parts) -> bool:
    """Makes no functions of computations that `sdy-unflatten-call-graph` would merge with an earlier one."""
    computations = computations_in(module)
    if not computations:
        return False
    symbols = ModuleSymbols(module)
    calls: list[ir.Operation] = []
    for each in plan_of_computations(module, computations, symbols):
        computation = each.computation
        if each.is_kept:
            func = _take_body(computation.op, computation.in_shardings)
            func.attributes["sym_name"] = ir.StringAttr.get(each.name)
            symbols.insert_reserved(func)
        if each.is_called:
            calls.append(_call(computation.op, each.callee, computation.out_shardings))
    for call in calls:
        erase_edges(call.results)
    for part in parts[1:]:
        part()
    return True


def _take_body(op: ir.Operation, in_shardings: Sequence[TensorSharding] | None) -> ir.Operation:
    """A function, not in the module yet, that gets the body of a computation."""
    block = op.regions[0].blocks[0]
    erase_edges(block.arguments)
    func = _function(op, in_shardings)
    block.append_to(func.regions[0])
    _return_from_function(block)
    return func


def _function(op: ir.Operation, in_shardings: Sequence[TensorSharding] | None) -> ir.Operation:
    """A private function, without a body and not in the module yet, named after the computation."""
    name = op.attributes["name"]
    arguments = [argument.type for argument in op.regions[0].blocks[0].arguments]
    attributes = {
        "sym_name": name,
        "sym_visibility": ir.StringAttr.get("private"),
        "function_type": ir.TypeAttr.get(ir.FunctionType.get(arguments, [result.type for result in op.results])),
        ORIGINAL_NAME: name,
    }
    if _THREAD in op.attributes:
        attributes[_THREAD] = op.attributes[_THREAD]
    if in_shardings is not None and arguments:
        entries = [ir.DictAttr.get({SHARDING: attr_of(sharding)}) for sharding in in_shardings]
        attributes[ARGUMENTS] = ir.ArrayAttr.get(entries)
    return ir.Operation.create("func.func", attributes=attributes, regions=1, loc=op.location, ip=False)


def _return_from_function(block: ir.Block) -> None:
    """Turns the `sdy.return` at the end of `block` into a `return`."""
    old = terminator(block)
    ir.Operation.create("func.return", operands=list(old.operands), loc=old.location, ip=before(old))
    old.erase()


def _call(op: ir.Operation, callee: str, out_shardings: Sequence[TensorSharding] | None) -> ir.Operation:
    """Replaces the computation `op`, whose body is gone, by a call."""
    attributes = {name: attr for name, attr in op.attributes.items() if name not in _INHERENT}
    call = ir.Operation.create(
        "func.call",
        results=[result.type for result in op.results],
        operands=list(op.operands),
        attributes={"callee": ir.FlatSymbolRefAttr.get(callee), **attributes},
        loc=op.location,
        ip=before(op),
    )
    if out_shardings is not None:
        set_op_shardings(call, out_shardings)
    for old, new in zip(op.results, call.results, strict=True):
        old.replace_all_uses_with(new)
    op.erase()
    return call
