"""Programs on any number of devices, of which each has the same part whatever the number: only the mesh grows."""

from __future__ import annotations

from collections.abc import Callable

MODEL = 2
"""Devices along the second axis of the mesh."""


def _program(devices: int, arguments: str, results: str, body: str) -> str:
    mesh = f'sdy.mesh @mesh = <["data"={devices // MODEL}, "model"={MODEL}]>\n'
    return f"{mesh}func.func @main({arguments}) -> {results} {{\n{body}\n}}\n"


def products(devices: int) -> str:
    """Two products on sharded weights, the second scattered, and the gradient of the first."""
    batch, hidden = devices // 2, 64 * MODEL
    x, h = f"tensor<{batch}x64x128xf32>", f"tensor<{batch}x64x{hidden}xf32>"
    w, v = f"tensor<128x{hidden}xf32>", f"tensor<{hidden}x128xf32>"
    arguments = (
        f'%x: {x} {{sdy.sharding = #sdy.sharding<@mesh, [{{"data"}}, {{"model"}}, {{}}]>}}, '
        f'%w: {w} {{sdy.sharding = #sdy.sharding<@mesh, [{{}}, {{"model"}}]>}}, '
        f'%v: {v} {{sdy.sharding = #sdy.sharding<@mesh, [{{"model"}}, {{}}]>}}'
    )
    body = f"""
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : ({x}, {w}) -> {h}
      %1 = stablehlo.tanh %0 : {h}
      %2 = stablehlo.dot_general %1, %v, contracting_dims = [2] x [0] : ({h}, {v}) -> {x}
      %3 = sdy.sharding_constraint %2 <@mesh, [{{"data"}}, {{"model"}}, {{}}]> : {x}
      %4 = stablehlo.dot_general %x, %1, contracting_dims = [0, 1] x [0, 1] : ({x}, {h}) -> {w}
      return %3, %4 : {x}, {w}"""
    return _program(devices, arguments, f"({x}, {w})", body)


def positions(devices: int) -> str:
    """Random numbers, uneven parts, a cumulative sum, numbers that count elements: devices ask where they are."""
    rows = devices // 2
    numbers, uneven, state = f"tensor<{rows}x7xui64>", f"tensor<{rows - 1}x7xf32>", "tensor<2xui64>"
    x = f"tensor<{2 * rows}x64xf32>"
    arguments = f'%k: {state}, %u: {uneven}, %x: {x} {{sdy.sharding = #sdy.sharding<@mesh, [{{"data"}}, {{}}]>}}'
    body = f"""
      %s, %r = stablehlo.rng_bit_generator %k, algorithm = THREE_FRY : ({state}) -> ({state}, {numbers})
      %0 = sdy.sharding_constraint %r <@mesh, [{{"data"}}, {{}}]> : {numbers}
      %1 = sdy.sharding_constraint %u <@mesh, [{{"data"}}, {{}}]> : {uneven}
      %2 = stablehlo.tanh %1 : {uneven}
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %3 = "stablehlo.reduce_window"(%x, %zero) <{{window_dimensions = array<i64: {2 * rows}, 1>,
        padding = dense<[[{2 * rows - 1}, 0], [0, 0]]> : tensor<2x2xi64>}}> ({{
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %q = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %q : tensor<f32>
      }}) : ({x}, tensor<f32>) -> {x}
      %4 = stablehlo.iota dim = 0 : {x}
      %5 = stablehlo.add %3, %4 : {x}
      return %0, %2, %5 : {numbers}, {uneven}, {x}"""
    return _program(devices, arguments, f"({numbers}, {uneven}, {x})", body)


def shift(devices: int) -> str:
    """A sequence shifted by one: each device sends to the next, and StableHLO and HLO name all of them."""
    rows = devices
    x, cut = f"tensor<{rows}x64xf32>", f"tensor<{rows - 1}x64xf32>"
    arguments = f'%x: {x} {{sdy.sharding = #sdy.sharding<@mesh, [{{"data"}}, {{}}]>}}'
    body = f"""
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.slice %x [0:{rows - 1}, 0:64] : ({x}) -> {cut}
      %1 = stablehlo.pad %0, %zero, low = [1, 0], high = [0, 0], interior = [0, 0] : ({cut}, tensor<f32>) -> {x}
      return %1 : {x}"""
    return _program(devices, arguments, x, body)


DEVICE_PROGRAMS: dict[str, Callable[[int], str]] = {"products": products, "positions": positions, "shift": shift}
