"""The dialect mpmd in Python: values and attributes, builders, when it is loaded, damaged texts."""

from __future__ import annotations

from pathlib import Path

import pytest

import sdy
from sdy.dialect.assembly import PrintOptions, print_module
from sdy.dialect.context import load_mpmd
from sdy.dialect.definition.attributes import attr_of, pretty_text, type_of, value_of
from sdy.dialect.mpmd import mpmd_builders as build
from sdy.dialect.mpmd.declarations import sharded_type
from sdy.dialect.mpmd.values import (
    MeshesWithOrigins,
    MeshReduction,
    MeshTensor,
    MeshWithOrigins,
    NamedMesh,
    Origin,
    ReductionKind,
    Topology,
    UserOrigin,
)
from sdy.dialect.values.axes import axes
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ShardingPerValue
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.passes.manager import check
from tests.depth import deep

LIT_TEST = Path(__file__).parents[4] / "lit_tests" / "mpmd" / "dialect.mlir"
ROWS = TensorSharding.from_axes("mesh", [axes("x")])

VALUES = {
    Topology((NamedMesh("m1", Mesh.of(x=2)), NamedMesh("m2", Mesh.of(x=4)))): (
        '#mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=4]>>>'
    ),
    UserOrigin("f", 2): '#mpmd.user_origin<"f"(2)>',
    UserOrigin('quo"ted'): r'#mpmd.user_origin<"quo\22ted">',
    Origin("f"): '#mpmd<origin"f">',
    MeshWithOrigins("m1", (Origin("f"),)): '#mpmd<mesh_with_origins"m1"["f"]>',
    MeshesWithOrigins((MeshWithOrigins("m1", (Origin("f"), Origin("g"))), MeshWithOrigins("*"))): (
        '#mpmd.meshes_with_origins<"m1"["f", "g"], "*">'
    ),
    MeshesWithOrigins(()): "#mpmd.meshes_with_origins<>",
    MeshReduction(ReductionKind.OR): "#mpmd.reduction<or>",
}


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_values_are_attributes_and_back(value: object) -> None:
    with sdy.make_context() as context:
        load_mpmd(context)
        assert value_of(attr_of(value)) == value
        assert pretty_text(value) == VALUES[value]
        module = sdy.parse(f"module attributes {{sdy.a = {VALUES[value]}}} {{}}", context=context)
        assert value_of(module.operation.attributes["sdy.a"]) == value


@pytest.mark.parametrize("sharding", [None, ROWS])
@pytest.mark.parametrize("memory_kind", [None, "pinned_host"])
def test_types_on_meshes_have_the_global_type(sharding: TensorSharding | None, memory_kind: str | None) -> None:
    with sdy.make_context() as context:
        load_mpmd(context)
        value = MeshTensor("m1", "tensor<4xf32>", sharding, memory_kind)
        type_ = type_of(value)
        assert value_of(type_) == value
        assert str(sharded_type(type_)) == "tensor<4xf32>"
        assert type_ == build.mesh_tensor("m1", ir.Type.parse("tensor<4xf32>"), sharding, memory_kind)


def test_topologies_find_meshes_by_name() -> None:
    topology = Topology((NamedMesh("m1", Mesh.of(x=2)),))
    assert topology.find("m1") == Mesh.of(x=2)
    assert topology.find("m2") is None


