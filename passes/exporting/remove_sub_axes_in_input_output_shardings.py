"""sdy-remove-sub-axes-in-input-output-shardings: cuts open dimensions of the main function's shardings at sub-axes.

Propagation may have put parts of axes on arguments and results; the caller of a program cannot place such shards.

    func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x":(1)2, ?}]>}) { ... }
==> func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", ?}]>}) { ... }
"""

from __future__ import annotations

from itertools import takewhile

from sdy.dialect.shardings.attribute_shardings import (
    arg_shardings,
    result_shardings,
    set_arg_sharding,
    set_result_sharding,
)
from sdy.dialect.values.sharding import DimensionSharding, TensorSharding
from sdy.mlir import ir
from sdy.mlir.functions import funcs, main_function
from sdy.passes.registry import pass_


@pass_("sdy-remove-sub-axes-in-input-output-shardings")
def remove_sub_axes_in_input_output_shardings(module: ir.Operation) -> None:
    """Closed dimensions are the user's choice and stay (spec: export-passes, 3.8)."""
    if not funcs(module):
        return
    main = main_function(module)
    for shardings, put in ((arg_shardings(main), set_arg_sharding), (result_shardings(main), set_result_sharding)):
        for index, sharding in enumerate(shardings):
            if sharding is not None and (cut := _cut(sharding)) != sharding:
                put(main, index, cut)


def _cut(sharding: TensorSharding) -> TensorSharding:
    return sharding.with_dims(map(_cut_dim, sharding.dims))


def _cut_dim(dim: DimensionSharding) -> DimensionSharding:
    if dim.is_closed:
        return dim
    return dim.with_axes(takewhile(lambda axis: axis.sub_axis is None, dim.axes))
