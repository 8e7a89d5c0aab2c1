"""HLO modules to MLIR and back, and MLIR to HLO and back, with their asynchronous operations (spec: async, 11)."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import sdy
from sdy import hlo_text
from sdy.hlo_conversion import from_hlo, to_hlo
from sdy.hlo_conversion.jaxlib_road import ConversionError
from sdy.hlo_text import HloRuleError, HloSyntaxError, parse
from sdy.tools.hlo.verdicts import Verdicts
from tests import depth, oracle
from tests.hlo.random_chains import random_module
from tests.hlo.rows import ROWS, Row
from tests.hlo.structure import structure

pytestmark = oracle.requires_reference

NOT_IN_MLIR = {
    "23 an operand without use": "does not use",
    "27 carried by a loop": "not done in its computation",
    "28 through a tuple": "only by an update or a done",
    "28 through a copy": "only by an update or a done",
    "28 through a barrier": "only by an update or a done",
    "29 the result read out of the start": "only by an update or a done",
    "29 the operand read out of the start": "only by an update or a done",
    "34 update with another context": "changes the bundle",
    "34 update without context": "changes the bundle",
    "35 an operand comes with an update": "changes the bundle",
    "38 no result at the start": "only a part of the result",
    "38 part of the result at the start": "only a part of the result",
    "42 control predecessors and metadata": "has control-predecessors",
    "42 aliasing": "has output_to_operand_aliasing",
    "43 tuple is wrapped": "becomes no op of MLIR",
}
"""Valid rows that are refused on the way to MLIR, and what is said."""

OTHERWISE = {
    "42 start and done in a loop": "jaxlib takes the counter, which stays the same, out of the loop",
    "43 while is wrapped": "a call of a function with the loop is wrapped",
}
"""Rows that come back as something else that does the same."""

CRASHES_JAXLIB = "43 ragged-all-to-all is wrapped"


def name(row: Row) -> str:
    return f"{row.number} {row.what}"


COMES_BACK = [row for row in ROWS if row.xla and name(row) not in (*NOT_IN_MLIR, CRASHES_JAXLIB)]


def there_and_back(text: str, *, wrapped_native: bool = False) -> hlo_text.HloModule:
    module = from_hlo(text, isolate=False)
    return parse(to_hlo(module, allow_wrapped_native=wrapped_native, isolate=False))


@pytest.mark.parametrize("row", COMES_BACK if depth.ALL else COMES_BACK[::4], ids=name)
def test_a_valid_row_comes_back(row: Row) -> None:
    """Row 44 is what `allow_wrapped_native` is for."""
    if row.number == "44":
        with pytest.raises(sdy.DiagnosticError, match="has asynchronous forms of its own"):
            there_and_back(row.text)
    made = there_and_back(row.text, wrapped_native=row.number == "44")
    assert (structure(made) == structure(parse(row.text))) != (name(row) in OTHERWISE)
    assert hlo_text.check(made, hlo_text.XLA) == []
    assert "async" in made.text(sugar=False)


@pytest.mark.parametrize("row", [row for row in ROWS if name(row) in NOT_IN_MLIR], ids=name)
def test_a_valid_row_that_mlir_cannot_say_is_refused(row: Row) -> None:
    with pytest.raises(HloRuleError, match=NOT_IN_MLIR[name(row)]) as found:
        from_hlo(row.text, isolate=False)
    assert found.value.position is not None


@pytest.mark.skipif(not depth.ALL, reason="starts a process; SDY_TESTS=all")
def test_what_jaxlib_does_not_survive_is_refused() -> None:
    (row,) = [row for row in ROWS if name(row) == CRASHES_JAXLIB]
    with pytest.raises(sdy.DiagnosticError, match="jaxlib does not survive"):
        to_hlo(from_hlo(row.text))


@pytest.mark.parametrize("row", [row for row in ROWS if row.read and not row.xla], ids=name)
def test_an_invalid_row_is_refused(row: Row) -> None:
    with pytest.raises(HloRuleError):
        from_hlo(row.text, isolate=False)


def test_what_is_no_hlo_is_refused() -> None:
    with pytest.raises(HloSyntaxError):
        from_hlo("HloModule m\n\nENTRY %e {")
    wrong = "HloModule m\n\nENTRY %e {\n  %a = f32[8] parameter(0)\n  ROOT %b = f32[4] frobnicate(%a)\n}\n"
    with pytest.raises(ConversionError, match="frobnicate"):
        from_hlo(wrong, isolate=False)


def test_random_chains_come_back_or_are_refused() -> None:
    for seed in depth.seeds(30, 1_000):
        text = random_module(seed)
        try:
            module = parse(text)
        except HloSyntaxError:
            continue
        if hlo_text.check(module, hlo_text.XLA):
            continue
        try:
            made = parse(to_hlo(from_hlo(text, isolate=False), scheduled=module.is_scheduled, isolate=False))
        except (HloRuleError, sdy.DiagnosticError):
            continue
        assert structure(made) == structure(module), f"seed {seed}"
        assert hlo_text.check(made, hlo_text.XLA) == [], f"seed {seed}"


NATIVE = {
    "all-gather": (
        "%s = (f32[64], f32[128]) all-gather-start(%a), replica_groups={{0,1}}, dimensions={0}",
        "f32[128] all-gather-done",
    ),
    "collective-permute": (
        "%s = (f32[64], f32[64]) collective-permute-start(%a), source_target_pairs={{0,1}}",
        "f32[64] collective-permute-done",
    ),
    "collective-permute with contexts": (
        "%s = (f32[64], f32[64], u32[], u32[]) collective-permute-start(%a), source_target_pairs={{0,1}}",
        "f32[64] collective-permute-done",
    ),
    "all-reduce": (
        "%s = f32[64] all-reduce-start(%a), replica_groups={{0,1}}, to_apply=%add",
        "f32[64] all-reduce-done",
    ),
    "variadic all-reduce": (
        "%b = f32[64] abs(%a)\n  "
        "%s = (f32[64], f32[64]) all-reduce-start(%a, %b), replica_groups={{0,1}}, to_apply=%add",
        "(f32[64], f32[64]) all-reduce-done",
    ),
    "copy": ("%s = (f32[64], f32[64], u32[]) copy-start(%a)", "f32[64] copy-done"),
}
ADD = "%add {\n  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n  ROOT %z = f32[] add(%x, %y)\n}\n\n"


def native_text(case: str) -> str:
    start, done = NATIVE[case]
    return f"HloModule m\n\n{ADD}ENTRY %e {{\n  %a = f32[64] parameter(0)\n  {start}\n  ROOT %d = {done}(%s)\n}}\n"


@pytest.mark.parametrize("case", NATIVE)
def test_native_pairs_come_back(case: str) -> None:
    text = native_text(case)
    assert hlo_text.check(parse(text), hlo_text.XLA) == []
    made = there_and_back(text)
    wanted = re.sub(r"channel_id=\d+|use_global_device_ids=true", "", repr(structure(parse(text))))
    assert re.sub(r"channel_id=\d+|use_global_device_ids=true", "", repr(structure(made))) == wanted


STARTED = {
    "dot": ("%0 = stablehlo.dot %x, %x : (T, T) -> T", "tensor<8x8xf32>", "tensor<8x8xf32>", ""),
    "slice": ("%0 = stablehlo.slice %x [0:2, 0:8] : (T) -> R", "tensor<8x8xf32>", "tensor<2x8xf32>", ""),
    "sort": (
        '%0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = false}> ({\n'
        "      ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
        "        %l = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
        "        stablehlo.return %l : tensor<i1>\n      }) : (T) -> R",
        "tensor<8x8xf32>",
        "tensor<8x8xf32>",
        "",
    ),
    "thread and context": ("%0 = stablehlo.tanh %x : T", "tensor<8x8xbf16>", "tensor<8x8xbf16>", "tensor<ui32>"),
    "all_gather": (
        '%0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, '
        "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (T) -> R",
        "tensor<8x8xi32>",
        "tensor<16x8xi32>",
        "",
    ),
    "reduce_scatter": (
        '%0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, '
        "scatter_dimension = 0 : i64}> ({\n"
        "      ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
        "        %l = stablehlo.add %p, %q : tensor<f32>\n"
        "        stablehlo.return %l : tensor<f32>\n      }) : (T) -> R",
        "tensor<8x8xf32>",
        "tensor<4x8xf32>",
        "",
    ),
}


def started(case: str) -> str:
    op, type_, result, context = STARTED[case]
    thread = "side" if context else "main"
    bundle = f"!hlo_async.bundle<[{type_}], [{result}], [{context}]>"
    op = op.replace("(T, T)", f"({type_}, {type_})").replace("T)", f"{type_})").replace(": T", f": {type_}")
    op = op.replace("-> T", f"-> {type_}").replace("-> R", f"-> {result}")
    return f"""module {{
  func.func @main(%arg0: {type_}) -> {result} {{
    %1 = hlo_async.start(%arg0) thread "{thread}" (%x: {type_}) {{
      {op}
      hlo_async.return %0 : {result}
    }} : ({type_}) -> {bundle}
    %2 = hlo_async.done %1 : {bundle} -> {result}
    return %2 : {result}
  }}
}}
"""


def function_text(module: sdy.Module | object) -> str:
    """The functions of a module, without the attributes that conversion gives it."""
    return str(module).partition("\n")[2]


@pytest.mark.parametrize("case", [case for case in STARTED if case != "dot"])
def test_modules_come_back(case: str) -> None:
    module = sdy.parse(started(case))
    back = from_hlo(to_hlo(module, isolate=False), isolate=False)
    assert function_text(back) == function_text(module)


def test_order_is_kept() -> None:
    """In a scheduled module starts, dones and what is in between keep their places, both ways."""
    text = """HloModule m, is_scheduled=true

