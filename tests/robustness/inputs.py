"""The damaged module of a seed, and passes to run on one."""

from __future__ import annotations

import random
from functools import cache

from sdy.passes import registry
from tests.generators.dialect_modules import invalid, valid
from tests.robustness.damage import damaged
from tests.robustness.seeds import generated, program
from tests.robustness.worker import Run

_PIPELINES = ("sdy-propagation-pipeline", "sdy-partition-pipeline", "sdy-import-pipeline", "sdy-export-pipeline")
_UPSTREAM = ("canonicalize", "cse", "symbol-dce", "inline")
_WRITES_FILES = frozenset({"sdy-save-module"})


def damaged_module(seed: int) -> bytes:
    rng = random.Random(seed)
    if seed % 3 == 0:
        text = generated(rng)
    else:
        text = rng.choice(invalid() if seed % 8 == 0 else valid())
    return damaged(text, rng)


def damaged_run(seed: int) -> tuple[bytes, Run]:
    """A module, mostly damaged but in few places, and up to four passes, some of them whole pipelines."""
    rng = random.Random(f"run {seed}")
    text = program(rng)
    data = damaged(text, rng, light=True) if rng.random() < 0.85 else text.encode()
    if rng.random() < 0.4:
        steps = [rng.choice(_PIPELINES)]
    else:
        steps = [rng.choice(_passes()) for _ in range(rng.randint(1, 4))]
    return data, Run(",".join(steps), verify=rng.random() < 0.5, allow_unregistered=rng.random() < 0.5)


@cache
def _passes() -> list[str]:
    return [*(name for name in registry.passes() if name not in _WRITES_FILES), *_UPSTREAM]
