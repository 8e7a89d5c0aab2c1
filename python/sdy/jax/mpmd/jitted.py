"""`mpmd.jit`: functions of several meshes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
from jax.sharding import NamedSharding

from sdy.hidden_frames import hidden
from sdy.jax.call_arguments import PyTree
from sdy.jax.mpmd.compiled import Compiled
from sdy.jax.mpmd.config import Config
from sdy.jax.mpmd.lowered import Lowered
from sdy.jax.mpmd.lowering import lowering_parameters
from sdy.lazy_dataclass import dataclass


@dataclass(frozen=True)
class Traced:
    """A function of several meshes that is traced for some arguments."""

    _jax: jax.stages.Traced
    _config: Config
    _meshes: tuple[PyTree, PyTree]

    @property
    def jaxpr(self) -> Any:
        """The program that JAX traced."""
        return self._jax.jaxpr

    def lower(self) -> Lowered:
        """The program for the meshes; it is neither compiled nor run."""
        platform = self._config.mesh.devices.flat[0].platform
        parameters: Any = lowering_parameters()
        lowered = self._jax.lower(lowering_platforms=(platform,), _private_parameters=parameters)
        return Lowered(lowered, self._config, self._meshes)


class Jitted:
    """A function that `mpmd.jit` made."""

    def __init__(self, fn: Callable, config: Config, meshes: tuple[PyTree, PyTree], options: dict[str, Any]) -> None:
        """Takes the function, prefix trees of the meshes of arguments and results, and options of `jax.jit`."""
        functools.update_wrapper(self, fn)
        self._jax = jax.jit(fn, **options)
        self._config = config
        self._meshes = meshes
        self._compiled: dict[Any, Compiled] = {}

    @hidden
    def trace(self, *args: PyTree) -> Traced:
        """Traces for these arguments, each maybe a `jax.ShapeDtypeStruct`."""
        return Traced(self._jax.trace(*jax.tree.map(self._described, args)), self._config, self._meshes)

    @hidden
    def lower(self, *args: PyTree) -> Lowered:
        """Traces and lowers for these arguments."""
        return self.trace(*args).lower()

    @hidden
    def __call__(self, *args: PyTree) -> PyTree:
        """Lowers and compiles once for each structure, shapes and types, and runs; does not move arguments."""
        flat, tree = jax.tree.flatten(args)
        key = tree, tuple((getattr(x, "shape", ()), getattr(x, "dtype", type(x))) for x in flat)
        if key not in self._compiled:
            self._compiled[key] = self.lower(*args).compile()
        return self._compiled[key](*args)

    def _described(self, argument: Any) -> Any:
        """Return shape, type and sharding of an array, on the first mesh; other values unchanged."""
        if not hasattr(argument, "shape") or not hasattr(argument, "dtype"):
            return argument
        sharding = getattr(argument, "sharding", None)
        named = self._config.on_first_mesh(sharding) if isinstance(sharding, NamedSharding) else None
        weak = getattr(argument, "weak_type", False)
        return jax.ShapeDtypeStruct(argument.shape, argument.dtype, sharding=named, weak_type=weak)


@hidden
def jit(
    fn: Callable,
    config: Config,
    *,
    in_shardings: PyTree = None,
    out_shardings: PyTree = None,
    donate_argnums: int | Sequence[int] | None = None,
    keep_unused: bool = False,
    override_func_name: str | None = None,
) -> Jitted:
    """A function that runs on the meshes of a `Config`, as its named computations and tensors say.

    >>> compiled = mpmd.jit(step, config, donate_argnums=0).lower(params, batch).compile()
    >>> params = compiled(*compiled.put(params, batch))

    Args:
      fn: a function of pytrees of arrays.
      config: from `make_config`.
      in_shardings: as `jax.jit` takes them, on the first mesh or on any other with the same axes.
      out_shardings: the same for results.
      donate_argnums: numbers of the arguments whose memory the program may take over.
      keep_unused: keep arguments that are not used.
      override_func_name: the name of the program, by default that of `fn`.

    Raises:
      ValueError: a sharding is on a mesh with other axes.
    """
    if override_func_name is not None:
        fn = _renamed(fn, override_func_name)
    options: dict[str, Any] = {"keep_unused": keep_unused}
    if donate_argnums is not None:
        options["donate_argnums"] = donate_argnums
    meshes = [config.input_mesh_assignment, config.output_mesh_assignment]
    for place, (name, shardings) in enumerate((("in_shardings", in_shardings), ("out_shardings", out_shardings))):
        if shardings is not None:
            options[name] = config.on_first_mesh(shardings)
            if config.read_input_output_mesh_from_shardings:
                meshes[place] = jax.tree.map(config.mesh_of, shardings, is_leaf=lambda x: x is None)
    return Jitted(fn, config, (meshes[0], meshes[1]), options)


def _renamed(fn: Callable, name: str) -> Callable:
    @functools.wraps(fn)
    def renamed(*args: PyTree) -> PyTree:
        return fn(*args)

    renamed.__name__ = renamed.__qualname__ = name
    return renamed
