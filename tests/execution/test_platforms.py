"""Programs with effects that JAX lowers for accelerators: transfers and calls keep their order."""

from __future__ import annotations

import re

import pytest

import sdy
from tests.execution.lowered_effects import lowered

PROGRAMS = [
    "ordered_with_results",
    "loops_in_loops",
    "callback_ends_a_loop",
    "on_several_devices",
    "pure",
    "manual_in_manual",
]

TRANSFER = re.compile(r'"stablehlo\.(send|recv)"|handle = (\d+), type = [23]>')
CALL = re.compile(r"custom_call @(xla_ffi\w*_callback)|backend_config = \{index = (\d+) : ui64\}")


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize(("platform", "pattern"), [("tpu", TRANSFER), ("cuda", CALL)], ids=["tpu", "cuda"])
def test_order_is_kept(platform: str, pattern: re.Pattern[str], name: str) -> None:
    text = lowered(name, platform)
    assert text is not None
    local = sdy.partition(text).text
    wanted = [found.groups() for found in pattern.finditer(_in_generic_form(text))]
    got = [found.groups() for found in pattern.finditer(local)]
    assert wanted
    # Calls are inlined: what is in a called function stands where the call was.
    assert got == wanted if "call @" not in text else sorted(map(str, got)) == sorted(map(str, wanted))


def _in_generic_form(text: str) -> str:
    """As both print transfers."""
    return re.sub(r"= stablehlo\.(send|recv)\b", r'= "stablehlo.\1"', text)
