"""When cutting a product into steps pays (spec: async, 15.3 and A13)."""

from __future__ import annotations

from dataclasses import replace

import pytest

import sdy
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.mlir.walk import identity
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.program_collectives import local_mesh
from sdy.passes.overlap.decomposition.block_products import DOTS
from sdy.passes.overlap.decomposition.decomposition import Estimate, estimate
from sdy.passes.overlap.decomposition.gather_decomposition import gather_decomposition
from sdy.passes.overlap.decomposition.scatter_decomposition import scatter_decomposition
from sdy.passes.steps import PipelineError

MACHINE = Machine(flops=2e14, bandwidth=5e10, latency=1e-6, overhead=2e-6)


def groups(size: int) -> str:
    numbers = ", ".join(map(str, range(size)))
    return (
        f"replica_groups = dense<[[{numbers}]]> : tensor<1x{size}xi64>, "
        "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids"
    )


def gathered(m: int, k: int, n: int, size: int) -> str:
    whole, shard, other, result = (f"tensor<{a}x{b}xbf16>" for a, b in ((m, k), (m // size, k), (k, n), (m, n)))
    return f"""
func.func @main(%a: {shard}, %b: {other}) -> {result} {{
  %0 = "stablehlo.all_gather"(%a) <{{all_gather_dim = 0 : i64, {groups(size)}}}> : ({shard}) -> {whole}
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : ({whole}, {other}) -> {result}
  return %1 : {result}
}}"""


def scattered(m: int, k: int, n: int, size: int, *, kind: str = "reduce_scatter") -> str:
    left, right, whole = (f"tensor<{a}x{b}xbf16>" for a, b in ((m, k), (k, n), (m, n)))
    result = f"tensor<{m // size}x{n}xbf16>" if kind == "reduce_scatter" else whole
    dim = "scatter_dimension = 0 : i64, " if kind == "reduce_scatter" else ""
    return f"""
func.func @main(%a: {left}, %b: {right}) -> {result} {{
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({left}, {right}) -> {whole}
  %1 = "stablehlo.{kind}"(%0) <{{{dim}{groups(size)}}}> ({{
  ^bb0(%x: tensor<bf16>, %y: tensor<bf16>):
    %s = stablehlo.add %x, %y : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }}) : ({whole}) -> {result}
  return %1 : {result}
}}"""


def estimated(text: str, machine: Machine = MACHINE) -> Estimate:
    module = sdy.parse(text)
    root = module.operation
    eligible = {identity(op) for op in ops_named(root, *DOTS)}
    with module.context, ir.Location.unknown():
        gathers = ops_named(root, "stablehlo.all_gather")
        if gathers:
            found = gather_decomposition(gathers[0], eligible)
        else:
            sums = ops_named(root, "stablehlo.reduce_scatter", "stablehlo.all_reduce")
            found = scatter_decomposition(sums[0], eligible)
        assert found is not None
        return estimate(found, local_mesh(root), machine)


def microseconds(found: Estimate) -> list[float]:
    return [round(seconds * 1e6, 1) for seconds in (found.together, found.one, found.both)]


TABLE = {
    (8192, 8192, 3584, 8): (4761.0, 3586.6, 2658.5, 2455.1),
    (8192, 8192, 3584, 4): (4421.4, 3414.8, 2619.6, 2482.0),
    (8192, 8192, 3584, 2): (3748.4, 3077.3, 2547.8, 2547.8),
    (8192, 8192, 1024, 8): (3043.0, 1868.6, 2443.7, 1434.1),
    (512, 1024, 128, 8): (26.0, 16.8, 27.4, 18.2),
}
"""m, k, n and devices; microseconds together with one and with two directions, in steps in one and in both."""


@pytest.mark.parametrize(("sizes", "wanted"), TABLE.items())
def test_check_values(sizes: tuple[int, int, int, int], wanted: tuple[float, ...]) -> None:
    single, double, one, both = wanted
    m, k, n, size = sizes
    assert microseconds(estimated(gathered(m, k, n, size))) == [double, one, both]
    assert microseconds(estimated(gathered(m, k, n, size), replace(MACHINE, directions=1))) == [single, one, both]
    # The result, m by n, is what is sent here.
    assert microseconds(estimated(scattered(m, n, k, size))) == [double, one, both]


def test_an_all_reduce_is_followed_by_a_gather() -> None:
    """Twice as long as a reduce_scatter, of which half stays: the blocks are gathered with both directions."""
    scatter = estimated(scattered(8192, 3584, 8192, 8))
    reduce = estimated(scattered(8192, 3584, 8192, 8, kind="all_reduce"))
    gather = MACHINE.collective_seconds("all_gather", 8, 8192 * 8192 * 2 / 8)
    assert reduce.together == pytest.approx(scatter.together + gather)
    assert (reduce.one, reduce.both) == pytest.approx((scatter.one + gather, scatter.both + gather))


def test_memory_and_tiles() -> None:
    """Steps also write blocks of the result; rows of blocks are rounded up, those of the whole product are not."""
    slow = estimated(gathered(1024, 1024, 1024, 8), replace(MACHINE, memory_bandwidth=1e10))
    block, shard, other = 128 * 1024 * 2, 128 * 1024 * 2, 1024 * 1024 * 2
    step = (block + shard + other + 2 * block) / 1e10 + 2e-6
    assert slow.one == pytest.approx(8 * step)
    quick = replace(MACHINE, bandwidth=1e15, latency=0, overhead=0)
    plain = estimated(gathered(1024, 1024, 1024, 8), quick)
    tiled = estimated(gathered(1024, 1024, 1024, 8), replace(quick, tile=256))
    assert tiled.one == pytest.approx(2 * plain.one)
    assert tiled.together == pytest.approx(plain.together)


def test_directions_that_hinder_one_another() -> None:
    """On one channel for all, both directions are no faster than one."""
    found = estimated(gathered(8192, 8192, 1024, 8), replace(MACHINE, channels="one"))
    assert found.both >= found.one - 1e-9


def is_cut(text: str, options: str) -> bool:
    module = sdy.parse(text)
    sdy.run(module, f"sdy-decompose-collective-dots{{{options}}}")
    return "collective_permute" in str(module)


def test_what_pays_is_cut() -> None:
    slow, fast = "flops=2e14 bandwidth=5e10 latency=1e-6 overhead=2e-6", "flops=2e14 bandwidth=5e13 overhead=2e-6"
    large, small = gathered(8192, 8192, 1024, 8), gathered(512, 1024, 128, 8)
    assert is_cut(large, f"machine={{{slow}}}")
    assert not is_cut(large, f"machine={{{slow}}} direction=one")  # 2443.7 to 1868.6
    assert not is_cut(large, f"machine={{{fast}}}")
    assert not is_cut(small, f"machine={{{slow}}}")
    # 1434.1 to 1868.6 saves 23.25 %.
    assert is_cut(large, f"machine={{{slow}}} min-gain=0.232")
    assert not is_cut(large, f"machine={{{slow}}} min-gain=0.233")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("min-gain=1", "'min-gain' is at least 0 and less than 1"),
        ("min-gain=much", "'much' is not a valid float for option 'min-gain'"),
        ("min-bytes=-1", "at least 0"),
        ("machine=nowhere.json", "machine"),
        ("machine={flops=1}", "a machine needs 'bandwidth'"),
    ],
)
def test_bad_options(options: str, message: str) -> None:
    with pytest.raises(PipelineError, match=message):
        sdy.run(sdy.parse(gathered(8, 8, 8, 2)), f"sdy-decompose-collective-dots{{{options}}}")
