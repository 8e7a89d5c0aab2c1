"""`sdy.jax.jit`: `jax.jit`, partitioned by sdy."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import jax

import sdy
from sdy.hidden_frames import hidden, hide, warning_at_user_line
from sdy.jax.annotations.boundary_shardings import split
from sdy.jax.call_arguments import CompilerOptions, JitOptions, MoreOptions, PyTree
from sdy.jax.compile_option import Carried, has_ours, option_for, partitioner_in
from sdy.jax.context import is_active, outside
from sdy.jax.partitioner import Partitioner, checked
from sdy.jax.stages import Jitted, Traced
from sdy.jax_internals import pjit

if TYPE_CHECKING:
    from sdy.auto.planning import Options
    from sdy.jax.automatic import AutoJitted


def install_tracing() -> None:
    """Replace JAX's functions by ours. Raises `ImportError` for a JAX with others."""
    infer, trace = (getattr(pjit, name, None) for name in ("_infer_params", "jit_trace"))
    if infer is None or trace is None:
        raise ImportError(f"sdy.jax does not know how JAX {jax.__version__} traces; it knows JAX 0.10.2 to 0.12.0")

    @functools.wraps(infer)
    def _infer_params(*args: object, **named: object) -> tuple[pjit.PjitParams, list[jax.typing.ArrayLike]]:
        if is_active():
            with outside():
                inferred, flat = infer(*args, **named)
        else:
            inferred, flat = infer(*args, **named)
        # JAX keeps the parameters and hands them out again, so this is done once.
        options = inferred.params["compiler_options_kvs"]
        if options and has_ours(options):
            inferred.params["compiler_options_kvs"] = Carried(options)
        return inferred, flat

    @hidden
    @functools.wraps(trace)
    def jit_trace(function: jax.stages.Wrapped, /, *args: PyTree, **named: PyTree) -> jax.stages.Traced:
        traced = trace(function, *args, **named)
        partitioner = partitioner_in(traced._params["compiler_options_kvs"])
        return traced if partitioner is None else Traced.of(traced, partitioner)

    pjit._infer_params = _infer_params
    pjit.jit_trace = jit_trace
    hide()


# What jax.jit itself takes for an argument that is not given.
_JIT = inspect.signature(jax.jit).parameters
_NO_FUNCTION: Any = _JIT["fun"].default
_UNSPECIFIED: Any = _JIT["in_shardings"].default

_DEPRECATED = {"backend", "device"}


class _OurOptions(JitOptions, total=False):
    """Arguments of `jit` besides `auto`."""

    partitioner: Partitioner | None
    overlap: sdy.Overlap | None


@overload
def jit(fun: Callable, /, *, auto: Literal["inside", False] = False, **options: Unpack[_OurOptions]) -> Jitted: ...


@overload
def jit(fun: Callable, /, *, auto: Options | str | bool, **options: Unpack[_OurOptions]) -> Any: ...


@overload
def jit(*, auto: Literal["inside", False] = False, **options: Unpack[_OurOptions]) -> Callable[[Callable], Jitted]: ...


@overload
def jit(*, auto: Options | str | bool, **options: Unpack[_OurOptions]) -> Callable[[Callable], Any]: ...


@hidden
def jit(
    fun: Callable = _NO_FUNCTION,
    /,
    *,
    in_shardings: PyTree = _UNSPECIFIED,
    out_shardings: PyTree = _UNSPECIFIED,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Iterable[str] | None = None,
    donate_argnums: int | Sequence[int] | None = None,
    donate_argnames: str | Iterable[str] | None = None,
    keep_unused: bool = False,
    compiler_options: CompilerOptions | None = None,
    partitioner: Partitioner | None = None,
    overlap: sdy.Overlap | None = None,
    auto: Options | str | bool = False,
    **more: Unpack[MoreOptions],
) -> Jitted | AutoJitted | Callable[[Callable], Jitted | AutoJitted]:
    """Compiles `fun` as `jax.jit` does, with the propagation and the partitioner of sdy.

    The arguments are those of `jax.jit`; `more` are other options of the installed JAX. `in_shardings` and
    `out_shardings` may contain `sdy.jax.Sharding`s, with all features of the dialect: along an open dimension
    propagation places the array. `partitioner` changes the passes, and `overlap` makes collectives overlap with
    computation. Without `fun` the result is a decorator. XLA compiles a program for one device directly.

    The result is JAX's own object (its interface is `sdy.jax.Jitted`): it takes and returns global `jax.Array`s
    (pytrees of them), dispatches asynchronously, compiles once per shapes, shardings and static arguments, can be
    transformed and exported, and shares its traces with `jax.jit`. Inside of a larger program it is partitioned with
    that program. It raises `DiagnosticError` for a program that cannot be partitioned.

    With `auto` shardings are chosen: ``"inside"``, or `sdy.auto.Options` with ``inside=True``, keeps those of arguments
    and results and chooses inner ones; `Options`, or True, chooses all missing ones, and the result is a
    `sdy.jax.AutoJitted`, whose `plan` has the choices before anything runs.

    Raises `TypeError` for a `partitioner`, `overlap` or `auto` that is none, and what `jax.jit` raises.
    """
    planned = None if auto is False else _options_of(auto)
    if planned is not None:
        from sdy.jax.automatic import pipeline_of

        if partitioner is not None:
            raise TypeError("auto chooses how to partition, so give no partitioner with it")
        partitioner = Partitioner(pipeline_of(planned))
    partitioner = checked(Partitioner() if partitioner is None else partitioner)
    if overlap is not None:
        partitioner = replace(partitioner, overlap=overlap)
    options: JitOptions = {
        "in_shardings": in_shardings,
        "out_shardings": out_shardings,
        "static_argnums": static_argnums,
        "static_argnames": static_argnames,
        "donate_argnums": donate_argnums,
        "donate_argnames": donate_argnames,
        "keep_unused": keep_unused,
        "compiler_options": (compiler_options or {}) | option_for(partitioner),
        **more,
    }
    if fun is _NO_FUNCTION:
        return lambda given: _jitted(given, planned, options)
    return _jitted(fun, planned, options)


def _jitted(fun: Callable, planned: Options | None, options: JitOptions) -> Jitted | AutoJitted:
    fun, options = split(fun, options, _UNSPECIFIED)
    if planned is not None and not planned.inside:
        return _automatic(fun, planned, options)
    # What JAX makes has stages of ours (`tracing`).
    made: Any = jax.jit
    if options.keys() & _DEPRECATED:
        return warning_at_user_line(made, fun, **options)
    return made(fun, **options)


def _options_of(auto: Options | str | bool) -> Options:
    from sdy.auto.planning import Options

    if isinstance(auto, Options):
        return auto
    if auto is True or auto == "inside":
        return Options(inside=auto == "inside")
    raise TypeError(f"auto must be a sdy.auto.Options, a bool or 'inside', not {auto!r}")


def _automatic(fun: Callable, planned: Options, options: JitOptions) -> AutoJitted:
    """The function whose shardings are chosen."""
    from sdy.jax.automatic import AutoJitted
    from sdy.jax.call_arguments import Chosen

    kept = options.copy()
    static = Chosen.of(fun, kept.pop("static_argnums", None), kept.pop("static_argnames", None))
    donated = Chosen.of(fun, kept.pop("donate_argnums", None), kept.pop("donate_argnames", None))
    for name in ("in_shardings", "out_shardings"):
        if kept.get(name) is None:
            kept.pop(name, None)
    return AutoJitted(fun, planned, jax.jit, kept, static, donated)
