"""`sdy.jax.jit` and `sdy.jax.partitioned`: what `jax.jit` promises, kept."""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

import jax
import jax.experimental
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy
import sdy.jax
from sdy.mlir import users_code
from tests.execution.plain_jax import assert_same


def placed(mesh: Mesh, *spec: Any) -> NamedSharding:
    return NamedSharding(mesh, P(*spec))


@pytest.fixture
def x() -> np.ndarray:
    return np.arange(128, dtype=np.float32).reshape(8, 16) / 100


@pytest.fixture
def w() -> np.ndarray:
    return np.cos(np.arange(16 * 32, dtype=np.float32)).reshape(16, 32)


def test_result_is_a_global_array(mesh: Mesh, x: np.ndarray, w: np.ndarray) -> None:
    matmul = sdy.jax.jit(
        jnp.matmul,
        in_shardings=(placed(mesh, "data", "model"), placed(mesh, "model")),
        out_shardings=placed(mesh, "data"),
    )
    result = matmul(x, w)
    assert result.shape == (8, 32)
    assert result.sharding.is_equivalent_to(placed(mesh, "data"), 2)
    np.testing.assert_allclose(result, x @ w, rtol=1e-5, atol=1e-5)


def test_shardings_come_from_arguments(mesh: Mesh, x: np.ndarray) -> None:
    sharded = jax.device_put(x, placed(mesh, "data", "model"))
    result = sdy.jax.jit(lambda a: 2 * a)(sharded)
    assert result.sharding.is_equivalent_to(placed(mesh, "data", "model"), 2)
    np.testing.assert_array_equal(result, 2 * x)


def test_pytrees(mesh: Mesh, x: np.ndarray) -> None:
    @functools.partial(sdy.jax.jit, in_shardings=({"a": placed(mesh, "data"), "b": [placed(mesh), None]},))
    def f(tree: Any) -> Any:
        return {"sum": tree["a"] + tree["b"][0], "rest": (tree["b"][1], [tree["a"].mean()])}

    result = f({"a": x, "b": [x, np.float32(3)]})
    np.testing.assert_allclose(result["sum"], 2 * x)
    assert float(result["rest"][0]) == 3
    np.testing.assert_allclose(result["rest"][1][0], x.mean(), rtol=1e-6)


def test_static_arguments_select_programs(mesh: Mesh, x: np.ndarray) -> None:
    traces = []

    @sdy.jax.jit(static_argnums=1, static_argnames="scale")
    def f(a: jax.Array, power: int, *, scale: float = 1.0) -> jax.Array:
        traces.append((power, scale))
        return scale * a**power

    sharded = jax.device_put(x, placed(mesh, "data"))
    np.testing.assert_allclose(f(sharded, 2), x**2, rtol=1e-6)
    np.testing.assert_allclose(f(sharded, 2), x**2, rtol=1e-6)
    np.testing.assert_allclose(f(sharded, 3, scale=2.0), 2 * x**3, rtol=1e-6)
    assert traces == [(2, 1.0), (3, 2.0)]


