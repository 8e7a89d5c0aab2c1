"""What propagation remembers of one module for the next."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

import sdy
from sdy.dialect.ops.op_signature import OpSignature
from sdy.dialect.ops.short_forms import sharding_rule
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import TensorSharding
from sdy.passes.propagation.engine import visit as visit_cache
from sdy.passes.propagation.engine.strategy import FactorStrategy
from sdy.passes.propagation.engine.visit import UnknownMesh, remembered_visits
from sdy.passes.propagation.engine.visits import OpProfile

MESHES = {"mesh": Mesh.of(a=2, b=2)}

PROGRAM = """
sdy.mesh @mesh = <["a"=2]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.tanh %x : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
"""


@pytest.fixture(autouse=True)
def nothing_remembered(own_models: None) -> Iterator[None]:
    visit_cache._remembered.cache_clear()
    yield
    visit_cache._remembered.cache_clear()


def test_modules_with_equal_meshes_share_visits() -> None:
    visits = remembered_visits(MESHES)
    assert remembered_visits({"mesh": Mesh.of(a=2, b=2)}) is visits
    assert remembered_visits({"mesh": Mesh.of(a=2, b=4)}) is not visits
    assert remembered_visits({"other": Mesh.of(a=2, b=2)}) is not visits
    profile = OpProfile(ShardingRule.identity((8,)))
    assert visits.of(profile).at(FactorStrategy.BASIC) is visits.of(OpProfile(profile.rule)).at(FactorStrategy.BASIC)


def test_too_much_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visit_cache, "_REMEMBERED", 3)
    visits = remembered_visits(MESHES)
    for rank in range(3):
        assert remembered_visits(MESHES) is visits
        visits.table.open("mesh", rank)
    assert remembered_visits(MESHES) is not visits


def test_meshes_that_the_module_does_not_declare() -> None:
    table = remembered_visits(MESHES).table
    assert table.mesh("mesh") == MESHES["mesh"]
    for ref in ("other", MESHES["mesh"]):
        with pytest.raises(UnknownMesh):
            table.mesh(ref)


def test_threads_number_shardings_alike() -> None:
    table = remembered_visits(MESHES).table
    shardings = [TensorSharding.from_axes("mesh", [[AxisRef.sub("a", size, 2)]]) for size in range(1, 300)]
    start = Barrier(4)

    def numbers(_: int) -> list[int]:
        start.wait()
        return [table.number(sharding) for sharding in shardings]

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(numbers, range(4)))
    assert found == [found[0]] * 4
    assert [table.shardings[number] for number in found[0]] == shardings


def test_rules_declared_between_two_modules_hold_for_the_second() -> None:
    context = sdy.make_context()

    def result() -> str:
        module = sdy.parse(PROGRAM, context=context)
        sdy.run(module, "sdy-basic-propagate")
        return sdy.print_module(module).partition("stablehlo.tanh")[2].partition(":")[0]

    assert '[{"a", ?}, {?}]' in result()

    @sharding_rule("stablehlo.tanh")
    def transposed(op: OpSignature) -> str:
        return "i j -> j i"

    assert '[{?}, {"a", ?}]' in result()


def test_a_rule_that_says_something_else_later_is_asked_by_the_next_run() -> None:
    context, notation = sdy.make_context(), "i j -> i j"

    @sharding_rule("stablehlo.tanh")
    def changing(op: OpSignature) -> str:
        return notation

    def result(pipeline: str) -> str:
        module = sdy.parse(PROGRAM, context=context)
        sdy.run(module, pipeline)
        return sdy.print_module(module)

    for pipeline in ("sdy-propagation-pipeline", "sdy-partition-pipeline"):
        notation = "i j -> i j"
        before = result(pipeline)
        notation = "i j -> j i"
        after = result(pipeline)
        notation = "i j -> i j"
        assert result(pipeline) == before != after
