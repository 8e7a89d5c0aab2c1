"""Reductions, scans along a dimension, counting and order."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import jax.scipy.special as special
import numpy as np
from jax import lax

from tests.numerics.jax_functions.registry import (
    add,
    add_moving,
    add_whole,
    distinct,
    flags,
    imaginary,
    positive,
    real,
    whole,
)

for name in "sum mean prod max min std var ptp median nansum nanmean nanmax nanprod nanstd".split():
    add(f"jnp.{name}:all", getattr(jnp, name), distinct(8, 6), tolerance=1e-4)
    function = getattr(jnp, name)
    add(f"jnp.{name}:axis", lambda x, f=function: f(x, axis=1), positive(8, 12))
for name in "sum mean max min var".split():
    function = getattr(jnp, name)
    add(f"jnp.{name}:axes", lambda x, f=function: f(x, axis=(0, 2), keepdims=True), positive(8, 6, 5))
for name in "all any count_nonzero".split():
    function = getattr(jnp, name)
    add_whole(f"jnp.{name}", lambda x, f=function: (f(x), f(x, axis=0)), flags(8, 6))
for name in "argmax argmin nanargmax nanargmin".split():
    function = getattr(jnp, name)
    add_whole(f"jnp.{name}", lambda x, f=function: (f(x), f(x, axis=0), f(x, axis=1)), distinct(8, 6))
for name in "cumsum cumprod nancumsum".split():
    function = getattr(jnp, name)
    add(f"jnp.{name}", lambda x, f=function: (f(x, axis=0), f(x, axis=1), f(x)), positive(8, 6))
for name in "cumsum cumprod cummax cummin cumlogsumexp".split():
    function = getattr(lax, name)
    add(f"lax.{name}:reverse", lambda x, f=function: f(x, axis=1, reverse=True), positive(6, 12))

add("jnp.sum:where", lambda x, m: jnp.sum(x, axis=0, where=m), real(8, 6), flags(8, 6))
add("jnp.sum:complex", lambda x: x.sum(0), imaginary(8, 6))
add_whole("jnp.sum:whole", lambda x: (x.sum(), x.sum(0), x.prod(1)), whole(5, 8, 6))
add("jnp.average", lambda x, w: jnp.average(x, axis=0, weights=w), real(8, 6), positive(8))
add("jnp.quantile", lambda x: jnp.quantile(x, jnp.array([0.25, 0.6]), axis=1), distinct(8, 12))
add("jnp.percentile", lambda x: jnp.percentile(x, 30, axis=0), distinct(8, 6))
add_whole("jnp.nanmedian", lambda x: jnp.nanmedian(jnp.where(x > 0, x, jnp.nan), axis=1), distinct(8, 6))
add("jnp.cov", jnp.cov, real(6, 8))
add("jnp.corrcoef", jnp.corrcoef, real(6, 8))
add("jnp.trapezoid", lambda x: jnp.trapezoid(x, axis=0), real(8, 6))
add("jnp.diff", lambda x: (jnp.diff(x, axis=0), jnp.diff(x, n=2, axis=1)), real(8, 6))
add("jnp.ediff1d", jnp.ediff1d, real(16))
add("jnp.gradient", lambda x: jnp.gradient(x), real(8, 6))
add("special.logsumexp", lambda x: (special.logsumexp(x), special.logsumexp(x, axis=0)), real(8, 6))
add("nn.softmax", lambda x: jax.nn.softmax(x, axis=0), real(8, 6))
add("nn.log_softmax", jax.nn.log_softmax, real(8, 6))
add("nn.standardize", jax.nn.standardize, real(8, 6), tolerance=1e-4)
add("lax.associative_scan", lambda x: lax.associative_scan(jnp.multiply, x, axis=0), positive(8, 6))
add("lax.associative_scan:reverse", lambda x: lax.associative_scan(jnp.add, x, axis=1, reverse=True), real(6, 7))
add(
    "lax.associative_scan:pair",
    lambda a, b: lax.associative_scan(lambda p, q: (p[0] * q[0], p[1] * q[0] + q[1]), (a, b)),
    positive(8, 3),
    real(8, 3),
)
add_whole("lax.reduce:custom", lambda x: lax.reduce(x, 0.0, lambda a, b: a * b + a + b, (1,)), positive(8, 6))
add_whole(
    "lax.reduce:pair",
    lambda x, i: lax.reduce(
        (x, i),
        (-jnp.inf, jnp.int32(-1)),
        lambda a, b: (jnp.maximum(a[0], b[0]), jnp.where(a[0] >= b[0], a[1], b[1])),
        (0,),
    ),
    distinct(8, 6),
    whole(99, 8, 6),
)
for name in "reduce_and reduce_or reduce_xor".split():
    if hasattr(lax, name):
        function = getattr(lax, name)
        add_whole(f"lax.{name}", lambda x, f=function: f(x, (0,)), whole(999, 8, 6))

# Windows ---------------------------------------------------------------------------------------------

add("lax.reduce_window:max", lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (3, 2), (1, 2), "SAME"), distinct(8, 6))
add("lax.reduce_window:sum", lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 3), (1, 1), "VALID"), real(6, 16))
add(
    "lax.reduce_window:dilated",
    lambda x: lax.reduce_window(x, 0.0, lax.add, (3, 2), (2, 1), ((2, 1), (0, 1)), (2, 1), (1, 2)),
    real(8, 6),
)
add(
    "nn.avg_pool",
    lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4,
    real(4, 8, 8, 3),
)

# Order -----------------------------------------------------------------------------------------------

for axis in (0, 1):
    add_moving(f"jnp.sort:{axis}", lambda x, d=axis: jnp.sort(x, axis=d), distinct(8, 6))
    add_whole(f"jnp.argsort:{axis}", lambda x, d=axis: jnp.argsort(x, axis=d, descending=True), distinct(8, 6))
    add_moving(
        f"lax.sort:keys:{axis}",
        lambda a, b, c, d=axis: lax.sort((a, b, c), dimension=d, num_keys=2),
        whole(3, 8, 6),
        distinct(8, 6),
        real(8, 6),
        differentiable=False,
    )
add_moving("jnp.sort:whole", jnp.sort, whole(9, 8, 6))
add_moving(
    "jnp.partition", lambda x: jnp.sort(jnp.partition(x, 3, axis=1)[:, :3], 1), distinct(8, 6), differentiable=False
)
add_whole("jnp.argpartition", lambda x: jnp.sort(jnp.argpartition(x, 2, axis=1)[:, :2], 1), distinct(8, 6))
add_whole("jnp.lexsort", lambda a, b: jnp.lexsort((a, b)), whole(4, 24), whole(3, 24))
add_moving(
    "lax.sort_key_val",
    lambda k, v: lax.sort_key_val(k, v, dimension=0),
    distinct(8, 6),
    real(8, 6),
    differentiable=False,
)
for count in (1, 3, 6):
    add_moving(f"lax.top_k:{count}", lambda x, k=count: lax.top_k(x, k), distinct(8, 6))
add_moving("lax.top_k:axis", lambda x: lax.top_k(x.T, 2), distinct(8, 6))
add_moving("lax.top_k:whole", lambda x: lax.top_k(x, 2), whole(99, 8, 6))
add_moving("lax.approx_max_k", lambda x: lax.approx_max_k(x, 3), distinct(8, 16), differentiable=False)
add_moving(
    "lax.approx_min_k", lambda x: lax.approx_min_k(x, 2, reduction_dimension=0), distinct(8, 16), differentiable=False
)
add_whole("jnp.unique", lambda x: jnp.unique(x, size=6, return_counts=True, return_inverse=True), whole(6, 8, 3))
add_whole("jnp.union1d", lambda x, y: jnp.union1d(x, y, size=12), whole(9, 8), whole(12, 6))
add_whole("jnp.isin", jnp.isin, whole(9, 8, 6), whole(12, 6))
add_whole("jnp.searchsorted", lambda a, v: jnp.searchsorted(jnp.sort(a), v), distinct(16), distinct(8, 2))
add_whole("jnp.digitize", lambda x: jnp.digitize(x, jnp.array([-1.0, 0.0, 2.0])), real(8, 6))
add_whole("jnp.histogram", lambda x: jnp.histogram(x, bins=5, range=(-3, 3)), real(8, 6))
add_whole("jnp.histogram2d", lambda x, y: jnp.histogram2d(x, y, bins=3, range=((-3, 3), (-3, 3))), real(16), real(16))
add_whole("jnp.bincount", lambda x: jnp.bincount(x, length=9), whole(9, 24))
add_whole("jnp.bincount:weights", lambda x, w: jnp.bincount(x, w, length=9), whole(9, 24), real(24))
add_whole("jnp.nonzero", lambda x: jnp.nonzero(x, size=20), flags(8, 6))
add_whole("jnp.argwhere", lambda x: jnp.argwhere(x > 0, size=20), real(8, 6))
add("jnp.interp", jnp.interp, real(8, 2), lambda rng: np.linspace(-2, 2, 6, dtype=np.float32), real(6))
