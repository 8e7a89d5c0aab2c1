"""The simulation of a step gives the formulas of uniform pipelines, and what it says of transfers and bytes."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence

import pytest

import sdy
from sdy.dialect.mpmd.values import MeshTensor, NamedMesh, Topology, UserOrigin
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.jax.mpmd import FragmentInfo, FragmentOrigin, PipelineContext
from sdy.jax.mpmd.table_schedules import get_pipeline_schedule
from sdy.mpmd_running.instructions import Free, Instruction, Move, PipelineProgram, Run
from sdy.pipeline.page import page
from sdy.pipeline.tables import Schedule
from sdy.pipeline.timeline import simulate, timeline
from sdy.pipeline.transfer_report import local_bytes, transfer_report

F, B = 1.0, 2.0


def _order(schedule: str, meshes: int, mesh: int, batches: int) -> list[tuple[int, int]]:
    """Transpose count and microbatch of the fragments of a mesh, in the order that the rules of a schedule give."""
    units = [
        FragmentInfo((FragmentOrigin("f", count),), mesh, batch, None, f"m{mesh}")
        for count in (0, 1)
        for batch in range(batches)
    ]
    rules, _ = get_pipeline_schedule(schedule).rules(units, PipelineContext(meshes))
    after = {(unit.transpose_count, unit.call_counter): set() for unit in units}
    for rule in rules:
        first, second = rule.ordered_fragments
        after[second.transpose_count, second.call_counter].add((first.transpose_count, first.call_counter))
    for batch in range(batches):
        after[1, batch].add((0, batch))
    ordered: list[tuple[int, int]] = []
    while len(ordered) < len(after):
        count, batch = next(key for key in after if key not in ordered and after[key] <= {*ordered})
        ordered.append((count or 0, batch or 0))
    return ordered


def _pipeline(schedule: str, p: int, m: int) -> PipelineProgram:
    """A program of uniform stages: forward through all meshes, backward through them in turn."""
    mesh = Mesh.of(x=2)
    orders = [_order(schedule, p, stage, m) for stage in range(p)]
    slots: list[MeshTensor] = []
    steps: list[Instruction] = []
    forward: dict[tuple[int, int], int] = {}
    backward: dict[tuple[int, int], int] = {}

    def new(stage: int) -> int:
        sharding = TensorSharding.closed("mesh", 1)
        slots.append(MeshTensor(f"m{stage}", "tensor<8xf32>", sharding))
        return len(slots) - 1

    def moved(value: int, source: int, target: int) -> int:
        result = new(target)
        steps.append(Move(f"m{source}", f"m{target}", (value,), (result,)))
        return result

    while any(orders):
        for stage, order in enumerate(orders):
            if not order:
                continue
            count, batch = order[0]
            needed: Sequence[int | None]
            if count == 0:
                needed = [] if stage == 0 else [forward.get((stage - 1, batch))]
            else:
                needed = [] if stage == p - 1 else [backward.get((stage + 1, batch))]
            if None in needed:
                continue
            inputs = [moved(v, stage - 1 if count == 0 else stage + 1, stage) for v in needed if v is not None]
            if count == 1:
                inputs.append(forward[stage, batch])
            output = new(stage)
            (backward if count else forward)[stage, batch] = output
            origin = UserOrigin(f"block_{stage}", count)
            name = f"{'bwd' if count else 'fwd'}{stage}"
            steps.append(Run(name, f"m{stage}", tuple(inputs), (output,), (), (origin,), batch))
            if count == 1:
                steps.append(Free((forward[stage, batch],)))
            order.pop(0)
    topology = Topology(tuple(NamedMesh(f"m{stage}", mesh) for stage in range(p)))
    return PipelineProgram(topology, tuple(steps), tuple(slots), 0, (), ())


def _seconds(run: Run) -> float:
    return B if run.transpose_count else F


@pytest.mark.parametrize("schedule", ["GPIPE", "ONE_FWD_ONE_BWD"])
@pytest.mark.parametrize(("p", "m"), [(2, 2), (4, 8), (8, 16), (3, 5)])
def test_uniform_stages_take_what_the_formula_says(schedule: str, p: int, m: int) -> None:
    step = simulate(_pipeline(schedule, p, m), _seconds, lambda move: 0.0)
    assert step.total == pytest.approx((m + p - 1) * (F + B), abs=1e-9)
    assert step.bubble == pytest.approx((p - 1) / (m + p - 1), abs=1e-9)


@pytest.mark.parametrize(
    ("schedule", "held"), [("GPIPE", [8, 8, 8, 8]), ("ONE_FWD_ONE_BWD", [4, 3, 2, 1]), ("ZERO_BUBBLE_H1", [4, 3, 2, 1])]
)
def test_microbatches_in_flight(schedule: str, held: list[int]) -> None:
    assert list(Schedule.of(_pipeline(schedule, 4, 8)).held.values()) == held


def test_order_of_one_forward_one_backward() -> None:
    assert str(Schedule.of(_pipeline("ONE_FWD_ONE_BWD", 2, 3))) == (
        "m0  F0 F1 B0 F2 B1 B2  (holds 2)\nm1  F0 B0 F1 B1 F2 B2  (holds 1)"
    )


def test_transfers_take_latency_and_bytes() -> None:
    program = _pipeline("GPIPE", 2, 1)
    machine = sdy.Machine.parse("flops=1e12 bandwidth=1e9 latency=1 bandwidth.stage=32 latency.stage=0.5")
    seconds = {"fwd0": 1.0, "fwd1": 1.0, "bwd0": 1.0, "bwd1": 1.0}
    step = timeline(program, seconds, machine)
    assert [move.seconds for move in step.moves] == [1.5, 1.5]
    assert step.total == 4 + 2 * 1.5
    assert step.busy == {"m0": 2.0, "m1": 2.0}
    assert str(step).startswith("step 7 s, bubbles 71.4 %\n")


def test_transfers_of_one_channel_wait_for_one_another() -> None:
    step = simulate(_pipeline("GPIPE", 2, 3), lambda run: 1.0, lambda move: 2.0)
    assert [timed.begun for timed in step.moves[:3]] == [1.0, 3.0, 5.0]


def test_a_step_says_what_meshes_wait_for() -> None:
    program = _pipeline("GPIPE", 2, 1)
    machine = sdy.Machine.parse("flops=1e12 bandwidth=1e9 bandwidth.stage=32 latency.stage=0.5")
    step = timeline(program, dict.fromkeys(("fwd0", "fwd1", "bwd0", "bwd1"), 1.0), machine)
    assert step.waiting == {"m0": 1.5, "m1": 1.5}
    assert step.if_free == {("m0", "m1"): 5.5, ("m1", "m0"): 5.5}
    assert "if transfers from m1 to m0 took no time: 5.5 s" in str(step)
    assert [type(each.instruction) for each in step.critical] == [Run, Move, Run, Run, Move, Run]
    assert all(first.ended == second.begun for first, second in itertools.pairwise(step.critical))


def test_memory_is_known_at_each_second() -> None:
    step = simulate(_pipeline("GPIPE", 2, 2), lambda run: 1.0, lambda move: 0.0)
    most = {mesh: max(size for _, size in curve) for mesh, curve in step.memory.items()}
    assert most == {"m0": 5 * 32, "m1": 5 * 32}  # the first forward pass is dropped when its backward pass ends
    assert [second for second, _ in step.memory["m0"]] == sorted(second for second, _ in step.memory["m0"])


def test_pages_show_each_fragment_and_transfer() -> None:
    program = _pipeline("GPIPE", 8, 32)
    step = simulate(program, _seconds, lambda move: 0.5)
    text = page("a <pipeline>", {"GPipe": step, "again": step}, {"more": "<b>"})
    assert text.count("<title>fragment ") == 2 * len(program.runs) == 2 * 512
    assert text.count("<title>transfer ") == 2 * len(program.moves) == 2 * 448
    assert "a &lt;pipeline&gt;" in text
    assert "&lt;b&gt;" in text
    assert 'class="F critical"' in text
    assert "<script" not in text


def test_trace_has_each_instruction() -> None:
    program = _pipeline("GPIPE", 2, 2)
    events = json.loads(simulate(program, _seconds, lambda move: 0.5).to_trace())["traceEvents"]
    assert sum(event["ph"] == "X" for event in events) == len(program.runs) + len(program.moves)


def test_transfers_of_all_microbatches_are_one_entry() -> None:
    report = transfer_report(_pipeline("GPIPE", 2, 4))
    assert [(each.source, each.target, each.count, each.bytes_sent) for each in report.transfers] == [
        ("m0", "m1", 4, 4 * 2 * 32),
        ("m1", "m0", 4, 4 * 2 * 32),
    ]
    assert report.transfers[0].microbatches == (0, 1, 2, 3)
    assert report.transfers[1].consumers == ("block_0 backward",)
    assert str(report).endswith("512 bytes between meshes in a step")


def test_bytes_of_a_device_are_those_of_its_part() -> None:
    mesh = Mesh.of(x=2, y=4)
    sharding = TensorSharding.closed("mesh", 2)
    assert local_bytes(MeshTensor("m", "tensor<8x16xbf16>", sharding), mesh) == 256
    assert local_bytes(MeshTensor("m", "tensor<i32>"), mesh) == 4
