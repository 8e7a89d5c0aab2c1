"""What XLA's document on asynchronous instructions says, statement by statement (spec: async, 1)."""

from __future__ import annotations

import pytest

from sdy import hlo_text
from sdy.hlo_text import HloSyntaxError, TupleShape, chains, check, in_flight, parse, synchronous, wrap
from sdy.hlo_text.opcodes import ATTRIBUTES, CALLING, NATIVE_DONES, NATIVE_STARTS, NATIVELY_ASYNC, REQUIRED, UNWRAPPABLE
from sdy.tools.hlo.verdicts import Verdicts
from tests import oracle
from tests.hlo.document import EXAMPLES, ONE, SEVERAL, SUGAR, UPDATES, as_custom_calls

BUNDLE = "((f32[8]), f32[8], s32[])"


def rules(text: str) -> list[str]:
    return [each.rule for each in check(parse(text))]


def entry(*lines: str) -> str:
    return "ENTRY %e {\n  %a = f32[8] parameter(0)\n  " + "\n  ".join(lines) + "\n}\n"


@pytest.mark.parametrize("opcode", sorted(ATTRIBUTES.keys() - UNWRAPPABLE - NATIVELY_ASYNC - {"async-start"}))
def test_s1_s4_one_form_wraps_any_instruction(opcode: str) -> None:
    """S1: no opcodes for each operation. S4: any of them can be wrapped."""
    needed = [f"{key}={'%called' if key in CALLING else '{0}'}" for key in sorted(REQUIRED.get(opcode, ()))]
    attributes = ", ".join([*needed, 'metadata={op_name="n"}'])
    called = "%called {\n  ROOT %x = f32[] parameter(0)\n}\n"
    plain = parse(called + entry(f"ROOT %r = f32[8] {opcode}(%a), {attributes}"))
    wrapped = wrap(plain, "r")
    assert check(wrapped) == [] and len(chains(wrapped.entry_computation)) == 1
    assert synchronous(parse(wrapped.text(sugar=False))) == plain


def test_s2_s17_zero_or_more_updates() -> None:
    """S2: start and done may not be enough. S17: zero or more updates stand between them."""
    assert [len(chains(parse(text).entry_computation)[0].updates) for text in (ONE, UPDATES)] == [0, 2]


def test_s3_a_closed_set_of_opcodes() -> None:
    for text in EXAMPLES.values():
        opcodes = {each.opcode for each in parse(text).entry_computation.instructions}
        assert opcodes - {"parameter"} <= {"async-start", "async-update", "async-done"}


def test_s5_s6_the_operation_is_a_named_computation() -> None:
    """S5: it is named. S6: it has the instruction as its root, parameters for its inputs, and nothing else."""
    module = parse(ONE)
    (chain,) = chains(module.entry_computation)
    assert chain.computation == "twice"
    wrapped = module.computation("twice")
    assert [each.opcode for each in wrapped.instructions] == ["parameter", "op"] and wrapped.root.opcode == "op"
    more = ONE.replace("ROOT %op = f32[32] op(f32[64] %p)", "%x = f32[64] y(%p)\n  ROOT %op = f32[32] op(%x)")
    assert rules(more) == ["R7"]


def test_s7_s12_s13_buffers_are_held_from_start_to_done() -> None:
    """S7: alike for all. S12: element 0 is the operand, alive until the done. S13: element 1 is the result."""
    (found,) = in_flight(parse(UPDATES))
    (held,) = found.held
    assert (held.first, held.last) == (1, 4)
    assert (held.operand_bytes, held.result_bytes, held.context_bytes) == (256, 128, 4)
    assert found.bytes == (0, 388, 388, 388, 388)
    writes = entry(
        f"%s = {BUNDLE} negate-start(%a)",
        '%c = f32[8] custom-call(%a), custom_call_target="t", output_to_operand_aliasing={{}: (0, {})}',
        "%d = f32[8] negate-done(%s)",
        "ROOT %t = (f32[8], f32[8]) tuple(%c, %d)",
    )
    assert rules(writes) == ["R14"]
    lines = writes.splitlines()
    lines[3], lines[4] = lines[4], lines[3]
    assert rules("\n".join(lines)) == [], "behind the done it may be written"
    native = entry(
        "%s = (f32[8], f32[16]) all-gather-start(%a), dimensions={0}", "ROOT %d = f32[16] all-gather-done(%s)"
    )
    assert in_flight(parse(native))[0].bytes == (0, 96, 96)


