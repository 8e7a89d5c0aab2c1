"""Text generated token by token, with the keys and values of earlier tokens kept."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from benchmarks.programs.registry import program
from tests.data.programs.registry import DATA_MODEL, mesh, placed, shape

BATCH, LENGTH, WIDTH, HEADS, WORDS, LAYERS = 8, 128, 64, 4, 256, 2


def _layer(p: dict[str, jax.Array], x: jax.Array, cache: Any, position: jax.Array) -> tuple[jax.Array, Any]:
    q, k, v = ((x @ p[name]).reshape(BATCH, HEADS, -1) for name in ("query", "key", "value"))
    keys, values = (
        jax.lax.dynamic_update_index_in_dim(old, new, position, 1) for old, new in zip(cache, (k, v), strict=True)
    )
    scores = jnp.einsum("bhd,bthd->bht", q, keys) * q.shape[-1] ** -0.5
    scores = jnp.where(jnp.arange(LENGTH) <= position, scores, -1e9)
    x = x + jnp.einsum("bht,bthd->bhd", jax.nn.softmax(scores), values).reshape(BATCH, -1) @ p["out"]
    return x + jax.nn.gelu(x @ p["up"]) @ p["down"], (keys, values)


def _next(parameters: Any, token: jax.Array, caches: Any, position: jax.Array) -> tuple[jax.Array, Any]:
    x = parameters["embedding"][token]
    kept: list[Any] = []
    for p, cache in zip(parameters["layers"], caches, strict=True):
        x, cache = _layer(p, x, cache, position)
        kept.append(cache)
    return jnp.argmax(x @ parameters["embedding"].T, axis=-1).astype(jnp.int32), kept


def _parameters() -> tuple[Any, Any]:
    shapes = {name: shape(WIDTH, WIDTH) for name in ("query", "key", "value", "out")}
    shapes |= {"up": shape(WIDTH, 4 * WIDTH), "down": shape(4 * WIDTH, WIDTH)}
    specs = {name: P("model") if name in ("out", "down") else P(None, "model") for name in shapes}
    embedding = shape(WORDS, WIDTH)
    return {"embedding": embedding, "layers": [shapes] * LAYERS}, {"embedding": P(), "layers": [specs] * LAYERS}


@program("decode_with_cache", at=P("data", None, "model"))
@program("decode_with_split_cache", at=P(None, "data", "model"))
def decode_with_cache(*, at: P) -> jax.stages.Lowered:
    """One token; the cache is split by text, or by token."""
    on = mesh(**DATA_MODEL)
    shapes, specs = _parameters()
    cache = [(shape(BATCH, LENGTH, HEADS, WIDTH // HEADS),) * 2] * LAYERS
    caches = jax.tree.map(lambda _: placed(on, at), cache)
    token = placed(on, P("data") if at[0] else P())
    jitted = jax.jit(
        _next,
        in_shardings=(placed(on, specs), token, caches, placed(on, P())),
        out_shardings=(token, caches),
        donate_argnums=2,
    )
    return jitted.lower(shapes, shape(BATCH, dtype=jnp.int32), cache, shape(dtype=jnp.int32))


@program("generation_loop")
def generation_loop() -> jax.stages.Lowered:
    """Tokens one after the other until all texts have ended."""
    on = mesh(**DATA_MODEL)
    shapes, specs = _parameters()

    def generate(parameters: Any, first: jax.Array) -> jax.Array:
        def unfinished(state: Any) -> jax.Array:
            position, token, _, _ = state
            return (position < LENGTH) & jnp.any(token != 0)

        def step(state: Any) -> Any:
            position, token, text, caches = state
            text = jax.lax.dynamic_update_index_in_dim(text, token, position, 1)
            token, caches = _next(parameters, token, caches, position)
            return position + 1, token, text, caches

        empty = jnp.zeros((BATCH, LENGTH, HEADS, WIDTH // HEADS))
        state = (jnp.int32(0), first, jnp.zeros((BATCH, LENGTH), jnp.int32), [(empty, empty)] * LAYERS)
        return jax.lax.while_loop(unfinished, step, state)[2]

    jitted = jax.jit(
        generate, in_shardings=(placed(on, specs), placed(on, P("data"))), out_shardings=placed(on, P("data"))
    )
    return jitted.lower(shapes, shape(BATCH, dtype=jnp.int32))


@program("paged_attention", pages=P("data"), texts=P())
@program("paged_attention_of_split_texts", pages=P("model"), texts=P("data"))
def paged_attention(*, pages: P, texts: P) -> jax.stages.Lowered:
    """Attention to keys and values in pages that a table names, the pages split over devices."""
    pool, count, size, head = 64, 8, 4, WIDTH // HEADS

    def attend(keys: jax.Array, values: jax.Array, table: jax.Array, lengths: jax.Array, q: jax.Array) -> jax.Array:
        k, v = (kept[table].reshape(BATCH, count * size, HEADS, head) for kept in (keys, values))
        scores = jnp.einsum("bhd,bthd->bht", q, k) * head**-0.5
        known = jnp.arange(count * size) < lengths[:, None, None]
        return jnp.einsum("bht,bthd->bhd", jax.nn.softmax(jnp.where(known, scores, -1e9)), v)

    on, kept = mesh(**DATA_MODEL), shape(pool, size, HEADS, head)
    shapes = (kept, kept, shape(BATCH, count, dtype=jnp.int32), shape(BATCH, dtype=jnp.int32))
    jitted = jax.jit(attend, in_shardings=tuple(placed(on, spec) for spec in (pages, pages, texts, texts, texts)))
    return jitted.lower(*shapes, shape(BATCH, HEADS, head))
