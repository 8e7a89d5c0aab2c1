"""Whatever the text is, the reader gives a module or an error with a place (spec: async, 2.5, A4)."""

from __future__ import annotations

import contextlib
import time

import pytest

from sdy import hlo_text
from sdy.hlo_text import HloModule, HloRuleError, HloSyntaxError, parse
from tests import depth
from tests.hlo.damage import damaged

BUNDLE = "((f32[64]), f32[64], s32[])"


def survive(text: str) -> HloModule | None:
    """Does all that can be done with a text."""
    try:
        module = parse(text)
    except HloSyntaxError as error:
        lines = text.split("\n")
        assert 1 <= error.line <= len(lines) and 1 <= error.column <= len(lines[error.line - 1]) + 1
        return None
    for rules in hlo_text.Rules:
        hlo_text.check(module, rules)
    for sugar in (True, False):
        printed = module.text(sugar=sugar)
        again = parse(printed)
        assert again.text(sugar=sugar) == printed
        assert hlo_text.equivalent(again, module)
    for action in (hlo_text.synchronous, hlo_text.in_flight):
        with contextlib.suppress(HloRuleError):
            action(module)
    return module


def test_damaged_examples_are_read_or_refused() -> None:
    read = sum(survive(damaged(seed)) is not None for seed in depth.seeds(400, 10_000))
    assert read or len(depth.seeds(400, 10_000)) == 1


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (f"%s = {BUNDLE} negate-start(%a), calls=%w", "'negate' has no attribute 'calls'"),
        (f"%s = {BUNDLE} negate-start(%a), to_apply=%w", "'negate' has no attribute 'to_apply'"),
        (f"%s = {BUNDLE} negate-start(%a), replica_groups={{{{0}}}}", "'negate' has no attribute 'replica_groups'"),
        (f"%s = {BUNDLE} custom-call-start(%a)", "'custom-call' needs the attribute 'custom_call_target'"),
        (f"%s = {BUNDLE} parameter-start(0)", "expected an operand"),
        (f"%s = {BUNDLE} parameter-start(%a)", "'parameter' cannot be wrapped"),
        (f"%s = {BUNDLE} constant-start(%a)", "'constant' cannot be wrapped"),
        (f"%s = {BUNDLE} async-start-start(%a)", "'async-start' cannot be wrapped"),
    ],
)
def test_what_xla_crashes_on_is_an_error(body: str, message: str) -> None:
    wrapped = "%w { %p = f32[64] parameter(0) ROOT %r = f32[64] negate(%p) }"
    text = f"{wrapped}\nENTRY %e {{\n  %a = f32[64] parameter(0)\n  {body}\n}}\n"
    with pytest.raises(HloSyntaxError) as caught:
        parse(text)
    assert message in caught.value.message
    assert caught.value.line == 4


@pytest.mark.parametrize(
    "root", ["ROOT %p = f32[64] parameter(0)", "%p = f32[64] parameter(0) ROOT %c = f32[64] constant({...})"]
)
def test_what_xla_prints_and_cannot_read_is_printed_otherwise(root: str) -> None:
    text = (
        f"%w {{ {root} }}\nENTRY %e {{\n  %a = f32[64] parameter(0)\n"
        f"  %s = {BUNDLE} async-start(%a), calls=%w\n  ROOT %d = f32[64] async-done(%s)\n}}\n"
    )
    module = survive(text)
    assert module is not None and "async-start(%a), calls=%w" in module.text(sugar=True)


def test_an_all_gather_of_tuples_of_one_is_a_problem() -> None:
    text = """ENTRY %e {
  %a = f32[8] parameter(0)
  %s = ((f32[8]), (f32[16])) all-gather-start(%a), dimensions={0}
  ROOT %d = (f32[16]) all-gather-done(%s)
}
"""
    problems = hlo_text.check(parse(text), hlo_text.XLA)
    assert {each.rule for each in problems} == {"R9"}, "it reads as a wrapped all-gather, which sugar does not mean"


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        "ENTRY %e { %a = " + "(" * 100_000,
        "ENTRY %e { %a = f32[] op(" + "f32[] op(" * 100_000,
        "ENTRY %e { %a = f32[] op(), x=" + "{" * 100_000 + "}" * 100_000 + "}",
        "ENTRY %e { %a = f32[] op(), calls={ " * 5_000,
        "ENTRY %e { %a = f32[" + "9" * 100_000 + "] parameter(0) }",
        "ENTRY %e { %a = f32[] parameter(" + "9" * 100_000 + ") }",
        "ENTRY %e { %a = f32[" + "1," * 100_000 + "x] parameter(0) }",
        "/*" * 100_000,
        '"' * 100_001,
        "%" * 100_000,
        "HloModule m" + ", a=b" * 20_000 + ",",
        "\x00" * 100_000,
        "ENTRY %e {" + " \n" * 100_000,
    ],
    ids=lambda text: text[:24] + "...",
)
def test_huge_nonsense_is_refused_at_once(text: str) -> None:
    began = time.process_time()
    with pytest.raises(HloSyntaxError):
        parse(text)
    assert time.process_time() - began < 5, "linear in the text"


def test_computations_in_a_ring_are_refused() -> None:
    text = "".join(f"%c{n} {{ %a = f32[] call(), to_apply=%c{(n + 1) % 2000} }}\n" for n in range(2000))
    with pytest.raises(HloSyntaxError, match="calls itself"):
        parse(text)


def test_long_chains_of_calls_and_updates_are_read() -> None:
    calls = "".join(f"%c{n} {{ %a = f32[] call(), to_apply=%c{n + 1} }}\n" for n in range(2000))
    module = parse(calls + "%c2000 { ROOT %a = f32[] constant(1) }\nENTRY %e { %a = f32[] call(), to_apply=%c0 }\n")
    assert [each.name for each in module.computations[:2]] == ["c2000", "c1999"]
    updates = "".join(f"%up{n} = {BUNDLE} negate-update(%up{n - 1})\n" for n in range(1, 3000))
    first = f"%a = f32[64] parameter(0)\n%up0 = {BUNDLE} negate-start(%a)"
    text = f"ENTRY %e {{ {first}\n{updates}ROOT %d = f32[64] negate-done(%up2999) }}"
    module = survive(text)
    assert module is not None and hlo_text.check(module) == []
    assert len(hlo_text.chains(module.entry_computation)[0].updates) == 2999
