"""Programs that JAX lowers for GSPMD are partitioned by sdy and compute what they compute on one device."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy
import sdy.jax
from sdy import execution
from sdy.jax import gspmd
from sdy.jax.gspmd import in_gspmd_form
from sdy.mlir.diagnostics import DiagnosticError
from tests.depth import ALL
from tests.execution.by_xla import run_by_xla
from tests.oracle import requires_reference

shard_map = getattr(jax, "shard_map", None)

X = np.linspace(-1, 1, 64, dtype=np.float32).reshape(8, 8)


@pytest.fixture
def lowering_for_gspmd() -> Iterator[None]:
    jax.config.update("jax_use_shardy_partitioner", False)
    try:
        yield
    finally:
        jax.config.update("jax_use_shardy_partitioner", True)


def mesh() -> jax.sharding.Mesh:
    return jax.make_mesh((2, 4), ("a", "b"), axis_types=(AxisType.Auto,) * 2)


def constrained(x: jax.Array) -> jax.Array:
    y = jax.lax.with_sharding_constraint(jnp.sin(x), NamedSharding(mesh(), P("b", None)))
    return y @ y.T


def full(x: jax.Array) -> jax.Array:
    assert shard_map is not None
    body = shard_map(lambda y: jax.lax.psum(y, "b") * 2, mesh=mesh(), in_specs=P("a", "b"), out_specs=P("a", None))
    return body(x) + 1


def partial(x: jax.Array) -> jax.Array:
    assert shard_map is not None
    options = {"axis_names": {"a"}, "check_vma": False}
    return shard_map(lambda y: jax.lax.psum(y, "a") * 3, mesh=mesh(), in_specs=P("a"), out_specs=P(), **options)(x)


def scanned(x: jax.Array) -> jax.Array:
    def step(carry: jax.Array, _: None) -> tuple[jax.Array, jax.Array]:
        y = jax.lax.with_sharding_constraint(jnp.tanh(carry @ x), NamedSharding(mesh(), P(None, "b")))
        return y, y.sum()

    last, sums = jax.lax.scan(step, x, None, length=3)
    return last + sums.sum()


def unconstrained(x: jax.Array) -> jax.Array:
    return jax.lax.with_sharding_constraint(x * 2, NamedSharding(mesh(), P("a", P.UNCONSTRAINED))) @ x


def nested(x: jax.Array) -> jax.Array:
    mapped = shard_map
    assert mapped is not None
    inside = {"in_specs": P(None, "b"), "out_specs": P(), "axis_names": {"b"}, "check_vma": False}
    outside = {"in_specs": P("a"), "out_specs": P(), "axis_names": {"a"}, "check_vma": False}

    def outer(y: jax.Array) -> jax.Array:
        return jax.lax.psum(mapped(lambda z: jax.lax.psum(jnp.sin(z), "b"), **inside)(y), "a")

    return mapped(outer, mesh=mesh(), **outside)(x)


PROGRAMS = [full, scanned, *([constrained, partial, unconstrained, nested] if ALL else [])]


@pytest.mark.usefixtures("lowering_for_gspmd")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_programs_lowered_for_gspmd(program: Callable[[jax.Array], jax.Array]) -> None:
    x = jax.ShapeDtypeStruct((8, 8), jnp.float32, sharding=NamedSharding(mesh(), P("a", "b")))
    text = jax.jit(program).lower(x).as_text()
    assert "sdy." not in text
    partitioned = sdy.partition(text)
    assert partitioned.num_devices == 8
    assert str(partitioned.arguments[0].sharding).endswith('[{"_axis_0"}, {"_axis_1"}]>')
    (got,) = execution.compile(partitioned)(X)
    jax.config.update("jax_use_shardy_partitioner", True)
    expected = jax.jit(program)(jax.device_put(X, x.sharding))
    np.testing.assert_allclose(np.asarray(got), np.asarray(expected), rtol=1e-5, atol=1e-5)


@pytest.mark.usefixtures("lowering_for_gspmd")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_jit_with_shardy_off(program: Callable[[jax.Array], jax.Array]) -> None:
    x = jax.device_put(X, NamedSharding(mesh(), P("a", "b")))
    ours = sdy.jax.jit(program, out_shardings=NamedSharding(mesh(), P("b")))
    got = ours(x)
    assert got.sharding.is_equivalent_to(NamedSharding(mesh(), P("b")), 2)
    lowered = ours.lower(x)
    assert lowered.partitioned.num_devices == 8
    assert str(lowered.partitioned.arguments[0].sharding).endswith('[{"a"}, {"b"}]>')
    assert "_axis_0" not in str([each.sharding for each in lowered.value_shardings()])
    np.testing.assert_allclose(np.asarray(got), np.asarray(jax.jit(program)(x)), rtol=1e-5, atol=1e-5)


@pytest.mark.usefixtures("lowering_for_gspmd")
@pytest.mark.parametrize("devices", [1, 5])
def test_a_constraint_that_cuts_nothing_alone(devices: int) -> None:
    whole = NamedSharding(
        jax.make_mesh((devices,), ("x",), axis_types=(AxisType.Auto,), devices=jax.devices()[:devices]), P()
    )
    got = sdy.jax.jit(lambda x: jax.lax.with_sharding_constraint(x * 2, whole) + 1)(X)
    np.testing.assert_array_equal(np.asarray(got), X * 2 + 1)


@pytest.mark.skipif(not ALL, reason="compiles two more programs")
@pytest.mark.usefixtures("lowering_for_gspmd")
def test_callbacks_and_donation_with_shardy_off() -> None:
    def called(x: jax.Array) -> jax.Array:
        return jax.pure_callback(np.cos, jax.ShapeDtypeStruct(x.shape, x.dtype), jnp.sin(x)) @ x

    sharding = NamedSharding(mesh(), P("a", "b"))
    x = jax.device_put(X, sharding)
    expected = np.cos(np.sin(X)) @ X
    np.testing.assert_allclose(np.asarray(sdy.jax.jit(called)(x)), expected, rtol=1e-5, atol=1e-5)
    doubled = sdy.jax.jit(lambda y: y * 2, donate_argnums=0, out_shardings=sharding)(x)
    assert x.is_deleted()
    np.testing.assert_array_equal(np.asarray(doubled), X * 2)


@pytest.mark.skipif(not ALL, reason="compiles one more program")
@pytest.mark.usefixtures("lowering_for_gspmd")
def test_what_it_becomes_runs_with_shardy_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []

    def noted(module: Any) -> Any:
        made = in_gspmd_form(module)
        written.append(str(made.operation.get_asm()))
        return made

    monkeypatch.setattr(gspmd, "in_gspmd_form", noted)
    expected = sdy.jax.jit(scanned)(jax.device_put(X, NamedSharding(mesh(), P("a", "b"))))
    (text,) = (each for each in written if "stablehlo.while" in each)
    (got,) = run_by_xla(text, X, is_shardy_on=True)
    np.testing.assert_allclose(np.asarray(got), np.asarray(expected), rtol=1e-5, atol=1e-5)


TILES = """
module attributes {mhlo.num_partitions = 8 : i32} {
  func.func @main(%x: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"}) -> tensor<8x8xf32> {
    %0 = stablehlo.sine %x : tensor<8x8xf32>
    %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"}
        : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %1 : tensor<8x8xf32>
  }
}
"""


def test_imports_by_themselves() -> None:
    assert sdy.partition(TILES).num_devices == 8
    assert [one.kind for one in sdy.communication(TILES).transfers]
    assert '"_axis_1" in dimension 0' in str(sdy.explain(TILES, "%0"))


def test_never_one_device() -> None:
    with pytest.raises(DiagnosticError, match="manual devices outside"):
        sdy.partition(TILES.replace("{devices=[2,4]<=[8]}", "{manual}"))
    with pytest.raises(DiagnosticError, match="sharding is for 4 devices, the module has 8"):
        sdy.partition(TILES.replace("{devices=[2,4]<=[8]}", "{devices=[2,2]<=[4]}"))


def test_imports_can_be_turned_off() -> None:
    partitioned = sdy.partition(TILES, import_shardings="off")
    assert partitioned.num_devices == 1
    assert "are not imported" in str(partitioned.warnings[0])


NATIVE = """
sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.sharding_constraint %x <@mesh, [{"b"}, {}]> : tensor<8x8xf32>
  %1 = stablehlo.sine %0 : tensor<8x8xf32>
  %2 = stablehlo.dot %1, %1 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
