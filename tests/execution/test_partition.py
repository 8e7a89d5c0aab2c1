"""`sdy.partition`: what it returns and what it refuses."""

from __future__ import annotations

import re

import pytest

import sdy
from sdy.dialect.values.axes import axes
from sdy.dialect.values.mesh import Mesh
from sdy.mlir.diagnostics import DiagnosticError
from sdy.partition import partition


def module(signature: str, body: str = "", mesh: str = '<["x"=4, "y"=2]>') -> str:
    return f"sdy.mesh @mesh = {mesh}\nfunc.func @main{signature} {{\n{body}\n}}\n"


SUM = module(
    '(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8xf32>',
    """
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [1]
      : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>""",
)


def test_parts_of_a_partitioned_module() -> None:
    found = partition(SUM)
    assert found.mesh == Mesh.of(x=4, y=2)
    assert found.num_devices == 8
    assert [(one.shape, one.local_shape) for one in (*found.arguments, *found.results)] == [
        ((8, 16), (2, 8)),
        ((8,), (2,)),
    ]
    assert found.out_shardings[0].dim_axes == (axes("x"),)
    assert [(one.kind, one.axes) for one in found.collectives] == [("all_reduce", axes("y"))]
    assert "sdy" not in found.text


def test_module_objects_are_not_changed() -> None:
    parsed = sdy.parse(SUM)
    before = sdy.print_module(parsed)
    assert partition(parsed).text
    assert sdy.print_module(parsed) == before


def test_the_same_text_every_time() -> None:
    assert partition(SUM) == partition(SUM)


def test_only_function_becomes_main() -> None:
    assert "@main" in partition(SUM.replace("@main", "@summed")).text


def test_devices_are_numbered_logically() -> None:
    mesh = '<["x"=4, "y"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>'
    found = partition(SUM.replace('<["x"=4, "y"=2]>', mesh))
    assert found.text == partition(SUM).text
    assert found.mesh.device_ids == (7, 6, 5, 4, 3, 2, 1, 0)


def test_meshes_written_into_shardings() -> None:
    """Some or all of them; their devices are numbered like those of declared ones."""
    mesh = '<["x"=4, "y"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>'
    body = "%0 = stablehlo.add %a, %b : tensor<8x16xf32>\nreturn %0 : tensor<8x16xf32>"
    declared = module(
        '(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, '
        '%b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x16xf32>',
        body,
        mesh,
    )
    expected = partition(declared)
    assert expected.collectives == ()
    for text in (declared.replace("@mesh,", f"mesh{mesh},", 1), declared.replace("@mesh,", f"mesh{mesh},")):
        for program in (text, text.replace(f"sdy.mesh @mesh = {mesh}", "") if "@mesh," not in text else text):
            found = partition(program)
            assert (found.text.count("stablehlo"), found.collectives) == (1, ())
            assert (found.mesh, found.in_shardings) == (expected.mesh, expected.in_shardings)


def test_callbacks_with_tokens() -> None:
    """Only the first device calls; what it gets goes to all, the token does not."""
    body = """
  %t = stablehlo.after_all : !stablehlo.token
  %0:2 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%t, %a) {has_side_effect = true, api_version = 4 : i32}
      : (!stablehlo.token, tensor<16xf32>) -> (!stablehlo.token, tensor<16xf32>)
  return %0#1 : tensor<16xf32>"""
    signature = '(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<16xf32>'
    found = partition(module(signature, body))
    assert [(one.kind, one.axes) for one in found.collectives] == [
        ("all_gather", axes("x")),
        ("all_reduce", axes("x", "y")),
    ]


@pytest.mark.parametrize(("manual", "gathered"), [('"x", "y"', []), ('"x"', [("all_gather", axes("y"))])])
def test_callbacks_in_manual_computations(manual: str, gathered: list[tuple]) -> None:
    """Each device calls with its part if all axes are manual; over the others the operand is gathered."""
    columns = 8 if "y" in manual else 16
    part, inside = f"tensor<2x{columns}xf32>", '[{"x"}, {"y"}]' if "y" in manual else '[{"x"}, {?}]'
    body = f"""
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, {inside}>] out_shardings=[<@mesh, {inside}>]
      manual_axes={{{manual}}} (%b: {part}) {{
    %1 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%b) {{api_version = 4 : i32}} : ({part}) -> {part}
    sdy.return %1 : {part}
  }} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>"""
    place = '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}'
    found = partition(module(f"(%a: tensor<8x16xf32> {place}) -> (tensor<8x16xf32> {place})", body))
    assert [(one.kind, one.axes) for one in found.collectives] == gathered
    assert re.findall(r"@xla_ffi_python_cpu_callback\(.*?: \((.*?)\)", found.text) == [part]


