"""`sdy.auto.measure`: the devices of the CPU as a machine."""

from __future__ import annotations

import math
from typing import Any

import jax
import numpy as np
import pytest

import sdy
from sdy.passes.costs.machine import Machine

TEXT = """
func.func @main(%x: tensor<512x256xf32>, %w: tensor<256x1024xf32>) -> tensor<512x1024xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<512x256xf32>, tensor<256x1024xf32>) -> tensor<512x1024xf32>
  return %0 : tensor<512x1024xf32>
}
"""  # noqa: E501


@pytest.fixture(scope="module")
def machine() -> Machine:
    return sdy.auto.measure({"data": 4, "model": 2}, element_types=("f32", "f64"), seconds=0.01)


def test_all_figures_are_of_these_devices(machine: Machine) -> None:
    assert 1e7 < machine.flops < 1e14 and set(dict(machine.element_flops)) == {"f64"}
    assert 1e8 < machine.memory_bandwidth < 1e13 and 0 < machine.overhead < 1e-2
    assert set(dict(machine.axis_bandwidth)) == {"data", "model"} == set(dict(machine.axis_latency))
    assert machine.bandwidth == min(dict(machine.axis_bandwidth).values()) and 1e5 < machine.bandwidth < 1e13
    assert machine.latency == max(dict(machine.axis_latency).values()) < 1
    assert machine.directions == 1 and machine.efficiency == 1.0
    assert 0 < machine.memory < math.inf
    assert not jax.config.jax_enable_x64


def test_it_is_kept_and_planned_for(machine: Machine, tmp_path: Any) -> None:
    path = tmp_path / "ours.json"
    path.write_text(machine.to_json())
    assert Machine.parse(str(path)) == machine == Machine.parse(str(machine))
    plan = sdy.auto.partition(TEXT, {"data": 4, "model": 2}, machine)
    assert plan.cost.step <= plan.replicated.step and plan.machine == machine


def test_a_mesh_of_jax_and_a_single_device() -> None:
    devices = np.array(jax.devices()[:2][::-1])
    found = sdy.auto.measure(jax.sharding.Mesh(devices, ("rows",)), element_types=("f32",), seconds=0.001)
    assert set(dict(found.axis_bandwidth)) == {"rows"}
    alone = sdy.auto.measure(1, element_types=("bf16",), seconds=0.001)
    assert alone.bandwidth == math.inf and alone.latency == 0 and not alone.axis_bandwidth
    assert Machine.from_json(alone.to_json()) == alone


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match=f"a mesh of 4096 devices cannot be measured: there are {len(jax.devices())}"):
        sdy.auto.measure({"data": 4096})
    with pytest.raises(ValueError, match="element types of products are f32, bf16, f16, f64, not i8"):
        sdy.auto.measure(element_types=("i8",))
    with pytest.raises(ValueError, match="seconds is a positive number, not 0"):
        sdy.auto.measure(seconds=0)
    wrong: Any = 4.5
    with pytest.raises(TypeError, match="mesh is a Mesh"):
        sdy.auto.measure(wrong)
