"""A small network as text, with the names that JAX would give its ops: `layers(4)` has four equal layers."""

from __future__ import annotations

MESH = '"data"=4, "model"=2'
TALL = '[{"model"}, {}]'
WIDE = '[{}, {"model"}]'


def layers(count: int, first: str = WIDE, second: str = TALL, *, name: str = "layer", mesh: str = MESH) -> str:
    """Layers of two products each, whose weights are sharded as `first` and `second`; as in Megatron by default."""
    weights = ""
    for layer in range(count):
        for number, (shape, sharding) in enumerate((("16x64", first), ("64x16", second))):
            weights += (
                f",\n    %w{layer}_{number}: tensor<{shape}xf32> {{sdy.sharding = #sdy.sharding<@mesh, {sharding}>}} "
                f"loc(\"params[{layer}]['w{number}']\")"
            )
    body, x = "", "%x"
    for layer in range(count):
        scope = f"jit(step)/jvp({name}{layer})/mlp"
        body += f"""
  %u{layer} = stablehlo.dot_general {x}, %w{layer}_0, contracting_dims = [1] x [0] : (tensor<32x16xf32>, tensor<16x64xf32>) -> tensor<32x64xf32> loc("{scope}/dot_general"("{__file__}":5:0))
  %t{layer} = stablehlo.tanh %u{layer} : tensor<32x64xf32> loc("{scope}/tanh"("{__file__}":6:0))
  %d{layer} = stablehlo.dot_general %t{layer}, %w{layer}_1, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x16xf32>) -> tensor<32x16xf32> loc("{scope}/dot_general"("{__file__}":7:0))
  %y{layer} = stablehlo.add {x}, %d{layer} : tensor<32x16xf32> loc("jit(step)/jvp({name}{layer})/add"("{__file__}":8:0))"""  # noqa: E501
        x = f"%y{layer}"
    return f"""sdy.mesh @mesh = <[{mesh}]>
func.func @main(
    %x: tensor<32x16xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"data"}}, {{}}]>}} loc("x"){weights}) -> tensor<32x16xf32> {{{body}
  return {x} : tensor<32x16xf32> loc("jit(step)")
}}
"""  # noqa: E501
