"""JAX programs drawn at random of what is computed on each device: in turn, nested, in loops and branches, of nothing.

Each takes one 8x8 array on the 2x4 mesh of `gspmd_programs`, and returns one to three.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from tests.execution.gspmd_programs import Program, inner, on, per_device

FULL = (P("a", "b"), P("b", "a"), P(("a", "b"), None), P(None, "b"), P("a"), P())
ALONG = {"a": (P("a"), P(None, "a"), P()), "b": (P("b"), P(None, "b"), P())}
SIZES = {"a": 2, "b": 4}

Step = Callable[[list[jax.Array]], jax.Array]


def draw(seed: int) -> Program:
    """The program of that number."""
    rng = random.Random(seed)
    steps = [_step(rng, depth=2) for _ in range(rng.randint(2, 5))]
    count = rng.randint(1, min(3, len(steps)))

    def program(x: jax.Array) -> Any:
        values = [x]
        for step in steps:
            values.append(step(values))
        return tuple(values[-count:])

    return program


def _step(rng: random.Random, depth: int) -> Step:
    """Makes an 8x8 array of one or two of those that there are."""
    kinds: list[Callable[[random.Random, int], Step]] = [_plain, _constrained, _mapped, _mapped, _mapped, _made]
    if depth:
        kinds += [_in_loop, _in_branch]
    return rng.choice(kinds)(rng, depth)


def _taken(rng: random.Random, count: int) -> Callable[[list[jax.Array]], list[jax.Array]]:
    back = [rng.randint(1, 3) for _ in range(count)]
    return lambda values: [values[-min(number, len(values))] for number in back]


def _plain(rng: random.Random, depth: int) -> Step:
    taken = _taken(rng, 2)
    kind = rng.choice((jnp.add, jnp.multiply, lambda v, w: v @ w / 8, lambda v, w: jnp.sin(v) - jnp.transpose(w)))
    return lambda values: kind(*taken(values))


def _constrained(rng: random.Random, depth: int) -> Step:
    taken, spec = _taken(rng, 1), rng.choice((*FULL, P(P.UNCONSTRAINED, "b"), P("a", P.UNCONSTRAINED)))
    return lambda values: on(jnp.tanh(taken(values)[0]), *spec)


def _mapped(rng: random.Random, depth: int) -> Step:
    """What is computed on each device, along both axes or one, of which one result or two are used."""
    axes = rng.choice(("ab", "ab", "a", "b"))
    specs = rng.choices(FULL if len(axes) == 2 else ALONG[axes], k=rng.randint(1, 3))
    taken, body, two = _taken(rng, len(specs)), _body(rng, axes, specs), rng.random() < 0.5

    def step(values: list[jax.Array]) -> jax.Array:
        first, *others = per_device(body, tuple(specs), tuple(specs), axes)(*taken(values))
        return jnp.cos(first) + others[-1] if others and two else first

    return step


def _body(rng: random.Random, axes: str, specs: Sequence[P], depth: int = 1) -> Callable[..., tuple[jax.Array, ...]]:
    """Gives one array for each that it takes, of the same shape."""
    works = [_work(rng, axes, spec, depth) for spec in specs]
    mixing = rng.random() < 0.5

    def body(*locals_: jax.Array) -> tuple[jax.Array, ...]:
        found = [work(value) for work, value in zip(works, locals_, strict=True)]
        if mixing:
            total = sum(lax.psum(value.sum(), tuple(axes)) for value in found) / 64
            found = [value + total for value in found]
        return tuple(found)

    return body


def _work(rng: random.Random, axes: str, spec: P, depth: int) -> Callable[[jax.Array], jax.Array]:
    axis = rng.choice(axes)
    size = SIZES[axis]
    ring = [(index, (index + 1) % size) for index in range(size)]
    kinds: list[Callable[[jax.Array], jax.Array]] = [
        lambda v: jnp.sin(v) * 2,
        lambda v: lax.psum(v, axis) / size,
        lambda v: lax.ppermute(v, axis, ring),
        lambda v: v + lax.axis_index(axis),
        lambda v: v + jnp.arange(float(v.shape[1])),
        lambda v: lax.scan(lambda carry, _: (carry + lax.pmax(carry, axis), None), v, None, length=2)[0] / 4,
        lambda v: lax.cond(v.sum() < 1e9, lambda w: w - 1, lambda w: w, v),
    ]
    if depth and len(axes) == 1:
        other = "b" if axes == "a" else "a"
        kinds += [_nested(rng, other), _nested(rng, other), _made_inside(rng, other), lambda v: on(v, None, other) + 1]
    first, second = rng.choices(kinds, k=2)
    # An index is of a device, which values that are the same on several must not have in them.
    if any(axis_ not in str(spec) for axis_ in axes):
        return lambda v: jnp.sin(v) + lax.psum(first(v), tuple(axes)) / 8
    return lambda v: second(first(v))


def _nested(rng: random.Random, other: str) -> Callable[[jax.Array], jax.Array]:
    spec = rng.choice(ALONG[other])
    body = _body(rng, other, (spec,), depth=0)

    def nested(v: jax.Array) -> jax.Array:
        parts = SIZES[other]
        if any(name == other and v.shape[dim] % parts for dim, name in enumerate(spec)):
            return v
        return inner(body, (spec,), (spec,), other)(v)[0]

    return nested


def _made_inside(rng: random.Random, other: str) -> Callable[[jax.Array], jax.Array]:
    shift = rng.randint(1, 3)
    return lambda v: v + inner(lambda: jnp.arange(2.0) + lax.axis_index(other) * shift, (), P(other), other)().sum()


def _made(rng: random.Random, depth: int) -> Step:
    """On each device of nothing, beside what there is; two results, of which both are used or one."""
    axes, both = rng.choice(("ab", "a", "b")), rng.random() < 0.5
    axis = rng.choice(axes)
    taken = _taken(rng, 1)

    def made() -> tuple[jax.Array, jax.Array]:
        return jnp.arange(8.0) * lax.axis_index(axis), jnp.ones((2,)) * 3

    def step(values: list[jax.Array]) -> jax.Array:
        first, second = per_device(made, (), (P(tuple(axes)), P(tuple(axes))), axes)()
        value = taken(values)[0] * first.sum() / 64
        return value + second.sum() if both else value

    return step


def _in_loop(rng: random.Random, depth: int) -> Step:
    taken, steps = _taken(rng, 2), [_step(rng, depth - 1) for _ in range(rng.randint(1, 2))]

    def step(values: list[jax.Array]) -> jax.Array:
        start, around = taken(values)

        def body(carry: jax.Array, _: None) -> tuple[jax.Array, None]:
            inside = [around, carry]
            for each in steps:
                inside.append(jnp.tanh(each(inside)))
            return inside[-1], None

        return lax.scan(body, start, None, length=2)[0]

    return step


def _in_branch(rng: random.Random, depth: int) -> Step:
    taken, one = _taken(rng, 1), _step(rng, depth - 1)

    def step(values: list[jax.Array]) -> jax.Array:
        value = taken(values)[0]
        return lax.cond(value[0, 0] < 0.5, lambda v: one([v]), lambda v: v * 2, value)

    return step
