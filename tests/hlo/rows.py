"""What XLA accepts and rejects, row by row (spec: async, 2.3), and what we say of each.

In a text `S` is the usual bundle of one operand, `%w` negates its parameter, `%w2` subtracts two.
"""

from __future__ import annotations

from dataclasses import dataclass

BUNDLE = "((f32[64]), f32[64], s32[])"
COMPUTATIONS = {
    "w": "%p = f32[64] parameter(0)\n  ROOT %r = f32[64] negate(%p)",
    "w2": "%p = f32[64] parameter(0)\n  %q = f32[64] parameter(1)\n  ROOT %r = f32[64] subtract(%p, %q)",
    "wt": "%p = f32[64] parameter(0)\n  %q = f32[64] parameter(1)\n"
    '  ROOT %r = (f32[64], f32[64]) custom-call(%p, %q), custom_call_target="two"',
    "add": "%x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n  ROOT %z = f32[] add(%x, %y)",
}


@dataclass(frozen=True)
class Row:
    """A text, whether we read it, whether it obeys both sets of rules, and what XLA says of the text as it is.

    `oracle` is "valid", "invalid" (by the verifier), "unread" or "crash".
    """

    number: str
    what: str
    body: str
    oracle: str
    read: bool
    xla: bool = False
    strict: bool = False
    more: str = ""

    @property
    def text(self) -> str:
        body = "%a = f32[64] parameter(0)\n" + self.body.strip()
        used = "".join(
            f"%{name} {{\n  {lines}\n}}\n\n"
            for name, lines in COMPUTATIONS.items()
            if f"%{name}," in (words := (self.body + self.more).replace("\n", ",") + ",") or f"%{name} " in words
        )
        lines = "\n".join("  " + line.strip() for line in body.splitlines())
        text = f"HloModule m\n\n{used}{self.more}\nENTRY %e {{\n{lines}\n}}\n"
        return text.replace(" S ", f" {BUNDLE} ").replace("(S,", f"({BUNDLE},").replace("(S)", f"({BUNDLE})")


def _start(rest: str = "async-start(%a), calls=%w", done: str = "async-done(%s)", shape: str = "S") -> str:
    return f"%s = {shape} {rest}\nROOT %d = f32[64] {done}"


_B = "%b = f32[64] parameter(1)\n"
_T2 = "((f32[64], f32[64]), f32[64], s32[])"
_TT = "((f32[64], f32[64]), (f32[64], f32[64]), s32[])"
_UPDATE = "%s = S async-start(%a), calls=%w\n%u = S {}\nROOT %d = f32[64] {}"
_LOOP = """
%body {
  %t = (S, s32[]) parameter(0)
  %s0 = S get-tuple-element(%t), index=0
  %i = s32[] get-tuple-element(%t), index=1
  %d0 = f32[64] async-done(%s0)
  %sa = S async-start(%d0), calls=%w
  ROOT %t1 = (S, s32[]) tuple(%sa, %i)
}

%condition {
  %t = (S, s32[]) parameter(0)
  %i = s32[] get-tuple-element(%t), index=1
  %n = s32[] constant(3)
  ROOT %c = pred[] compare(%i, %n), direction=LT
}
"""
_BRANCHES = """
%left {
  %x = f32[64] parameter(0)
  ROOT %s = S async-start(%x), calls=%w
}

%wb {
  %p = f32[64] parameter(0)
  ROOT %r = f32[64] negate(%p)
}

%right {
  %x = f32[64] parameter(0)
  ROOT %s = S async-start(%x), calls=%wb
}
"""
_IN_BODY = """
%body {
  %t = (f32[64], s32[]) parameter(0)
  %x = f32[64] get-tuple-element(%t), index=0
  %i = s32[] get-tuple-element(%t), index=1
  %sa = S async-start(%x), calls=%w
  %da = f32[64] async-done(%sa)
  ROOT %t1 = (f32[64], s32[]) tuple(%da, %i)
}

%condition {
  %t = (f32[64], s32[]) parameter(0)
  %i = s32[] get-tuple-element(%t), index=1
  %n = s32[] constant(3)
  ROOT %c = pred[] compare(%i, %n), direction=LT
}
"""


