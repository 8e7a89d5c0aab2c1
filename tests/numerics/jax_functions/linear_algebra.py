"""Products, decompositions, solvers and Fourier transforms."""

from __future__ import annotations

import jax.numpy as jnp
import jax.scipy.linalg as linalg
import jax.scipy.signal as signal
import jax.scipy.sparse.linalg as sparse
import numpy as np
from jax import lax

from tests.numerics.jax_functions.registry import (
    add,
    add_whole,
    definite,
    imaginary,
    positive,
    real,
    regular,
    whole,
)

add("jnp.matmul", jnp.matmul, real(8, 6), real(6, 4))
add("jnp.matmul:batch", jnp.matmul, real(4, 8, 6), real(4, 6, 2))
add("jnp.matmul:vector", jnp.matmul, real(8, 6), real(6))
add("jnp.dot", jnp.dot, real(3, 8, 6), real(4, 6, 2))
add("jnp.vdot", jnp.vdot, real(8, 6), real(8, 6))
add("jnp.inner", jnp.inner, real(8, 6), real(4, 6))
add("jnp.outer", jnp.outer, real(8), real(6))
add("jnp.tensordot", lambda a, b: jnp.tensordot(a, b, ((0, 2), (1, 0))), real(8, 3, 6), real(6, 8, 2))
add("jnp.cross", jnp.cross, real(8, 3), real(3))
for spec, shapes in {
    "ij,jk->ik": ((8, 6), (6, 4)),
    "bij,bkj->bik": ((4, 8, 6), (4, 3, 6)),
    "ii->i": ((8, 8),),
    "ij->": ((8, 6),),
    "ij,ij->j": ((8, 6), (8, 6)),
    "i,j,k->kij": ((8,), (6,), (4,)),
    "bhqd,bhkd->bhqk": ((2, 4, 8, 3), (2, 4, 6, 3)),
    "ij,jk,kl->il": ((8, 6), (6, 4), (4, 2)),
    "abcd->dbca": ((2, 4, 3, 8),),
}.items():
    add(f"jnp.einsum:{spec}", lambda *x, s=spec: jnp.einsum(s, *x), *(real(*shape) for shape in shapes))
add_whole("jnp.matmul:whole", jnp.matmul, whole(9, 8, 6), whole(9, 6, 8))
add_whole(
    "dot_general:int8",
    lambda a, b: lax.dot_general(a, b, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32),
    whole(9, 8, 6, dtype=np.int8),
    whole(9, 6, 8, dtype=np.int8),
)
add("jnp.matmul:complex", jnp.matmul, imaginary(8, 6), imaginary(6, 4))
add("lax.batch_matmul", lax.batch_matmul, real(8, 3, 4), real(8, 4, 6))

# Decompositions: on sharded batches, and on sharded matrices ----------------------------------------

for batch in ((), (8,)):
    tag = "batch" if batch else "one"
    add(f"linalg.cholesky:{tag}", jnp.linalg.cholesky, definite(*batch, 6))
    add(f"linalg.inv:{tag}", jnp.linalg.inv, regular(*batch, 6))
    add(f"linalg.det:{tag}", jnp.linalg.det, regular(*batch, 4), tolerance=1e-4)
    add(f"linalg.slogdet:{tag}", jnp.linalg.slogdet, regular(*batch, 6))
    add(f"linalg.solve:{tag}", jnp.linalg.solve, regular(*batch, 6), real(*batch, 6, 4))
    add_whole(
        f"linalg.eigh:{tag}",
        lambda x: (lambda w, v: (w, jnp.abs(v)))(*jnp.linalg.eigh(x)),
        definite(*batch, 6),
        tolerance=1e-4,
    )
    add(f"linalg.eigvalsh:{tag}", jnp.linalg.eigvalsh, definite(*batch, 6), tolerance=1e-4)
    add_whole(
        f"linalg.svd:{tag}",
        lambda x: [jnp.abs(y) for y in jnp.linalg.svd(x, full_matrices=False)],
        real(*batch, 6, 4),
        tolerance=1e-4,
    )
    add(f"linalg.qr:{tag}", jnp.linalg.qr, real(*batch, 8, 4), tolerance=1e-4)
    add_whole(f"linalg.lu:{tag}", linalg.lu, regular(*batch, 6))
    add(f"linalg.norm:{tag}", lambda x: (jnp.linalg.norm(x), jnp.linalg.norm(x, axis=-1)), real(*batch, 8, 6))
    add(f"linalg.matrix_power:{tag}", lambda x: jnp.linalg.matrix_power(x, 3), definite(*batch, 6))
    add_whole(
        f"linalg.eigvals:{tag}",
        lambda x: jnp.sort(jnp.abs(jnp.linalg.eigvals(x)), axis=-1),
        regular(*batch, 6),
        tolerance=1e-4,
    )
    add(
        f"linalg.triangular_solve:{tag}",
        lambda a, b: lax.linalg.triangular_solve(a, b, left_side=True, lower=True),
        definite(*batch, 6),
        real(*batch, 6, 4),
    )
    add(f"linalg.expm:{tag}", lambda x: linalg.expm(x / 4), real(*batch, 4, 4), tolerance=1e-4)
