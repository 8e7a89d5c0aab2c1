"""Functions whose shardings are chosen at their first call: `sdy.jax.jit(auto=...)`.

>>> options = sdy.auto.Options(mesh={"data": 4, "model": 2}, machine="h100")
>>> step = sdy.jax.jit(train_step, donate_argnums=0, auto=options)
>>> plan = step.plan(state, batch)             # shapes are enough: nothing is run, and no array need exist
>>> jax.jit(train_step, in_shardings=plan.in_shardings, out_shardings=plan.out_shardings)      # without us from here on
>>> state, loss = step(state, batch)           # arguments may live anywhere
"""

from __future__ import annotations

import functools
import math
import threading
import warnings
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import field, replace
from pathlib import Path
from typing import cast

import jax
import numpy as np
from jax.core import Tracer
from jax.extend.core import jaxpr_as_fun
from jax.sharding import NamedSharding

from sdy.auto.plan import Plan
from sdy.auto.plan_inside import PlanInside
from sdy.auto.planning import Options
from sdy.jax.call_arguments import Call, Chosen, CompilerOptions, JitOptions, PyTree
from sdy.jax.compile_option import option_for, partitioner_in
from sdy.jax.jax_plans import JaxPlan
from sdy.jax.partitioner import Partitioner
from sdy.jax.stages import Lowered, Traced
from sdy.jax_internals import register_cache
from sdy.lazy_dataclass import dataclass
from sdy.passes.partitioning.partition_options import PIPELINE

MOST = 128
"""For so many kinds of arguments a function keeps what was planned and compiled; what was not used longest goes."""


@dataclass
class _Planned:
    """The plan for one kind of arguments, with the traced function and the compiled one."""

    plan: JaxPlan
    traced: Callable[..., PyTree]
    jitted: jax.stages.Wrapped | None = field(default=None)


