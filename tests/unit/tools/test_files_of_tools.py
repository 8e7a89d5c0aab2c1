"""All tools read what they are given once, and write into what is there."""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import stat
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import jax
import pytest

from sdy.tools import sdy_auto, sdy_hlo, sdy_opt, sdy_report, sdy_run

MLIR = """\
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""
HLO = "HloModule m\n\nENTRY main {\n  x = f32[8] parameter(0)\n  ROOT y = f32[8] negate(x)\n}\n"
NONE = Path("none")


@dataclass(frozen=True)
class Tool:
    """A tool, and how it is called to read `IN` and write `OUT`."""

    name: str
    main: Callable[[list[str]], int]
    arguments: str
    text: str = MLIR

    def words(self, read: Path | str, written: Path | str) -> list[str]:
        words = {"IN": str(read), "OUT": str(written)}
        return [words.get(word, word) for word in self.arguments.split()]

    def run(self, read: Path | str, written: Path | str) -> int:
        return self.main(self.words(read, written))


TOOLS = [
    Tool("sdy-opt", sdy_opt.main, "IN -o OUT --canonicalize"),
    Tool("sdy-hlo", sdy_hlo.main, "IN -o OUT", HLO),
    Tool("sdy-run", sdy_run.main, "IN --save OUT"),
    Tool("sdy-auto", sdy_auto.main, "IN -o OUT --verify 0"),
    Tool("sdy-report", sdy_report.main, "IN -o OUT --json --no-reasons"),
]
OUTPUTS = [
    *TOOLS,
    Tool("sdy-auto --save", sdy_auto.main, "IN --save OUT --verify 0"),
    Tool("sdy-opt reproducer", sdy_opt.main, "IN --cse --mlir-generate-reproducer OUT"),
]
tools = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
outputs = pytest.mark.parametrize("tool", OUTPUTS, ids=lambda tool: tool.name)


@pytest.fixture(autouse=True)
def devices_that_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """`sdy-run` makes as many as it needs, in a process of its own."""
    monkeypatch.setattr(sdy_run, "_devices", lambda count: jax.devices()[:count])


@pytest.fixture
def program(tmp_path: Path) -> Callable[[Tool], Path]:
    def write(tool: Tool) -> Path:
        path = tmp_path / "program"
        path.write_text(tool.text)
        return path

    return write


def in_background(work: Callable[[], object]) -> Callable[[], object]:
    """Starts `work`; what is returned waits for what it returns, at most a minute."""
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(work()), daemon=True)
    thread.start()

    def wait() -> object:
        thread.join(60)
        assert found, "nobody is at the other end"
        return found[0]

    return wait


def fifo(tmp_path: Path) -> Path:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    return path


def written_to(tool: Tool, program: Path, out: Path) -> bytes:
    assert tool.run(program, out) == 0
    return out.read_bytes().replace(str(program).encode(), b"program")


@tools
def test_inputs_are_read_once(tool: Tool, program, tmp_path: Path) -> None:
    given = fifo(tmp_path)
    sent = in_background(lambda: given.write_bytes(tool.text.encode()))
    result = in_background(lambda: tool.run(given, tmp_path / "out"))
    assert sent() and result() == 0
    read = (tmp_path / "out").read_bytes().replace(str(given).encode(), b"program").replace(b"fifo", b"program")
    if tool.name != "sdy-run":  # the archive holds the time
        assert read == written_to(tool, program(tool), tmp_path / "usual")


@outputs
def test_what_is_there_is_written_into(tool: Tool, program, tmp_path: Path) -> None:
    path = program(tool)
    into = fifo(tmp_path)
    read = in_background(into.read_bytes)
    assert tool.run(path, into) == 0
    assert read() and stat.S_ISFIFO(into.stat().st_mode)

    real, link, private = tmp_path / "real", tmp_path / "link", tmp_path / "private"
    link.symlink_to(real)
    private.touch(0o600)
    assert written_to(tool, path, link) and link.is_symlink() and real.stat().st_size
    assert written_to(tool, path, private) and stat.S_IMODE(private.stat().st_mode) == 0o600


@outputs
@pytest.mark.parametrize(
    ("name", "reason"), [("/dev/full", "No space left on device"), ("/nowhere/at/all", "No such file"), ("/", "Is a d")]
)
def test_what_cannot_be_written(
    tool: Tool, program, capsys: pytest.CaptureFixture[str], name: str, reason: str
) -> None:
    assert tool.run(program(tool), name) == 1
    (said,) = capsys.readouterr().err.splitlines()
    assert "error: " in said and name in said and reason in said and "internal" not in said


@tools
@pytest.mark.parametrize(("name", "reason"), [("/", "Is a directory"), ("/nowhere", "No such file or directory")])
def test_what_cannot_be_read(tool: Tool, tmp_path: Path, capsys, name: str, reason: str) -> None:
    assert tool.run(name, tmp_path / "out") == 1
    said = capsys.readouterr().err
    assert f"{reason}\n" in said and "internal" not in said
    assert not (tmp_path / "out").exists()


@tools
def test_streams_that_are_closed(tool: Tool, program, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdin", None)
        assert tool.run("-", "/dev/null") == 1
    assert "standard input is closed" in capsys.readouterr().err
    for arguments in (["--help"], ["--version"], tool.words(program(tool), "-")):
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", None)
            assert tool.main(arguments) == 1
        assert "standard output is closed" in capsys.readouterr().err


@tools
def test_standard_output_that_is_full(tool: Tool, program, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments in (["--help"], ["--version"], tool.words(program(tool), "-")):
        full = open("/dev/full", "w")  # noqa: SIM115 - closing it would fail, too
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", full)
            assert tool.main(arguments) == 1
        with suppress(OSError):
            full.close()
        said = capsys.readouterr().err
        assert "No space left on device" in said and "internal" not in said


@tools
def test_programs_that_are_nested_too_deeply(tool: Tool, tmp_path: Path, capsys) -> None:
    path = tmp_path / "program"
    deep = "(" * 20_000
    path.write_text(f"module {{\n{deep}" if tool.text == MLIR else tool.text.replace("negate(x", f"negate({deep}x"))
    assert tool.run(path, tmp_path / "out") == 1
    said = capsys.readouterr().err
    assert "error: " in said and "internal" not in said


def test_programs_that_are_nested_deeply_are_read(tmp_path: Path) -> None:
    path = tmp_path / "program"
    path.write_text("module {\n" * 500 + "}\n" * 500)
    out = str(tmp_path / "out")
    assert sdy_opt.main([str(path), "--canonicalize", "--emit-bytecode", "-o", out]) == 0
    assert sdy_opt.main([out, "--mlir-print-value-users", "-o", "/dev/null"]) == 0


@pytest.mark.parametrize(
    ("main", "flag", "name"),
    [
        (sdy_auto.main, "--load", "plan.json"),
        (sdy_auto.main, "--machine", "machine.json"),
        (sdy_run.main, "--machine", "machine.json"),
        (sdy_opt.main, "--irdl-file", "dialect.mlir"),
        (sdy_opt.main, "--load-dialect-plugin", "plugin.py"),
    ],
)
@pytest.mark.parametrize(
    "text", ["[" * 20_000, "{" * 20_000, "\0", '{"format": "sdy plan 1", "mesh": 1e999, "a": null}', "é\udcff"]
)
def test_other_files_are_refused_by_name(
    main: Callable[[list[str]], int], flag: str, name: str, text: str, tmp_path: Path, capsys
) -> None:
    program, path = tmp_path / "program.mlir", tmp_path / name
    program.write_text(MLIR)
    path.write_text(text, errors="surrogateescape")
    assert main([str(program), flag, str(path)]) == 1
    said = capsys.readouterr().err
    assert "error: " in said and name.partition(".")[0] in said and "internal" not in said


@pytest.mark.parametrize("main", [sdy_report.main, sdy_auto.main])
def test_pages_show_the_lines_of_what_was_read_once(main: Callable[[list[str]], int], tmp_path: Path) -> None:
    program = fifo(tmp_path)
    sent = in_background(lambda: program.write_text(MLIR))
    flags = ["-o", str(tmp_path / "page"), "--json"] if main is sdy_report.main else ["--page", str(tmp_path / "page")]
    result = in_background(lambda: main([str(program), *flags]))
    assert sent() and result() == 0
    data = (tmp_path / "page").read_text()
    if main is sdy_auto.main:
        packed = re.search(r'"H4sI[\w+/=]+|>H4sI[\w+/=]+', data)
        assert packed is not None
        data = gzip.decompress(base64.b64decode(packed[0][1:])).decode()
    lines = [line for _, _, line in json.loads(data)["programs"][0]["sources"]]
    assert "%0 = stablehlo.negate %x : tensor<8xf32>" in lines
