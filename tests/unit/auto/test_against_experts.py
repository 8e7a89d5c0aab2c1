"""Plans beside those of experts, for programs of real size: those of `benchmarks.auto_partitioning` that are quick."""

from __future__ import annotations

import pytest

from benchmarks.auto_partitioning.experts import experts_of
from benchmarks.auto_partitioning.measured import MESHES, expert_text, of_expert, planned
from benchmarks.auto_partitioning.programs import PROGRAMS
from benchmarks.auto_partitioning.rules import fitted
from tests import depth

WITHIN = 0.1
"""The part of a measured step by which what was predicted may differ."""


@pytest.mark.slow  # programs are planned, and partitioned as experts do
@pytest.mark.parametrize(
    ("name", "mesh"),
    [
        ("mlp", "8"),
        ("mlp", "4x2"),
    ]
    if not depth.ALL
    else [
        ("mlp", "8"),
        ("mlp", "4x2"),
        ("moe", "slow"),
        ("moe_ragged", "4x2"),
        ("cnn", "slow"),
        ("gnn", "4x2"),
    ],
)
def test_no_expert_is_faster(name: str, mesh: str) -> None:
    program, (sizes, machine) = PROGRAMS[name](), MESHES[mesh]
    steps = {title: of_expert(program, expert, mesh).step for title, expert in experts_of(name, sizes).items()}
    plan, _ = planned(program.text(), sizes, machine)
    assert plan.cost.step <= min(steps.values()), steps
    assert plan.predicted.step == pytest.approx(plan.cost.step, rel=WITHIN)


def test_what_is_written_to_be_sent_is_predicted() -> None:
    """Ops that would be fused with what is on the other side of a move are not; else less would be predicted."""
    sizes, machine = MESHES["4x2"]
    plan, _ = planned(PROGRAMS["mlp"]().text(), sizes, machine, annotate="full")
    assert (1 - 1e-6) * plan.cost.compute <= plan.predicted.compute <= 1.01 * plan.cost.compute


def test_what_experts_say_is_in_the_program() -> None:
    sizes = {"data": 4, "model": 2}
    program, expert = PROGRAMS["moe"](), experts_of("moe", sizes)["experts + fsdp"]
    text = expert_text(program, expert, sizes)
    assert '[{"model"}, {"data"}, {}]' in text, "weights of experts, whose second dimension is the largest"
    assert text.count("sdy.sharding_constraint") > text.count('[{}, {"data", "model"}, {}, {}]') > 0


def test_axes_that_divide_nothing_are_left_out() -> None:
    sizes = {"data": 4, "model": 2}
    layout = (("data", "model"), ("model", "data"))
    assert fitted(layout, (12, 6, 5), sizes) == (("data",), ("model",))
    assert fitted(layout, (8,), sizes) == (("data", "model"),)
