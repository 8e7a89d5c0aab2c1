"""Partitioning of all programs that `jax.jit` compiles inside a context (spec: jax-execution, 5).

JAX's own compile function is replaced by one that first looks for a partitioner: of the compiled function, or of the
context, whose value is part of every jit cache key, so that programs compiled inside and outside the context are never
confused.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, TypeAlias

import jax
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import sdy as sdy_dialect

from sdy.jax.annotations.named_computations import COMPUTATION_OP, has_computations
from sdy.jax.caching.kept_programs import hits, place_of
from sdy.jax.compile_option import taken_from
from sdy.jax.inner_functions import warn_of_inner_functions
from sdy.jax.partitioner import Partitioner, checked
from sdy.jax_internals import compiler, config

if TYPE_CHECKING:
    import numpy as np
    from jaxlib._jax import Client, CompileOptions, LoadedExecutable
    from jaxlib.mlir import ir

    from sdy.running.deferred_failures import Callback


_active = jax.make_user_context(default_value=None)


def partitioned(partitioner: Partitioner | None = None) -> AbstractContextManager[None]:
    """Partition every program that JAX compiles for several devices in this context and thread.

    That includes operations on sharded arrays outside of `jax.jit`, each of which JAX compiles as a small program. If
    JAX is set to lower for GSPMD, it lowers for Shardy inside this context.

    Raises `TypeError` for a `partitioner` that is none.
    """
    active = _active(_ORDINARY if partitioner is None else _one_for_all_equal(checked(partitioner)))
    return active if config.use_shardy_partitioner.value else _lowering_for_shardy(active)


_ORDINARY = Partitioner()


@functools.lru_cache(maxsize=128)
def _one_for_all_equal(partitioner: Partitioner) -> Partitioner:
    """Return one object for equal partitioners: each call in the context compares it, and identity is fast."""
    return partitioner


@contextmanager
def _lowering_for_shardy(active: AbstractContextManager[None]) -> Iterator[None]:
    with active, config.use_shardy_partitioner(True):
        yield


def is_active() -> bool:
    """Return whether the current thread is inside `partitioned`."""
    return _active.value is not None


def outside() -> AbstractContextManager[None]:
    """Leave the context of `partitioned` until the end of this block."""
    return _active(None)


Compiled: TypeAlias = "Callable[[ir.Module, Sequence[Callback]], LoadedExecutable]"
"""Function that compiles a module with its Python callbacks."""


def _compiled(
    backend: Client,
    module: ir.Module,
    callbacks: Sequence[Callback],
    by: Partitioner,
    is_for_gspmd: bool,
    compiled: Compiled,
) -> LoadedExecutable:
    """Compile the program of one device, taken from the cache if it is there."""
    place = place_of(backend, module, by)
    started, hits_before = time.monotonic(), hits()
    kept = None if place is None else place.find()
    if place is None:
        program, (computation, callbacks) = None, by(module, callbacks)
    else:
        program = kept or by.partition(module)
        computation, callbacks = by.wrapped(program, module, callbacks)
    if is_for_gspmd:
        from sdy.jax.gspmd import in_gspmd_form

        computation = in_gspmd_form(computation)
    executable = compiled(computation, callbacks)
    if place is not None and program is not None and kept is None:
        place.keep(program, time.monotonic() - started, is_asked_again=hits() > hits_before)
    return executable


def _install() -> None:
    """Replace JAX's compile function by ours. Raises `ImportError` for a JAX with another one."""
    original = getattr(compiler, "compile_or_get_cached", None)
    if original is None:
        raise ImportError(f"sdy.jax does not know how JAX {jax.__version__} compiles; it knows JAX 0.10.2 to 0.12.0")

    @functools.wraps(original)
    def compile_or_get_cached(
        backend: Client,
        computation: ir.Module,
        devices: np.ndarray,
        compile_options: CompileOptions,
        host_callbacks: Sequence[Callback],
        *rest: object,
        **named: object,
    ) -> LoadedExecutable:
        partitioner: Partitioner | None = taken_from(compile_options) or _active.value

        def compiled(module: ir.Module, callbacks: Sequence[Callback]) -> LoadedExecutable:
            return original(backend, module, devices, compile_options, callbacks, *rest, **named)

        if compile_options.num_partitions > 1:
            if partitioner is not None:
                is_for_gspmd = not compile_options.executable_build_options.use_shardy_partitioner
                return _compiled(backend, computation, host_callbacks, partitioner, is_for_gspmd, compiled)
            warn_of_inner_functions(computation)
        return compiled(without_computations(computation), host_callbacks)

    compiler.compile_or_get_cached = compile_or_get_cached


_install()


def without_computations(module: ir.Module) -> ir.Module:
    """A module that JAX lowered, without named computations; a copy if it has some."""
    if not has_computations(module):
        return module
    with module.context:
        copied = ir.Module.parse(str(module.operation.get_asm(enable_debug_info=True, print_generic_op_form=True)))
        found: list[ir.Operation] = []

        def keep(op: ir.Operation) -> ir.WalkResult:
            if op.name == COMPUTATION_OP:
                found.append(op)
            return ir.WalkResult.ADVANCE

        copied.operation.walk(keep)  # inner ones come first
        for op in found:
            _inline(op)
    return copied


def _inline(op: ir.Operation) -> None:
    block = op.regions[0].blocks[0]
    with op.location, ir.InsertionPoint(op):
        for argument, operand in zip(block.arguments, _constrained(op, "in_shardings", op.operands), strict=True):
            argument.replace_all_uses_with(operand)
        *body, last = list(block.operations)
        for each in body:
            each.operation.move_before(op)
        for result, value in zip(op.results, _constrained(op, "out_shardings", last.operands), strict=True):
            result.replace_all_uses_with(value)
    op.erase()


def _constrained(op: ir.Operation, name: str, values: Iterable[ir.Value]) -> list[ir.Value]:
    """Return operands or results with the shardings that the computation has for them."""
    if name not in op.attributes:
        return list(values)
    shardings = sdy_dialect.TensorShardingPerValueAttr(op.attributes[name]).shardings
    return [
        sdy_dialect.ShardingConstraintOp(value, sharding).result if hasattr(value.type, "rank") else value
        for value, sharding in zip(values, shardings, strict=True)
    ]
