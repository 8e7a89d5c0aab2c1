"""sdy-replicate-empty-results: results without elements are on all devices unless the program says otherwise.

    func.func @main(...) -> tensor<0xf32>
==> func.func @main(...) -> (tensor<0xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})

XLA makes constants of them.
"""

from __future__ import annotations

from sdy.dialect.shardings.attribute_shardings import result_shardings, set_result_sharding
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.functions import main_function
from sdy.passes.registry import pass_


@pass_("sdy-replicate-empty-results")
def replicate_empty_results(module: ir.Operation) -> None:
    found = MeshTable(module).global_mesh()
    if found is None:
        return
    main = main_function(module)
    types = main.attributes["function_type"].value.results
    for number, (type_, sharding) in enumerate(zip(types, result_shardings(main), strict=True)):
        if sharding is None and isinstance(type_, ir.RankedTensorType) and 0 in type_.shape:
            set_result_sharding(main, number, TensorSharding.closed(found[0], type_.rank))
