"""Running pipelines: order, options, verification, and what is reported when something fails."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import pytest

import sdy
from sdy.dialect.definition.attributes import put
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.axes import axes
from sdy.dialect.values.rule import ShardingPerValue
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir.diagnostics import DiagnosticError, DiagnosticErrors, warning
from sdy.mlir.functions import funcs
from sdy.mlir.search import ops_named
from sdy.mlir.walk import pre_order
from sdy.passes import manager, registry
from sdy.passes.manager import run_pipeline
from sdy.passes.registry import UNCHANGED, pass_, pipeline, step
from sdy.passes.steps import ANY, FUNCTION, PipelineError, Step, parse_pipeline
from tests.depth import seeds
from tests.generators.features import Features
from tests.generators.programs import generate

TEXT = """sdy.mesh @m = <["a"=2]>
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @g()
"""


@pytest.fixture(autouse=True)
def own_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passes registered by a test are gone after it."""
    registry.passes()  # those of the package stay
    for table in ("_passes", "_pipelines", "_aliases"):
        monkeypatch.setattr(registry, table, dict(getattr(registry, table)))


def _shard(module: Any, axis: str) -> None:
    negate = next(op for op in pre_order(module) if op.name == "stablehlo.negate")
    put(negate, "sdy.sharding", ShardingPerValue((TensorSharding.from_axes("m", [axes(axis)]),)))


def test_steps_run_in_order_on_their_ops() -> None:
    seen: list[tuple[str, str]] = []
    pass_("sdy-test-module")(lambda op: seen.append(("module", op.name)))
    pass_("sdy-test-function", on="func.func")(lambda op: seen.append(("function", op.attributes["sym_name"].value)))
    pipeline("sdy-test-pipeline")(lambda: [step("sdy-test-function"), step("symbol-dce"), step("sdy-test-module")])
    sdy.run(sdy.parse(TEXT), "sdy-test-module,func.func(sdy-test-function),sdy-test-pipeline")
    functions = [("function", "f"), ("function", "g")]
    assert seen == [("module", "builtin.module"), *functions, *functions, ("module", "builtin.module")]


@pytest.mark.parametrize(
    "given",
    [
        *map(step, sorted(registry.pipelines())),
        step("sdy-export-pipeline", partitioner_stage="convert-global-to-local"),
    ],
    ids=str,
)
def test_steps_run_on_what_their_passes_run_on(given: Step) -> None:
    """A pipeline says of passes on functions that they run on functions, and of no others."""
    targets = [(one, registry.find(one.name)) for one in registry.expand([given])]
    anchors = [(one, found.anchor) for one, found in targets if isinstance(found, registry.Pass)]
    fixed = [(one, anchor) for one, anchor in anchors if anchor != ANY]
    assert len(fixed) > (1 if given.name == "mpmd-optimize-pipeline" else 3)
    assert [one.name for one, anchor in fixed if one.on_func != (anchor == FUNCTION)] == []


def test_a_pass_that_is_registered_again_replaces_the_first() -> None:
    seen: list[str] = []
    for name in ("first", "second"):
        pass_("sdy-test-module")(lambda op, name=name: seen.append(name))
        sdy.run(sdy.parse(TEXT), "sdy-test-module")
        sdy.run(sdy.parse(TEXT), "sdy-test-module")
    assert seen == ["first", "first", "second", "second"]


def test_options_reach_the_pass() -> None:
    @dataclass(frozen=True)
    class Options:
        depth: int = field(default=1, metadata={"help": "how deep"})
        is_deep: bool = False
        names: tuple[str, ...] = ()

    seen: list[Options] = []
    pass_("sdy-test-options", options=Options)(lambda op, options: seen.append(options))
    sdy.run(sdy.parse(TEXT), "sdy-test-options{depth=3 is-deep names=a,b},sdy-test-options")
    assert seen == [Options(3, True, ("a", "b")), Options()]
    for text, problem in (
        ("sdy-test-options{height=3}", "no option 'height'; it has depth, is-deep, names"),
        ("sdy-test-options{depth=x}", "'x' is not a valid int for option 'depth'"),
        ("sdy-test-options{depth={3}", "unbalanced"),
        ("sdy-test-options,,cse", "empty pass name"),
        ("func.func(func.func(cse))", "cannot nest 'func.func' in 'func.func'"),
        ("func.func(sdy-test-options)", "runs on 'builtin.module', not on 'func.func'"),
        ("sdy-no-such-pass", "unknown pass 'sdy-no-such-pass'"),
        ("cse{no-such-option=1}", "does not take the options"),
    ):
        with pytest.raises(PipelineError, match=problem):
            sdy.run(sdy.parse(TEXT), text)


def test_textual_pipelines_keep_nesting_and_options() -> None:
    steps = parse_pipeline("builtin.module(sdy-a{x={1 2} y='a b'},func.func(sdy-b,sdy-c{z}))")
    assert steps == [Step("sdy-a", {"x": "1 2", "y": "a b"}), Step("sdy-b", {}, True), Step("sdy-c", {"z": True}, True)]
    assert [str(each) for each in steps][1:] == ["func.func(sdy-b)", "func.func(sdy-c{z=true})"]


def test_the_pass_that_leaves_an_invalid_module_is_the_last_that_ran() -> None:
    ran: list[str] = []

    @pass_("sdy-test-break")
    def break_(op: Any) -> None:
        ran.append("break")
        _shard(op, "no such axis")

    pass_("sdy-test-after")(lambda op: ran.append("after"))
    with pytest.raises(DiagnosticError, match='axis "no such axis"'):
        sdy.run(sdy.parse(TEXT), "sdy-test-break,sdy-test-after")
    assert set(ran) == {"break"}


