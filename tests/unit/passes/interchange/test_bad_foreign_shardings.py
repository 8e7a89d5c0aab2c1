"""Shardings of others that cannot be read or mean nothing: an error where they stand (spec: interchange, 11)."""

from __future__ import annotations

import pytest

import sdy
from sdy.mlir.diagnostics import DiagnosticError

TYPE = "tensor<8x8xf32>"
TO = f"({TYPE}) -> {TYPE}"
MESHES = r'xla.sdy.meshes = "{mesh = #sdy.mesh<[\22a\22=2, \22b\22=4]>}"'
HALF = "tensor<4x8xf32>"
BODY = f"func.func @xla.sdy.manual_computation_body(%x: {HALF}) -> {HALF} {{\nreturn %x : {HALF}\n}}"
LOCAL = r"""%1 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x) {mhlo.frontend_attributes = {
  xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}, {}]>]>",
  xla.sdy.manual_axes = "#sdy<manual_axes{\22a\22}>"}} : (tensor<8x8xf32>) -> tensor<4x8xf32>"""
HALVES = "custom_call @SPMDFullToShardShape(%x)"
TILED = '%1 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x) {mhlo.sharding = "{devices=[2,4]<=[8]}"}'
CALL = "%2 = call @xla.sdy.manual_computation_body(%1) : (tensor<4x8xf32>) -> tensor<4x8xf32>"
NAMED = "{mesh['a'=2,'b'=4], [{'a'}, {}]}"


def argument(text: str, other: str = "", given: str = "") -> str:
    second = f', %y: {TYPE} {{mhlo.sharding = "{other}"}}' if other else ""
    return module("%r = stablehlo.sine %x : " + TYPE, given, f'%x: {TYPE} {{mhlo.sharding = "{text}"}}{second}')


def module(ops: str, given: str = f"mhlo.frontend_attributes = {{{MESHES}}}", arguments: str = f"%x: {TYPE}") -> str:
    """A module whose function is in line 2."""
    main = f"func.func @main({arguments}) -> {TYPE} {{\n{ops}\nreturn %r : {TYPE}\n}}"
    return f"module attributes {{{given}}} {{\n{main}\n{BODY}\n}}"


def constraint(string: str) -> str:
    given = f'mhlo.frontend_attributes = {{xla.sdy.sharding = "#sdy.sharding_per_value<[{string}"}}'
    return module(f"%r = stablehlo.custom_call @Sharding(%x) {{{given}}} : {TO}")


