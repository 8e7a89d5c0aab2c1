"""An op of another dialect whose values flow through its region, declared as CONTRIBUTING.md shows it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import sdy
from sdy.dialect import data_flow
from sdy.mlir import ir

LOOP = """
sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, %arg1: tensor<8xf32>)
    -> (tensor<8x8xf32>, tensor<8xf32>) {
  %0:2 = "mydialect.loop"(%arg0, %arg1) ({
  ^bb0(%arg2: tensor<8x8xf32>, %arg3: tensor<8xf32>):
    %1 = stablehlo.negate %arg2 : tensor<8x8xf32>
    %2 = stablehlo.negate %arg3 : tensor<8xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{"b"}]> : tensor<8xf32>
    "mydialect.yield"(%1, %3) : (tensor<8x8xf32>, tensor<8xf32>) -> ()
  }) : (tensor<8x8xf32>, tensor<8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>)
  return %0#0, %0#1 : tensor<8x8xf32>, tensor<8xf32>
}
"""


@pytest.fixture
def loop() -> Iterator[None]:
    """The example of CONTRIBUTING.md, declared for the time of a test."""
    text = (Path(__file__).parents[3] / "CONTRIBUTING.md").read_text()
    (code,) = re.findall(r"```python\n(@sdy\.data_flow_op.*?)```", text, re.DOTALL)
    exec(code, {"sdy": sdy})
    yield
    data_flow._kinds.pop("mydialect.loop")


def after(pipeline: str) -> str:
    context = sdy.make_context()
    context.allow_unregistered_dialects = True
    module = sdy.parse(LOOP, context=context)
    sdy.run(module, pipeline)
    return sdy.print_module(module)


def test_edges_are_inserted(loop: None) -> None:
    imported = after("sdy-import-pipeline")
    assert imported.count("sdy.data_flow_edge") == 2
    assert "sdy.data_flow_edge %0#1 : tensor<8xf32>" in imported


def test_a_constraint_inside_reaches_operand_argument_and_result(loop: None) -> None:
    """The first value is sharded by its operand, the second by what the body returns."""
    propagated = after("sdy-propagation-pipeline")
    shardings = '#sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>, <@mesh, [{"b"}]>]>'
    assert f"}}) {{sdy.sharding = {shardings}}} : " in propagated
    assert '%arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}]>}' in propagated
    assert 'stablehlo.negate %arg2 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>}' in propagated
    assert 'stablehlo.negate %arg3 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"b"}]>]>}' in propagated
    assert "data_flow_edge" not in propagated


def test_an_undeclared_op_has_no_edges() -> None:
    assert "data_flow_edge" not in after("sdy-import-pipeline")


def test_sources_and_targets(loop: None) -> None:
    context = sdy.make_context()
    context.allow_unregistered_dialects = True
    module = sdy.parse(LOOP, context=context)
    (flow,) = data_flow.data_flow_ops(module.operation)
    for number, owner in enumerate(flow.result_owners()):
        assert [use.operand_number for use in flow.sources(owner)] == [number, number]
        assert [use.owner.name for use in flow.sources(owner)] == ["mydialect.loop", "mydialect.yield"]
        result, argument = flow.targets(owner)
        assert (ir.OpResult(result).result_number, ir.BlockArgument(argument).arg_number) == (number, number)
        assert flow.owner_of_target(argument) == owner


def test_an_operand_beyond_the_results_belongs_to_no_edge(loop: None) -> None:
    context = sdy.make_context()
    context.allow_unregistered_dialects = True
    text = LOOP.replace('"mydialect.loop"(%arg0,', '"mydialect.loop"(%arg0, %arg1,')
    module = sdy.parse(text.replace("}) : (tensor<8x8xf32>,", "}) : (tensor<8x8xf32>, tensor<8xf32>,"), context=context)
    (flow,) = data_flow.data_flow_ops(module.operation)
    owners = [flow.owner_of_use(data_flow.Use(flow.op, number)) for number in range(3)]
    assert owners == [*flow.op.results, None]


def test_incomplete_declarations_are_refused() -> None:
    class NoSources(data_flow.DataFlowOp):
        pass

    class NoPlaceForShardings(data_flow.DataFlowOp):
        def sources(self, owner: ir.Value) -> list[data_flow.Use]:
            return []

        def block_arg_owners(self) -> list[ir.Value]:
            return []

    for kind, missing in ((NoSources, "sources"), (NoPlaceForShardings, "set_block_arg_shardings")):
        with pytest.raises(TypeError, match=rf"{kind.__name__} .*{missing}\(\)"):
            sdy.data_flow_op("mydialect.incomplete")(kind)
        assert not data_flow.is_data_flow_op("mydialect.incomplete")