def test_s8_s14_the_shape_of_a_start() -> None:
    """S8: a tuple of inputs, outputs, and what else is needed. S14: element 2 is the context."""
    (chain,) = chains(parse(ONE).entry_computation)
    assert isinstance(chain.start.shape, TupleShape)
    assert [each.text for each in chain.start.shape.elements] == ["(f32[64])", "f32[32]", "s32[]"]
    for shape in ("f32[32]", "(f32[64])", "((f32[64]))", "((f32[63]), f32[32], s32[])", "((f32[64]), f32[31], s32[])"):
        assert "R1" in rules(ONE.replace("(f32[64], f32[32], s32[])", shape)), shape
    assert "R1" in rules(ONE.replace("(f32[64], f32[32], s32[])", "(f32[64], f32[32], f32[7])"))


def test_s9_s10_s16_the_spelling_of_the_examples() -> None:
    """S9: a flat bundle. S10, S16: the operand of the done with and without its shape."""
    module = parse(ONE)
    assert parse(ONE.replace("(f32[64], f32[32], s32[]) %async-start", "%async-start")) == module
    assert parse(ONE.replace("(f32[64], f32[32], s32[])", "((f32[64]), f32[32], s32[])")) == module
    for text in EXAMPLES.values():
        assert check(parse(text)) == []


def test_s11_only_the_start_names_the_computation() -> None:
    (chain,) = chains(parse(UPDATES).entry_computation)
    assert [each.called for each in chain.links] == [("twice",), (), (), ()]
    said_again = UPDATES.replace("%async-update1)\n", "%async-update1), calls=%twice\n")
    assert said_again != UPDATES and parse(said_again) == parse(UPDATES)


def test_s15_several_operands_and_results() -> None:
    module = parse(SEVERAL)
    (chain,) = chains(module.entry_computation)
    assert chain.start.shape.text == "((f32[64], f32[64]), (f32[32], f32[32]), s32[])"
    (found,) = in_flight(module)
    assert (found.held[0].operand_bytes, found.held[0].result_bytes) == (512, 256)
    assert synchronous(module).entry_computation.root.operands == ("a", "b")


@pytest.mark.parametrize("link", ["%async-start", "%async-update0"])
def test_s18_one_user_each(link: str) -> None:
    """Every start and every update has exactly one user, an update or a done."""
    assert rules(UPDATES) == []
    assert set(rules(UPDATES + f"%more = f32[32] async-done({link})\n")) == {"R3"}
    assert set(rules(UPDATES + f"%more = f32[] other({link})\n")) == {"R3"}


def test_s19_s20_s21_sugar() -> None:
    """S19: first-class opcodes. S20: reading them makes computation and instruction. S21: both say the same."""
    sugared, generic = parse(SUGAR), parse(UPDATES)
    (chain,) = chains(sugared.entry_computation)
    assert chain.computation == "async_wrapped"
    root = sugared.computation("async_wrapped").root
    assert (root.opcode, root.attributes) == ("op", (("setting", "high"),))
    assert hlo_text.equivalent(sugared, parse(UPDATES.replace("%async-", "%op-")))
    assert "op-start(%operand), setting=high" in generic.text(sugar=True)
    assert "async-start(%op" not in sugared.text(sugar=True)
    assert "async-start(%operand), calls=%async_wrapped" in sugared.text(sugar=False)