ENTRY %e {
  %a = f32[64] parameter(0)
  %s = ((f32[64]), f32[64], s32[]) negate-start(%a)
  %t = ((f32[64]), f32[64], s32[]) tanh-start(%a)
  %x = f32[64] abs(%a)
  %d = f32[64] negate-done(%s)
  %y = f32[64] add(%d, %x)
  %e = f32[64] tanh-done(%t)
  ROOT %z = f32[64] multiply(%y, %e)
}
"""
    module = from_hlo(text, keep_order=True, isolate=False)
    names = [op.operation.name for op in module.body.operations[0].regions[0].blocks[0].operations]
    starts, dones = ["hlo_async.start"] * 2, "hlo_async.done"
    assert names == [*starts, "stablehlo.abs", dones, "stablehlo.add", dones, "stablehlo.multiply", "func.return"]
    made = parse(to_hlo(module, scheduled=True, isolate=False))
    assert made.is_scheduled
    opcodes = [each.opcode for each in made.entry_computation.instructions]
    assert opcodes == [each.opcode for each in parse(text).entry_computation.instructions]
    early = parse(to_hlo(module, isolate=False)).entry_computation.instructions
    assert [each.opcode for each in early][:3] == ["parameter", "async-start", "async-start"]


ALL_TO_ALL = """HloModule m, num_partitions=8

