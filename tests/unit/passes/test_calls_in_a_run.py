"""What passes on calls make of a module in a row is what they make of it one by one."""

from __future__ import annotations

from typing import Any

import pytest

import sdy
from sdy.mlir import ir
from sdy.mlir.functions import CallGraph, funcs
from sdy.mlir.walk import pre_order
from sdy.passes.exporting import export_named_computations
from sdy.passes.importing.calls import is_cloned_alike_when_imported
from sdy.passes.manager import plan, run_nested, run_pipeline
from sdy.passes.steps import Step
from tests import depth
from tests.generators.call_graphs import call_graph, chain
from tests.oracle import reference, requires_reference

pytestmark = pytest.mark.slow


PIPELINE = "sdy-propagation-pipeline"
PIPELINES = (PIPELINE, f"{PIPELINE}{{avoid-export-for-partitioning=true}}")
_INDEX = "test.index"


def _seen(module: Any) -> tuple[str, list[list[tuple[int, int]]]]:
    """The text with locations, and where each value is used in the order in which its uses are listed."""
    ops = pre_order(module.operation)
    text = module.operation.get_asm(enable_debug_info=True)
    integer = ir.IntegerType.get_signless(64, module.context)
    for index, op in enumerate(ops):
        op.attributes[_INDEX] = ir.IntegerAttr.get(integer, index)
    blocks = [block for op in ops for region in op.regions for block in region.blocks]
    values = [value for op in ops for value in op.results]
    values += [argument for block in blocks for argument in block.arguments]
    uses = [
        [(use.owner.operation.attributes[_INDEX].value, use.operand_number) for use in value.uses] for value in values
    ]
    for op in ops:
        del op.attributes[_INDEX]
    return text, uses


def _steps(pipeline: str) -> list[Step]:
    """The pipeline up to where no function is left that has been merged with another one."""
    steps = [one.step for one in plan(pipeline)]
    return steps[: 1 + max(at for at, one in enumerate(steps) if one.name == "symbol-dce")]


def _assert_same_in_a_run(text: str) -> None:
    """A run, in which passes know what comes next, leaves what the passes leave one by one."""
    for pipeline in PIPELINES:
        run, module = sdy.parse(text), sdy.parse(text)
        run_pipeline(run, _steps(pipeline))
        for step in _steps(pipeline):
            run_nested(module, [step])
        assert _seen(run) == _seen(module)


def test_runs_lead_to_the_same() -> None:
    for seed in depth.seeds(25, 2000):
        _assert_same_in_a_run(call_graph(seed))


def test_run_of_a_chain_leads_to_the_same() -> None:
    _assert_same_in_a_run(chain(4))


def _is_cloned_late(text: str) -> bool:
    module = sdy.parse(text).operation
    return is_cloned_alike_when_imported(module, CallGraph(module))


def test_chain_is_cloned_late() -> None:
    assert _is_cloned_late(chain(4))
    assert _is_cloned_late(chain(4).replace("func.func @main", "func.func public @main"))
    seeds = depth.seeds(60, 2000)
    assert len(seeds) == 1 or {_is_cloned_late(call_graph(seed)) for seed in seeds} == {True, False}


@pytest.mark.parametrize(
    ("visibility", "is_late"), [("private", False), ("nested", False), ("public", True), ("", True)]
)
def test_functions_that_are_about_to_go_are_cloned_first(visibility: str, is_late: bool) -> None:
    assert _is_cloned_late(f"{chain(3)}func.func {visibility} @unused() {{\n return\n}}\n") == is_late


def test_functions_are_cloned_first_where_somebody_looks() -> None:
    counts: list[int] = []

    class Observer:
        verifies = False

        def before(self, step: Step, op: ir.Operation) -> None:
            if step.name == "sdy-import-func-calls":
                counts.append(len(funcs(op)))

        def after(self, step: Step, op: ir.Operation) -> None: ...

        def failed(self, step: Step, op: ir.Operation) -> None: ...

    run_pipeline(sdy.parse(chain(3)), _steps(PIPELINE), observers=[Observer()])
    assert counts == [1 + 1 + 2 + 4]