def _thread(thread: str, computation: str) -> str:
    text = f"%wx {{\n  {COMPUTATIONS['w']}\n}}"
    return text + (f', execution_thread="{computation}"' if computation else "") + "\n" + thread


def _wrapping(opcode: str, parameters: str, result: str, attributes: str, more: str = "") -> tuple[str, str]:
    """A start and a done of any operation, and the computation that it wraps."""
    shapes = [each.strip() for each in parameters.split(";") if each.strip()]
    inner = [f"%p{number} = {shape} parameter({number})" for number, shape in enumerate(shapes)]
    names = ", ".join(f"%p{number}" for number in range(len(shapes)))
    lines = "\n  ".join([*inner, f"ROOT %r = {result} {opcode}({names}){attributes}"])
    outer = [f"%o{number} = {shape} parameter({number + 1})" for number, shape in enumerate(shapes)]
    given = ", ".join(f"%o{number}" for number in range(len(shapes)))
    bundle = f"(({', '.join(shapes)}), {result}, s32[])"
    body = "\n".join([*outer, f"%s = {bundle} async-start({given}), calls=%wr", f"ROOT %d = {result} async-done(%s)"])
    return body, f"{more}%wr {{\n  {lines}\n}}\n"


def _wrapped(
    number: str, opcode: str, parameters: str, result: str, attributes: str, more: str = "", **says: bool
) -> Row:
    body, computations = _wrapping(opcode, parameters, result, attributes, more)
    verdict = {"xla": True, "strict": True} | says
    return Row(number, f"{opcode} is wrapped", body, "valid", True, more=computations, **verdict)


_FUSED = "%fused {\n  %x = f32[64] parameter(0)\n  ROOT %y = f32[64] negate(%x)\n}\n\n"
_LOOPING = """%turn {
  %t = (s32[]) parameter(0)
  %i = s32[] get-tuple-element(%t), index=0
  ROOT %n = (s32[]) tuple(%i)
}

%while {
  %t = (s32[]) parameter(0)
  ROOT %c = pred[] constant(false)
}

"""
_COMPARE = """%less {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %z = pred[] compare(%x, %y), direction=LT
}

"""

