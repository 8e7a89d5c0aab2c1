"""Reading a module into lists (design: Propagation)."""

from __future__ import annotations

import pytest

import sdy
from sdy.mlir import ir
from sdy.passes.propagation.engine.sharding_store import ShardingStore, ShardingTable
from sdy.passes.propagation.engine.snapshot import Snapshot

PROGRAM = """
sdy.mesh @mesh = <["a"=2]>
func.func @main(%x: tensor<8xf32>, %i: tensor<i32>) -> tensor<8xf32> {
  %0 = stablehlo.add %x, %x : tensor<8xf32>
  %1:2 = stablehlo.while(%j = %i, %y = %0) : tensor<i32>, tensor<8xf32>
  cond {
    %2 = stablehlo.compare LT, %j, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %3 = stablehlo.multiply %y, %x : tensor<8xf32>
    stablehlo.return %j, %3 : tensor<i32>, tensor<8xf32>
  }
  %4 = func.call @f(%1#1) : (tensor<8xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}
func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
"""


@pytest.fixture
def module() -> ir.Module:
    return sdy.parse(PROGRAM)


def test_ops_stand_in_pre_order(module: ir.Module) -> None:
    snapshot = Snapshot(module.operation)
    assert [name.partition(".")[2] for name in snapshot.names] == (
        "mesh func add while compare return multiply return call return func return"
    ).split()
    loop = snapshot.names.index("stablehlo.while")
    assert snapshot.ends[loop] == loop + 5
    assert [snapshot.parents[op] for op in (0, 1, loop, loop + 1)] == [-1, -1, 1, loop]
    assert [snapshot.names[op] for op in snapshot.terminators(loop)] == ["stablehlo.return"] * 2
    assert sorted(range(1, 10), key=snapshot.post_order_key) == [2, 4, 5, 6, 7, 3, 8, 9, 1]


def test_values_know_their_uses(module: ir.Module) -> None:
    snapshot = Snapshot(module.operation)
    x = snapshot.entry_arguments(1)[0]
    assert len(snapshot.uses_in_order(x)) == 3
    assert snapshot.uses(x) == [(6, 1), (2, 1), (2, 0)], "the latest use first"
    assert snapshot.operands[2] == [x, x]
    assert snapshot.holder_of(x) == 1
    assert snapshot.number_of(snapshot.value(x)) == x


def test_use_lists_are_those_of_the_module(module: ir.Module) -> None:
    snapshot = Snapshot(module.operation)
    x, added = snapshot.value(snapshot.entry_arguments(1)[0]), snapshot.value(snapshot.results[2].start)
    x.replace_all_uses_with(added)
    again = Snapshot(module.operation)
    assert again.uses(again.number_of(added)) == [(2, 0), (2, 1), (6, 1), (3, 1)], "replaced uses come in reverse"


def test_operations_are_found_after_they_changed(module: ir.Module) -> None:
    """Hashes of ops depend on their attributes, so a snapshot does not rely on them."""
    snapshot = Snapshot(module.operation)
    x = snapshot.entry_arguments(1)[0]
    with module.context:
        snapshot.ops[2].attributes["note"] = ir.UnitAttr.get()
    assert [user for user, _ in snapshot.uses(x)] == [6, 2, 2]


def test_calls(module: ir.Module) -> None:
    snapshot = Snapshot(module.operation)
    call, function = snapshot.names.index("func.call"), snapshot.functions["f"]
    assert snapshot.callee(call) == function
    assert snapshot.callers == {function: [call]}
    assert snapshot.returned(function) == snapshot.entry_arguments(function)
    assert snapshot.main_function == snapshot.functions["main"]


def test_shardings_of_loop_variables_are_those_of_results(module: ir.Module) -> None:
    snapshot = Snapshot(module.operation)
    store = ShardingStore(snapshot, ShardingTable(lambda ref: pytest.fail(f"no mesh is asked for, not {ref}")))
    loop = snapshot.names.index("stablehlo.while")
    results = list(snapshot.results[loop])
    assert [store.slot_of[value] for value in snapshot.arguments[loop]] == results + results
    number = store.table.open("mesh", 1)
    assert store.write(results[1], number) == [results[1], results[0]], "the list comes into being as a whole"
    assert store.sharding(results[0]) is not None
