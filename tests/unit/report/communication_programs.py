"""Programs of which the tests of the communication report count the bytes, and what they read off a report."""

from __future__ import annotations

import sdy
from sdy.dialect.values.axes import axes
from sdy.report.communication_report import CommunicationReport

MESH = 'sdy.mesh @mesh = <["x"=4, "y"=2]>\n'


def sharded(dims: str, extra: str = "") -> str:
    return f"{{sdy.sharding = #sdy.sharding<@mesh, {dims}{extra}>}}"


def report(text: str) -> CommunicationReport:
    return sdy.communication(text, filename="program.mlir")


def moves(found: CommunicationReport) -> list[tuple]:
    return [(one.kind, one.axes, one.group_size, one.bytes_sent) for one in found.transfers]


def resharded(source: str, target: str) -> str:
    """1024 bytes in all, from one sharding to another."""
    return f"""{MESH}
func.func @main(%a: tensor<16x16xf32> {sharded(source)}) -> (tensor<16x16xf32> {sharded(target)}) {{
  %0 = stablehlo.negate %a {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, {source}>]>}} : tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}}
"""


X, Y = axes("x"), axes("y")


def contraction(result: str = "[{}, {}]", lhs: str = '[{}, {"x", "y"}]') -> str:
    return f"""{MESH}
func.func @main(%a: tensor<8x64xf32> {sharded(lhs)}, %b: tensor<64x16xf32> {sharded('[{"x", "y"}, {}]')})
    -> (tensor<8x16xf32> {sharded(result)}) {{
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}}
"""
