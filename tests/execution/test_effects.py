"""Programs with effects do what `jax.jit` makes of them: the same calls, in the same order, with the same operands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.experimental
import numpy as np
import pytest
from jax._src import dispatch
from jax.experimental import io_callback
from jax.sharding import Mesh, NamedSharding, SingleDeviceSharding
from jax.sharding import PartitionSpec as P

import sdy.jax
from sdy.hlo_conversion import from_hlo
from tests import depth
from tests.execution import effect_programs, random_effects
from tests.execution.effect_programs import Log, Program
from tests.execution.test_lowered_for_gspmd import for_gspmd, in_hlo


@pytest.fixture(scope="module")
def square() -> Mesh:
    """Four of the devices, as the mesh data x model."""
    return random_effects.square_mesh()


def numbers(mesh: Mesh, *spec: Any) -> jax.Array:
    values = np.arange(64, dtype=np.float32).reshape(8, 8) / 4
    return jax.device_put(values, NamedSharding(mesh, P(*(spec or ("data", "model")))))


def run(jit: Callable, program: Callable[[Log, Mesh], Program], mesh: Mesh, **options: Any) -> tuple[Log, Any]:
    log = Log()
    result = jit(program(log, mesh), **options)(numbers(mesh))
    jax.block_until_ready(result)
    jax.effects_barrier()
    return log, result


@pytest.mark.parametrize("name", effect_programs.PROGRAMS)
def test_same_calls_and_results(name: str, square: Mesh, capfd: pytest.CaptureFixture[str]) -> None:
    program, options = effect_programs.PROGRAMS[name], effect_programs.OPTIONS.get(name, lambda mesh: {})(square)
    wanted, wanted_result = run(jax.jit, program, square, **options)
    printed = capfd.readouterr().out
    got, result = run(sdy.jax.jit, program, square, **options)
    # What is printed without an order comes as devices have it.
    assert sorted(capfd.readouterr().out.splitlines()) == sorted(printed.splitlines())
    assert got.ordered == wanted.ordered
    assert got.others == wanted.others
    assert wanted.ordered or wanted.others or printed
    assert jax.tree.structure(result) == jax.tree.structure(wanted_result)
    for mine, theirs in zip(jax.tree.leaves(result), jax.tree.leaves(wanted_result), strict=True):
        np.testing.assert_array_equal(mine, theirs)
        assert mine.sharding.is_equivalent_to(theirs.sharding, mine.ndim)


@pytest.mark.parametrize("name", effect_programs.PROGRAMS if depth.ALL else ["of_each_device"])
def test_same_calls_where_jax_lowers_for_gspmd(name: str, square: Mesh) -> None:
    program, options = effect_programs.PROGRAMS[name], effect_programs.OPTIONS.get(name, lambda mesh: {})(square)
    wanted, wanted_result = run(jax.jit, program, square, **options)
    with for_gspmd():
        got, result = run(sdy.jax.jit, program, square, **options)
    assert (got.ordered, got.others) == (wanted.ordered, wanted.others)
    for mine, theirs in zip(jax.tree.leaves(result), jax.tree.leaves(wanted_result), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_effects_of_each_device_that_take_and_give_nothing(square: Mesh) -> None:
    """XLA fails where it propagates by Shardy."""

    def program(log: Log, mesh: Mesh) -> Program:
        def body() -> None:
            jax.debug.callback(log("row"), jax.lax.axis_index("data"))
            jax.debug.callback(log("nothing"))

        mapped = jax.shard_map(body, mesh=mesh, in_specs=(), out_specs=None, check_vma=False)
        return lambda x: (mapped(), x + 1)[1]

    with for_gspmd():
        wanted = run(jax.jit, program, square)[0].others
        assert run(sdy.jax.jit, program, square)[0].others == wanted
        texts = [jax.jit(program(Log(), square)).lower(numbers(square)).as_text()]
    assert run(sdy.jax.jit, program, square)[0].others == wanted
    assert len(wanted) == 8
    texts.append(jax.jit(program(Log(), square)).lower(numbers(square)).as_text())
    for text in [*texts, *(from_hlo(in_hlo(text), isolate=False) for text in texts)]:
        local = sdy.partition(text)
        assert local.num_devices == 4
        assert local.text.count("@xla_ffi_python_cpu_callback") == 2
        assert "stablehlo.if" not in local.text  # no device is left out


@pytest.mark.parametrize("device", range(4))
def test_result_of_a_callback_is_everywhere(device: int, square: Mesh) -> None:
    """With XLA the other devices have zeros where the program does nothing else with the result."""

    def program(log: Log, mesh: Mesh) -> Program:
        where = SingleDeviceSharding(mesh.devices.flat[device])
        twice = log("twice", lambda a: a * 2)
        return lambda x: io_callback(twice, jax.ShapeDtypeStruct(x.shape, x.dtype), x, sharding=where)

    log, result = run(sdy.jax.jit, program, square)
    assert len(log.others) == 1
    for shard in result.addressable_shards:
        np.testing.assert_array_equal(shard.data, 2 * numbers(square))


def test_partitioned_callback_sees_what_a_callback_returned(square: Mesh) -> None:
    """With XLA the other devices see zeros."""

    def program(log: Log, mesh: Mesh) -> Program:
        def f(x: jax.Array) -> None:
            told = jax.pure_callback(lambda a: a * 2, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
            jax.debug.callback(log("told"), told, partitioned=True)

        return f

    calls = run(sdy.jax.jit, program, square)[0].others
    assert calls == [("told", ((8, 8), "float32", np.asarray(2 * numbers(square)).tobytes()))] * 4


def test_results_of_callbacks_arrive_bit_by_bit(square: Mesh) -> None:
    """With XLA -0.0 becomes 0.0, since what arrives is a sum."""
    told = np.array([-0.0, 0.0, np.inf, np.nan, 1e-45, -1e-45], np.float32)
    shape = jax.ShapeDtypeStruct(told.shape, told.dtype)

    def program(log: Log, mesh: Mesh) -> Program:
        tell = log("tell", lambda a: told, ordered=True)
        return lambda x: (io_callback(tell, shape, x, ordered=True), jax.pure_callback(lambda a: told, shape, x))

    for result in run(sdy.jax.jit, program, square)[1]:
        np.testing.assert_array_equal(np.asarray(result).view(np.uint32), told.view(np.uint32))


@pytest.mark.parametrize("seed", depth.seeds(5, 1000))
def test_random_programs(seed: int, square: Mesh) -> None:
    random_effects.check(seed, square)


def test_programs_follow_one_another(square: Mesh) -> None:
    """Ordered effects of programs that are partitioned by us and by XLA, or run on other devices."""
    log = Log()
    single = jax.device_put(np.float32(7), jax.devices()[0])

    def say(name: str) -> Callable:
        return lambda x: (io_callback(log(name, ordered=True), None, x, ordered=True), x + 1)[1]

    ours, theirs, alone = sdy.jax.jit(say("ours")), jax.jit(say("theirs")), sdy.jax.jit(say("alone"))
    x, wanted = numbers(square), []
    for _ in range(3):
        for name, step in (("ours", ours), ("theirs", theirs), ("ours", ours)):
            x = step(x)
            wanted.append(name)
        alone(single)
        wanted.append("alone")
        with sdy.jax.partitioned():
            x = theirs(x)
        wanted.append("theirs")
    jax.effects_barrier()
    assert [entry[0] for entry in log.ordered] == wanted


def test_errors_in_callbacks_come_through(square: Mesh) -> None:
    def program(x: jax.Array) -> jax.Array:
        def fail(_: Any) -> None:
            raise ValueError("not today")

        io_callback(fail, None, x.sum(), ordered=True)
        return x + 1

    messages = []
    for jit in (jax.jit, sdy.jax.jit):
        with pytest.raises(jax.errors.JaxRuntimeError, match="not today") as caught:
            jax.block_until_ready(jit(program)(numbers(square)))
            jax.effects_barrier()
        messages.append(str(caught.value).splitlines()[0])
        dispatch.runtime_tokens.clear()  # effects that come later would wait for the one that failed
    assert messages[0] == messages[1]


def test_effect_of_a_foreign_call_that_every_device_makes(mesh: Mesh) -> None:
    """XLA partitions no call with side effects whose result is whole on all devices."""
    given = np.eye(8, dtype=np.float32) * 4 + 1
    expected = np.linalg.cholesky(given)
    jax.numpy.linalg.cholesky(given)  # has its library loaded

    def factor(a: jax.Array) -> jax.Array:
        results = jax.ShapeDtypeStruct(a.shape, a.dtype), jax.ShapeDtypeStruct((), np.int32)
        call = jax.ffi.ffi_call("lapack_spotrf_ffi", results, has_side_effect=True)
        return call(jax.lax.with_sharding_constraint(a, NamedSharding(mesh, P())), uplo=np.uint8(ord("U")))[0]

    sharded = jax.device_put(given, NamedSharding(mesh, P("data", "model")))
    np.testing.assert_allclose(np.tril(sdy.jax.jit(factor)(sharded)), expected, rtol=1e-6)
    with pytest.raises(jax.errors.JaxRuntimeError, match="Side-effect ops cannot be replicated"):
        jax.jit(factor)(sharded)
