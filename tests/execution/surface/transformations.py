"""Derivatives, batching, custom rules, rematerialization."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.ad_checkpoint import checkpoint_name

from tests.execution.surface.family import family


def loss(x: Any, w: Any) -> Any:
    return jnp.tanh(x @ w).sum()


@jax.custom_jvp
def clipped(x: Any) -> Any:
    return jnp.clip(x, -0.5, 0.5)


@clipped.defjvp
def _clipped_jvp(primals: Any, tangents: Any) -> Any:
    return clipped(primals[0]), 3 * tangents[0]


def _scaled(x: Any, factor: float) -> Any:
    return x * factor


scaled: Any = jax.custom_vjp(_scaled, nondiff_argnums=(1,))
scaled.defvjp(lambda x, factor: (scaled(x, factor), x), lambda factor, x, ct: (ct * factor + x,))


@jax.custom_batching.custom_vmap
def doubled(x: Any) -> Any:
    return 2 * x


@doubled.def_vmap
def _doubled_vmap(axis_size: int, in_batched: Any, x: Any) -> Any:
    return 3 * x, True


def newton(f: Any, guess: Any) -> Any:
    def step(x: Any) -> Any:
        return x - f(x) / jax.grad(lambda y: f(y).sum())(x)

    return lax.custom_root(
        f, guess, lambda g, x: lax.fori_loop(0, 8, lambda _, y: step(y), x), lambda g, y: y / g(jnp.ones_like(y))
    )


def solved(a: Any, b: Any) -> Any:
    return lax.custom_linear_solve(
        lambda v: a @ v, b, lambda _, v: jnp.linalg.solve(a, v), lambda _, v: jnp.linalg.solve(a.T, v)
    )


family(
    __name__,
    grad=lambda a: jax.grad(loss)(a.x, a.w),
    grad_of_two=lambda a: jax.grad(loss, (0, 1))(a.x, a.w),
    value_and_grad=lambda a: jax.value_and_grad(loss, 1)(a.rows, a.w),
    grad_with_auxiliary=lambda a: jax.grad(lambda x: ((x**3).sum(), x.max(0)), has_aux=True)(a.x),
    grad_of_grad=lambda a: jax.grad(lambda x: jax.grad(lambda y: (jnp.sin(y) * y).sum())(x).sum())(a.x),
    jvp=lambda a: jax.jvp(lambda x: jnp.sin(x) @ a.w, (a.x,), (a.rows,)),
    jvp_with_auxiliary=lambda a: jax.jvp(lambda x: (x * x, x.sum(1)), (a.x,), (a.columns,), has_aux=True),
    vjp=lambda a: jax.vjp(lambda x, w: x @ w, a.x, a.w)[1](jnp.ones((8, 8))),
    linearize=lambda a: jax.linearize(lambda x: jnp.exp(x), a.x)[1](a.rows),
    linear_transpose=lambda a: jax.linear_transpose(lambda x: x @ a.w, a.x)(jnp.ones((8, 8))),
    jacfwd=lambda a: jax.jacfwd(lambda v: jnp.cumsum(v * v))(a.v),
    jacrev=lambda a: jax.jacrev(lambda v: jnp.sort(v) * v[::-1])(a.v),
    hessian=lambda a: jax.hessian(lambda v: (v**4).sum() * v[0])(a.v),
    hvp=lambda a: jax.jvp(jax.grad(lambda x: (x**3).sum()), (a.x,), (a.rows,))[1],
    vmap=lambda a: jax.vmap(jnp.dot)(a.x, a.rows),
    vmap_second=lambda a: jax.vmap(jnp.sum, in_axes=1, out_axes=0)(a.x),
    vmap_none=lambda a: jax.vmap(jnp.multiply, in_axes=(0, None))(a.v, a.whole),
    vmap_dict=lambda a: jax.vmap(lambda t: t["p"] + t["q"].sum(), in_axes=({"p": 0, "q": 1},))({"p": a.v, "q": a.w}),
    vmap_of_vmap=lambda a: jax.vmap(jax.vmap(lambda p, q: p * q, (0, None)), (None, 0))(a.v, a.i.astype(jnp.float32)),
    vmap_named=lambda a: jax.vmap(lambda r: r - lax.pmean(r, "rows"), axis_name="rows")(a.x),
    vmap_collectives=lambda a: jax.vmap(
        lambda r: (lax.psum(r, "r"), lax.axis_index("r"), lax.all_gather(r, "r")), axis_name="r"
    )(a.v),
    vmap_ppermute=lambda a: jax.vmap(
        lambda r: lax.ppermute(r, "r", [(k, (k + 3) % 8) for k in range(8)]), axis_name="r"
    )(a.x),
    vmap_all_to_all=lambda a: jax.vmap(lambda r: lax.all_to_all(r, "r", 0, 0), axis_name="r")(
        a.w.T.reshape(8, 4).repeat(2, 1)
    ),
    vmap_of_grad=lambda a: jax.vmap(jax.grad(lambda v: jnp.linalg.norm(v + 2)))(a.x),
    grad_of_vmap=lambda a: jax.grad(lambda x: jax.vmap(jnp.prod)(x).sum())(a.x),
    vectorize=lambda a: jnp.vectorize(lambda p, q: p @ q, signature="(n),(n)->()")(a.x, a.rows),
    custom_jvp=lambda a: jax.jvp(clipped, (a.x,), (a.rows,)),
    custom_jvp_grad=lambda a: jax.grad(lambda x: clipped(x).sum())(a.x),
    custom_vjp=lambda a: jax.grad(lambda x: scaled(x, 2.5).sum())(a.x),
    custom_vjp_twice=lambda a: jax.grad(lambda x: scaled(scaled(x, 2.0), 3.0).sum())(a.x),
    custom_vjp_in_scan=lambda a: jax.grad(lambda x: lax.scan(lambda c, r: (c + scaled(r, 2.0).sum(), None), 0.0, x)[0])(
        a.x
    ),
    custom_vmap=lambda a: (jax.vmap(doubled)(a.x), doubled(a.x)),
    custom_root=lambda a: newton(lambda y: y**2 - (a.v + 4), a.v + 3),
    custom_root_grad=lambda a: jax.grad(lambda v: newton(lambda y: y**2 - (v + 4), v + 3).sum())(a.v),
    custom_linear_solve=lambda a: solved(a.w @ a.w.T + 9 * jnp.eye(4), a.w),
    custom_linear_solve_grad=lambda a: jax.grad(lambda w: solved(w @ w.T + 9 * jnp.eye(4), w).sum())(a.w),
    checkpoint=lambda a: jax.grad(lambda x: jax.checkpoint(loss)(x, a.w))(a.x),
    checkpoint_policy=lambda a: jax.grad(
        lambda x: jax.checkpoint(loss, policy=jax.checkpoint_policies.dots_saveable)(x, a.w)
    )(a.x),
    checkpoint_named=lambda a: jax.grad(
        jax.checkpoint(
            lambda x: jnp.sin(checkpoint_name(jnp.sin(x), "inner")).sum(),
            policy=jax.checkpoint_policies.save_only_these_names("inner"),
        )
    )(a.x),
    checkpoint_nothing=lambda a: jax.grad(
        jax.checkpoint(lambda x: jnp.tanh(x @ a.w).sum(), policy=jax.checkpoint_policies.nothing_saveable)
    )(a.rows),
    stop_gradient=lambda a: jax.grad(lambda x: (x * lax.stop_gradient(x)).sum())(a.x),
    closure_convert=lambda a: jax.closure_convert(lambda v: v * a.v, a.v)[0](a.v, a.v),
    float0=lambda a: jax.vjp(lambda v, i: v * i, a.v, a.i)[1](a.v)[0],
    integer_grad=lambda a: jax.grad(lambda i: (i**2).sum().astype(jnp.float32), allow_int=True)(a.i).shape[0] * a.v,
    complex_grad=lambda a: jax.grad(lambda z: jnp.abs(z**2).sum())(a.x + 1j * a.rows),
    holomorphic=lambda a: jax.grad(lambda z: (z**3).sum(), holomorphic=True)(a.x + 1j * a.rows),
    grad_through_while=lambda a: jax.jvp(
        lambda x: lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * x), (0, x))[1], (a.x,), (a.rows,)
    ),
    grad_through_scan=lambda a: jax.grad(
        lambda w: lax.scan(lambda c, r: (jnp.tanh(c + r @ w), c), jnp.zeros(8), a.x)[0].sum()
    )(a.w),
    grad_through_cond=lambda a: jax.grad(lambda x: lax.cond(x.sum() > 0, jnp.sin, jnp.cos, x).sum())(a.x),
    grad_through_sort=lambda a: jax.grad(lambda v: (jnp.sort(v) * jnp.arange(8.0)).sum())(a.v),
    grad_through_gather=lambda a: jax.grad(lambda x: (x[a.i % 8] ** 2).sum())(a.x),
    grad_through_scatter=lambda a: jax.grad(lambda v: (a.v.at[a.i % 8].add(v) ** 2).sum())(a.v),
    grad_through_constraint=lambda a: jax.grad(lambda x: (jnp.sin(x) ** 2).sum())(a.columns),
    fwd_and_bwd=lambda a: jax.vjp(lambda x: jnp.einsum("ij,jk,lk->il", x, a.w, a.x @ a.w), a.x)[0],
)
