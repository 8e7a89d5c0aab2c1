"""Passes that the reference does not have: their lit files notice when the pass does nothing."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from filecheck.matcher import Matcher
from filecheck.options import DumpInputKind, Options

from sdy.passes.registry import passes, pipelines
from sdy.tools import sdy_opt
from tests.parity.without_peer import WITHOUT_PEER

pytestmark = pytest.mark.slow


LIT_TESTS = Path(__file__).parents[3] / "lit_tests"
COMPARED_WITH_FILES = {"sdy-save-module"}
"""Not with what sdy-opt prints."""


RUN = re.compile(r"RUN: sdy-opt %s ([^|]*?)(?: 2>%t)?(?: \| filecheck %s(?: --check-prefix=(\w+))?)?$", re.MULTILINE)


def run_lines(name: str) -> Iterator[tuple[Path, list[str], str]]:
    """File, arguments of sdy-opt and prefix of the checks, if any, of the RUN lines that name the pass.

    Those of the file that is named after the pass come first.
    """
    own = f"{name.removeprefix('xla-').removeprefix('sdy-').replace('-', '_')}.mlir"
    for file in sorted(LIT_TESTS.rglob("*.mlir"), key=lambda file: (file.name != own, file)):
        for given, prefix in RUN.findall(file.read_text(encoding="utf-8")):
            if any(runs(name, argument) for argument in shlex.split(given)):
                yield file, shlex.split(given), prefix or ("" if "--verify-diagnostics" in given else "CHECK")


def runs(name: str, argument: str) -> bool:
    return argument.partition("=")[0] == f"--{name}"


def test_there_are_such_passes() -> None:
    assert sorted(set(WITHOUT_PEER) - {*passes(), *pipelines()}) == []


@pytest.mark.parametrize("name", sorted(set(WITHOUT_PEER) - COMPARED_WITH_FILES))
def test_lit_file_notices_that_the_pass_does_nothing(name: str, tmp_path: Path) -> None:
    """Some RUN lines may show where it does nothing."""
    assert any(fails_without(name, *line, tmp_path / "output.mlir") for line in run_lines(name))


def fails_without(name: str, file: Path, arguments: list[str], prefix: str, output: Path) -> bool:
    rest = [argument for argument in arguments if not runs(name, argument)]
    code = sdy_opt.main([str(file), *rest, "-o", str(output)])
    if not prefix:
        return code == 1
    assert code == 0
    options = Options(str(file), str(output), [prefix], dump_input=DumpInputKind.NEVER)
    return Matcher.from_opts(options).run() == 1
