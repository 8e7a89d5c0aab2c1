"""The command line of sdy-run."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import jax
import numpy as np
import pytest

from sdy.partition import partition
from sdy.tools import sdy_run
from sdy.tools.sdy_run import main, random_inputs

MATMUL = """
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                %b: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<8x4xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
"""


def run(*arguments: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sdy.tools.sdy_run", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def matmul(tmp_path: Path) -> str:
    path = tmp_path / "matmul.mlir"
    path.write_text(MATMUL)
    return str(path)


def test_runs_and_compares(matmul: str) -> None:
    done = run(matmul, "--devices", "4")
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["argument", "0", "tensor<8x16xf32>", '[{"x"},', '{"y"}]', "tensor<4x8xf32>"] in lines
    assert ["all_reduce", '{"y"}', "2", "1", "64"] in lines
    assert any(line[:1] == ["0"] and float(line[2]) < 1e-5 for line in lines)


def test_inputs_and_results_in_files(matmul: str, tmp_path: Path) -> None:
    a, b = np.ones((8, 16), np.float32), np.ones((16, 4), np.float32)
    np.savez(tmp_path / "in.npz", a, b)
    done = run(matmul, "--inputs", str(tmp_path / "in.npz"), "--save", str(tmp_path / "out.npz"))
    assert done.returncode == 0, done.stderr
    np.testing.assert_array_equal(np.load(tmp_path / "out.npz")["arr_0"], np.full((8, 4), 16, np.float32))


def test_collectives_overlap_if_asked_to(tmp_path: Path) -> None:
    path = tmp_path / "gathered.mlir"
    path.write_text("""
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
                %b: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> tensor<8x4xf32> {
  %0 = stablehlo.dot %a, %b : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
""")
    done = run(str(path), "--overlap", "--machine", "flops=1e3 bandwidth=1e3 latency=1e-9")
    assert done.returncode == 0, done.stderr
    before, after = (line.split() for line in done.stdout.splitlines() if line.startswith(("before", "after")))
    assert before[0] == "before" and float(after[1]) < float(before[1])
    assert "collective_permute" in done.stdout


def error_line(done: subprocess.CompletedProcess[str]) -> str:
    """The only error of a run that failed; the source line and a caret may follow."""
    assert done.returncode == 1, done.stdout
    line, *source = done.stderr.splitlines()
    assert not source or (len(source) == 2 and source[1].strip() == "^")
    return line


def test_missing_file() -> None:
    assert error_line(run("nothing.mlir")) == "sdy-run: error: nothing.mlir: No such file or directory"


def test_syntax_error() -> None:
    line = error_line(run("-", text=MATMUL.replace('"x"=2', '"x"=')))
    assert line.startswith("<stdin>:2:")
    assert ": error: " in line


def test_unknown_axis(matmul: str) -> None:
    line = error_line(run("-", text=MATMUL.replace('[{"x"}, {"y"}]', '[{"z"}, {"y"}]')))
    assert line.startswith("<stdin>:3:")
    assert "z" in line


def test_mesh_larger_than_devices(matmul: str) -> None:
    line = error_line(run(matmul, "--devices", "2"))
    assert line == f"{matmul}:2:1: error: 'sdy.mesh' op needs 4 devices, but there are only 2"


def test_uneven_argument() -> None:
    line = error_line(run("-", text=MATMUL.replace("8x", "7x")))
    assert line.endswith("argument 0 has size 7 in dimension 0, which its 2 shards do not divide")


def test_wrong_inputs(matmul: str, tmp_path: Path) -> None:
    np.savez(tmp_path / "in.npz", np.ones((8, 16), np.float32), np.ones((16, 5), np.float32))
    line = error_line(run(matmul, "--inputs", str(tmp_path / "in.npz")))
    assert line.endswith("array 'arr_1' is float32[16, 5], but argument 1 of the program is float32[16, 4]")


def test_too_many_devices(matmul: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([matmul, "--devices", "100000"]) == 1
    assert capsys.readouterr().err == "sdy-run: error: --devices 100000: there may be at most 8192\n"


def test_damaged_inputs(
    matmul: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever bit is wrong: an error of one line."""
    monkeypatch.setattr(sdy_run, "_devices", lambda count: jax.devices()[:count])
    path = tmp_path / "in.npz"
    np.savez(path, np.ones((8, 16), np.float32), b=np.ones((16, 4), np.float32))
    whole = path.read_bytes()
    for position in range(0, len(whole), 97):
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 0xFF]) + whole[position + 1 :])
        code = main([matmul, "--inputs", str(path)])
        said = capsys.readouterr().err
        assert "internal" not in said and (code == 0 or said.count("\n") == 1)


def test_bad_option(matmul: str) -> None:
    assert error_line(run(matmul, "--devices", "many")).startswith("sdy-run: error: argument --devices")