ENTRY %e {
  %a = f32[4] parameter(0)
  %b = f32[4] parameter(1)
  ROOT %c = (f32[4], f32[4]) all-to-all(%a, %b), replica_groups=GROUPS, channel_id=1
}
"""


@pytest.mark.parametrize(
    ("groups", "listed"),
    [
        ("mesh['x'=4,'y'=2] {'y'}", "[[0, 1], [2, 3], [4, 5], [6, 7]]"),
        ("mesh['x'=4,'y'=2] {'x':(1)2}", "[[0, 4], [1, 5], [2, 6], [3, 7]]"),
        ("[4,2]<=[8]", "[[0, 1], [2, 3], [4, 5], [6, 7]]"),
    ],
)
def test_parts_that_all_devices_exchange_have_their_groups_listed(groups: str, listed: str) -> None:
    """As XLA compiles an all-to-all for CPU; the op in MHLO has no axes."""
    module = from_hlo(ALL_TO_ALL.replace("GROUPS", groups), isolate=False)
    assert f"replica_groups = dense<{listed}>" in str(module)


@pytest.mark.parametrize("isolate", [True, False] if depth.ALL else [False])
def test_what_jaxlib_says_is_handed_on(isolate: bool) -> None:
    text = ALL_TO_ALL.replace("all-to-all(%a, %b), replica_groups=GROUPS", "collective-permute(%a, %b)")
    with pytest.raises(ConversionError, match="requires a single operand"):
        from_hlo(text.replace("channel_id=1", "source_target_pairs={{0,1}}"), isolate=isolate)


FRONTEND = r"""HloModule m

