"""Asynchronous forms of the recorded programs, partitioned: made and undone, placed, never slower by the model."""

from __future__ import annotations

from functools import cache

import pytest

import sdy
from sdy.dialect.values.mesh import Mesh
from sdy.passes.costs.machine import Machine
from tests import depth
from tests.data.generate import names, program

SOME = ("mlp_fsdp", "shard_map_partial", "transformer_2")
CUSTOM = "custom_partitioning"
"""Its partitioning functions are in the process that lowered it."""

MACHINE = "flops=1e11 bandwidth=1e8 latency=1e-7 overhead=1e-7"
"""Communication takes about as long as computing."""


def programs() -> list[str]:
    return [name for name in names() if name != CUSTOM] if depth.ALL else list(SOME)


@cache
def partitioned(name: str) -> tuple[str, Mesh]:
    found = sdy.partition(program(name))
    return str(sdy.parse(found.text)), Mesh(found.mesh.axes)


def after(text: str, *passes: str) -> str:
    module = sdy.parse(text)
    sdy.run(module, *passes)
    return str(module)


def seconds(text: str, mesh: Mesh) -> float:
    return sdy.timeline(text, Machine.parse(MACHINE), mesh=mesh).total


@pytest.mark.parametrize("name", programs())
def test_asynchronous_and_back(name: str) -> None:
    text, _ = partitioned(name)
    made = after(text, "sdy-async-collectives")
    assert ("async_start" in made) == any(f"stablehlo.{kind}" in text for kind in KINDS)
    assert after(made, "sdy-convert-async") == text


KINDS = ("all_gather", "all_reduce", "reduce_scatter", "collective_permute", "all_to_all")


@pytest.mark.parametrize("name", programs())
def test_placed(name: str) -> None:
    text, mesh = partitioned(name)
    made = after(text, "sdy-async-collectives")
    kept = after(made, "sdy-place-collectives")
    limited = after(made, "sdy-place-collectives{in-flight-bytes=100000}")
    paying = after(made, f"sdy-place-collectives{{machine={{{MACHINE}}}}}")
    listed = after(made, f"sdy-place-collectives{{mode=list machine={{{MACHINE}}}}}")
    before = sdy.timeline(made, MACHINE, mesh=mesh, synchronous=True)
    assert seconds(kept, mesh) <= before.total * (1 + 1e-9)
    assert seconds(limited, mesh) <= before.total * (1 + 1e-9)
    assert seconds(paying, mesh) <= seconds(kept, mesh) * (1 + 1e-9)
    assert seconds(listed, mesh) <= seconds(kept, mesh) * (1 + 1e-9)
    largest = before.peak_bytes_in_flight
    assert sdy.timeline(limited, MACHINE, mesh=mesh).peak_bytes_in_flight <= max(100_000, largest)
    sent = sdy.communication(text, mesh=mesh).bytes_sent
    for placed in (kept, limited, paying, listed):
        assert sorted(words(after(placed, "sdy-convert-async"))) == sorted(words(text))
        assert sdy.communication(placed, mesh=mesh).bytes_sent == sent


def words(text: str) -> list[str]:
    """What the ops of a program are, whatever their results are called."""
    return [word for word in text.split() if "%" not in word]
