"""`sdy.cure`: what an expert would change in steps with a planted mistake, and what it says of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import sdy
from sdy.jax.stages import Lowered
from tests import depth
from tests.unit.suggestions.planted_mistakes import (
    MISTAKES,
    no_constraint_behind_a_gather,
    scanned_layers_without_a_constraint,
)

TRANSPOSED = """
sdy.mesh @mesh = <["data"=4, "model"=2]>
func.func @main(
    %x: tensor<4096x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("x"),
    %w: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>} loc("params['w']"))
    -> (tensor<4096x512xf32>, tensor<512x512xf32> {
      jax.result_info = "result['w']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<4096x512xf32>, tensor<512x512xf32>) -> tensor<4096x512xf32>
  %1 = stablehlo.add %w, %w : tensor<512x512xf32>
  return %0, %1 : tensor<4096x512xf32>, tensor<512x512xf32>
}
"""


def mistakes(seed: int) -> list[Callable[[bool], Lowered]]:
    """All nine, or ordinarily the quickest two and one more."""
    return list(MISTAKES) if depth.ALL else [MISTAKES[seed], MISTAKES[6], MISTAKES[8]]


@pytest.mark.parametrize("step", mistakes(0), ids=lambda step: step.__name__)
def test_a_planted_mistake_is_found(step: Callable[[bool], Lowered]) -> None:
    expert, wrong = sdy.auto.estimate(step(True), "generic"), step(False)
    found = sdy.cure(wrong)
    assert 1 <= len(found.cures) <= 3
    assert found.after.bytes_sent <= 1.05 * expert.bytes_sent
    assert found.after.step <= 1.05 * expert.step < found.before.step
    assert found.after.memory <= 1.02 * found.before.memory and found.after.flops <= 1.02 * found.before.flops
    assert sum(each.saving.bytes_sent for each in found.cures) == found.before.bytes_sent - found.after.bytes_sent


def test_the_partitioner_needs_no_constraint_behind_a_gather() -> None:
    expert, alone = (sdy.communication(no_constraint_behind_a_gather(is_right)) for is_right in (True, False))
    assert alone.bytes_sent <= expert.bytes_sent


def test_what_is_found_can_be_applied() -> None:
    found = sdy.cure(TRANSPOSED, machine="h100")
    module = sdy.parse(TRANSPOSED)
    found.apply(module)
    report = sdy.communication(module)
    assert report.bytes_sent == found.after.bytes_sent == 0 < found.before.bytes_sent
    text = str(found)
    assert text.splitlines()[1].startswith("as it is            1")
    assert """: shard params['w'], result['w'] as [{}, {"model"}]""" in text
    assert sdy.auto.estimate(module, "h100").step == found.after.step


def test_weights_are_returned_as_they_are_taken() -> None:
    """Sharding what a step returns alone would save bytes here, and cost them in the next step."""
    module = sdy.parse(TRANSPOSED)
    sdy.cure(TRANSPOSED).apply(module)
    main = next(iter(sdy.funcs(module)))
    assert sdy.get_sharding(main.regions[0].blocks[0].arguments[1]) == sdy.get_result_sharding(main, 1)


def test_nothing_cheaper_is_an_answer() -> None:
    found = sdy.cure(TRANSPOSED.replace('{"model"}, {}', '{}, {"model"}'))
    assert not found.cures and str(found).startswith("nothing cheaper was found, of ")
    assert found.before == found.after


def test_a_cure_says_what_it_costs() -> None:
    """What sends less and computes or holds more says how much."""
    costly = next(each for each in sdy.why(TRANSPOSED, "c0").cures if each.costs)
    assert any(cost.startswith(("FLOPs +", "memory +")) for cost in costly.costs)
    assert f", {', '.join(costly.costs)}: " in str(costly)
    assert not sdy.why(TRANSPOSED, "c0").cures[0].costs


@depth.deep
def test_the_input_of_a_block_is_constrained() -> None:
    """In a scan of small layers every change saves little but that one."""
    expert, found = scanned_layers_without_a_constraint(True), sdy.cure(scanned_layers_without_a_constraint(False))
    assert "stablehlo.gather" in found.cures[0].text and found.cures[0].text.endswith('to [{"data"}, {}, {}]')
    assert found.after.bytes_sent <= 1.05 * sdy.communication(expert).bytes_sent