def test_s22_attributes_at_an_update() -> None:
    assert parse(SUGAR.replace("op-update1)", "op-update1), setting=high")) == parse(SUGAR)
    with pytest.raises(HloSyntaxError, match="differs from that of the start"):
        parse(SUGAR.replace("%op-start), setting=high", "%op-start), setting=low"))
    with pytest.raises(HloSyntaxError, match="is missing at the start"):
        parse(SUGAR.replace("op-update1)", "op-update1), more=foo"))


@pytest.mark.parametrize("opcode", sorted(NATIVELY_ASYNC))
def test_s23_what_has_opcodes_of_its_own_is_not_wrapped(opcode: str) -> None:
    text = f"%w {{ %p = f32[8] parameter(0) ROOT %r = f32[8] {opcode}(%p) }}\n" + entry(
        f"%s = {BUNDLE} async-start(%a), calls=%w", "ROOT %d = f32[8] async-done(%s)"
    )
    assert "R9" in rules(text)


def test_s24_s25_those_opcodes_stay() -> None:
    """They are read, checked and printed as they are."""
    assert set(NATIVE_STARTS.values()) == set(NATIVE_DONES)
    text = """ENTRY %e {
  %a = f32[8] parameter(0)
  %s = (f32[8], f32[8], u32[]) copy-start(%a)
  %b = f32[8] copy-done(%s)
  %t = (f32[8], f32[8], u32[], u32[]) collective-permute-start(%b), source_target_pairs={{0,1}}
  ROOT %c = f32[8] collective-permute-done(%t)
}
"""
    module = parse(text)
    assert [each.is_native for each in chains(module.entry_computation)] == [True, True]
    assert check(module) == [] and module.text().endswith(text)
    assert "R11" in rules(text.replace("(f32[8], f32[8], u32[]) copy", "(f32[8], f32[9], u32[]) copy"))
    assert [each.opcode for each in synchronous(module).entry_computation.instructions] == [
        "parameter",
        "copy",
        "collective-permute",
    ]


@oracle.requires_reference
@pytest.mark.parametrize("name", EXAMPLES)
def test_xla_verifies_what_is_printed_of_the_examples(name: str, xla: Verdicts) -> None:
    module = parse(as_custom_calls(EXAMPLES[name]))
    assert check(module, hlo_text.XLA) == []
    for sugar in (True, False):
        verdict = xla.of(module.text(sugar=sugar))
        if name != "several":  # a result of the program that is a tuple is none that can be compiled here
            assert verdict.is_valid is True, verdict
        assert verdict.is_read


def test_start_has_what_an_instruction_waits_for_and_is_known_by() -> None:
    """What else there is stays with the instruction."""
    module = parse(
        """HloModule m

ENTRY %main (x: f32[8]) -> f32[8] {
  %x = f32[8]{0} parameter(0)
  %a = f32[8]{0} negate(%x)
  %b = f32[8]{0} copy(%x), control-predecessors={%a}, metadata={op_name="f"}, sharding={replicated}
  ROOT %c = f32[8]{0} add(%a, %b)
}
"""
    )
    start = wrap(module, "b").by_name["main"].by_name["b-start"]
    assert dict(start.attributes).keys() == {"calls", "control-predecessors", "metadata"}


def test_update_of_another_length_is_shown_as_it_is_written() -> None:
    """What a flat bundle lacks is not made up."""
    module = parse(
        """HloModule m

%w (p: f32[8]) -> f32[8] {
  %p = f32[8] parameter(0)
  ROOT %n = f32[8] negate(%p)
}

ENTRY %main (x: f32[8]) -> f32[8] {
  %x = f32[8] parameter(0)
  %s = (f32[8], f32[8], s32[]) async-start(%x), calls=%w
  %u = (f32[8]) async-update(%s)
  ROOT %d = f32[8] async-done(%u)
}
"""
    )
    [problem] = check(module)
    assert problem.message == "its shape is (f32[8]), but it continues ((f32[8]), f32[8], s32[])"
