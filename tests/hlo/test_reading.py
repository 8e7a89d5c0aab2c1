"""HLO text is read as values, printed, and read again as the same."""

from __future__ import annotations

import pytest

from sdy import hlo_text
from sdy.hlo import collectives
from sdy.hlo_text import ArrayShape, HloSyntaxError, TupleShape, parse, parse_shape
from tests.hlo.document import EXAMPLES


def module(*lines: str, before: str = "") -> str:
    body = "\n  ".join(lines)
    return f"HloModule m\n{before}\nENTRY %e {{\n  {body}\n}}\n"


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("f32[]", 4),
        ("f32[2,3]{1,0:T(8,128)S(5)}", 24),
        ("s4[3]", 2),
        ("pred[7]", 7),
        ("f32[?,<=4]", None),
        ("token[]", 0),
        ("()", 0),
        ("(f32[8], (bf16[3], token[]), b(u8[2]))", 40),
        ("f8e4m3fn[5]", 5),
    ],
)
def test_shapes_print_as_they_are_read_and_have_a_size(text: str, size: int | None) -> None:
    shape = parse_shape(text)
    assert shape.text == text
    if size is not None:
        assert shape.bytes == size
    else:
        with pytest.raises(ValueError, match="no bound"):
            _ = shape.bytes


def test_shapes_know_their_places() -> None:
    shape = parse_shape("(f32[8]{0}, (s32[], pred[2]))")
    assert shape.at((1, 1)) == ArrayShape("pred", (2,))
    assert shape.at((2,)) is None and shape.at((0, 0)) is None
    assert shape.replaced((1, 0), parse_shape("()")).text == "(f32[8]{0}, ((), pred[2]))"
    assert shape.plain == TupleShape(
        (ArrayShape("f32", (8,)), TupleShape((ArrayShape("s32"), ArrayShape("pred", (2,)))))
    )


def test_a_module_is_read_as_values() -> None:
    text = """HloModule jit_f, is_scheduled=true, entry_computation_layout={(f32[8]{0})->f32[8]{0}}

%add (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %z = f32[] add(%x, %y)
}

ENTRY %main (a: f32[8]) -> f32[8] {
  %a = f32[8]{0} parameter(0), sharding={replicated}, metadata={op_name="a, \\"quoted\\" {" source_line=3}
  ROOT %r = f32[8]{0} all-reduce(%a), channel_id=1, replica_groups=[2,4]<=[8], to_apply=%add
}
"""
    found = parse(text)
    assert found.name == "jit_f" and found.is_scheduled and found.entry == "main"
    root = found.entry_computation.root
    assert (root.name, root.opcode, root.operands, root.called) == ("r", "all-reduce", ("a",), ("add",))
    assert root.attribute("replica_groups") == "[2,4]<=[8]"
    assert root.position == (11, 8)
    assert [each.name for each in found.computation("add").parameters] == ["x", "y"]
    assert [each.name for each in found.computation("add").users["x"]] == ["z"]
    assert found.callers["add"] == ((found.entry_computation, root),)
    assert found.text() == text
    assert found.text(operand_shapes=True).count("add(f32[] %x, f32[] %y)") == 1
    assert parse(found.text(operand_shapes=True)) == found


@pytest.mark.parametrize("name", EXAMPLES)
def test_both_forms_are_read_back(name: str) -> None:
    found = parse(EXAMPLES[name])
    for sugar in (True, False):
        text = found.text(sugar=sugar)
        again = parse(text)
        assert hlo_text.equivalent(again, found)
        assert again.text(sugar=sugar) == text
    assert parse(found.text(sugar=False)) == found


def test_what_is_nested_is_lifted_out() -> None:
    text = module(
        "%p = s32[] constant(0)",
        "%a = f32[4] parameter(0)",
        "%b = f32[4] negate(f32[4] negate(f32[4] %a))",
        "%f = f32[4] fusion(%b), kind=kLoop, calls={ %x = f32[4] parameter(0) ROOT %y = f32[4] negate(%x) }",
        "ROOT %c = f32[4] conditional(%p, %b, %f), branch_computations={{ %x = f32[4] parameter(0) }, %late}",
    )
    found = parse(text + "\n%late {\n  %x = f32[4] parameter(0)\n}\n")
    names = [each.name for each in found.computations]
    assert sorted(names) == ["c.branch_computations", "e", "f.calls", "late"]
    assert names[-1] == "e" == found.entry, "callees come first"
    entry = found.entry_computation
    assert [each.name for each in entry.instructions] == ["p", "a", "negate", "b", "f", "c"]
    assert entry.by_name["f"].called == ("f.calls",)
    assert entry.by_name["c"].attribute("branch_computations") == "{%c.branch_computations, %late}"
    assert parse(found.text()) == found


