"""How many bytes a device holds: `LiveBytes` on small programs, and what is chosen by it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import sdy
from sdy.dialect.lowering.layout import Layouts
from sdy.dialect.shardings.meshes import MeshTable
from sdy.mlir import ir
from sdy.mlir.functions import body, main_function
from sdy.mlir.search import ops_named
from sdy.passes.partitioning.analysis.memory_budget import (
    LIMIT,
    SMALL,
    Candidate,
    KeptBytesOptions,
    LiveBytes,
    Span,
    affordable,
    drop_limit,
    small_together,
)
from sdy.passes.pattern_sets import Rewriter

MATRIX = "tensor<8x8xf32>"
HELD = 8 * 8 * 4
PRODUCT = f"contracting_dims = [1] x [0] : ({MATRIX}, {MATRIX}) -> {MATRIX}"


_modules: list[ir.Module] = []
"""Those whose functions are looked at."""


@pytest.fixture(autouse=True)
def _context() -> Iterator[None]:
    with sdy.make_context():
        yield
    _modules.clear()


def _read(text: str) -> tuple[ir.Operation, LiveBytes]:
    module = sdy.parse('sdy.mesh @mesh = <["x"=4]>\n' + text, context=ir.Context.current)
    _modules.append(module)
    func = main_function(module.operation)
    return func, LiveBytes(func, Layouts(MeshTable(module.operation)))


CHAIN = f"""func.func @main(%a: {MATRIX}) -> {MATRIX} {{
  %0 = stablehlo.dot_general %a, %a, {PRODUCT}
  %1 = stablehlo.dot_general %0, %a, {PRODUCT}
  %2 = stablehlo.negate %1 : {MATRIX}
  %3 = stablehlo.dot_general %1, %0, {PRODUCT}
  %4 = stablehlo.dot_general %3, %2, {PRODUCT}
  return %4 : {MATRIX}
}}"""


def test_values_are_held_from_where_they_are_made_to_where_they_are_used_last() -> None:
    """%0, %1 and %3 at %3; %2 is computed where it is used."""
    func, live = _read(CHAIN)
    assert live.peak == 3 * HELD
    assert live.peak_at(body(func)) == 3


def test_a_device_holds_its_part() -> None:
    sharding = '{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}'
    _, live = _read(CHAIN.replace("contracting_dims = [1] x [0] :", f"contracting_dims = [1] x [0] {sharding} :"))
    assert live.peak == 3 * HELD / 4


def test_holding_more_is_free_but_at_the_peak() -> None:
    func, live = _read(CHAIN)
    block = body(func)
    assert live.peak_with([Span(block, 0, 1, HELD)]) == 3 * HELD
    assert live.peak_with([Span(block, 0, 3, HELD)]) == 4 * HELD
    assert live.peak == 3 * HELD


def test_loops_hold_what_they_change_and_what_they_make_inside() -> None:
    func, live = _read(f"""func.func @main(%a: {MATRIX}) -> {MATRIX} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %w = stablehlo.dot_general %a, %a, {PRODUCT}
  %0:3 = stablehlo.while(%i = %zero, %y = %a, %v = %w) : tensor<i32>, {MATRIX}, {MATRIX}
    cond {{
    %end = stablehlo.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.dot_general %y, %v, {PRODUCT}
    %2 = stablehlo.dot_general %1, %v, {PRODUCT}
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %2, %v : tensor<i32>, {MATRIX}, {MATRIX}
  }}
  return %0#1 : {MATRIX}
}}""")
    assert live.peak == 4 * HELD + 4  # the counter, %w, the variable %y, and two products inside
    inside = ops_named(func, "stablehlo.dot_general")[-1].block
    assert live.peak_with([Span(inside, 0, 4, HELD)]) == 5 * HELD + 4


def _rewriter(func: ir.Operation, kept_bytes: int = -1) -> Rewriter[KeptBytesOptions]:
    return Rewriter(func, KeptBytesOptions(kept_bytes=kept_bytes))


def test_what_saves_most_for_each_byte_comes_first() -> None:
    func, live = _read(CHAIN)
    block = body(func)
    candidates = [
        Candidate("poor", 100.0, (Span(block, 0, 3, HELD),)),
        Candidate("good", 200.0, (Span(block, 0, 3, HELD),)),
        Candidate("free", 1.0, (Span(block, 0, 0, HELD),)),
    ]
    assert affordable(_rewriter(func, HELD), candidates, live) == ["good", "free"]
    assert func.attributes[LIMIT].value == 4 * HELD


def test_passes_share_one_limit() -> None:
    func, live = _read(CHAIN)
    candidate = Candidate("first", 100.0, (Span(body(func), 0, 3, HELD),))
    assert affordable(_rewriter(func, HELD), [candidate], live) == ["first"]
    assert affordable(_rewriter(func, HELD), [candidate], live) == []
    drop_limit(func)
    assert LIMIT not in func.attributes


def test_what_was_thrown_away_is_kept_for_nothing_only() -> None:
    func, live = _read(CHAIN)
    at_peak = Candidate("at the peak", 100.0, (Span(body(func), 0, 3, 1),))
    free = Candidate("free", 1.0, (Span(body(func), 0, 1, 1),))
    both = [at_peak, free]
    assert affordable(_rewriter(func), both, live, is_thrown_away=True) == ["free"]
    assert affordable(_rewriter(func), both, live) == ["at the peak", "free"]


def test_small_ones_are_bounded_together() -> None:
    func, live = _read(CHAIN)
    before = live.peak
    half = SMALL // 2

    def candidate(name: str, size: float, saved: float) -> Candidate[str]:
        return Candidate(name, saved, (Span(body(func), 0, 4, size),))

    found = [candidate("least", half, 1), candidate("more", half, 2), candidate("large", SMALL + 1, 1e9)]
    assert small_together([*found, candidate("most", half, 3)], live) == ["most", "more"]
    assert live.peak == before + 2 * half
    assert small_together(found[2:], live) == []
