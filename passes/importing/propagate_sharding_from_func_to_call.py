"""sdy-propagate-sharding-from-func-to-call: a call without shardings takes the result shardings of its callee.

    %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    func.func private @f(tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>})
==> %0 = call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
"""

from __future__ import annotations

from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import filled_result_shardings, set_op_shardings
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.functions import ModuleSymbols, calls_in, symbol_name
from sdy.passes.registry import pass_


@pass_("sdy-propagate-sharding-from-func-to-call", on="builtin.module")
def propagate_sharding_from_func_to_call(module: ir.Operation) -> None:
    """Spec: import-passes, 4.3."""
    symbols, meshes = ModuleSymbols(module), MeshTable(module)
    of_function: dict[str, list[TensorSharding] | None] = {}
    for call in calls_in(module):
        if SHARDING in call.attributes:
            continue
        callee = symbols.callee(call)
        name = symbol_name(callee)
        if name not in of_function:
            of_function[name] = filled_result_shardings(callee, meshes)
        if of_function[name] is not None:
            set_op_shardings(call, of_function[name])
