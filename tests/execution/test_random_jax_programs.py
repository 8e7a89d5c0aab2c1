"""Random JAX programs with explicit shardings do what they do without sdy."""

from __future__ import annotations

import jax
import pytest

from tests import depth
from tests.execution import random_jax_programs

pytestmark = pytest.mark.skipif(not hasattr(jax.sharding, "UnreducedKind"), reason="the types of this JAX say less")


@pytest.mark.parametrize("seed", depth.seeds(8, 500))
def test_same_as_plain_jax(seed: int) -> None:
    random_jax_programs.compare(seed)
