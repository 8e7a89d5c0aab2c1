"""Lowered for GPUs and TPUs, functions send what they send lowered for CPUs, or less."""

from __future__ import annotations

import pytest

from tests import depth
from tests.platforms.lowered import PLACES, all_names, case

SAMPLE = "jnp.cumsum ragged_dot linalg.eigh:batch linalg.lu:batch".split()

_ITERATED = "iterations of products and decompositions, of which only the latter are known to need whole matrices"

SENDS_MORE: dict[str, str] = {
    "fft.irfft2": "on GPUs halves of the spectrum are made symmetric first, each of which is gathered",
    "fft.irfftn": "as irfft2",
    "jax.lax.ragged_dot_general": "sizes of groups that are sharded do not say that the groups of the result are, too",
    "linalg.tridiagonal_solve": "on TPUs a loop over the sharded unknowns, on CPUs one call",
    **dict.fromkeys(
        (
            "jax.numpy.linalg.cond jax.numpy.linalg.lstsq jax.numpy.linalg.matrix_rank "
            "jax.numpy.linalg.pinv jax.numpy.linalg.svd jax.numpy.linalg.svdvals linalg.matrix_rank "
            "linalg.svd:batch"
        ).split(),
        _ITERATED,
    ),
}
"""Functions that send more on an accelerator, and why."""


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", list(all_names()) if depth.ALL else SAMPLE)
def test_no_more_is_sent_than_on_cpus(name: str, place: str) -> None:
    found = case(name)
    if found is None:
        return
    sent = found.sent(place)
    more = {platform: count for platform, count in sent.items() if count > sent.get("cpu", count) + 1e-6}
    if name in SENDS_MORE:
        pytest.skip(SENDS_MORE[name])
    assert not more, f"{name}: {sent}"
