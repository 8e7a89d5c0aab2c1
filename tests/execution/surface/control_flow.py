"""Loops, branches, and what else holds a program inside of a program."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from tests.execution.surface.family import family


def step(carry: Any, row: Any) -> Any:
    return carry * 0.5 + row, carry.sum()


family(
    __name__,
    scan=lambda a: lax.scan(step, jnp.zeros(4), a.x),
    scan_sharded_carry=lambda a: lax.scan(lambda c, _: (jnp.sin(c), c[0]), a.x, None, length=3),
    scan_reverse=lambda a: lax.scan(step, jnp.zeros(4), a.rows, reverse=True),
    scan_unrolled=lambda a: lax.scan(step, a.x[0], a.columns, unroll=3),
    scan_fully_unrolled=lambda a: lax.scan(step, a.x[0], a.x, unroll=True),
    scan_no_rounds=lambda a: lax.scan(step, a.x[0], a.x[:0]),
    scan_tuple=lambda a: lax.scan(lambda c, s: ((c[1], c[0] + s["v"]), s["i"]), (0.0, 1.0), {"v": a.v, "i": a.i}),
    scan_matmul=lambda a: lax.scan(lambda c, _: (jnp.tanh(c @ a.w @ a.w.T), None), a.x, length=2)[0],
    scan_in_scan=lambda a: lax.scan(lambda c, r: (lax.scan(lambda d, e: (d + e, None), c, r)[0], c), 0.0, a.x),
    scan_of_keys=lambda a: lax.scan(
        lambda k, _: (jax.random.split(k)[0], jax.random.uniform(k, (4,))), jax.random.key(3), None, length=3
    )[1],
    fori=lambda a: lax.fori_loop(0, 4, lambda k, c: c + k * a.x, a.x),
    fori_dynamic=lambda a: lax.fori_loop(0, a.i[0], lambda k, c: c + k * a.x, a.x),
    fori_update=lambda a: lax.fori_loop(0, 8, lambda k, c: c.at[k].set(c[k] * k), a.x),
    while_=lambda a: lax.while_loop(lambda c: c[0].sum() < 90.0, lambda c: (c[0] + 1.0, c[1] * 2.0), (a.x, a.v)),
    while_no_rounds=lambda a: lax.while_loop(lambda c: c[0, 0] > 99, lambda c: c + 1, a.x),
    while_counts=lambda a: lax.while_loop(lambda c: (c < a.i.sum()).all(), lambda c: c + 7, 0),
    cond=lambda a: lax.cond(a.v[0] > 9, lambda x: x + 1, lambda x: x - 1, a.x),
    cond_no_operand=lambda a: lax.cond(a.i[1] == 1, lambda: a.x * 2, lambda: a.columns),
    cond_closes_over=lambda a: lax.cond(a.v.sum() > 0, lambda: a.x @ a.w, lambda: a.rows @ a.w),
    cond_python=lambda a: lax.cond(True, lambda v: v, lambda v: -v, a.v),
    switch=lambda a: lax.switch(a.i[2] % 3, [jnp.sin, jnp.cos, jnp.tanh], a.x),
    switch_out_of_range=lambda a: lax.switch(a.i[5] * 7, [lambda x: x, lambda x: x * 2], a.x),
    switch_batched=lambda a: jax.vmap(lambda i, r: lax.switch(i % 2, [jnp.sin, jnp.cos], r))(a.i, a.x),
    cond_batched=lambda a: jax.vmap(lambda v, r: lax.cond(v > 0, jnp.sin, jnp.cos, r))(a.v, a.x),
    platform_dependent=lambda a: lax.platform_dependent(a.x, cpu=lambda x: x + 1, default=lambda x: x - 1),
    map_=lambda a: lax.map(lambda r: r @ a.w, a.x),
    map_batched=lambda a: lax.map(lambda r: r * 2, a.x, batch_size=3),
    associative_scan=lambda a: lax.associative_scan(jnp.maximum, a.x, axis=0),
    inner_jit=lambda a: jax.jit(lambda x: x * 2)(a.x) + jax.jit(lambda x: x.sum())(a.x),
    inner_jit_same_twice=lambda a: (f := jax.jit(lambda x: jnp.sin(x)), f(a.x) + f(a.rows))[1],
    inner_jit_inlined=lambda a: jax.jit(lambda x: x * 3, inline=True)(a.x),
    inner_jit_static=lambda a: jax.jit(lambda x, n: x**n, static_argnums=1)(a.x, 3),
    inner_jit_no_result=lambda a: (jax.jit(lambda x: ())(a.x), a.v),
    recursion=lambda a: (lambda f: f(f, a.x, 3))(
        lambda f, x, n: x if n == 0 else jax.jit(f, static_argnums=(0, 2))(f, x + 1, n - 1)
    ),
    named_scope=lambda a: jax.named_call(lambda x: x + 1, name="layer")(a.x),
    barrier=lambda a: lax.optimization_barrier((a.x, a.v)),
    eval_shape=lambda a: jnp.zeros(jax.eval_shape(lambda x: x @ a.w, a.x).shape),
    constant_time=lambda a: a.v + float(jnp.arange(3).size),
    reduce_pairs=lambda a: lax.reduce(
        (a.v, a.i), (-jnp.inf, 0), lambda p, q: (jnp.maximum(p[0], q[0]), jnp.where(p[0] >= q[0], p[1], q[1])), (0,)
    ),
    reduce_window=lambda a: lax.reduce_window(a.x, 0.0, lax.add, (3, 1), (1, 1), "SAME"),
    select_and_gather=lambda a: jax.grad(
        lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (2, 2), "VALID").sum()
    )(a.x),
    token_chain=lambda a: lax.optimization_barrier(a.x) * 2,
    empty_tree=lambda a: {"none": None, "empty": (), "list": []},
    python_scalars=lambda a: (1, 2.0, True, 1j, a.v.sum() * 2),
    same_twice=lambda a: (a.x, a.x),
    forwarded=lambda a: (a.rows, a.i),
    constant=lambda a: jnp.arange(8),
)
