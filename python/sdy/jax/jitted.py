"""`sdy.jax.jit`: `jax.jit`, partitioned by sdy."""

from __future__ import annotations

import functools
import types
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import jax
import jax.core

import sdy
from sdy.dialect.diagnostics import collecting
from sdy.jax.context import Partitioner, is_active, partitioned
from sdy.partition import PartitionedModule
from sdy.value_shardings import ValueSharding, value_shardings

_UNSPECIFIED: Any = object()


def jit(
    fun: Callable | None = None,
    /,
    *,
    in_shardings: Any = _UNSPECIFIED,
    out_shardings: Any = _UNSPECIFIED,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Iterable[str] | None = None,
    donate_argnums: int | Sequence[int] | None = None,
    donate_argnames: str | Iterable[str] | None = None,
    keep_unused: bool = False,
    compiler_options: dict[str, Any] | None = None,
    partitioner: Partitioner | None = None,
) -> Any:
    """Compiles `fun` as `jax.jit` does, with the propagation and the partitioner of sdy.

    The arguments are those of `jax.jit`; `partitioner` says how to partition, if not in the usual way. Without `fun`
    the result is a decorator. A program for one device is left to XLA.

    The function that is returned takes and returns global `jax.Array`s (pytrees of them), dispatches asynchronously and
    compiles once per shapes, shardings and static arguments, all by JAX's own means. It raises `DiagnosticError` for a
    program that cannot be partitioned.
    """
    options: dict[str, Any] = {
        "static_argnums": static_argnums,
        "static_argnames": static_argnames,
        "donate_argnums": donate_argnums,
        "donate_argnames": donate_argnames,
        "keep_unused": keep_unused,
        "compiler_options": compiler_options,
    }
    shardings = {"in_shardings": in_shardings, "out_shardings": out_shardings}
    options |= {name: value for name, value in shardings.items() if value is not _UNSPECIFIED}
    if fun is None:
        return lambda function: Jitted(function, options, partitioner or Partitioner())
    return Jitted(fun, options, partitioner or Partitioner())


class Jitted:
    """A function that `jit` made."""

    def __init__(self, fun: Callable, options: dict[str, Any], partitioner: Partitioner) -> None:
        functools.update_wrapper(self, fun)
        self._jitted: Any = jax.jit(fun, **options)
        self._name = getattr(fun, "__name__", str(fun))
        self._partitioner = partitioner

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self._warn_if_inlined(args, kwargs)
        with partitioned(self._partitioner):
            return self._jitted(*args, **kwargs)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def lower(self, *args: Any, **kwargs: Any) -> Lowered:
        """Traces and lowers for these arguments, which may be `jax.ShapeDtypeStruct`s; neither partitions nor runs."""
        with partitioned(self._partitioner):
            return Lowered(self._jitted.lower(*args, **kwargs), self._partitioner)

    def trace(self, *args: Any, **kwargs: Any) -> Traced:
        """Traces for these arguments; `lower` of the result does the rest."""
        with partitioned(self._partitioner):
            return Traced(self._jitted.trace(*args, **kwargs), self._partitioner)

    def eval_shape(self, *args: Any, **kwargs: Any) -> Any:
        """Shapes and types of the results."""
        return self._jitted.eval_shape(*args, **kwargs)

    def clear_cache(self) -> None:
        """Forgets everything compiled."""
        self._jitted.clear_cache()

    def _warn_if_inlined(self, args: Any, kwargs: Any) -> None:
        kinds = set(map(type, jax.tree.leaves((args, kwargs))))
        if is_active() or not any(issubclass(kind, jax.core.Tracer) for kind in kinds):
            return
        warnings.warn(
            f"{self._name} becomes part of a program that XLA partitions; use sdy.jax.jit or sdy.jax.partitioned() "
            "for the outermost program",
            stacklevel=3,
        )


class Traced:
    """A function traced for some arguments; what `jax.stages.Traced` has."""

    def __init__(self, traced: jax.stages.Traced, partitioner: Partitioner) -> None:
        self._traced = traced
        self._partitioner = partitioner

    def lower(self, **options: Any) -> Lowered:
        """The global program, neither partitioned nor run."""
        with partitioned(self._partitioner):
            return Lowered(self._traced.lower(**options), self._partitioner)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._traced, name)


class Lowered:
    """A function lowered for some arguments; what `jax.stages.Lowered` has, and the partitioned program."""

    def __init__(self, lowered: jax.stages.Lowered, partitioner: Partitioner) -> None:
        self._lowered = lowered
        self._partitioner = partitioner

    @functools.cached_property
    def partitioned(self) -> PartitionedModule:
        """The program of one device. Raises `DiagnosticError` if the program cannot be partitioned."""
        return self._partitioner.partition(self._lowered.compiler_ir("stablehlo"))

    def value_shardings(self) -> list[ValueSharding]:
        """The shardings that propagation gives the values of the global program, in program order."""
        module = sdy.parse(self.as_text(debug_info=True))
        with collecting(lambda warning: None):
            sdy.run(module, "sdy-propagation-pipeline")
        return value_shardings(module)

    def compile(self, compiler_options: dict[str, Any] | None = None) -> jax.stages.Compiled:
        """The executable, as `jax.jit(...).lower(...).compile()` gives it."""
        with partitioned(self._partitioner):
            return self._lowered.compile(compiler_options)

    def as_text(self, *args: Any, **kwargs: Any) -> str:
        """The global program, as JAX lowered it."""
        return self._lowered.as_text(*args, **kwargs)

    def compiler_ir(self, dialect: str = "stablehlo") -> Any:
        """The global program as a module of jaxlib."""
        return self._lowered.compiler_ir(dialect)

    @property
    def args_info(self) -> Any:
        return self._lowered.args_info

    @property
    def in_tree(self) -> Any:
        return self._lowered.in_tree

    @property
    def out_info(self) -> Any:
        """Shapes and types of the results."""
        return self._lowered.out_info

    @property
    def out_tree(self) -> Any:
        return self._lowered.out_tree
