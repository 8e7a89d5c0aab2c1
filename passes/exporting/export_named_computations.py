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

from sdy.dialect.attributes import SHARDING, attr_of
from sdy.dialect.data_flow import interface
from sdy.dialect.functions import ORIGINAL_NAME, ModuleSymbols
from sdy.dialect.search import ops_named
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.stored import set_op_shardings
from sdy.mlir import ir
from sdy.passes.exporting.edges import erase_edges, shardings_on_edges
from sdy.passes.exporting.function_attributes import ARGUMENTS
from sdy.passes.exporting.insertion import before, terminator
from sdy.passes.registry import pass_

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
    flow = interface(op)
    assert flow is not None
    block = op.regions[0].blocks[0]
    in_shardings = shardings_on_edges(flow.block_arg_owners()) or flow.block_arg_shardings()
    out_shardings = shardings_on_edges(flow.result_owners()) or flow.result_shardings()
    erase_edges(block.arguments)
    func = _function(op, in_shardings)
    block.append_to(func.regions[0])
    _return_from_function(block)
    return _call(op, symbols.insert(func), out_shardings)


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