ROWS = [
    Row("1", "start and done", _start(), "valid", True, True, True),
    Row("2", "flat bundle", _start(shape="(f32[64], f32[64], s32[])"), "unread", True, True, True),
    Row("3", "no context", _start(shape="((f32[64]), f32[64])"), "valid", True, True, True),
    Row("3", "unsigned context", _start(shape="((f32[64]), f32[64], u32[])"), "valid", True, True, True),
    Row("3", "two contexts", _start(shape="((f32[64]), f32[64], s32[], s32[])"), "valid", True, True, False),
    Row("3", "tuple as context", _start(shape="((f32[64]), f32[64], (s32[], s32[]))"), "valid", True, True, True),
    Row("4", "no result", _start(shape="((f32[64]))"), "unread", True, False, False),
    Row(
        "5",
        "two operands and results",
        _B + f"%s = {_TT} async-start(%a, %b), calls=%wt\nROOT %d = (f32[64], f32[64]) async-done(%s)",
        "valid",
        True,
        True,
        True,
    ),
    Row(
        "6",
        "no operands",
        _start("iota-start(), iota_dimension=0", "iota-done(%s)", "((), f32[64], s32[])"),
        "valid",
        True,
        True,
        True,
    ),
    Row(
        "6",
        "partition-id",
        "%s = ((), u32[], s32[]) partition-id-start()\nROOT %d = u32[] partition-id-done(%s)",
        "valid",
        True,
        True,
        True,
    ),
    Row("7", "an update", _UPDATE.format("async-update(%s)", "async-done(%u)"), "valid", True, True, True),
    Row(
        "8",
        "two updates",
        "%s = S async-start(%a), calls=%w\n%u = S async-update(%s)\n%v = S async-update(%u)\nROOT %d = f32[64] async-done(%v)",
        "valid",
        True,
        True,
        True,
    ),
    Row(
        "8",
        "sugar",
        "%s = S negate-start(%a)\n%u = S negate-update(%s)\nROOT %d = f32[64] negate-done(%u)",
        "valid",
        True,
        True,
        True,
    ),
    Row(
        "9",
        "mixed spellings",
        "%s = S negate-start(%a)\n%u = S async-update(%s)\nROOT %d = f32[64] negate-done(%u)",
        "valid",
        True,
        True,
        True,
    ),
    Row("10", "another done", _start("negate-start(%a)", "abs-done(%s)"), "unread", False),
    Row(
        "10",
        "another update",
        "%s = S negate-start(%a)\n%u = S abs-update(%s)\nROOT %d = f32[64] negate-done(%u)",
        "unread",
        False,
    ),
    Row("11", "unknown opcode", _start("frobnicate-start(%a)", "frobnicate-done(%s)"), "unread", True, False, True),
    Row("11", "capitals", _start("NEGATE-start(%a)", "NEGATE-done(%s)"), "unread", True, False, True),
    Row(
        "12",
        "custom call",
        _start('custom-call-start(%a), custom_call_target="foo"', "custom-call-done(%s)"),
        "valid",
        True,
        True,
        True,
    ),
    Row(
        "13",
        "attributes again at an update",
        '%s = S custom-call-start(%a), custom_call_target="foo"\n%u = S custom-call-update(%s), custom_call_target="foo"\n'
        "ROOT %d = f32[64] custom-call-done(%u)",
        "unread",
        True,
        True,
        True,
    ),
    Row(
        "13",
        "other attributes at a done",
        '%s = S custom-call-start(%a), custom_call_target="foo"\nROOT %d = f32[64] custom-call-done(%s), custom_call_target="bar"',
        "unread",
        False,
    ),
    Row("14", "calls at a done", _start(done="async-done(%s), calls=%w"), "valid", True, True, True),
    Row(
        "14",
        "calls at an update",
        _UPDATE.format("async-update(%s), calls=%w", "async-done(%u)"),
        "valid",
        True,
        True,
        True,
    ),
    Row("14", "other calls at a done", _start(done="async-done(%s), calls=%w2"), "unread", False),
    Row(
        "15",
        "thread at the start",
        _start('async-start(%a), calls=%w, async_execution_thread="parallel"'),
        "valid",
        True,
        True,
        True,
    ),
    Row(
        "15",
        "thread at start and computation",
        _start('async-start(%a), calls=%wx, async_execution_thread="parallel"'),
        "valid",
        True,
        True,
        True,
        more=_thread("", "parallel"),
    ),
    Row(
        "15",
        "thread at start and done",
        _start(
            'async-start(%a), calls=%w, async_execution_thread="parallel"',
            'async-done(%s), async_execution_thread="parallel"',
        ),
        "valid",
        True,
        True,
        True,
    ),
    Row(
        "16",
        "another thread at the done",
        _start(
            'async-start(%a), calls=%w, async_execution_thread="parallel"',
            'async-done(%s), async_execution_thread="other"',
        ),
        "unread",
        False,
    ),
    Row(
        "17",
        "thread at the computation only",
        _start("async-start(%a), calls=%wx"),
        "valid",
        True,
        True,
        True,
        more=_thread("", "parallel"),
    ),
    Row(
        "18",
        "two starts in different threads",
        '%s = S async-start(%a), calls=%w, async_execution_thread="one"\n%d = f32[64] async-done(%s)\n'
        '%t = S async-start(%d), calls=%w, async_execution_thread="other"\nROOT %f = f32[64] async-done(%t)',
        "invalid",
        True,
        False,
        False,
    ),
    Row(
        "19",
        "two starts",
        "%s = S async-start(%a), calls=%w\n%d = f32[64] async-done(%s)\n"
        "%t = S async-start(%d), calls=%w\nROOT %f = f32[64] async-done(%t)",
        "valid",
        True,
        True,
        True,
    ),
    Row(
        "20",
        "a start and a call",
        "%s = S async-start(%a), calls=%w\n%d = f32[64] async-done(%s)\nROOT %f = f32[64] call(%d), to_apply=%w",
        "unread",
        True,
        False,
        False,
    ),
    Row(
        "21",
        "two ops wrapped",
        _start("async-start(%a), calls=%wm"),
        "invalid",
        True,
        False,
        False,
        more="%wm {\n  %p = f32[64] parameter(0)\n  %q = f32[64] abs(%p)\n  ROOT %r = f32[64] negate(%q)\n}\n",
    ),
    Row(
        "22",
        "start and done wrapped",
        _start("async-start(%a), calls=%wm"),
        "invalid",
        True,
        False,
        False,
        more="%wm {\n  %p = f32[64] parameter(0)\n  %s = S async-start(%p), calls=%w\n  ROOT %d = f32[64] async-done(%s)\n}\n",
    ),
    Row(
        "23",
        "operands in another order",
        _B + f"%s = {_T2} async-start(%a, %b), calls=%wm\nROOT %d = f32[64] async-done(%s)",
        "valid",
        True,
        True,
        True,
        more="%wm {\n  %p = f32[64] parameter(0)\n  %q = f32[64] parameter(1)\n  ROOT %r = f32[64] subtract(%q, %p)\n}\n",
    ),
    Row(
        "23",
        "an operand twice",
        _start("async-start(%a), calls=%wm"),
        "valid",
        True,
        True,
        True,
        more="%wm {\n  %p = f32[64] parameter(0)\n  ROOT %r = f32[64] add(%p, %p)\n}\n",
    ),
    Row(
        "23",
        "an operand without use",
        _B + f"%s = {_T2} async-start(%a, %b), calls=%wm\nROOT %d = f32[64] async-done(%s)",
        "valid",
        True,
        True,
        True,
        more="%wm {\n  %p = f32[64] parameter(0)\n  %q = f32[64] parameter(1)\n  ROOT %r = f32[64] negate(%q)\n}\n",
    ),
    Row("24", "no computation", _start("async-start(%a)"), "unread", False),
    Row(
        "25",
        "done of a tuple made by hand",
        "%i = s32[] constant(0)\n%o = (f32[64]) tuple(%a)\n%s = S tuple(%o, %a, %i)\nROOT %d = f32[64] async-done(%s), calls=%w",
        "invalid",
        True,
        False,
        False,
    ),
    Row(
        "26",
        "done of a conditional",
        "%k = pred[] constant(true)\n%s = S conditional(%k, %a, %a), true_computation=%left, false_computation=%right\n"
        "ROOT %d = f32[64] async-done(%s)",
        "invalid",
        True,
        False,
        False,
        more=_BRANCHES,
    ),
    Row(
        "27",
        "carried by a loop",
        "%s = S async-start(%a), calls=%w\n%n = s32[] constant(0)\n%t = (S, s32[]) tuple(%s, %n)\n"
        "%l = (S, s32[]) while(%t), condition=%condition, body=%body\n"
        "%g = S get-tuple-element(%l), index=0\nROOT %d = f32[64] async-done(%g)",
        "valid",
        True,
        True,
        False,
        more=_LOOP,
    ),
    Row(
        "28",
        "through a tuple",
        "%s = S async-start(%a), calls=%w\n%t = (S, f32[64]) tuple(%s, %a)\n%g = S get-tuple-element(%t), index=0\n"
        "ROOT %d = f32[64] async-done(%g)",
        "valid",
        True,
        True,
        False,
    ),
    Row(
        "28",
        "through a copy",
        "%s = S async-start(%a), calls=%w\n%g = S copy(%s)\nROOT %d = f32[64] async-done(%g)",
        "valid",
        True,
        True,
        False,
    ),
    Row(
        "28",
        "through a barrier",
        "%s = S async-start(%a), calls=%w\n%g = S opt-barrier(%s)\nROOT %d = f32[64] async-done(%g)",
        "valid",
        True,
        True,
        False,
    ),
    Row(
        "29",
        "the result read out of the start",
        "%s = S async-start(%a), calls=%w\n%d = f32[64] async-done(%s)\n%g = f32[64] get-tuple-element(%s), index=1\n"
        "ROOT %x = f32[64] add(%d, %g)",
        "valid",
        True,
        True,
        False,
    ),
    Row(
        "29",
        "the operand read out of the start",
        "%s = S async-start(%a), calls=%w\n%d = f32[64] async-done(%s)\n%g = (f32[64]) get-tuple-element(%s), index=0\n"
        "%h = f32[64] get-tuple-element(%g), index=0\nROOT %x = f32[64] add(%d, %h)",
        "valid",
        True,
        True,
        False,
    ),
    Row(
        "30", "no done", "%s = S async-start(%a), calls=%w\nROOT %x = f32[64] negate(%a)", "invalid", True, False, False
    ),
    Row(
        "30",
        "update without done",
        "%s = S async-start(%a), calls=%w\n%u = S async-update(%s)\nROOT %x = f32[64] negate(%a)",
        "invalid",
        True,
        False,
        False,
    ),
    Row(
        "31",
        "two dones",
        "%s = S async-start(%a), calls=%w\n%d = f32[64] async-done(%s)\n%f = f32[64] async-done(%s)\nROOT %x = f32[64] add(%d, %f)",
        "invalid",
        True,
        False,
        False,
    ),
    Row(
        "31",
        "done and update",
        "%s = S async-start(%a), calls=%w\n%d = f32[64] async-done(%s)\n%u = S async-update(%s)\n%f = f32[64] async-done(%u)\n"
        "ROOT %x = f32[64] add(%d, %f)",
        "invalid",
        True,
        False,
        False,
    ),
    Row(
        "31",
        "two updates of one start",
        "%s = S async-start(%a), calls=%w\n%u = S async-update(%s)\n%v = S async-update(%s)\n%d = f32[64] async-done(%u)\n"
        "%f = f32[64] async-done(%v)\nROOT %x = f32[64] add(%d, %f)",
        "invalid",
        True,
        False,
        False,
    ),
    Row(
        "32", "another result at the start", _start(shape="((f32[64]), f32[32], s32[])"), "invalid", True, False, False
    ),
    Row(
        "32", "another operand at the start", _start(shape="((f32[32]), f32[64], s32[])"), "invalid", True, False, False
    ),
    Row(
        "33",
        "another shape at the update",
        "%s = S async-start(%a), calls=%w\n%u = ((f32[64]), f32[32], s32[]) async-update(%s)\nROOT %d = f32[64] async-done(%u)",
        "invalid",
        True,
        False,
        False,
    ),
    Row(
        "33",
        "another shape at the done",
        "%s = S async-start(%a), calls=%w\nROOT %d = f32[32] async-done(%s)",
        "invalid",
        True,
        False,
        False,
    ),
    Row(
        "34",
        "update with another context",
        "%s = S async-start(%a), calls=%w\n%u = ((f32[64]), f32[64], u32[]) async-update(%s)\nROOT %d = f32[64] async-done(%u)",
        "valid",
        True,
        True,
        False,
    ),
    Row(
        "34",
        "update without context",
        "%s = S async-start(%a), calls=%w\n%u = ((f32[64]), f32[64]) async-update(%s)\nROOT %d = f32[64] async-done(%u)",
        "valid",
        True,
        True,
        False,
    ),
    Row(
        "35",
        "an operand comes with an update",
        _B + f"%s = S async-start(%a), calls=%w2\n%u = {_T2} subtract-update(%s, %b)\nROOT %d = f32[64] async-done(%u)",
        "valid",
        True,
        True,
        False,
    ),
    Row(
        "36",
        "an operand never comes",
        "%s = S async-start(%a), calls=%w2\nROOT %d = f32[64] async-done(%s)",
        "invalid",
        True,
        False,
        False,
    ),
    Row(
        "36",
        "an operand comes with the done",
        _B + "%s = S async-start(%a), calls=%w2\nROOT %d = f32[64] async-done(%s, %b)",
        "invalid",
        True,
        False,
        False,
    ),
    Row(
        "37",
        "more operands than parameters",
        _B + f"%s = {_T2} async-start(%a, %b), calls=%w\nROOT %d = f32[64] async-done(%s)",
        "invalid",
        True,
        False,
        False,
    ),
    Row(
        "37",
        "more operands than the bundle",
        _B + _start("async-start(%a, %b), calls=%w2"),
        "invalid",
        True,
        False,
        False,
    ),
    Row("38", "no result at the start", _start(shape="((f32[64]), (), s32[])"), "valid", True, True, False),
    Row(
        "38",
        "part of the result at the start",
        _B + "%s = ((f32[64], f32[64]), (f32[64]), s32[]) async-start(%a, %b), calls=%wt\n"
        "ROOT %d = (f32[64], f32[64]) async-done(%s)",
        "valid",
        True,
        True,
        False,
    ),
    Row("39", "a done with two operands", _B + _start(done="async-done(%s, %b)"), "valid", True, True, False),
    Row("40", "a done without operand", _start(done="async-done()"), "unread", False),
    Row(
        "40",
        "a done of a done",
        _start(done="async-done(%s)") + "\n%f = f32[64] async-done(%d)",
        "unread",
        True,
        False,
        False,
    ),
    Row(
        "41",
        "a done before its start",
        "%d = f32[64] async-done(%s)\n%s = S async-start(%a), calls=%w",
        "unread",
        False,
    ),
    Row(
        "42",
        "start and done in a loop",
        "%n = s32[] constant(0)\n%t = (f32[64], s32[]) tuple(%a, %n)\n"
        "%l = (f32[64], s32[]) while(%t), condition=%condition, body=%body\nROOT %g = f32[64] get-tuple-element(%l), index=0",
        "valid",
        True,
        True,
        True,
        more=_IN_BODY,
    ),
    Row(
        "42",
        "control predecessors and metadata",
        "%x = f32[64] abs(%a)\n"
        '%s = S async-start(%a), calls=%w, control-predecessors={%x}, metadata={op_name="f"}, sharding={{replicated},'
        " {replicated}, {replicated}}\n%d = f32[64] async-done(%s)\nROOT %y = f32[64] add(%d, %x)",
        "valid",
        True,
        True,
        True,
    ),
    Row(
        "42",
        "layouts and memory spaces",
        _start(shape="((f32[64]{0:S(5)}), f32[64]{0:S(5)}, s32[])"),
        "valid",
        True,
        True,
        True,
    ),
    Row(
        "42",
        "aliasing",
        _start("async-start(%a), calls=%w, output_to_operand_aliasing={{1}: (0, {})}"),
        "valid",
        True,
        True,
        True,
    ),
    _wrapped("43", "dot", "f32[4,8]; f32[8,2]", "f32[4,2]", ", lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
    _wrapped("43", "fusion", "f32[64]", "f32[64]", ", kind=kLoop, calls=%fused", _FUSED),
    _wrapped("43", "call", "f32[64]", "f32[64]", ", to_apply=%fused", _FUSED),
    Row(
        "43",
        "while is wrapped",
        "%i = s32[] constant(0)\n%t = (s32[]) tuple(%i)\n"
        "%s = (((s32[])), (s32[]), s32[]) async-start(%t), calls=%wr\n%d = (s32[]) async-done(%s)\n"
        "ROOT %g = s32[] get-tuple-element(%d), index=0",
        "valid",
        True,
        True,
        True,
        more=_LOOPING
        + "%wr {\n  %p = (s32[]) parameter(0)\n  ROOT %r = (s32[]) while(%p), condition=%while, body=%turn\n}\n",
    ),
    _wrapped(
        "43",
        "conditional",
        "s32[]; f32[64]; f32[64]",
        "f32[64]",
        ", branch_computations={%fused, %other}",
        _FUSED + _FUSED.replace("%fused", "%other"),
    ),
    _wrapped("43", "reduce", "f32[64]; f32[]", "f32[]", ", dimensions={0}, to_apply=%add"),
    _wrapped("43", "sort", "f32[64]", "f32[64]", ", dimensions={0}, to_apply=%less", _COMPARE),
    _wrapped("43", "slice", "f32[64]", "f32[32]", ", slice={[0:32]}"),
    _wrapped("43", "dynamic-slice", "f32[64]; s32[]", "f32[32]", ", dynamic_slice_sizes={32}"),
    _wrapped("43", "dynamic-update-slice", "f32[64]; f32[32]; s32[]", "f32[64]", ""),
    _wrapped("43", "tuple", "f32[64]; s32[]", "(f32[64], s32[])", ""),
    _wrapped("43", "after-all", "", "token[]", ""),
    _wrapped("43", "reduce-scatter", "f32[64]", "f32[32]", ", replica_groups={{0,1}}, dimensions={0}, to_apply=%add"),
    _wrapped("43", "all-to-all", "f32[64]", "f32[64]", ", replica_groups={{0,1}}, dimensions={0}"),
    _wrapped("43", "collective-broadcast", "f32[64]", "f32[64]", ", replica_groups={{0,1}}"),
    _wrapped(
        "43",
        "ragged-all-to-all",
        "f32[64]; f32[64]; s32[1]; s32[1]; s32[1]; s32[1]",
        "f32[64]",
        ", replica_groups={{0}}",
    ),
    _wrapped("44", "all-gather", "f32[64]", "f32[128]", ", replica_groups={{0,1}}, dimensions={0}", strict=False),
    _wrapped("44", "all-reduce", "f32[64]", "f32[64]", ", replica_groups={{0,1}}, to_apply=%add", strict=False),
    _wrapped("44", "collective-permute", "f32[64]", "f32[64]", ", source_target_pairs={{0,1}}", strict=False),
    _wrapped("44", "copy", "f32[64]", "f32[64]", "", strict=False),
    Row(
        "45",
        "all-gather in sugar",
        "%s = ((f32[64]), f32[128], s32[]) all-gather-start(%a), replica_groups={{0,1}}, dimensions={0}\n"
        "ROOT %d = f32[128] all-gather-done(%s)",
        "invalid",
        True,
        False,
        False,
    ),
    Row(
        "45",
        "all-reduce in sugar",
        _start("all-reduce-start(%a), to_apply=%add", "all-reduce-done(%s)"),
        "invalid",
        True,
        False,
        False,
    ),
    Row(
        "45",
        "collective-permute in sugar",
        _start("collective-permute-start(%a), source_target_pairs={{0,1}}", "collective-permute-done(%s)"),
        "invalid",
        True,
        False,
        False,
    ),
    Row("45", "copy in sugar", _start("copy-start(%a)", "copy-done(%s)"), "invalid", True, False, False),
    Row(
        "46",
        "a wrapped send, and its done",
        "%k = token[] after-all()\n"
        "%s = ((f32[64], token[]), (f32[64], u32[], token[]), s32[]) async-start(%a, %k), calls=%wr\n"
        "%d = (f32[64], u32[], token[]) async-done(%s)\n%t = token[] send-done(%d), channel_id=1\nROOT %x = f32[64] abs(%a)",
        "invalid",
        True,
        False,
        False,
        more="%wr {\n  %p = f32[64] parameter(0)\n  %q = token[] parameter(1)\n"
        "  ROOT %r = (f32[64], u32[], token[]) send(%p, %q), channel_id=1\n}\n",
    ),
    Row(
        "47",
        "reduce-scatter with a flat bundle",
        "%s = (f32[64], f32[32]) reduce-scatter-start(%a), replica_groups={{0,1}}, dimensions={0}, to_apply=%add\n"
        "ROOT %d = f32[32] reduce-scatter-done(%s)",
        "unread",
        True,
        True,
        True,
    ),
    Row(
        "48",
        "thread without a name",
        _start('async-start(%a), calls=%w, async_execution_thread=""'),
        "valid",
        True,
        True,
        True,
    ),
    Row(
        "49",
        "two pairs interleaved",
        "%s = S async-start(%a), calls=%w\n%t = S negate-start(%a)\n%d = f32[64] async-done(%s)\n%f = f32[64] negate-done(%t)\n"
        "ROOT %x = f32[64] add(%d, %f)",
        "valid",
        True,
        True,
        True,
    ),
]
