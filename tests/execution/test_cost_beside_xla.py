"""Programs compiled by `sdy.jax.jit` send, hold and compute no more than by `jax.jit`, and give its numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax
from benchmarks.compiled_cost import FAST, Cost, cost_of
from benchmarks.products import draw, seconds
from tests import depth

MOST = 1.02
"""Memory and FLOPs of ours, by those of XLA."""


def costs(function: Callable[..., Any], *arguments: Any, **options: Any) -> tuple[Cost, Cost]:
    """Return the costs of ours and of XLA's program, whose results are compared."""
    found: list[Cost] = []
    results: list[list[np.ndarray]] = []
    for jit in (sdy.jax.jit, jax.jit):
        compiled = jit(function, **options).lower(*arguments).compile(compiler_options=FAST)
        found.append(cost_of(compiled))
        results.append([np.asarray(each, np.float32) for each in jax.tree.leaves(compiled(*arguments))])
    for one, other in zip(*results, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-4)
    return found[0], found[1]


def _mesh(shape: tuple[int, ...] = (4, 2), names: tuple[str, ...] = ("x", "y")) -> jax.sharding.Mesh:
    return jax.make_mesh(shape, names, axis_types=(AxisType.Auto,) * len(shape))


def _numbers(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    return np.random.default_rng(0).normal(size=shape).astype(dtype)


# Windows at known places -------------------------------------------------------------------------


def _diffused(x: jax.Array) -> jax.Array:
    """Three steps of diffusion, which update inner points."""

    def step(x: jax.Array, _: None) -> tuple[jax.Array, None]:
        sums = x[2:, 1:-1] + x[:-2, 1:-1] + x[1:-1, 2:] + x[1:-1, :-2] - 4 * x[1:-1, 1:-1]
        return x.at[1:-1, 1:-1].add(0.1 * sums), None

    return lax.scan(step, x, None, length=3)[0]


@pytest.mark.parametrize("spec", [P("x"), P("x", "y"), P(None, ("y", "x"))])
@pytest.mark.parametrize("dtype", [jnp.float32, pytest.param(jnp.bfloat16, marks=depth.deep)])
def test_gradient_of_inner_updates_in_a_loop(spec: P, dtype: Any) -> None:
    """Rows that two pads need are received once, and held; XLA receives them twice if only rows are sharded."""
    sharding = NamedSharding(_mesh(), spec)
    ours, xla = costs(
        jax.grad(lambda x: _diffused(x).sum()),
        _numbers(32, 32, dtype=dtype),
        in_shardings=sharding,
        out_shardings=sharding,
    )
    assert ours.sent <= xla.sent
    assert ours.temporary <= MOST * xla.temporary or spec != P("x", "y")
    assert ours.operations <= MOST * xla.operations


def _updated(combine: str, mode: str, start: int) -> Callable[[jax.Array], jax.Array]:
    """Rows that are combined with others, in a branch."""

    def updated(x: jax.Array) -> jax.Array:
        rows = jnp.sin(x[: x.shape[0] - 2])
        changed = getattr(x.at[start : start + rows.shape[0]], combine)(rows, mode=mode)
        return lax.cond(x[0, 0] > 5, lambda: changed * 2, lambda: changed)

    return updated


@pytest.mark.parametrize(
    ("combine", "mode", "start"),
    [
        ("add", "fill", 1),
        ("set", "clip", 2),
        ("set", "fill", 1),
        ("multiply", "promise_in_bounds", 0),
        pytest.param("max", "fill", 1, marks=depth.deep),
        pytest.param("min", "clip", 0, marks=depth.deep),
    ],
)
@pytest.mark.parametrize("shape", [(32, 8), (27, 6)])
def test_updates_at_known_places(combine: str, mode: str, start: int, shape: tuple[int, int]) -> None:
    sharding = NamedSharding(_mesh(), P("x") if shape[0] == 32 else P())
    inner = NamedSharding(_mesh(), P("x"))
    updated = _updated(combine, mode, start)

    def loss(x: jax.Array) -> jax.Array:
        return (updated(lax.with_sharding_constraint(x, inner)) ** 2).sum()

    ours, xla = costs(jax.value_and_grad(loss), _numbers(*shape), in_shardings=sharding, out_shardings=None)
    assert ours.sent <= xla.sent


_PADDED: dict[str, Callable[[jax.Array], jax.Array]] = {
    "in place": lambda x: jnp.pad(x[1:-1], ((1, 1), (0, 0)), constant_values=3),
    "shifted": lambda x: jnp.pad(x[:-1], ((1, 0), (0, 0))),
    "two dimensions": lambda x: jnp.pad(x[3:-1, 2:], ((2, 2), (2, 0)), constant_values=2),
    "longer": lambda x: jnp.pad(x[4:], ((4, 4), (0, 0))),
    "cut off": lambda x: lax.pad(x[4:-4], 0.0, ((8, -2, 0), (3, -3, 0))),
    "of one window": lambda x: jnp.pad(
        lax.gather(x, jnp.array([1]), lax.GatherDimensionNumbers((0, 1), (), (0,)), (30, 64), mode="fill"),
        ((1, 1), (0, 0)),
    ),
}


@pytest.mark.parametrize("padded", _PADDED)
@pytest.mark.parametrize("spec", [P("x"), P("x", "y")])
def test_padded_slices(padded: str, spec: P) -> None:
    sharding = NamedSharding(_mesh(), spec)
    ours, xla = costs(lambda x: _PADDED[padded](jnp.sin(x)), _numbers(32, 64), in_shardings=sharding)
    assert ours.sent <= xla.sent
    assert ours.temporary <= MOST * xla.temporary


_SLICED: dict[str, Callable[[jax.Array, jax.Array], jax.Array]] = {
    "rows": lambda x, w: x[:8] + w,
    "inner rows": lambda x, w: jnp.tanh(x[17:25]) * w,
    "every other row": lambda x, w: x[:16:2] + w,
    "two dimensions": lambda x, w: x[1:9, 4:12] @ w[:, :8],
    "two dimensions with steps": lambda x, w: (x[20:36:2, :16:2] * 2).sum(0) + w[:, :8],
}


@pytest.mark.parametrize("sliced", _SLICED)
@pytest.mark.parametrize(
    ("spec", "other"),
    [(P("x", "y"), P(None, "x")), (P("x"), P()), (P(("y", "x")), P("x")), (P(None, "x"), P("y", "x"))],
)
def test_slices_send_only_what_is_kept(sliced: str, spec: P, other: P) -> None:
    shardings = tuple(NamedSharding(_mesh(), each) for each in (spec, other))
    ours, xla = costs(_SLICED[sliced], _numbers(48, 16), _numbers(8, 16), in_shardings=shardings)
    assert ours.sent <= xla.sent


# Branches ----------------------------------------------------------------------------------------


def _fallback(o: jax.Array, v: jax.Array) -> jax.Array:
    """The transpose of a matrix times a vector, in a rare case something else of both matrices."""
    m = o.T @ o
    x = jnp.tanh(m.T) @ v
    return lax.cond(x[0] > 1, lambda: jnp.cumsum(m.T + m, 0) @ v, lambda: x)


def _choice(o: jax.Array, v: jax.Array) -> jax.Array:
    m = o.T @ o
    x = jnp.sort(m.T, 0) @ v
    branches = [lambda: jnp.cumsum(m.T + m, 0) @ v, lambda: x, lambda: jnp.sort(m.T, 1) @ v]
    return lax.switch((x[0] > 0).astype(int) + (x[1] > 0), branches)


def _fallback_in_a_loop(o: jax.Array, v: jax.Array) -> jax.Array:
    def step(v: jax.Array, _: None) -> tuple[jax.Array, None]:
        found = _fallback(o * v.mean(), v)
        return found / (1 + jnp.abs(found).max()), None

    return lax.scan(step, v, None, length=3)[0]


@pytest.mark.parametrize("function", [_fallback, _choice, _fallback_in_a_loop])
@pytest.mark.parametrize("spec", [P("x"), pytest.param(P(("x", "y")), marks=depth.deep)])
@pytest.mark.parametrize("of", [lambda f: f, lambda f: jax.grad(lambda o, v: f(o, v).sum())])
def test_branches_take_no_more(function: Callable[..., Any], spec: P, of: Callable[..., Any]) -> None:
    shardings = (NamedSharding(_mesh(), spec), NamedSharding(_mesh(), P()))
    ours, xla = costs(of(function), _numbers(128, 64) / 8, np.ones(64, np.float32), in_shardings=shardings)
    assert ours.sent <= xla.sent
    is_faster = seconds(ours) < 0.95 * seconds(xla)
    assert ours.temporary <= (1.2 if is_faster else MOST) * xla.temporary
    assert ours.operations <= MOST * xla.operations or is_faster


def test_branches_reshard_for_themselves() -> None:
    """Two branches that need whole columns gather these alone, since neither can use what the other has."""

    def summed(x: jax.Array, w: jax.Array) -> jax.Array:
        return jnp.cumsum(x, 0)[-8:] * w

    def function(index: jax.Array, x: jax.Array, w: jax.Array) -> jax.Array:
        return lax.switch(index, [summed, lambda x, w: x[jnp.arange(8)] + w, summed], x, w)

    mesh = _mesh((2, 2, 2), ("a", "b", "c"))
    shardings = [NamedSharding(mesh, spec) for spec in (P(), P("a", "c"), P(None, "a"))]
    ours, xla = costs(function, np.int32(2), _numbers(48, 8), _numbers(8, 8), in_shardings=shardings)
    assert ours.sent <= xla.sent and ours.temporary <= MOST * xla.temporary


def test_a_branch_uses_nothing_that_is_gathered_behind_it() -> None:
    """It takes its rows from columns in parts, where it would have to gather the operand of the product once more."""

    def function(index: jax.Array, x: jax.Array, w: jax.Array) -> jax.Array:
        chosen = lax.switch(index, [lambda x, w: jnp.sort(x, 0)[:24] + w, lambda x, w: x[jnp.arange(24)] + w], x, w)
        return chosen + x.T @ x

    mesh = _mesh((2, 2, 2), ("a", "b", "c"))
    shardings = [NamedSharding(mesh, spec) for spec in (P(), P(None, ("c", "a")), P(("c", "b", "a")))]
    ours, xla = costs(function, np.int32(1), _numbers(48, 24), _numbers(24, 24), in_shardings=shardings)
    assert ours.sent <= xla.sent and ours.temporary <= MOST * xla.temporary


# Random numbers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", [P("x", "y"), pytest.param(P("x"), marks=depth.deep)])
@pytest.mark.parametrize("shape", [(4, 2), pytest.param((2, 4), marks=depth.deep), (8, 1)])
def test_random_numbers_are_computed_once(spec: P, shape: tuple[int, int]) -> None:
    """An evolution strategy, which looks up the best one of a sharded population."""
    sharding = NamedSharding(_mesh(shape), spec)

    def generation(carry: tuple[jax.Array, ...], key: jax.Array) -> tuple[tuple[jax.Array, ...], jax.Array]:
        mean, std, best = carry
        x = lax.with_sharding_constraint(mean + std * jax.random.normal(key, (64, 32)), sharding)
        fitness = jnp.sum(x**2, -1)
        weights = jnp.argsort(jnp.argsort(fitness)) / 64 - 0.5
        best = jnp.where(fitness.min() < jnp.sum(best**2), x[jnp.argmin(fitness)], best)
        z = (x - mean) / std
        return (mean - 0.1 * std * (weights @ z), std * jnp.exp(0.05 * (weights @ (z**2 - 1))), best), fitness.min()

    def run(key: jax.Array) -> Any:
        carry = (jnp.zeros(32), jnp.ones(32), jnp.ones(32))
        return lax.scan(generation, carry, jax.random.split(key, 5))

    ours, xla = costs(run, jax.random.key(0))
    assert ours.sent <= xla.sent
    assert ours.temporary <= MOST * xla.temporary
    assert ours.operations <= MOST * xla.operations


# Uneven reshards ---------------------------------------------------------------------------------


def _moved() -> Callable[[jax.Array], jax.Array]:
    """An axis moves from the last dimension to the second one, which another axis shards already."""
    mesh = _mesh((2, 2, 2), ("a", "b", "c"))
    before, behind = (NamedSharding(mesh, spec) for spec in (P(None, None, ("b", "a")), P(None, ("c", "a"), "b")))

    def moved(x: jax.Array) -> jax.Array:
        y = lax.with_sharding_constraint(x * 2, before)
        return lax.with_sharding_constraint(jnp.tanh(y) + 1, behind)

    return moved


_AROUND: dict[str, Callable[[Callable[..., Any]], Callable[..., Any]]] = {
    "alone": lambda f: f,
    "in a loop": lambda f: lambda x: lax.scan(lambda x, _: (f(x), None), x, None, length=3)[0],
    "in a branch": lambda f: lambda x: lax.cond(x[0, 0, 0] > 0, f, lambda x: x, x),
}


@pytest.mark.parametrize("around", _AROUND)
@pytest.mark.parametrize("shape", [(16, 35, 11), pytest.param((130, 70, 50), marks=depth.deep)])
def test_axes_move_between_dimensions_that_they_do_not_divide(around: str, shape: tuple[int, ...]) -> None:
    function = _AROUND[around](_moved())
    whole = NamedSharding(_mesh((2, 2, 2), ("a", "b", "c")), P())
    for each in (function, jax.grad(lambda x: (function(x) ** 2).sum())):
        ours, xla = costs(each, _numbers(*shape), in_shardings=whole)
        assert ours.sent <= xla.sent


def test_uneven_reshard_takes_no_more_than_by_xla() -> None:
    moved, whole = _moved(), NamedSharding(_mesh((2, 2, 2), ("a", "b", "c")), P())
    ours, xla = costs(lambda x: moved(x).sum(1), _numbers(130, 70, 50), in_shardings=whole)
    assert ours.sent <= xla.sent
    assert ours.temporary <= MOST * xla.temporary
    assert ours.operations <= MOST * xla.operations


def _drawn_spec(draw: np.random.Generator, names: str, rank: int) -> P:
    """Some of the axes, in any order, each on one of the dimensions."""
    dims: list[list[str]] = [[] for _ in range(rank)]
    for name in draw.permutation(list(names))[: draw.integers(1, len(names) + 1)]:
        dims[draw.integers(rank)].append(str(name))
    return P(*(tuple(dim) or None for dim in dims))


@pytest.mark.parametrize("seed", depth.seeds(6, 400))
def test_random_uneven_reshards(seed: int) -> None:
    """Reshards of any sizes send at most a fifth more than by XLA, which gathers some in one step."""
    draw = np.random.default_rng(seed)
    mesh = _mesh(*[((2, 2, 2), ("a", "b", "c")), ((4, 2), ("a", "b"))][draw.integers(2)])
    shape = tuple(int(size) for size in draw.choice([130, 70, 50, 37, 19, 10, 24], draw.integers(2, 4)))
    names = "".join(mesh.axis_names)
    before, behind = (NamedSharding(mesh, _drawn_spec(draw, names, len(shape))) for _ in range(2))

    def function(x: jax.Array) -> jax.Array:
        y = lax.with_sharding_constraint(x * 2, before)
        return jnp.tanh(lax.with_sharding_constraint(jnp.sin(y), behind))

    ours, xla = costs(function, _numbers(*shape), in_shardings=NamedSharding(mesh, P()))
    assert ours.sent <= 1.2 * xla.sent


# Parts of one tensor -----------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [(0, 1), (0, 3, 6)])
def test_few_columns_are_sent_rather_than_all(columns: tuple[int, ...]) -> None:
    """Slices of one tensor along a sharded dimension are each summed; resharded once, all of it would be sent."""
    mesh = _mesh((2, 2, 2), ("a", "b", "c"))

    def project(x: jax.Array, w: jax.Array) -> jax.Array:
        for column in columns:
            x = x - (x @ w[:, column])[:, None] * w[:, column]
        return x

    shardings = NamedSharding(mesh, P(None, "b")), NamedSharding(mesh, P(None, ("b", "c")))
    ours, xla = costs(project, _numbers(4, 16), _numbers(16, 32), in_shardings=shardings)
    assert ours.sent <= xla.sent


# Tables ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "shapes", "specs", "most"),
    [
        (lambda t, w: t.at[(w[:, 0] * 7).astype(int) % 64].add(w), [(64, 24), (8, 24)], [P(), P("x")], 0.2),
        (lambda t, w: t[(w[:, 0] * 7).astype(int) % 8] + w, [(8, 24), (96, 24)], [P("x"), P()], 0.2),
        (lambda t, w: jnp.tile(t, (2, 1)).reshape(2, 24, 8).sum(0) * w, [(24, 8)] * 2, [P("x")] * 2, 0.0),
    ],
    ids=["few rows are added", "small table is read", "copies are summed"],
)
@pytest.mark.parametrize("gradient", [False, True])
def test_tables(
    function: Callable[..., jax.Array],
    shapes: list[tuple[int, ...]],
    specs: list[P],
    most: float,
    *,
    gradient: bool,
) -> None:
    """What is smaller is gathered: rows that are added, or the table; copies of a sharded value need nothing."""

    def gradients(*given: jax.Array) -> tuple[jax.Array, ...]:
        return jax.grad(lambda *given: (function(*given) ** 2).sum(), (0, 1))(*given)

    ours, xla = costs(
        gradients if gradient else function,
        *(np.abs(_numbers(*shape)) for shape in shapes),
        in_shardings=[NamedSharding(_mesh(), spec) for spec in specs],
    )
    assert ours.sent <= (1.0 if gradient else most) * xla.sent


