"""sdy-add-func-data-flow-edges: an sdy.func_data_flow_edge per function argument and call result.

    %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
==> %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = sdy.func_data_flow_edge %0 : tensor<8xf32>
    return %1 : tensor<8xf32>
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect import builders
from sdy.dialect.op_properties import is_static_shaped
from sdy.dialect.shardings.value_shardings import arg_shardings, op_shardings, set_op_shardings
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.functions import body, calls_in, has_body, main_function
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_


@pass_("sdy-add-func-data-flow-edges", on="builtin.module")
def add_func_data_flow_edges(module: ir.Operation) -> None:
    """Spec: import-passes, 5.2. Arguments of the main function get no edges."""
    main = main_function(module)
    for func in ops_named(module, "func.func"):  # those of nested modules, too
        if func != main and has_body(func):
            block = body(func)
            _add_edges(list(block.arguments), arg_shardings(func), ir.InsertionPoint.at_block_begin(block))
    for call in calls_in(module):
        results = list(call.results)
        if results:
            _add_edges(results, op_shardings(call) or [None] * len(results), ir.InsertionPoint.after(call))


def _add_edges(values: Sequence[ir.Value], shardings: Sequence[TensorSharding | None], ip: ir.InsertionPoint) -> None:
    for value, sharding in zip(values, shardings, strict=True):
        if is_static_shaped(value.type):
            edge = builders.func_data_flow_edge(value, loc=value.location, ip=ip)
            op = edge.owner.operation
            value.replace_all_uses_except(edge, [op])
            if sharding is not None:
                set_op_shardings(op, [sharding])
