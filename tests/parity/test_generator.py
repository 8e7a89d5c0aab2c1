"""The random programs that all comparisons rest on: valid, varied, and the same everywhere."""

import hashlib
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.generators.features import Features
from tests.generators.programs import generate
from tests.oracle import reference_print, requires_reference
from tests.parity.cases import INLINED, LOCAL

EVERYTHING = replace(INLINED, messy_groups=True, dynamic=True)
SEEDS = 2_000


@requires_reference
@pytest.mark.parametrize("features", [Features(), EVERYTHING, LOCAL], ids=["ordinary", "everything", "local"])
def test_programs_are_valid_and_varied(features: Features) -> None:
    kinds: Counter[str] = Counter()
    for seed in range(SEEDS):
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
