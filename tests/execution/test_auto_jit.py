"""`sdy.jax.jit(auto=...)`: a step whose shardings are chosen computes what it computes on one device."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import sdy
import sdy.jax
from sdy.auto.plan_difference import Edit
from sdy.auto.plan_inside import PlanInside
from sdy.dialect.values.mesh import Mesh
from sdy.jax.call_arguments import Chosen
from tests import depth

MACHINE = "flops=1e11 bandwidth=1e9 latency=1e-6 memory_bandwidth=1e10"
OPTIONS = sdy.auto.Options(mesh={"data": 4, "model": 2}, machine=MACHINE)


def step(state: Any, x: jax.Array, y: jax.Array) -> Any:
    def loss(w: Any) -> jax.Array:
        return jnp.mean((jax.nn.relu(x @ w["a"]) @ w["b"] - y) ** 2)

    value, gradients = jax.value_and_grad(loss)(state)
    return jax.tree.map(lambda p, g: p - 0.01 * g, state, gradients), value


def arguments() -> tuple[Any, jax.Array, jax.Array]:
    rng = np.random.default_rng(0)
    draw = lambda *dims: jnp.asarray(rng.standard_normal(dims), jnp.float32)  # noqa: E731
    return {"a": draw(64, 256), "b": draw(256, 64)}, draw(512, 64), draw(512, 64)


def shapes() -> tuple[Any, ...]:
    return jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype), arguments())


def assert_close(have: Any, want: Any) -> None:
    for a, b in zip(jax.tree.leaves(have), jax.tree.leaves(want), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def test_a_step_that_is_planned_runs() -> None:
    planned = sdy.jax.jit(step, donate_argnums=0, auto=OPTIONS)
    plan = planned.plan(*shapes())
    assert any(not one.is_fully_replicated for one in jax.tree.leaves(plan.in_shardings))
    # The state comes back as it went in.
    assert jax.tree.leaves(plan.out_shardings[0]) == jax.tree.leaves(plan.in_shardings[0])
    want_state, want = jax.jit(step)(*arguments())
    state, loss = planned(*arguments())
    assert_close((state, loss), (want_state, want))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        planned(state, *planned.place(*arguments())[1:])
    assert planned.plan(*arguments()) is plan


def test_what_lies_in_another_way_is_moved_with_a_warning() -> None:
    planned = sdy.jax.jit(step, auto=OPTIONS)
    state, x, y = arguments()
    mesh = planned.plan(state, x, y).mesh
    elsewhere = jax.device_put(x, jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec(None, ("model", "data"))))
    with pytest.warns(UserWarning, match="131,072 bytes of arguments"):
        planned(state, elsewhere, y)


def test_the_shardings_are_for_everybody() -> None:
    plan = sdy.jax.jit(step, auto=OPTIONS).plan(*shapes())
    plain = jax.jit(step, in_shardings=plan.in_shardings, out_shardings=plan.out_shardings)
    assert_close(plain(*arguments()), jax.jit(step)(*arguments()))


def test_a_mesh_of_jax_is_that_of_the_plan() -> None:
    """Devices and all; and whatever says the same gives the same plan."""
    devices = np.array(jax.devices()[:8][::-1]).reshape(4, 2)
    mesh = jax.sharding.Mesh(devices, ("data", "model"))
    plan = sdy.jax.jit(step, auto=sdy.auto.Options(mesh=mesh, machine=MACHINE, verify=0)).plan(*shapes())
    assert all(one.mesh == mesh for one in jax.tree.leaves((plan.in_shardings, plan.out_shardings)))
    text = jax.jit(step).lower(*shapes()).as_text()
    same = [mesh, mesh.abstract_mesh, {"data": 4, "model": 2}, Mesh.of(data=4, model=2), "data:4,model:2"]
    same.append([("data", 4), ("model", 2)])
    texts = {sdy.auto.partition(text, each, MACHINE, verify=0).text for each in same}
    assert len(texts) == 1
    assert sdy.auto.Options(mesh="4x2").mesh == Mesh.of(x=4, y=2) == sdy.auto.Options(mesh=(4, 2)).mesh


def test_links_are_those_of_the_devices_of_a_mesh() -> None:
    """Devices in blocks of four: along the axis that leaves the block data goes slowly."""
    machine = "flops=1e11 bandwidth=1e7 memory_bandwidth=1e10 block_bandwidth.4=1e10"
    ids = np.arange(8).reshape(2, 4)
    inside = jax.sharding.Mesh(np.array(jax.devices()[:8])[ids], ("data", "model"))
    across = jax.sharding.Mesh(np.array(jax.devices()[:8])[ids.T.reshape(2, 4)], ("data", "model"))
    text = jax.jit(step).lower(*shapes()).as_text()
    plans = [sdy.auto.partition(text, mesh, machine, verify=0) for mesh in (inside, across)]
    links = [dict(plan.machine.axis_bandwidth) for plan in plans]
    assert links[0]["model"] == 1e10 and "data" not in links[0]
    assert "model" not in links[1]


def test_a_plan_is_saved_edited_and_run(tmp_path: Path) -> None:
    planned = sdy.jax.jit(step, auto=OPTIONS)
    path = tmp_path / "plan.json"
    planned.plan(*shapes()).save(path)
    text = path.read_text()
    data = json.loads(text)
    (x,) = (one for one in data["arguments"] if one["name"] == "x")
    x["sharding"] = [["model"], []]
    path.write_text(json.dumps(data))
    loaded = planned.load(path, *shapes())
    assert [one.name for one in loaded.plan.edits] == ["x"]
    assert loaded.in_shardings[1].spec == jax.sharding.PartitionSpec("model", None)
    assert planned.plan(*shapes()) is loaded
    assert_close(planned(*arguments()), jax.jit(step)(*arguments()))
    other = loaded.what_if({"y": (None, "data")})
    assert other.in_shardings[2].spec == jax.sharding.PartitionSpec(None, "data")


def scaled(state: Any, x: jax.Array, y: jax.Array, power: int = 1) -> Any:
    state, value = step(state, x, y)
    return state, value**power


def test_arguments_may_be_given_by_name() -> None:
    """Also those that are static or donated, and by negative numbers."""
    state, x, y = arguments()
    planned = sdy.jax.jit(scaled, donate_argnames=("state",), static_argnames="power", auto=OPTIONS)
    plan = planned.plan(state, y=y, x=x, power=2)
    assert plan is planned.plan(state, x, y, 2) and plan is not planned.plan(state, x, y, 1)
    assert jax.tree.leaves(plan.out_shardings[0]) == jax.tree.leaves(plan.in_shardings[0])
    placed = planned.place(state=state, x=x, y=y, power=2)
    want = scaled(*arguments(), power=2)
    assert_close(planned(*placed, power=2), want)
    assert Chosen.of(scaled, -1, "x") == Chosen(frozenset({1, 3}), frozenset({"x", "power"}))


def forward(w: Any, x: jax.Array, unused: jax.Array) -> jax.Array:
    return jax.nn.relu(x @ w["a"]) @ w["b"]


def test_what_is_edited_inside_of_a_plan_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing is planned a second time; an argument that nobody uses is not part of what is compiled."""
    planned = sdy.jax.jit(forward, auto=OPTIONS)
    given = arguments()
    path = tmp_path / "plan.json"
    found = planned.plan(*given)
    found.save(path)
    monkeypatch.setattr("sdy.passes.auto.auto_partition.find_plan", lambda *_: pytest.fail("planned again"))
    monkeypatch.setattr("sdy.auto.found_plans.find_plan", lambda *_: pytest.fail("planned again"))
    assert planned.lower(*given).communication().bytes_sent == found.plan.cost.bytes_sent
    data = json.loads(path.read_text())
    product = next(one for one in data["values"] if one["op"] == "stablehlo.dot_general")
    assert product["sharding"] == [["data", "model"], []]
    product["sharding"] = [["model"], ["data"]]
    path.write_text(json.dumps(data))
    loaded = planned.load(path, *given)
    assert [edit.section for edit in loaded.plan.edits] == ["values"]
    lowered = planned.lower(*given)
    assert lowered.communication().bytes_sent == loaded.plan.cost.bytes_sent > found.plan.cost.bytes_sent
    assert "collective-permute" in lowered.compile().as_text()
    assert_close(planned(*given), forward(*given))


