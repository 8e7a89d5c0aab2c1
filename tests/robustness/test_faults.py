"""Faults of the package itself are reported as such: with the place, what failed, and how to reproduce it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import sdy
from sdy.dialect.assembly import parse
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, InternalError
from sdy.mlir.walk import pre_order
from sdy.passes import registry
from sdy.passes.registry import pass_
from sdy.tools.sdy_opt import main

PROGRAM = """sdy.mesh @m = <["a"=2]>
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""
FAULT = ":3:8: error: internal: pass 'sdy-test-stumble' failed at 'stablehlo.negate': KeyError: 'z'"


@pytest.fixture(autouse=True)
def stumbling_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass that fails as one of the package would, until the test is over."""
    registry.passes()
    for table in ("_passes", "_pipelines", "_aliases"):
        monkeypatch.setattr(registry, table, dict(getattr(registry, table)))

    def stumble(module: Any) -> None:
        op = next(op for op in pre_order(module) if op.name == "stablehlo.negate")
        raise KeyError("z" if op else "")

    def stumble_with_erased(module: Any) -> None:
        made = ir.Operation.create("stablehlo.partition_id", infer_type=True, ip=False, loc=module.location)
        made.erase()
        stumble(module)

    for name, function in (("stumble", stumble), ("stumble-with-erased", stumble_with_erased)):
        function.__module__ = "sdy.passes.exporting.stumble"
        pass_(f"sdy-test-{name}")(function)


@pytest.mark.parametrize("verify", [True, False])
@pytest.mark.parametrize("pipeline", ["sdy-test-stumble", "cse,sdy-test-stumble,cse"])
def test_a_fault_in_a_pass_is_an_exception_of_its_own(pipeline: str, verify: bool) -> None:
    with pytest.raises(InternalError) as caught:
        sdy.run(sdy.parse(PROGRAM), pipeline, verify=verify)
    assert str(caught.value) == f"-{FAULT}"
    assert isinstance(caught.value.__cause__, KeyError)


def test_an_op_that_was_erased_is_not_where_a_fault_happened() -> None:
    with pytest.raises(InternalError) as caught:
        sdy.run(sdy.parse(PROGRAM), "sdy-test-stumble-with-erased")
    assert str(caught.value) == f"-{FAULT.replace('stumble', 'stumble-with-erased')}"


def test_the_tool_says_how_to_reproduce_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, reproducer = tmp_path / "in.mlir", tmp_path / "reproducer.mlir"
    source.write_text(PROGRAM)
    flag = "--mlir-pass-pipeline-crash-reproducer"
    assert main([str(source), "--cse", f"{flag}={reproducer}"]) == 0
    assert not reproducer.exists()
    capsys.readouterr()
    for local in ("false", "true"):
        flags = [f"{flag}={reproducer}", f"--mlir-pass-pipeline-local-reproducer={local}"]
        assert main([str(source), "--cse", "--sdy-test-stumble", *flags]) == 1
        said = capsys.readouterr().err
        assert said.startswith(f"{source}{FAULT}\n  %0 = ")
        assert f"\n{source}:3:8: note: " in said
        assert flag in said
        assert ("(cse" in reproducer.read_text()) is (local == "false")
        assert main([str(reproducer), "--run-reproducer"]) == 1
        assert capsys.readouterr().err.startswith(f"{reproducer}{FAULT}")
    assert main([str(source), "--run-reproducer"]) == 1
    assert "is not a reproducer" in capsys.readouterr().err


@pytest.mark.parametrize("pipeline", ["sdy-propagation-pipeline", "sdy-partition-pipeline"])
@pytest.mark.parametrize(
    ("argument", "op", "message"),
    [
        ('sdy.sharding = #sdy.sharding<@m, [{"zz"}]>', "", '2:17: error: .*axis "zz", which the mesh does not have'),
        ('sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>', "", "2:17: error: .*rank 2 for a value of rank 1"),
        ("sdy.sharding = 3 : i64", "", "2:17: error: .*not 'sharding'"),
        ("", '{sdy.sharding = #sdy.sharding<@m, [{"a"}]>}', "3:8: error: .*not 'sharding_per_value'"),
        ("", "{sdy.sharding = #sdy.sharding_per_value<[]>}", "3:8: error: .*0 shardings for 1 values"),
    ],
)
def test_what_was_not_verified_is_explained_when_a_pass_stumbles(
    argument: str, op: str, message: str, pipeline: str
) -> None:
    text = PROGRAM.replace("tensor<8xf32>)", f"tensor<8xf32> {{{argument}}})").replace("%x :", f"%x {op} :")
    with pytest.raises(DiagnosticError) as plain:
        sdy.parse(text)
    plain.match(message)
    with pytest.raises(DiagnosticError) as found:
        sdy.run(parse(text), pipeline, verify=False)
    assert str(found.value) == str(plain.value)


def test_a_constant_that_is_no_tensor_does_not_end_the_process() -> None:
    """StableHLO does not survive it, where nothing was verified before."""
    text = PROGRAM.replace("stablehlo.negate %x", '"sdy.constant"() <{value = 1.0 : f32}>').replace(
        "}> : tensor<8xf32>", "}> : () -> tensor<8xf32>"
    )
    with pytest.raises(DiagnosticError, match=r":3:8: error: .*has a value that is not a tensor of elements"):
        sdy.run(parse(text), "xla-sdy-round-trip-export-ops", verify=False)


def test_a_process_that_dies_is_told_of() -> None:
    program = (
        "import os, signal, sys; from sdy.tools.outermost import run_tool; "
        "sys.exit(run_tool('sdy-opt', lambda argv: os.kill(os.getpid(), signal.SIGSEGV), None, 'do this'))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    said = "<stdin>:1:1: error: internal: sdy-opt died of signal SIGSEGV\nsdy-opt: note: do this\n"
    assert ran.stderr == said
