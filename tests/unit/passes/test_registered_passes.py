"""What goes with a pass: a line that says what it does, help for its options, a lit file in which it runs."""

from __future__ import annotations

import dataclasses
import re
import subprocess
import sys
from pathlib import Path

from sdy.passes.registry import SHARED_FILES, Pass, Pipeline, passes, pipelines

LIT_TESTS = Path(__file__).parents[3] / "lit_tests"
REGISTERED: dict[str, Pass | Pipeline] = {**passes(), **pipelines()}


def test_every_pass_says_what_it_does() -> None:
    assert [name for name, one in REGISTERED.items() if not one.doc.strip()] == []


def test_files_of_several_passes_are_listed() -> None:
    by_file: dict[str, list[str]] = {}
    for name, one in REGISTERED.items():
        module = (one.run if isinstance(one, Pass) else one.build).__module__
        if module.startswith("sdy.passes."):
            short = name.removeprefix("xla-").removeprefix("sdy-")
            by_file.setdefault(module.removeprefix("sdy.passes."), []).append(short)
    shared = {file: sorted(names) for file, names in by_file.items() if len(names) > 1 or file in SHARED_FILES}
    assert shared == {file: names.split() for file, names in SHARED_FILES.items()}


def test_every_option_has_help() -> None:
    options = [
        (f"{name}: {field.name}", field.metadata.get("help"))
        for name, one in REGISTERED.items()
        if one.options is not None
        for field in dataclasses.fields(one.options)
    ]
    assert len(options) > 100
    assert [option for option, help_text in options if not help_text] == []


def test_every_pass_runs_in_a_lit_file() -> None:
    run = re.compile(r"^// RUN: (.*)$", re.MULTILINE)
    lines = " ".join(line for file in LIT_TESTS.rglob("*.mlir") for line in run.findall(file.read_text()))
    named = set(re.findall(r"(?:--|[(,'])([a-z][a-z0-9-]*)", lines))
    assert sorted(REGISTERED.keys() - named) == []


def test_a_pipeline_loads_the_rooms_of_its_passes_only() -> None:
    program = (
        "import sys, sdy\n"
        "sdy.run(sdy.parse('func.func @main() { return }'), 'sdy-propagation-pipeline')\n"
        "others = ('sdy.passes.auto', 'sdy.passes.overlap', 'sdy.passes.partitioning')\n"
        "sys.exit(', '.join(name for name in sys.modules if name.startswith(others)) or 0)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
