"""`shard_map` with each of the collectives, and `pmap`."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P

from tests.execution.surface import cases

X, D, M = P("data", "model"), P("data"), P(None, "model")


def mapped(body: Any, ins: Any = X, outs: Any = X, *names: str, **more: Any) -> Any:
    """A case that compiles a `shard_map` of `body` over the mesh, and something around it."""

    def run(jit: Any, at: Any) -> Any:
        function = jax.shard_map(body, mesh=at.mesh, in_specs=ins, out_specs=outs, **more)
        return jit(lambda *arrays: jax.tree.map(lambda r: r * 2, function(*arrays)))(
            *(getattr(at, name) for name in names or ("x",))
        )

    return run


RING = [(k, (k + 1) % 4) for k in range(4)]

cases(
    __name__,
    local=mapped(lambda p: jnp.sin(p)),
    psum=mapped(lambda p: lax.psum(p, "data"), X, M),
    psum_both=mapped(lambda p: lax.psum(p, ("data", "model")), X, P()),
    psum_tree=mapped(lambda p: lax.psum({"a": p, "b": p.sum()}, "data"), X, {"a": M, "b": P()}, check_vma=False),
    psum_of_constant=mapped(lambda p: p * lax.psum(1, "data")),
    psum_groups=mapped(lambda p: lax.psum(p, "data", axis_index_groups=[[0, 1], [2, 3]]), check_vma=False),
    pmean=mapped(lambda p: lax.pmean(p, "model"), X, D),
    pmax=mapped(lambda p: lax.pmax(p, "data"), X, M),
    pmin=mapped(lambda p: lax.pmin(p, ("model", "data")), X, P()),
    all_gather=mapped(lambda p: lax.all_gather(p, "data"), X, P(None, None, "model"), check_vma=False),
    all_gather_tiled=mapped(lambda p: lax.all_gather(p, "model", axis=1, tiled=True), X, D, check_vma=False),
    psum_scatter=mapped(
        lambda p: lax.psum_scatter(p, "model", scatter_dimension=0, tiled=True), X, P(("data", "model"))
    ),
    psum_scatter_untiled=mapped(lambda p: lax.psum_scatter(p, "model"), X, P(("data", "model"))),
    all_to_all=mapped(lambda p: lax.all_to_all(p, "model", 0, 1, tiled=True), X, P(("data", "model"))),
    all_to_all_untiled=mapped(lambda p: lax.all_to_all(p, "model", 0, 0), X, X),
    ppermute=mapped(lambda p: lax.ppermute(p, "data", RING)),
    ppermute_some=mapped(lambda p: lax.ppermute(p, "data", [(0, 2), (1, 3)])),
    pshuffle=mapped(lambda p: lax.pshuffle(p, "data", [3, 2, 1, 0])),
    pswapaxes=mapped(lambda p: lax.pswapaxes(p, "model", 0)),
    axis_index=mapped(lambda p: p + lax.axis_index("data") * 10 + lax.axis_index("model")),
    axis_index_both=mapped(lambda p: p + lax.axis_index(("model", "data"))),
    axis_size=mapped(lambda p: p * lax.axis_size("data")),
    pvary=mapped(lambda p: p + lax.pcast(jnp.ones(2), ("data", "model"), to="varying")),
    replicated_in=mapped(lambda p: p * lax.axis_index("data"), P(), P("data"), "whole"),
    replicated_out=mapped(lambda p: lax.psum(p.sum(), ("data", "model")), X, P()),
    two_arguments=mapped(lambda p, q: p @ q, (X, P("model")), P("data"), "x", "w", check_vma=False),
    matmul_reduced=mapped(lambda p, q: lax.psum(p @ q, "model"), (X, P("model")), D, "x", "w"),
    two_results=mapped(lambda p: (p, p.sum(0)), X, (X, P(("data", "model"))), check_vma=False),
    resharded_in=mapped(lambda p: p * 2, P("model", "data"), P("model", "data")),
    both_axes_in_one=mapped(lambda p: p * lax.axis_index("model"), P(("data", "model")), P(("data", "model"))),
    some_axes=mapped(lambda p: lax.psum(p, "data"), P("data"), P(), axis_names={"data"}),
    some_axes_constrained=mapped(lambda p: jnp.sin(p) @ p.T, P("data"), P("data"), axis_names={"data"}),
    nested=lambda jit, at: jit(
        lambda x: jax.shard_map(
            lambda p: jax.shard_map(
                lambda q: q + lax.axis_index("model"),
                in_specs=P(None, "model"),
                out_specs=P(None, "model"),
                axis_names={"model"},
            )(p),
            mesh=at.mesh,
            in_specs=P("data"),
            out_specs=P("data"),
            axis_names={"data"},
        )(x)
    )(at.x),
    in_scan=lambda jit, at: jit(
        lambda x: lax.scan(
            lambda c, _: (
                jax.shard_map(lambda p: lax.ppermute(p, "data", RING) + 1, mesh=at.mesh, in_specs=X, out_specs=X)(c),
                None,
            ),
            x,
            None,
            3,
        )[0]
    )(at.x),
    scan_inside=mapped(lambda p: lax.scan(lambda c, _: (lax.ppermute(c, "data", RING) * 2, None), p, None, 4)[0]),
    while_inside=mapped(
        lambda p: lax.while_loop(lambda c: lax.psum(c.sum(), ("data", "model")) < 90.0, lambda c: c * 2 + 1, p)
    ),
    cond_inside=mapped(lambda p: lax.cond(lax.axis_index("data") == 1, lambda: p * 3, lambda: p)),
    grad_of=lambda jit, at: jit(
        jax.grad(
            lambda x: jax.shard_map(
                lambda p: lax.psum((p**2).sum(), ("data", "model")), mesh=at.mesh, in_specs=X, out_specs=P()
            )(x)
        )
    )(at.x),
    grad_inside=mapped(lambda p: jax.grad(lambda q: (q**3).sum())(p)),
    vmap_of=lambda jit, at: jit(
        lambda x: jax.vmap(
            jax.shard_map(lambda p: lax.psum(p, "model"), mesh=at.mesh, in_specs=P("model"), out_specs=P())
        )(x)
    )(at.x),
    remat=lambda jit, at: jit(
        jax.grad(lambda x: jax.checkpoint(jax.shard_map(jnp.sin, mesh=at.mesh, in_specs=X, out_specs=X))(x).sum())
    )(at.x),
    sort_inside=mapped(lambda p: jnp.sort(lax.all_gather(p, "data", tiled=True), 0), X, M, check_vma=False),
    random_inside=mapped(
        lambda p: p + jax.random.uniform(jax.random.fold_in(jax.random.key(0), lax.axis_index("data")), p.shape)
    ),
    fft_inside=mapped(lambda p: jnp.abs(jnp.fft.fft(p, axis=1))),
    linalg_inside=mapped(lambda p: jnp.linalg.norm(p, axis=1, keepdims=True) * p),
    wrong_spec=mapped(lambda p: p, P("data", "model", "data"), X),
    wrong_rank=mapped(lambda p: p.sum(), X, X),
    not_replicated=mapped(lambda p: p, X, P()),
    indivisible=mapped(lambda p: p, P(None, ("data", "model")), X),
    ring_matmul=mapped(
        lambda p, q: lax.fori_loop(
            0, 4, lambda k, c: (c[0] + p.sum() * c[1], lax.ppermute(c[1], "data", RING)), (jnp.zeros_like(q), q)
        )[0],
        (D, D),
        D,
        "rows",
        "rows",
        check_vma=False,
    ),
    eager=lambda jit, at: jax.shard_map(jit(jnp.sin), mesh=at.mesh, in_specs=X, out_specs=X)(at.x),
    decorated=lambda jit, at: jit(jax.shard_map(mesh=at.mesh, in_specs=X, out_specs=X)(lambda p: p + 1))(at.x),
    inferred_specs=lambda jit, at: with_mesh(
        at, lambda: jit(lambda e: jax.shard_map(lambda p: p * 2, out_specs=X)(e))(at.e)
    ),
    pmap=lambda jit, at: jax.pmap(lambda v: v * 2)(np.arange(8.0, dtype=np.float32)),
    pmap_psum=lambda jit, at: jax.pmap(lambda v: lax.psum(v, "i"), axis_name="i")(np.arange(8.0, dtype=np.float32)),
    pmap_of_jitted=lambda jit, at: jax.pmap(jit(lambda v: v * 2))(np.arange(8.0, dtype=np.float32)),
    pmap_inside=lambda jit, at: jit(jax.pmap(lambda v: v * 2))(np.arange(8.0, dtype=np.float32)),
    pmap_some=lambda jit, at: jax.pmap(lambda v, s: v * s, in_axes=(0, None))(at.host, np.float32(3)),
)


def with_mesh(at: Any, run: Any) -> Any:
    with jax.set_mesh(at.explicit):
        return run()