def test_random_inputs() -> None:
    kinds = {"i1": (0, 1), "ui8": (0, 15), "i4": (0, 7), "i64": (0, 15), "f32": (-1, 1), "bf16": (-1, 1)}
    arguments = ", ".join(f"%a{number}: tensor<1000x{kind}>" for number, kind in enumerate([*kinds, "complex<f32>"]))
    taken = partition(f"func.func @main({arguments}) {{ return }}").arguments
    *inputs, numbers = random_inputs(taken, seed=3)
    for (kind, (low, high)), values in zip(kinds.items(), inputs, strict=True):
        found = values.astype(np.float64)
        assert low <= found.min() < found.mean() < found.max() <= high
        assert "i" not in kind or {*found} == {*range(high + 1)}
    assert numbers.dtype == np.complex64 and 0.1 < numbers.view(np.float32).std() < 0.15
    assert [(one == other).all() for one, other in zip(inputs, random_inputs(taken, seed=3), strict=False)] == [
        True
    ] * 6


def test_inputs_that_are_no_archive(matmul: str, tmp_path: Path) -> None:
    (tmp_path / "in.npz").write_text("no")
    assert error_line(run(matmul, "--inputs", str(tmp_path / "in.npz"))).endswith("in.npz: is not an .npz file")


def test_what_xla_cannot_run() -> None:
    text = """
func.func @main(%a: tensor<4x4xf32>, %b: tensor<2x4x4xf32>, %c: tensor<2xi32>) -> tensor<4x4xf32> {
  %0 = "chlo.ragged_dot"(%a, %b, %c) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [],
    rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
    lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}
    : (tensor<4x4xf32>, tensor<2x4x4xf32>, tensor<2xi32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
"""
    done = run("-", "--devices", "2", text=text)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("sdy-run: error: XLA cannot run the program")


INVERSE = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x4xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<4x4xf32>
  %1 = stablehlo.add %a, %0 : tensor<4x4xf32>
  %2:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%1) {mhlo.backend_config = {},
    operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
    result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>],
    api_version = 4 : i32} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xi32>, tensor<i32>)
  return %2#0 : tensor<4x4xf32>
}
"""


def test_linear_algebra() -> None:
    done = run("-", "--devices", "2", text=INVERSE)
    assert done.returncode == 0, done.stderr


def test_floats_of_few_bits_may_differ_more() -> None:
    done = run("-", text=MATMUL.replace("f32", "bf16"))
    assert done.returncode == 0, done.stderr


def program(body: str, size: int = 2, type_: str = "tensor<4xf32>") -> str:
    return (
        f'sdy.mesh @mesh = <["x"={size}]>\nfunc.func @main(%a: {type_}) -> {type_} {{\n{body}return %a : {type_}\n}}\n'
    )


NONSENSE = {
    "nothing": (
        "",
        "<stdin>:1:1: error: 'builtin.module' op expected a function named 'main', or exactly one function",
    ),
    "words": ("to be or not to be", "<stdin>:1:1: error: "),
    "no function": ("module {}", "<stdin>:1:1: error: 'builtin.module' op expected a function named 'main'"),
    "declaration": ("func.func private @main(tensor<4xf32>)", "error: 'builtin.module' op expected a function"),
    "dynamic size": (program("", type_="tensor<?xf32>"), "expected a statically shaped tensor"),
    "tuple": (program("", type_="tuple<tensor<4xf32>>"), "expected a statically shaped tensor or a token"),
    "recursion": (program("%0 = call @main(%a) : (tensor<4xf32>) -> tensor<4xf32>\n"), "recursive call of 'main'"),
    "unknown dialect": (program('%0 = "foo.bar"(%a) : (tensor<4xf32>) -> tensor<4xf32>\n'), "unregistered dialect"),
    "endless mesh": (program("", size=2_000_000_000), "'sdy.mesh' op has 2000000000 devices, more than the 1048576"),
    "large mesh": (program("", size=5_000), "give --devices 5000 to make so many"),
    "larger mesh": (program("", size=20_000), "the mesh has 20000 devices, more than the 8192 that can be made"),
}


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_is_refused(name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text, message = NONSENSE[name]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["-"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert message in lines[0]
    assert not any("Traceback" in line for line in lines)


@pytest.mark.parametrize(
    ("type_", "message"),
    [
        ("tensor<4x!quant.uniform<i8:f32, 1.0>>", "JAX has no arrays of !quant"),
        ("tensor<1000000x1000000xf32>", "not enough memory"),
    ],
)
def test_arguments_that_cannot_be_made(type_: str, message: str) -> None:
    assert message in error_line(run("-", text=program("", type_=type_)))


def test_results_that_cannot_be_written(matmul: str) -> None:
    line = error_line(run(matmul, "--save", "/nowhere/out.npz"))
    assert line == "sdy-run: error: /nowhere/out.npz: No such file or directory"
