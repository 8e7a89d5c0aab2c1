"""What programs for many devices have in the place of tables with an entry for each: tried on few."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import jax
import numpy as np
import pytest

import sdy
from benchmarks.device_programs import DEVICE_PROGRAMS, positions, products
from sdy.passes.executable import records
from sdy.passes.partitioning import partition_pipeline
from sdy.running.wrapping import with_dense_groups
from tests.numerics.harness import inputs_for, run_partitioned

_ARGUMENT = 'sdy.mesh @mesh = <["x"=2, "y"=4]>\nfunc.func @main(%a: tensor<8x12xi32>'

PROGRAMS: dict[str, str] = {
    **{name: make(8) for name, make in DEVICE_PROGRAMS.items()},
    "random bits": f"""{_ARGUMENT}, %k: tensor<3xui64>) -> tensor<16x8xui32> {{
      %s, %r = stablehlo.rng_bit_generator %k, algorithm = PHILOX :
        (tensor<3xui64>) -> (tensor<3xui64>, tensor<16x8xui32>)
      %0 = sdy.sharding_constraint %r <@mesh, [{{"y":(2)2}}, {{"x"}}]> : tensor<16x8xui32>
      return %0 : tensor<16x8xui32>
    }}""",
    "look-up": f"""{_ARGUMENT}, %i: tensor<5x1xi32>) -> tensor<5x12xi32> {{
      %0 = sdy.sharding_constraint %a <@mesh, [{{"y", "x"}}, {{}}]> : tensor<8x12xi32>
      %1 = "stablehlo.gather"(%0, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 12>}}>
        : (tensor<8x12xi32>, tensor<5x1xi32>) -> tensor<5x12xi32>
      return %1 : tensor<5x12xi32>
    }}""",
    "padding": f"""{_ARGUMENT}) -> tensor<8x26xi32> {{
      %c = stablehlo.constant dense<7> : tensor<i32>
      %0 = sdy.sharding_constraint %a <@mesh, [{{"x"}}, {{"y":(1)2}}]> : tensor<8x12xi32>
      %1 = stablehlo.pad %0, %c, low = [0, 2], high = [0, 1], interior = [0, 1]
        : (tensor<8x12xi32>, tensor<i32>) -> tensor<8x26xi32>
      %2 = sdy.sharding_constraint %1 <@mesh, [{{"x"}}, {{"y":(1)2}}]> : tensor<8x26xi32>
      return %2 : tensor<8x26xi32>
    }}""",
}


@contextmanager
def many_devices() -> Iterator[None]:
    """Programs are partitioned as if more than one device were many; what was planned before is planned anew."""
    planned = sys.modules["sdy.partition"]._planned
    with pytest.MonkeyPatch.context() as patched:
        for module in (partition_pipeline, records):
            patched.setattr(module, "FEW_DEVICES", 1)
        planned.cache_clear()
        yield
    planned.cache_clear()


@pytest.mark.parametrize("name", PROGRAMS)
def test_computed_positions_are_those_of_tables(name: str) -> None:
    by_table = sdy.partition(PROGRAMS[name])
    with many_devices():
        computed = sdy.partition(PROGRAMS[name])
    assert computed.text != by_table.text or name == "shift"
    given = inputs_for(computed.arguments, 0)
    with jax.enable_x64(True):
        for have, want in zip(run_partitioned(computed, given), run_partitioned(by_table, given), strict=True):
            np.testing.assert_array_equal(have, want)


@pytest.mark.parametrize("name", ["products", "padding"])
def test_dense_groups_for_a_jaxlib_without_axes(name: str) -> None:
    by_table = sdy.partition(PROGRAMS[name])
    with many_devices():
        text = with_dense_groups(sdy.partition(PROGRAMS[name]).text)
    assert "mesh_axes" not in text
    groups = re.compile(r"replica_groups = [^:]*: tensor<[^>]*>")
    assert groups.findall(text) == groups.findall(by_table.text) != []


@pytest.mark.parametrize("make", [products, positions])
def test_text_does_not_grow_with_devices(make: Callable[[int], str]) -> None:
    few, many = (len(sdy.partition(make(devices)).text) for devices in (8, 32_768))
    assert many <= 1.35 * few
