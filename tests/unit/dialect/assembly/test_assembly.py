"""The assembly engine: what is translated, what is left alone, and where things are said to be."""

from __future__ import annotations

import time

import pytest

from sdy.dialect.assembly import PrintOptions, parse, parse_module, print_module
from sdy.dialect.context import make_context
from sdy.mlir import ir
from sdy.mlir.declared_dialects import TooManyTypes
from sdy.mlir.diagnostics import DiagnosticErrors
from sdy.mlir.walk import pre_order

LOCATIONS = PrintOptions(debug_info=True, local_scope=True)
MESH = 'sdy.mesh @m = <["a"=2, "b"=4]>\n'


def where(text: str) -> tuple[int, int, str]:
    """Line, column and message of the one error in `text`."""
    with pytest.raises(DiagnosticErrors) as caught:
        parse(text)
    (diagnostic,) = caught.value.diagnostics
    return diagnostic.position.line, diagnostic.position.column, diagnostic.message


def in_function(op: str) -> str:
    return f"{MESH}func.func @f(%x: tensor<8x8xf32>) {{\n  {op}\n  return\n}}"


@pytest.mark.parametrize(
    ("op", "column", "message"),
    [
        ("%0 = sdy.reshard %x : tensor<8x8xf32>", 23, "expected '<'"),
        ("%0 = sdy.reshard <@m, [{}, {}]> : tensor<8x8xf32>", 20, "expected an SSA value"),
        ('%0 = sdy.reshard %x <@m, [{"a"}, {}] : tensor<8x8xf32>', 40, "expected '>'"),
        ('%0 = sdy.reshard %x <@m, [{?, "a"}, {}]> : tensor<8x8xf32>', 31, "expected '}' behind '?'"),
        ("%0 = sdy.reshard %x <@m, [{}p01, {}]> : tensor<8x8xf32>", 34, "expected a priority such as 'p1', got 'p01'"),
        ("%0 = sdy.reshard %x <@m, [{}, {}], replicated={}> : tensor<8x8xf32>", 50, "expected at least one axis"),
        ('%0 = sdy.reshard %x <@m, [], unreduced=prod{"a"}> : tensor<8x8xf32>', 42, "expected 'sum', 'max' or 'min'"),
        ("%0 = sdy.reshard %x <@m::@n, []> : tensor<8x8xf32>", 24, "expected a flat symbol reference"),
        ("%0 = sdy.no_such_op %x : tensor<8x8xf32>", 8, "unknown op 'sdy.no_such_op'"),
        ("%0 = sdy.propagation_barrier %x allowed_direction=UP : tensor<8x8xf32>", 53, "expected one of NONE, FORWARD"),
        ("sdy.sharding_group %x group_id=a : tensor<8x8xf32>", 34, "expected an integer"),
        ("%0 = sdy.reshard %x <@m, [{}, {}]>", 37, "expected ':'"),
    ],
)
def test_syntax_errors_are_reported_where_they_are(op: str, column: int, message: str) -> None:
    line, found_column, found = where(in_function(op))
    assert found.startswith(message)
    assert (line, found_column) == (3, column)


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        ('#sdy.mesh<["a"=0]>', 'axis "a" has size 0'),
        ('#sdy.mesh<["a"=2, "a"=3]>', 'axis "a" occurs twice'),
        ('#sdy.mesh<["a"=2], device_ids=[0]>', "1 device ids for a mesh of 2 devices"),
        ('#sdy.mesh<["a"=2], device_ids=[0, 2]>', "no permutation"),
        ("#sdy.mesh<[], device_ids=[0, 1]>", "at most one device id"),
        ("#sdy.mesh<[], device_ids=[-1]>", "negative"),
        ("#sdy.mesh<[], device_ids=[]>", "at least one device id"),
        ("#sdy.no_such_attribute<1>", "expected the name of an sdy attribute, got 'no_such_attribute'"),
        ("#sdy<3>", "expected the name of an sdy attribute"),
        ("#sdy.op_sharding_rule<()->([i]) {i=2}>", "expected at least one operand mapping"),
        ("#sdy.op_sharding_rule<([i])->([i]) {j=2}>", "expected the size of factor 'i'"),
        ("#sdy.op_sharding_rule<([z_0])->([i])>", "is not a factor symbol"),
        ("#sdy.op_sharding_rule<([a])->([i])>", "is not a factor symbol"),
        ("#sdy<all_to_all_param{}: 0->1>", "expected at least one axis"),
        ('#sdy.propagation_edges<[{step-0 = [{"a" = operand-0 -> [operand-0]}]}]>', "both source and target"),
        ('#sdy<mesh_axis"\\q"=2>', "unknown escape"),
    ],
)
def test_attributes_that_cannot_be_are_refused(attribute: str, message: str) -> None:
    line, _, found = where(f"module attributes {{x = 1,\n y = {attribute}}} {{}}")
    assert message in found
    assert line == 2