"""

UNREDUCED = NATIVE.replace(
    "%2 = stablehlo.dot %1, %1",
    "%5 = stablehlo.sine %x : tensor<8x8xf32>\n  %3 = stablehlo.dot %5, %1",
).replace(
    "  return %2",
    """  %4 = sdy.sharding_constraint %3 <@mesh, [{"a"}, {}], unreduced={"b"}> : tensor<8x8xf32>
  %2 = stablehlo.negate %4 : tensor<8x8xf32>
  %6 = stablehlo.negate %2 : tensor<8x8xf32>
  return %6""",
)

UNEVEN = """
sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = stablehlo.sine %x : tensor<8x8xf32>
  %1 = stablehlo.slice %0 [0:7, 0:8] : (tensor<8x8xf32>) -> tensor<7x8xf32>
  %7 = sdy.sharding_constraint %0 <@mesh, [{"b"}, {}]> : tensor<8x8xf32>
  %2 = stablehlo.dot %1, %7 : (tensor<7x8xf32>, tensor<8x8xf32>) -> tensor<7x8xf32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{"a"}, {}], unreduced={"b"}> : tensor<7x8xf32>
  %4 = sdy.reduce_scatter [{"b"}, {}] %3 out_sharding=<@mesh, [{"a", "b"}, {}]> : tensor<7x8xf32>
  %5 = stablehlo.slice %0 [0:1, 0:8] : (tensor<8x8xf32>) -> tensor<1x8xf32>
  %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<7x8xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
  return %6 : tensor<8x8xf32>
}
"""
"""The product of seven rows, in parts of several sizes, and the first row of the operand."""

MANUAL = NATIVE.replace(
    "%1 = stablehlo.sine %0 : tensor<8x8xf32>",
    """%1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"a"}, {"b"}]>] out_shardings=[<@mesh, [{"a"}, {"b"}]>]
      manual_axes={"a", "b"} (%y: tensor<4x2xf32>) {
    %3 = stablehlo.sine %y : tensor<4x2xf32>
    sdy.return %3 : tensor<4x2xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>""",
)


@requires_reference
@pytest.mark.parametrize(
    ("program", "encoding", "is_shardy_on"),
    [
        (NATIVE, "strings", True),
        (NATIVE, "named", True),
        *([(NATIVE, "tiles", True), (NATIVE, "tiles", False)] if ALL else []),
        (MANUAL, "strings", True),
        (MANUAL, "named", True),
        (MANUAL, "tiles", True),
        (MANUAL, "tiles", False),
        (UNREDUCED, "tiles", False),
        (UNREDUCED, "tiles", True),
    ],
)
def test_what_is_exported_runs_in_xla(program: str, encoding: str, is_shardy_on: bool) -> None:
    """XLA compiles it for all devices, and each has its part of what one device computes."""
    text = exported(program, encoding)
    assert "sdy." not in text.replace("xla.sdy.", "").replace("#sdy.", "")
    (got,) = run_by_xla(text, X, is_shardy_on=is_shardy_on)
    assert got.addressable_shards[0].data.shape == (4, 8)
    np.testing.assert_allclose(np.asarray(got), np.sin(X) @ np.sin(X), rtol=1e-5, atol=1e-5)


@requires_reference
@pytest.mark.parametrize("is_shardy_on", [True, False])
def test_partial_values_in_parts_of_several_sizes(is_shardy_on: bool) -> None:
    text = exported(UNEVEN, "tiles")
    assert "stablehlo.reduce_scatter" in text
    sine = np.sin(X)
    product = sine @ sine
    (got,) = run_by_xla(text, X, is_shardy_on=is_shardy_on)
    np.testing.assert_allclose(np.asarray(got), np.concatenate([product[:7], sine[:1]]), rtol=1e-5, atol=1e-5)


def exported(program: str, encoding: str) -> str:
    return sdy.export_shardings(program, encoding).operation.get_asm()


def test_encodings_that_there_are_not() -> None:
    with pytest.raises(ValueError, match="unknown encoding 'proto'"):
        sdy.export_shardings(NATIVE, "proto")
