"""Bytecode as jaxlib writes and reads it, in several versions."""

from __future__ import annotations

import io

import pytest
from jax._src.interpreters.mlir import make_ir_context
from jaxlib.mlir import ir as jaxlib_ir

import sdy
from sdy.mlir.diagnostics import DiagnosticError
from sdy.programs.bytecode import SDY_VERSIONS

PLAIN = """
sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}p1, {"b":(1)2}]>}) -> tensor<8x8xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {?}]>] out_shardings=[<@mesh, [{"a"}, {?}]>] manual_axes={"a"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  sdy.sharding_group %0 group_id=2 : tensor<8x8xf32>
  %1 = stablehlo.custom_call @f(%0) {note = "unreduced={", sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8} permutation={i}, custom>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
"""  # noqa: E501 - ops in one line

REDUCED = """
sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @main(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}], unreduced=KIND{"b"}>]>} : tensor<8x8xf32>
  %1 = sdy.all_reduce KIND {"b"} %0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
"""  # noqa: E501 - ops in one line

SUM, MAX = REDUCED.replace("KIND", ""), REDUCED.replace("KIND", "max")

ASYNC = """
func.func @main(%a: tensor<64xf32>) -> tensor<64xf32> {
  %s = hlo_async.start(%a) thread "main" (%x: tensor<64xf32>) {
    %0 = stablehlo.negate %x : tensor<64xf32>
    hlo_async.return %0 : tensor<64xf32>
  } : (tensor<64xf32>) -> !hlo_async.bundle<[tensor<64xf32>], [tensor<64xf32>], []>
  %1 = hlo_async.done %s : !hlo_async.bundle<[tensor<64xf32>], [tensor<64xf32>], []> -> tensor<64xf32>
  return %1 : tensor<64xf32>
}
"""


@pytest.mark.parametrize("text", [PLAIN, SUM, MAX])
def test_jaxlib_reads_what_is_written(text: str) -> None:
    module = sdy.parse(text)
    with make_ir_context():
        read = jaxlib_ir.Module.parse(sdy.write_bytecode(module))
        assert str(sdy.parse(str(read))) == str(module)


@pytest.mark.parametrize("text", [PLAIN, SUM, MAX])
@pytest.mark.parametrize("version", [1, 4, None])
def test_what_jaxlib_writes_is_read(text: str, version: int | None) -> None:
    buffer = io.BytesIO()
    with make_ir_context():
        jaxlib_ir.Module.parse(text).operation.write_bytecode(buffer, version)
    assert str(sdy.parse(buffer.getvalue())) == str(sdy.parse(text))


@pytest.mark.parametrize(("text", "needed"), [(PLAIN, "0.0.0"), (SUM, "0.0.1"), (MAX, "0.0.2")])
def test_older_versions_of_sdy_lack_reductions(text: str, needed: str) -> None:
    module = sdy.parse(text)
    newest = sdy.write_bytecode(module)
    for version in SDY_VERSIONS:
        if version >= needed:
            # The writer takes for each attribute the oldest encoding that has room for it.
            assert sdy.write_bytecode(module, sdy_version=version) == newest
        else:
            with pytest.raises(DiagnosticError, match=f"unreduced axes.*, which version {version} of sdy lacks"):
                sdy.write_bytecode(module, sdy_version=version)


def test_versions_that_do_not_exist() -> None:
    module = sdy.parse(PLAIN)
    assert sdy.write_bytecode(module, version=3)[4] == 3 * 2 + 1
    with pytest.raises(DiagnosticError, match=r"unsupported version requested 99, must be in range \[0, 6\]"):
        sdy.write_bytecode(module, version=99)
    with pytest.raises(ValueError, match=r"there is no version '0.0.3' of sdy; there are 0.0.0, 0.0.1, 0.0.2"):
        sdy.write_bytecode(module, sdy_version="0.0.3")


def test_ops_that_are_declared_here_alone_are_written_for_readers_that_declare_them() -> None:
    module = sdy.parse(ASYNC)
    assert str(sdy.parse(sdy.write_bytecode(module, version=4))) == str(module)
    with pytest.raises(DiagnosticError, match="ops of 'hlo_async' are not written with a version of sdy"):
        sdy.write_bytecode(module, sdy_version="0.0.1")


def test_ops_that_jaxlib_does_not_know_survive() -> None:
    context = sdy.make_context(allow_unregistered_dialects=True)
    module = sdy.parse('module { %0 = "npu.op"() {kind = #npu<a>} : () -> !npu.t loc("x") }', context=context)
    again = sdy.parse(sdy.write_bytecode(module), context=context)
    assert str(again) == str(module)
