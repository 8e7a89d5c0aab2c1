"""Eight CPU devices for the tests that run programs, and the examples on the path."""

from __future__ import annotations

import sys
from pathlib import Path

import jax
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))


@pytest.fixture
def mesh() -> jax.sharding.Mesh:
    """The 4x2 mesh data x model."""
    return jax.make_mesh((4, 2), ("data", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