def test_sums_of_tables_do_not_follow() -> None:
    """Ops around a table move to the batch; its gradient is not summed for that."""

    def step(table: jax.Array, up: jax.Array, down: jax.Array, tokens: jax.Array) -> tuple[jax.Array, ...]:
        def loss(table: jax.Array, up: jax.Array, down: jax.Array) -> jax.Array:
            return ((jax.nn.gelu(table[tokens] @ up) @ down) ** 2).mean()

        return jax.grad(loss, (0, 1, 2))(table, up, down)

    specs = [P(None, "x"), P("x", "y"), P("y", "x"), P("x")]
    ours, xla = costs(
        step,
        *(_numbers(*shape) / 8 for shape in ((1024, 32), (32, 128), (128, 32))),
        np.arange(512, dtype=np.int32).reshape(16, 32),
        in_shardings=[NamedSharding(_mesh(), spec) for spec in specs],
        out_shardings=tuple(NamedSharding(_mesh(), spec) for spec in specs[:3]),
    )
    assert ours.sent <= 0.2 * xla.sent


def test_far_windows_give_what_is_wanted() -> None:
    """Each device has the whole dimension for them, and computes the part that is added to something else."""
    mesh = _mesh((2, 2, 2), ("a", "b", "c"))
    ours, xla = costs(
        lambda x, y: lax.cumlogsumexp(x, 0) + y,
        *[_numbers(16, 8, 6)] * 2,
        in_shardings=[NamedSharding(mesh, spec) for spec in (P(("c", "a"), "b"), P("a", "b"))],
    )
    assert ours.sent <= 0.8 * xla.sent


# Less to compute -----------------------------------------------------------------------------------


def test_products_compute_only_the_rows_that_are_wanted() -> None:
    """A slice of a replicated operand, which sends nothing, halves the work."""
    given, wanted = (NamedSharding(_mesh(), spec) for spec in (P("x"), P(None, "y")))
    replicated = NamedSharding(_mesh(), P())
    ours, xla = costs(
        lambda x, w: x @ w,
        _numbers(8, 32, 32),
        _numbers(32, 24),
        in_shardings=(given, replicated),
        out_shardings=wanted,
    )
    assert ours.sent <= xla.sent
    assert ours.operations <= MOST * xla.operations


# Layouts of many ops -----------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "most"), [(684, 0.6), (841, 0.5)])
def test_chains_of_products_change_their_layout_together(number: int, most: float) -> None:
    """No op of them gains alone: attention between products goes by the batch once all do."""
    program = draw(number)
    arguments = [_numbers(*each.shape, dtype=each.dtype) for each in program.arguments]
    ours, xla = costs(program.function, *arguments, **program.given)
    assert seconds(ours) <= 0.52 * seconds(xla)
    assert ours.sent <= most * xla.sent
    assert ours.temporary <= MOST * xla.temporary
