"""Small programs are looked at op by op, large ones by patterns: both find the same ops in the same order."""

from __future__ import annotations

import pytest

import sdy
from sdy.dialect import verification
from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE
from sdy.dialect.shardings.sharding_walk import occurs
from sdy.mlir import ir, pdl
from sdy.mlir.search import for_each_with, ops_with
from tests.generators.programs import generate


def _found(module: ir.Operation) -> list[list[str]]:
    """Where the ops stand that are found by attribute and by what has to be checked of them."""
    for_each: list[ir.Operation] = []
    for_each_with(module, SHARDING, for_each.append)
    found, recorded = verification._ops_to_check(module)
    return [
        [str(op.location) for op in ops]
        for ops in (ops_with(module, SHARDING, SHARDING_RULE), ops_with(module, "value"), for_each, recorded, found)
    ]


@pytest.mark.parametrize("seed", range(12))
def test_both_ways_find_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = generate(seed)
    found = []
    for few in (0, 1 << 20):
        monkeypatch.setattr(pdl, "_FEW", few)
        module = sdy.parse(text)
        sdy.run(module, "sdy-populate-op-sharding-rules")
        found.append(_found(module.operation))
    patterns, one_by_one = found
    assert patterns[:-1] == one_by_one[:-1]
    # Of constants those are left out that patterns know to be valid.
    assert set(patterns[-1]) <= set(one_by_one[-1])
    assert [each for each in one_by_one[-1] if each in set(patterns[-1])] == patterns[-1]
    assert any(map(len, patterns))


@pytest.mark.parametrize("few", [0, 200])
def test_whether_a_sharding_occurs(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdl, "_FEW", few)
    context = sdy.make_context()
    for axis in ("x", "y", "x"):
        module = sdy.parse(
            f"""
            sdy.mesh @mesh = <["x"=2, "y"=2]>
            func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {{
              %0 = stablehlo.negate %x {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{"{axis}"}}]>]>}}
                  : tensor<8xf32>
              return %0 : tensor<8xf32>
            }}""",
            context=context,
        )
        for each in "xy":
            assert occurs(module.operation, lambda sharding, each=each: each in str(sharding)) == (each == axis)


def test_what_is_asked_often_is_left_to_patterns() -> None:
    module = sdy.parse("func.func @main() { return }").operation

    def asked(question: str) -> bool:
        return pdl.few_ops(module, question) is not None

    answers = [asked("one") for _ in range(pdl._OFTEN + 2)]
    assert answers == [True] * pdl._OFTEN + [False] * 2
    assert asked("another")


def test_the_ops_of_a_large_program_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    body = "\n".join(f"%{number} = stablehlo.constant dense<0> : tensor<i32>" for number in range(20))
    module = sdy.parse(f"func.func @main() {{ {body}\nreturn }}").operation
    listed = pdl.few_ops(module, "one")
    assert listed is not None
    assert [op.name for op in listed] == ["stablehlo.constant"] * 20 + ["func.return", "func.func"]
    monkeypatch.setattr(pdl, "_FEW", 20)
    assert pdl.few_ops(module, "another") is None
    monkeypatch.undo()
    # It is a program like the last one, as a rule.
    assert pdl.few_ops(module, "another") is None
