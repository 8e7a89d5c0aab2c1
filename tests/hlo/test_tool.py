"""What `sdy-hlo` does beyond what its lit tests show: XLA's opinion, and files that are no text."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from sdy.tools import sdy_hlo
from tests import depth, oracle
from tests.hlo.rows import ROWS


def run(*arguments: str) -> int:
    return sdy_hlo.main(list(arguments))


@oracle.requires_reference
def test_both_verdicts_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of the parts that are given, one by one."""
    wanted = ("1 start and done", "2 flat bundle", "30 no done")
    texts = [row.text for row in ROWS if f"{row.number} {row.what}" in wanted]
    file = tmp_path / "parts.hlo"
    file.write_text("// -----\n".join(texts))
    assert run(str(file), "--split-input-file", "--compare-with-xla", "-o", str(tmp_path / "out")) == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if line]
    assert len(lines) == 9
    assert lines[:3] == [
        "sdy, by XLA's rules: valid",
        "the text as it is: XLA's verifier: valid",
        "the text in generic form: XLA's verifier: valid",
    ]
    assert lines[3] == "sdy, by XLA's rules: valid" and lines[4].startswith("the text as it is: XLA's parser:")
    assert lines[5] == lines[2]
    assert "R3: %s: it has no done" in lines[6] and "no matching async done" in lines[8]


GATHER = """HloModule m, is_scheduled=true, num_partitions=4

ENTRY %e {
  %a = f32[1024,4096]{1,0} parameter(0)
  %b = f32[4096,4096]{1,0} parameter(1)
  %s = (f32[1024,4096]{1,0}, f32[4096,4096]{1,0}) all-gather-start(%a), channel_id=1, replica_groups={{0,1,2,3}},
    dimensions={0}, use_global_device_ids=true
  %m = f32[1024,4096]{1,0} dot(%a, %b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %d = f32[4096,4096]{1,0} all-gather-done(%s)
  ROOT %x = f32[1024,4096]{1,0} dot(%m, %d), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
"""


@oracle.requires_reference
def test_hlo_to_mlir_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In the order of a scheduled module; of the 506 us of the gather the first product hides 172."""
    hlo, mlir, back = (tmp_path / name for name in ("a.hlo", "a.mlir", "b.hlo"))
    hlo.write_text(GATHER)
    assert run(str(hlo), "--to-mlir", "--schedule=flops=2e14 bandwidth=5e10", "-o", str(mlir)) == 0
    row = next(line for line in capsys.readouterr().err.splitlines() if line.startswith("all_gather"))
    assert row.split()[2:7] == ["4", "yes", "506.3", "us", "334.5"]
    ops = [word for word in mlir.read_text().split() if word.startswith(("hlo_async.", '"stablehlo.', "stablehlo.dot"))]
    assert [each.partition("(")[0].strip('"') for each in ops] == [
        "hlo_async.start",
        "stablehlo.all_gather",
        "hlo_async.return",
        "stablehlo.dot",
        "hlo_async.done",
        "stablehlo.dot",
    ]
    assert run(str(mlir), "--from-mlir", "-o", str(back)) == 0
    assert "all-gather-start(" in back.read_text() and "all-gather-done(" in back.read_text()
    capsys.readouterr()
    if depth.ALL:  # another process
        hlo.write_text(GATHER.replace("dot(%m", "frob(%m"))
        assert run(str(hlo), "--to-mlir") == 1
        assert "Unknown opcode: frob" in capsys.readouterr().err
    assert run(str(hlo), "--schedule=flps=1") == 1
    assert "argument --schedule: no machine has 'flps=1'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe\x00HloModule", bytes(range(256)) * 50, b"HloModule m\r\n\nENTRY %e {"]
)
def test_files_that_are_no_hlo(data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = tmp_path / "some", tmp_path / "out"
    file.write_bytes(data)
    assert run(str(file), "-o", str(out)) == 1
    assert capsys.readouterr().err.startswith(f"{file}:")
    assert not out.exists()


@pytest.mark.parametrize("data", [b"caf\xc3\xa9", b"caf\xe9"])
def test_bytes_in_strings_come_out_as_they_went_in(
    data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = b'HloModule m\n\nENTRY %e {\n  ROOT %a = f32[] parameter(0), metadata={op_name="' + data + b'"}\n}\n'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert run("-o", str(tmp_path / "out")) == 0
    assert (tmp_path / "out").read_bytes() == text


def test_what_cannot_be_written_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "fine.hlo"
    file.write_text("ENTRY %e { ROOT %a = f32[] parameter(0) }")
    assert run(str(file), "-o", str(tmp_path / "no" / "where")) == 1
    assert "No such file or directory" in capsys.readouterr().err
    assert run(str(file), "--in-flight=xml") == 1
    assert "sdy-hlo: error: argument --in-flight" in capsys.readouterr().err
    assert run(str(file), "--updates=-1") == 1
