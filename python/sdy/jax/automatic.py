"""Functions whose shardings are chosen when they are called: `sdy.jax.jit(auto=...)`.

>>> options = sdy.auto.Options(mesh={"data": 4, "model": 2}, machine="h100")
>>> step = sdy.jax.jit(train_step, donate_argnums=0, auto=options)
>>> plan = step.plan(state, batch)             # shapes are enough: nothing is run, and no array need exist
>>> jax.jit(train_step, in_shardings=plan.in_shardings, out_shardings=plan.out_shardings)      # without us from here on
>>> state, loss = step(state, batch)           # arguments may live anywhere
"""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from pathlib import Path

import jax
from jax.extend.core import jaxpr_as_fun
from jax.sharding import AxisType, NamedSharding, PartitionSpec

from sdy.auto.options import Options
from sdy.auto.plan import Plan
from sdy.auto.plan_inside import PlanInside
from sdy.cures.wanted_shardings import Wanted
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.jax.compile_option import option_for, partitioner_in
from sdy.jax.jax_types import PyTree
from sdy.jax.jit_options import CompilerOptions, JitOptions, by_position, numbers_of
from sdy.jax.partitioner import Partitioner
from sdy.partitioned_module import PIPELINE


@dataclass(frozen=True)
class JaxPlan:
    """A plan in JAX's terms.

    `in_shardings` has the structure of the arguments that are not static, `out_shardings` that of what is returned;
    `jax.jit` and everything else that takes shardings can use them. `plan` says what was found, and what it costs.
    """

    plan: Plan
    mesh: jax.sharding.Mesh
    in_shardings: PyTree
    out_shardings: PyTree

    def __str__(self) -> str:
        return self.plan.report()

    def _repr_html_(self) -> str:
        """The report as tables, for notebooks."""
        return self.plan._repr_html_()

    def report(self) -> str:
        """What the plan costs, and how arguments are sharded, as a text for people."""
        return self.plan.report()

    def save(self, path: str | Path) -> None:
        """Writes the plan to a file: see `sdy.auto.Plan.save`; `AutoJitted.load` reads it."""
        self.plan.save(path)

    def what_if(self, wanted: Wanted) -> JaxPlan:
        """The best plan if some values are sharded as `wanted`: see `sdy.auto.Plan.what_if`."""
        return self.of(self.plan.what_if(wanted))

    def of(self, plan: Plan) -> JaxPlan:
        """Another plan for the same arguments on the same mesh."""
        trees = ((self.in_shardings, plan.arguments), (self.out_shardings, plan.results))
        inputs, outputs = (
            jax.tree.unflatten(jax.tree.structure(tree), [_named(self.mesh, one.sharding, one.shape) for one in values])
            for tree, values in trees
        )
        return JaxPlan(plan, self.mesh, inputs, outputs)


