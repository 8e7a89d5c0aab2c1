"""Large modules, whose ops are mostly recognised by patterns: they are treated like small ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

import sdy
from sdy.dialect.shardings.attribute_shardings import set_op_shardings
from sdy.dialect.values.sharding import TensorSharding
from sdy.dialect.verification import documents, verify_module
from sdy.mlir import ir, pdl
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.search import ops_named
from sdy.passes.exporting import insert_explicit_reshards as recognised_ops
from tests.generators.features import Features
from tests.generators.programs import generate
from tests.parity.case_features import DENSE


@pytest.fixture(autouse=True)
def every_module_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """And samples are small, so that not all that occurs is in them."""
    monkeypatch.setattr(documents, "_LARGE", 0)
    monkeypatch.setattr(recognised_ops, "_LARGE", 0)
    monkeypatch.setattr(pdl, "RUNS", 2)
    monkeypatch.setattr(pdl, "LENGTH", 4)


# Verification ------------------------------------------------------------------------------------

CONTEXT = sdy.make_context()
MESH = 'sdy.mesh @mesh = <["x"=4, "y"=2]>'
RULE = "#sdy.op_sharding_rule<([i])->([i]) {i=8}>"
COUNT = 40


def negate(sharding: str, rule: str = RULE) -> str:
    listed = f"#sdy.sharding_per_value<[<@mesh, {sharding}>]>"
    return f"stablehlo.negate %a {{sdy.sharding = {listed}, sdy.sharding_rule = {rule}}} : tensor<8xf32>"


def module(*ops: str, mesh: str = MESH, body: str = "func.func @main(%a: tensor<8xf32>) {{\n{}\nreturn\n}}") -> str:
    lines = [f"%{number} = {op}" for number, op in enumerate([*[negate('[{"x"}]'), negate('[{"y"}]')] * COUNT, *ops])]
    return f"{mesh}\n{body.format(chr(10).join(lines))}\n"


@pytest.fixture
def valid() -> ir.Module:
    return sdy.parse(module(), context=CONTEXT)


@pytest.mark.usefixtures("valid")
@pytest.mark.parametrize(
    ("op", "problem"),
    [
        (negate('[{"z"}]'), 'uses axis "z", which the mesh does not have'),
        (negate('[{"x"}, {}]'), "of rank 2 for a value of rank 1"),
        (negate('[{"x"}]', "#sdy.op_sharding_rule<([i, j])->([i]) {i=8, j=1}>"), "does not fit operand 0"),
        (negate('[{"x"}]', "#sdy.op_sharding_rule<([i])->([i]) {i=8, j=2}>"), "is in no operand or result"),
    ],
)
def test_one_invalid_op_among_many(op: str, problem: str) -> None:
    for _ in range(2):
        with pytest.raises(DiagnosticError, match=r"stablehlo\.negate") as caught:
            sdy.parse(module(op), context=CONTEXT)
        assert problem in str(caught.value)
        assert f":{2 * COUNT + 3}:" in str(caught.value)


@pytest.mark.usefixtures("valid")
def test_what_is_valid_depends_on_the_mesh() -> None:
    with pytest.raises(DiagnosticError, match='uses axis "y", which the mesh does not have'):
        sdy.parse(module(mesh='sdy.mesh @mesh = <["x"=4]>'), context=CONTEXT)


def test_ops_that_are_changed_are_verified_again(valid: ir.Module) -> None:
    op = ops_named(valid.operation, "stablehlo.negate")[-1]
    set_op_shardings(op, [TensorSharding.closed("mesh", 2)])
    with pytest.raises(DiagnosticError, match="of rank 2 for a value of rank 1"):
        verify_module(valid)


def test_manual_axes_may_be_used_outside_of_their_computation_only() -> None:
    inside = """func.func @main(%a: tensor<8xf32>) {{
      {}
      %m = sdy.manual_computation(%a) in_shardings=[<@mesh, [{{"x"}}]>] out_shardings=[<@mesh, [{{"x"}}]>]
          manual_axes={{"x"}} (%b: tensor<2xf32>) {{
        %n = stablehlo.negate %b {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{"AXIS"}}]>]>}} : tensor<2xf32>
        sdy.return %n : tensor<2xf32>
      }} : (tensor<8xf32>) -> tensor<8xf32>
      return
    }}"""
    sdy.parse(module(body=inside.replace("AXIS", "y")), context=CONTEXT)
    with pytest.raises(DiagnosticError, match='uses axis "x", which is manual here'):
        sdy.parse(module(body=inside.replace("AXIS", "x")), context=CONTEXT)


# Explicit reshards -------------------------------------------------------------------------------

PREPARED = (
    "sdy-import-pipeline,sdy-apply-sharding-constraints,sdy-sharding-group-import,sdy-import-func-calls,"
    "sdy-user-priority-propagate{keep-sharding-rules=true},sdy-export-named-computations,"
    "sdy-constant-or-scalar-merger,sdy-sink-data-flow-edges,sdy-remove-sharding-groups,"
    "sdy-sharding-constraint-to-reshard,sdy-close-shardings"
)
RESHARDS = "func.func(sdy-insert-explicit-reshards{{enable-full-version=true {}}})"


def with_reshards(text: str, options: str) -> str:
    module = sdy.parse(text, context=CONTEXT)
    sdy.run(module, RESHARDS.format(options))
    return sdy.print_module(module)


LONG = replace(DENSE, max_ops=40, annotated=1.0, density=0.9)
"""Programs in which many ops need reshards, and many are alike."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("features", "prepare", "seeds", "runs", "least"),
    [(Features(), PREPARED, 8, 2, 0), (LONG, "sdy-close-shardings", 6, 12, 100)],
    ids=["propagated", "as they are"],
)
@pytest.mark.parametrize("options", ["", "mark-partial-result-with-unreduced-axes=true reshard-custom-rule-ops=true"])
def test_reshards_are_those_of_small_modules(
    features: Features, prepare: str, seeds: int, runs: int, least: int, options: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs share a context: what was found out when one is seen first is used when it is seen again."""
    monkeypatch.setattr(pdl, "RUNS", runs)
    recognised: list[object] = []
    recognise = recognised_ops._KnownOps.items

    def items(known: recognised_ops._KnownOps, module: ir.Operation) -> dict[str, list[recognised_ops.Item]]:
        found = recognise(known, module)
        recognised.extend(op for each in found.values() for op, plan in each if plan is not None)
        return found

    monkeypatch.setattr(recognised_ops._KnownOps, "items", items)
    for seed in range(seeds):
        module = sdy.parse(generate(seed, features))
        sdy.run(module, prepare)
        text = sdy.print_module(module)
        with monkeypatch.context() as patch:
            patch.setattr(recognised_ops, "_LARGE", 1 << 30)
            expected = with_reshards(text, options)
        assert [with_reshards(text, options) for _ in range(2)] == [expected] * 2
    assert len(recognised) >= least
