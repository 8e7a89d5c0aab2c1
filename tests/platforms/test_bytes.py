"""Lowered for GPUs and TPUs, functions send what they send lowered for CPUs, or less."""

from __future__ import annotations

import pytest

from tests import depth
from tests.platforms.lowered import PLACES, PROGRAMS, all_names, case, program, sent_on_platforms

SAMPLE = """
fft.irfft2 fft.irfftn jnp.cumsum ragged_dot jax.lax.ragged_dot_general linalg.eigh:batch linalg.lu:batch
linalg.matrix_rank linalg.svd:batch jax.numpy.linalg.svd linalg.tridiagonal_solve
""".split()


_SYMMETRIC = "what JAX makes symmetric for libraries of GPUs is exchanged for that"
_ROUNDS = "in loops that JAX writes for TPUs the matrix is gathered by each decomposition"

SENDS_MORE = {
    ("fft.irfftn", "last"): (512, _SYMMETRIC),
    ("linalg.matrix_rank", "first"): (612, _ROUNDS),
    ("linalg.matrix_rank", "last"): (828, _ROUNDS),
    ("linalg.svd:batch", "first"): (4.5, "devices agree in each round whether any goes on"),
    ("jax.numpy.linalg.svd", "first"): (1801.5, _ROUNDS),
    ("jax.numpy.linalg.svd", "last"): (2569.5, _ROUNDS),
    ("ragged_dot", "last"): (48, "one op, where those that CPUs have in its place are laid out anew"),
    ("jax.lax.ragged_dot_general", "first"): (12, "sizes of groups are gathered, where CPUs gather sums of them"),
    ("lax.approx_max_k", "last"): (48, "one op of TPUs, whose dimension is gathered"),
    ("jax.numpy.linalg.cond", "first"): (1608, _ROUNDS),
    ("jax.numpy.linalg.cond", "last"): (2568, _ROUNDS),
    ("jax.numpy.linalg.lstsq", "first"): (1801.5, _ROUNDS),
    ("jax.numpy.linalg.lstsq", "last"): (2761.5, _ROUNDS),
    ("jax.numpy.linalg.matrix_rank", "first"): (1608, _ROUNDS),
    ("jax.numpy.linalg.matrix_rank", "last"): (2568, _ROUNDS),
    ("jax.numpy.linalg.pinv", "first"): (1801.5, _ROUNDS),
    ("jax.numpy.linalg.pinv", "last"): (2569.5, _ROUNDS),
    ("jax.numpy.linalg.svdvals", "first"): (1608, _ROUNDS),
    ("jax.numpy.linalg.svdvals", "last"): (2568, _ROUNDS),
}
"""Bytes, and why, by function and the dimension that is sharded."""


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", list(all_names()) if depth.ALL else SAMPLE)
def test_no_more_is_sent_than_on_cpus(name: str, place: str) -> None:
    found = case(name)
    if found is None:
        return
    sent = found.sent(place)
    allowed, _ = SENDS_MORE.get((name, place), (0, ""))
    more = max(sent.values()) - sent.get("cpu", max(sent.values()))
    assert more == pytest.approx(allowed) if allowed else more < 1e-6, f"{name}: {sent}"


@pytest.mark.parametrize("name", PROGRAMS if depth.ALL else ["moe"])
def test_no_more_is_sent_by_programs(name: str) -> None:
    """Many are the same on all platforms; with more layers a program has no other ops."""
    sent = sent_on_platforms(lambda platform: program(name, platform).as_text())
    assert sent.keys() == {"cpu", "cuda", "tpu"}
    assert max(sent.values()) <= sent["cpu"] + 1e-6, sent
