"""A program with every name that upstream's `mpmd` package has: only the import is another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

from sdy.jax import mpmd

STAGES = {"first": 0, "second": 1}


def _topology() -> mpmd.Topology:
    devices = np.array(jax.devices()[:4]).reshape(2, 2)
    return {name: Mesh(row, ("data",)) for name, row in zip(("m0", "m1"), devices, strict=True)}


@mpmd.named_computation(name="first", static_argnames="scale")
def _first(w: jax.Array, x: jax.Array, mask: jax.Array, *, scale: float) -> jax.Array:
    return scale * jnp.tanh(x @ w) * mask


def _loss(params: Any, x: jax.Array, mask: jax.Array) -> jax.Array:
    mask = mpmd.broadcast(mask)
    hidden = mpmd.named_tensor(_first(params[0], x, mask, scale=2.0), "hidden")
    return mpmd.named_computation(lambda w, h, m: jnp.sum((h @ w * m) ** 2), name="second")(params[1], hidden, mask)


def _step(params: Any, xs: Sequence[jax.Array], mask: jax.Array) -> Any:
    def microbatch(carry: Any, _: jax.Array, x: jax.Array) -> Any:
        value, gradients = jax.value_and_grad(_loss)(params, x, mask)
        return carry[0] + value, jax.tree.map(jnp.add, carry[1], gradients)

    zeros = jnp.zeros(()), jax.tree.map(jnp.zeros_like, params)
    total, gradients = mpmd.enumerated_for(microbatch, zeros, list(xs))
    return total, jax.tree.map(lambda p, g: p - 0.1 * g, params, gradients)


def _evaluate(params: Any, x: jax.Array, mask: jax.Array) -> jax.Array:
    def again(index: jax.Array, total: jax.Array) -> jax.Array:
        return total + _loss(params, x, mask) * (index + 1)

    whole = mpmd.fori_loop(2, again, jnp.zeros(()))
    once = mpmd.call(_loss, call_counter=2)(params, x, mask)
    return mpmd.reduce(whole + once)


def _rules(fragments: Sequence[mpmd.FragmentInfo], context: mpmd.PipelineContext) -> Any:
    """All forward passes first; fragments of one computation and pass that have no microbatch become one."""
    assert context.num_meshes == 2
    units = [each for each in fragments if each.call_counter is not None]
    units.sort(key=lambda each: (each.is_backward, each.call_counter))
    assert {origin.computation_name for each in units for origin in each.origins} <= {*STAGES}
    return [mpmd.FragmentScheduleRule(tuple(units))], list[mpmd.FragmentMergeRule]()


def _arguments() -> Any:
    rng = np.random.default_rng(0)
    params, mask = tuple(rng.standard_normal((2, 4, 4)).astype(np.float32)), np.ones(4, np.float32)
    return params, tuple(rng.standard_normal((3, 2, 4)).astype(np.float32)), mask


@pytest.mark.parametrize("way", ["options", "registered", "rules"])
def test_programs_for_upstream_run_after_changing_the_import(way: str) -> None:
    schedule = mpmd.get_pipeline_schedule("ONE_FWD_ONE_BWD")
    ways: dict[str, Any] = {
        "options": {"partitioning_options": {"mpmd_pipeline_schedule": "1F1B", "mpmd_infer_transfers": True}},
        "registered": {"pipeline_schedule": schedule, "partitioning_options": {"mpmd_infer_transfers": True}},
        "rules": {
            "pipeline_schedule": mpmd.PipelineSchedule((_rules,)),
            "partitioning_options": {"mpmd_infer_transfers": True},
        },
    }
    config = mpmd.make_config(
        _topology(),
        {"first": "m0", "second": "m1", "hidden": "m1"},
        name_to_stage_assignment=STAGES,
        input_mesh_assignment=(("m0", "m1"), (None,) * 3, None),
        output_mesh_assignment=("m1", None),
        read_input_output_mesh_from_shardings=False,
        **ways[way],
    )
    assert mpmd.mesh_names(config.topology) == ["m0", "m1"]
    whole, rows = (NamedSharding(config.sharding_mesh, spec) for spec in (P(), P("data")))
    jitted = mpmd.jit(
        _step,
        config,
        in_shardings=((whole, whole), (rows,) * 3, whole),
        out_shardings=(whole, (whole, whole)),
        donate_argnums=(0,),
        keep_unused=True,
        override_func_name="train_step",
    )
    lowered = jitted.trace(*_arguments()).lower()
    assert repr(lowered) == "<sdy.jax.mpmd.Lowered: 6 arguments, on meshes m0, m1>"
    assert "@jit_train_step" in lowered.as_text("stablehlo")
    assert "mpmd.fragment_call" in lowered.as_text("mpmd")
    assert lowered.compiler_ir("stablehlo") is not None
    assert lowered.sharding_info is lowered.function_named_shardings
    assert lowered.function_mesh_assignment.input_meshes[0] == ("m0", "m1")
    compiled = lowered.compile()
    assert {*compiled.memory_analysis()} == {"m0", "m1"}
    assert all(compiled.cost_analysis().values())
    placed = jax.device_put(_arguments(), lowered.function_named_shardings.input_specs)
    for value, expected in zip(
        jax.tree.leaves(compiled(*placed)), jax.tree.leaves(jax.jit(_step)(*_arguments())), strict=True
    ):
        np.testing.assert_allclose(value, expected, rtol=1e-5, atol=1e-6)


def test_loops_and_calls_of_upstream_run() -> None:
    params, xs, mask = _arguments()
    config = mpmd.make_config(
        _topology(), {"first": "m0", "second": "m1"}, partitioning_options={"mpmd_infer_transfers": True}
    )
    lowered = mpmd.jit(_evaluate, config).lower(params, xs[0], mask)
    placed = jax.device_put((params, xs[0], mask), lowered.function_named_shardings.input_specs)
    np.testing.assert_allclose(lowered.compile()(*placed), _evaluate(params, xs[0], mask), rtol=1e-5)


def test_rules_are_values() -> None:
    origin = mpmd.FragmentOrigin("first", 1)
    one = mpmd.FragmentInfo((origin,), 0, 1, None, "m0")
    rule = mpmd.FragmentMergeRule((one,), one)
    assert rule.sources[0].origins[0].transpose_count == 1
