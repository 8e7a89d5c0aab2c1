"""The communication report: bytes counted by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

import sdy
from sdy.dialect.values.axes import axes
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.mlir.diagnostics import DiagnosticError
from tests.unit.report.communication_programs import MESH, X, Y, contraction, moves, report, resharded, sharded

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ('[{"x"}, {}]', "[{}, {}]", [("all_gather", X, 4, 3 * 256)]),
        ('[{"y"}, {}]', "[{}, {}]", [("all_gather", Y, 2, 512)]),
        ('[{"x"}, {}]', '[{}, {"x"}]', [("all_to_all", X, 4, 256 * 3 / 4)]),
        ('[{"x":(1)2}, {}]', '[{"x":(2)2}, {}]', [("collective_permute", X, 2, 512)]),
        ('[{"x", "y"}, {}]', '[{"x"}, {}]', [("all_gather", Y, 2, 128)]),
        ('[{"x"}, {}]', '[{"x"}, {"y"}]', []),
    ],
)
def test_bytes_of_reshards(source: str, target: str, expected: list[tuple]) -> None:
    found = report(resharded(source, target))
    assert moves(found) == expected
    assert found.bytes_sent == sum(entry[3] for entry in expected)
    reshards = [one.reshard for one in found.transfers] or found.free_reshards
    assert [str(one) for one in reshards] == [f"{source} -> {target}"]
    assert [(one and one.serves, one and one.location) for one in reshards] == [
        ("result 0 of @main", "program.mlir:5:3")
    ]


def test_partial_results() -> None:
    """8x16 numbers of 4 bytes, reduced over all 8 devices."""
    found = report(contraction())
    assert moves(found) == [("all_reduce", axes("x", "y"), 8, 2 * 7 / 8 * 512)]
    (one,) = found.transfers
    assert (one.serves, one.location) == ("result of stablehlo.dot_general", "program.mlir:5:8")
    assert (one.times, one.is_conditional, found.is_exact) == (1, False, True)


def test_partial_results_that_are_sharded() -> None:
    found = report(contraction(result='[{"x", "y"}, {}]'))
    assert moves(found) == [("reduce_scatter", axes("x", "y"), 8, 7 / 8 * 512)]


RAGGED = f"""{MESH}
func.func @main(%x: tensor<64x4xf32>, %out: tensor<128x4xf32>, %n: tensor<32xi32>) -> tensor<128x4xf32> {{
  %0 = sdy.manual_computation(%x, %out, %n)
      in_shardings=[<@mesh, [{{"x"}}, {{}}]>, <@mesh, [{{"x"}}, {{}}]>, <@mesh, [{{"x"}}]>]
      out_shardings=[<@mesh, [{{"x"}}, {{}}]>] manual_axes={{"x", "y"}}
      (%a: tensor<16x4xf32>, %b: tensor<32x4xf32>, %c: tensor<8xi32>) {{
    %1 = stablehlo.custom_call @ragged_all_to_all(%a, %b, %c, %c, %c, %c) {{
        api_version = 4 : i32, backend_config = {{channel_id = 1 : i64,
        replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>}}
    }} : (tensor<16x4xf32>, tensor<32x4xf32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>)
        -> tensor<32x4xf32>
    sdy.return %1 : tensor<32x4xf32>
  }} : (tensor<64x4xf32>, tensor<128x4xf32>, tensor<32xi32>) -> tensor<128x4xf32>
  return %0 : tensor<128x4xf32>
}}
"""
"""As JAX writes `jax.lax.ragged_all_to_all`."""


def test_a_ragged_exchange_sends_at_most_its_first_operand() -> None:
    found = report(RAGGED)
    assert [move for move in moves(found) if move[0] != "all_gather"] == [("ragged_all_to_all", X, 4, 256 * 3 / 4)]
    timed = sdy.communication(RAGGED, machine="flops=1 bandwidth=64 latency=0 directions=1")
    (one,) = (one for one in timed.transfers if one.kind == "ragged_all_to_all")
    assert one.time is not None and one.time.seconds == 192 / 64
    (counted,) = (one for one in sdy.partition(RAGGED).collectives if one.kind == "ragged_all_to_all")
    assert (counted.moved_bytes, counted.axes) == (192, X)


SHIFTED = f"""{MESH}
func.func @main(%a: tensor<16x8xf32> {sharded('[{"x"}, {}]')}) -> (tensor<16x8xf32> {sharded('[{"x"}, {}]')}) {{
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %c, low = [1, 0], high = [-1, 0], interior = [0, 0]
      : (tensor<16x8xf32>, tensor<f32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}}
"""


def test_neighbours_exchange_rows() -> None:
    found = report(SHIFTED)
    assert [(one.kind, one.axes) for one in found.transfers] == [("collective_permute", X)]
    assert [(one.serves, one.location) for one in found.transfers] == [("stablehlo.pad", "program.mlir:5:8")]


def counted(body: str, limit: str, functions: str = "") -> str:
    return f"""{MESH}
func.func @main(%a: tensor<8x8xf32> {sharded('[{}, {"x"}]')}, %n: tensor<i32>) -> tensor<8x8xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<8x8xf32>
      attributes {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{{}}, {{"x"}}]>]>}}
   cond {{
    %more = stablehlo.compare LT, %i, {limit}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  }} do {{
    {body}
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %y : tensor<i32>, tensor<8x8xf32>
  }}
  return %0#1 : tensor<8x8xf32>
}}
{functions}"""


SQUARED = (
    "stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>"
)
SINES = "\n  ".join(f"%{number + 1} = stablehlo.sine %{number} : tensor<8x8xf32>" for number in range(17))
FUNCTION = f"""
func.func private @squared(%x: tensor<8x8xf32> {sharded('[{}, {"x"}]')}) -> tensor<8x8xf32> {{
  %0 = {SQUARED}
  {SINES}
  return %17 : tensor<8x8xf32>
}}"""
"""Too large to be put in the place of its calls."""

CALLS = """%t = func.call @squared(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %y = func.call @squared(%t) : (tensor<8x8xf32>) -> tensor<8x8xf32>"""


def test_loops_multiply() -> None:
    found = report(counted(f"%y = {SQUARED}", "%five"))
    assert {one.times for one in found.transfers if one.kind == "reduce_scatter"} == {5}
    once = report(counted(f"%y = {SQUARED}", "%n"))
    in_loop = [one for one in once.transfers if one.times is None]
    assert found.bytes_sent == once.bytes_sent + 4 * sum(one.bytes_sent for one in in_loop)
    assert [one.is_in_loop for one in found.transfers] == [one.times != 1 for one in found.transfers]
    assert (found.is_exact, once.is_exact) == (True, False)
    assert once.table().splitlines()[-1] == "?: in a loop with an unknown trip count, counted as one round"


def test_calls_multiply() -> None:
    found = report(counted(CALLS, "%five", FUNCTION))
    assert [(one.kind, one.ops, one.bytes_sent) for one in found.totals] == [("reduce_scatter", 10, 10 * 3 * 64)]
    assert "  10 (loop)  " in found.table()
    unknown = report(counted(CALLS, "%n", FUNCTION))
    assert [(one.kind, one.ops, one.bytes_sent) for one in unknown.totals] == [("reduce_scatter", 2, 2 * 3 * 64)]
    assert "  2 x ? (loop)  " in unknown.table()


def test_branches_are_at_most() -> None:
    text = f"""{MESH}
func.func @main(%p: tensor<i1>, %a: tensor<8xf32> {sharded('[{"x"}]')}) -> tensor<8xf32> {{
  %0 = "stablehlo.if"(%p) ({{
    %1 = sdy.sharding_constraint %a <@mesh, [{{}}]> : tensor<8xf32>
    stablehlo.return %1 : tensor<8xf32>
  }}, {{
    %1 = stablehlo.constant dense<0.0> : tensor<8xf32>
    stablehlo.return %1 : tensor<8xf32>
  }}) {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{}}]>]>}} : (tensor<i1>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}}
