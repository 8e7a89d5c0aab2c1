"""Which file has what is known of an op: files are loaded for the ops of a program."""

from __future__ import annotations

import subprocess
import sys

from sdy.stablehlo import registered_ops
from sdy.stablehlo.declarations import declared_ops
from sdy.stablehlo.families import file_of

_ASK = """
import os, sys
from sdy.stablehlo import registry
from sdy.stablehlo.declarations import declaration_of

FAMILIES = "sdy.stablehlo.families."

def loaded():
    return {name.removeprefix(FAMILIES) for name in sys.modules if name.startswith(FAMILIES)}

def ask(names):
    for name in names:
        known, declaration = registry.find(name), declaration_of(name)
        if known is None or not known.is_own or declaration is None:
            sys.exit(f"the file that is loaded for '{name}' does not say what is known of it")
    print(*sorted(loaded()), flush=True)

if loaded():
    sys.exit("files are loaded before they are asked for")
for names in sys.argv[1:]:
    child = os.fork()
    if not child:
        ask(names.split())
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        sys.exit(1)
"""


def _loaded_for(*groups: str) -> list[list[str]]:
    """The files that are loaded for the ops of each group, in processes of their own."""
    run = subprocess.run([sys.executable, "-c", _ASK, *groups], capture_output=True, text=True, check=False)
    assert not run.returncode, run.stderr
    return [line.split() for line in run.stdout.splitlines()]


def test_the_file_of_an_op_is_loaded_when_it_is_asked_for() -> None:
    assert _loaded_for("stablehlo.dot stablehlo.dot_general stablehlo.sort", "stablehlo.sort") == [
        ["dot", "reduction"],
        ["reduction"],
    ]


def test_each_op_is_in_the_file_that_is_loaded_for_it() -> None:
    ops: dict[str, list[str]] = {}
    for name in declared_ops():
        ops.setdefault(file_of(name) or "", []).append(name)
    assert len(ops) == 14
    for file, loaded in zip(ops, _loaded_for(*map(" ".join, ops.values())), strict=True):
        assert file in loaded


def test_ops_are_listed_whether_or_not_they_have_been_asked_for() -> None:
    assert set(declared_ops()) <= set(registered_ops())
