"""Who uses a value gets another one instead."""

from __future__ import annotations

import sdy
from sdy.dialect.ir_builders.with_sharding import replace_resharded
from sdy.dialect.shardings.value_shardings import get_sharding

PROGRAM = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %new = stablehlo.abs %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : tensor<8xf32>
  %before = stablehlo.negate %arg0 : tensor<8xf32>
  %old = stablehlo.exponential %before {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  %resharded = sdy.reshard %old <@mesh, [{}]> : tensor<8xf32>
  %used = stablehlo.sine %old {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  return %resharded, %used : tensor<8xf32>, tensor<8xf32>
}
"""


def test_users_that_do_not_reshard_get_the_sharding_they_had() -> None:
    module = sdy.parse(PROGRAM)
    ops = {op.operation.name: op.operation for op in module.body.operations[1].regions[0].blocks[0].operations}
    new, old = ops["stablehlo.abs"], ops["stablehlo.exponential"]
    wanted = get_sharding(old.results[0])
    assert wanted is not None
    with module.context:
        replace_resharded(old, new.results[0], wanted)
    assert ops["sdy.reshard"].operands[0] == new.results[0]
    reshard = ops["stablehlo.sine"].operands[0].owner
    assert (reshard.name, reshard.operands[0]) == ("sdy.reshard", new.results[0])
    assert get_sharding(reshard.results[0]) == wanted
    assert "stablehlo.negate" not in str(module)