"""
    (one,) = report(text).transfers
    assert (one.kind, one.times, one.is_conditional) == ("all_gather", 1, True)
    assert "  <=1  " in report(text).table()


def test_places_of_a_frontend() -> None:
    text = contraction().replace(
        "-> tensor<8x16xf32>\n  return", '-> tensor<8x16xf32> loc("jit(f)/dot_general"("f.py":3:4))\n  return'
    )
    assert [one.location for one in report(text).transfers] == ["jit(f)/dot_general"]


def test_table() -> None:
    lines = report(contraction()).table().splitlines()
    assert lines[0].split() == "id collective axes group times bytes per device serves value where".split()
    assert (
        lines[1].split()
        == 'c0 all_reduce {"x", "y"} 8 1 896 result of stablehlo.dot_general %0 program.mlir:5:8'.split()
    )
    assert lines[-1].split() == ["all", "1", "896"]
    assert str(report(f"{MESH}func.func @main() {{ return }}")) == "no communication"


def test_ops_of_one_name_are_told_apart_and_found() -> None:
    """By the names that `sdy.explain` takes, and by their positions."""
    name = 'loc("f/dot"("f.py":{line}:4))'
    given = '{{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{}}, {{"x"}}]>]>}}'
    types = "(tensor<8x8xf32>, tensor<8x8xf32>)"
    dot = f"stablehlo.dot_general {{}}, {{}}, contracting_dims = [1] x [0] {given} : {types}"
    text = f"""{MESH}