class AutoJitted:
    """A function made by `sdy.jax.jit` with `auto`: one plan and one compiled function per kind of arguments.

    Shapes, element types and static arguments identify a kind, and, if the options have no mesh, the mesh of the
    arguments. The last `MOST` used kinds are kept, and all plans that were loaded. Arguments may be given by name, as
    in any call. Inside of functions that JAX transforms or traces it is the plain function, partitioned with the
    surrounding program.
    """

    def __init__(
        self,
        function: Callable,
        options: Options,
        jit: Callable[..., jax.stages.Wrapped],
        arguments: JitOptions,
        static: Chosen,
        donated: Chosen,
    ) -> None:
        functools.update_wrapper(self, function, updated=())
        self.__name__ = getattr(function, "__name__", "function")
        self._function = function
        self._options = options
        self._jit = jit
        self._arguments = arguments
        self._static = static
        self._donated = donated
        self._found: OrderedDict[Hashable, _Planned] = OrderedDict()
        self._loaded: dict[Hashable, _Planned] = {}
        self._lock, self._planning = threading.Lock(), threading.RLock()
        register_cache(self, f"plans for {self.__name__}")

    def plan(self, *arguments: PyTree, **keywords: PyTree) -> JaxPlan:
        """The shardings for arguments of these shapes; a `jax.ShapeDtypeStruct` of each will do.

        Raises `TypeError` for arguments that the function does not take, `ValueError` for static ones that cannot be
        hashed, and what `sdy.auto.partition` raises.
        """
        return self._planned(self._call(arguments, keywords)).plan

    def load(self, path: str | Path, *arguments: PyTree, **keywords: PyTree) -> JaxPlan:
        """Use the plan of a file, possibly edited, for arguments of these shapes from now on.

        All shardings follow the file, including inner ones; propagation decides the open ones. Raises the errors of
        `sdy.auto.Plan.load`.
        """
        call = self._call(arguments, keywords)
        planned = self._made(call, path)
        with self._lock:
            self._loaded.update(dict.fromkeys(self._keys(call, planned.plan), planned))
        return planned.plan

    def place(self, *arguments: PyTree, **keywords: PyTree) -> PyTree:
        """Move all arguments to the shardings of the plan; a single argument is returned by itself.

        Keyword-only arguments come last, by their names. Raises `ValueError` if there are fewer devices than the plan
        is for.
        """
        call = self._call(arguments, keywords)
        plan = self._planned(call).plan
        plan.check_devices()
        placed = jax.device_put(self._dynamic(call), plan.in_shardings)
        return placed[0] if len(call.arguments) == 1 else placed

    def trace(self, *arguments: PyTree, **keywords: PyTree) -> Traced:
        """The function traced with the shardings of the plan; see `sdy.jax.Traced`."""
        call = self._call(arguments, keywords)
        planned = self._planned(call)
        placed = jax.tree.map(_placed_shape, self._dynamic(call), planned.plan.in_shardings)
        return cast("Traced", self._compiled(planned, call).trace(*self._with_static(call, placed)))

    def lower(self, *arguments: PyTree, **keywords: PyTree) -> Lowered:
        """The function lowered with the shardings of the plan; see `sdy.jax.Lowered`."""
        return self.trace(*arguments, **keywords).lower()

    def eval_shape(self, *arguments: PyTree, **keywords: PyTree) -> PyTree:
        """Return the shapes and types of the results, without planning."""
        return jax.eval_shape(self._within, *arguments, **keywords)

    def clear_cache(self) -> None:
        """Forget plans and compiled programs; loaded plans only lose their compiled programs."""
        with self._lock:
            self._found.clear()
            for planned in self._loaded.values():
                planned.jitted = None

    cache_clear = clear_cache  # the name by which `jax.clear_caches` calls it

    def __call__(self, *arguments: PyTree, **keywords: PyTree) -> PyTree:
        """Run the function. Arguments with another placement are moved first, with a warning if they were sharded.

        Raises what `plan` raises, and `ValueError` if there are fewer devices than the plan is for.
        """
        if jax.config.jax_disable_jit or _is_traced((arguments, keywords)):
            return self._within(*arguments, **keywords)
        call = self._call(arguments, keywords)
        planned = self._planned(call)
        plan, given = planned.plan, self._dynamic(call)
        plan.check_devices()
        pairs = list(zip(jax.tree.leaves(given), jax.tree.leaves(plan.in_shardings), strict=True))
        if all(isinstance(leaf, jax.Array) and leaf.sharding == sharding for leaf, sharding in pairs):
            return self._compiled(planned, call)(*call.arguments)
        moved = sum(_moved_bytes(leaf, sharding) for leaf, sharding in pairs)
        if moved:
            warnings.warn(
                f"{self.__name__}: {moved:,} bytes of arguments are sharded differently than planned, and "
                "are moved; place() puts them there once",
                stacklevel=2,
            )
        placed = jax.device_put(given, plan.in_shardings)
        return self._compiled(planned, call)(*self._with_static(call, placed))

    # Arguments -----------------------------------------------------------------------------------

    def _call(self, arguments: tuple[PyTree, ...], keywords: dict[str, PyTree]) -> Call:
        return Call.of(self._function, arguments, keywords)

    def _dynamic(self, call: Call) -> tuple[PyTree, ...]:
        static = call.numbers(self._static)
        return tuple(one for number, one in enumerate(call.arguments) if number not in static)

    def _with_static(self, call: Call, dynamic: tuple[PyTree, ...]) -> tuple[PyTree, ...]:
        static, left = call.numbers(self._static), iter(dynamic)
        return tuple(one if number in static else next(left) for number, one in enumerate(call.arguments))

    def _keys(self, call: Call, plan: JaxPlan | None = None) -> list[Hashable]:
        """Return the keys of a call; with a `plan` also that of arguments on the mesh that was chosen."""
        dynamic = self._dynamic(call)
        leaves, structure = jax.tree.flatten(dynamic)
        static = tuple((type(one), one) for one in map(call.arguments.__getitem__, call.numbers(self._static)))
        try:
            hash(static)
        except TypeError as error:
            raise ValueError(f"static arguments must be hashable: {error}") from None
        shapes = tuple(map(_kind, leaves))
        chosen = () if plan is None or self._options.mesh is not None else (plan.mesh,)
        meshes = dict.fromkeys((self._mesh(dynamic), *chosen))
        return [(structure, shapes, static, call.names, mesh) for mesh in meshes]

    def _mesh(self, dynamic: PyTree) -> jax.sharding.Mesh | None:
        """Return the only mesh of the arguments, if the options have none."""
        if self._options.mesh is not None:
            return None
        shardings = [getattr(leaf, "sharding", None) for leaf in jax.tree.leaves(dynamic)]
        meshes = [one.mesh for one in shardings if isinstance(one, NamedSharding) and one.mesh.size > 1]
        one = meshes[0] if meshes and len(set(meshes)) == 1 else None
        return one if isinstance(one, jax.sharding.Mesh) else None

    # Plans ---------------------------------------------------------------------------------------

    def _planned(self, call: Call) -> _Planned:
        """Return the kept plan of a call, or make one."""
        (key,) = self._keys(call)
        found = self._known(key)
        if found is not None:
            return found
        with self._planning:
            found = self._known(key) or self._made(call)
            with self._lock:
                self._found.update(dict.fromkeys(self._keys(call, found.plan), found))
                while len(self._found) > MOST:
                    self._found.popitem(last=False)
            return found

    def _known(self, key: Hashable) -> _Planned | None:
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
            return self._loaded.get(key) or self._found.get(key)

    def _made(self, call: Call, path: str | Path | None = None) -> _Planned:
        """Return the plan for arguments of these shapes, found, or loaded from a file."""
        dynamic = self._dynamic(call)
        shapes = jax.tree.map(_shape, dynamic)
        jitted = self._jit(call.by_position, **{**self._options_for(call), "keep_unused": True})
        traced = jitted.trace(*self._with_static(call, shapes))
        lowered = traced.lower()
        text = lowered.as_text(debug_info=True)
        given = self._mesh(dynamic) if self._options.mesh is None else self._options.mesh
        plan = self._options.plan(text, given or len(jax.devices())) if path is None else Plan.load(path, text)
        mesh = given if isinstance(given, jax.sharding.Mesh) else None
        return _Planned(
            JaxPlan.for_shapes(plan, mesh, shapes, lowered.out_info), self._as_traced(call, traced, lowered.out_info)
        )

    def _as_traced(self, call: Call, traced: jax.stages.Traced, returned: PyTree) -> Callable[..., PyTree]:
        """Return the traced function, since another trace, with arguments on a mesh, may have other ops."""
        run, structure = jaxpr_as_fun(traced.jaxpr), jax.tree.structure(returned)
        static = call.numbers(self._static)

        @functools.wraps(call.by_position)
        def as_traced(*arguments: PyTree) -> PyTree:
            dynamic = tuple(one for number, one in enumerate(arguments) if number not in static)
            return jax.tree.unflatten(structure, run(*jax.tree.leaves(dynamic)))

        return as_traced

    # Compiling -----------------------------------------------------------------------------------

    def _options_for(self, call: Call) -> JitOptions:
        """The options of `jax.jit` for the function that takes the arguments of a call by position."""
        options = self._arguments.copy()
        given = options.get("in_shardings")
        if call.names and isinstance(given, tuple | list):
            extra = len(call.names) - sum(name in self._static.names for name in call.names)
            options["in_shardings"] = (*given, *(None,) * extra)
        options["static_argnums"], options["donate_argnums"] = map(call.numbers, (self._static, self._donated))
        return options

    def _compiled(self, planned: _Planned, call: Call) -> jax.stages.Wrapped:
        with self._planning:
            if planned.jitted is None:
                plan = planned.plan
                options: JitOptions = {
                    **self._options_for(call),
                    "in_shardings": plan.in_shardings,
                    "out_shardings": plan.out_shardings,
                    "compiler_options": self._compiler_options | option_for(self._partitioner(plan.plan)),
                }
                planned.jitted = self._jit(planned.traced, **options)
            return planned.jitted

    @functools.cached_property
    def _within(self) -> jax.stages.Wrapped:
        """Return the function as part of another one."""
        numbers = {"static_argnums": sorted(self._static.numbers), "donate_argnums": sorted(self._donated.numbers)}
        names = {"static_argnames": sorted(self._static.names), "donate_argnames": sorted(self._donated.names)}
        return self._jit(self._function, **{**self._arguments, **numbers, **names})

    @property
    def _compiler_options(self) -> CompilerOptions:
        return self._arguments.get("compiler_options") or {}

    def _partitioner(self, plan: Plan) -> Partitioner:
        """Return a partitioner that applies the plan."""
        usual = partitioner_in(tuple(self._compiler_options.items())) or Partitioner()
        return replace(usual, pipeline=PIPELINE, planned=PlanInside.of(plan, self._options.step()))