def test_compiles_once_per_shapes_and_shardings(mesh: Mesh, x: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    real = sdy.jax.Partitioner.partition

    def counting(self: sdy.jax.Partitioner, module: Any) -> Any:
        calls.append("partition")
        return real(self, module)

    monkeypatch.setattr(sdy.jax.Partitioner, "partition", counting)
    f = sdy.jax.jit(lambda a: a + 1)
    rows, columns = (jax.device_put(x, placed(mesh, *spec)) for spec in (("data",), (None, "data")))
    for argument in (rows, rows, columns, rows, columns):
        np.testing.assert_array_equal(f(argument), x + 1)
    assert len(calls) == 2


def test_no_python_runs_in_a_call(mesh: Mesh, x: np.ndarray) -> None:
    array = jax.device_put(x, placed(mesh, "data"))
    ours, plain = sdy.jax.jit(lambda x: x + 1), jax.jit(lambda x: x - 1)
    for _ in range(2):
        with sdy.jax.partitioned(sdy.jax.Partitioner()):  # an equal one each time, not the same
            plain(array)
            ours(array)
            assert _python_calls(lambda: (plain(array), ours(array))) == 0
    assert _python_calls(lambda: sdy.jax.jit(lambda x: x * 3)(array)) > 100


def _python_calls(work: Callable[[], object]) -> int:
    """How many Python functions run while `work` does, itself aside."""
    called: list[str] = []

    def profile(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            called.append(frame.f_code.co_name)

    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(None)
    return len(called) - 1


def test_donation(mesh: Mesh, x: np.ndarray) -> None:
    sharding = placed(mesh, "data", "model")
    f = sdy.jax.jit(
        lambda a, b: (a + b, a.sum()),
        donate_argnums=0,
        in_shardings=(sharding, sharding),
        out_shardings=(sharding, None),
    )
    a, b = jax.device_put(x, sharding), jax.device_put(x, sharding)
    before = [shard.data.unsafe_buffer_pointer() for shard in a.addressable_shards]
    result, total = f(a, b)
    assert a.is_deleted()
    assert not b.is_deleted()
    assert [shard.data.unsafe_buffer_pointer() for shard in result.addressable_shards] == before
    np.testing.assert_allclose(total, x.sum(), rtol=1e-6)


def test_unused_and_unsharded_arguments(mesh: Mesh, x: np.ndarray) -> None:
    f = sdy.jax.jit(lambda a, unused, b: a * b, keep_unused=True)
    result = f(jax.device_put(x, placed(mesh, "data")), np.ones(3, np.float32), np.float32(2))
    np.testing.assert_array_equal(result, 2 * x)


def test_methods_can_be_jitted(mesh: Mesh, x: np.ndarray) -> None:
    class Scaler:
        factor = 3.0

        @functools.partial(sdy.jax.jit, static_argnums=0)
        def scale(self, a: jax.Array) -> jax.Array:
            return self.factor * a

    np.testing.assert_allclose(Scaler().scale(jax.device_put(x, placed(mesh, "data"))), 3 * x)


def test_one_device_is_left_alone(x: np.ndarray) -> None:
    np.testing.assert_array_equal(sdy.jax.jit(lambda a: a + 1)(x), x + 1)


def test_grad_inside(mesh: Mesh, x: np.ndarray, w: np.ndarray) -> None:
    def loss(w: jax.Array, x: jax.Array) -> jax.Array:
        return jnp.tanh(x @ w).sum()

    shardings = (placed(mesh, None, "model"), placed(mesh, "data"))
    value, gradient = sdy.jax.jit(jax.value_and_grad(loss), in_shardings=shardings)(w, x)
    expected_value, expected_gradient = jax.value_and_grad(loss)(w, x)
    np.testing.assert_allclose(value, expected_value, rtol=1e-5)
    np.testing.assert_allclose(gradient, expected_gradient, rtol=1e-5, atol=1e-5)


def test_part_of_a_larger_program_warns(mesh: Mesh, x: np.ndarray) -> None:
    inner = sdy.jax.jit(lambda a: a + 1)
    sharded = jax.device_put(x, placed(mesh, "data"))
    with pytest.warns(UserWarning, match="outermost"):
        jax.jit(lambda a: inner(a) * 2)(sharded)


@pytest.mark.filterwarnings("error")
def test_part_of_a_program_of_one_device_is_silent(mesh: Mesh, x: np.ndarray) -> None:
    inner = sdy.jax.jit(lambda a: a + 1)
    mapped = jax.shard_map(inner, mesh=mesh, in_specs=P("data", "model"), out_specs=P("data", "model"))
    np.testing.assert_array_equal(jax.jit(mapped)(jax.device_put(x, placed(mesh, "data", "model"))), x + 1)
    np.testing.assert_array_equal(jax.pmap(inner)(x), x + 1)


@pytest.mark.filterwarnings("error")
def test_part_of_a_program_of_ours_is_silent(mesh: Mesh, x: np.ndarray) -> None:
    inner = sdy.jax.jit(lambda a: a + 1)
    np.testing.assert_array_equal(
        sdy.jax.jit(lambda a: inner(a) * 2)(jax.device_put(x, placed(mesh, "data"))), (x + 1) * 2
    )


def test_context_partitions_plain_jit(mesh: Mesh, x: np.ndarray, w: np.ndarray) -> None:
    partitioned: list[str] = []

    class Recording(sdy.jax.Partitioner):
        def __call__(self, module: Any, callbacks: Sequence[Any] = ()) -> Any:
            partitioned.append(str(module))
            return super().__call__(module, callbacks)

    f = jax.jit(jnp.matmul, in_shardings=(placed(mesh, "data", "model"), placed(mesh, "model")))
    outside = f(x, w)
    with sdy.jax.partitioned(Recording()):
        inside = f(x, w)
        f(x, w)
    f(x, w)
    assert len(partitioned) == 1
    np.testing.assert_allclose(inside, outside, rtol=1e-6)


def test_lowered_shows_the_partitioned_program(mesh: Mesh, x: np.ndarray, w: np.ndarray) -> None:
    shardings = (placed(mesh, "data", "model"), placed(mesh, "model"))
    lowered = sdy.jax.jit(jnp.matmul, in_shardings=shardings, out_shardings=placed(mesh, "data")).lower(x, w)
    assert [one.kind for one in lowered.partitioned.collectives] == ["all_reduce"]
    assert lowered.out_info.shape == (8, 32)
    assert "tensor<8x16xf32>" in lowered.as_text()
    np.testing.assert_allclose(lowered.compile()(x, w), x @ w, rtol=1e-5, atol=1e-5)


def test_lowered_shows_the_shardings_that_were_found(mesh: Mesh, x: np.ndarray, w: np.ndarray) -> None:
    def f(x: jax.Array, w: jax.Array) -> jax.Array:
        with jax.named_scope("hidden"):
            return jnp.tanh(x @ w)

    lowered = sdy.jax.jit(f, in_shardings=(placed(mesh, "data"), placed(mesh, None, "model"))).lower(x, w)
    found = {value.name: value.dims_text for value in lowered.value_shardings()}
    assert found["jit(f)/hidden/dot_general"] == found["jit(f)/hidden/tanh"] == '[{"data"}, {"model"}]'


def test_callback_is_called_once_with_the_whole_array(mesh: Mesh, x: np.ndarray) -> None:
    seen: list[np.ndarray] = []

    def f(a: jax.Array) -> jax.Array:
        jax.debug.callback(lambda value: seen.append(np.asarray(value)), a * 2)
        return a + 1

    result = sdy.jax.jit(f)(jax.device_put(x, placed(mesh, "data", "model")))
    jax.block_until_ready(result)
    jax.effects_barrier()
    np.testing.assert_array_equal(result, x + 1)
    (value,) = seen
    np.testing.assert_array_equal(value, x * 2)


def test_pure_callback(mesh: Mesh, x: np.ndarray) -> None:
    def f(a: jax.Array) -> jax.Array:
        return jax.pure_callback(np.cumsum, jax.ShapeDtypeStruct((128,), np.float32), a.reshape(-1)) + 1

    result = sdy.jax.jit(f)(jax.device_put(x, placed(mesh, "data", "model")))
    np.testing.assert_allclose(result, np.cumsum(x) + 1, rtol=1e-6)


def test_callback_with_effect_and_result_is_called_once(mesh: Mesh, x: np.ndarray) -> None:
    seen: list[np.ndarray] = []

    def double(value: Any) -> Any:
        seen.append(np.asarray(value))
        return np.asarray(value) * 2

    def f(a: jax.Array) -> jax.Array:
        return jax.experimental.io_callback(double, a, a + 1) + a

    result = sdy.jax.jit(f)(jax.device_put(x, placed(mesh, "data", "model")))
    np.testing.assert_allclose(result, (x + 1) * 2 + x, rtol=1e-6)
    assert [value.shape for value in seen] == [x.shape]


def test_callbacks_in_shard_map_are_made_by_each_device(mesh: Mesh, x: np.ndarray) -> None:
    seen: list[np.ndarray] = []

    def body(part: jax.Array) -> jax.Array:
        jax.debug.callback(lambda value: seen.append(np.asarray(value)), part)
        return jax.pure_callback(lambda value: np.asarray(value) * 2, part, part)

    mapped = jax.shard_map(body, mesh=mesh, in_specs=P("data", "model"), out_specs=P("data", "model"))
    result = sdy.jax.jit(lambda a: mapped(a) + 1)(jax.device_put(x, placed(mesh, "data", "model")))
    jax.effects_barrier()
    np.testing.assert_allclose(result, 2 * x + 1, rtol=1e-6)
    assert [value.shape for value in seen] == [(2, 8)] * 8


def test_arrays_without_elements(mesh: Mesh) -> None:
    a = jax.device_put(np.zeros((0,), np.float32), placed(mesh))
    b = jax.device_put(np.zeros((0, 16), np.float32), placed(mesh, None, "model"))
    product, empty = sdy.jax.jit(lambda a, b: (a @ b, b * 2))(a, b)
    np.testing.assert_array_equal(product, np.zeros(16))
    assert empty.shape == (0, 16)


def test_shardings_of_results_without_elements(mesh: Mesh, x: np.ndarray) -> None:
    """The sum over devices that is scattered is empty, too. JAX 0.10 cannot read sharded results of that kind."""
    asked = placed(mesh, "data", "model")

    def program(a: jax.Array) -> Any:
        return a[:0], a[:0], a @ a.T[:, :0], a[:0] @ a.T

    sharded = jax.device_put(x, asked)
    ours, plain = (jit(program, out_shardings=(None, *[asked] * 3))(sharded) for jit in (sdy.jax.jit, jax.jit))
    assert [one.shape for one in ours] == [one.shape for one in plain]
    assert all(one.sharding.is_equivalent_to(other.sharding, 2) for one, other in zip(ours, plain, strict=True))
    assert ours[0].is_fully_replicated
    assert ours[1].sharding.is_equivalent_to(asked, 2)


def test_traced_program_can_be_lowered(mesh: Mesh, x: np.ndarray) -> None:
    traced = sdy.jax.jit(lambda a: a @ a.T).trace(jax.device_put(x, placed(mesh, None, "model")))
    assert traced.out_info.shape == (8, 8)
    assert [one.kind for one in traced.lower().partitioned.collectives] == ["all_reduce"]


def test_inspected_shardings_are_those_of_global_values(mesh: Mesh, x: np.ndarray) -> None:
    seen: dict[str, list[Any]] = {"jax": [], "sdy": []}

    def f(a: jax.Array, to: list[Any]) -> Any:
        def body(carry: jax.Array, row: jax.Array) -> tuple[jax.Array, jax.Array]:
            jax.debug.inspect_array_sharding(carry, callback=to.append)
            return carry + row, row.sum()

        above = a > 1
        jax.debug.inspect_array_sharding(above, callback=to.append)
        product = a @ a.T
        jax.debug.inspect_array_sharding(product, callback=to.append)
        return above, product, jax.lax.scan(body, a[0], a)

    sharded = jax.device_put(x, placed(mesh, "data", "model"))
    wanted = jax.jit(functools.partial(f, to=seen["jax"]))(sharded)
    got = sdy.jax.jit(functools.partial(f, to=seen["sdy"]))(sharded)
    assert sorted(str(each.spec) for each in seen["sdy"]) == sorted(str(each.spec) for each in seen["jax"])
    assert {each.spec for each in seen["sdy"]} > {P("data"), P("data", "model")}
    jax.tree.map(lambda one, other: np.testing.assert_allclose(one, other, rtol=1e-5), got, wanted)


def test_callback_returns_numbers_bit_by_bit(mesh: Mesh) -> None:
    """What the first device alone is told, the others get from it."""
    numbers = np.array([-0.0, 0.0, np.inf, np.nan, 1e-45, -1e-45], np.float32)

    def f(a: jax.Array) -> jax.Array:
        told = jax.experimental.io_callback(lambda _: numbers, jax.ShapeDtypeStruct((6,), np.float32), a)
        return jax.lax.with_sharding_constraint(told, placed(mesh))

    got = sdy.jax.jit(f)(jax.device_put(np.ones(8, np.float32), placed(mesh, "data")))
    np.testing.assert_array_equal(np.asarray(got).view(np.uint32), numbers.view(np.uint32))


def test_functions_are_inlined_before_propagation(mesh: Mesh) -> None:
    """The result of a call would be sharded as it is used later."""

    def constrained(x: jax.Array, *spec: str | None) -> jax.Array:
        return jax.lax.with_sharding_constraint(x, placed(mesh, *spec))

    def program(x: jax.Array) -> tuple[jax.Array, jax.Array]:
        y = jax.jit(lambda x: constrained(x[::-1], None, "model"))(x)
        return constrained(y + 1, "data", "model"), y * 2

    x = jax.device_put(np.ones((8, 8), np.float32), placed(mesh, "model", "data"))
    ours = sdy.jax.jit(program)
    wanted = jax.jit(program)(x)[1].sharding
    assert wanted.is_equivalent_to(placed(mesh, None, "model"), 2)
    assert ours(x)[1].sharding.is_equivalent_to(wanted, 2)
    product = [value for value in ours.lower(x).value_shardings() if value.op == "stablehlo.multiply"]
    assert [value.dims_text for value in product] == ['[{}, {"model"}]']


def test_weights_of_loops_are_sharded_as_by_jax(mesh: Mesh) -> None:
    """What no round changes is not carried when shardings are propagated: weights are sharded as they are used."""
    w = jax.device_put(np.full((32, 32), 0.1, np.float32), NamedSharding(mesh, P(None, "model")))
    x = jax.device_put(np.linspace(-1, 1, 256, dtype=np.float32).reshape(8, 32), NamedSharding(mesh, P()))

    def loss(w: jax.Array, x: jax.Array) -> jax.Array:
        return lax.scan(lambda h, _: (jnp.tanh(h @ w), None), x, None, length=3)[0].sum()

    assert assert_same(lambda: jax.jit(jax.grad(loss))(w, x)).sharding.spec == P(None, "model")


def test_nothing_follows_from_arrays_without_elements(mesh: Mesh, x: np.ndarray) -> None:
    """XLA makes constants of them before it propagates."""

    def program(a: jax.Array) -> Any:
        nothing = a[:0]
        return nothing.sum(0), nothing.T @ nothing, jnp.pad(nothing, ((0, 8), (0, 0))), jnp.concatenate([nothing, a])

    sharded = jax.device_put(x, placed(mesh, "data", "model"))
    for one, other in zip(sdy.jax.jit(program)(sharded), jax.jit(program)(sharded), strict=True):
        np.testing.assert_array_equal(one, other)
        assert one.sharding.is_equivalent_to(other.sharding, one.ndim)


@pytest.mark.usefixtures("own_models")
def test_rules_count_from_when_they_are_declared(mesh: Mesh, x: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program that was partitioned without a rule is not the one with it, though JAX lowers the same text."""
    monkeypatch.setattr(users_code, "_declared", list(users_code._declared))

    def call(x: jax.Array) -> jax.Array:
        return jax.ffi.ffi_call("declared_later", jax.ShapeDtypeStruct(x.shape, x.dtype))(x)

    def gathers() -> int:
        lowered = jax.jit(call).lower(jax.ShapeDtypeStruct(x.shape, x.dtype, sharding=NamedSharding(mesh, P("data"))))
        module = lowered.compiler_ir()
        assert module is not None
        return sdy.jax.Partitioner().partition(module).text.count("all_gather")

    assert gathers()
    sdy.sharding_rule(custom_call="declared_later")(lambda op: "i j -> i j")
    assert not gathers()


_FIRST_PROGRAM = """
import sys

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy.jax

jax.config.update("jax_num_cpu_devices", 8)
mesh = jax.make_mesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto, AxisType.Auto))


def loss(params, x):
    logits = jnp.tanh(x @ params["hidden"]) @ params["vocab"]
    return -jax.nn.log_softmax(logits)[:, 0].mean()


specs = {"hidden": P(None, "model"), "vocab": P("model", None)}, P("data", None)
shardings = jax.tree.map(lambda spec: NamedSharding(mesh, spec), specs)
params = {"hidden": jax.ShapeDtypeStruct((512, 512), "float32"), "vocab": jax.ShapeDtypeStruct((512, 4096), "float32")}
step = sdy.jax.jit(jax.value_and_grad(loss), in_shardings=shardings)
step.lower(params, jax.ShapeDtypeStruct((4096, 512), "float32")).compile()
print(sum(name.partition(".")[0] == "sdy" for name in sys.modules))
"""


def test_a_first_program_loads_few_modules() -> None:
    """The README's gradient: each module takes half a millisecond of a process's first program."""
    ran = subprocess.run([sys.executable, "-c", _FIRST_PROGRAM], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) <= 250