func.func @main(%arg0: tensor<8x8xf32> {sharded('[{}, {"x"}]')}) -> tensor<8x8xf32> {{
  %0 = {dot.format("%arg0", "%arg0")} -> tensor<8x8xf32> {name.format(line=3)}
  %1 = call @f(%0) : (tensor<8x8xf32>) -> tensor<8x8xf32> loc("f")
  %2 = call @f(%1) : (tensor<8x8xf32>) -> tensor<8x8xf32> loc("f")
  %3 = {dot.format("%2", "%arg0")} -> tensor<8x8xf32> {name.format(line=5)}
  return %3 : tensor<8x8xf32> loc(unknown)
}}
func.func private @f(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {{no_inline}} {{
  %0 = stablehlo.sort %arg0 : tensor<8x8xf32> loc("sort")
  return %0 : tensor<8x8xf32> loc(unknown)
}}
""".replace(
        "stablehlo.sort %arg0 : tensor<8x8xf32>",
        """"stablehlo.sort"(%arg0) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<8x8xf32>) -> tensor<8x8xf32>""",
    )
    found = report(text)
    places = {(one.serves, one.location, one.position, one.value) for one in found.transfers}
    assert places == {
        ("operand 0 of stablehlo.dot_general", "f/dot", "f.py:3:4", "%0"),
        ("operand 0 of stablehlo.dot_general", "f/dot", "f.py:5:4", "%3"),
        ("operand 0 of stablehlo.sort", "f/sort", "", "@f:%0"),
        ("result 0 of @f", "f", "", "@f:%0"),
    }
    listed = found.table().partition("\n\n")[0].splitlines()
    assert len(listed) == len(set(listed))
    assert [line.split("f/dot")[1].split()[0] for line in listed if "f/dot" in line] == ["f.py:3:4", "f.py:5:4"]
    for *_, value in places:
        assert sdy.explain(text, value)


def test_one_reshard_serves_all_who_need_the_same() -> None:
    text = f"""{MESH}
func.func @main(%a: tensor<8x8xf32> {sharded('[{"x"}, {}]')})
    -> (tensor<8x8xf32> {sharded("[{}, {}]")}, tensor<8x8xf32> {sharded("[{}, {}]")}) {{
  %0 = stablehlo.sine %a {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{"x"}}, {{}}]>]>}} : tensor<8x8xf32>
  return %0, %0 : tensor<8x8xf32>, tensor<8x8xf32>
}}
"""
    found = report(text)
    assert [one.kind for one in found.transfers] == ["all_gather"]
    assert found.free_reshards == ()


def test_json() -> None:
    data = json.loads(report(resharded('[{"x":(1)2}, {}]', "[{}, {}]")).to_json())
    assert (data["ops"], data["bytes_sent"], data["is_exact"]) == (1, 512, True)
    assert data["totals"] == [
        {"kind": "all_gather", "axes": '{"x":(1)2}', "group_size": 2, "ops": 1, "bytes_sent": 512}
    ]
    (one,) = data["collectives"]
    assert (one["axes"], one["operand_bytes"], one["times"]) == (["x:(1)2"], 512, 1)
    assert one["reshard"]["source"] == '<@mesh, [{"x":(1)2}, {}]>'


def test_the_module_stays_as_it_is() -> None:
    parsed = sdy.parse(contraction())
    before = sdy.print_module(parsed)
    assert sdy.communication(parsed).ops == 1
    assert sdy.print_module(parsed) == before


def test_errors_name_the_users_op() -> None:
    text = f"""{MESH}