def test_errors_that_upstream_finds_have_the_place_in_the_original() -> None:
    argument = '%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}]>}'
    text = f"{MESH}func.func @f({argument}) {{ return %z : index }}"
    line, column, _ = where(text)
    assert (line, column) == (2, text.split("\n")[1].index("%z") + 1)
    beyond = text.replace("{ return", 'attributes {x = "ü→"} { return')
    line, column, _ = where(beyond)
    assert (line, column) == (2, beyond.encode().split(b"\n")[1].index(b"%z") + 1)


@pytest.mark.slow
def test_a_long_line_is_translated_in_linear_time() -> None:
    op = '%0 = sdy.reshard %x <@m, [{"a"}, {}]> : tensor<8x8xf32> '
    body = "".join(op.replace("%0", f"%{i}") for i in range(5000))
    module = parse(f"{MESH}func.func @f(%x: tensor<8x8xf32>) {{ {body} return }}")
    assert print_module(module).count("sdy.reshard") == 5000
    ops = [op for op in pre_order(module.operation) if op.name == "sdy.reshard"]
    columns = [op.location.start_col for op in ops[:3] if isinstance(op.location, ir.FileLineColLoc)]
    assert [b - a for a, b in zip(columns, columns[1:], strict=False)] == [len(op), len(op)]


def test_names_of_attributes_are_no_ops() -> None:
    text = 'module attributes {sdy.mesh = 1 : i32, sdy.reshard, sdy.return = "sdy.mesh @x"} {\n}\n'
    assert print_module(parse(text)) == text


def test_what_is_no_op_is_left_to_upstream() -> None:
    assert where("module attributes {x = sdy.foo} {}") == (1, 23, "expected attribute value")
    names = "module attributes {sdy.mesh = 1 : i32, sdy.reshard, sdy.x = 2 : i32, sdy.y} {\n  sdy.return = 3 : i32\n"
    for behind in ("}", '"t.op"() {sdy.mesh = 3 : i32, sdy.y} : () -> ()\n}'):
        assert where(names + behind) == (2, 14, "'sdy.return' is not written as an op")


def test_an_empty_dictionary_says_nothing() -> None:
    op = "%0 = sdy.reshard %x <@m, [{{}}, {{}}]> {}: tensor<8x8xf32>"
    without = print_module(parse(in_function(op.format(""))))
    assert print_module(parse(in_function(op.format("{ } ")))) == without
    assert print_module(parse(in_function(op.format("{a} ")))) == without.replace("]> :", "]> {a} :")


def test_windows_and_unicode_text() -> None:
    text = f'{MESH}module {{ func.func @f() attributes {{x = "ü→ #sdy.sharding<"}} {{ return }} }}'.replace(
        "\n", "\r\n"
    )
    assert "\\C3\\BC\\E2\\86\\92 #sdy.sharding<" in print_module(parse(text))


def test_a_broken_token_in_front_of_an_attribute_is_refused() -> None:
    assert where('"x\n#m = #sdy.mesh<["a"=2]>\nfunc.func @f()') == (1, 3, "expected '\"' in string literal")


def test_a_null_character_is_refused() -> None:
    assert where("module {\n \0}") == (2, 2, "unexpected null character")


def places(text: str, filename: str = "-") -> list[str]:
    """The locations of all block arguments, as ``line:column``."""
    module = parse(text, filename)
    found = [
        argument.location
        for op in pre_order(module.operation)
        for region in op.regions
        for block in region.blocks
        for argument in block.arguments
        if isinstance(argument.location, ir.FileLineColLoc)
    ]
    assert {each.filename for each in found} <= {filename}
    return [f"{each.start_line}:{each.start_col}" for each in found]