def test_elements_of_tuples_are_read_out_once() -> None:
    """XLA prints operands so where the order of instructions does not count."""
    text = module(
        "%a = ((f32[4], s32[]), f32[4]) parameter(0)",
        "%b = f32[4] add(%a#1, f32[4] %a#0#0)",
        "%a_1 = f32[4] negate(a#1)",
        "ROOT %c = s32[] negate(%a#0#1)",
    )
    names = ["a", "a_1.1", "a_0", "a_0_0", "b", "a_1", "a_0_1", "c"]
    entry = parse(text).entry_computation
    assert [each.name for each in entry.instructions] == names
    assert entry.by_name["a_0_0"].operands == ("a_0",) and entry.by_name["a_0_0"].attribute("index") == "0"
    assert entry.by_name["b"].operands == ("a_1.1", "a_0_0")
    assert entry.by_name["a_1"].operands == ("a_1.1",)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "expected a computation"),
        ("HloModule", (1, 1), "expected a name"),
        (module("%a = f32[4] parameter(0)", "%b = f32[4] negate(%c)"), (5, 22), "no instruction %c before"),
        (module("%a = f32[4] parameter(0)", "%b = f32[4] negate(%b)"), (5, 22), "no instruction %b before"),
        (module("%a = f32[4] parameter(0)", "%b = f32[4] negate(f32[5] %a)"), (5, 22), "has shape f32[4]"),
        (module("%a = f32[4] parameter(0)", "%a = f32[4] negate(%a)"), (5, 3), "an instruction %a already"),
        (module("%a = f32[4] parameter(0)", "%b = f32[4] negate(%a#0)"), (5, 22), "%a has no element 0"),
        (module("%a = (f32[4]) parameter(0)", "%b = f32[4] negate(%a#1)"), (5, 22), "%a has no element 1"),
        (module("%f32 = f32[4] parameter(0)"), (4, 3), "is an element type"),
        (module("%a = q32[4] parameter(0)"), (4, 8), "'q32' is not an element type"),
        (module("%a = f32[x] parameter(0)"), (4, 12), "'x' is not a dimension size"),
        (module("%a = f32[4] parameter(1)"), (4, 3), "there are only 1"),
        (module("%a = f32[4] call(), to_apply=%b"), (4, 32), "no computation %b"),
        (module("%a = f32[4] call(), to_apply=%e"), (3, 7), "calls itself"),
        (module("%a = f32[4] op(), x={y"), (3, 10), "this computation does not end"),
        (module("%a = f32[4] op(), x="), (4, 21), "has no value"),
        (module("%a = f32[4] op(), x=1, x=2"), (4, 26), "stands here twice"),
        (module('%a = f32[4] op(), x="y'), (4, 23), "this string does not end"),
        (module("%a = f32[4] op() /* x"), (4, 20), "this comment does not end"),
        (module("%a = " + "(" * 100 + ")" * 100 + " op()"), (4, 73), "nested more than"),
        ("ENTRY %e {\n  %a = f32[] op()\n", (1, 10), "this computation does not end"),
        ("ENTRY %e {\n  %a = f32[] op(), x={y", (2, 22), "'{' is not closed"),
        ("ENTRY %e {\n}", (1, 10), "at least one instruction"),
    ],
)
def test_errors_have_a_place(text: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(HloSyntaxError) as caught:
        parse(text)
    assert message in caught.value.message
    assert (caught.value.line, caught.value.column) == place


STARTED_IN_PLACE = """HloModule m

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}

ENTRY %e {
  %x = f32[8] parameter(0)
  %start = ((f32[8]), f32[8]) all-reduce-start(%x), replica_groups={{0,1}}, to_apply=%add, \
output_to_operand_aliasing={{1}: (0, {})}
  ROOT %done = f32[8] all-reduce-done(%start)
}
"""


def test_a_start_whose_result_takes_the_place_of_its_operand() -> None:
    """XLA prints so what it has scheduled for a GPU; its own parser takes the aliasing in generic form only."""
    found = parse(STARTED_IN_PLACE)
    start = next(each for each in found.entry_computation.instructions if each.name == "start")
    assert start.opcode == "async-start"
    assert ("output_to_operand_aliasing", "{{1}: (0, {})}") in start.attributes
    wrapped = found.computation(start.called[0]).root
    assert wrapped.opcode == "all-reduce" and "output_to_operand_aliasing" not in dict(wrapped.attributes)
    assert parse(str(found)) == found
    (sent,) = collectives(STARTED_IN_PLACE, 2)
    assert (sent.kind, sent.operand_bytes) == ("all_reduce", 32)


def test_an_attribute_that_the_wrapped_operation_has_is_its_own() -> None:
    text = module(
        "%x = f32[8] parameter(0)",
        '%start = ((f32[8]), f32[8]) custom-call-start(%x), custom_call_target="t", '
        "output_to_operand_aliasing={{}: (0, {})}",
        "ROOT %done = f32[8] custom-call-done(%start)",
    )
    found = parse(text)
    start = next(each for each in found.entry_computation.instructions if each.name == "start")
    assert "output_to_operand_aliasing" in dict(found.computation(start.called[0]).root.attributes)
    assert "output_to_operand_aliasing" not in dict(start.attributes)