func.func @main(%a: tensor<?x8xf32> {sharded('[{}, {"x"}]')}) -> tensor<?x8xf32> {{
  %0 = sdy.all_gather [{{}}, {{"x"}}] %a out_sharding=<@mesh, [{{}}, {{}}]> : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}}
"""
    several = f"""{MESH}
func.func @main(%a: tensor<8xf32>, %b: tensor<?xf32>) {{
  %0:2 = "stablehlo.all_reduce"(%a, %b) <{{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}}> ({{
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }}) : (tensor<8xf32>, tensor<?xf32>) -> (tensor<8xf32>, tensor<?xf32>)
  return
}}
"""
    for each in (text, several):
        with pytest.raises(DiagnosticError, match=r"program\.mlir:4:\d+: .*dynamic size"):
            report(each)


@pytest.mark.parametrize(
    ("element", "size", "sent"),
    [
        ("bf16", 8, 2 * 8 * 2),
        ("i1", 8, 2 * 8),
        ("i4", 8, 2 * 8 // 2),
        ("f64", 8, 2 * 8 * 8),
        ("complex<f32>", 8, 2 * 8 * 8),
        ("f8E4M3FN", 8, 2 * 8),
        ("!quant.uniform<i8:f32, 0.5>", 8, 2 * 8),
        ("f32", 6, 2 * 8 * 4),
        ("f32", 5, 2 * 8 * 4),
    ],
)
def test_bytes_of_elements_and_of_uneven_parts(element: str, size: int, sent: int) -> None:
    """Of 8, 6 and 5 rows each of 4 devices has 2, some of which are padding, and sends them 3 times."""
    type_ = f"tensor<{size}x8x{element}>"
    text = f"""{MESH}
func.func @main(%a: {type_} {sharded("[{}, {}]")}) -> {type_} {{
  %0 = stablehlo.add %a, %a {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{"x"}}, {{}}]>]>}} : {type_}
  %1 = sdy.sharding_constraint %0 <@mesh, [{{}}, {{}}]> : {type_}
  return %1 : {type_}
}}
"""
    assert moves(report(text)) == [("all_gather", X, 4, 3 * sent)]


ODD_NAMES = r"""
sdy.mesh @"a \22mesh\22" = <["an \22axis\22"=4]>
func.func @"ma in"(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@"a \22mesh\22", [{"an \22axis\22"}]>})
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@"a \22mesh\22", [{}]>}) {
  return %a : tensor<8xf32> loc("two\0Alines \22quoted\22 \FF"("f.py":3:4))
}
"""


def test_odd_names() -> None:
    found = report(ODD_NAMES)
    (data,) = json.loads(found.to_json())["collectives"]
    assert (data["axes"], data["serves"]) == (['an "axis"'], "result 0 of @ma in")
    assert data["location"] == r"two\0Alines \22quoted\22 \FF"
    found.table().encode()
    assert len(found.table().splitlines()) == 6


def test_manual_computations_and_unreduced_values() -> None:
    """What the body gathers along "y", on the local 2x4; partial sums over "x" that end where they are needed."""
    text = f"""{MESH}
func.func @main(%a: tensor<8x8xf32> {sharded('[{"x"}, {"y"}]')}) -> (tensor<8x8xf32> {sharded("[{}, {}]")}) {{
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{{"x"}}, {{"y"}}]>] out_shardings=[<@mesh, [{{"x"}}, {{}}]>]
      manual_axes={{"x", "y"}} (%b: tensor<2x4xf32>) {{
    %2 = "stablehlo.all_gather"(%b) <{{all_gather_dim = 1 : i64, use_global_device_ids,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
        replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>}}>
        : (tensor<2x4xf32>) -> tensor<2x8xf32>
    sdy.return %2 : tensor<2x8xf32>
  }} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.dot_general %0, %0, contracting_dims = [0] x [0]
      {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{}}, {{}}], unreduced={{"x"}}>]>}}
      : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = sdy.sharding_constraint %1 <@mesh, [{{}}, {{}}]> : tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}}