@pytest.mark.parametrize("filename", ["-", "file.mlir"])
def test_block_arguments_keep_their_places(filename: str) -> None:
    sharded = '{sdy.sharding = #sdy.sharding<@m, [{"a"}]>}'
    function = f"func.func @f(%x: tensor<8xf32> {sharded}, %y: tensor<8xf32>) {{"
    computation = '%0 = sdy.named_computation<"g">(%x, %y) (%p: tensor<8xf32>, %q: tensor<8xf32>) {'
    rest = "sdy.return %p : tensor<8xf32> } : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>\nreturn\n}"
    expected = [f"2:{function.index(name) + 1}" for name in ("%x", "%y")]
    expected += [f"3:{computation.index(name) + 1}" for name in ("%p", "%q")]
    assert places(f"{MESH}{function}\n{computation}\n{rest}", filename) == expected
    broken = computation.replace(", %q", ",\n  %q")
    assert places(f"{MESH}{function}\n{broken}\n{rest}", filename)[-1] == "4:3"
    # Without a name there is not enough room for what the parser has to read.
    nameless = computation.replace('"g"', '""')
    assert places(f"{MESH}{function}\n{nameless}\n{rest}", filename)[-1] == f"3:{nameless.index('%q') + 1}"


def test_locations_that_are_spelled_out_stay() -> None:
    text = in_function('%0 = sdy.reshard %x <@m, [{}, {}]> : tensor<8x8xf32> loc("-":7:1)')
    assert 'loc("-":7:1)' in print_module(parse(text, "file.mlir"), LOCATIONS)


@pytest.mark.parametrize("first", ["module {", "  module @x {", "module {} module {"])
def test_a_module_on_the_first_line_has_its_place(first: str) -> None:
    text = f'{first}\n{MESH}module attributes {{z.x = #sdy.mesh<["b"=2]>}} {{}} }}'
    modules = [op for op in pre_order(parse(text).operation) if op.name == "builtin.module"]
    assert f"1:{first.rindex('module') + 1}" in [str(op.location)[len('loc("-":') : -1] for op in modules]


def test_the_type_of_a_location_is_translated() -> None:
    argument = '%p: tensor<8x8xf32> loc(fused<#sdy.mesh<["a"=2]>>["x"])'
    body = "{ sdy.return %p : tensor<8x8xf32> } : (tensor<8x8xf32>) -> tensor<8x8xf32>"
    text = in_function(f'%0 = sdy.named_computation<"g">(%x) ({argument}) {body}')
    assert 'loc(fused<#sdy.mesh<["a"=2]>>["x"])' in print_module(parse(text), LOCATIONS)


def test_brackets_in_comments_count_inside_of_attributes_that_stand_alone() -> None:
    text = "module attributes {\n  z.x = #sdy.mesh<[ // a %s\n]>} {\n}"
    parse(text % "<balanced>")
    assert where(text % ">") == (2, 18, "unbalanced '[' character in pretty dialect name")
    # In the syntax of an op it is the parser that reads on, and comments are comments.
    parse("sdy.mesh @m = <[ // a >\n]>")


def test_a_missing_type_is_missed_where_it_should_be() -> None:
    text = in_function("sdy.sharding_group %x group_id=1 :")
    assert where(text) == (3, 37, "expected non-function type")


@pytest.mark.slow
def test_unit_attributes_are_read_in_linear_time() -> None:
    count = 20000
    text = "\n".join(f'sdy.mesh @m{index} = <["a"=2]> {{sdy.tag}}' for index in range(count))
    start = time.process_time()
    assert print_module(parse(text)).count("{sdy.tag}") == count
    assert time.process_time() - start < 5


def test_filename_is_in_locations() -> None:
    module = parse(in_function("%0 = sdy.reshard %x <@m, [{}, {}]> : tensor<8x8xf32>"), "file.mlir")
    op = next(op for op in pre_order(module.operation) if op.name == "sdy.reshard")
    assert str(op.location) == 'loc("file.mlir":3:8)'
    assert 'loc("file.mlir":3:8)' in print_module(module, PrintOptions(debug_info=True))


