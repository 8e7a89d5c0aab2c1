"""The examples: trained sharded and unsharded, and what their partitioned programs look like."""

from __future__ import annotations

import collections
import dataclasses
from typing import Any

import jax
import mlp_fsdp
import models
import pytest
import train_transformer
import training
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

import sdy
import sdy.jax
from sdy import hlo
from sdy.dialect.values.axes import axes
from sdy.partitioned_module import PartitionedModule

CONFIG = models.TransformerConfig()


def transformer_job() -> training.Training:
    mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    return train_transformer.training(mesh, CONFIG)


def mlp_job() -> training.Training:
    return mlp_fsdp.training(jax.make_mesh((8,), ("data",), axis_types=(jax.sharding.AxisType.Auto,)))


JOBS = {"transformer": transformer_job, "mlp": mlp_job}


@dataclasses.dataclass(frozen=True)
class Lowered:
    job: training.Training
    lowered: sdy.jax.Lowered
    partitioned: PartitionedModule


@pytest.fixture(scope="module", params=JOBS)
def lowered(request: pytest.FixtureRequest) -> Lowered:
    job = JOBS[request.param]()
    lowered = job.partitioned().lower(job.state, *job.batch)
    return Lowered(job, lowered, lowered.partitioned)


def test_sharded_training_equals_unsharded(lowered: Lowered) -> None:
    job = lowered.job
    reference = jax.jit(job.step).lower(job.state, *job.batch).compile()
    assert training.train(job, lowered.lowered.compile(), reference, steps=5) <= 1e-5


def test_local_program_has_no_sdy(lowered: Lowered) -> None:
    assert "sdy" not in without_locations(lowered.partitioned.text)


def test_local_program_has_local_shapes(lowered: Lowered) -> None:
    partitioned = lowered.partitioned
    sizes = partitioned.mesh.axis_sizes
    for boundary in (*partitioned.arguments, *partitioned.results):
        assert boundary.local_shape == boundary.sharding.local_shape(boundary.shape, sizes)
    assert any(boundary.local_shape != boundary.shape for boundary in partitioned.arguments)
    signature = ", ".join(f"%arg{i}: {one.local_type}" for i, one in enumerate(partitioned.arguments[:1]))
    assert f"@main({signature}" in partitioned.text


def test_xla_adds_no_collective(lowered: Lowered) -> None:
    """Right after XLA's partitioner the program has our collectives and no others, each of one tensor."""
    text, _ = hlo.after_partitioning(lowered.lowered)
    assert text is not None
    found = hlo.collectives(text, lowered.partitioned.num_devices)
    ours = lowered.lowered.communication()
    assert counts((one.kind, one.group_size) for one in found) == counts(
        (total.kind, total.group_size) for total in ours.totals for _ in range(total.ops)
    )
    assert sum(one.moved_bytes for one in found) == pytest.approx(ours.bytes_sent)


def test_boundary_shardings_are_those_asked_for(lowered: Lowered) -> None:
    job, arguments = lowered.job, lowered.partitioned.arguments
    wanted = [*jax.tree.leaves(job.state_shardings), *[job.batch_sharding] * len(job.batch)]
    for sharding, argument in zip(wanted, arguments, strict=True):
        names = tuple(sharding.spec) + (None,) * (len(argument.shape) - len(sharding.spec))
        assert argument.sharding.dim_axes == tuple(axes(name) if name else () for name in names)


def without_locations(text: str) -> str:
    return sdy.print_module(sdy.parse(text))


def counts(keys: Any) -> collections.Counter:
    return collections.Counter(keys)


SLOW_PRODUCTS = "sdy-partition-pipeline{machine='flops=1e11 bandwidth=1e11'}"
"""Where products take long, nothing is computed twice to send less, as it would be for layers of this size."""


def test_forward_pass_has_two_all_reduces_per_layer(mesh: jax.sharding.Mesh) -> None:
    """Megatron's scheme: one all-reduce after attention, one after the MLP, over "model", nothing else."""
    specs = models.transformer_specs(CONFIG)
    placed = jax.tree.map(lambda spec: NamedSharding(mesh, spec), specs, is_leaf=lambda leaf: isinstance(leaf, P))
    batch = NamedSharding(mesh, P("data"))
    forward = sdy.jax.jit(models.transformer, in_shardings=(placed, batch), out_shardings=batch)
    partitioner = sdy.jax.Partitioner(SLOW_PRODUCTS)
    params = jax.eval_shape(lambda: models.init_transformer(jax.random.key(0), CONFIG))
    tokens = jax.ShapeDtypeStruct((CONFIG.batch, CONFIG.sequence), "int32")
    program = forward.lower(params, tokens).compiler_ir()
    assert program is not None
    found = partitioner.partition(program).collectives
    assert [(one.kind, one.axes) for one in found] == [("all_reduce", axes("model"))] * (2 * CONFIG.layers)
    activations = CONFIG.batch // 4 * CONFIG.sequence * CONFIG.width * 4
    assert {one.operand_bytes for one in found} == {activations}


def test_training_step_communicates_as_megatron() -> None:
    """Two all-reduces per layer and direction over "model"; over "data" the gradients and the loss."""
    job = transformer_job()
    program = job.partitioned().lower(job.state, *job.batch).compiler_ir()
    assert program is not None
    found = sdy.jax.Partitioner(SLOW_PRODUCTS).partition(program).collectives
    over = counts(one.axes_text for one in found)
    assert over['{"model"}'] == 4 * CONFIG.layers
    assert {one.kind for one in found} == {"all_reduce"}
