"""Random JAX programs with explicit shardings do what they do without sdy."""

from __future__ import annotations

import pytest

from tests import depth
from tests.execution import random_jax_programs


@pytest.mark.parametrize("seed", depth.seeds(12, 500))
def test_same_as_plain_jax(seed: int) -> None:
    random_jax_programs.compare(seed)
