"""JAX programs of one 8x8 array on a 2x4 mesh, each with something that is lowered in a way of its own for GSPMD."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

Program = Callable[[jax.Array], Any]

PROGRAMS: dict[str, Program] = {}


def program(function: Program) -> Program:
    PROGRAMS[function.__name__] = function
    return function


def mesh() -> jax.sharding.Mesh:
    return jax.make_mesh((2, 4), ("a", "b"), axis_types=(AxisType.Auto,) * 2)


def on(x: jax.Array, *spec: Any) -> jax.Array:
    return lax.with_sharding_constraint(x, NamedSharding(mesh(), P(*spec)))


def per_device(function: Callable[..., Any], ins: Any, outs: Any, axes: str = "ab", **options: Any) -> Any:
    """`shard_map` along some axes."""
    return jax.shard_map(
        function, mesh=mesh(), in_specs=ins, out_specs=outs, axis_names=set(axes), check_vma=False, **options
    )


def inner(function: Callable[..., Any], ins: Any, outs: Any, axes: str) -> Any:
    """The same in a function that `shard_map` maps already."""
    return jax.shard_map(function, in_specs=ins, out_specs=outs, axis_names=set(axes), check_vma=False)


AB = P("a", "b")


# What is said of values ---------------------------------------------------------------------------


@program
def replicated(x: jax.Array) -> jax.Array:
    return on(x) * 2


@program
def axes_in_another_order(x: jax.Array) -> jax.Array:
    return on(x, ("b", "a")) @ x


@program
def parts_of_several_sizes(x: jax.Array) -> jax.Array:
    return on(jnp.pad(x, ((0, 1), (0, 0))), "b")[:7]


@program
def rows_of_a_batch(x: jax.Array) -> jax.Array:
    return jax.vmap(lambda row: on(row * 2, "b"), spmd_axis_name="a")(x)


@program
def placed_again(x: jax.Array) -> jax.Array:
    return jax.device_put(jnp.sin(x), NamedSharding(mesh(), P("b"))) @ x


@program
def gradient_of_constraints(x: jax.Array) -> jax.Array:
    return jax.grad(lambda v: jax.checkpoint(lambda u: jnp.sin(on(u @ u, "a")))(v).sum())(x)


@program
def functions(x: jax.Array) -> jax.Array:
    twice = jax.jit(lambda v: jnp.tanh(on(v, "b")) @ v)
    return twice(twice(x))


@program
def branches(x: jax.Array) -> jax.Array:
    return lax.cond(x[0, 0] < 0, lambda v: on(v, "b") @ v, lambda v: v + 1, x)


@program
def loop(x: jax.Array) -> jax.Array:
    return lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, on(s[1] @ x, None, "b")), (0, x))[1]


@program
def batch_of_factorizations(x: jax.Array) -> Any:
    """The batch is what the calls of LAPACK say of it."""
    matrices = on(x[:, None] * x[:, :, None] + 9 * jnp.eye(8), "b")
    return jnp.linalg.cholesky(matrices), jnp.linalg.eigvalsh(matrices)


@program
def random_numbers(x: jax.Array) -> jax.Array:
    return x + jax.random.normal(jax.random.key(0), x.shape)


# What is said of devices --------------------------------------------------------------------------


@program
def rotation(x: jax.Array) -> jax.Array:
    return per_device(lambda y: lax.ppermute(y, "b", [(i, (i + 1) % 4) for i in range(4)]), AB, AB)(x)


@program
def exchange(x: jax.Array) -> jax.Array:
    return per_device(lambda y: lax.all_to_all(y, "b", 0, 1, tiled=True), AB, AB)(x)


@program
def sum_in_parts(x: jax.Array) -> jax.Array:
    return per_device(lambda y: lax.psum_scatter(y, "b", tiled=True), AB, P(("a", "b"), None))(x)


@program
def gathered(x: jax.Array) -> jax.Array:
    return per_device(lambda y: lax.all_gather(y, "b", axis=1, tiled=True), AB, P("a", None))(x)


@program
def place_among_devices(x: jax.Array) -> jax.Array:
    return per_device(lambda y: y + lax.axis_index("b") * 10 + lax.axis_index("a"), AB, AB)(x)


@program
def place_along_one_axis(x: jax.Array) -> jax.Array:
    return per_device(lambda y: y + lax.axis_index("b"), P(None, "b"), P(None, "b"), "b")(x)


@program
def body_called_twice(x: jax.Array) -> jax.Array:
    mapped = per_device(lambda y: lax.psum(y, "b"), AB, P("a", None))
    return mapped(x).sum() + mapped(x * 2)[:, :1]


@program
def no_operand(x: jax.Array) -> jax.Array:
    return x + per_device(lambda: jnp.arange(4.0) + lax.axis_index("b"), (), P("b"))().sum()


@program
def no_operand_and_a_scalar(x: jax.Array) -> jax.Array:
    return x * per_device(lambda: lax.psum(lax.axis_index("b"), ("a", "b")).astype(jnp.float32), (), P())()


@program
def no_operand_and_two_results(x: jax.Array) -> jax.Array:
    def made() -> tuple[jax.Array, jax.Array]:
        return jnp.ones((2, 3)) * lax.axis_index("a"), jnp.arange(2.0)

    first, second = per_device(made, (), (AB, P(("a", "b"))))()
    return x * first.sum() + second.sum()


@program
def no_operand_along_one_axis(x: jax.Array) -> jax.Array:
    return x + per_device(lambda: jnp.arange(4.0) + lax.axis_index("b"), (), P("b"), "b")().sum()


@program
def result_that_is_not_used(x: jax.Array) -> jax.Array:
    return per_device(lambda y: (y * 2, y.sum(keepdims=True)), AB, (AB, AB))(x)[0]


@program
def scalar_operand(x: jax.Array) -> jax.Array:
    return per_device(lambda y, s: y * s, (AB, P()), AB)(x, x[0, 0])


@program
def two_deep(x: jax.Array) -> jax.Array:
    def outer(y: jax.Array) -> jax.Array:
        return lax.psum(inner(lambda z: lax.psum(jnp.sin(z), "b"), P(None, "b"), P(), "b")(y), "a")

    return per_device(outer, P("a"), P(), "a")(x)


@program
def constraint_on_each_device(x: jax.Array) -> jax.Array:
    return per_device(lambda y: on(jnp.sin(y), None, "b") * 2, P("a"), P("a"), "a")(x)


@program
def gradient_of_sum(x: jax.Array) -> jax.Array:
    return jax.grad(lambda v: per_device(lambda y: lax.psum(jnp.sin(y) ** 2, "b"), AB, P("a", None))(v).sum())(x)


# In loops and branches ----------------------------------------------------------------------------


@program
def in_each_step(x: jax.Array) -> jax.Array:
    mean = per_device(lambda y: lax.psum(y, "b") / 8, AB, P("a", None))
    return lax.scan(lambda carry, _: (jnp.concatenate([mean(carry)] * 4, axis=1) + 1, None), x, None, length=2)[0]


@program
def in_one_branch(x: jax.Array) -> jax.Array:
    return lax.cond(x[0, 0] < 0, per_device(lambda y: y * 2, AB, AB), lambda v: v, x)


@program
def in_steps_of_steps(x: jax.Array) -> jax.Array:
    def steps(body: Program) -> Program:
        return lambda v: lax.scan(lambda carry, _: (body(carry), None), v, None, length=2)[0]

    return steps(steps(per_device(lambda y: y + lax.axis_index("b"), AB, AB)))(x)


@program
def in_steps_on_each_device(x: jax.Array) -> jax.Array:
    def outer(y: jax.Array) -> jax.Array:
        total = inner(lambda z: lax.psum(z, "b") / 4, P(None, "b"), P(), "b")
        return lax.scan(lambda carry, _: (carry * total(carry).sum(), None), y, None, length=2)[0]

    return per_device(outer, P("a"), P("a"), "a")(x)


@program
def with_what_is_around_the_loop(x: jax.Array) -> jax.Array:
    product = per_device(lambda y, z: lax.psum(y * z, "b"), (AB, AB), P("a", None))
    cosine = jnp.cos(x)
    return lax.while_loop(lambda s: s[0] < 2, lambda s: (s[0] + 1, s[1] + product(s[1], cosine).sum()), (0, x))[1]


@program
def gradient_of_steps(x: jax.Array) -> jax.Array:
    layer = per_device(lambda y, w: lax.psum(jnp.tanh(y @ w), "a"), (P(None, "a"), AB), P(None, "b"))

    def loss(w: jax.Array) -> jax.Array:
        return lax.scan(lambda carry, _: (jax.checkpoint(layer)(carry, w), None), x, None, length=2)[0].sum()

    return jax.grad(loss)(x)


X = np.linspace(-1, 1, 64, dtype=np.float32).reshape(8, 8)
"""What the programs are given."""


def argument() -> jax.ShapeDtypeStruct:
    """What they are lowered for."""
    return jax.ShapeDtypeStruct((8, 8), np.float32, sharding=NamedSharding(mesh(), P("a", "b")))