def test_builders_make_what_the_text_says() -> None:
    """Every op, built into functions that the text of the lit test has, too."""
    text = """
#topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>
sdy.mesh @mesh = <["x"=2]>
func.func @main(%t: tensor<4xf32>) attributes {topology = #topology} { return }
func.func private @f(%t: tensor<4xf32>) -> tensor<4xf32> attributes {topology = #topology} { return %t : tensor<4xf32> }
func.func private @g(%t: tensor<4xf32>) -> tensor<4xf32> attributes {mesh_shape = #sdy.mesh<["x"=2]>} {
  return %t : tensor<4xf32>
}
"""
    module = sdy.parse(text)
    func = module.body.operations[1]
    block = func.regions[0].blocks[0]
    with module.context, ir.Location.unknown(), ir.InsertionPoint.at_block_terminator(block):
        tensor = block.arguments[0]
        on_m1, on_m2 = (build.mesh_tensor(mesh, tensor.type) for mesh in ("m1", "m2"))
        named = build.named_tensor(tensor, "x")
        computed = build.named_computation(UserOrigin("f", 1), [named], [tensor.type], lambda x: [x]).results[0]
        looped = build.for_(4, [computed], lambda x, _: [x], unroll_factor=2).results[0]
        reduced = build.reduce([looped, build.broadcast(looped)], ReductionKind.ADD)
        called = build.call("f", [reduced], [tensor.type], call_counter=3).results[0]
        assigned = build.assign(called, on_m1, "why")
        fragment = build.fragment(
            "m1",
            [UserOrigin("f"), UserOrigin("g", 1)],
            [assigned],
            [on_m1],
            lambda x: [x],
            stage=2,
            in_shardings=ShardingPerValue((ROWS,)),
            out_shardings=ShardingPerValue((ROWS,)),
        )
        moved = build.transfer(fragment.results[0], on_m2)
        build.unassign(build.fragment_call("m2", [], "g", [moved], [on_m2]).results[0])
        build.named_computation(UserOrigin("empty"), [], [])
    check(module.operation)
    printed = print_module(module)
    for expected in (
        'mpmd.named_tensor %arg0 name="x" : tensor<4xf32>',
        'mpmd.named_computation<"f"(1)> (%0) (%arg1: tensor<4xf32>) {',
        "mpmd.for (%1) {iterations = 4 : ui32, unroll_factor = 2 : ui32} (%arg1: tensor<4xf32>, %arg2: tensor<ui32>) {",
        "mpmd.reduce<add> %2, %3 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
        "mpmd.call @f(%4) {call_counter = 3 : ui32} : (tensor<4xf32>) -> tensor<4xf32>",
        'mpmd.assign {origin = "why"} %5 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>',
        'mpmd.fragment<mesh="m1", origin=["f", "g"(1)], stage=2, in_shardings=[<@mesh, [{"x"}]>], '
        'out_shardings=[<@mesh, [{"x"}]>]> (%6) (%arg1: tensor<4xf32>) {',
        'mpmd.transfer %7 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m2", tensor<4xf32>>',
        'mpmd.fragment_call<mesh="m2", origin=[]> @g(%8) :',
        'mpmd.unassign %9 : (!mpmd.mesh_tensor<"m2", tensor<4xf32>>) -> tensor<4xf32>',
        'mpmd.named_computation<"empty"> () () {',
    ):
        assert expected in printed
    again = sdy.parse(printed)
    check(again.operation)
    assert print_module(again) == printed


def test_the_dialect_is_loaded_when_it_is_needed() -> None:
    context = sdy.make_context()
    sdy.parse("func.func @f() { return }", context=context)
    assert not context.is_dialect_loaded("mpmd")
    sdy.parse("func.func @f() attributes {a = #mpmd.reduction<add>} { return }", context=context)
    assert context.is_dialect_loaded("mpmd")
    load_mpmd(context)


def test_generic_form_and_that_of_python_are_read() -> None:
    """What `print(op)` shows of types and attributes is in the form of IRDL."""
    module = sdy.parse(LIT_TEST.read_text())
    expected = print_module(module)
    generic = print_module(module, PrintOptions(generic=True))
    assert '"mpmd.assign"(%arg4) <{origin = "f"}>' in generic
    assert print_module(sdy.parse(generic)) == expected
    assert print_module(sdy.parse(str(module))) == expected


def test_breaks_of_lines_in_an_op_leave_locations_as_they_are() -> None:
    text = """\
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mpmd.named_computation<
    "f"> (%a) {
    x = 1 : i64,  // one
    y = 2 : i64
  } (%b: tensor<4xf32>) {
    %1 = stablehlo.abs %b : tensor<4xf32>
    mpmd.return %1 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    module = sdy.parse(text)
    computation = module.body.operations[0].regions[0].blocks[0].operations[0]
    inner = computation.regions[0].blocks[0].operations[0]
    assert "{x = 1 : i64, y = 2 : i64}" in print_module(module)
    assert str(inner.location).endswith(":7:10)")


@deep
def test_damaged_texts_are_errors() -> None:
    """With any one token left out there is a module or a diagnostic, no other exception."""
    tokens = LIT_TEST.read_text().partition("// CHECK")[0].split(" ")
    refused = 0
    for index in range(len(tokens)):
        damaged = " ".join([*tokens[:index], *tokens[index + 1 :]])
        try:
            check(sdy.parse(damaged).operation)
        except DiagnosticError:
            refused += 1
    assert refused > len(tokens) // 2
