"""The random programs that all comparisons rest on: valid, varied, and the same everywhere."""

import hashlib
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import sdy
from sdy.dialect.ops import rules as registry
from sdy.passes.propagation.engine.snapshot import Snapshot
from tests import depth
from tests.generators.features import Features
from tests.generators.programs import generate
from tests.oracle import reference_print, requires_reference
from tests.parity.case_features import INLINED, LOCAL, RULES, TANGLED

EVERYTHING = replace(INLINED, messy_groups=True, dynamic=True)
SEEDS = 2_000
VARIED = SEEDS if depth.ALL else SEEDS // 3


@requires_reference
@pytest.mark.parametrize("features", [Features(), EVERYTHING, LOCAL], ids=["ordinary", "everything", "local"])
def test_programs_are_valid_and_varied(features: Features) -> None:
    kinds: Counter[str] = Counter()
    for seed in range(VARIED):
        text = reference_print(generate(seed, features))
        kinds.update(re.findall(r"(?:= |^ +)\"?((?:stablehlo|chlo|sdy|func)\.\w+|call)", text, re.MULTILINE))
    assert len([name for name, count in kinds.items() if count >= 10]) >= 60, kinds


def test_a_seed_means_one_program_in_every_process() -> None:
    code = "from tests.generators.programs import generate; print(''.join(map(generate, range(30))), end='')"
    texts = [
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            capture_output=True,
            cwd=Path(__file__).parents[2],
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
        ).stdout
        for hash_seed in ("1", "2")
    ]
    assert hashlib.sha256(texts[0]).digest() == hashlib.sha256(texts[1]).digest()
    assert texts[0].decode() == "".join(map(generate, range(30)))


@requires_reference
def test_every_op_with_a_rule_occurs() -> None:
    """Composites and buffers without contents have no rule in the reference.

    Those of mpmd are for programs of several meshes, which have generators of their own.
    """
    wanted = {target or name for name, target in registry.ruled_ops() if not name.startswith("mpmd.")}
    for seed in range(SEEDS):
        text = reference_print(generate(seed, RULES))
        wanted -= set(re.findall(r"((?:stablehlo|sdy)\.[\w-]+|(?<=custom_call @)[\w.]+)", text))
        if len(wanted) == 2 and not depth.ALL:
            break
    assert wanted == {"stablehlo.composite", "AllocateBuffer"}


def test_the_order_of_visits_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the users of every value in reverse, tangled programs come out differently now and then."""
    programs = [generate(seed, TANGLED) for seed in range(200)]
    context = sdy.make_context()
    in_order = [_propagated(text, context) for text in programs]
    uses = Snapshot.uses
    monkeypatch.setattr(Snapshot, "uses", lambda self, value: uses(self, value)[::-1])
    assert sum(_propagated(text, context) != other for text, other in zip(programs, in_order, strict=True)) >= 4


def _propagated(text: str, context: Any) -> str:
    module = sdy.parse(text, context=context)
    sdy.run(module, "sdy-basic-propagate")
    return sdy.print_module(module)
