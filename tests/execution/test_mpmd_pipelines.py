"""Pipelines from JAX functions to arrays: values beside `jax.jit`, orders, what meshes hold, arguments, errors."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pipeline_transformer
import pytest
from jax.experimental import io_callback
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P
from models import TransformerConfig

from sdy.jax import mpmd
from sdy.jax.mpmd.transfer_causes import TransferCause
from sdy.mlir.diagnostics import DiagnosticError
from tests import depth

LAYERS, WIDTH, MICROBATCHES = 4, 8, 8


def _topology(count: int, size: int) -> dict[str, Mesh]:
    devices = np.array(jax.devices()[: count * size]).reshape(count, size)
    return {f"m{number}": Mesh(row, ("data",)) for number, row in enumerate(devices)}


def _layer(params: Any, x: jax.Array) -> jax.Array:
    return x + jnp.tanh(x @ params["up"]) @ params["down"]


def _loss(params: Any, x: jax.Array, target: jax.Array) -> jax.Array:
    for number, own in enumerate(params):
        x = mpmd.named_computation(_layer, name=f"layer_{number}")(own, x)
    return jnp.mean((x - target) ** 2)


def _step(params: Any, xs: Any, targets: Any) -> Any:
    def microbatch(carry: Any, x: jax.Array, target: jax.Array) -> Any:
        value, gradients = jax.value_and_grad(_loss)(params, x, target)
        return carry[0] + value, jax.tree.map(jnp.add, carry[1], gradients)

    carry = jnp.zeros(()), jax.tree.map(jnp.zeros_like, params)
    for number, (x, target) in enumerate(zip(xs, targets, strict=True)):
        carry = mpmd.call(microbatch, call_counter=number)(carry, x, target)
    return carry[0], jax.tree.map(lambda p, g: p - 0.1 * g, params, carry[1])


@functools.cache
def _arguments(batches: int, layers: int = LAYERS) -> Any:
    rng = np.random.default_rng(0)

    def normal(*shape: int) -> np.ndarray:
        return (rng.standard_normal(shape) / 4).astype(np.float32)

    params = [{"up": normal(WIDTH, 24), "down": normal(24, WIDTH)} for _ in range(layers)]
    return params, *(tuple(normal(4, WIDTH) for _ in range(batches)) for _ in range(2))


@functools.cache
def _lowered(meshes: int, size: int, batches: int, schedule: str, *options: str, donated: bool = False) -> mpmd.Lowered:
    names = {f"layer_{number}": f"m{number * meshes // LAYERS}" for number in range(LAYERS)}
    config = mpmd.make_config(
        _topology(meshes, size),
        names,
        name_to_stage_assignment={name: int(mesh[1:]) for name, mesh in names.items()},
        partitioning_options={"mpmd_pipeline_schedule": schedule, **dict.fromkeys(options, True)},
    )
    whole, rows = NamedSharding(config.sharding_mesh, P()), NamedSharding(config.sharding_mesh, P("data"))
    arguments = _arguments(batches)
    shardings = jax.tree.map(lambda _: whole, arguments[0]), (rows,) * batches, (rows,) * batches
    donate = 0 if donated else None
    return mpmd.jit(_step, config, in_shardings=shardings, donate_argnums=donate).lower(*arguments)


@functools.cache
def _expected(batches: int, layers: int = LAYERS) -> list[np.ndarray]:
    return [np.asarray(each) for each in jax.tree.leaves(jax.jit(_step)(*_arguments(batches, layers)))]


def _staged(meshes: int, stages: int, batches: int, schedule: Any) -> mpmd.Lowered:
    """A stage for each layer, on meshes in turn, or as a V."""
    is_v = isinstance(schedule, str) and schedule.endswith("_V")
    where = {f"layer_{n}": f"m{min(n, stages - 1 - n) if is_v else n % meshes}" for n in range(stages)}
    numbers = {name: number for number, name in enumerate(where)}
    topology = _topology(meshes, 1)
    config = mpmd.make_config(topology, where, name_to_stage_assignment=numbers, pipeline_schedule=schedule)
    return mpmd.jit(_step, config).lower(*_arguments(batches, stages))


def _run(lowered: mpmd.Lowered, batches: int) -> list[jax.Array]:
    compiled = lowered.compile()
    return jax.tree.leaves(compiled(*compiled.put(*_arguments(batches))))


WAYS = {
    "gpipe": ("GPipe",),
    "one forward one backward": ("1F1B",),
    "zero bubbles": ("ZeroBubbleH1", "mpmd_split_bwd_fragments"),
    "computed again": ("GPipe", "mpmd_fragment_remat"),
}


def test_values_are_those_of_one_program_and_the_same_for_each_schedule() -> None:
    found = {name: _run(_lowered(2, 2, 4, *way), 4) for name, way in WAYS.items()}
    for name, values in found.items():
        for value, expected in zip(values, _expected(4), strict=True):
            np.testing.assert_allclose(value, expected, rtol=1e-5, atol=1e-6, err_msg=name)
        for value, other in zip(values, found["gpipe"], strict=True):
            np.testing.assert_array_equal(value, other, err_msg=name)


@pytest.mark.parametrize(("schedule", "held"), [("GPipe", [8, 8, 8, 8]), ("1F1B", [4, 3, 2, 1])])
def test_meshes_hold_as_many_microbatches_as_the_schedule_says(schedule: str, held: list[int]) -> None:
    lowered = _lowered(4, 1, MICROBATCHES, schedule)
    assert list(lowered.schedule().held.values()) == held
    compiled = lowered.compile(dispatch="order")
    placed = compiled.put(*_arguments(MICROBATCHES))
    results, profile = compiled.profile(*placed)
    assert list(profile.held.values()) == held
    for value, expected in zip(jax.tree.leaves(results), _expected(MICROBATCHES), strict=True):
        np.testing.assert_allclose(value, expected, rtol=1e-5, atol=1e-6)
    threads = lowered.compile(dispatch="meshes")(*placed)
    jax.tree.map(np.testing.assert_array_equal, threads, results)


@pytest.mark.parametrize(
    ("schedule", "stages", "held"), [("INTERLEAVED_1F1B", 8, [11, 9, 7, 5]), ("ZB_H1", 4, [4, 4, 4, 4])]
)
def test_generated_schedules_hold_what_their_tables_say(schedule: str, stages: int, held: list[int]) -> None:
    lowered = _staged(4, stages, MICROBATCHES, schedule)
    assert list(lowered.schedule().held.values()) == held
    compiled = lowered.compile(dispatch="order")
    results, profile = compiled.profile(*compiled.put(*_arguments(MICROBATCHES, stages)))
    assert list(profile.held.values()) == held
    for value, expected in zip(jax.tree.leaves(results), _expected(MICROBATCHES, stages), strict=True):
        np.testing.assert_allclose(value, expected, rtol=1e-5, atol=1e-6)


def test_all_schedules_give_the_same_bits() -> None:
    by_hand = mpmd.schedule({"m0": "0F0 0F1 2F0 2F1 2B0 2B1 0B0 0B1", "m1": "1F0 3F0 3B0 1F1 3F1 3B1 1B0 1B1"})
    found = [
        jax.tree.leaves((compiled := _staged(2, 4, batches, schedule).compile())(*compiled.put(*_arguments(batches))))
        for batches, schedule in ((2, "GPIPE"), (2, "INTERLEAVED_1F1B"), (2, "ZB_V"), (2, by_hand))
    ]
    for values in found:
        for value, first in zip(values, found[0], strict=True):
            np.testing.assert_array_equal(value, first)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"m0": "F1 F0 B0 B1", "m1": "F0 F1 B0 B1"}, None),
        ({"m0": "F0 F1 B1 B0", "m1": "F0 F1 B0 B1"}, "deadlocks: 0B1 on m0 waits for 0B0 on m0"),
        ({"m0": "F0 B0 F1 B1", "m1": "F0 F1 B0 B1"}, "deadlocks: 0B0 on m0 waits for 1"),
        ({"m0": "F0 F1 B0 B1", "m1": "F0 B0"}, "the table lacks 1F1, 1B1 on mesh 'm1'"),
        ({"m0": "F0 F1 B0 B1 F2 B2", "m1": "F0 F1 B0 B1"}, "the table has 0F2 on mesh 'm0', which the program has not"),
        ({"m0": "F0 F1 B0 B1", "m1": "F0 F1 B0 B1", "m2": "F0 B0"}, "mesh 'm2', which has no fragments"),
    ],
)
def test_tables_are_checked_against_data_flow(table: dict[str, str], message: str | None) -> None:
    lowered = _lowered(2, 1, 2, "None")
    config = mpmd.make_config(
        lowered.config.topology,
        lowered.config.name_to_mesh_assignment,
        name_to_stage_assignment=lowered.config.name_to_stage_assignment,
        pipeline_schedule=mpmd.schedule(table),
    )
    if message is None:
        shown = str(lowered.with_config(config).schedule())
        assert shown == "m0  F1 F0 B0 B1  (holds 2)\nm1  F0 F1 B0 B1  (holds 2)"
        return
    with pytest.raises(ValueError, match=message):
        lowered.with_config(config).schedule()


def test_live_arrays_are_those_of_the_microbatches_held() -> None:
    lowered = _lowered(4, 1, MICROBATCHES, "1F1B")
    compiled = lowered.compile(dispatch="order")
    placed = compiled.put(*_arguments(MICROBATCHES))
    most = dict.fromkeys(lowered.config.topology, 0)

    def count(*_: object) -> None:
        arrays = [each for each in jax.live_arrays() if each.shape == (4, 24)]  # what tanh leaves, only held there
        for name, mesh in lowered.config.topology.items():
            most[name] = max(most[name], sum(each.devices() == {*mesh.devices.flat} for each in arrays))

    compiled._dispatch([*jax.tree.leaves(placed)], count)
    residuals = len({run.callee for run in lowered.program.runs if run.transpose_count == 0 and run.mesh == "m3"})
    assert residuals == 1
    per_microbatch = most["m3"]
    assert [count // per_microbatch for count in most.values()] == [4, 3, 2, 1]


def test_registered_schedules_order_as_the_built_in_ones() -> None:
    built_in = _lowered(2, 2, 4, "1F1B")
    config = mpmd.make_config(
        built_in.config.topology,
        built_in.config.name_to_mesh_assignment,
        name_to_stage_assignment=built_in.config.name_to_stage_assignment,
        pipeline_schedule="ONE_FWD_ONE_BWD",
    )
    assert str(built_in.with_config(config).schedule()) == str(built_in.schedule())


def test_donated_parameters_are_updated_in_place() -> None:
    lowered = _lowered(2, 2, 4, "1F1B", donated=True)
    compiled = lowered.compile()
    params, xs, targets = compiled.put(*jax.tree.map(np.copy, _arguments(4)))
    results = compiled(params, xs, targets)
    assert all(each.is_deleted() for each in jax.tree.leaves(params))
    assert not any(each.is_deleted() for each in jax.tree.leaves((xs, targets)))
    for value, expected in zip(jax.tree.leaves(results), _expected(4), strict=True):
        np.testing.assert_allclose(value, expected, rtol=1e-5, atol=1e-6)
    again = compiled(results[1], xs, targets)
    assert again[0] < results[0]


def test_programs_are_told_of() -> None:
    lowered = _lowered(2, 2, 4, "1F1B")
    assert str(lowered.schedule()) == "m0  F0 F1 B0 F2 B1 F3 B2 B3  (holds 2)\nm1  F0 B0 F1 B1 F2 B2 F3 B3  (holds 1)"
    report = lowered.communication()
    assert [(each.source, each.target, each.bytes_sent) for each in report.transfers] == [
        ("m0", "m1", 4 * 4 * WIDTH * 4),
        ("m1", "m0", 4 * 4 * WIDTH * 4),
    ]
    assert report.transfers[0].line.startswith(f"{__file__}:")
    timeline = lowered.timeline("h100")
    assert 0 < timeline.bubble < 1
    assert lowered.as_text("stablehlo").count("mpmd.call ") == 4
    assert lowered.as_text().count("mpmd.fragment_call<") == 16
    assert "func.func @main" in lowered.as_text("fragments")


def test_collectives_within_meshes_are_told_of(tmp_path: Path) -> None:
    lowered = _lowered(2, 2, 4, "1F1B")
    report = lowered.communication()
    sending = [each for each in report.within if each.report.ops]
    assert {each.mesh for each in sending} == {"m0", "m1"}
    assert sum(each.runs for each in report.within) == len(lowered.program.runs)
    assert report.bytes_within["m0"] == sum(each.runs * each.report.bytes_sent for each in sending if each.mesh == "m0")
    name = sending[0].name
    assert re.search(rf"{re.escape(name)} +m1 +1 ", str(report))
    assert str(lowered.why(f"{name}:c0")).startswith("c0: ")
    assert "argument 0" in str(lowered.explain(name, "argument:0"))
    timeline = lowered.timeline("h100")
    assert timeline.busy["m1"] == pytest.approx(
        sum(timeline.fragments[run.callee].total for run in lowered.program.runs if run.mesh == "m1")
    )
    with pytest.raises(ValueError, match="there is no fragment 'p9'; these are p0"):
        lowered.why("p9:c0")
    compiled = lowered.compile()
    _, measured = compiled.timeline(*compiled.put(*_arguments(4)))
    assert [each.instruction for each in measured.runs] == list(lowered.program.runs)
    assert all(each.seconds > 0 for each in (*measured.runs, *measured.moves))
    split = _lowered(2, 2, 4, "ZeroBubbleH1")
    text = lowered.report(tmp_path / "step.html", "h100", split=split, measured=measured).read_text()
    assert text.count("<title>fragment ") == 48
    assert all(each in text for each in ("<h2>1F1B</h2>", "<h2>split</h2>", "<h2>measured</h2>", "F0 F1 B0 F2"))


def test_transferred_arguments_are_named() -> None:
    def tied(params: dict[str, jax.Array], x: jax.Array) -> jax.Array:
        x = mpmd.named_computation(lambda w, x: x @ w, name="f")(params["embedding"], x)
        return mpmd.named_computation(lambda w, x: x @ w.T, name="g")(params["embedding"], x)

    config = mpmd.make_config(
        _topology(2, 1), {"f": "m0", "g": "m1"}, partitioning_options={"mpmd_infer_transfers": True}
    )
    lowered = mpmd.jit(tied, config).lower({"embedding": jnp.ones((4, 8))}, jnp.ones((2, 4)))
    made = {each.producer: each.bytes_sent for each in lowered.communication().transfers}
    assert made == {"argument params['embedding']": 128, "f forward": 64}


def test_why_tries_other_assignments() -> None:
    cause = _lowered(2, 2, 4, "1F1B").why("t0")
    assert isinstance(cause, TransferCause)
    assert [each.change for each in cause.alternatives] == ["layer_1 on m1", "layer_2 on m0"]
    assert all(each.bytes_sent == cause.bytes_sent for each in cause.alternatives)
    with pytest.raises(ValueError, match="there is no transfer 't9'; these are t0, t1"):
        _lowered(2, 2, 4, "1F1B").why("t9")


def test_memory_and_costs() -> None:
    compiled = _lowered(2, 2, 4, "1F1B").compile()
    memory = compiled.memory_analysis()
    assert all(each.peak == each.values + each.temporary > 0 for each in memory.values())
    assert {*compiled.cost_analysis()} == {*compiled.fragments}


def test_arguments_that_do_not_fit_are_named() -> None:
    compiled = _lowered(2, 2, 4, "1F1B").compile()
    params, xs, targets = compiled.put(*_arguments(4))
    with pytest.raises(ValueError, match=r"args\[1\]\[2\] is not a jax.Array, but a ndarray; expected P\('data'"):
        compiled(params, (*xs[:2], np.asarray(xs[2]), xs[3]), targets)
    with pytest.raises(TypeError, match="arguments have the structure"):
        compiled(params, xs)


def _simple(fn: Callable, names: dict[str, str], *args: Any, **options: Any) -> tuple[Any, mpmd.Lowered]:
    lowered = mpmd.jit(fn, mpmd.make_config(_topology(2, 2), names, **options)).lower(*args)
    compiled = lowered.compile()
    return compiled(*compiled.put(*args)), lowered


def test_callbacks_are_called_by_their_fragment() -> None:
    seen: list[float] = []

    def note(x: np.ndarray) -> np.ndarray:
        seen.append(float(x.sum()))
        return np.sin(x)

    def called(x: jax.Array) -> jax.Array:
        return jax.pure_callback(note, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

    def step(x: jax.Array) -> jax.Array:
        x = mpmd.named_computation(lambda x: 2 * x, name="f")(x)
        return mpmd.named_computation(called, name="g")(x)

    x = jnp.arange(8.0)
    result, _ = _simple(step, {"f": "m0", "g": "m1"}, x)
    np.testing.assert_allclose(result, np.sin(2 * x), rtol=1e-6)
    assert {*seen} == {56.0}


@pytest.mark.parametrize("size", [1, 2])
def test_failing_fragments_are_named_with_their_microbatch_and_line(size: int) -> None:
    seen: list[int] = []

    def fail(x: np.ndarray) -> np.ndarray:
        seen.append(0)
        if len(seen) == 3:
            raise ValueError("out of cheese")
        return x

    def microbatch(x: jax.Array) -> jax.Array:
        def failing(x: jax.Array) -> jax.Array:
            return jax.pure_callback(fail, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

        x = mpmd.named_computation(jnp.sin, name="f")(x)
        return mpmd.named_computation(failing, name="g")(x)

    def step(xs: tuple[jax.Array, ...]) -> Any:
        return [mpmd.call(microbatch, call_counter=number)(x) for number, x in enumerate(xs)]

    config = mpmd.make_config(_topology(2, size), {"f": "m0", "g": "m1"})
    args = (jnp.ones(4),) * 4
    compiled = mpmd.jit(step, config).lower(args).compile(dispatch="order")
    with pytest.raises(
        mpmd.FragmentError,
        match=r"\(g\) on mesh m1, microbatch 2 failed, at .*test_mpmd_pipelines.py:\d+: (?s:.*)cheese",
    ):
        compiled(*compiled.put(args))
    assert len(seen) == 3


def test_ordered_effects_keep_the_order_of_their_mesh() -> None:
    seen: dict[str, list[float]] = {"f": [], "g": []}

    def computation(name: str) -> Callable:
        def noted(x: jax.Array) -> jax.Array:
            io_callback(lambda value: seen[name].append(float(value.sum())), None, x, ordered=True)
            return 2 * x

        return mpmd.named_computation(noted, name=name)

    def step(x: jax.Array) -> jax.Array:
        for number in range(3):
            x = mpmd.call(lambda x: computation("f")(x), call_counter=number)(x)
        return computation("g")(computation("f")(x))

    result, _ = _simple(step, {"f": "m0", "g": "m1"}, jnp.ones(4))
    np.testing.assert_array_equal(result, 32 * np.ones(4))
    assert seen == {"f": [4, 8, 16, 32], "g": [64]}


def test_effects_that_no_mesh_orders_are_refused_with_their_line() -> None:
    def step(x: jax.Array) -> jax.Array:
        jax.debug.print("{}", x.sum(), ordered=True)
        return mpmd.named_computation(jnp.sin, name="f")(x)

    with pytest.raises(DiagnosticError, match=r"test_mpmd_pipelines.py:\d+:\d+: error: .* no named computation"):
        _simple(step, {"f": "m0"}, jnp.ones(4))


def test_loops_are_pipelines() -> None:
    def step(w: jax.Array, xs: list[jax.Array]) -> jax.Array:
        def body(carry: jax.Array, index: jax.Array, x: jax.Array) -> jax.Array:
            hidden = mpmd.named_computation(lambda w, x: jnp.tanh(x @ w), name="f")(w, x)
            return carry + mpmd.named_computation(jnp.sum, name="g")(hidden)

        return mpmd.enumerated_for(body, jnp.zeros(()), xs)

    args = jnp.eye(4) / 2, [jnp.ones((2, 4)) * number for number in range(3)]
    result, lowered = _simple(step, {"f": "m0", "g": "m1"}, *args)
    np.testing.assert_allclose(result, step(*args), rtol=1e-6)
    assert len(lowered.program.runs) == 6


def test_arguments_and_results_are_assigned() -> None:
    def step(x: jax.Array, y: jax.Array, unused: jax.Array) -> tuple[jax.Array, jax.Array]:
        x = mpmd.named_computation(jnp.sin, name="f")(x)
        return mpmd.named_computation(jnp.add, name="g")(x, y), y

    args = jnp.ones(8), jnp.ones(8), jnp.ones(8)
    results, lowered = _simple(
        step,
        {"f": "m0", "g": "m1"},
        *args,
        input_mesh_assignment=(None, "m0", None),
        output_mesh_assignment=("m0", None),
        partitioning_options={"mpmd_infer_transfers": True},
    )
    np.testing.assert_allclose(results[0], np.sin(1.0) + np.ones(8), rtol=1e-6)
    assert lowered.function_mesh_assignment.input_meshes[:2] == ("m0", "m0")
    assert lowered.function_mesh_assignment.output_meshes[0] == "m0"


def test_meshes_with_other_axes_change_shardings_in_transfers() -> None:
    devices = np.array(jax.devices()[:6])
    topology = {"a": Mesh(devices[:2], ("a_x",)), "b": Mesh(devices[2:].reshape(2, 2), ("b_x", "b_y"))}
    config = mpmd.make_config(
        topology, {"f": "a", "g": "b"}, partitioning_options={"mpmd_enable_heterogeneous_meshes": True}
    )

    def loss(w: tuple[jax.Array, jax.Array], x: jax.Array) -> jax.Array:
        x = mpmd.named_computation(lambda w, x: jnp.tanh(x @ w), name="f")(w[0], x)
        return mpmd.named_computation(lambda w, x: jnp.sum((x @ w) ** 2), name="g")(w[1], x)

    step = jax.value_and_grad(loss)
    shardings = (
        (NamedSharding(topology["a"], P(None, "a_x")), NamedSharding(topology["b"], P("b_x", "b_y"))),
        NamedSharding(config.sharding_mesh, P("a_x")),
    )
    args = (jnp.eye(8) / 2, jnp.eye(8)), jnp.linspace(0, 1, 32).reshape(4, 8)
    lowered = mpmd.jit(step, config, in_shardings=shardings).lower(*args)
    compiled = lowered.compile()
    results = compiled(*compiled.put(*args))
    for value, expected in zip(jax.tree.leaves(results), jax.tree.leaves(step(*args)), strict=True):
        np.testing.assert_allclose(value, expected, rtol=1e-5)
    assert results[1][1].sharding.spec == P("b_x", "b_y")
    assert {each.bytes_sent for each in lowered.communication().transfers} == {128, 256}
    with pytest.raises(ValueError, match=r"\['x'\] is on a mesh with axis 'z'; the topology has a_x, b_x, b_y"):
        mpmd.jit(step, config, in_shardings={"x": NamedSharding(Mesh(devices, ("z",)), P("z"))})


def test_the_fastest_config_is_found_and_runs() -> None:
    args = _arguments(4)
    specs = P(), P("data"), P("data")
    config = mpmd.auto(_step, *args, in_specs=specs, devices=jax.devices()[:4], machine="h100 latency.stage=1e-6")
    assert config.found is not None
    assert config.found.best.seconds == min(each.seconds for each in config.found.candidates)
    assert {len(each.placement) for each in config.found.candidates} == {2, 4}
    lowered = mpmd.jit(_step, config).lower(*args)
    assert lowered.timeline("h100 latency.stage=1e-6").total == pytest.approx(config.found.best.seconds, rel=0.25)
    for value, expected in zip(_run(lowered, 4), _expected(4), strict=True):
        np.testing.assert_allclose(value, expected, rtol=1e-5, atol=1e-6)


def test_functions_without_microbatches_are_not_searched() -> None:
    def step(params: Any, x: jax.Array) -> Any:
        return jax.value_and_grad(_loss)(params, x, x)

    with pytest.raises(ValueError, match=r"no microbatches: wrap each in `mpmd.call`"):
        mpmd.auto(step, _arguments(1)[0], _arguments(1)[1][0], meshes=(2,))


def test_pipelines_that_cannot_be_are_not_searched() -> None:
    with pytest.raises(ValueError, match="4 named computations are too few for 8 meshes"):
        mpmd.auto(_step, *_arguments(2), devices=jax.devices()[:8], meshes=(8,))
    with pytest.raises(ValueError, match="8 devices cannot form 3 meshes of one size"):
        mpmd.auto(_step, *_arguments(2), devices=jax.devices()[:8], meshes=(3,))
    with pytest.raises(ValueError, match="1 devices cannot form 2 meshes of one size"):
        mpmd.auto(_step, *_arguments(2), devices=jax.devices()[:1])

    def tied(w: jax.Array, xs: tuple[jax.Array, ...]) -> Any:
        def microbatch(total: jax.Array, x: jax.Array) -> jax.Array:
            def loss(w: jax.Array) -> jax.Array:
                hidden = mpmd.named_computation(lambda w, x: x @ w, name="f")(w, x)
                late = mpmd.named_computation(lambda w, x: jnp.tanh(x @ w), name="g")(w, hidden)
                return jnp.sum(mpmd.named_computation(lambda w, x: x @ w, name="f")(w, late))

            return total + jax.grad(loss)(w)

        total = jnp.zeros_like(w)
        for number, x in enumerate(xs):
            total = mpmd.call(microbatch, call_counter=number)(total, x)
        return total

    with pytest.raises(Exception, match=r"'g' sends a value of its forward pass back|should be one"):
        mpmd.auto(tied, jnp.eye(4), (jnp.ones((2, 4)),) * 2, meshes=(2,))
    with pytest.raises(TypeError, match="a table by name of a mesh, or a function, not a int"):
        mpmd.schedule(3)  # pyright: ignore[reportArgumentType]


def test_names_without_a_mesh_are_refused() -> None:
    def step(x: jax.Array) -> jax.Array:
        return mpmd.named_computation(jnp.sin, name="h")(x)

    lowered = mpmd.jit(step, mpmd.make_config(_topology(2, 1), {})).lower(jnp.ones(4))
    with pytest.raises(Exception, match="h") as raised:
        lowered.compile()
    assert re.search("'?h'?.*not assigned", str(raised.value))


def test_assigned_names_that_the_program_lacks_are_told() -> None:
    lowered = mpmd.jit(
        lambda x: mpmd.named_computation(jnp.sin, name="layer_0")(x),
        mpmd.make_config(_topology(2, 1), {"layer_0": "m0", "layer_O": "m1"}),
    ).lower(jnp.ones(4))
    with pytest.warns(UserWarning, match="'layer_O' is assigned .* did you mean 'layer_0'") as caught:
        lowered.schedule()
    assert caught[0].filename == __file__


def test_schedules_that_need_stages_name_what_has_none() -> None:
    config = mpmd.make_config(_topology(2, 1), {"f": "m0"}, partitioning_options={"mpmd_pipeline_schedule": "Circular"})
    call = mpmd.call(mpmd.named_computation(jnp.sin, name="f"), call_counter=0)
    with pytest.raises(ValueError, match="Circular needs stages, but 'f' have none"):
        mpmd.jit(lambda x: call(x), config).lower(jnp.ones(4)).schedule()


def test_parallel_pipelines_of_a_training_step() -> None:
    """Forward passes begin with the microbatch of the mesh's number; the reference ends the process."""
    lowered = _lowered(2, 1, 4, "ParallelPipelinesWithWrapAround")
    orders = [line.split("  ")[1] for line in str(lowered.schedule()).splitlines()]
    assert [order.split(" B")[0] for order in orders] == ["F0 F3 F2 F1", "F1 F0"]


@pytest.fixture
def small_example(monkeypatch: pytest.MonkeyPatch) -> mpmd.Lowered:
    """The example's program, of smaller sizes."""
    sizes = TransformerConfig(layers=2, width=16, heads=2, hidden=16, vocabulary=32, sequence=8, batch=4)
    for name, value in {"SIZES": sizes, "MESHES": 2, "MICROBATCHES": 4}.items():
        monkeypatch.setattr(pipeline_transformer, name, value)
    return pipeline_transformer.lower(pipeline_transformer.make_config())


@depth.deep
def test_the_example_trains(small_example: mpmd.Lowered, capsys: pytest.CaptureFixture[str]) -> None:
    losses = pipeline_transformer.train(small_example)
    assert losses[-1][0] < losses[0][0]
    for value, expected in losses:
        assert value == pytest.approx(expected, rel=1e-5)
    assert "stage0: 2 forward passes" in capsys.readouterr().out


def test_the_example_describes_its_program(small_example: mpmd.Lowered, capsys: pytest.CaptureFixture[str]) -> None:
    pipeline_transformer.describe(small_example)
    printed = capsys.readouterr().out
    assert "stage1  F0 B0 F1 B1 F2 B2 F3 B3  (holds 1)" in printed
