"""Sharding in types: meshes with Explicit axes, and what goes with them."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P

from tests.execution.surface import cases
from tests.execution.surface.setting import At

AUTO_AXES: Any = jax.sharding.auto_axes


def at_e(at: At, run: Any, mesh: Any = None) -> Any:
    with jax.set_mesh(mesh or at.explicit):
        return run()


def cased(function: Any, *names: str, mesh: str = "explicit") -> Any:
    """A case that compiles `function` of arrays of the setting inside of the mesh's context."""
    return lambda jit, at: at_e(at, lambda: jit(function)(*(getattr(at, name) for name in names)), getattr(at, mesh))


cases(
    __name__,
    elementwise=cased(lambda x: jnp.sin(x) * 2 + 1, "e"),
    add_constant=cased(lambda x: x + jnp.ones((8, 4)), "e"),
    matmul=cased(lambda x, w: jnp.matmul(x, w, out_sharding=P("data", None)), "e", "ew"),
    matmul_ambiguous=cased(lambda x, w: x @ w, "e", "ew"),
    matmul_gathered=cased(lambda x, w: x @ jax.sharding.reshard(w, P(None, None)), "e", "ew"),
    einsum=cased(lambda x, w: jnp.einsum("ij,jk->ik", x, w, out_sharding=P(None, "model")), "e", "ew"),
    sum_=cased(lambda x: (x.sum(), x.sum(0), x.sum(1)), "e"),
    max_=cased(lambda x: (x.max(0), jnp.argmax(x, 1)), "e"),
    transpose=cased(lambda x: x.T, "e"),
    reshape=cased(lambda x: x.reshape(4, 2, 4), "e"),
    reshape_out=cased(lambda x: jax.lax.reshape(x, (32,), out_sharding=P(("data", "model"))), "e"),
    broadcast=cased(lambda x: jnp.broadcast_to(x, (3, 8, 4)), "e"),
    slice_=cased(lambda x: x[:, :2], "e"),
    slice_replicated=cased(lambda x: jax.sharding.reshard(x, P())[1:3], "e"),
    index=cased(lambda x: x.at[jnp.array([1, 3])].get(out_sharding=P(None, "model")), "e"),
    concatenate=cased(lambda x: jnp.concatenate([x, x], axis=1), "e"),
    pad=cased(lambda x: jnp.pad(jax.sharding.reshard(x, P("data", None)), ((0, 0), (1, 1))), "e"),
    cumsum=cased(lambda x: jnp.cumsum(jax.sharding.reshard(x, P(None, "model")), 0), "e"),
    sort=cased(lambda x: jnp.sort(jax.sharding.reshard(x, P("data", None)), 1), "e"),
    where=cased(lambda x: jnp.where(x > 0, x, -x), "e"),
    reshard=cased(lambda x: jax.sharding.reshard(x, P("model", "data")), "e"),
    reshard_replicated=cased(lambda x: jax.sharding.reshard(x, P()) + 1, "e"),
    reshard_indivisible=cased(lambda x: jax.sharding.reshard(x, P(None, ("data", "model"))), "e"),
    mismatched=cased(lambda x: x + jax.sharding.reshard(x, P("model", "data")), "e"),
    scan=cased(lambda x: jax.lax.scan(lambda c, _: (jnp.sin(c), c.sum()), x, None, length=3), "e"),
    while_=cased(lambda x: jax.lax.while_loop(lambda c: c.sum() < 60, lambda c: c * 2 + 1, x), "e"),
    cond=cased(lambda x: jax.lax.cond(x.sum() > 0, jnp.sin, jnp.cos, x), "e"),
    vmap=cased(lambda x: jax.vmap(lambda r: r * 2)(x), "e"),
    vmap_reduces=cased(lambda x: jax.vmap(lambda r: r.sum())(x), "e"),
    grad=cased(jax.grad(lambda x: jnp.sin(x).sum()), "e"),
    grad_of_matmul=cased(
        jax.grad(lambda x, w: jnp.matmul(x, w, out_sharding=P("data", None)).sum(), (0, 1)), "e", "ew"
    ),
    types=lambda jit, at: at_e(at, lambda: str(jit(lambda x: x * 2).trace(at.e).jaxpr)),
    zeros=cased(lambda x: jnp.zeros((8, 4), out_sharding=P("data")) + 1, "e"),
    iota=cased(lambda x: jax.lax.broadcasted_iota(jnp.int32, (8, 4), 0, out_sharding=P("data", None)), "e"),
    random=cased(lambda x: jax.random.normal(jax.random.key(0), (8, 4), out_sharding=P("data", "model")), "e"),
    auto_axes=cased(lambda x, w: AUTO_AXES(lambda p, q: p @ q, out_sharding=P("data", None))(x, w), "e", "ew"),
    auto_some_axes=cased(
        lambda x: jax.sharding.auto_axes(lambda p: jnp.sin(p) * 2, axes="model", out_sharding=P("data", "model"))(x),
        "e",
    ),
    explicit_axes=cased(
        lambda x: jax.sharding.explicit_axes(lambda p: p * 2, in_sharding=P("data", "model"))(x), "x", mesh="mesh"
    ),
    mixed=lambda jit, at: at_e(
        at, lambda: jit(lambda x: jnp.sin(x).sum(0))(at.put(at.host, None, "model", mesh=at.mixed)), at.mixed
    ),
    mixed_matmul=lambda jit, at: at_e(
        at, lambda: jit(lambda x: x @ x.T)(at.put(at.host, None, None, mesh=at.mixed)), at.mixed
    ),
    out_shardings=lambda jit, at: at_e(at, lambda: jit(jnp.sin, out_shardings=P("model"))(at.e)),
    in_shardings=lambda jit, at: at_e(at, lambda: jit(jnp.sin, in_shardings=P("data"))(at.host)),
    host_argument=lambda jit, at: at_e(at, lambda: jit(lambda x: x * 2)(at.host)),
    without_context=lambda jit, at: jit(lambda x: x.sum(0))(at.e),
    mesh_inside=lambda jit, at: at_e(
        at, lambda: jit(lambda x: jnp.ones(jax.sharding.get_abstract_mesh().shape["data"]) * x.sum())(at.e)
    ),
    cast_types=cased(lambda x: x.astype(jnp.bfloat16).sum(1), "e"),
    inner_jit=cased(lambda x: jax.jit(lambda y: y * 2)(x) + x, "e"),
    shard_map_inside=cased(
        lambda x: jax.shard_map(lambda p: p * 2, in_specs=P("data", "model"), out_specs=P("data", "model"))(x), "e"
    ),
    shard_map_some=cased(
        lambda x: jax.shard_map(
            lambda p: jax.lax.psum(p, "data"), in_specs=P("data"), out_specs=P(None), axis_names={"data"}
        )(x),
        "e",
    ),
    custom_vjp=cased(jax.grad(lambda x: jax.nn.relu(x).sum()), "e"),
    softmax=cased(lambda x: jax.nn.softmax(x, axis=1), "e"),
    one_hot=lambda jit, at: at_e(
        at, lambda: jit(lambda i: jax.nn.one_hot(i, 4))(at.put(np.arange(8) % 4, "data", mesh=at.explicit))
    ),
    donated=lambda jit, at: at_e(
        at, lambda: (lambda c: (jit(lambda x: x + 1, donate_argnums=0)(c), c.is_deleted()))(jnp.copy(at.e))
    ),
    lowered=lambda jit, at: at_e(at, lambda: jit(jnp.sin).lower(at.e).compile()(at.e)),
    abstract=lambda jit, at: at_e(at, lambda: str(jit(jnp.sin).eval_shape(at.e).sharding)),
    axis_types=lambda jit, at: at_e(at, lambda: str(jax.typeof(jit(jnp.sin)(at.e)))),
    new_mesh=lambda jit, at: jit(jnp.sin)(
        jax.device_put(
            at.host,
            jax.NamedSharding(jax.make_mesh((2, 4), ("p", "q"), axis_types=(AxisType.Explicit,) * 2), P("p", "q")),
        )
    ),
)
