"""What is read of a module where clones are known is what is read without knowing them."""

from __future__ import annotations

from typing import Any

import pytest

import sdy
from sdy.dialect import assembly
from sdy.mlir import address, ir
from sdy.mlir.search import ops_named
from sdy.passes import analyses
from sdy.passes.clones import ClonedComputations
from sdy.passes.computations import COMPUTATION
from sdy.passes.manager import PlannedStep, plan, run_planned
from sdy.passes.propagation.engine.sharding_store import ShardingStore
from sdy.passes.propagation.engine.sharding_table import ShardingTable
from sdy.passes.propagation.engine.snapshot import Snapshot
from sdy.passes.propagation.engine.visits import Visits
from sdy.passes.steps import Step
from tests import depth
from tests.generators.call_graphs import call_graph, chain

_PROPAGATE = "sdy-user-priority-propagate"


def _imported(text: str) -> tuple[ir.Module, Snapshot]:
    """The module as it is propagated, and what is read of it there."""
    module, found = sdy.parse(text), list[Snapshot]()

    def read(op: Any) -> None:
        clones = analyses.take(ClonedComputations)
        found.append(Snapshot(op, None if clones is None else clones.kinds))

    planned = plan("sdy-propagation-pipeline")
    steps = [one.step.name for one in planned]
    run_planned(module, [*planned[: steps.index(_PROPAGATE)], PlannedStep(Step("read"), False, read)])
    return module, found[0]


def _lists(snapshot: Snapshot) -> list[Any]:
    return [
        snapshot.names,
        snapshot.parents,
        snapshot.ends,
        snapshot.operands,
        snapshot.results,
        snapshot.regions,
        snapshot.arguments,
        snapshot.types,
        snapshot.definers,
        snapshot.num_uses,
        [snapshot.holder_of(value) for value in range(len(snapshot.types))],
        [hash(snapshot.value(value)) for value in range(len(snapshot.types))],
        [snapshot.number_of(snapshot.value(value)) for value in range(len(snapshot.types))],
        [snapshot.uses(value) for value in range(len(snapshot.types))],
        {op: (info.owners, info.owner_of, info.sources) for op, info in snapshot.data_flow_ops.items()},
    ]


def _read(snapshot: Snapshot) -> list[Any]:
    store = ShardingStore(snapshot, ShardingTable(lambda ref: pytest.fail(f"no mesh is asked for, not {ref}")))
    reader = Visits(store, conservative=False)
    return [
        store.slot_of,
        [store.sharding(slot) for slot in range(len(store.current))],
        store.types,
        store.function_results,
        store.edges,
        {slot: tuple(holder.slots) for slot, holder in store.lists.items()},
        [None if profile < 0 else reader.profiles[profile] for profile in reader.profile_of],
        reader.slots,
        reader.attached,
    ]


def _copied(text: str) -> int:
    """The number of copies; checks that they say of the module what it says of itself."""
    module, snapshot = _imported(text)
    plain = Snapshot(module.operation)
    assert not plain.copies
    assert _lists(snapshot) == _lists(plain)
    assert _read(snapshot) == _read(plain)
    return len(snapshot.copies)


def test_random_call_graphs() -> None:
    copied = [_copied(call_graph(seed)) for seed in depth.seeds(15, 2000)]
    assert len(copied) == 1 or any(copied)


def test_a_chain_is_read_once() -> None:
    assert _copied(chain(5)) == 4


CALLS = """
sdy.mesh @m = <["a"=2]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}]>}) -> tensor<8xf32> {
  %0 = call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @g(%0) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  %2 = call @f(%1) : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @g(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @g(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
"""

REGION = """
func.func private @g(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a", ?}]>}) -> tensor<8xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %c) across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %2 = stablehlo.subtract %b, %a : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  %1 = stablehlo.broadcast_in_dim %0, dims = [] {sdy.sharding_rule = #sdy.op_sharding_rule<([])->([i]) {i=8}>}
    : (tensor<f32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
"""

LOOP = """
func.func private @g(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.while(%y = %x) : tensor<8xf32>
  cond {
    %c = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    stablehlo.return %y : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}
"""


def test_regions_and_rules_are_copied() -> None:
    assert _copied(CALLS + REGION) > 0


def test_what_has_loops_is_read_op_by_op() -> None:
    assert _copied(CALLS + LOOP) == 0


SEVERAL_RESULTS = """
func.func private @g(%x: tensor<8xf32>) -> tensor<8xf32> {
  %k = stablehlo.constant dense<0.0> : tensor<8xf32>
  %0:2 = "stablehlo.sort"(%x, %k) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %0#1 : tensor<8xf32>
}
"""

NO_EDGE = """
func.func private @g(%x: tensor<8xf32>) -> tensor<8xf32> {
  %t = stablehlo.create_token : !stablehlo.token
  %0:2 = call @h(%x, %t) : (tensor<8xf32>, !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token)
  return %0#0 : tensor<8xf32>
}
func.func private @h(%x: tensor<8xf32>, %t: !stablehlo.token) -> (tensor<8xf32>, !stablehlo.token) {
  return %x, %t : tensor<8xf32>, !stablehlo.token
}
"""


@pytest.mark.parametrize("callee", [SEVERAL_RESULTS, NO_EDGE])
def test_lists_of_shardings_are_read_op_by_op(callee: str) -> None:
    assert _copied(CALLS + callee) == 0


def _computations(edge: str) -> str:
    """Two computations with equal bodies, whose arguments and results have the edges that each body begins with."""
    one = """
  %{n} = sdy.named_computation<"f">(%{given}) (%a: tensor<8xf32>) {{
    {edge}
    %s = stablehlo.tanh {argument} : tensor<8xf32>
    sdy.return %s : tensor<8xf32>
  }} : (tensor<8xf32>) -> tensor<8xf32>
  %e{n} = sdy.data_flow_edge %{n} : tensor<8xf32>"""
    argument = "%b" if "%b" in edge else "%a"
    bodies = "".join(one.format(n=n, given=given, edge=edge, argument=argument) for n, given in ((0, "x"), (1, "e0")))
    return f"""
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {{{bodies}
  return %e1 : tensor<8xf32>
}}
"""


@pytest.mark.parametrize(
    ("edge", "copies"),
    [
        ("%b = sdy.data_flow_edge %a : tensor<8xf32>", 1),
        ("", 0),
        ("%b = sdy.data_flow_edge %a : tensor<8xf32>  %d = stablehlo.abs %a : tensor<8xf32>", 0),
    ],
    ids=["edge", "no edge", "used beside the edge"],
)
def test_copies_have_edges_alone(edge: str, copies: int) -> None:
    module = assembly.parse(_computations(edge))  # not verified: an argument has no use beside its edge
    kinds = {address(op.results[0]): 0 for op in ops_named(module.operation, COMPUTATION)}
    assert len(kinds) == 2
    assert len(Snapshot(module.operation, kinds).copies) == copies