add_whole("linalg.pinv", jnp.linalg.pinv, real(8, 4), tolerance=1e-4)
add_whole("linalg.lstsq", lambda a, b: jnp.linalg.lstsq(a, b)[0], real(8, 4), real(8, 2), tolerance=1e-4)
add_whole("linalg.matrix_rank", jnp.linalg.matrix_rank, regular(6))
add("linalg.multi_dot", lambda a, b, c: jnp.linalg.multi_dot([a, b, c]), real(8, 6), real(6, 4), real(4, 2))
add("linalg.cho_solve", lambda a, b: linalg.cho_solve(linalg.cho_factor(a), b), definite(6), real(6, 4))
add("linalg.lu_solve", lambda a, b: linalg.lu_solve(linalg.lu_factor(a), b), regular(6), real(6))
add("linalg.block_diag", lambda a, b: linalg.block_diag(a, b), real(4, 3), real(2, 4))
add("linalg.toeplitz", linalg.toeplitz, real(8), real(6))
add("linalg.solve_triangular", lambda a, b: linalg.solve_triangular(a, b, trans="T"), definite(6), real(6, 4))
add_whole("linalg.schur", lambda x: jnp.abs(jnp.linalg.det(linalg.schur(x)[0])), regular(4), tolerance=1e-4)
add_whole("linalg.hessenberg", lambda x: jnp.abs(linalg.hessenberg(x, calc_q=False)), regular(6), tolerance=1e-4)
add_whole(
    "linalg.tridiagonal_solve", lambda a, b: lax.linalg.tridiagonal_solve(a, a + 3, a, b), positive(8), real(8, 4)
)
add_whole(
    "sparse.cg",
    lambda a, b: sparse.cg(lambda x: a @ x, b, tol=1e-6)[0],
    definite(8),
    real(8),
    tolerance=1e-3,
)
add_whole(
    "sparse.gmres",
    lambda a, b: sparse.gmres(lambda x: a @ x, b, tol=1e-6)[0],
    definite(8),
    real(8),
    tolerance=1e-3,
)

# Fourier transforms ----------------------------------------------------------------------------------

for name in "fft ifft".split():
    for axis in (0, 1):
        function = getattr(jnp.fft, name)
        add(f"fft.{name}:{axis}", lambda x, f=function, d=axis: f(x, axis=d), imaginary(8, 12))
for axis in (0, 1):
    add(f"fft.rfft:{axis}", lambda x, d=axis: jnp.fft.rfft(x, axis=d), real(8, 12))
    add(f"fft.irfft:{axis}", lambda x, d=axis: jnp.fft.irfft(x, axis=d), imaginary(8, 6))
    add(f"fft.hfft:{axis}", lambda x, d=axis: jnp.fft.hfft(x, axis=d), imaginary(8, 6))
for name in "fft2 ifft2 fftn ifftn irfft2 irfftn".split():
    add(f"fft.{name}", getattr(jnp.fft, name), imaginary(4, 8, 6))
for name in "rfft2 rfftn".split():
    add(f"fft.{name}", getattr(jnp.fft, name), real(4, 8, 6))
add("fft.fftshift", lambda x: (jnp.fft.fftshift(x), jnp.fft.ifftshift(x)), real(8, 7))

# Convolutions ----------------------------------------------------------------------------------------

add("jnp.convolve", lambda a, b: (jnp.convolve(a, b), jnp.convolve(a, b, mode="same")), real(16), real(5))
add("jnp.correlate", lambda a, b: jnp.correlate(a, b, mode="full"), real(16), real(5))
add("signal.convolve2d", lambda a, b: signal.convolve2d(a, b, mode="same"), real(8, 8), real(3, 3))
add("signal.correlate2d", lambda a, b: signal.correlate2d(a, b, mode="valid"), real(8, 8), real(3, 3))
add("signal.fftconvolve", lambda a, b: signal.fftconvolve(a, b), real(16), real(5))
add_whole("signal.stft", lambda x: signal.stft(x, nperseg=8)[2], real(32))
add("signal.detrend", lambda x: signal.detrend(x, axis=0), real(8, 6), tolerance=1e-4)

for name, options, lhs, kernel in (
    ("same", {}, (4, 4, 8, 8), (8, 4, 3, 3)),
    ("groups", {"feature_group_count": 4}, (4, 8, 8, 8), (8, 2, 3, 3)),
    ("depthwise", {"feature_group_count": 8}, (4, 8, 8, 8), (8, 1, 3, 3)),
    ("batch_groups", {"batch_group_count": 4}, (8, 4, 8, 8), (8, 4, 3, 3)),
    ("stride", {"window_strides": (2, 1)}, (4, 4, 8, 8), (8, 4, 3, 3)),
    ("dilated", {"rhs_dilation": (2, 1)}, (4, 4, 8, 8), (8, 4, 3, 3)),
    ("transposed", {"lhs_dilation": (2, 2), "padding": ((1, 2), (2, 1))}, (4, 4, 4, 4), (8, 4, 3, 3)),
):
    given = {"window_strides": (1, 1), "padding": "SAME", **options}
    add(f"conv:{name}", lambda x, k, o=given: lax.conv_general_dilated(x, k, **o), real(*lhs), real(*kernel))
add(
    "conv:channels_last",
    lambda x, k: lax.conv_general_dilated(x, k, (1,), "VALID", dimension_numbers=("NWC", "WIO", "NWC")),
    real(4, 16, 3),
    real(5, 3, 8),
)
add(
    "conv:causal",
    lambda x, k: lax.conv_general_dilated(x, k, (1,), ((3, 0),), dimension_numbers=("NWC", "WIO", "NWC")),
    real(2, 16, 4),
    real(4, 4, 8),
)
add("lax.conv_transpose", lambda x, k: lax.conv_transpose(x, k, (2,), "SAME"), real(4, 8, 3), real(3, 3, 6))
