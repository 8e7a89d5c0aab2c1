"""An exported program of several meshes as one program without meshes: the reference for runs.

    %1 = mpmd.fragment_call<mesh="m1", origin=["f"]> @p0_f.main(%0) : (!m1) -> !m1
    %2 = mpmd.transfer %1 : (!m1) -> !m2
==> %1 = func.call @p0_f.main(%0) : (tensor<4xf32>) -> tensor<4xf32>    // in place of %2, too
"""

from __future__ import annotations

from sdy.dialect.assembly import print_module
from sdy.dialect.mpmd.declarations import sharded_type
from sdy.dialect.shardings.attribute_shardings import remove_sdy_attributes
from sdy.mlir import ir
from sdy.mlir.functions import body, callee_name, is_return, main_function, module_body, top_level
from sdy.passes.mpmd.common.fragments import TRANSFER

_CALL = "mpmd.fragment_call"


def without_meshes(module: ir.Module) -> str:
    """Return an exported module's text with calls in place of fragments, without transfers and shardings.

    Args:
      module: it is not changed.
    """
    with module.context, ir.Location.unknown():
        main = main_function(module.operation)
        made = ir.Module.create()
        block = module_body(made.operation)
        with ir.InsertionPoint(block):
            for op in top_level(module):
                if op.name == "func.func" and op != main:
                    _bare(op.clone().operation)
            new = ir.Operation.create(
                "func.func",
                attributes={"sym_name": ir.StringAttr.get("main"), "function_type": _type_of(main)},
                regions=1,
            )
        _fill(new, main)
        return print_module(made)


def _bare(function: ir.Operation) -> None:
    """Drop the placement attributes of a fragment's function."""
    for name in ("mesh_shape", "reserved_hbm_bytes", "arg_attrs", "res_attrs"):
        if name in function.attributes:
            del function.attributes[name]
    remove_sdy_attributes(function)
    function.attributes["sym_visibility"] = ir.StringAttr.get("private")


def _type_of(main: ir.Operation) -> ir.Attribute:
    block = body(main)
    results = block.operations[len(block.operations) - 1].operation.operands
    inputs, outputs = ([sharded_type(value.type) for value in values] for values in (block.arguments, results))
    return ir.TypeAttr.get(ir.FunctionType.get(inputs, outputs))


def _fill(new: ir.Operation, main: ir.Operation) -> None:
    """Build the body of the main function."""
    old = body(main)
    block = new.regions[0].blocks.append(*(sharded_type(argument.type) for argument in old.arguments))
    known: dict[ir.Value, ir.Value] = dict(zip(old.arguments, block.arguments, strict=True))
    with ir.InsertionPoint(block):
        for view in old.operations:
            op = view.operation
            operands = [known[operand] for operand in op.operands]
            if is_return(op):
                ir.Operation.create("func.return", operands=operands)
            elif op.name == TRANSFER:
                known[op.results[0]] = operands[0]
            else:
                assert op.name == _CALL, "exported"
                call = ir.Operation.create(
                    "func.call",
                    results=[sharded_type(result.type) for result in op.results],
                    operands=operands,
                    attributes={"callee": ir.FlatSymbolRefAttr.get(callee_name(op))},
                    loc=op.location,
                )
                known |= dict(zip(op.results, call.results, strict=True))
