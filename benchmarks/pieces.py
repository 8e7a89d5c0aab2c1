"""Random chains of pieces of models, as they are sharded by us and by XLA.

python -m benchmarks.pieces --programs 300
python -m benchmarks.pieces --only 17

A program is one to four pieces, one after the other: layers of images (convolutions, pools, normalization) or of
sequences (embedding, attention, experts, convolution, scan, cache, look-up, sort, loss). Constraints stand in between,
and half of the programs are gradients. Shardings are random on a mesh of 2x2x2 or 4x2. Columns as in
`benchmarks.products`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax

from benchmarks.products import Draw, Program, main, random_mesh

_IMAGES = ("NHWC", "HWIO", "NHWC")
_SEQUENCES = ("NWC", "WIO", "NWC")
_TOKENS, _HEADS, _EXPERTS = 64, 4, 4

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Piece:
    """A layer of a tensor, or of a tensor and a weight whose shape follows from the tensor's."""

    compute: Callable[..., jax.Array]
    weight: Callable[[Shape], Shape] | None = None


def _convolve(x: jax.Array, w: jax.Array, stride: int = 1, groups: int = 1) -> jax.Array:
    return lax.conv_general_dilated(
        x, w, (stride, stride), "SAME", dimension_numbers=_IMAGES, feature_group_count=groups
    )


def _normalized(x: jax.Array, dims: Shape) -> jax.Array:
    return (x - x.mean(dims, keepdims=True)) * lax.rsqrt(x.var(dims, keepdims=True) + 1e-3)


def _looked_up(x: jax.Array) -> jax.Array:
    return (jnp.abs(x[..., 0]) * 97).astype(jnp.int32) % _TOKENS


def _rotated(x: jax.Array) -> jax.Array:
    heads = x.reshape(*x.shape[:2], _HEADS, -1)
    angle = jnp.arange(x.shape[1])[:, None, None] / 7
    first, second = jnp.split(heads, 2, -1)
    cosine, sine = jnp.cos(angle), jnp.sin(angle)
    return jnp.concatenate([first * cosine - second * sine, second * cosine + first * sine], -1).reshape(x.shape)


def _attended(x: jax.Array, w: jax.Array) -> jax.Array:
    q, k, v = (each.reshape(*x.shape[:2], _HEADS, -1) for each in jnp.split(x @ w, 3, -1))
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 3
    seen = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    weights = jax.nn.softmax(jnp.where(seen, scores, -1e9), -1)
    return x + jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(x.shape)


def _gated(x: jax.Array, w: jax.Array) -> jax.Array:
    gate, value = jnp.split(x @ w, 2, -1)
    return jax.nn.silu(gate) * value


def _recurred(x: jax.Array) -> jax.Array:
    pairs = (jax.nn.sigmoid(x), x)
    return lax.associative_scan(lambda a, b: (a[0] * b[0], a[1] * b[0] + b[1]), pairs, axis=1)[1]