%w {
  %p = f32[64] parameter(0)
  ROOT %r = f32[64] negate(%p), frontend_attributes={root="1"}
}

ENTRY %e {
  %a = f32[64] parameter(0)
  %s = ((f32[64]), f32[64], s32[]) async-start(%a), calls=%w, frontend_attributes={b="x=1,\"y\" \303\251\\ {}",n="\n"}
  %u = ((f32[64]), f32[64], s32[]) async-update(%s), frontend_attributes={up="1"}
  %d = f32[64] async-done(%u), frontend_attributes={done="2"}
  %t = (f32[64], f32[64], u32[]) copy-start(%d), frontend_attributes={copied="3"}
  ROOT %c = f32[64] copy-done(%t), frontend_attributes={done="4"}
}
"""


def test_frontend_attributes_of_all_links_come_back() -> None:
    keys = ("root", "b", "up", "done", "copied")
    made = there_and_back(FRONTEND)
    assert [made.text(sugar=False).count(f"{key}=") for key in keys] == [1, 1, 1, 2, 1]
    wanted = [each.attribute("frontend_attributes") for each in parse(FRONTEND).entry_computation.instructions]
    assert [each.attribute("frontend_attributes") for each in made.entry_computation.instructions] == wanted
    assert parse(made.text()).text(sugar=False) == made.text(sugar=False)
    module = from_hlo(FRONTEND, isolate=False)
    op = module.body.operations[0].regions[0].blocks[0].operations[0].operation
    op.attributes["mhlo.frontend_attributes"] = sdy.mlir.ir.Attribute.parse("{b = 1}", op.context)
    with pytest.raises(sdy.DiagnosticError, match="has a frontend attribute 'b' that is not a text"):
        to_hlo(module, isolate=False)


SENT = """HloModule m

ENTRY %e {
  %a = f32[64] parameter(0)
  %t = token[] after-all()
  %s = (f32[64], u32[], token[]) send(%a, %t), channel_id=1, is_host_transfer=true
  %n = f32[64] negate(%a)
  %sd = token[] send-done(%s), channel_id=1, is_host_transfer=true
  %r = (f32[64], u32[], token[]) recv(%sd), channel_id=2, is_host_transfer=true
  %rd = (f32[64], token[]) recv-done(%r), channel_id=2, is_host_transfer=true
  %x = f32[64] get-tuple-element(%rd), index=0
  ROOT %o = f32[64] add(%x, %n)
}
"""


@pytest.mark.parametrize("is_host", ["true", "false"])
def test_send_and_recv_are_one_op_each_in_mlir(is_host: str) -> None:
    text = SENT.replace("=true", f"={is_host}")
    module = from_hlo(text, isolate=False)
    printed = str(module)
    assert [printed.count(each) for each in ("stablehlo.send", "stablehlo.recv", "hlo_async")] == [1, 1, 0]
    made = parse(to_hlo(module, isolate=False))
    assert hlo_text.check(made) == hlo_text.check(made, hlo_text.XLA) == []
    opcodes = [each.opcode for each in made.entry_computation.instructions]
    assert [each for each in opcodes if each.startswith(("send", "recv"))] == ["send", "send-done", "recv", "recv-done"]
    send = next(each for each in made.entry_computation.instructions if each.opcode == "send")
    assert send.attribute("channel_id") == "1" and (send.attribute("is_host_transfer") or "false") == is_host


def test_what_hlo_cannot_say_is_refused() -> None:
    moved = """