"""
    found = report(text)
    assert moves(found) == [("all_gather", Y, 2, 2 * 4 * 4), ("all_reduce", X, 4, 2 * 3 / 4 * 256)]
    assert [one.serves for one in found.transfers] == ["stablehlo.all_gather", "result of stablehlo.dot_general"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"module": None}, "not NoneType"),
        ({"module": ["module {}"]}, "not list"),
        ({"module": "", "mesh": "x=4"}, "takes Mesh as mesh, not str"),
        ({"module": "", "options": {}}, "takes PartitionOptions as options, not dict"),
        ({"module": "", "filename": 3}, "takes str as filename, not int"),
    ],
)
def test_arguments_that_make_no_sense(arguments: dict[str, Any], complaint: str) -> None:
    with pytest.raises(TypeError, match=complaint):
        sdy.communication(**arguments)


def test_a_mesh_that_is_too_small() -> None:
    text = sdy.partition(contraction()).text
    with pytest.raises(ValueError, match="runs on 8 devices"):
        sdy.communication(text, mesh=Mesh((MeshAxis("x", 4),)))


def test_all_reduces_of_several_tensors_are_several() -> None:
    text = """func.func @f(%a: tensor<8xf32>, %b: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %n = stablehlo.negate %b : tensor<4xf32>
  %0:2 = "stablehlo.all_reduce"(%a, %n) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<4xf32>
}"""
    found = report(text)
    assert [(one.serves, one.bytes_sent) for one in found.transfers] == [
        ("result 0 of @f", 32),
        ("result of stablehlo.negate", 16),
    ]


def test_recursive_calls() -> None:
    text = """func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @main(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}"""
    with pytest.raises(DiagnosticError, match="recursive call of 'main'"):
        report(text)


def test_reshards_of_the_user_do_not_make_it_an_exported_program() -> None:
    """The result takes the sharding of what is returned, as it does in `sdy.partition`."""
    text = f"""{MESH}
func.func @main(%a: tensor<8x8xf32> {sharded('[{"x"}, {}]')}) -> tensor<8x8xf32> {{
  %0 = sdy.reshard %a <@mesh, [{{"x"}}, {{"y"}}]> : tensor<8x8xf32>
  %1 = stablehlo.abs %0 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}}
"""
    assert sdy.partition(text).collectives == ()
    found = report(text)
    assert (found.transfers, len(found.free_reshards)) == ((), 1)


def test_callbacks_are_gathered_for_and_their_results_sent() -> None:
    text = f"""{MESH}
func.func @main(%a: tensor<8xf32> {sharded('[{"x"}]')}) -> tensor<8xf32> {{
  %t = stablehlo.after_all : !stablehlo.token
  %0:2 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%t, %a) {{has_side_effect = true, api_version = 4 : i32}}
      : (!stablehlo.token, tensor<8xf32>) -> (!stablehlo.token, tensor<8xf32>)
  return %0#1 : tensor<8xf32>
}}
"""
    found = report(text)
    assert moves(found) == [("all_gather", X, 4, 3 * 8), ("all_reduce", axes("x", "y"), 8, 2 * 7 / 8 * 32)]
    assert [one.serves for one in found.transfers] == ["operand 1 of stablehlo.custom_call", "stablehlo.custom_call"]
    assert moves(found) == moves(sdy.communication(sdy.partition(text)))


def test_ops_are_called_by_their_places_in_all_that_calls_them() -> None:
    """Locations of calls have several files, and columns that are not known."""
    text = f"""{MESH}
func.func @main(%a: tensor<8x16xf32> {sharded('[{}, {"x"}]')}, %b: tensor<16x8xf32>) -> tensor<8x8xf32> {{
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>)
    -> tensor<8x8xf32> loc(callsite("layer.py":11:0 at callsite("model.py":20:0 at "main.py":30:0)))
  return %0 : tensor<8x8xf32>
}}
"""
    (one,) = report(text).transfers
    assert (one.location, one.position) == ("layer.py:11:1", "layer.py:11:1")
    assert str(sdy.explain(text, "%0")[0].what) == "stablehlo.dot_general (layer.py:11:1)"
    assert sdy.explain(text, "layer.py:11:1")[0].name == "%0"