def test_functions_that_are_merged_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bool] = []
    different = export_named_computations._export_different_ones
    monkeypatch.setattr(
        export_named_computations, "_export_different_ones", lambda module: made.append(different(module)) or made[-1]
    )
    run_nested(sdy.parse(chain(4)), _steps(PIPELINE))
    assert made == [True]


def _two_computations(first: str, second: str, types: tuple[str, str]) -> str:
    """Two computations of one name, called alike, that return their argument and what `first` and `second` make."""
    lines = ['sdy.mesh @m = <["a"=2]>', "sdy.mesh @one = <[], device_ids=[0]>"]
    results = ", ".join(types)
    lines.append(f"func.func @main(%x: tensor<8xf32>) -> ({results}) {{")
    for index, (made, type_) in enumerate(zip((first, second), types, strict=True)):
        rank = type_.count("x")
        outs = f'<@m, [{{"a"}}]>, <@m, [{", ".join(["{?}"] * rank)}]>'
        lines += [
            f'%{index}:2 = sdy.named_computation<"g">(%x) in_shardings=[<@m, [{{"a"}}]>] out_shardings=[{outs}]',
            f"(%y: tensor<8xf32>) {{ %c = {made} : {type_}",
            f"sdy.return %y, %c : tensor<8xf32>, {type_} }} : (tensor<8xf32>) -> (tensor<8xf32>, {type_})",
        ]
    return "\n".join([*lines, f"return %0#1, %1#1 : {results}", "}"]) + "\n"


def _functions(text: str, *before: Step) -> int:
    """How many functions are left of computations; checks that it is those that the passes leave one by one."""
    names = ("sdy-export-named-computations", "sdy-propagate-to-func-results", "sdy-unflatten-call-graph", "symbol-dce")
    steps = [*before, *map(Step, names)]
    run, module = sdy.parse(text), sdy.parse(text)
    run_pipeline(run, steps)
    for step in steps:
        run_nested(module, [step])
    assert _seen(run) == _seen(module)
    return str(run).count("func.func private")


PROPAGATE = Step("sdy-user-priority-propagate")
ZERO = "stablehlo.constant dense<0.0>"
ON_ONE_DEVICE = "stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>} dense<0.0>"
ONE_TYPE = ("tensor<8xf32>", "tensor<8xf32>")


def test_computations_that_differ_in_a_rank_stay_apart() -> None:
    assert _functions(_two_computations(ZERO, ZERO, ("tensor<8xf32>", "tensor<8x8xf32>"))) == 2


def test_computations_that_return_something_on_one_device_are_as_those_without_sharding() -> None:
    assert _functions(_two_computations(ZERO, ON_ONE_DEVICE, ONE_TYPE)) == 1


def test_computations_without_edges_keep_the_shardings_that_they_have() -> None:
    text = _two_computations(ZERO, ZERO, ONE_TYPE)
    assert _functions(text, PROPAGATE) == 1
    assert _functions(text.replace('in_shardings=[<@m, [{"a"}]>]', "in_shardings=[<@m, [{}]>]", 1), PROPAGATE) == 2


def test_computations_that_propagation_erases_are_gone() -> None:
    text = _two_computations(ZERO, ZERO, ONE_TYPE).replace('"g"', '"unused"', 1)
    assert _functions(text, PROPAGATE) == 2
    assert _functions(text.replace("return %0#1, %1#1", "return %1#1, %1#1"), PROPAGATE) == 1


@requires_reference
def test_chain_of_calls_equals_reference() -> None:
    text = chain(6)
    assert sdy.print_module(_run(text)) == reference(text, PIPELINE)


@requires_reference
def test_call_graphs_equal_reference() -> None:
    for seed in depth.seeds(30, 1000):
        text = call_graph(seed)
        assert sdy.print_module(_run(text)) == reference(text, PIPELINE), f"seed {seed}"


def _run(text: str) -> Any:
    module = sdy.parse(text)
    sdy.run(module, PIPELINE)
    return module
