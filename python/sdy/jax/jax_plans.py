"""Plans in JAX's terms: pytrees of `NamedSharding`s for arguments and results."""

from __future__ import annotations

from pathlib import Path

import jax
from jax.sharding import AbstractMesh, AxisType, NamedSharding, PartitionSpec

from sdy.auto.plan import Plan
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.jax.call_arguments import PyTree
from sdy.lazy_dataclass import dataclass
from sdy.suggestions.changes import Wanted


@dataclass(frozen=True)
class JaxPlan:
    """A plan in JAX's terms.

    `in_shardings` has the structure of the arguments that are not static, `out_shardings` that of the results;
    `jax.jit` and all other functions with shardings accept them. `mesh` is abstract if it has more devices than are
    available. `plan` has the choices and their costs.
    """

    plan: Plan
    mesh: jax.sharding.Mesh | AbstractMesh
    in_shardings: PyTree
    out_shardings: PyTree

    def __str__(self) -> str:
        return self.plan.report()

    def _repr_html_(self) -> str:
        """The report as tables, for notebooks."""
        return self.plan._repr_html_()

    def report(self) -> str:
        """Return costs and shardings of arguments as text."""
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
            jax.tree.map(lambda old, one: named(self.mesh, one.sharding, len(old.spec)), tree, _in_order(tree, values))
            for tree, values in trees
        )
        return JaxPlan(plan, self.mesh, inputs, outputs)

    @staticmethod
    def for_shapes(plan: Plan, mesh: jax.sharding.Mesh | None, inputs: PyTree, outputs: PyTree) -> JaxPlan:
        """Return the plan for arguments of these shapes, on `mesh`, or on the first devices."""
        on = jax_mesh(plan.mesh) if mesh is None else mesh
        shardings = [
            jax.tree.map(lambda leaf, one: named(on, one.sharding, len(leaf.shape)), tree, _in_order(tree, values))
            for tree, values in ((inputs, plan.arguments), (outputs, plan.results))
        ]
        return JaxPlan(plan, on, *shardings)

    def check_devices(self) -> None:
        """Raises `ValueError` if there are fewer devices than the plan is for."""
        if isinstance(self.mesh, AbstractMesh):
            raise ValueError(f"the plan is for {self.mesh.size} devices, and there are {len(jax.devices())}")


def _in_order(tree: PyTree, values: tuple) -> PyTree:
    return jax.tree.unflatten(jax.tree.structure(tree), values)


def jax_mesh(mesh: Mesh) -> jax.sharding.Mesh | AbstractMesh:
    """Return a mesh of the first devices; abstract if there are too few."""
    sizes, names = tuple(axis.size for axis in mesh.axes), tuple(axis.name for axis in mesh.axes)
    types = (AxisType.Auto,) * len(names)
    if mesh.size > len(jax.devices()):
        return AbstractMesh(sizes, names, axis_types=types)
    return jax.make_mesh(sizes, names, axis_types=types)


def named(mesh: jax.sharding.Mesh | AbstractMesh, sharding: TensorSharding | None, rank: int) -> NamedSharding:
    """Return JAX's sharding; random keys, whose words are dimensions here, have a smaller `rank` there."""
    dims = ((),) * rank if sharding is None else sharding.dim_axes[:rank]
    return NamedSharding(mesh, PartitionSpec(*(tuple(axis.name for axis in axes) or None for axes in dims)))
