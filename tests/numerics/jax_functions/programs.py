"""Control flow, transformations, random numbers, statistics, and larger library functions."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import jax.scipy.ndimage as ndimage
import jax.scipy.optimize as optimize
import jax.scipy.stats as stats
from jax import lax

from tests.numerics.jax_functions.registry import (
    add,
    add_moving,
    add_whole,
    definite,
    distinct,
    flags,
    positive,
    real,
    unit,
    whole,
)

add(
    "lax.scan",
    lambda x, w: lax.scan(lambda c, r: (jnp.tanh(c @ w + r), c.sum()), jnp.zeros(6), x),
    real(8, 6),
    real(6, 6),
)
add("lax.scan:reverse", lambda x: lax.scan(lambda c, r: (c * r, c + r), jnp.ones(6), x, reverse=True), positive(8, 6))
add("lax.scan:unrolled", lambda x: lax.scan(lambda c, r: (c + r, c), jnp.zeros(6), x, unroll=2), real(8, 6))
add("lax.fori_loop", lambda x: lax.fori_loop(0, 3, lambda i, c: c * 2 + i, x), real(8, 6))
add_whole(
    "lax.while_loop",
    lambda x: lax.while_loop(lambda s: s[0].sum() < 300, lambda s: (s[0] * 2, s[1] + 1), (x, 0)),
    positive(8, 6),
)
add("lax.cond", lambda p, x, y: lax.cond(p > 2, lambda: x @ y, lambda: -(x @ y)), whole(5), real(8, 6), real(6, 4))
add(
    "lax.cond:shardings",
    lambda p, x: lax.cond(p > 2, lambda a: a.T.reshape(8, 6), lambda a: a[::-1], x),
    whole(5),
    real(8, 6),
)
add("lax.switch", lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, lambda a: a - a.sum(0)], x), whole(3), real(8, 6))
add("lax.map", lambda x: lax.map(lambda r: r * r.sum(), x), real(8, 6))
add_moving("lax.select_n", lambda i, x: lax.select_n(i, x, -x, 2 * x), whole(3, 8, 6), real(8, 6))
add(
    "nested_loops",
    lambda x: lax.fori_loop(0, 2, lambda i, c: lax.scan(lambda a, r: (a + r, a * r), c[0], c)[1], x),
    real(8, 6),
)
add("checkpoint", lambda x, w: jax.checkpoint(lambda a: jnp.tanh(a @ w) @ w.T)(x).sum(1), real(8, 6), real(6, 4))
add("vmap", jax.vmap(lambda x, y: jnp.outer(x, y).sum(0)), real(8, 6), real(8, 4))
add("jvp", lambda x, t: jax.jvp(lambda a: jnp.sin(a) @ a.T, (x,), (t,)), real(8, 6), real(8, 6))
add_whole("jacobian", lambda x: jax.jacrev(lambda a: jnp.sin(a).sum(0))(x), real(4, 6))
add_whole("hessian", lambda x: jax.hessian(lambda a: (jnp.sin(a) ** 3).sum())(x), real(8))
add("custom_jvp", jax.nn.relu, real(8, 6))
add("inner_jit", lambda x: jax.jit(lambda a: a * 2)(x) + jax.jit(lambda a: a.sum(0))(x), real(8, 6))
add("apply_along_axis", lambda x: jnp.apply_along_axis(lambda r: r / r.sum(), 0, x), positive(8, 6))
add("linearize", lambda x, t: jax.linearize(jnp.cumsum, x)[1](t), real(8), real(8))

# Random numbers: the keys are the same, so are the numbers -------------------------------------------

KEY = functools.partial(jax.random.key, 7)
for name, options in {
    "uniform": {}, "normal": {}, "gumbel": {}, "laplace": {}, "exponential": {}, "logistic": {}, "rademacher": {},
    "cauchy": {}, "bernoulli": {}, "bits": {},
}.items():  # fmt: skip
    function = getattr(jax.random, name)
    add_whole(f"random.{name}", lambda x, f=function, o=options: f(KEY(), shape=x.shape, **o) * x, real(8, 6))
add_whole(
    "random.keys", lambda k, x: jax.random.uniform(jax.random.fold_in(KEY(), k), (8, 6)) * x, whole(99), real(8, 6)
)
add_whole("random.randint", lambda x: jax.random.randint(KEY(), (8, 6), 0, 9) + x, whole(9, 8, 6))
add_whole("random.truncated_normal", lambda x: jax.random.truncated_normal(KEY(), -1, 1, (8, 6)) * x, real(8, 6))
add_whole("random.categorical", lambda x: jax.random.categorical(KEY(), x, axis=1), real(8, 6))
add_whole("random.permutation", lambda x: jax.random.permutation(KEY(), x), real(8, 6), tolerance=0)
add_whole("random.choice", lambda x: jax.random.choice(KEY(), x, (5,), replace=False), real(8, 6), tolerance=0)
add_whole("random.gamma", lambda a: jax.random.gamma(KEY(), a), positive(8, 6), tolerance=1e-4)
add_whole("random.poisson", lambda a: jax.random.poisson(KEY(), a), positive(8, 6))
add_whole("random.dirichlet", lambda a: jax.random.dirichlet(KEY(), a), positive(8, 6), tolerance=1e-4)
add_whole("random.beta", lambda a: jax.random.beta(KEY(), a, 1.5), positive(8, 6), tolerance=1e-4)
add_whole(
    "random.multivariate_normal",
    lambda c: jax.random.multivariate_normal(KEY(), jnp.zeros(4), c, (8,)),
    definite(4),
    tolerance=1e-4,
)
add_whole(
    "random.split",
    lambda x: jax.vmap(lambda k, r: jax.random.normal(k, (6,)) + r)(jax.random.split(KEY(), 8), x),
    real(8, 6),
)
add("dropout", lambda x: jnp.where(jax.random.bernoulli(KEY(), 0.7, x.shape), x / 0.7, 0), real(8, 6))

# Statistics ------------------------------------------------------------------------------------------

add("stats.norm.logpdf", stats.norm.logpdf, real(8, 6), real(6), positive(8, 1))
add_whole("stats.norm.cdf", lambda x: (stats.norm.cdf(x), stats.norm.sf(x)), real(8, 6))
add("stats.beta.logpdf", lambda x, a: stats.beta.logpdf(x, a, 2.0), unit(8, 6), positive(6))
add("stats.gamma.logpdf", stats.gamma.logpdf, positive(8, 6), positive(6))
add("stats.t.logpdf", lambda x: stats.t.logpdf(x, 3.0), real(8, 6))
add_whole("stats.poisson.logpmf", stats.poisson.logpmf, whole(9, 8, 6), positive(6))
add(
    "stats.multivariate_normal",
    lambda x, c: stats.multivariate_normal.logpdf(x, jnp.zeros(4), c),
    real(8, 4),
    definite(4),
)
add_whole("stats.gaussian_kde", lambda d, x: stats.gaussian_kde(d)(x), real(16), real(8), tolerance=1e-4)
add_whole("stats.rankdata", lambda x: stats.rankdata(x, axis=0), distinct(8, 6))
add_whole("stats.mode", lambda x: stats.mode(x, axis=0).mode, whole(3, 8, 6))

# Larger functions ------------------------------------------------------------------------------------

add(
    "nn.dot_product_attention",
    lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=True),
    real(2, 8, 4, 6),
    real(2, 8, 4, 6),
    real(2, 8, 4, 6),
)
for method in "nearest linear cubic lanczos3".split():
    add(f"image.resize:{method}", lambda x, m=method: jax.image.resize(x, (16, 5), m), real(8, 6))
add(
    "ndimage.map_coordinates",
    lambda x, c: ndimage.map_coordinates(x, [c[0] * 7, c[1] * 5], order=1),
    real(8, 6),
    unit(2, 16),
)
add("jnp.polyval", jnp.polyval, real(4), real(8, 6))
add_whole("jnp.polyfit", lambda x, y: jnp.polyfit(x, y, 2), distinct(8), real(8), tolerance=1e-3)
add_whole("jnp.roots", lambda p: jnp.sort(jnp.abs(jnp.roots(p, strip_zeros=False))), positive(5), tolerance=1e-3)
add_whole(
    "scipy.minimize",
    lambda x, a: optimize.minimize(lambda v: v @ a @ v - v.sum(), x, method="BFGS").x,
    real(4),
    definite(4),
    tolerance=1e-2,
)
add(
    "layer_norm",
    lambda x, g: (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-3) * g,
    real(8, 6),
    real(6),
)
add(
    "cross_entropy",
    lambda x, i: -jnp.take_along_axis(jax.nn.log_softmax(x), i[:, None], 1).mean(),
    real(8, 6),
    whole(6, 8),
)
add("batch_norm", lambda x: (x - x.mean((0, 1))) / jnp.sqrt(x.var((0, 1)) + 1e-3), real(8, 4, 6))
add("rotary", lambda x: jnp.concatenate([-x[..., 4:], x[..., :4]], -1) * jnp.cos(x), real(4, 6, 8))
add("gated_halves", lambda x: x[..., :4] * jnp.tanh(x[..., 4:]), real(4, 6, 8))
add(
    "masked_attention",
    lambda q, k, m: jax.nn.softmax(jnp.where(m, q @ k.T, -1e9), axis=-1) @ k,
    real(8, 6),
    real(8, 6),
    flags(8, 8),
)
add(
    "mixture_of_experts",
    lambda x, w, g: jnp.einsum("te,edf,td->tf", jax.nn.softmax(x @ g), w, x),
    real(8, 6),
    real(4, 6, 8),
    real(6, 4),
)
add("ragged_dot", lambda x, w: lax.ragged_dot(x, w, jnp.array([2, 5, 1], jnp.int32)), real(8, 6), real(3, 6, 4))
