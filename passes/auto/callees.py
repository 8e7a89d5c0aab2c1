"""Shardings of arguments and results of functions that are called, where calls are inlined."""

from __future__ import annotations

from sdy.dialect import builders
from sdy.dialect.shardings.attribute_shardings import arg_shardings, result_shardings
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.functions import body, funcs, has_body, main_function
from sdy.mlir.rewriting.insertion import terminator


def constrain_callees(module: ir.Operation) -> None:
    """Makes constraints of the shardings of all functions but the main one, so that they outlive the functions."""
    main = main_function(module)
    for function in funcs(module):
        if function == main or not has_body(function):
            continue
        block = body(function)
        for argument, sharding in zip(list(block.arguments), arg_shardings(function), strict=True):
            if sharding is not None:
                _constrain_argument(argument, sharding, block)
        end = terminator(block)
        for place, sharding in enumerate(result_shardings(function)):
            if sharding is not None:
                at = ir.InsertionPoint(end)
                value = end.operands[place]
                end.operands[place] = builders.sharding_constraint(value, sharding, loc=end.location, ip=at)


def _constrain_argument(argument: ir.Value, sharding: TensorSharding, block: ir.Block) -> None:
    users = [(use.owner.operation, use.operand_number) for use in argument.uses]
    start = ir.InsertionPoint.at_block_begin(block)
    constrained = builders.sharding_constraint(argument, sharding, loc=argument.location, ip=start)
    for user, place in users:
        user.operands[place] = constrained
