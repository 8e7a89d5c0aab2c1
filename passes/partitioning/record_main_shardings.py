"""sdy-record-main-shardings: notes how the arguments and results of @main are sharded, for whoever runs the program.

    func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
==> module attributes {sdy.parameters_shardings = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x"}]>]>, ...}

sdy-convert-global-to-local does the same at its end of the pipeline, if it has not been done. By then a reversed
dimension may have brought in a mesh with the devices in another order, which would stand for values without a sharding.
"""

from __future__ import annotations

from sdy.dialect.shardings.value_shardings import RECORDED, store_main_shardings
from sdy.mlir import ir
from sdy.passes.registry import pass_


@pass_("sdy-record-main-shardings")
def record_main_shardings(module: ir.Operation) -> None:
    store_main_shardings(module)
    module.attributes[RECORDED] = ir.UnitAttr.get()
