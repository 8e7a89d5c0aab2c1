"""Partitioning whatever `jax.jit` compiles inside a context (spec: jax-execution, 5).

JAX's own compile function is replaced by one that first asks for a partitioner: of the function that is compiled, or of
the context, whose value is part of every jit cache key, so that programs compiled inside and outside the context are
never mistaken for one another.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import jax
from jax._src import compiler, config
from jaxlib.mlir import ir

import sdy
from sdy.dialect.extensions import load_extensions
from sdy.dialect.values.mesh import Mesh
from sdy.jax.caching.kept_programs import hits, place_of
from sdy.jax.compile_option import taken_from
from sdy.jax.computations_for_xla import without_computations
from sdy.jax.inner_functions import warn_of_inner_functions
from sdy.jax.telling import QUIET, Telling
from sdy.mlir.users_code import Declared, declarations
from sdy.partitioned_module import PIPELINE, PartitionedModule
from sdy.passes.executable.questions import CUSTOM_PARTITIONING
from sdy.running.wrapping import wrap

if TYPE_CHECKING:
    from sdy.auto.plan_inside import PlanInside


@dataclass(frozen=True)
class Partitioner:
    """How programs are partitioned: the passes, and how collectives overlap, as `sdy.partition` takes them.

    `telling` says what users are told of them. `planned` has shardings for what is inside of the one program that they
    are of.
    """

    pipeline: str = PIPELINE
    overlap: sdy.Overlap | None = None
    telling: Telling = QUIET
    planned: PlanInside | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.pipeline, str):
            raise TypeError(f"a pipeline is a text such as {PIPELINE!r}, not {type(self.pipeline).__name__}")
        if self.overlap is not None and not isinstance(self.overlap, sdy.Overlap):
            raise TypeError(f"overlap must be a sdy.Overlap, not {type(self.overlap).__name__}")
        if not isinstance(self.telling, Telling):
            raise TypeError(f"telling must be a sdy.jax.Telling, not {type(self.telling).__name__}")

    @property
    def is_told_by_its_fields(self) -> bool:
        """Whether what it does is known from them: not so if it is of a class of the user's."""
        return type(self) is Partitioner

    def partition(self, module: Any, mesh: Mesh | None = None) -> PartitionedModule:
        """The device-local program of a module that JAX lowered; the module is not changed.

        One that was lowered for GSPMD, with jax_use_shardy_partitioner=False, has axes with names of their own, unless
        its tiles are cut along those of `mesh`.

        Raises `DiagnosticError` at the op that cannot be partitioned, `PipelineError` for a pipeline that does not
        partition.
        """
        attributes = module.operation.attributes
        text = module.operation.get_asm(enable_debug_info=True)
        name = ir.StringAttr(attributes["sym_name"]).value
        devices = ir.IntegerAttr(attributes["mhlo.num_partitions"]).value
        text = self.annotated(text, mesh, name)
        folder = self.telling.with_environment().dump_ir_to
        if CUSTOM_PARTITIONING in text or folder:
            # The call names a Python function by a number that means something else once the function is gone.
            return _partition(text, name, devices, self, folder)
        load_extensions()
        return _partitioned_before(text, name, devices, self, declarations())

    def annotated(self, text: str, mesh: Mesh | None, name: str) -> str:
        """A module that JAX lowered, given as text, with axes as in `mesh` and the shardings that are `planned`."""
        if mesh is None and self.planned is not None:
            mesh = self.planned.mesh
        if mesh is not None:
            from sdy.jax.axis_names import with_axes_of

            text = with_axes_of(text, mesh, name)
        return text if self.planned is None else self.planned.put_into(text, name)

    def __call__(self, module: Any, callbacks: Sequence[Any] = ()) -> tuple[Any, Sequence[Any]]:
        """The module to compile instead of `module`, and the Python callbacks that it calls by their indices."""
        return self.wrapped(self.partition(module), module, callbacks)

    def wrapped(
        self, partitioned: PartitionedModule, module: Any, callbacks: Sequence[Any] = ()
    ) -> tuple[Any, Sequence[Any]]:
        """The same, `partitioned` being what became of `module`."""
        self.telling.with_environment().tell(partitioned, module)
        if callbacks:
            from sdy.running.deferred_failures import with_deferred_failures

            partitioned, callbacks = with_deferred_failures(partitioned, callbacks)
        return wrap(partitioned, module), callbacks