func.func @main(%a: tensor<4x4xf32>) -> tensor<8x2xf32> {
  %s = hlo_async.start(%a) (%x: tensor<4x4xf32>) {
    %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
        split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x4xf32>) -> tensor<8x2xf32>
    hlo_async.return %0 : tensor<8x2xf32>
  } : (tensor<4x4xf32>) -> !hlo_async.bundle<[tensor<4x4xf32>], [tensor<8x2xf32>], []>
  %d = hlo_async.done %s : !hlo_async.bundle<[tensor<4x4xf32>], [tensor<8x2xf32>], []> -> tensor<8x2xf32>
  return %d : tensor<8x2xf32>
}
"""
    with pytest.raises(sdy.DiagnosticError, match=r"'stablehlo.all_to_all' cannot be .*: it becomes sev"):
        to_hlo(sdy.parse(moved), isolate=False)
    unused = started("slice").replace(
        "return %2 : tensor<2x8xf32>\n  }",
        "%3 = stablehlo.constant dense<0.0> : tensor<2x8xf32>\n    return %3 : tensor<2x8xf32>\n  }",
    )
    with pytest.raises(sdy.DiagnosticError, match="no instruction is left of it"):
        to_hlo(sdy.parse(unused), isolate=False)


@pytest.fixture(scope="module")
def xla() -> Iterator[Verdicts]:
    with Verdicts() as verdicts:
        yield verdicts


@pytest.mark.parametrize("case", STARTED if depth.ALL else ["thread and context", "reduce_scatter"])
def test_xla_accepts_what_is_written(xla: Verdicts, case: str) -> None:
    verdict = xla.of(to_hlo(sdy.parse(started(case)), isolate=False))
    assert verdict.is_valid, verdict


HEADER = "HloModule m, entry_computation_layout={(f32[8]{0})->(f32[8]{0}, f32[8]{0})}"
PAIR = """

ENTRY main {
  p = f32[8]{0} parameter(0), sharding={devices=[8]<=[8]}
  n = f32[8]{0} negate(p), sharding={devices=[8]<=[8]}
  ROOT t = (f32[8]{0}, f32[8]{0}) tuple(n, p), sharding={{devices=[8]<=[8]}, {replicated}}
}
"""
MAY_SHARD = ", allow_spmd_sharding_propagation_to_output="


@pytest.mark.parametrize(
    ("header", "kept"),
    [
        ("", (True, True)),
        (f"{MAY_SHARD}{{true}}", (False, False)),
        (f"{MAY_SHARD}{{false,true}}", (True, False)),
        (f"{MAY_SHARD}{{true,true}}", (False, False)),
    ],
)
def test_results_that_xla_may_shard_have_no_sharding(header: str, kept: tuple[bool, bool]) -> None:
    """jaxlib takes the sharding of the root for theirs."""
    text = str(from_hlo(HEADER + header + PAIR, isolate=False))
    results = text.partition("-> (")[2].partition(" {\n")[0].split("tensor<")[1:]
    assert tuple("mhlo.sharding" in each for each in results) == kept


@pytest.mark.parametrize(
    ("call", "is_kept"),
    [
        ('custom_call_target="Sharding", sharding={S}, backend_config="unspecified_dims=[1]"', False),
        ('custom_call_target="SPMDShardToFullShape", sharding={S}, backend_config="unspecified_dims=[0,1]"', False),
        ('custom_call_target="Sharding", sharding={S}', True),
        ('custom_call_target="other", sharding={S}, backend_config="unspecified_dims=[1]"', True),
    ],
)
def test_what_a_root_leaves_open_is_no_sharding_of_the_result(call: str, is_kept: bool) -> None:
    instruction = f"custom-call(p), {call}".replace("{S}", "{devices=[4,1,2]<=[8] last_tile_dim_replicate}")
    layout = "entry_computation_layout={(f32[8,8]{1,0})->f32[8,8]{1,0}}"
    text = (
        f"HloModule m, {layout}\n\nENTRY main {{\n  p = f32[8,8]{{1,0}} parameter(0)\n"
        f"  ROOT r = f32[8,8]{{1,0}} {instruction}\n}}\n"
    )
    signature = str(from_hlo(text, isolate=False)).partition("@main")[2].partition("{\n")[0]
    assert ("mhlo.sharding" in signature) == is_kept


def test_the_number_of_devices_comes_along() -> None:
    found = from_hlo(HEADER + ", replica_count=2, num_partitions=8" + PAIR, isolate=False).operation.attributes
    assert found["mhlo.num_partitions"].value == 8
    assert found["mhlo.num_replicas"].value == 2
    assert "mhlo.num_partitions" not in from_hlo(HEADER + PAIR, isolate=False).operation.attributes