def _cached(x: jax.Array, cache: jax.Array) -> jax.Array:
    length = x.shape[1]
    return lax.dynamic_update_slice(cache, x, (0, length // 2, 0))[:, :length] + x


def _summed_by_segment(x: jax.Array) -> jax.Array:
    segments = jnp.arange(x.shape[1]) % 5
    sums = jax.ops.segment_sum(jnp.swapaxes(x, 0, 1), segments, num_segments=5)
    return x + jnp.swapaxes(sums[segments], 0, 1)


def _mixed(x: jax.Array, w: jax.Array) -> jax.Array:
    return x + jnp.einsum("bse,bsd,edf->bsf", jax.nn.softmax(x[..., :_EXPERTS]), x, w)


def _loss(x: jax.Array, w: jax.Array) -> jax.Array:
    logits = x @ w
    return x + (jax.nn.logsumexp(logits, -1) - logits[..., 3])[..., None]


def _pooled(x: jax.Array) -> jax.Array:
    return jnp.repeat(lax.reduce_window(x, 0.0, lax.add, (1, 2, 1), (1, 2, 1), "SAME"), 2, 1)


IMAGES = {
    "convolution": Piece(_convolve, lambda s: (3, 3, s[3], 16)),
    "strided": Piece(partial(_convolve, stride=2), lambda s: (3, 3, s[3], 8)),
    "pointwise": Piece(_convolve, lambda s: (1, 1, s[3], 32)),
    "depthwise": Piece(lambda x, w: _convolve(x, w, groups=x.shape[3]), lambda s: (3, 3, 1, s[3])),
    "pool": Piece(lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")),
    "normalization": Piece(lambda x: _normalized(x, (0, 1, 2))),
    "relu": Piece(jax.nn.relu),
}
"""Layers of images: batch, height, width, features."""

SEQUENCES = {
    "embedding": Piece(lambda x, w: x + jnp.take(w, _looked_up(x), axis=0), lambda s: (_TOKENS, s[2])),
    "one-hot": Piece(lambda x, w: x + jax.nn.one_hot(_looked_up(x), _TOKENS) @ w, lambda s: (_TOKENS, s[2])),
    "rotary": Piece(_rotated),
    "attention": Piece(_attended, lambda s: (s[2], 3 * s[2])),
    "gate": Piece(_gated, lambda s: (s[2], 2 * s[2])),
    "experts": Piece(_mixed, lambda s: (_EXPERTS, s[2], s[2])),
    "convolution": Piece(
        lambda x, w: lax.conv_general_dilated(x, w, (1,), "SAME", dimension_numbers=_SEQUENCES),
        lambda s: (3, s[2], 2 * s[2]),
    ),
    "causal": Piece(
        lambda x, w: lax.conv_general_dilated(
            x, w, (1,), [(3, 0)], dimension_numbers=_SEQUENCES, feature_group_count=x.shape[2]
        ),
        lambda s: (4, 1, s[2]),
    ),
    "scan": Piece(_recurred),
    "cache": Piece(_cached, lambda s: (s[0], 2 * s[1], s[2])),
    "look-up": Piece(lambda x: x + jnp.take_along_axis(x, jnp.arange(x.shape[1])[None, ::-1, None] // 2, axis=1)),
    "top": Piece(lambda x: x + lax.top_k(x, 4)[0].sum(-1, keepdims=True)),
    "segments": Piece(_summed_by_segment),
    "normalization": Piece(lambda x: _normalized(x, (2,))),
    "roll": Piece(lambda x: jnp.roll(x, 3, 1) + x),
    "mean": Piece(lambda x: jnp.cumsum(x, 1) / (1 + jnp.arange(x.shape[1]))[:, None]),
    "spectrum": Piece(lambda x: jnp.fft.fft(x, axis=2).real / 4),
    "sort": Piece(lambda x: jnp.sort(x, 1)),
    "update": Piece(lambda x: x.at[:, 2:6].add(1.5).at[:, -3].set(x[:, 1])),
    "pool": Piece(_pooled),
    "shift": Piece(lambda x: x + jnp.pad(x, ((0, 0), (1, 1), (0, 0)))[:, 2:]),
    "loss": Piece(_loss, lambda s: (s[2], _TOKENS)),
}
"""Layers of sequences: batch, positions, features."""


def draw(number: int, seed: int = 0, *, is_constrained: bool = True) -> Program:
    """Return a program; the same one for equal arguments, with or without its constraints."""
    rng = random.Random(f"pieces {seed}/{number}")
    made = Draw(rng, random_mesh(rng))
    pieces, shape = IMAGES, (rng.choice((8, 16)), 16, 16, rng.choice((8, 16, 32)))
    if rng.random() < 0.6:
        pieces, shape = SEQUENCES, (rng.choice((4, 8)), rng.choice((16, 32)), rng.choice((16, 32, 64)))
    arguments = [jax.ShapeDtypeStruct(shape, "float32")]
    stages: list[Callable[[jax.Array, Sequence[jax.Array]], jax.Array]] = []
    for _ in range(rng.randint(1, 4)):
        stage, shape = _stage(made, pieces, shape, arguments, is_constrained=is_constrained)
        stages.append(stage)

    def chain(*values: jax.Array) -> jax.Array:
        x = values[0]
        for stage in stages:
            x = stage(x, values)
        return x

    is_gradient = rng.random() < 0.5
    made.steps.append("gradient" if is_gradient else "forward")
    gradient = jax.grad(lambda *values: jnp.mean(chain(*values) ** 2), tuple(range(len(arguments))))
    shardings = tuple(made.placed(made.even(each.shape)) for each in arguments)
    function = gradient if is_gradient else chain
    return Program(number, function, tuple(arguments), shardings, None, tuple(made.steps))


def _stage(
    made: Draw, pieces: dict[str, Piece], shape: Shape, arguments: list, *, is_constrained: bool
) -> tuple[Callable[[jax.Array, Sequence[jax.Array]], jax.Array], Shape]:
    """Draw a piece and perhaps a constraint of its result; return it and the shape of its result."""
    name = made.rng.choice(sorted(pieces))
    piece, place = pieces[name], len(arguments)
    made.steps.append(name)
    if piece.weight is not None:
        arguments.append(jax.ShapeDtypeStruct(piece.weight(shape), "float32"))
    taken = [jax.ShapeDtypeStruct(shape, "float32"), *arguments[place:]]
    result = jax.eval_shape(piece.compute, *taken).shape
    constraint = made.placed(made.even(result)) if made.rng.random() < 0.35 else None

    def stage(x: jax.Array, values: Sequence[jax.Array]) -> jax.Array:
        y = piece.compute(x, *values[place : place + len(taken) - 1])
        return lax.with_sharding_constraint(y, constraint) if constraint is not None and is_constrained else y

    return stage, result


if __name__ == "__main__":
    main(draw=draw)
