"""What cannot be done is refused at the op, by the tool, by a run of passes and by `sdy.partition` alike."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import sdy
from sdy.mlir.diagnostics import DiagnosticError, InternalError
from sdy.passes.registry import passes, pipelines
from sdy.programs.bytecode import bytecode_for_copies
from sdy.tools.sdy_opt import main

_GROUPS = """func.func @main(%a: tensor<4x8xf32>) -> tensor<8x8xf32> {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}>
    : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
"""
_PAIRS = """sdy.mesh @m = <["a"=2]>
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 2]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""
_HUGE = """sdy.mesh @m = <["a"=2]>
func.func @main(%x: tensor<9223372036854775807xf32>) -> tensor<9223372036854775807xf32> {
  %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}]>]>} : tensor<9223372036854775807xf32>
  return %0 : tensor<9223372036854775807xf32>
}
"""
_CLAMP = """sdy.mesh @m = <["x"=4, "y"=2]>
func.func @main(%a: tensor<?xi32>, %b: tensor<i32>, %c: tensor<3xi32>) -> tensor<3xi32> {
  %0 = stablehlo.clamp %b, %a, %c : (tensor<i32>, tensor<?xi32>, tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
"""
_SOLVE = """sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<5x?x4xf32>, %b: tensor<5x4x4xf32>) -> tensor<5x4x4xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = true,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<5x?x4xf32>, tensor<5x4x4xf32>) -> tensor<5x4x4xf32>
  return %0 : tensor<5x4x4xf32>
}
"""
_TUPLE = """sdy.mesh @m = <["a"=2]>
func.func @main(%a: tuple<tensor<8xf32>>) {
  %0 = sdy.reshard %a <@m, [{"a"}]> : tuple<tensor<8xf32>>
  return
}
"""


@pytest.mark.parametrize("axis", ["x", "nowhere"])
def test_manual_axes_of_a_computation_without_values(axis: str) -> None:
    text = f"""sdy.mesh @mesh = <["x"=2]>
func.func @main() {{
  sdy.manual_computation() in_shardings=[<@mesh, []>] out_shardings=[] manual_axes={{"{axis}"}} () {{
    sdy.return
  }} : () -> ()
  return
}}
"""
    if axis == "x":
        sdy.parse(text)
        return
    with pytest.raises(
        DiagnosticError, match=r':3:3: error: .*has manual axis "nowhere", which the mesh does not have'
    ):
        sdy.parse(text)


@pytest.mark.parametrize("name", [*passes(), *pipelines()])
def test_passes_take_or_refuse_declarations(name: str) -> None:
    try:
        sdy.run(sdy.parse("func.func private @f(tensor<4xf32>) -> tensor<4xf32>"), name)
    except DiagnosticError as error:
        assert not isinstance(error, InternalError), error


def test_what_is_verified_does_not_depend_on_earlier_texts() -> None:
    """The patterns that find the ops to check are compiled before the dialect is loaded."""
    context = sdy.make_context()
    negations = "".join(f"  %{i} = stablehlo.negate %x : tensor<f32>\n" for i in range(300))
    sdy.parse(f"func.func @f(%x: tensor<f32>) {{\n{negations}  return\n}}", context=context)
    topology = '#mpmd.topology<<"m" : <["x"=2]>>>'
    text = f"""func.func @f(%x: !mpmd.mesh_tensor<"m", tensor<4xf32>>) attributes {{topology = {topology}}} {{
  mpmd.fragment<mesh="m", origin=[]> (%x) () {{
    mpmd.return
  }} : (!mpmd.mesh_tensor<"m", tensor<4xf32>>) -> ()
  return
}}"""
    with pytest.raises(DiagnosticError, match=r":2:3: error: .*number of block arguments must match"):
        sdy.parse(text, context=context)