def test_without_meshes() -> None:
    found = partition("func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }")
    assert (found.num_devices, found.collectives) == (1, ())
    assert found.results[0].local_shape == (4,)


def test_warnings_and_remarks_are_kept() -> None:
    text = SUM.replace(
        "  return %0", "  %1 = stablehlo.custom_call @mine(%0) : (tensor<8xf32>) -> tensor<8xf32>\n  return %1"
    )
    partitioned = partition(text, filename="m.mlir")
    (warning,), (remark,) = partitioned.warnings, partitioned.remarks
    assert str(warning.position) == str(remark.position) == "m.mlir:7:8"
    assert "without a known sharding rule" in warning.message
    assert "computed replicated" in remark.message


def test_named_computations_are_inlined() -> None:
    body = """
  %0 = sdy.named_computation<"block">(%a) (%b: tensor<8x16xf32>) {
    %1 = stablehlo.tanh %b : tensor<8x16xf32>
    sdy.return %1 : tensor<8x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>"""
    sharded = 'tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}'
    local_steps = "sdy-close-shardings,sdy-convert-global-to-local"
    found = partition(module(f"(%a: {sharded}) -> ({sharded})", body), pipeline=local_steps)
    assert "stablehlo.tanh" in found.text
    assert "named_computation" not in found.text


def test_custom_partitioning_by_nobody_is_refused() -> None:
    call = "%0 = stablehlo.custom_call @CustomSPMDPartitioning(%a) : (tensor<8x16xf32>) -> tensor<8x16xf32>"
    body = f"  {call}\n  return %0 : tensor<8x16xf32>"
    with pytest.raises(DiagnosticError, match=r"m.mlir:3:8: error: .*names none"):
        partition(module("(%a: tensor<8x16xf32>) -> tensor<8x16xf32>", body), filename="m.mlir")


IDENTITY = "  return %a : tensor<8x16xf32>"


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        (SUM, "m.mlir:1:1", "needs 8 devices, but there are only 4"),
        (
            module(
                '(%a: tensor<6x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<6x16xf32>',
                "  return %a : tensor<6x16xf32>",
                '<["x"=4]>',
            ),
            "m.mlir:2:17",
            "argument 0 has size 6 in dimension 0, which its 4 shards do not divide",
        ),
        (
            module(
                '(%a: tensor<6x16xf32>) -> (tensor<6x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})',
                "  return %a : tensor<6x16xf32>",
                '<["x"=4]>',
            ),
            "m.mlir:2:1",
            "result 0 has size 6 in dimension 0, which its 4 shards do not divide",
        ),
        (
            module("(%a: tensor<?x16xf32>) -> tensor<?x16xf32>", "  return %a : tensor<?x16xf32>", '<["x"=4]>'),
            "m.mlir:2:17",
            "argument 0 has type tensor<?x16xf32>, expected a statically shaped tensor",
        ),
        (
            'sdy.mesh @other = <["z"=2]>\n'
            + module("(%a: tensor<8x16xf32>) -> tensor<8x16xf32>", IDENTITY, '<["x"=4]>'),
            "m.mlir:2:1",
            'has 4 devices, but mesh<["z"=2]> has 2',
        ),
        (
            "sdy.mesh @single = <[], device_ids=[9]>\n"
            + module("(%a: tensor<8x16xf32>) -> tensor<8x16xf32>", IDENTITY, '<["x"=4]>'),
            "m.mlir:1:1",
            'names device 9, but mesh<["x"=4]> does not have it',
        ),
    ],
)
def test_refused(text: str, position: str, message: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        partition(text, filename="m.mlir", num_devices=4)
    diagnostic = caught.value.diagnostic
    assert str(diagnostic.position) == position
    assert message in diagnostic.message


_LARGE = """
sdy.mesh @m = <["a"={rows}, "b"={columns}]>
func.func @main(%x: tensor<65536x65536xf32> {{sdy.sharding = #sdy.sharding<@m, [{{"a"}}, {{"b"}}]>}},
    %w: tensor<65536x65536xf32> {{sdy.sharding = #sdy.sharding<@m, [{{"b"}}, {{"a"}}]>}}) -> tensor<65536x65536xf32> {{
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<65536x65536xf32>, tensor<65536x65536xf32>) -> tensor<65536x65536xf32>
  return %0 : tensor<65536x65536xf32>
}}
"""


def test_many_devices_take_no_more_text_than_few() -> None:
    few, many = (partition(_LARGE.format(rows=rows, columns=columns)) for rows, columns in ((4, 2), (128, 256)))
    assert len(many.text) < 1.3 * len(few.text)
    assert "dense" in few.text
    assert many.text.count("replica_group_mesh_axes") == len(many.collectives)
    assert [(one.kind, one.axes) for one in many.collectives] == [(one.kind, one.axes) for one in few.collectives]
    assert [one.group_size for one in many.collectives] == [128, 256]