def test_computations_of_many_types_need_a_roomy_context() -> None:
    types = [f"tensor<{size}xf32>" for size in range(1, 301)]
    names = [f"%a{index}" for index in range(300)]
    arguments = ", ".join(f"{name}: {type_}" for name, type_ in zip(names, types, strict=True))
    text = (
        f"func.func @f({arguments}) {{\n"
        f'  %0:300 = sdy.named_computation<"g">({", ".join(names)}) ({arguments.replace("%a", "%b")}) {{\n'
        f"    sdy.return {', '.join(names).replace('%a', '%b')} : {', '.join(types)}\n"
        f"  }} : ({', '.join(types)}) -> ({', '.join(types)})\n"
        "  return\n}"
    )
    with pytest.raises(TooManyTypes) as caught:
        parse_module(text, make_context())
    assert caught.value.needed == 300
    printed = print_module(parse(text))
    assert print_module(parse(printed)) == printed
    assert "operandSegmentSizes" not in printed


def test_elements_of_constants_may_be_an_alias() -> None:
    text = "#c = dense<1.0> : tensor<2xf32>\nfunc.func @f() {\n  %0 = sdy.constant #c\n  return\n}"
    assert "%0 = sdy.constant dense<1.000000e+00> : tensor<2xf32>" in print_module(parse(text))
    assert where("func.func @f() {\n  %0 = sdy.constant #c\n  return\n}") == (2, 21, "undefined attribute alias '#c'")


def test_attributes_may_be_written_as_a_whole_in_ops() -> None:
    text = '#s = #sdy.sharding<@m, [#d, {}]>\n#d = #sdy<dimension_sharding{"a"}>\n'
    aliases = "\n".join(reversed(text.splitlines())) + "\n"
    edge = "%0 = sdy.data_flow_edge %x sharding=#s : tensor<8x8xf32>"
    assert 'sharding=<@m, [{"a"}, {}]>' in print_module(parse(aliases + in_function(edge)))
    assert 'sdy.mesh @n = <["a"=2]>' in print_module(parse('sdy.mesh @n = #sdy.mesh<["a"=2]>'))
    assert where(aliases + in_function(edge.replace("#s", "#d")))[:2] == (5, 39)
    undefined = (5, 39, "undefined alias of an attribute")
    assert where(aliases + in_function(edge.replace("#s", "#t"))) == undefined
    assert where(aliases + in_function(edge.replace("#s", "#"))) == undefined


def test_attributes_in_types_are_translated() -> None:
    type_ = 'tensor<8x8xf32, #sdy.sharding<@m, [{"a"}]>>'
    text = in_function(f"%0 = sdy.reshard %x <@m, [{{}}, {{}}]> : {type_}").replace("tensor<8x8xf32>)", f"{type_})")
    assert f"sdy.reshard %arg0 <@m, [{{}}, {{}}]> : {type_}" in print_module(parse(text))


@pytest.mark.parametrize("layout", ["{0}\n{1}", "{1}\n{0}"])
def test_resources_are_no_dictionary(layout: str) -> None:
    resources = '{-# dialect_resources: { builtin: { r: "0x04000000010000000200000003000000" } } #-}'
    assert parse(layout.format('sdy.mesh @m = <["a"=2]>', resources))


def test_aliases_may_be_defined_over_several_lines() -> None:
    text = in_function("sdy.sharding_group %x group_id=1 : !t")
    assert parse(f"!t\n // a comment\n=\ntensor<8x8xf32>\n{text}")


@pytest.mark.parametrize(
    "op",
    [
        '"sdy.mesh"() <{mesh = #sdy.sharding<@m, []>, sym_name = "n"}> : () -> ()',
        '"sdy.mesh"() <{mesh = "mesh", sym_name = "n"}> : () -> ()',
        '"sdy.sharding_group"(%arg0) <{group_id = 1 : i32}> : (tensor<8x8xf32>) -> ()',
    ],
)
def test_attributes_of_another_kind_are_printed_in_generic_form(op: str) -> None:
    """The verifier refuses them."""
    printed = print_module(parse(in_function(op.replace("%arg0", "%x"))))
    assert op in printed
    assert print_module(parse(printed)) == printed


def test_a_body_that_is_not_closed() -> None:
    op = '%0 = sdy.named_computation<"n">(%x) (%p: tensor<8x8xf32>)'
    text = in_function(f"{op}\n {{\n    sdy.return %p : tensor<8x8xf32>")
    assert where(text.removesuffix("\n  return\n}")) == (4, 2, "'{' is not closed")
    assert where(text.removesuffix(" : tensor<8x8xf32>\n  return\n}")) == (5, 18, "expected ':'")
