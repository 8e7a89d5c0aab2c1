"""`sdy.jax.constraint`, `shard_alike` and `propagation_barrier`, by what they lower to and what comes of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax
from sdy.jax import Dim, constraint, propagation_barrier, shard_alike


def lowered(function: Callable[..., Any], *arguments: Any, **options: Any) -> str:
    return sdy.jax.jit(function, **options).lower(*arguments).as_text()


NO_AXES: Any = [[3]]


@pytest.fixture
def x() -> np.ndarray:
    return np.arange(128, dtype=np.float32).reshape(8, 16) / 100


@pytest.mark.parametrize(
    ("dims", "options", "text"),
    [
        (["data"], {}, '[{"data"}, {}]'),
        (P("data", P.UNCONSTRAINED), {}, '[{"data"}, {?}]'),
        ([Dim("data", open=True, priority=1), ("model",)], {}, '[{"data", ?}p1, {"model"}]'),
        ([None, ("data:(1)2", "model")], {}, '[{}, {"data":(1)2, "model"}]'),
        ([sdy.AxisRef.sub("data", 2, 2)], {"replicated": "model"}, '[{"data":(2)2}, {}], replicated={"model"}'),
        ([Dim(open=True)], {"unreduced": ("data",)}, '[{?}, {}], unreduced={"data"}'),
        (sdy.TensorSharding.open("any", 2), {}, "[{?}, {?}]"),
    ],
)
def test_constraints_have_all_that_a_sharding_has(mesh: Mesh, x: Any, dims: Any, options: Any, text: str) -> None:
    found = lowered(lambda x: constraint(x, dims, mesh=mesh, **options), x)
    assert re.search(rf"sdy.sharding_constraint %\w+ <@mesh, {re.escape(text)}> : tensor<8x16xf32>", found), found


def test_the_mesh_may_be_the_current_one(mesh: Mesh, x: np.ndarray) -> None:
    with jax.set_mesh(mesh):
        result = sdy.jax.jit(lambda x: constraint({"a": jnp.tanh(x)}, [None, "data"]))(x)
    assert result["a"].sharding.is_equivalent_to(NamedSharding(mesh, P(None, "data")), 2)
    np.testing.assert_allclose(result["a"], np.tanh(x), rtol=1e-6)


@pytest.mark.parametrize("compiled", [sdy.jax.jit, jax.jit])
def test_under_transformations(mesh: Mesh, x: np.ndarray, compiled: Callable[..., Any]) -> None:
    """Values and gradients are those without constraints, whoever partitions."""

    def layer(use: bool, h: Any, w: Any) -> tuple[Any, Any]:
        h = jnp.tanh(h * w)
        if use:
            h = propagation_barrier(constraint(h, [Dim("data", open=True)], mesh=mesh), "forward")
            h, w = shard_alike(h, w)
        return h, h.sum() + w.sum()

    def loss(use: bool, h: Any, w: Any) -> Any:
        return jax.lax.scan(lambda h, w: layer(use, h, w), h, w)[0].sum()

    ws = np.stack([np.cos(x), np.sin(x)])
    stacked = np.stack([x, x + 1, x - 1, 2 * x])

    def all_of_it(use: bool) -> Callable[..., Any]:
        return jax.vmap(jax.value_and_grad(lambda w, h: loss(use, h, w)), (None, 0))

    placed = NamedSharding(mesh, P(None, "model")), NamedSharding(mesh, P("data"))
    got = compiled(all_of_it(True), in_shardings=placed)(ws, stacked)
    wanted = jax.jit(all_of_it(False))(ws, stacked)
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-5), got, wanted)


def test_inside_of_shard_map(mesh: Mesh, x: np.ndarray) -> None:
    def body(x: Any) -> Any:
        return constraint(jnp.tanh(x), [None, Dim("model", open=True)], mesh=mesh)

    function = jax.shard_map(body, mesh=mesh, in_specs=P("data"), out_specs=P("data"), axis_names={"data"})
    np.testing.assert_allclose(sdy.jax.jit(function)(x), np.tanh(x), rtol=1e-6)


def test_what_is_alike_is_sharded_alike(mesh: Mesh, x: np.ndarray) -> None:
    """Nothing else connects the two; each pair is a group of its own."""

    def function(x: Any, y: Any, z: Any) -> tuple[Any, ...]:
        a, b = shard_alike(jnp.tanh(x), jnp.tanh(y))
        c, d = shard_alike({"c": jnp.sin(y)}, {"c": jnp.sin(z)})
        return a, b, c, d

    options: dict[str, Any] = {
        "in_shardings": (NamedSharding(mesh, P("data", "model")), None, NamedSharding(mesh, P()))
    }
    text = lowered(function, x, x, x, **options)
    assert sorted(re.findall(r"sdy.sharding_group %\w+ group_id=(\d+)", text)) == ["0", "0", "1", "1"]
    a, b, c, d = sdy.jax.jit(function, **options)(x, x, x)
    assert a.sharding.is_equivalent_to(NamedSharding(mesh, P("data", "model")), 2)
    assert b.sharding.is_equivalent_to(a.sharding, 2)
    assert c["c"].sharding.is_equivalent_to(d["c"].sharding, 2)


@pytest.mark.parametrize(("direction", "reaches_result"), [("none", False), ("backward", False), ("forward", True)])
def test_a_barrier_stops_what_it_does_not_let_through(
    mesh: Mesh, x: np.ndarray, direction: str, reaches_result: bool
) -> None:
    function = sdy.jax.jit(
        lambda x: jnp.sin(propagation_barrier(jnp.tanh(x), direction)), in_shardings=NamedSharding(mesh, P("data"))
    )
    assert f"allowed_direction={direction.upper()}" in function.lower(x).as_text()
    (explained,) = function.lower(x).explain("result:0")
    assert bool(explained.axes) == reaches_result
    np.testing.assert_allclose(function(x), np.sin(np.tanh(x)), rtol=1e-6)


def test_outside_of_jit(mesh: Mesh, x: np.ndarray) -> None:
    rows = NamedSharding(mesh, P("data"))
    assert constraint(x, rows).sharding.is_equivalent_to(rows, 2)
    moved = constraint(x, ["data", Dim(open=True)], mesh=mesh)
    assert moved.sharding.is_equivalent_to(NamedSharding(mesh, P("data")), 2)
    np.testing.assert_array_equal(propagation_barrier(moved), x)
    np.testing.assert_array_equal(shard_alike(moved, x)[1], x)


@pytest.mark.parametrize(
    ("use", "error", "message"),
    [
        (lambda x, mesh: constraint(x, ["data"]), ValueError, "needs a mesh"),
        (lambda x, mesh: constraint(x, ["rows"], mesh=mesh), ValueError, "no axis 'rows', but 'data', 'model'"),
        (
            lambda x, mesh: constraint(x, [None] * 3, mesh=mesh),
            ValueError,
            "3 dimensions are sharded, but the array has 2",
        ),
        (lambda x, mesh: constraint(x, "data", mesh=mesh), TypeError, r"such as \['data', None\], and is not a text"),
        (lambda x, mesh: constraint(x, NO_AXES, mesh=mesh), TypeError, "a name or a sdy.AxisRef, not int"),
        (lambda x, mesh: constraint(x, ["data:(1)2"], mesh=mesh.abstract_mesh), ValueError, "over the same devices"),
        (lambda x, mesh: shard_alike(x, x[:2]), ValueError, "cannot be sharded alike"),
        (lambda x, mesh: shard_alike(x, [x]), ValueError, "only trees of one structure"),
        (lambda x, mesh: propagation_barrier(x, "up"), ValueError, "one of none, forward, backward, not 'up'"),
    ],
)
def test_what_makes_no_sense(mesh: Mesh, x: np.ndarray, use: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        use(x, mesh)
