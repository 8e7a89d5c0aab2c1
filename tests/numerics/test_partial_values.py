"""Values that stay partial: what each device holds adds up to the value."""

from __future__ import annotations

import pytest

from sdy.passes.partitioning.partition_options import PIPELINE
from tests.numerics.harness import check

MESH = 'sdy.mesh @mesh = <["x"=2, "y"=4]>\n'


def sharding(text: str) -> str:
    return f"{{sdy.sharding = #sdy.sharding_per_value<[<@mesh, {text}>]>}}"


def program(arguments: str, result: str, *lines: str) -> str:
    """A program whose `%p` is partial along "x", and is returned as a whole."""
    text = "\n".join(lines)
    zeros = ", ".join("{}" for _ in range(result.count("x")))
    return f"""{MESH}func.func @main({arguments}) -> tensor<{result}> {{
{text}
  %r = sdy.reshard %p <@mesh, [{zeros}]> : tensor<{result}>
  return %r : tensor<{result}>
}}
"""


PARTIAL = '[{"y"}], unreduced={"x"}'

PROGRAMS = {
    "iota": program("", "8xf32", f"%p = stablehlo.iota dim = 0 {sharding(PARTIAL)} : tensor<8xf32>"),
    "constant": program(
        "", "4xf32", f"%p = stablehlo.constant {sharding(PARTIAL)} dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>"
    ),
    "splat": program("", "8xf32", f"%p = sdy.constant {sharding(PARTIAL)} dense<3.0> : tensor<8xf32>"),
    "on single elements": program(
        "%a: tensor<8xf32>", "8xf32", f"%p = stablehlo.add %a, %a {sharding(PARTIAL)} : tensor<8xf32>"
    ),
    "of single elements": program(
        "%a: tensor<8xf32>", "8xf32", f"%p = stablehlo.reverse %a, dims = [0] {sharding(PARTIAL)} : tensor<8xf32>"
    ),
    "largest": program(
        "%a: tensor<8xf32>",
        "8xf32",
        f"%p = stablehlo.negate %a {sharding(PARTIAL.replace('unreduced=', 'unreduced=max'))} : tensor<8xf32>",
    ),
    "selected": program(
        '%a: tensor<8x4xf32>, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}',
        "4xf32",
        '%s = sdy.reshard %a <@mesh, [{"x"}, {"y"}]> : tensor<8x4xf32>',
        f"%d = stablehlo.dot_general %b, %s, contracting_dims = [0] x [0] {sharding(PARTIAL)} "
        ": (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>",
        f"%n = stablehlo.negate %d {sharding(PARTIAL)} : tensor<4xf32>",
        f"%c = sdy.constant {sharding(PARTIAL)} dense<true> : tensor<4xi1>",
        f"%p = stablehlo.select %c, %d, %n {sharding(PARTIAL)} : tensor<4xi1>, tensor<4xf32>",
    ),
    "padded largest": program(
        "%a: tensor<7xf32>",
        "10xf32",
        f"%m = stablehlo.negate %a {sharding(PARTIAL.replace('unreduced=', 'unreduced=max'))} : tensor<7xf32>",
        "%c = stablehlo.constant dense<3.0> : tensor<f32>",
        "%p = stablehlo.pad %m, %c, low = [0], high = [3], interior = [0] "
        f"{sharding(PARTIAL.replace('unreduced=', 'unreduced=max'))} : (tensor<7xf32>, tensor<f32>) -> tensor<10xf32>",
    ),
    "padded": program(
        '%a: tensor<8x7xf32>, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}',
        "10xf32",
        '%s = sdy.reshard %a <@mesh, [{"x"}, {"y"}]> : tensor<8x7xf32>',
        f"%d = stablehlo.dot_general %b, %s, contracting_dims = [0] x [0] {sharding(PARTIAL)} "
        ": (tensor<8xf32>, tensor<8x7xf32>) -> tensor<7xf32>",
        "%c = stablehlo.constant dense<3.0> : tensor<f32>",
        f"%p = stablehlo.pad %d, %c, low = [0], high = [3], interior = [0] {sharding(PARTIAL)} "
        ": (tensor<7xf32>, tensor<f32>) -> tensor<10xf32>",
    ),
}

for _name, _op in {
    "sliced": "stablehlo.slice %d [1:7]",
    "padded in front by zeros": "stablehlo.pad %d, %zero, low = [1], high = [-3], interior = [0]",
    "padded in front": "stablehlo.pad %d, %c, low = [1], high = [-3], interior = [0]",
}.items():
    PROGRAMS[_name] = program(
        '%a: tensor<8x8xf32>, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}',
        "6xf32",
        '%s = sdy.reshard %a <@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>',
        f"%d = stablehlo.dot_general %b, %s, contracting_dims = [0] x [0] {sharding(PARTIAL)} "
        ": (tensor<8xf32>, tensor<8x8xf32>) -> tensor<8xf32>",
        "%zero = stablehlo.constant dense<0.0> : tensor<f32>",
        "%c = stablehlo.constant dense<3.0> : tensor<f32>",
        f"%p = {_op} {sharding(PARTIAL)} : (tensor<8xf32>{', tensor<f32>' * ('pad' in _op)}) -> tensor<6xf32>",
    )

WHOLE_PARTS = "sdy-close-shardings,sdy-export-pipeline{partitioner-stage=convert-global-to-local},sdy-inline-meshes"
"""With devices that exchange whole parts."""


@pytest.mark.parametrize("pipeline", [PIPELINE, WHOLE_PARTS], ids=["elements", "parts"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_devices_hold_adds_up(name: str, pipeline: str) -> None:
    check(PROGRAMS[name], pipeline=pipeline)