def pipeline_of(options: Options) -> str:
    """Return the passes that plan open boundary shardings, and partition."""
    return f"{options.step()},{PIPELINE}"


def _is_traced(arguments: PyTree) -> bool:
    return any(isinstance(leaf, Tracer) for leaf in jax.tree.leaves(arguments))


def _is_weak(leaf: object) -> bool:
    """Return whether an argument adopts the element type of other operands, as Python's numbers do."""
    return type(leaf) in (int, float, complex) or getattr(leaf, "weak_type", False)


def _check(leaf: object) -> None:
    """Raises `TypeError` for a value that JAX does not accept as an array."""
    if isinstance(leaf, str) or not (hasattr(leaf, "dtype") or np.isscalar(leaf)):
        raise TypeError(f"arguments that are not static are arrays, their shapes, or numbers, not {leaf!r}")


def _kind(leaf: jax.typing.ArrayLike | jax.ShapeDtypeStruct) -> Hashable:
    """Return the key of an argument: its shape, element type, and whether that is weak."""
    if isinstance(leaf, jax.Array):
        return leaf.shape, leaf.dtype, getattr(leaf, "weak_type", False)  # which keys of random numbers do not have
    _check(leaf)
    return jax.numpy.shape(leaf), jax.dtypes.result_type(leaf), _is_weak(leaf)


def _shape(leaf: jax.typing.ArrayLike | jax.ShapeDtypeStruct) -> jax.ShapeDtypeStruct:
    """Return the shape of an argument on any device. Raises `TypeError` for anything else."""
    _check(leaf)
    return jax.ShapeDtypeStruct(jax.numpy.shape(leaf), jax.dtypes.result_type(leaf), weak_type=_is_weak(leaf))


def _placed_shape(leaf: jax.typing.ArrayLike | jax.ShapeDtypeStruct, sharding: NamedSharding) -> jax.ShapeDtypeStruct:
    """Return the shape with the plan's sharding."""
    shape = _shape(leaf)
    return jax.ShapeDtypeStruct(shape.shape, shape.dtype, weak_type=shape.weak_type, sharding=sharding)


def _moved_bytes(leaf: object, sharding: NamedSharding) -> int:
    """Bytes of an array that is spread over devices in another way."""
    if not isinstance(leaf, jax.Array) or len(leaf.sharding.device_set) == 1:
        return 0
    return 0 if leaf.sharding.is_equivalent_to(sharding, leaf.ndim) else math.prod(leaf.shape) * leaf.dtype.itemsize