@functools.lru_cache(maxsize=16)
def _partitioned_before(
    text: str, name: str, num_devices: int, by: Partitioner, _: tuple[Declared, ...]
) -> PartitionedModule:
    """What became of the same module with the same rules, lowerings and so on of users, if that is known."""
    return _partition(text, name, num_devices, by)


def _partition(text: str, name: str, num_devices: int, by: Partitioner, dump_ir_to: str = "") -> PartitionedModule:
    return sdy.partition(
        text,
        filename=name,
        num_devices=num_devices,
        pipeline=by.pipeline,
        is_embedded=True,
        overlap=by.overlap,
        dump_ir_to=dump_ir_to,
    )


_active = jax.make_user_context(default_value=None)


def partitioned(partitioner: Partitioner | None = None) -> AbstractContextManager[None]:
    """Every program for several devices that JAX compiles in this context, in this thread, is partitioned by sdy.

    That includes operations on sharded arrays outside of `jax.jit`, each of which JAX compiles as a small program. If
    JAX is set to lower for GSPMD, it does not do so in this context.

    Raises `TypeError` for a `partitioner` that is none.
    """
    active = _active(_ORDINARY if partitioner is None else _one_for_all_equal(checked(partitioner)))
    return active if config.use_shardy_partitioner.value else _lowering_for_shardy(active)


_ORDINARY = Partitioner()


@functools.lru_cache(maxsize=128)
def _one_for_all_equal(partitioner: Partitioner) -> Partitioner:
    """The same object for equal ones: every call in the context compares it, which takes Python if they are two."""
    return partitioner


@contextmanager
def _lowering_for_shardy(active: AbstractContextManager[None]) -> Iterator[None]:
    with active, config.use_shardy_partitioner(True):
        yield


def checked(partitioner: Partitioner) -> Partitioner:
    """Raises `TypeError` for something else than a partitioner."""
    if not isinstance(partitioner, Partitioner):
        hint = f"; for these passes write sdy.jax.Partitioner({partitioner!r})" if isinstance(partitioner, str) else ""
        raise TypeError(f"partitioner must be a sdy.jax.Partitioner, not {type(partitioner).__name__}{hint}")
    return partitioner


def is_active() -> bool:
    """Whether the current thread is inside `partitioned`."""
    return _active.value is not None


def outside() -> AbstractContextManager[None]:
    """Leaves the context that `partitioned` makes, for as long as this one lasts."""
    return _active(None)


Compiled = Callable[[Any, Sequence[Any]], Any]
"""What JAX makes of a module and the Python callbacks that it calls."""


def _compiled(
    backend: Any, module: Any, callbacks: Sequence[Any], by: Partitioner, is_for_gspmd: bool, compiled: Compiled
) -> Any:
    """What JAX makes of the program of one device, which is one that was kept, if there is a cache and it has it."""
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
    """Puts our compile function in the place of JAX's. Raises `ImportError` for a JAX that has another one."""
    original = getattr(compiler, "compile_or_get_cached", None)
    if original is None:
        raise ImportError(f"sdy.jax does not know how JAX {jax.__version__} compiles; it knows JAX 0.10.2 to 0.12.0")

    @functools.wraps(original)
    def compile_or_get_cached(
        backend: Any,
        computation: Any,
        devices: Any,
        compile_options: Any,
        host_callbacks: Sequence[Any],
        *rest: Any,
        **named: Any,
    ) -> Any:
        partitioner: Partitioner | None = taken_from(compile_options) or _active.value

        def compiled(module: Any, callbacks: Sequence[Any]) -> Any:
            return original(backend, module, devices, compile_options, callbacks, *rest, **named)

        if compile_options.num_partitions > 1:
            if partitioner is not None:
                is_for_gspmd = not compile_options.executable_build_options.use_shardy_partitioner
                return _compiled(backend, computation, host_callbacks, partitioner, is_for_gspmd, compiled)
            warn_of_inner_functions(computation)
        return compiled(without_computations(computation), host_callbacks)

    compiler.compile_or_get_cached = compile_or_get_cached


_install()
