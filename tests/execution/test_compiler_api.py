"""Each part of the compiler's API under each transformation of JAX: the numbers of the program without it, and where
its shardings get to."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax
from sdy.jax import Dim, Sharding, constraint, named_computation, propagation_barrier, shard_alike, with_shardings
from tests import depth

Layer = Callable[[Any, Any], Any]


def plain(h: Any, w: Any) -> Any:
    return jnp.tanh(h @ w)


def with_constraint(mesh: Mesh) -> Layer:
    return lambda h, w: constraint(plain(constraint(h, [Dim("data", open=True)], mesh=mesh), w), [None], mesh=mesh)


def with_groups(mesh: Mesh) -> Layer:
    def layer(h: Any, w: Any) -> Any:
        constrained = constraint(h, ["data"], mesh=mesh)
        return shard_alike(constrained, plain(h, w))[1]

    return layer


def with_barrier(mesh: Mesh) -> Layer:
    return lambda h, w: propagation_barrier(plain(constraint(h, ["data"], mesh=mesh), w), "forward")


def with_name(mesh: Mesh) -> Layer:
    return named_computation(plain, in_shardings=(Sharding([Dim("data", open=True)], mesh), None), name="layer")


def with_edges(mesh: Mesh) -> Layer:
    given = (Sharding([Dim("data", priority=1)], mesh), Sharding([None, Dim("data:(2)2", open=True)], mesh))
    return with_shardings(plain, in_shardings=given, out_shardings=Sharding(["data"], mesh))


def under_jit(layer: Layer) -> Callable[..., Any]:
    return lambda h, w: layer(h[0], w[0])


def under_grad(layer: Layer) -> Callable[..., Any]:
    return jax.grad(lambda h, w: (layer(h[0], w[0]) ** 2).sum(), argnums=(0, 1))


def under_vmap(layer: Layer) -> Callable[..., Any]:
    return jax.vmap(layer)


def under_named_vmap(layer: Layer) -> Callable[..., Any]:
    return jax.vmap(layer, spmd_axis_name="model")


def under_scan(layer: Layer) -> Callable[..., Any]:
    return lambda h, w: jax.lax.scan(lambda h, w: (layer(h, w), None), h[0], w)[0]


def under_all(layer: Layer) -> Callable[..., Any]:
    """The gradient of a loop, batched."""

    def loss(h: Any, w: Any) -> Any:
        return (jax.lax.scan(lambda h, w: (layer(h, w), h.sum()), h, w)[0] ** 2).sum()

    return jax.vmap(jax.value_and_grad(loss), (0, None))


PARTS = (with_constraint, with_groups, with_barrier, with_name, with_edges)
TRANSFORMATIONS = (under_jit, under_grad, under_vmap, under_named_vmap, under_scan, under_all)
PAIRS = list(itertools.product(PARTS, TRANSFORMATIONS))


def data() -> tuple[np.ndarray, np.ndarray]:
    h = np.arange(2 * 8 * 8, dtype=np.float32).reshape(2, 8, 8) / 200
    return h, np.cos(h)


@pytest.mark.parametrize(
    ("part", "transformed"), PAIRS if depth.ALL else PAIRS[::4] + [(part, under_all) for part in PARTS]
)
def test_parts_under_transformations(mesh: Mesh, part: Any, transformed: Any) -> None:
    function = transformed(part(mesh))
    got = sdy.jax.jit(function)(*data())
    wanted = jax.jit(transformed(plain))(*data())
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-5), got, wanted)
    assert len(jax.tree.leaves(got)[0].sharding.device_set) == 8
    if depth.ALL:  # the program as XLA partitions it, and as we do inside of jax.jit
        with sdy.jax.partitioned():
            inside = jax.jit(function)(*data())
        for other in (inside, jax.jit(function)(*data())):
            jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-5), other, wanted)


@pytest.mark.parametrize("part", PARTS)
def test_parts_in_shard_map(mesh: Mesh, part: Any) -> None:
    """Manual along one axis, and free along the other, which the part is about."""
    if part is with_edges:
        part = with_name

    def body(h: Any, w: Any) -> Any:
        return jax.lax.psum(part(mesh)(h[0], w[0]), "model")

    def manual(body: Any) -> Any:
        return jax.shard_map(
            body, mesh=mesh, in_specs=(P("model"), P("model")), out_specs=P(), axis_names={"model"}, check_vma=False
        )

    h, w = data()
    got = sdy.jax.jit(manual(body))(h, w)
    np.testing.assert_allclose(got, plain(h[0], w[0]) + plain(h[1], w[1]), rtol=2e-5)


# In and out -----------------------------------------------------------------------------------------

ENTRIES: list[tuple[Any, dict[str, Any], str, P]] = [
    (["data"], {}, '[{"data"}, {}]', P("data")),
    ([Dim("data", open=True)], {}, '[{"data", ?}, {}]', P("data")),
    ([None, Dim("model", priority=2)], {}, '[{}, {"model"}p2]', P(None, "model")),
    ([None], {"replicated": "model"}, '[{}, {}], replicated={"model"}', P()),
    (P("data", P.UNCONSTRAINED), {}, '[{"data"}, {?}]', P("data")),
    (sdy.TensorSharding.open("any", 2), {}, "[{?}, {?}]", P()),
]


@pytest.mark.parametrize(("dims", "options", "text", "spec"), ENTRIES)
def test_what_goes_in_and_comes_out(mesh: Mesh, dims: Any, options: Any, text: str, spec: P) -> None:
    x = data()[0][0]
    sharding = Sharding(dims, mesh, **options)
    step = sdy.jax.jit(lambda x: jnp.tanh(x), in_shardings=(sharding,), out_shardings=sharding)
    lowered = step.lower(x)
    assert f"tensor<8x8xf32> {{sdy.sharding = #sdy.sharding<@mesh, {text}>}}" in lowered.as_text()
    result = step(x)
    wanted = NamedSharding(mesh, spec)
    assert result.sharding.is_equivalent_to(wanted, 2), result.sharding
    assert lowered.compile().input_shardings[0][0].is_equivalent_to(wanted, 2)
    np.testing.assert_allclose(result, np.tanh(x), rtol=1e-6)


def test_parts_of_axes_go_in_and_come_out(mesh: Mesh) -> None:
    x = data()[0][0]
    halves = Sharding(["data:(1)2"], mesh)
    step = sdy.jax.jit(lambda x: x + 1, in_shardings=halves, out_shardings=halves)
    result = step(x)
    assert [shard.data.shape for shard in result.addressable_shards] == [(4, 8)] * 8
    assert '[{"data":(1)2}, {}]' in step.lower(x).as_text()
    np.testing.assert_allclose(step(result), x + 2, rtol=1e-6)


def test_open_dimensions_take_what_propagation_brings(mesh: Mesh) -> None:
    """The first argument follows the second, and so does the result; what is closed does not."""
    h, w = data()[0][0], data()[1][0]
    rows = NamedSharding(mesh, P("data"))
    followed = sdy.jax.jit(jnp.add, in_shardings=(Sharding([Dim(open=True)], mesh), rows))(h, w)
    kept = sdy.jax.jit(jnp.add, in_shardings=(None, rows), out_shardings=Sharding([None], mesh))(h, w)
    assert followed.sharding.is_equivalent_to(rows, 2)
    assert kept.sharding.is_fully_replicated


def test_structures_static_arguments_and_decorators(mesh: Mesh) -> None:
    rows, columns = Sharding([Dim("data", open=True)], mesh), Sharding([None, "model"], mesh)

    @sdy.jax.jit(in_shardings=({"w": columns, "b": None}, rows), out_shardings={"y": rows}, static_argnums=1)
    def step(params: Any, power: int, x: Any) -> Any:
        return {"y": (x @ params["w"]) ** power + params["b"]}

    h, w = data()[0][0], data()[1][0]
    text = step.lower({"w": w, "b": h}, 2, h).as_text()
    assert '%arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}' in text
    assert '%arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", ?}, {}]>}' in text
    np.testing.assert_allclose(step({"w": w, "b": h}, 2, h)["y"], (h @ w) ** 2 + h, rtol=2e-5)


def test_inside_of_a_larger_program_they_are_constraints(mesh: Mesh) -> None:
    inner = sdy.jax.jit(jnp.tanh, in_shardings=Sharding([Dim("data", open=True)], mesh))
    text = sdy.jax.jit(lambda x: inner(x + 1)).lower(data()[0][0]).as_text()
    assert 'sdy.sharding_constraint %arg0 <@mesh, [{"data", ?}, {}]>' in text


def test_a_committed_argument_has_to_fit(mesh: Mesh) -> None:
    placed = jax.device_put(data()[0][0], NamedSharding(mesh, P("data", "model")))
    opened = sdy.jax.jit(lambda x: x + 1, in_shardings=Sharding([Dim("data", open=True), Dim(open=True)], mesh))
    assert opened(placed).sharding.is_equivalent_to(placed.sharding, 2)
    closed = sdy.jax.jit(lambda x: x + 1, in_shardings=Sharding([Dim("model", priority=1)], mesh))
    with pytest.raises(ValueError, match="does not match the sharding"):
        closed(placed)
    other = sdy.jax.jit(lambda x: x + 1, in_shardings=Sharding([None, Dim("data", open=True)], mesh))
    with pytest.raises(ValueError, match=r"committed to .*\"data\".*but in_shardings has"):
        other(placed)


# Named computations ---------------------------------------------------------------------------------


def test_a_named_computation_is_one(mesh: Mesh) -> None:
    """It has its name, and shardings where it was given some, and its name is part of the paths of its ops."""
    with jax.set_mesh(mesh):
        part = named_computation(
            plain, name="dense", in_shardings=(NamedSharding(mesh, P("data")), None), out_shardings=P(None, "model")
        )
    h, w = data()[0][0], data()[1][0]
    lowered = sdy.jax.jit(lambda h, w: part(h, w) + 1).lower(h, w)
    text = lowered.as_text()
    assert (
        'sdy.named_computation<"dense">(%arg0, %arg1) in_shardings=[<@mesh, [{"data"}, {}]>, <@mesh, [{?}, {?}]>]'
        in text
    )
    assert 'out_shardings=[<@mesh, [{}, {"model"}]>]' in text
    assert '"jit(<lambda>)/dense/dot_general"' in lowered.partitioned.text
    assert np.allclose(part(h, w), plain(h, w), rtol=1e-5)  # outside of any jit


def test_effects_in_a_named_computation_stay_in_order(capfd: pytest.CaptureFixture[str]) -> None:
    @named_computation
    def loud(x: Any) -> Any:
        jax.debug.print("sum {s}", s=x.sum(), ordered=True)
        return x + 1

    step = sdy.jax.jit(lambda x: loud(loud(x)))
    assert step.lower(data()[0][0]).as_text().count("sdy.named_computation") == 2
    step(data()[0][0])
    jax.effects_barrier()
    printed = [line for line in capfd.readouterr().out.splitlines() if line.startswith("sum")]
    assert [float(line.split()[1]) for line in printed] == pytest.approx([10.08, 74.08])


def test_what_is_exported_has_no_named_computations(mesh: Mesh) -> None:
    step = jax.jit(named_computation(plain, in_shardings=(Sharding(["data"], mesh), None)))
    h, w = data()[0][0], data()[1][0]
    exported = jax.export.export(step)(h, w)
    assert exported.nr_devices == 8
    with jax.set_mesh(mesh):
        placed = [jax.device_put(x, NamedSharding(mesh, P())) for x in (h, w)]
        np.testing.assert_allclose(jax.jit(exported.call)(*placed), plain(h, w), rtol=1e-5)


@pytest.mark.parametrize(
    ("dims", "options", "message"),
    [
        ([Dim(None, priority=1)], {}, "priority on a closed dimension without axes"),
        (["data", "data"], {}, "data"),
        (["model:(1)2"], {}, "model"),
        (["rows"], {}, "no axis 'rows', but 'data', 'model'"),
        (["data"], {"replicated": "data"}, "data"),
        ([Dim(open=True)] * 3, {}, "3 dimensions are sharded, but the array has 2"),
    ],
)
def test_shardings_that_are_none(mesh: Mesh, dims: Any, options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sdy.jax.jit(jnp.tanh, in_shardings=Sharding(dims, mesh, **options)).lower(data()[0][0])


def test_an_axis_of_vmap_that_is_used_already(mesh: Mesh) -> None:
    batched = jax.vmap(lambda x: constraint(x, ["data"], mesh=mesh), spmd_axis_name="data")
    with pytest.raises(ValueError, match="spmd_axis_name 'data', which the constraint"):
        jax.jit(batched)(data()[0])
    text = jax.jit(jax.vmap(lambda x: constraint(x, ["data"], mesh=mesh), spmd_axis_name="model")).lower(data()[0])
    assert '[{"model"}, {"data"}, {}]' in text.as_text()


def test_parts_of_sums_come_out_along_explicit_axes(mesh: Mesh) -> None:
    x = data()[0][0]
    explicit = jax.make_mesh((4, 2), ("data", "model"), axis_types=(jax.sharding.AxisType.Explicit,) * 2)

    def product(x: Any) -> Any:
        return jnp.einsum("ij,kj->ik", x, x, out_sharding=NamedSharding(explicit, P(unreduced=frozenset({"model"}))))

    with jax.set_mesh(explicit):
        placed = jax.device_put(x, NamedSharding(explicit, P(None, "model")))
        result = sdy.jax.jit(product, out_shardings=Sharding([None], explicit, unreduced="model"))(placed)
        assert result.sharding.spec.unreduced == {"model"}
        np.testing.assert_allclose(jax.reshard(result, P()), x @ x.T, rtol=1e-5)
    with pytest.raises(ValueError, match="only along Explicit axes"):
        sdy.jax.jit(product, out_shardings=Sharding([None], mesh, unreduced="model"))
