"""Random chains of pieces of models, sharded at random: the numbers of the program without shardings."""

from __future__ import annotations

import jax
import numpy as np
import pytest

import sdy.jax
from benchmarks.pieces import draw
from tests import depth


@pytest.mark.parametrize("number", depth.seeds(8, 400))
def test_sharded_pieces_equal_unsharded_ones(number: int) -> None:
    program = draw(number)
    rng = np.random.default_rng(number)
    values = [rng.standard_normal(each.shape).astype(each.dtype) / 4 for each in program.arguments]
    got = sdy.jax.jit(program.function, **program.given)(*values)
    wanted = jax.jit(draw(number, is_constrained=False).function)(*values)
    for have, want in zip(jax.tree.leaves(got), jax.tree.leaves(wanted), strict=True):
        np.testing.assert_allclose(have, want, rtol=1e-2, atol=1e-4 * max(1.0, float(np.abs(want).max())))
