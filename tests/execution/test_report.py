"""Reports on collectives: in local programs and in HLO text."""

from __future__ import annotations

import pytest

import sdy
from sdy import hlo
from sdy.dialect.values.axes import AxisRef, axes
from sdy.dialect.values.mesh import Mesh
from sdy.passes.costs.machine import moved_bytes
from sdy.report import collectives

MESH = Mesh.of(data=4, model=2)


def local(body: str, *functions: str) -> str:
    return (
        "module {\n"
        + f"func.func @main(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {{\n{body}\n}}\n"
        + "\n".join(functions)
        + "\n}"
    )


def all_reduce(name: str, operand: str, groups: str) -> str:
    shape = f"{groups.count('[') - 1}x{groups.split(']')[0].count(',') + 1}"
    return f"""
  {name} = "stablehlo.all_reduce"({operand}) <{{replica_groups = dense<{groups}> : tensor<{shape}xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}}> ({{
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }}) : (tensor<4x8xf32>) -> tensor<4x8xf32>"""


def found(text: str) -> tuple[collectives.Collective, ...]:
    return collectives.collectives(sdy.parse(text, "local.mlir"), MESH)


OVER_MODEL = "[[0, 1], [2, 3], [4, 5], [6, 7]]"


def test_axes_come_from_groups() -> None:
    body = all_reduce("%0", "%a", OVER_MODEL) + all_reduce("%1", "%0", "[[7, 5, 3, 1], [0, 2, 4, 6]]")
    body += all_reduce("%2", "%1", "[[0, 4], [1, 5], [2, 6], [3, 7]]") + all_reduce(
        "%3", "%2", "[[0, 3], [1, 2], [4, 7], [5, 6]]"
    )
    listed = found(local(body + "\n  return %3 : tensor<4x8xf32>"))
    assert [one.axes for one in listed] == [axes("model"), axes("data"), (AxisRef.sub("data", 1, 2),), None]
    assert [one.group_size for one in listed] == [2, 4, 2, 2]
    assert {one.operand_bytes for one in listed} == {128}
    assert listed[0].location == "local.mlir:4:8"


def test_groups_of_several_sizes_count_as_the_largest() -> None:
    body = all_reduce("%0", "%a", "[[0, -1, -1, -1], [1, 2, 3, 4], [5, 6, 7, -1]]")
    (one,) = found(local(body + "\n  return %0 : tensor<4x8xf32>"))
    assert (one.axes, one.group_size, one.moved_bytes) == (None, 4, 192)
    assert "irregular" in collectives.table([one])
    text = """HloModule m

%add (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %z = f32[] add(%x, %y)
}

ENTRY %main (a: f32[4,8]) -> f32[4,8] {
  %a = f32[4,8] parameter(0)
  ROOT %0 = f32[4,8] all-reduce(%a), channel_id=1, replica_groups={{0},{1,2,3,4},{5,6,7}}, to_apply=%add
}
"""
    assert [one.group_size for one in hlo.collectives(text, 8)] == [4]


def test_a_ragged_exchange_in_hlo_sends_its_first_operand() -> None:
    text = """
HloModule jit_f, num_partitions=8

ENTRY %main (a: f32[16,4], b: f32[32,4], c: s32[8]) -> f32[32,4] {
  %a = f32[16,4] parameter(0)
  %b = f32[32,4] parameter(1)
  %c = s32[8] parameter(2)
  ROOT %0 = f32[32,4] ragged-all-to-all(%a, %b, %c, %c, %c, %c), channel_id=1, replica_groups={{0,2,4,6},{1,3,5,7}}
}
"""
    (one,) = hlo.collectives(text, 8)
    assert (one.group_size, one.operand_bytes, one.moved_bytes) == (4, 256, 192)


def test_permutation_moves_along_axes() -> None:
    body = """
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0], [2, 2]]> : tensor<3x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>"""
    (one,) = found(local(body))
    assert (one.kind, one.axes, one.moved_bytes) == ("collective_permute", axes("model"), 128)


def test_loops_and_calls_multiply() -> None:
    body = f"""
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<4x8xf32>
   cond {{
    %limit = stablehlo.constant dense<6> : tensor<i32>
    %more = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  }} do {{
    {all_reduce("%y", "%x", OVER_MODEL)}
    %z = func.call @twice(%y) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %z : tensor<i32>, tensor<4x8xf32>
  }}
  return %0#1 : tensor<4x8xf32>"""
    twice = f"""func.func private @twice(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {{
  {all_reduce("%0", "%a", OVER_MODEL)} {all_reduce("%1", "%0", OVER_MODEL)}
  return %1 : tensor<4x8xf32>
}}"""
    listed = found(local(body, twice))
    assert [one.times for one in listed] == [6, 6, 6]
    assert collectives.moved(listed) == 18 * 128
    assert collectives.table(listed).splitlines()[1].split() == ["all_reduce", '{"model"}', "2", "18", "2,304"]


@pytest.mark.parametrize(
    ("kind", "size", "moved"),
    [
        ("all_reduce", 4, 150),
        ("all_gather", 4, 300),
        ("reduce_scatter", 4, 75),
        ("all_to_all", 4, 75),
        ("collective_permute", 2, 100),
        ("all_reduce", 1, 0),
    ],
)
def test_ring(kind: str, size: int, moved: float) -> None:
    assert moved_bytes(kind, size, 100) == moved


HLO = """
HloModule jit_f, num_partitions=8

%add (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %z = f32[] add(%x, %y)
}

%cond (p: (s32[], f32[4,8])) -> pred[] {
  %p = (s32[], f32[4,8]{1,0}) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  ROOT %c = pred[] compare(%i, %i), direction=LT
}

%body (p: (s32[], f32[4,8])) -> (s32[], f32[4,8]) {
  %p = (s32[], f32[4,8]{1,0}) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %x = f32[4,8]{1,0} get-tuple-element(%p), index=1
  %r = f32[4,8]{1,0} all-reduce(%x), channel_id=1, replica_groups=mesh['data'=4,'model'=2] {'model'}, to_apply=%add
  ROOT %t = (s32[], f32[4,8]{1,0}) tuple(%i, %r)
}

ENTRY %main (a: f32[4,8]) -> f32[4,8] {
  %a = f32[4,8]{1,0} parameter(0)
  %b = bf16[4,8]{1,0} convert(%a)
  %g = bf16[16,8]{1,0} all-gather(bf16[4,8] %b), replica_groups={{0,2,4,6},{1,3,5,7}}, dimensions={0}
  %s = (f32[2,8], f32[2,8]) reduce-scatter(%a, %a), replica_groups=[4,2]<=[8], dimensions={0}, to_apply=%add
  %zero = s32[] constant(0)
  %init = (s32[], f32[4,8]{1,0}) tuple(%zero, %a)
  %w = (s32[], f32[4,8]{1,0}) while(%init), condition=%cond, body=%body, backend_config={"known_trip_count":{"n":"5"}}
  ROOT %p = f32[4,8]{1,0} collective-permute(%a), source_target_pairs={{0,1},{1,0}}
}
"""


def test_hlo_counter() -> None:
    assert hlo.summary(hlo.collectives(HLO, 8)) == {
        ("all_gather", 4): (1, 1, 64, 192.0),
        ("reduce_scatter", 2): (1, 2, 256, 128.0),
        ("all_reduce", 2): (5, 5, 640, 640.0),
        ("collective_permute", 2): (1, 1, 128, 128.0),
    }
