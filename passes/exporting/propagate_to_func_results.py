"""sdy-propagate-to-func-results: a function result is sharded like the value that is returned.

    func.func private @g(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
      return %arg0 : tensor<8xf32>
    }
==> func.func private @g(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
        -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
      return %arg0 : tensor<8xf32>
    }
"""

from __future__ import annotations

from sdy.dialect.functions import body, funcs, has_body, main_function
from sdy.dialect.meshes import MeshTable
from sdy.dialect.stored import result_sharding, set_result_sharding
from sdy.dialect.values import get_sharding
from sdy.mlir import ir
from sdy.passes.exporting.insertion import terminator
from sdy.passes.registry import pass_


@pass_("sdy-propagate-to-func-results")
def propagate_to_func_results(module: ir.Operation) -> None:
    """The main function keeps the result shardings that it has (spec: export-passes, 4.3).

    A value on a single device counts as one without a sharding: no function may return such a value.
    """
    defined = [func for func in funcs(module) if has_body(func)]
    if not defined:
        return
    main = main_function(module)
    meshes = MeshTable(module)
    for func in defined:
        for index, value in enumerate(terminator(body(func)).operands):
            sharding = get_sharding(value)
            mesh = None if sharding is None else meshes.of(sharding)
            if mesh is not None and mesh.is_maximal:
                sharding = None
            if func != main or (sharding is not None and result_sharding(func, index) is None):
                set_result_sharding(func, index, sharding)