def test_a_program_of_other_ops_than_planned_is_planned_unless_the_plan_was_edited() -> None:
    text, other = (jax.jit(function).lower(arguments()[1]).as_text() for function in (jnp.tanh, jnp.sin))
    mesh = '  sdy.mesh @mesh = <["data"=4, "model"=2]>\n'
    other = other.replace("\n", "\n" + mesh, 1)
    plan = OPTIONS.plan(text)
    inside = PlanInside.of(plan, OPTIONS.step())
    assert "sdy.sharding_per_value" in inside.put_into(other, "-")
    edited = PlanInside.of(replace(plan, edits=(Edit("values", "tanh", (512, 64), None, ((), ())),)), OPTIONS.step())
    with pytest.raises(sdy.DiagnosticError, match=r"differs from the planned program: it has no stablehlo\.tanh"):
        edited.put_into(other, "-")


def test_inside_only() -> None:
    """Batch and weights on one axis, as FSDP has them, and nothing said about what is between."""
    mesh = jax.make_mesh((8,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))
    rows = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("data"))
    given = jax.tree.map(lambda leaf: rows, arguments())
    options = {"in_shardings": given, "out_shardings": (given[0], None)}
    inside = sdy.jax.jit(step, **options, auto=sdy.auto.Options(machine=MACHINE, inside=True))
    propagated = sdy.jax.jit(step, **options)
    texts = [function.lower(*shapes()).partitioned.text for function in (inside, propagated)]
    sent = [sdy.communication(text).bytes_sent for text in texts]
    assert sent[0] <= sent[1]
    assert_close(inside(*arguments()), jax.jit(step)(*arguments()))


