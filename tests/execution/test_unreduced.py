"""Unreduced and reduced arguments and results, beside plain JAX."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import AxisType

import sdy
import sdy.jax
from sdy.dialect.values.sharding import Reduction
from sdy.running.wrapping import neutral_element
from tests.execution.plain_jax import assert_same, parts

P: Any = jax.sharding.PartitionSpec
UnreducedKind: Any = getattr(jax.sharding, "UnreducedKind", None)
pytestmark = pytest.mark.skipif(UnreducedKind is None, reason="this JAX has no kinds of unreduced axes")

A = np.arange(64, dtype=np.float32).reshape(8, 8) / 8


@pytest.fixture(autouse=True)
def cube() -> Iterator[None]:
    with jax.set_mesh(jax.make_mesh((2, 2, 2), ("x", "y", "z"), axis_types=(AxisType.Explicit,) * 3)):
        yield


def put(*spec: Any, of: np.ndarray = A, **kinds: Any) -> jax.Array:
    return jax.device_put(of, P(*spec, **kinds))


def partial(*axes: str, rows: Any = None) -> jax.Array:
    """An array that is unreduced on these axes."""
    return jax.reshard(put(rows, None), P(rows, None, unreduced=set(axes)))


def reduced() -> jax.Array:
    return put(None, None, reduced={"x"})


OF_ONE: dict[str, Callable[[jax.Array], Any]] = {
    "as it is": lambda a: (a, a + a),
    "reduced": lambda a: (jax.reshard(a, P()), jax.reshard(a, P("x")), jax.reshard(a, P(None, ("y", "x")))),
    "less unreduced": lambda a: jax.reshard(a, P(None, None, unreduced={"x"})),
    "linear": lambda a: (-a, a.T, a.reshape(64), a[:4], jnp.pad(a, ((1, 1), (0, 0))), jnp.concatenate([a, a]), a - a),
    "updated": lambda a: lax.dynamic_update_slice(a, a[:2], (0, 0)),
    "added up": lambda a: (a.sum(0), a.sum()),
    "narrow": lambda a: a.astype(jnp.bfloat16),
    "loop": lambda a: lax.fori_loop(0, 3, lambda _, c: c + a, a),
    "scan": lambda a: lax.scan(lambda c, _: (c + a, jax.reshard(c, P())), a, None, length=3),
    "branch": lambda a: lax.cond(a.shape[0] > 1, lambda b: b + b, lambda b: b, a),
    "inner jit": lambda a: jax.jit(lambda b: (b, jax.reshard(b, P())))(a),
    "inner jit twice": lambda a: (lambda f: (f(a), f(jax.reshard(a, P()))))(jax.jit(lambda b: b + b)),
    "recomputed": lambda a: jax.checkpoint(lambda b: jax.reshard(b + b, P()))(a),
    "not linear": jnp.exp,
}


@pytest.mark.parametrize("name", OF_ONE)
def test_of_an_unreduced_argument(name: str) -> None:
    def run() -> Any:
        rows = partial("x", "y", rows="z") if name != "less unreduced" else partial("x", "y")
        return jax.jit(OF_ONE[name])(rows)

    assert_same(run)


def test_eagerly() -> None:
    def run() -> Any:
        a = partial("x")
        return a, -a, a + a, a.T, jax.reshard(a, P("x")), a.sum(), jax.device_put(A, P(None, None, unreduced={"y"}))

    assert_same(run)


def test_broadcast_of_an_unreduced_array_is_not_multiplied() -> None:
    """XLA adds up the argument and takes the sum for every part of the result."""
    with sdy.jax.partitioned():
        result = jax.jit(lambda a: jnp.broadcast_to(a[None], (2, 8, 8)))(partial("x"))
    assert result.sharding.spec.unreduced == {"x"}
    for part in parts(result).values():
        np.testing.assert_array_equal(part, np.stack([A, A]))


@pytest.mark.parametrize("kind", ["sum", "max", "min"])
def test_kinds(kind: str) -> None:
    reduce = getattr(lax, f"reduce_{kind}")

    def spec(*dims: Any, axes: Any = "x") -> Any:
        return P(*dims, unreduced=set(axes), unreduced_kind=UnreducedKind[kind])

    def run() -> Any:
        rows = put("x", None)
        one = jax.jit(lambda a: reduce(a, axes=(0,), out_sharding=spec(None)))(rows)
        two = jax.jit(lambda a: reduce(a, axes=(0,), out_sharding=spec("z", axes="xy")))(put(("x", "y"), "z"))
        all_axes = jax.jit(lambda a: reduce(a, axes=(0, 1), out_sharding=spec(axes="xyz")))(put(("x", "y"), "z"))
        moved = [jax.jit(lambda a, to=to: (a, jax.reshard(a, to)))(one) for to in (P(None), P("x"), P("y"))]
        several = jax.jit(lambda a, b, c: (c, jax.reshard(b, P("z")), a, reduce(b, axes=(0,))))(one, two, all_axes)
        return one, two, all_axes, moved, several, jax.reshard(two, P("y"))

    assert_same(run)


def test_several_kinds_at_once() -> None:
    def f(a: jax.Array) -> Any:
        specs = {kind.name: P(None, unreduced={"x"}, unreduced_kind=kind) for kind in UnreducedKind}
        return {name: getattr(lax, f"reduce_{name}")(a, axes=(0,), out_sharding=one) for name, one in specs.items()}

    assert_same(lambda: jax.jit(f)(put("x", None)))


@pytest.mark.parametrize("dtype", ["bool", "int32", "uint8", "bfloat16", "float8_e4m3fn", "float64"])
def test_types_of_maxima(dtype: str) -> None:
    ops = (lax.reduce_max, lax.reduce_min)

    def f(a: jax.Array) -> Any:
        specs = [P(None, unreduced={"x"}, unreduced_kind=kind) for kind in (UnreducedKind.max, UnreducedKind.min)]
        return [
            op(a, axes=(0,), out_sharding=one)  # pyright: ignore[reportCallIssue]
            for op, one in zip(ops, specs, strict=True)
        ]

    with jax.enable_x64(True):
        assert_same(lambda: jax.jit(f)(put("x", None, of=np.array(jnp.asarray(A * 8 - 30).astype(dtype)))))


def test_neutral_elements_are_numbers_of_their_type() -> None:
    for element in ("i1", "i8", "ui16", "i64", "f16", "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2"):
        for kind in (Reduction.MAX, Reduction.MIN):
            number = f"stablehlo.constant dense<{neutral_element(kind, element)}> : tensor<{element}>"
            module = sdy.parse(f"func.func @f() {{\n%0 = {number}\nreturn }}")
            assert "nan" not in str(module).lower()
    assert neutral_element(Reduction.MAX, "f32") == "0xFF800000"
    assert neutral_element(Reduction.MIN, "f8E4M3FN") == "0x7E"


OF_REDUCED: dict[str, Callable[..., Any]] = {
    "elementwise": lambda a, w: (w * w, w + w, jnp.exp(w), w.T, w.reshape(64), w[:4], w.sum()),
    "moved": lambda a, w: (jax.reshard(w, P()), jax.reshard(w, P("x")), jax.reshard(w, P(reduced={"x", "y"}))),
    "product": lambda a, w: a @ w,
}

LOSSES: dict[str, Callable[..., Any]] = {
    "product": lambda a, w: jnp.tanh(a @ w),
    "resharded": lambda a, w: a * jax.reshard(w, P("x", None)),
    "scan": lambda a, w: lax.scan(lambda c, _: (jnp.tanh(c @ w), None), a, None, length=3)[0],
    "recomputed": lambda a, w: jax.checkpoint(lambda a, w: jnp.tanh(a @ w) @ w)(a, w),
    "inner jit": lambda a, w: jax.jit(lambda a, w: a @ w)(a, w) @ w,
    "argument returned": lambda a, w: jax.jit(lambda a, w: a + jax.reshard(w, P("x", None)))(a, w),
}


@pytest.mark.parametrize("name", OF_REDUCED)
def test_of_a_reduced_argument(name: str) -> None:
    assert_same(lambda: jax.jit(OF_REDUCED[name])(put("x", None), reduced()))


@pytest.mark.parametrize("name", LOSSES)
def test_gradient_for_a_reduced_argument_is_unreduced(name: str) -> None:
    loss = jax.jit(lambda a, w: LOSSES[name](a, w).sum())

    def run() -> Any:
        return jax.jit(jax.value_and_grad(loss, argnums=(0, 1)))(put("x", None) / 8, reduced() / 8)

    _, (_, gradient) = assert_same(run)
    assert gradient.sharding.spec.unreduced == {"x"}


def test_products_that_stay_partial() -> None:
    def f(a: jax.Array, b: jax.Array) -> Any:
        once = jnp.einsum("ab,bc->ac", a, b, out_sharding=P("y", None, unreduced={"x"}))
        twice = once + jnp.einsum("ab,bc->ac", b.T, a.T, out_sharding=P("y", None, unreduced={"x"}))
        return once, jax.reshard(twice, P(("y", "x"), None))

    assert_same(lambda: jax.jit(f)(jax.reshard(put("y", None), P("y", "x")), put("x", None)))


def test_in_shard_map() -> None:
    def run() -> Any:
        passed = jax.jit(jax.shard_map(lambda a: a * 2, in_specs=P(reduced={"x"}), out_specs=P(reduced={"x"})))
        summed = jax.jit(jax.shard_map(lambda a: a.sum(0), in_specs=P("x"), out_specs=P(unreduced={"x"})))
        return passed(reduced()), summed(put("x", None))

    assert_same(run)


def test_two_calls_of_a_function_with_and_without_unreduced_axes() -> None:
    text = """
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})
        -> (tensor<8xf32>, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
      %0 = call @double(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
      %1 = sdy.sharding_constraint %arg0 <@mesh, [{}], unreduced={"x"}> : tensor<8xf32>
      %2 = call @double(%1) : (tensor<8xf32>) -> tensor<8xf32>
      %3 = sdy.sharding_constraint %2 <@mesh, [{}], unreduced={"x"}> : tensor<8xf32>
      return %0, %3 : tensor<8xf32>, tensor<8xf32>
    }
    func.func private @double(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.add %arg0, %arg0 : tensor<8xf32>
      return %0 : tensor<8xf32>
    }"""
    partitioned = sdy.partition(text)
    assert [bool(result.sharding.unreduced) for result in partitioned.results] == [False, True]
    assert not partitioned.collectives


@pytest.mark.parametrize("kind", ["sum", "max", "min"])
def test_on_meshes_that_divide_the_devices_otherwise(kind: str) -> None:
    """Neither mesh has the shardings of the other; XLA moves no unreduced value between them."""
    explicit, six = (AxisType.Explicit,) * 2, jax.devices()[:6]
    one, other = (jax.make_mesh(sizes, ("a", "b"), axis_types=explicit, devices=six) for sizes in ((2, 3), (3, 2)))
    numbers = np.arange(36, dtype=np.float32).reshape(6, 6)

    def partial_on(mesh: jax.sharding.Mesh) -> jax.Array:
        def reduce(x: jax.Array) -> jax.Array:
            to = P("a", unreduced={"b"}, unreduced_kind=UnreducedKind[kind])
            return getattr(lax, f"reduce_{kind}")(x, axes=(1,), out_sharding=to)

        with jax.set_mesh(mesh):
            return jax.jit(reduce)(put("a", "b", of=numbers))

    def run() -> Any:
        whole = jax.sharding.NamedSharding(other, P("a"))
        a, b = partial_on(one), partial_on(other)
        with jax.set_mesh(one):
            c = put("b", of=numbers)
        both = jax.jit(lambda *arrays: arrays)(a, b, c)
        return both, jax.jit(lambda a, b: (a, b, jax.reshard(b, whole)))(a, b), jax.jit(lambda c, b: (c + c, b))(c, b)

    assert_same(run)