def test_a_crash_on_an_invalid_module_is_reported_as_the_error_that_led_to_it() -> None:
    pass_("sdy-test-break")(lambda op: _shard(op, "z"))

    @pass_("sdy-test-crash")
    def crash(op: Any) -> None:
        raise KeyError("z")

    with pytest.raises(DiagnosticError, match='axis "z"'):
        sdy.run(sdy.parse(TEXT), "sdy-test-break,sdy-test-crash")
    with pytest.raises(KeyError):
        sdy.run(sdy.parse(TEXT), "sdy-test-crash,cse")


@pytest.mark.parametrize("text", ["sdy-test-break,sdy-test-mend", "cse,sdy-test-break,sdy-test-mend,canonicalize"])
def test_an_error_that_a_later_pass_mends_is_found(text: str) -> None:
    pass_("sdy-test-break")(lambda op: _shard(op, "z"))
    pass_("sdy-test-mend")(lambda op: _shard(op, "a"))
    with pytest.raises(DiagnosticError, match='axis "z"'):
        sdy.run(sdy.parse(TEXT), text)
    module = sdy.parse(TEXT)
    sdy.run(module, text, verify=False)
    assert '{"a"}' in sdy.print_module(module)


class _Verifying:
    """An observer that has the module verified after each pass, and hears which one left an invalid one."""

    verifies = True

    def before(self, step: Step, op: Any) -> None: ...

    def after(self, step: Step, op: Any) -> None: ...

    def failed(self, step: Step, op: Any) -> None: ...


@pytest.mark.parametrize("seed", seeds(6, 1000))
def test_each_pass_of_a_pipeline_leaves_a_valid_module(seed: int) -> None:
    """This is why passes of the package are not verified one by one."""
    assert all(each.is_built_in for each in registry.passes().values())
    module = sdy.parse(generate(random.Random(seed), Features(delicate=False)))
    sizes = {mesh.size for mesh in MeshTable(module.operation).by_name.values()}
    try:
        run_pipeline(module, "sdy-propagation-pipeline,sdy-partition-pipeline", observers=[_Verifying()])
    except DiagnosticError:
        assert len(sizes) > 1  # values do not move between meshes of unequal sizes


@pytest.mark.parametrize(("unchanged", "count"), [("f g", 0), ("f", 1), ("g", 1), ("", 1)])
def test_what_no_pass_has_changed_is_not_verified(unchanged: str, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    verified: list[Any] = []
    monkeypatch.setattr(manager, "check", verified.append)

    @pass_("sdy-test-some", on="func.func")
    def some(func: Any) -> object:
        return UNCHANGED if func.attributes["sym_name"].value in unchanged.split() else None

    sdy.run(sdy.parse(TEXT), "sdy-test-some")
    assert len(verified) == count


@pytest.mark.parametrize("seed", seeds(10, 1000))
def test_passes_that_say_they_changed_nothing_have_not(seed: int) -> None:
    module = sdy.parse(generate(random.Random(seed), Features(delicate=False)))
    sdy.run(module, "sdy-propagation-pipeline{avoid-export-for-partitioning=true}")
    full = "sdy-insert-explicit-reshards{enable-full-version=true}"
    for planned in manager.plan(f"sdy-verify-unreduced-axes,sdy-insert-explicit-reshards,{full}"):
        for func in funcs(module.operation):
            before = str(func)
            with module.context, func.location:
                is_unchanged = planned.run(func) is UNCHANGED
            assert not is_unchanged or str(func) == before


def test_branches_that_a_pass_from_elsewhere_makes() -> None:
    """Whether there are any is found out once, and again after such a pass; else some ops would not be found."""
    blocks = "cf.br ^b\n^a:\n  %1 = stablehlo.negate %0 : tensor<f32>\n  cf.br ^b\n^b:\n  return"
    text = f"func.func @f(%0: tensor<f32>) {{ {blocks} }}"
    found: list[int] = []

    def makes_branches(module: Any) -> None:
        other = sdy.parse(text, context=module.context).operation
        module.regions[0].blocks[0].append(other.regions[0].blocks[0].operations[0].operation)

    pass_("sdy-test-branches")(makes_branches)
    pass_("sdy-test-finds")(lambda module: found.append(len(ops_named(module, "stablehlo.negate"))))
    sdy.run(sdy.parse("module {}"), "sdy-test-finds,sdy-test-branches,sdy-test-finds")
    assert found == [0, 1]


def test_without_verification_an_invalid_module_stays() -> None:
    pass_("sdy-test-break")(lambda op: _shard(op, "z"))
    module = sdy.parse(TEXT)
    sdy.run(module, "sdy-test-break,cse", verify=False)
    assert '"z"' in sdy.print_module(module)


def test_warnings_are_reported_once(capsys: pytest.CaptureFixture[str]) -> None:
    pass_("sdy-test-warn")(lambda op: warning(op, "is odd"))
    pass_("sdy-test-break")(lambda op: _shard(op, "z"))
    with pytest.raises(DiagnosticError):
        sdy.run(sdy.parse(TEXT, "f.mlir"), "sdy-test-warn,sdy-test-break")
    assert capsys.readouterr().err.count("warning: 'builtin.module' op is odd") == 1


def test_upstream_errors_have_a_place() -> None:
    with pytest.raises(DiagnosticErrors) as caught:
        sdy.parse(TEXT.replace("tensor<8xf32> {", "tensor<9xf32> {"), "f.mlir")
    assert str(caught.value).startswith("f.mlir:4:")
