"""The mutations of `tests/mutants`: what is changed, and that the list of those that nobody can notice is current."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import sdy
from tests import depth
from tests.mutants.__main__ import equivalents
from tests.mutants.mutations import SAMPLE, every, mutations, sample
from tests.mutants.probe import LINES, ROOT

pytestmark = pytest.mark.slow


SOURCE = b"""
LIMIT = 3

def first(values: list[int] = [1], *, strict: bool = False) -> int:
    "No text is changed, nor what is checked for ourselves, nor the module's constants."
    assert values != []
    for value in values:
        if value < LIMIT and not strict:
            continue
        values.append(-value)
    return min(zip(values, values, strict=True))[0] + 1
"""


def test_what_is_changed() -> None:
    found = list(mutations("file.py", SOURCE))
    assert {(one.original, one.mutated) for one in found} == {
        ("value < LIMIT and (not strict)", "value < LIMIT or not strict"),
        ("value < LIMIT and (not strict)", "not (value < LIMIT and (not strict))"),
        ("value < LIMIT", "value <= LIMIT"),
        ("not strict", "strict"),
        ("continue", "pass"),
        ("values.append(-value)", "pass"),
        ("-value", "value"),
        ("min(zip(values, values, strict=True))", "max(zip(values, values, strict=True))"),
        ("min(zip(values, values, strict=True))[0]", "min(zip(values, values, strict=True))[1]"),
        ("min(zip(values, values, strict=True))[0] + 1", "min(zip(values, values, strict=True))[0] - 1"),
        ("min(zip(values, values, strict=True))[0] + 1", "min(zip(values, values, strict=True))[0] + 0"),
    }
    assert {one.function for one in found} == {"first"}
    for one in found:
        changed = SOURCE[: one.span[0]] + one.replacement.encode() + SOURCE[one.span[1] :]
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(SOURCE))


@depth.deep
def test_sample_and_equivalents() -> None:
    there = list(every())
    assert len(there) > 10_000
    assert sorted(equivalents().keys() - {one.key for one in there}) == []
    drawn = sample(there)
    assert {room: [one.room for one in drawn].count(room) for room in SAMPLE} == SAMPLE
    assert sum(SAMPLE.values()) == 300


_RECORDING = """
import json, sys
from pathlib import Path
from tests.mutants import record
[(name, _, lines)] = record._lit([Path(sys.argv[1])])
print(json.dumps([name, sorted({file for file, _ in lines})]))
"""


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the interpreter does not say which lines it runs")
@pytest.mark.skipif(not Path(sdy.__file__).is_relative_to(ROOT / "python"), reason="the source is not what is imported")
def test_lines_that_a_lit_file_runs_are_recorded(tmp_path: object) -> None:
    """Also those that a tool runs in a process of its own."""
    file = ROOT / "lit_tests" / "passes" / "exporting" / "close_shardings.mlir"
    environment = {**os.environ, LINES: str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", _RECORDING, file], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    name, files = json.loads(done.stdout)
    assert name == str(file.relative_to(ROOT))
    assert str(ROOT / "passes" / "exporting" / "sharding_attributes.py") in files
