"""Kernels for accelerators in programs with shardings: attention of cuDNN, kernels of Pallas, products of libraries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import jax
import jax.experimental.pallas as pl
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy
from sdy.report.communication_report import communication

fused_attention = pytest.importorskip("jax._src.cudnn.fused_attention_stablehlo")
DEVICE: Any = getattr(jax.sharding, "AbstractDevice", None) or getattr(
    pytest.importorskip("jax._src.mesh"), "AbstractDevice", None
)
"""What JAX takes for a GPU that is not there, if this JAX can."""


def _mesh() -> Mesh:
    return Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("x", "y"))


def _partitioned(call: Callable[..., Any], spec: P, *shapes: tuple[int, ...], dtype: Any, platform: str) -> Any:
    placed = [jax.ShapeDtypeStruct(shape, dtype, sharding=NamedSharding(_mesh(), spec)) for shape in shapes]
    lowered = jax.jit(call).trace(*placed).lower(lowering_platforms=(platform,))
    # JAX keeps the functions that partition calls as long as what it lowered.
    return sdy.partition(lowered.as_text())


@pytest.fixture
def hopper() -> Iterator[None]:
    """What JAX asks of the GPU before it takes cuDNN's attention."""
    with (
        patch.object(fused_attention, "check_cudnn_version", lambda: 91500),
        patch.object(fused_attention, "check_compute_capability", lambda capability: True),
        patch.object(fused_attention, "is_cuda_compute_capability_equal", lambda capability: False, create=True),
    ):
        yield


def _attention(q: jax.Array, k: jax.Array, v: jax.Array) -> jax.Array:
    return jax.nn.dot_product_attention(q, k, v, implementation="cudnn", is_causal=True)


def _gradients(*qkv: jax.Array) -> tuple[jax.Array, ...]:
    return jax.grad(lambda *of: jnp.sum(_attention(*of).astype(jnp.float32) ** 2), (0, 1, 2))(*qkv)


@pytest.mark.usefixtures("hopper")
@pytest.mark.parametrize("call", [_attention, _gradients])
@pytest.mark.parametrize("spec", [P("x"), P(None, None, "x"), P("x", None, "y")])
def test_attention_of_cudnn_stays_where_batches_and_heads_are(call: Callable[..., Any], spec: P) -> None:
    shape = (8, 64, 4, 64)
    partitioned = _partitioned(call, spec, *[shape] * 3, dtype=jnp.bfloat16, platform="cuda")
    assert communication(partitioned).bytes_sent == 0
    assert "__cudnn$fmhaSoftmax" in partitioned.text
    local = [
        size // {"x": 4, "y": 2, None: 1}[axis] for size, axis in zip(shape, (*spec, None, None, None), strict=False)
    ]
    assert f"tensor<{'x'.join(map(str, local))}xbf16>" in partitioned.text


@pytest.mark.usefixtures("hopper")
def test_attention_of_cudnn_along_a_sharded_sequence_is_refused_as_jax_refuses_it() -> None:
    with pytest.raises(sdy.DiagnosticError, match="Sharding on sequence dim is not allowed"):
        _partitioned(_attention, P(None, "x"), *[(8, 64, 4, 64)] * 3, dtype=jnp.bfloat16, platform="cuda")


def _add_one(x: jax.Array) -> jax.Array:
    from jax.experimental.pallas import triton

    def kernel(taken: Any, made: Any) -> None:
        made[...] = taken[...] + 1

    rows = pl.BlockSpec((8, 128), lambda row: (row, 0))
    return pl.pallas_call(
        kernel,
        out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
        grid=(x.shape[0] // 8,),
        in_specs=[rows],
        out_specs=rows,
        compiler_params=triton.CompilerParams(),
    )(x)


@pytest.mark.skipif(DEVICE is None, reason="needs a JAX that lowers kernels for a GPU that is not there")
@pytest.mark.filterwarnings("ignore:.*Triton:DeprecationWarning")
def test_kernels_of_pallas() -> None:
    """Their operands are gathered, once, with a warning; in a manual computation they are of the user's parts."""
    mesh = _mesh().abstract_mesh.update(abstract_device=DEVICE("NVIDIA H100 80GB HBM3", None, "gpu"))
    shape = (64, 128)
    with jax.sharding.use_abstract_mesh(mesh):
        gathered = _partitioned(_add_one, P("x"), shape, dtype=jnp.float32, platform="cuda")
        by_hand = jax.shard_map(_add_one, in_specs=P("x"), out_specs=P("x"), check_vma=False)
        manual = _partitioned(by_hand, P("x"), shape, dtype=jnp.float32, platform="cuda")
    assert communication(gathered).bytes_sent == 4 * 64 * 128 * 3 / 4
    assert any("without a known sharding rule" in warning.message for warning in gathered.warnings)
    assert communication(manual).bytes_sent == 0
    assert not manual.warnings


@pytest.mark.parametrize(("spec", "sent"), [(P("x"), 0), (P("x", "y"), 2 * 4 * 2 * 16 / 2)])
def test_symmetric_products(spec: P, sent: float) -> None:
    """A call of a library for all matrices of a batch: none of them changes its place."""

    def call(a: jax.Array, c: jax.Array) -> jax.Array:
        return jax.lax.linalg.symmetric_product(a, c, alpha=2.0, beta=3.0, symmetrize_output=False)

    partitioned = _partitioned(call, spec, *[(8, 4, 4)] * 2, dtype=jnp.float32, platform="cuda")
    assert "solver_syrk_ffi" in partitioned.text
    assert "tensor<2x4x4xf32>" in partitioned.text
    assert communication(partitioned).bytes_sent == sent
