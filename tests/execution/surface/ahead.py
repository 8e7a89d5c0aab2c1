"""Ahead of time: trace, lower, compile, call; and exporting."""

from __future__ import annotations

from typing import Any

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
from jax.experimental import serialize_executable

from tests.execution.surface import case, cases
from tests.execution.surface.setting import At


def shape(*sizes: Any, dtype: Any = np.float32, **more: Any) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(sizes, dtype, **more)


def compiled(jit: Any, function: Any, *arguments: Any, **options: Any) -> Any:
    return jit(function, **options).lower(*arguments).compile()


cases(
    __name__,
    call=lambda jit, at: compiled(jit, lambda x: x * 2, at.x)(at.x),
    from_shapes=lambda jit, at: compiled(jit, jnp.matmul, shape(8, 4, sharding=at.on("data")), shape(4, 8))(
        at.rows, at.put(np.asarray(at.w))
    ),
    from_trace=lambda jit, at: jit(lambda x: x.sum(0)).trace(at.x).lower().compile()(at.x),
    static=lambda jit, at: jit(lambda x, n: x * n, static_argnums=1).lower(at.x, 3).compile()(at.x),
    named=lambda jit, at: jit(lambda x, *, k: x * k).lower(at.x, k=at.rows).compile()(at.x, k=at.rows),
    tree=lambda jit, at: compiled(jit, lambda t: {"s": t["a"] + t["b"]}, {"a": at.x, "b": at.x})(
        {"a": at.x, "b": at.x}
    ),
    wrong_shape=lambda jit, at: compiled(jit, jnp.sin, at.x)(at.w),
    wrong_type=lambda jit, at: compiled(jit, lambda v: v * 2, at.v)(at.i),
    wrong_sharding=lambda jit, at: compiled(jit, jnp.sin, at.x)(at.columns),
    wrong_tree=lambda jit, at: compiled(jit, lambda t: t["a"], {"a": at.x})({"b": at.x}),
    wrong_count=lambda jit, at: compiled(jit, jnp.sin, at.x)(),
    wrong_name=lambda jit, at: compiled(jit, jnp.sin, at.x)(y=at.x),
    traced=lambda jit, at: jax.grad(lambda x: compiled(jit, jnp.sum, at.x)(x))(at.x),
    host_argument=lambda jit, at: compiled(jit, jnp.sin, shape(8, 4), in_shardings=at.on("data"))(at.host),
    donated=lambda jit, at: (lambda c, f: (f(c), c.is_deleted()))(
        jnp.copy(at.x), compiled(jit, lambda x: x + 1, at.x, donate_argnums=0)
    ),
    input_shardings=lambda jit, at: str(compiled(jit, jnp.matmul, at.x, at.w).input_shardings),
    output_shardings=lambda jit, at: str(compiled(jit, jnp.matmul, at.x, at.w).output_shardings),
    formats=lambda jit, at: str((lambda c: (c.input_formats, c.output_formats))(compiled(jit, jnp.sin, at.x))),
    information=lambda jit, at: str(
        (lambda c: (c.args_info, c.out_info, c.in_avals, c.in_tree, c.out_tree))(compiled(jit, jnp.matmul, at.x, at.w))
    ),
    runtime_name=lambda jit, at: compiled(jit, jnp.matmul, at.x, at.w).runtime_executable().name,
    memory=lambda jit, at: (lambda m: (m.argument_size_in_bytes, m.output_size_in_bytes, m.alias_size_in_bytes))(
        compiled(jit, lambda x: x + 1, at.x, donate_argnums=0).memory_analysis()
    ),
    text_of_trace=lambda jit, at: str(jit(jnp.matmul).trace(at.x, at.w).jaxpr),
    effects=lambda jit, at: str(jit(lambda x: x).trace(at.x).effects) if hasattr(jax.stages.Traced, "effects") else "",
    one_device=lambda jit, at: compiled(jit, lambda x: x @ x.T, at.host)(at.host),
    platforms=lambda jit, at: jit(jnp.sin).trace(at.x).lower(lowering_platforms=("cpu", "tpu")).as_text(),
    generic_text=lambda jit, at: jit(jnp.sin).lower(at.x).as_text("hlo"),
    unknown_dialect=lambda jit, at: jit(jnp.sin).lower(at.x).as_text("nonsense"),
    constant=lambda jit, at: compiled(jit, lambda: jnp.arange(8.0), out_shardings=at.on("data"))(),
    exported=lambda jit, at: jit(jax.export.export(jit(lambda x: x @ x.T))(at.x).call)(at.x),
    exported_and_called=lambda jit, at: jax.export.export(jit(lambda x: x * 2))(at.host).call(at.host),
    exported_for_one=lambda jit, at: jit(jax.export.export(jit(jnp.sin))(at.host).call)(at.x),
    exported_grad=lambda jit, at: jax.grad(lambda x: jit(jax.export.export(jit(jnp.sin))(at.x).call)(x).sum())(at.x),
    exported_result_shardings=lambda jit, at: str(
        jax.export.export(jit(jnp.sin, out_shardings=at.on("data")))(at.x).out_shardings_hlo
    ),
    exported_polymorphic=lambda jit, at: jit(
        jax.export.export(jit(lambda x: x.sum(0)))(shape(*jax.export.symbolic_shape("n, 4"))).call
    )(at.host),
    exported_too_few_devices=lambda jit, at: jax.export.export(jit(jnp.sin))(at.x).call(at.host),
    exported_text=lambda jit, at: [
        line.split(" loc(")[0]
        for line in jax.export.export(jit(jnp.matmul))(at.x, at.w).mlir_module().splitlines()
        if not line.startswith("#loc")
    ],
)


@case
def serialized_executable(jit: Any, at: At) -> Any:
    parts = serialize_executable.serialize(compiled(jit, lambda x: x * 2 + 1, at.x))
    return serialize_executable.deserialize_and_load(*parts)(at.x)


@case
def exported_and_serialized(jit: Any, at: At) -> Any:
    exported = jax.export.export(jit(lambda x: x @ x.T))(at.x)
    again = jax.export.deserialize(exported.serialize())
    return jit(again.call)(at.x)


@case
def compiled_is_shared(jit: Any, at: At) -> Any:
    function = jit(lambda x: x * 2)
    results = function(at.x), function.lower(at.x).compile()(at.x)
    return results, function._cache_size()
