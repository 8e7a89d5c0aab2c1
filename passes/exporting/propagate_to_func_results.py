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

from sdy.dialect.shardings.attribute_shardings import result_sharding, result_shardings, set_result_sharding
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.functions import funcs, has_body, is_return, main_function
from sdy.mlir.rewriting.insertion import terminator
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
        returned = _returned_shardings(func, meshes)[: len(result_shardings(func))]
        for index, sharding in enumerate(returned):
            if func != main or (sharding is not None and result_sharding(func, index) is None):
                set_result_sharding(func, index, sharding)


def _returned_shardings(func: ir.Operation, meshes: MeshTable) -> list[TensorSharding | None]:
    """The shardings of what `func` returns; none for a result of which its blocks return differently sharded values."""
    terminators = [terminator(block) for block in func.regions[0].blocks]
    returned = [[_sharding(value, meshes) for value in last.operands] for last in terminators if is_return(last)]
    # Only an op of an unknown dialect may return more or fewer values than the function.
    return [each[0] if each.count(each[0]) == len(each) else None for each in zip(*returned, strict=False)]


def _sharding(value: ir.Value, meshes: MeshTable) -> TensorSharding | None:
    sharding = get_sharding(value)
    mesh = None if sharding is None else meshes.of(sharding)
    return None if mesh is not None and mesh.is_maximal else sharding