UNUSED = "%r = stablehlo.sine %x : " + TYPE
EIGHT = "mhlo.num_partitions = 8 : i32"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (argument("{devices=[2,2}"), 2, """cannot read the sharding "{devices=[2,2}": expected ']' at column 14"""),
        (argument("{devices=[2,2]0,1,1,3}"), 2, 'device 1 occurs twice in the sharding "{devices=[2,2]0,1,1,3}"'),
        (argument("{devices=[2,2]0,1,2,4}"), 2, "device 3 is missing"),
        (argument("{maximal device=-1}"), 2, "device -1 is negative"),
        (argument("{devices=[2,2]<=[2,2]T(1,1)}"), 2, "T(1,1) is not a permutation of 2 dimensions"),
        (argument("{devices=[2,3]<=[2,3]T(1,0)}"), 2, "are not a mesh: tiles 2x3 do not divide 3x2"),
        (argument("{devices=[4,1]3,1,0,2}", "{devices=[2,2]0,1,2,3}"), 2, "order that no mesh has with those of"),
        (argument("{devices=[2,3]<=[6]}", "{devices=[3,2]<=[6]}"), 2, 'no mesh suits both "{devices=[3,2]<=[6]}" and'),
        (argument("{devices=[2,2]<=[4]}", given=EIGHT), 2, "sharding is for 4 devices, the module has 8"),
        (argument("{devices=[2,2,2]<=[8]}"), 2, "sharding has 3 dimensions, the value 2"),
        (argument("{{replicated}, {replicated}}"), 2, "has 2 shardings for 1 values"),
        (argument("{devices=[2,1,4]<=[8] last_tile_dims={manual}}"), 2, "manual devices outside a manual computation"),
        (argument("{manual}", given=EIGHT), 2, "manual devices outside a manual computation"),
        (argument("{unknown}"), 1, "has shardings, but no number of devices"),
        (
            module(f'%1 = stablehlo.{HALVES} {{mhlo.sharding = "{{manual}}"}} : {TO}\n{UNUSED}', EIGHT),
            3,
            "there is no @SPMDShardToFullShape",
        ),
        (module(f"%r = stablehlo.custom_call @Sharding(%x) : {TO}"), 3, "expected a sharding on this custom call"),
        (module(f"stablehlo.custom_call @xla.sdy.ShardingGroup(%x) : ({TYPE}) -> ()\n{UNUSED}"), 3, "expected a group"),
        (module(f"%r = stablehlo.custom_call @xla.sdy.PropagationBarrier(%x) : {TO}"), 3, "expected an allowed"),
        (module(UNUSED, 'mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = x}"}'), 1, 'cannot read "{mesh = x}"'),
        (module(UNUSED, "mhlo.frontend_attributes = {xla.sdy.meshes = 3 : i32}"), 1, "expected a dictionary of meshes"),
        (constraint("<@nope, [{}, {}]>]>"), 3, "has a sharding on the unknown mesh @nope"),
        (constraint(r"<@mesh, [{\22z\22}, {}]>]>"), 3, 'uses axis "z", which the mesh does not have'),
        (constraint("<@mesh, ["), 3, 'cannot read "#sdy.sharding_per_value<[<@mesh, ["'),
        (module(f"%r = stablehlo.custom_call @xla.sdy.FuncResultSharding(%x) : {TO}"), 3, "expected a sharding"),
        (
            module(f"%1 = stablehlo.slice %x [0:4, 0:8] : ({TYPE}) -> tensor<4x8xf32>\n{CALL}\n{UNUSED}"),
            4,
            "expected its operands to be produced by a @xla.sdy.GlobalToLocalShape",
        ),
        (
            module(f"{LOCAL}\n{CALL}\n%r = stablehlo.concatenate %2, %2, dim = 0 : ({HALF}, {HALF}) -> {TYPE}"),
            6,
            "expected a @xla.sdy.LocalToGlobalShape to be the use of its results",
        ),
        (
            module(
                f"%1 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x) : ({TYPE}) -> tensor<4x8xf32>\n{CALL}\n"
                f"%r = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%2) : (tensor<4x8xf32>) -> {TYPE}"
            ),
            3,
            "expected the frontend attribute 'xla.sdy.in_shardings'",
        ),
        (
            module(
                f"{TILED} : ({TYPE}) -> {HALF}\n{CALL}\n%r = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%2) "
                f'{{mhlo.sharding = "{NAMED}"}} : (tensor<4x8xf32>) -> {TYPE}',
                "",
            ),
            3,
            "expected the frontend attribute 'xla.sdy.in_shardings'",
        ),
        (
            module(
                UNUSED,
                f"mhlo.frontend_attributes = {{{MESHES}, xla.sdy.tuple_args_shardings = "
                '"#sdy.sharding_per_value<[<@mesh, [{}, {}]>, <@mesh, []>]>"}',
            ),
            1,
            "'xla.sdy.tuple_args_shardings' has 2 shardings for 1 values",
        ),
        (module(f"%r = stablehlo.custom_call @xla.sdy.Other(%x) : {TO}"), 3, "calls @xla.sdy.Other, which is not"),
    ],
)  # fmt: skip
def test_is_refused_where_it_stands(text: str, line: int, message: str) -> None:
    given = sdy.parse(text, "given.mlir")
    with pytest.raises(DiagnosticError) as error:
        sdy.run(given, "sdy-import-foreign-shardings")
    (first, *_) = error.value.diagnostics
    assert (first.position.file, first.position.line) == ("given.mlir", line)
    assert message in str(error.value)


def test_all_devices_may_be_unreduced_beside_tiles() -> None:
    given = sdy.parse(argument("{devices=[2,4]<=[8]}", "{unreduced}"))
    sdy.run(given, "sdy-import-foreign-shardings")
    assert 'unreduced={"_axis_0", "_axis_1"}' in sdy.print_module(given)


def test_a_mesh_of_a_name_that_is_taken_gets_another() -> None:
    string = r'{mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22a\22}, {}]>"}}'
    text = module(UNUSED, arguments=f"%x: {TYPE} {string}").replace("{\nfunc", '{\nsdy.mesh @mesh = <["z"=3]>\nfunc', 1)
    given = sdy.parse(text)
    sdy.run(given, "sdy-import-foreign-shardings")
    assert '#sdy.sharding<@mesh_0, [{"a"}, {}]>' in sdy.print_module(given)


def test_a_value_that_the_caller_has_on_one_device_is_not_partitioned() -> None:
    with pytest.raises(DiagnosticError, match="argument 0 lies on device 1 alone"):
        sdy.partition(argument("{maximal device=1}", given=EIGHT))


def test_names_that_text_cannot_hold_do_not_go_out() -> None:
    sharding = """{sdy.sharding = #sdy.sharding<@mesh, [{"it's"}, {}]>}"""
    text = f"""sdy.mesh @mesh = <["it's"=2]>\nfunc.func @main(%x: {TYPE} {sharding}) {{\nreturn\n}}"""
    with pytest.raises(DiagnosticError, match="which XLA's text cannot represent"):
        sdy.export_shardings(text, "named")