@pytest.mark.parametrize(("text", "message"), [(_GROUPS, "names device 1"), (_PAIRS, "names device 2")])
def test_devices_that_are_not_there(text: str, message: str) -> None:
    with pytest.raises(DiagnosticError, match=rf"f.mlir:\d:8: error: 'stablehlo.*{message}, but there"):
        sdy.partition(text, filename="f.mlir")


def test_devices_that_nobody_has_counted() -> None:
    assert sdy.partition(_GROUPS, num_devices=2).collectives[0].group_size == 2


@pytest.mark.parametrize(
    ("text", "passes", "message"),
    [
        (_HUGE, "sdy-partition-pipeline", "too large to be padded"),
        (_CLAMP, "sdy-propagation-pipeline", "operand 1: the value has no static shape"),
        (_SOLVE, "sdy-propagation-pipeline", "operand 0: the value has no static shape"),
        (_TUPLE, "sdy-per-instruction-partitioning", "only tensors are partitioned"),
        (_CLAMP, "sdy-populate-op-sharding-rules,sdy-drop-sharding-rules", "operand 1: the value has no static shape"),
    ],
)
def test_the_tool_and_the_library_refuse_alike(
    text: str, passes: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(DiagnosticError, match=message) as caught:
        sdy.run(sdy.parse(text), passes)
    path = tmp_path / "f.mlir"
    path.write_text(text)
    for flag in ("", "--mlir-print-ir-after=symbol-privatize", "--mlir-print-ir-before=symbol-privatize"):
        assert main([str(path), f"--pass-pipeline={passes}", *filter(None, [flag])]) == 1
        said = capsys.readouterr().err.replace(str(path), "-").splitlines()
        # The tool shows lines of the input, too, each with a caret below it.
        assert [line for line in said if line.startswith("-:")] == str(caught.value).splitlines()
        assert len(said) % 3 == 0 and all(line.strip() == "^" for line in said[2::3])


@pytest.mark.parametrize("write", [bytecode_for_copies, sdy.write_bytecode])
def test_bytecode_that_is_damaged(
    write: Callable[[sdy.ir.Module], bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some of the damage would end the process that reads it."""
    data = write(sdy.parse(_PAIRS))
    path = tmp_path / "f.mlirbc"
    for at, value in ((len(data) // 2, 255), (len(data) // 3, 3), (40, 200)):
        path.write_bytes(data[:at] + bytes([value]) + data[at + 1 :])
        assert main([str(path)]) in (0, 1)
        assert all(line.startswith(f"{path}:1:1: ") for line in capsys.readouterr().err.splitlines())
    path.write_bytes(data[: len(data) // 2])
    assert main([str(path)]) == 1
    assert f"{path}:1:1: error: " in capsys.readouterr().err


_UNREDUCED = '{sdy.sharding = #sdy.sharding<@m, [{}], unreduced={"a"}>}'
_UNKNOWN = '{sdy.sharding = #sdy.sharding<@m, [{"z"}]>}'
_EMPTY = 'sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"z"} () {'


@pytest.mark.parametrize(
    ("body", "passes", "lines"),
    [
        (f"func.func @N(%x: tensor<8xf32> {_UNKNOWN}) {{\n  return\n}}", "", [2, 5]),
        (
            f"func.func @N(%x: tensor<8xf32> {_UNREDUCED}) {{\n  %0 = stablehlo.abs %x : tensor<8xf32>\n  return\n}}",
            "sdy-verify-unreduced-axes",
            [3, 7],
        ),
        (
            f'func.func @N() {{\n  {_EMPTY}\n    "my.op"() : () -> ()\n    sdy.return\n  }} : () -> ()\n  return\n}}',
            "sdy-manual-axes-cleanup",
            [3, 10],
        ),
    ],
)
def test_every_fault_is_reported(body: str, passes: str, lines: list[int], tmp_path: Path) -> None:
    """Those of each function, as the reference does, and to `--verify-diagnostics` as well."""
    text = "\n".join(['sdy.mesh @m = <["a"=2]>', body.replace("@N", "@f"), body.replace("@N", "@g")])
    context = sdy.make_context(allow_unregistered_dialects=True)
    with pytest.raises(DiagnosticError) as caught:
        sdy.run(sdy.parse(text, context=context), passes)
    assert [each.position.line for each in caught.value.diagnostics] == lines
    path, expected = tmp_path / "f.mlir", text.split("\n")
    for line in lines:
        expected[line - 1] += " // expected-error {{}}"
    path.write_text("\n".join(expected))
    flags = ["--allow-unregistered-dialect", "--verify-diagnostics", f"--pass-pipeline={passes}"]
    assert main([str(path), *flags]) == 0


@pytest.mark.parametrize("type_", ["index", "i1", "tuple<>", "!stablehlo.token"])
@pytest.mark.parametrize("generic", [False, True])
def test_a_loop_whose_condition_is_no_tensor(type_: str, generic: bool) -> None:
    """The parser of the bindings would end the process."""
    if generic:
        loop = f"""  %0 = "stablehlo.while"(%x) ({{ ^bb0(%i: tensor<i32>):
    "stablehlo.return"(%c) : ({type_}) -> ()
  }}, {{ ^bb0(%i: tensor<i32>):
    "stablehlo.return"(%i) : (tensor<i32>) -> ()
  }}) : (tensor<i32>) -> tensor<i32>"""
    else:
        loop = f"""  %0 = stablehlo.while(%i = %x) : tensor<i32> cond {{
    stablehlo.return %c : {type_}
  }} do {{
    stablehlo.return %i : tensor<i32>
  }}"""
    text = f"func.func @f(%x: tensor<i32>, %c: {type_}) -> tensor<i32> {{\n{loop}\n  return %0 : tensor<i32>\n}}"
    with pytest.raises(DiagnosticError, match=r"^f.mlir:3:5: error: .*a loop condition that is not a tensor"):
        sdy.parse(text, "f.mlir")


@pytest.mark.parametrize(
    ("first", "next_"),
    [("#a0 = unit", "#a{} = [#a{}]"), ("!a0 = f32", "!a{} = tuple<!a{}>"), ("#a0 = 1 : i8", "#a{} = {{b = #a{}}}")],
)
def test_aliases_of_aliases_are_nested_like_brackets(first: str, next_: str) -> None:
    """The bindings would end the process."""
    lines = [first, *(next_.format(number, number - 1) for number in range(1, 1200))]
    with pytest.raises(DiagnosticError, match=r"^f.mlir:1002:1: error: nested deeper than 1000 levels"):
        sdy.parse("\n".join(lines), "f.mlir")
    sdy.parse("\n".join([*lines[:1000], f"module attributes {{x.y = {first[0]}a999}} {{}}"]))


def test_signs_of_affine_expressions_are_nested_like_brackets() -> None:
    text = '// {0}\nmodule attributes {{x.y = affine_map<(d0) -> ({0}d0)>, x.z = "{0}"}} {{}}'
    with pytest.raises(DiagnosticError, match=r"^f.mlir:2:46: error: nested deeper than 1000 levels"):
        sdy.parse(text.format("- " * 1200), "f.mlir")
    sdy.parse(text.format("-" * 1000))


_NUMBERS = (
    "input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], "
    "kernel_output_feature_dimension = 2, kernel_input_feature_dimension = 1, kernel_spatial_dimensions = [0], "
    "output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]"
)


@pytest.mark.parametrize(("old", "new"), [("ch_dimension = 0", "ch_dimension = 3"), ("[0]", "[-1]"), ("[0]", "[]")])
def test_dimension_numbers_that_no_tensor_has(old: str, new: str) -> None:
    """The printer of the bindings would end the process, in a diagnostic, too. With more dimensions they are right."""
    text = "module attributes {{\n  a.b = #stablehlo.conv<raw {}>\n}} {{}}"
    assert "[b, 0, f]x[0, i, o, 1]->[b, 0, f]" in str(sdy.parse(text.format(_NUMBERS.replace("[0]", "[0, 3]"))))
    with pytest.raises(DiagnosticError, match=r"^f.mlir:2:9: error: dimension numbers of a convolution"):
        sdy.parse(text.format(_NUMBERS.replace(old, new)), "f.mlir")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("module attributes {x.y = dense<(1, 2)> : tensor<i8>} {}", "1:26: error: element in parentheses is complex"),
        ("!s = vector<f32>\nmodule attributes {x.y = dense<((1.0))> : !s} {}", "2:26: error: element in parentheses"),
        ("func.func private @f(tensor<?x!t, #stablehlo.bounds<3>>)\n!t = f32", "1:31: error: undefined symbol alias"),
        ("func.func private @f(tensor<4x!quant.any<>, #stablehlo.bounds<3>>)", "1:31: error: expected valid keyword"),
        ("func.func private @f(tensor<4x, #stablehlo.bounds<3>>)", "1:33: error: expected a type"),
        ("module attributes {x.y = #sparse_tensor.encoding<{}>} {}", "1:26: error: .* has no levels"),
        ("module attributes {x.y = #sparse_tensor.encoding<{map = () -> ()}>} {}", "1:26: error: .* has no levels"),
        ('module {}\n{-# dialect_resources: { builtin: { a: "0x0000000001" } } #-}', "2:40: error: .* alignment of 0"),
        ("module attributes {x.y = #complex.number<:i8 1.0, 2.0>} {}", "1:26: error: complex element type is not"),
        (
            "module attributes {\n  x.y = !xegpu.tensor_desc<8x16xf32, "
            "#xegpu.layout<lane_layout = [0, 1], lane_data = [1, 1]>>} {}",
            "2:38: error: layout divides by 0",
        ),
        (
            "module attributes {x.y = #stablehlo.conv<[b, f, 99999999999999]x[0, i, o]->[b, 0, f]>} {}",
            "1:26: error: dimension number of a convolution is too large",
        ),
        (
            'func.func @f(%x: tensor<f32>) {\n  "stablehlo.reduce"() ({\n  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n'
            "    stablehlo.return %a : tensor<f32>\n  }) {dimensions = array<i64>} : () -> ()\n  return\n}",
            "2:3: error: 'stablehlo.reduce' op has no operand and initial value to go with it",
        ),
        (
            'func.func @f(%x: tensor<f32>) {\n  %0 = "stablehlo.reduce"(%x) ({\n    stablehlo.return %x : tensor<f32>\n'
            "  }) {dimensions = array<i64>} : (tensor<f32>) -> tensor<f32>\n  return\n}",
            "2:8: error: 'stablehlo.reduce' op has no operand",
        ),
        (
            "func.func @f(%x: tensor<2x2xf32>, %y: tensor<2xf32>) {\n  %0 = chlo.broadcast_add %x, %y "
            "{broadcast_dimensions = array<i64: -1>} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>\n return\n}",
            "2:8: error: broadcasts along a negative dimension",
        ),
        (
            'func.func @f(%x: tensor<2x2xf32>, %y: tensor<2xf32>) {\n  %0 = "chlo.broadcast_add"(%x, %y) '
            "{broadcast_dimensions = array<i64: -1>} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>\n return\n}",
            "2:8: error: broadcasts along a negative dimension",
        ),
        (
            'func.func @f(%x: tensor<2x2xf32>) {\n  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, '
            "concat_dimension = 1 : i64, split_count = 2 : i64,\n    replica_groups = dense<> : tensor<0x0xi64>}> : "
            "(tensor<2x2xf32>) -> tensor<1x4xf32>\n  return\n}",
            "2:8: error: exchanges in no groups of devices",
        ),
        ("module attributes {x.y = affine_map<(d0) -> (d0" + " mod 3" * 10_001 + ")>} {}", "1:60043: error: nested"),
    ],
)
def test_attributes_and_types_that_the_parser_does_not_survive(text: str, message: str) -> None:
    """The bindings would end the process."""
    with pytest.raises(DiagnosticError, match=f"^f.mlir:{message}"):
        sdy.parse(text, "f.mlir")


def test_what_they_look_like_is_no_fault_elsewhere() -> None:
    text = 'module attributes {x.y = "dense<(1, 2)> : tensor<i8>, tensor<4x, #x"} {} // #sparse_tensor.encoding<{}>'
    assert "tensor<4x, #x" in str(sdy.parse(text))
    sdy.parse("!c = complex<f32>\nmodule attributes {x.y = dense<(1.0, 2.0)> : tensor<!c>} {}")
    sdy.parse("!t = f32\nfunc.func private @f(tensor<?x!t, #stablehlo.bounds<3>>)")
    sdy.parse("""func.func @f(%x: tensor<2x2xf32>, %y: tensor<2xf32>, %z: tensor<f32>) {
      %0 = "chlo.broadcast_add"(%x, %y) {broadcast_dimensions = array<i64: 1>} // array<i64: -1>
        : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
      %1 = "stablehlo.reduce"(%y, %z) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        stablehlo.return %a : tensor<f32>
      }) {dimensions = array<i64: 0>, y.x = ["chlo.broadcast_add {broadcast_dimensions = array<i64: -1>}"]}
        : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
      return
    }""")


def test_locations_of_locations_are_nested_like_brackets() -> None:
    """The bindings would end the process."""
    lines = ['#loc0 = loc("a")', *(f'#loc{number} = loc("a"(#loc{number - 1}))' for number in range(1, 1200))]
    with pytest.raises(DiagnosticError, match=r"^f.mlir:501:1: error: nested deeper than 1000 levels"):
        sdy.parse("\n".join([*lines, "module {} loc(#loc1199)"]), "f.mlir")
    sdy.parse("\n".join([*lines[:400], "module {} loc(#loc399)"]))


def calls(functions: int, each: int) -> str:
    """A main function that calls the first of some functions, each of which calls the next one so many times."""
    parts = [f"func.func @main(%a: {F32}) -> {F32} {{\n  %0 = call @f0(%a) : ({F32}) -> {F32}\n  return %0 : {F32}\n}}"]
    for number in range(functions):
        inside = "".join(f"  %{i} = call @f{number + 1}(%a) : ({F32}) -> {F32}\n" for i in range(each))
        if number == functions - 1:
            inside = f"  %0 = stablehlo.negate %a : {F32}\n"
        parts.append(f"func.func private @f{number}(%a: {F32}) -> {F32} {{\n{inside}  return %0 : {F32}\n}}")
    return "\n".join(parts)


F32 = "tensor<8xf32>"


@pytest.mark.parametrize(
    "passes",
    [
        "sdy-partition-pipeline",
        "sdy-propagation-pipeline",
        "sdy-flatten-call-graph",
        "sdy-import-func-calls",
        "inline",
        "sdy-inline-calls{calls=plain}",
    ],
)
def test_functions_are_not_copied_without_end(passes: str) -> None:
    module = sdy.parse(calls(40, 2))
    with pytest.raises(
        DiagnosticError, match=r"'func.call' op is one of .* a copy for each call makes more than 1048576"
    ):
        sdy.run(module, passes)
    sdy.run(sdy.parse(calls(40, 1)), passes)


def test_a_chain_of_functions_is_inlined_in_steps_alike() -> None:
    """What is known of a function does not grow with how many it holds."""
    module = sdy.parse(calls(200, 1))
    sdy.run(module, "inline")
    assert [op.name for op in sdy.funcs(module)[0].regions[0].blocks[0].operations] == [
        "stablehlo.negate",
        "func.return",
    ]
    assert len(sdy.funcs(module)) == 1
