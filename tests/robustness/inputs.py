"""The damaged module of a seed."""

from __future__ import annotations

import random

from tests.generators.dialect_modules import invalid, valid
from tests.generators.features import Features
from tests.generators.programs import generate
from tests.robustness.damage import damaged

_PROGRAMS = Features(max_ops=4, maximal=True, inlined=True, unreduced=True, messy_groups=True, dynamic=True)


def damaged_module(seed: int) -> bytes:
    rng = random.Random(seed)
    if seed % 3 == 0:
        text = generate(rng, _PROGRAMS)
    else:
        text = rng.choice(invalid() if seed % 8 == 0 else valid())
    return damaged(text, rng)