def scanned(constraint: Any) -> Any:
    """Two perceptrons, scanned over; what `constraint` makes of a layer's input is its input."""

    def layer(x: jax.Array, w: Any) -> tuple[jax.Array, None]:
        x = constraint(x)
        return x + jax.nn.relu(x @ w["up"]) @ w["down"], None

    def loss(parameters: Any, tokens: jax.Array) -> jax.Array:
        x = jax.lax.scan(layer, parameters["embedding"][tokens], parameters["layers"])[0]
        scores = jax.nn.log_softmax(x @ parameters["embedding"].T)
        return -jnp.take_along_axis(scores, tokens[..., None], axis=-1).mean()

    def step(parameters: Any, tokens: jax.Array) -> Any:
        return jax.tree.map(lambda p, g: p - 0.1 * g, parameters, jax.grad(loss)(parameters, tokens))

    return step


@depth.deep
def test_activations_follow_the_batch_where_weights_are_on_its_axis() -> None:
    """FSDP by columns, nothing said of what is between: propagation follows the weights, a plan need not.

    At least as good as with a constraint for each layer (benchmarks.auto_partitioning --inside has the real sizes).
    """
    mesh = jax.make_mesh((8,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))
    on = lambda *spec: jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec(*spec))  # noqa: E731
    shape = lambda *dims: jax.ShapeDtypeStruct(dims, jnp.float32)  # noqa: E731
    parameters = {"embedding": shape(512, 64), "layers": {"up": shape(2, 64, 256), "down": shape(2, 256, 64)}}
    given = {"embedding": on(None, "data"), "layers": dict.fromkeys(("up", "down"), on(None, None, "data"))}
    arguments = (parameters, jax.ShapeDtypeStruct((64, 128), jnp.int32))
    rows = on("data")

    def sent(constraint: Any, **more: Any) -> float:
        options = {"in_shardings": (given, rows), "out_shardings": given, "donate_argnums": 0, **more}
        lowered = sdy.jax.jit(scanned(constraint), **options).lower(*arguments)
        found = sdy.communication(lowered.partitioned).bytes_sent
        assert lowered.communication().bytes_sent == found
        return found

    by_expert = sent(lambda x: jax.lax.with_sharding_constraint(x, rows))
    by_propagation, found = sent(lambda x: x), sent(lambda x: x, auto="inside")
    assert by_propagation > 5 * by_expert
    assert found <= by_expert


def test_callbacks_run_on_one_device_of_a_program_that_is_planned() -> None:
    """What is passed takes less than 100 KiB: jaxlib 0.10 needs a free thread for more, and all may wait for it."""

    def doubled(x: jax.Array, w: jax.Array) -> jax.Array:
        return jax.pure_callback(lambda a: 2 * a, jax.ShapeDtypeStruct((512, 32), jnp.float32), x @ w)

    x, w = arguments()[1], arguments()[0]["b"][:64, :32]
    np.testing.assert_allclose(sdy.jax.jit(doubled, auto=OPTIONS)(x, w), 2 * (x @ w), rtol=1e-4, atol=1e-4)


def test_ops_without_a_rule_are_warned_of_once() -> None:
    """Also where the plan was found on copies, of which nobody is told."""

    def twice(x: jax.Array) -> jax.Array:
        for target in ("nobody", "nobody_else"):
            x = jax.ffi.ffi_call(target, jax.ShapeDtypeStruct(x.shape, x.dtype))(x)
        return x

    mesh = jax.make_mesh((8,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))
    rows = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("data"))
    for auto in (False, "inside"):
        lowered = sdy.jax.jit(twice, in_shardings=rows, auto=auto).lower(shapes()[1])
        assert ["sharding rule" in one.message for one in lowered.partitioned.warnings] == [True]


def test_what_is_refused() -> None:
    with pytest.raises(TypeError, match=r"auto must be a sdy\.auto\.Options"):
        sdy.jax.jit(step, auto="outside")
    with pytest.raises(TypeError, match="give no partitioner with it"):
        sdy.jax.jit(step, auto=True, partitioner=sdy.jax.Partitioner())
    with pytest.raises(ValueError, match=r"'stat' is not an argument; these are state, x, y"):
        sdy.jax.jit(step, auto=True, donate_argnames="stat")
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'z'"):
        sdy.jax.jit(step, auto=True).plan(*shapes(), z=2.0)
    with pytest.raises(ValueError, match="static arguments must be hashable"):
        sdy.jax.jit(scaled, static_argnums=3, auto=True).plan(*shapes(), [1])
    with pytest.raises(ValueError, match="effort is one of"):
        sdy.auto.Options(effort="much")


@pytest.mark.skipif(not depth.ALL, reason="trains the transformer three times; SDY_TESTS=all")
def test_the_transformer_of_the_examples() -> None:
    example: Any = __import__("auto_transformer")
    models: Any = __import__("models")
    assert example.run(models.TransformerConfig(layers=1), Mesh.of(data=4, model=2), "cpu", 2) < example.TOLERANCE
