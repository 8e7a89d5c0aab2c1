"""Functions of `jit` under JAX's transformations, outside of any other program."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import checkify

from tests.execution.surface import cases

cases(
    __name__,
    grad=lambda jit, at: jax.grad(jit(lambda x: jnp.sin(x).sum()))(at.x),
    grad_of_product=lambda jit, at: jax.grad(jit(lambda x, w: (x @ w).sum()), (0, 1))(at.x, at.w),
    grad_with_auxiliary=lambda jit, at: jax.grad(jit(lambda x: (x.sum(), x * 2)), has_aux=True)(at.x),
    value_and_grad=lambda jit, at: jax.value_and_grad(jit(lambda x: (x**3).sum()))(at.x),
    grad_inside=lambda jit, at: jit(jax.grad(lambda x: jnp.tanh(x @ at.w).sum()))(at.x),
    grad_of_shardings=lambda jit, at: jax.grad(
        lambda x: jit(lambda y: y * 2, in_shardings=at.on("data"), out_shardings=at.on("model"))(x).sum()
    )(at.host),
    jvp=lambda jit, at: jax.jvp(jit(jnp.sin), (at.x,), (at.x,)),
    vjp=lambda jit, at: jax.vjp(jit(lambda x: x @ x.T), at.x)[1](jnp.ones((8, 8))),
    linearize=lambda jit, at: (lambda r: (r[0], r[1](at.x)))(jax.linearize(jit(jnp.sin), at.x)),
    hessian=lambda jit, at: jax.hessian(jit(lambda v: (v**3).sum()))(at.v),
    vmap=lambda jit, at: jax.vmap(jit(lambda r: r * r.sum()))(at.x),
    vmap_spmd=lambda jit, at: jax.vmap(jit(lambda r: r * 2), spmd_axis_name="data")(at.x),
    vmap_shardings=lambda jit, at: jax.vmap(jit(lambda r: r * 2, in_shardings=at.on("model")))(at.whole),
    checkpoint=lambda jit, at: jax.grad(jax.checkpoint(jit(lambda x: jnp.sin(x).sum())))(at.x),
    scan=lambda jit, at: lax.scan(jit(lambda c, r: (c + r, c)), jnp.zeros(4), at.x),
    while_loop=lambda jit, at: lax.while_loop(lambda c: c.sum() < 99, jit(lambda c: c * 2 + 1), at.x),
    nested=lambda jit, at: jit(lambda x: jit(jnp.sin)(x) + jit(jnp.cos)(x))(at.x),
    nested_shardings=lambda jit, at: jit(lambda x: jit(jnp.sin, out_shardings=at.on("model"))(x) * 2)(at.x),
    nested_donation=lambda jit, at: jit(lambda x: jit(lambda y: y * 2, donate_argnums=0)(x) + 1)(at.x),
    nested_static=lambda jit, at: jit(lambda x: jit(lambda y, n: y * n, static_argnums=1)(x, 4))(at.x),
    custom_vjp_of_jitted=lambda jit, at: jax.grad(lambda x: cube(jit, x))(at.x),
    linear_transpose=lambda jit, at: jax.linear_transpose(jit(lambda x: x @ at.w), at.x)(jnp.ones((8, 8))),
    eval_shape=lambda jit, at: jnp.zeros(jax.eval_shape(jit(jnp.matmul), at.x, at.w).shape),
    make_jaxpr=lambda jit, at: str(jax.make_jaxpr(jit(jnp.matmul))(at.x, at.w)),
    checkified=lambda jit, at: (
        checkify.checkify(jit(lambda x: jnp.log(x)), errors=checkify.nan_checks)(at.x)[0].get() is not None
    ),
    checkified_inside=lambda jit, at: (lambda r: (str(r[0].get()), r[1]))(
        jit(checkify.checkify(lambda x: (checkify.check(x.sum() > 99, "small"), x * 2)[1]))(at.x)
    ),
    closure_convert=lambda jit, at: jax.closure_convert(jit(lambda v: v * 2), at.v)[0](at.v),
    threefry_partitionable=lambda jit, at: jit(lambda k: jax.random.normal(k, (8, 4)), out_shardings=at.on("data"))(
        jax.random.key(7)
    ),
    associative_scan=lambda jit, at: lax.associative_scan(jit(jnp.add), at.x),
    tree_map=lambda jit, at: jax.tree.map(jit(lambda x: x + 1), {"a": at.x, "b": at.v}),
    ensure_compile_time=lambda jit, at: jit(lambda x: x * concrete(jit))(at.x),
    under_set_mesh=lambda jit, at: under(at, lambda: jax.grad(jit(lambda x: (x**2).sum()))(at.e)),
)


def concrete(jit):
    with jax.ensure_compile_time_eval():
        return float(jit(lambda: jnp.float32(2) + 1)())


def under(at, run):
    with jax.set_mesh(at.explicit):
        return run()


def cube(jit, x):
    @jax.custom_vjp
    def f(y):
        return jit(lambda z: (z**3).sum())(y)

    f.defvjp(lambda y: (f(y), y), lambda y, ct: (jit(lambda z: 3 * z**2)(y) * ct,))
    return f(x)
