"""Modules with shardings as other tools write them: partitioned they compute what one device computes.

All of them are in words of our own, in the form of what they stand for, and compute `sin(x) @ sin(x)`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sdy
from sdy import execution

MODULES = Path(__file__).parents[1] / "data/modules"

MESHES = {
    "lowered_for_gspmd": '<["_axis_0"=2, "_axis_1"=4]>',
    "portable_artifact": '<["a"=2, "b"=4]>',
    "dump_of_xla": '<["a"=2, "b"=4]>',
    "torch_xla": '<["_axis_0"=2, "_axis_1"=4]>',
    "old_dump": '<["_axis_0"=2, "_axis_1"=2, "_axis_2"=2]>',
}
"""What the devices of each module are, by the name of its file."""


def test_all_modules_are_listed() -> None:
    assert sorted(MESHES) == sorted(path.stem for path in MODULES.glob("*.mlir"))


@pytest.mark.parametrize("name", MESHES)
def test_numbers_are_those_of_one_device(name: str) -> None:
    partitioned = sdy.partition(MODULES / f"{name}.mlir")
    assert partitioned.num_devices == 8
    assert str(partitioned.mesh) == MESHES[name]
    x = np.linspace(-2, 2, 64, dtype=np.float32).reshape(8, 8)
    (got,) = execution.compile(partitioned)(x)
    np.testing.assert_allclose(np.asarray(got), np.sin(x) @ np.sin(x), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", MESHES)
def test_nothing_foreign_is_left(name: str) -> None:
    module = sdy.parse(MODULES / f"{name}.mlir")
    sdy.run(module, "sdy-import-foreign-shardings")
    text = sdy.print_module(module)
    assert "xla.sdy" not in text
    assert "mhlo.sharding" not in text
    assert "sdy.sharding = " in text
