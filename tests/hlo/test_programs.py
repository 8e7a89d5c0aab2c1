"""What XLA makes of programs is read and printed; collectives of JAX become synchronous as in XLA (spec: async, A7)."""

from __future__ import annotations

import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from sdy import hlo_text
from sdy.hlo_text import Computation, HloModule, Instruction, parse
from tests import depth, oracle
from tests.data.generate import names, program

SMALL = ("cholesky", "custom_partitioning", "fft", "gnn", "mlp_fsdp", "moe", "random", "shard_map_manual", "sort_topk")
LARGE = ("transformer_24", "transformer_24_functions", "transformer_96", "transformer_96_functions")
"""Before optimization only: that takes XLA minutes, and more than ten gigabytes."""


def hlo() -> Any:
    return import_module("jaxlib._hlo")


def round_trip(text: str) -> HloModule:
    module = parse(text)
    for sugar in (True, False):
        printed = module.text(sugar=sugar)
        assert parse(printed) == module
        assert hlo().hlo_module_from_text(printed).to_string() == hlo().hlo_module_from_text(text).to_string()
    assert hlo_text.check(module, hlo_text.XLA) == []
    assert hlo_text.synchronous(module) is module, "nothing is asynchronous on CPU"
    return module


@oracle.requires_reference
@pytest.mark.parametrize("name", [name for name in names() if depth.ALL or name in SMALL])
def test_programs_before_optimization(name: str) -> None:
    jaxlib = import_module("jaxlib._jax")
    try:
        computation = jaxlib.mlir.mlir_module_to_xla_computation(
            program(name), use_tuple_args=False, return_tuple=False
        )
    except (RuntimeError, ValueError) as error:
        pytest.skip(str(error).splitlines()[0])
    round_trip(computation.as_hlo_text())


@oracle.requires_reference
@pytest.mark.skipif(not depth.ALL, reason="compiles programs (SDY_TESTS=all)")
@pytest.mark.parametrize("name", [name for name in names() if name not in LARGE])
def test_programs_behind_optimization(name: str) -> None:
    from tests.data.programs import load

    compiled = load()[name]().compile(compiler_options={"xla_llvm_disable_expensive_passes": True})
    round_trip(compiled.as_text() or "")


@oracle.requires_reference
def test_a_small_program_behind_optimization() -> None:
    def step(x: Any) -> Any:
        return jax.lax.fori_loop(0, 3, lambda _, y: jnp.sort(y @ x, axis=0), jnp.sin(x)).sum()

    text = jax.jit(step).lower(jax.ShapeDtypeStruct((8, 8), jnp.float32)).compile().as_text()
    assert text is not None
    module = round_trip(text)
    assert module.is_scheduled and module.tables
    assert module.text() == text.rstrip("\n").replace("\n\n\n", "\n\n") + "\n"


@oracle.requires_reference
@pytest.mark.skipif(not depth.ALL, reason="compiles a program with a dump of every pass (SDY_TESTS=all)")
def test_every_pass_of_xla_leaves_what_is_read() -> None:
    def step(x: Any) -> Any:
        branches = jax.lax.cond(x.sum() > 0, lambda y: (y, y + 1), lambda y: (y - 1, y), x)
        looped = jax.lax.fori_loop(0, 3, lambda _, y: jnp.sort(y @ x, axis=0), x)
        return branches, looped.sum() + jnp.fft.fft(x).real.sum(), jax.random.normal(jax.random.key(0), (3,))

    mesh = jax.make_mesh((4,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x"))
    lowered = jax.jit(step, in_shardings=sharding).lower(jax.ShapeDtypeStruct((8, 8), jnp.float32))
    with tempfile.TemporaryDirectory() as folder:
        lowered.compile(compiler_options={"xla_dump_to": folder, "xla_dump_hlo_pass_re": ".*"})
        texts = [path.read_text() for path in sorted(Path(folder).glob("*.txt"))]
    texts = [text for text in texts if text.startswith("HloModule")]
    assert len(texts) > 20 and any("#1" in text for text in texts)
    for text in texts:
        round_trip(text)


# Asynchronous collectives -----------------------------------------------------------------------------


@oracle.requires_reference
def test_collectives_of_jax_become_synchronous_as_in_xla() -> None:
    start = import_module("jax._src.lax.parallel").ppermute_start
    mesh = jax.make_mesh((4,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
    ring = [(device, (device + 1) % 4) for device in range(4)]

    def shift(x: Any) -> Any:
        moving = start(x, "x", ring)
        return moving.done() + jnp.sin(x)

    spec = jax.sharding.PartitionSpec("x")
    lowered = jax.jit(jax.shard_map(shift, mesh=mesh, in_specs=spec, out_specs=spec)).lower(
        jax.ShapeDtypeStruct((8, 8), jnp.float32)
    )
    with tempfile.TemporaryDirectory() as folder:
        lowered.compile(compiler_options={"xla_dump_to": folder, "xla_dump_hlo_pass_re": ".*async.*"})
        started, replaced = (
            parse(next(Path(folder).glob(f"*after_async-collective-{name}*")).read_text())
            for name in ("custom-call-rewriter", "replacer")
        )
    assert [len(hlo_text.chains(each)) for each in started.computations] == [0, 1, 0]
    assert hlo_text.check(started, hlo_text.XLA) == []
    assert {each.rule for each in hlo_text.check(started)} == {"R9"}, "the document would have the native opcodes"
    assert renamed(hlo_text.synchronous(started)) == renamed(replaced)


def renamed(module: HloModule) -> list[list[tuple[Any, ...]]]:
    """The computations that the entry needs, with numbers in the place of names."""
    needed = {module.entry}
    for each in reversed(module.computations):
        if each.name in needed:
            needed.update(name for one in each.instructions for name in one.called)
    kept = [each for each in module.computations if each.name in needed]
    numbers = {each.name: number for number, each in enumerate(kept)}
    return [[_renamed(one, each, numbers) for one in each.instructions] for each in kept]


def _renamed(instruction: Instruction, computation: Computation, numbers: dict[str, int]) -> tuple[Any, ...]:
    places = {each.name: place for place, each in enumerate(computation.instructions)}
    attributes = tuple(
        (key, numbers[value.lstrip("%")] if key == "to_apply" else value) for key, value in instruction.attributes
    )
    operands = tuple(places[name] for name in instruction.operands)
    return instruction.shape, instruction.opcode, operands, attributes, instruction.is_root