class AutoJitted:
    """What `sdy.jax.jit` gives with `auto`: one plan, and one compiled function, for each kind of arguments."""

    def __init__(
        self,
        function: Callable,
        options: Options,
        jit: Callable[..., jax.stages.Wrapped],
        arguments: JitOptions,
    ) -> None:
        self.__wrapped__ = function
        self.__name__ = getattr(function, "__name__", "function")
        self._options = options
        self._jit = jit
        self._arguments = arguments
        self._static = tuple(numbers_of(function, arguments.get("static_argnums"), None))
        self._plans: dict[Hashable, JaxPlan] = {}
        self._jitted: dict[Hashable, jax.stages.Wrapped] = {}
        self._traced: dict[Hashable, Callable[..., PyTree]] = {}

    def plan(self, *arguments: PyTree, **keywords: PyTree) -> JaxPlan:
        """The shardings for arguments of these shapes; a `jax.ShapeDtypeStruct` of each will do.

        Arguments may be given by name where they have a position, here as wherever the function is called. Raises
        `TypeError` where they have none, and what `sdy.auto.partition` raises.
        """
        arguments = by_position(self.__wrapped__, arguments, keywords)
        key = self._key(arguments)
        if key not in self._plans:
            self._plans[key] = self._planned(arguments)
        return self._plans[key]

    def load(self, path: str | Path, *arguments: PyTree, **keywords: PyTree) -> JaxPlan:
        """Takes the plan of a file for arguments of these shapes from now on, as it may have been edited.

        All is sharded as it says, also what is inside: what it leaves open, propagation decides. Raises what
        `sdy.auto.Plan.load` raises.
        """
        arguments = by_position(self.__wrapped__, arguments, keywords)
        key = self._key(arguments)
        self._plans[key] = self._planned(arguments, path)
        self._jitted.pop(key, None)
        return self._plans[key]

    def place(self, *arguments: PyTree, **keywords: PyTree) -> PyTree:
        """The arguments, all of them, where the plan wants them; one argument comes back by itself."""
        arguments = by_position(self.__wrapped__, arguments, keywords)
        placed = jax.device_put(self._dynamic(arguments), self.plan(*arguments).in_shardings)
        return placed[0] if len(arguments) == 1 else placed

    def lower(self, *arguments: PyTree, **keywords: PyTree) -> jax.stages.Lowered:
        """The function lowered with the shardings of the plan; see `sdy.jax.Lowered`."""
        arguments = by_position(self.__wrapped__, arguments, keywords)
        plan = self.plan(*arguments)
        shapes = jax.tree.map(_shape, self._dynamic(arguments))
        placed = jax.tree.map(
            lambda leaf, sharding: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype, sharding=sharding),
            shapes,
            plan.in_shardings,
        )
        return self._compiled(arguments).lower(*self._with_static(arguments, placed))

    def __call__(self, *arguments: PyTree, **keywords: PyTree) -> PyTree:
        """Runs the function. What lies elsewhere than planned is moved first, with a warning if it was sharded."""
        arguments = by_position(self.__wrapped__, arguments, keywords)
        plan = self.plan(*arguments)
        given = self._dynamic(arguments)
        moved = sum(jax.tree.leaves(jax.tree.map(_moved_bytes, given, plan.in_shardings)))
        if moved:
            warnings.warn(
                f"{self.__name__}: {moved:,} bytes of arguments lie on several devices in other ways than planned, and "
                "are moved; place() puts them there once",
                stacklevel=2,
            )
        placed = jax.device_put(given, plan.in_shardings)
        return self._compiled(arguments)(*self._with_static(arguments, placed))

    # Parts ---------------------------------------------------------------------------------------

    def _key(self, arguments: tuple[PyTree, ...]) -> Hashable:
        leaves, structure = jax.tree.flatten(self._dynamic(arguments))
        static = tuple(arguments[number] for number in self._static)
        return structure, tuple((jax.numpy.shape(leaf), jax.dtypes.result_type(leaf)) for leaf in leaves), static

    def _dynamic(self, arguments: tuple[PyTree, ...]) -> tuple[PyTree, ...]:
        return tuple(one for number, one in enumerate(arguments) if number not in self._static)

    def _with_static(self, arguments: tuple[PyTree, ...], dynamic: tuple[PyTree, ...]) -> tuple[PyTree, ...]:
        left = iter(dynamic)
        return tuple(one if number in self._static else next(left) for number, one in enumerate(arguments))

    def _planned(self, arguments: tuple[PyTree, ...], path: str | Path | None = None) -> JaxPlan:
        """The plan for arguments of these shapes, found, or as it stands in a file."""
        shapes = jax.tree.map(_shape, self._dynamic(arguments))
        traced = self._jit(self.__wrapped__, **{**self._arguments, "keep_unused": True}).trace(
            *self._with_static(arguments, shapes)
        )
        lowered = traced.lower()
        self._traced[self._key(arguments)] = self._as_traced(traced, lowered.out_info)
        text = lowered.as_text(debug_info=True)
        plan = self._options.plan(text, _default_mesh(self._options)) if path is None else Plan.load(path, text)
        given = self._options.mesh
        mesh = given if isinstance(given, jax.sharding.Mesh) else _jax_mesh(plan.mesh)
        inputs = [_named(mesh, one.sharding, one.shape) for one in plan.arguments]
        outputs = [_named(mesh, one.sharding, one.shape) for one in plan.results]
        return JaxPlan(
            plan,
            mesh,
            jax.tree.unflatten(jax.tree.structure(shapes), inputs),
            jax.tree.unflatten(jax.tree.structure(lowered.out_info), outputs),
        )

    def _as_traced(self, traced: jax.stages.Traced, returned: PyTree) -> Callable[..., PyTree]:
        """The function that does what was traced: another trace, for arguments on a mesh, may be of other ops."""
        run, structure = jaxpr_as_fun(traced.jaxpr), jax.tree.structure(returned)

        @functools.wraps(self.__wrapped__)
        def as_traced(*arguments: PyTree) -> PyTree:
            return jax.tree.unflatten(structure, run(*jax.tree.leaves(self._dynamic(arguments))))

        return as_traced

    def _compiled(self, arguments: tuple[PyTree, ...]) -> jax.stages.Wrapped:
        key = self._key(arguments)
        if key not in self._jitted:
            plan = self.plan(*arguments)
            chosen = {
                "in_shardings": plan.in_shardings,
                "out_shardings": plan.out_shardings,
                "compiler_options": self._compiler_options | option_for(self._partitioner(plan.plan)),
            }
            self._jitted[key] = self._jit(self._traced[key], **{**self._arguments, **chosen})
        return self._jitted[key]

    @property
    def _compiler_options(self) -> CompilerOptions:
        return self._arguments.get("compiler_options") or {}

    def _partitioner(self, plan: Plan) -> Partitioner:
        """One that partitions the function as planned."""
        usual = partitioner_in(tuple(self._compiler_options.items())) or Partitioner()
        return replace(usual, pipeline=PIPELINE, planned=PlanInside.of(plan, self._options.step()))


def pipeline_of(options: Options) -> str:
    """The passes that plan what boundaries leave open, and partition."""
    return f"{options.step()},{PIPELINE}"


def _shape(leaf: jax.typing.ArrayLike | jax.ShapeDtypeStruct) -> jax.ShapeDtypeStruct:
    """Of an argument, wherever it is."""
    return jax.ShapeDtypeStruct(jax.numpy.shape(leaf), jax.dtypes.result_type(leaf))


def _moved_bytes(leaf: object, sharding: NamedSharding) -> int:
    """Bytes of an array that is spread over devices in another way."""
    if not isinstance(leaf, jax.Array) or len(leaf.sharding.device_set) == 1:
        return 0
    return 0 if leaf.sharding.is_equivalent_to(sharding, leaf.ndim) else math.prod(leaf.shape) * leaf.dtype.itemsize


def _default_mesh(options: Options) -> int | None:
    return len(jax.devices()) if options.mesh is None else None


def _jax_mesh(mesh: Mesh) -> jax.sharding.Mesh:
    sizes, names = [axis.size for axis in mesh.axes], [axis.name for axis in mesh.axes]
    return jax.make_mesh(sizes, names, axis_types=(AxisType.Auto,) * len(names))


def _named(mesh: jax.sharding.Mesh, sharding: TensorSharding | None, shape: tuple[int, ...]) -> NamedSharding:
    dims = ((),) * len(shape) if sharding is None else sharding.dim_axes
    return NamedSharding(mesh, PartitionSpec(*(tuple(axis.name for axis in axes) or None for axes in dims)))
