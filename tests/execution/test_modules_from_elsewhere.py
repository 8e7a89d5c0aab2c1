"""Modules with shardings as other tools write them: partitioned they compute what one device computes.

All of them are in words of our own, in the form of what they stand for, and compute `sin(x) @ sin(x)`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sdy
from sdy import execution
from tests.depth import ALL
from tests.execution.by_xla import run_by_xla
from tests.oracle import requires_reference

MODULES = Path(__file__).parents[1] / "data/modules"

AB = '<["a"=2, "b"=4]>'
AXES_0_1 = '<["_axis_0"=2, "_axis_1"=4]>'

FORMS = {
    "lowered_for_gspmd": (AXES_0_1, 6),
    "gspmd_partial": (AXES_0_1, 7),
    "gspmd_inline": ('<["_axis_0"=8]>', 3),
    "gspmd_placement": (AXES_0_1, 4),
    "gspmd_rounds": (AXES_0_1, 6),
    "gspmd_one_device": (AXES_0_1, 5),
    "old_dump": ('<["_axis_0"=2, "_axis_1"=2, "_axis_2"=2]>', 3),
    "old_data_parallel": ('<["_axis_0"=8]>', 3),
    "hlo_inlined": (AXES_0_1, 6),
    "jax_shardy": (AB, 6),
    "jax_export": (AB, 3),
    "portable_artifact": (AB, 5),
    "hlo_tuples": (AB, 4),
    "dump_of_xla": (AB, 6),
    "dump_nested": (AB, 6),
    "dump_after": ('<["a"=2, "b"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>', 5),
    "dump_propagated": (AB, 8),
    "torch_xla": (AXES_0_1, 2),
    "torch_xla_vendor": (AXES_0_1, 3),
}
"""What the devices of each module are, by the name of its file, and how many shardings it has."""

VENDORS = ("tt.sharding_constraint",)

IMPORT = f"sdy-import-foreign-shardings{{sharding-calls={','.join(VENDORS)}}}"

X = np.linspace(-2, 2, 64, dtype=np.float32).reshape(8, 8)


def test_all_modules_are_listed() -> None:
    assert sorted(FORMS) == sorted(path.stem for path in MODULES.glob("*.mlir"))


@pytest.mark.parametrize("name", FORMS)
def test_numbers_are_those_of_one_device(name: str) -> None:
    partitioned = sdy.partition(MODULES / f"{name}.mlir", sharding_calls=VENDORS)
    assert partitioned.num_devices == 8
    assert str(partitioned.mesh) == FORMS[name][0]
    (got,) = execution.compile(partitioned)(X)
    np.testing.assert_allclose(np.asarray(got), np.sin(X) @ np.sin(X), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", FORMS)
def test_nothing_foreign_is_left(name: str) -> None:
    text = imported(name)
    # That arguments are one tuple is for who calls the program, and no sharding.
    assert "xla.sdy" not in text.replace("xla.sdy.use_tuple_args", "")
    assert "mhlo.sharding" not in text
    assert text.count("<@") == FORMS[name][1]


@requires_reference
@pytest.mark.parametrize("name", FORMS if ALL else ("gspmd_partial", "dump_nested"))
def test_what_is_imported_runs_in_xla(name: str) -> None:
    """XLA, with Shardy, takes the shardings of the dialect that a module has got."""
    text = imported(name).replace('xla.sdy.use_tuple_args = "t"', "")
    (got,) = run_by_xla(text, X, is_shardy_on=True)
    np.testing.assert_allclose(np.asarray(got), np.sin(X) @ np.sin(X), rtol=1e-5, atol=1e-5)


def imported(name: str) -> str:
    module = sdy.parse(MODULES / f"{name}.mlir")
    sdy.run(module, IMPORT)
    return sdy.print_module(module)
