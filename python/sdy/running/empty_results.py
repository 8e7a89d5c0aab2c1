"""Results without elements, of which XLA makes constants: they are on all devices unless the program says otherwise."""

from __future__ import annotations

from typing import Any

from sdy.dialect.functions import main_function
from sdy.dialect.meshes import MeshTable
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.stored import result_shardings, set_result_sharding
from sdy.mlir import ir


def replicate_empty_results(module: Any) -> None:
    """Has all devices hold the results of the main function without elements of whose sharding nothing is said."""
    found = MeshTable(module).global_mesh()
    if found is None:
        return
    main = main_function(module.operation)
    types = main.attributes["function_type"].value.results
    for number, (type_, sharding) in enumerate(zip(types, result_shardings(main), strict=True)):
        if sharding is None and isinstance(type_, ir.RankedTensorType) and 0 in type_.shape:
            set_result_sharding(main, number, TensorSharding.closed(found[0], type_.rank))
