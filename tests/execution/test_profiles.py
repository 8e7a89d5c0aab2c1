"""`sdy.profile`: a trace of CPU devices, matched with the collectives of the program, beside what is predicted."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax
from sdy.hlo import HloCollective
from sdy.report.profile_matching import ids_of
from sdy.report.profiles import Event, Profile, _measured
from sdy.report.timelines.timeline import duration
from sdy.report.transfers import Transfer

RUNS = 3


def layers(ws: Any, x: Any) -> Any:
    return jax.lax.scan(lambda x, w: (jnp.tanh(x @ w), None), x, ws)[0]


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> tuple[sdy.jax.Lowered, jax.stages.Compiled, Path]:
    mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
    shardings = NamedSharding(mesh, P(None, "model")), NamedSharding(mesh, P("data"))
    arguments = jax.device_put((jnp.ones((3, 64, 64)), jnp.ones((64, 64))), shardings)
    lowered = sdy.jax.jit(layers, in_shardings=shardings).lower(*arguments)
    compiled = lowered.compile()
    jax.block_until_ready(compiled(*arguments))
    folder = tmp_path_factory.mktemp("trace")
    with jax.profiler.trace(folder):
        for _ in range(RUNS):
            jax.block_until_ready(compiled(*arguments))
    return lowered, compiled, folder


def test_collectives_are_matched(traced: tuple[sdy.jax.Lowered, jax.stages.Compiled, Path]) -> None:
    lowered, compiled, folder = traced
    found = sdy.profile(compiled, folder, "generic", program=lowered)
    assert (found.runs, found.devices, found.missing) == (RUNS, 8, ())
    report = sdy.communication(compiled)
    assert {one.name: one.times for one in found.collectives} == {
        transfer.value.removeprefix("%"): transfer.times for transfer in report.transfers
    }
    (one,) = (one for one in found.collectives if one.times == 3)
    assert one.axes == ("model",) and 0 < one.measured < found.step and found.compute > 0
    assert f"{duration(found.predicted)}" in str(found).splitlines()[2]
    assert found.estimate is not None and str(found).splitlines()[4].split()[-1].endswith("%")


def test_ids_are_those_of_reports(traced: tuple[sdy.jax.Lowered, jax.stages.Compiled, Path]) -> None:
    """Also of fusions: names of values in the printed program, as reports and the page have them."""
    lowered, compiled, folder = traced
    found = sdy.profile(compiled, folder, "generic", program=lowered)
    report = sdy.communication(lowered)
    assert sorted(each for one in found.collectives for each in one.ids) == [one.id for one in report.transfers]
    by_id = {one.id: one for one in report.transfers}
    assert all(by_id[each].kind == one.kind for one in found.collectives for each in one.ids)
    products = [one for one in found.fusions if any(work.operations for work, _ in one.works)]
    (value,) = {work.value for one in products for work, _ in one.works if work.operations}
    assert sdy.explain(lowered, value).values[0].what.what == "stablehlo.dot_general"
    whole = sum(share * work.operations for one in products for work, share in one.works)
    assert whole == 2 * 3 * 16 * 64 * 32  # of three rounds, on a device
    assert f"{products[0].name} " in str(found) and value in str(found)
    alone = sdy.profile(compiled, folder, "generic")
    assert {each for one in alone.collectives for each in one.ids} <= {f"c{at}" for at in range(9)}
    assert not any(one.works for one in alone.fusions) and "fusions" not in str(alone)


def test_a_machine_is_refitted(traced: tuple[sdy.jax.Lowered, jax.stages.Compiled, Path]) -> None:
    """By what computed, too: the sum of the fusions comes near, or is left to the machine that is nearest to each."""
    lowered, compiled, folder = traced
    found = sdy.profile(compiled, folder, "generic", program=lowered)
    machine = sdy.auto.measure(found)
    assert machine == found.machine and machine.flops != found.asked.flops
    again = found.predicted_by(machine)
    assert again.estimate is not None and found.estimate is not None and again.estimate.step > found.estimate.step

    def error(profile: Profile) -> float:
        known = [one for one in profile.fusions if one.works]
        return sum(abs(one.predicted - one.measured) for one in known) / sum(one.measured for one in known)

    assert error(again) < error(found)


def test_merged_sums_have_all_their_ids() -> None:
    """Position and name decide among collectives of equal kind, group and bytes."""
    transfers = [
        Transfer(
            "all_reduce",
            None,
            4,
            size,
            1,
            f"jit({name})",
            "",
            f"{name}.py:1:1",
            f"%{at}",
            False,
            False,
            None,
            id=f"c{at}",
        )
        for at, (size, name) in enumerate([(64, "b"), (64, "a"), (32, "a"), (64, "c")])
    ]
    merged = HloCollective("all_reduce", "x", 4, 2, 96, 1, (), "call.3/jit(a)", "a.py:1:1", tensor_bytes=(64, 32))
    promoted = HloCollective("all_reduce", "y", 4, 1, 128, 1, (), "jit(c)", "c.py:1:1", tensor_bytes=(128,))
    other = HloCollective("all_reduce", "z", 2, 1, 64, 1, tensor_bytes=(64,))
    found = ids_of([merged, promoted, other], transfers)
    assert [[one.id for one in each] for each in found] == [["c1", "c2"], ["c3"], []]


def test_a_machine_that_fits_is_nearer(traced: tuple[sdy.jax.Lowered, jax.stages.Compiled, Path]) -> None:
    _, compiled, folder = traced
    found = sdy.profile(compiled, folder, "generic")
    again = found.predicted_by(found.machine)
    assert again.distance < found.distance
    assert sdy.profile(compiled, folder, found.machine).predicted == again.predicted


def test_collectives_that_send_nothing_fit_any_link(traced: tuple[sdy.jax.Lowered, jax.stages.Compiled, Path]) -> None:
    _, compiled, folder = traced
    found = sdy.profile(compiled, folder, "generic")
    alone = tuple(replace(one, group_size=1, predicted=0.0) for one in found.collectives)
    assert replace(found, collectives=alone).machine.bandwidth > 0


def test_both_timelines_in_one_trace(traced: tuple[sdy.jax.Lowered, jax.stages.Compiled, Path]) -> None:
    lowered, compiled, folder = traced
    found = sdy.profile(compiled, next(folder.glob("**/*.xplane.pb")), "generic")
    events = json.loads(found.to_trace(lowered.timeline("generic")))["traceEvents"]
    measured = [one for one in events if one.get("cat") == "measured"]
    assert {one["tid"] for one in measured} == set(range(8)) and len(measured) == len(found.events)
    assert any(one.get("cat") == "communication" for one in events)


def test_what_is_no_trace_of_the_program(
    traced: tuple[sdy.jax.Lowered, jax.stages.Compiled, Path], tmp_path: Path
) -> None:
    lowered, compiled, folder = traced
    with pytest.raises(FileNotFoundError, match=r"no \.xplane\.pb file"):
        sdy.profile(compiled, tmp_path, "generic")
    with pytest.raises(ValueError, match="has no event of the program jit__lambda"):
        sdy.profile(jax.jit(lambda x: x + 1).lower(1.0).compile(), folder, "generic")
    with pytest.raises(TypeError, match="takes a compiled JAX stage, not Lowered"):
        sdy.profile(lowered, folder, "generic")  # type: ignore[arg-type]


def test_time_counts_from_when_the_last_device_is_there() -> None:
    events = [
        Event("a", 0, 0, 0.0, 5.0),
        Event("a", 1, 0, 3.0, 2.0),
        Event("a", 0, 0, 9.0, 1.0),
        Event("a", 1, 0, 9.0, 1.0),
    ]
    assert _measured(events, 1) == (3.0, 1.5)
