"""A context is lent to one program after the other, and none of them can tell."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator

import pytest

import sdy
from sdy.dialect import context as contexts
from sdy.mlir import ir, users_code
from sdy.mlir.diagnostics import DiagnosticError
from sdy.programs import parsing

PROGRAM = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x{size}xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}})
    -> tensor<{size}xf32> {{
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%a init: %0) applies stablehlo.add across dimensions = [0]
      : (tensor<8x{size}xf32>, tensor<f32>) -> tensor<{size}xf32>
  return %1 : tensor<{size}xf32>
}}
"""
SMALL, OTHER = PROGRAM.format(size=4), PROGRAM.format(size=6)
WITH_CHLO = SMALL.replace("return %1", "%2 = chlo.erf %1 : tensor<4xf32> -> tensor<4xf32>\n  return %2")
WITH_DIALECT = "module attributes {some.kind = #vector.kind<add>} {" + SMALL + "}"
REFUSED = SMALL.replace("#sdy.sharding<@mesh", "#sdy.sharding<@another")


@pytest.fixture(autouse=True)
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[ir.Context]]:
    """The contexts that are made in a test, where no user has declared anything, and none was there before."""
    found: list[ir.Context] = []

    def make(**options: object) -> ir.Context:
        found.append(contexts.make_context(**options))  # type: ignore[arg-type]
        return found[-1]

    monkeypatch.setattr(users_code, "_declared", [])
    monkeypatch.setattr(parsing, "_idle", [])
    monkeypatch.setattr(parsing, "make_context", make)
    yield found
    found.clear()


def partition_alone(text: str) -> str:
    return sdy.partition(text, context=contexts.make_context()).text


def idle() -> list[ir.Context]:
    return [each.context for each in parsing._idle]


def test_programs_are_in_one_context_one_after_the_other(made: list[ir.Context]) -> None:
    texts = [sdy.partition(text).text for text in (SMALL, OTHER, SMALL)]
    assert texts == [partition_alone(SMALL), partition_alone(OTHER), partition_alone(SMALL)]
    assert texts[0] != texts[1]
    assert len(made) == 1
    assert idle() == made
    assert made[0]._get_live_module_count() == 0  # type: ignore[attr-defined]


def test_programs_with_chlo_share_contexts_of_their_own(made: list[ir.Context]) -> None:
    texts = [sdy.partition(text).text for text in (SMALL, WITH_CHLO, OTHER, WITH_CHLO)]
    assert texts[1] == texts[3] == partition_alone(WITH_CHLO)
    assert [context.is_dialect_loaded("chlo") for context in made] == [False, True]


def test_a_context_that_a_program_gave_another_dialect_is_not_lent_again(made: list[ir.Context]) -> None:
    sdy.partition(WITH_DIALECT)
    assert made[0].is_dialect_loaded("vector")
    assert idle() == []
    sdy.partition(SMALL)
    assert not made[1].is_dialect_loaded("vector")


def test_a_context_in_which_work_failed_is_not_lent_again(made: list[ir.Context]) -> None:
    sdy.partition(SMALL)
    with pytest.raises(DiagnosticError, match="another"):
        sdy.partition(REFUSED)
    assert len(made) == 1
    assert idle() == []


def test_nothing_is_lent_twice_where_users_take_part(made: list[ir.Context], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users_code, "_declared", [users_code.Declared("rule", ("a.b",), ())])
    sdy.partition(SMALL)
    assert idle() == []
    assert made[0].is_dialect_loaded("vector")


@pytest.mark.parametrize(("bound", "most"), [("_PROGRAMS", 2), ("_CHARACTERS", 2 * len(SMALL))])
def test_a_context_is_not_lent_for_ever(
    bound: str, most: int, made: list[ir.Context], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parsing, bound, most)
    for _ in range(4):
        sdy.partition(SMALL)
    assert len(made) == 2
    assert idle() == []


def test_two_contexts_at_most_are_idle(made: list[ir.Context]) -> None:
    pooled_contexts = [parsing.PooledContext(SMALL) for _ in range(3)]
    taken = [pooled.context(2) for pooled in pooled_contexts]
    for pooled in pooled_contexts:
        pooled.release()
        pooled.release()
    assert idle() == taken[1:]
    assert made == taken
    parsing.forget_idle()
    assert idle() == []


def _partitioned_in_a_child(text: str) -> str:
    return sdy.partition(text).text


def test_a_child_process_goes_on_with_the_context_of_its_parent() -> None:
    """Functions enough for threads, which the child would not have, are verified in it."""
    other = "func.func @f{}(%x: tensor<4xf32>) -> tensor<4xf32> {{ return %x : tensor<4xf32> }}\n"
    program = SMALL + "".join(map(other.format, range(64)))
    text = sdy.partition(program).text
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(_partitioned_in_a_child, (program,)).get(timeout=60) == text
