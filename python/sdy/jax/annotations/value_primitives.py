"""The primitives of `constraint`, `shard_alike` and `propagation_barrier`: how JAX transforms and lowers them."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypedDict, Unpack

import jax
from jax._src import dispatch
from jax._src.core import Primitive
from jax._src.stages import SourceInfo
from jax.interpreters import ad, batching, mlir
from jax.sharding import NamedSharding, PartitionSpec
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import sdy as sdy_dialect

from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.sharding import OPEN, DimensionSharding, TensorSharding
from sdy.jax.annotations.edges import Edge, has_become_part_of_an_edge
from sdy.jax.annotations.given_shardings import Sharding
from sdy.jax.call_arguments import AnyMesh

if TYPE_CHECKING:
    from jax._src.interpreters.batching import AxisData
    from jax.core import ShapedArray
    from jax.extend.core import Jaxpr

_Arrays: TypeAlias = "Sequence[jax.Array]"
_Dims: TypeAlias = Sequence[int | None]
"""Of each array the dimension that `vmap` goes along; None where it has none."""


class _Where(TypedDict):
    """Parameters of a constraint."""

    mesh: AnyMesh
    edge: Edge | None


class _Params(_Where):
    """All parameters of a constraint."""

    sharding: TensorSharding


constraint_p = Primitive("sdy_constraint")
barrier_p = Primitive("sdy_propagation_barrier")
alike_p = Primitive("sdy_shard_alike")
alike_p.multiple_results = True


# Outside of `jit` a constraint moves the array, and the others do nothing -----------------------------


@constraint_p.def_impl
def _move(x: jax.Array, *, sharding: TensorSharding, mesh: AnyMesh, edge: Edge | None) -> jax.Array:
    return jax.device_put(x, Sharding(sharding.close().with_unreduced(()), mesh).named)


@barrier_p.def_impl
def _through(x: jax.Array, *, direction: int) -> jax.Array:
    return x


@alike_p.def_impl
def _both(x: jax.Array, y: jax.Array) -> list[jax.Array]:
    return [x, y]


# Types -----------------------------------------------------------------------------------------------


@constraint_p.def_abstract_eval
def _same(x: ShapedArray, **params: Unpack[_Params]) -> ShapedArray:
    return x


barrier_p.def_abstract_eval(lambda x, **params: x)
alike_p.def_abstract_eval(lambda x, y: [x, y])


# Gradients: what is computed backward is sharded as what is computed forward --------------------------


def _constraint_backward(
    ct: jax.Array, x: ad.UndefinedPrimal, *, sharding: TensorSharding, mesh: AnyMesh, edge: Edge | None
) -> list[jax.Array]:
    """Parts of sums are of the one direction only."""
    whole = TensorSharding(sharding.mesh_or_ref, sharding.dims)
    return [constraint_p.bind(ct, sharding=whole, mesh=mesh, edge=None if edge is None else edge.opposite)]


def _alike_backward(
    cotangents: Sequence[jax.Array | ad.Zero], x: ad.UndefinedPrimal, y: ad.UndefinedPrimal
) -> list[jax.Array | ad.Zero]:
    if any(isinstance(each, ad.Zero) for each in cotangents):
        return list(cotangents)
    return alike_p.bind(*cotangents)


ad.deflinear2(constraint_p, _constraint_backward)
ad.deflinear2(barrier_p, lambda ct, x, *, direction: [barrier_p.bind(ct, direction=direction)])
ad.deflinear2(alike_p, _alike_backward)


# vmap: the new dimension is open, or along `spmd_axis_name` --------------------------------------------


def _constraint_batched(
    axis_data: AxisData, args: _Arrays, dims: _Dims, *, sharding: TensorSharding, **params: Unpack[_Where]
) -> tuple[jax.Array, int | None]:
    (x,), (dim,) = args, dims
    if dim is None:
        return constraint_p.bind(x, sharding=sharding, **params), None
    new = OPEN if axis_data.spmd_name is None else _along(axis_data.spmd_name, sharding)
    wider = sharding.with_dims((*sharding.dims[:dim], new, *sharding.dims[dim:]))
    return constraint_p.bind(x, sharding=wider, **params), dim


def _along(names: Sequence[str], sharding: TensorSharding) -> DimensionSharding:
    for name in names:
        if sharding.binds(name):
            raise ValueError(f"vmap has spmd_axis_name {name!r}, which the constraint {sharding} uses already")
    return DimensionSharding(tuple(map(AxisRef, names)), is_closed=True)


def _barrier_batched(args: _Arrays, dims: _Dims, *, direction: int) -> tuple[jax.Array, int | None]:
    return barrier_p.bind(args[0], direction=direction), dims[0]


def _alike_batched(args: _Arrays, dims: _Dims) -> tuple[list[jax.Array], tuple[int, int]]:
    size = next(x.shape[dim] for x, dim in zip(args, dims, strict=True) if dim is not None)
    fronts = [batching.bdim_at_front(x, dim, size) for x, dim in zip(args, dims, strict=True)]
    return alike_p.bind(*fronts), (0, 0)


batching.fancy_primitive_batchers[constraint_p] = _constraint_batched
batching.primitive_batchers[barrier_p] = _barrier_batched
batching.primitive_batchers[alike_p] = _alike_batched


# Lowering --------------------------------------------------------------------------------------------


def _lower_constraint(
    context: mlir.LoweringRuleContext, x: ir.Value, *, sharding: TensorSharding, mesh: AnyMesh, edge: Edge | None
) -> list[ir.Value]:
    attribute = ir.Attribute.parse(f"#sdy.sharding{sharding}")
    if edge is not None and has_become_part_of_an_edge(edge, x, attribute):
        return [x]
    op = sdy_dialect.ShardingConstraintOp(x, attribute)
    if edge is not None:
        edge.note(op)
    return [op.result]


def _lower_barrier(context: mlir.LoweringRuleContext, x: ir.Value, *, direction: int) -> list[ir.Value]:
    kind = ir.IntegerType.get_signless(32)
    return [sdy_dialect.PropagationBarrierOp(x, ir.IntegerAttr.get(kind, direction)).result]


_groups: weakref.WeakKeyDictionary[ir.Module, Iterator[int]] = weakref.WeakKeyDictionary()
"""By module that JAX lowers: the numbers of its sharding groups."""


def _lower_alike(context: mlir.LoweringRuleContext, x: ir.Value, y: ir.Value) -> list[ir.Value]:
    number = next(_groups.setdefault(context.module_context.module, itertools.count()))
    for value in (x, y):
        sdy_dialect.ShardingGroupOp(value, number)
    return [x, y]


# Not to be shared between calls: each pair is a group of its own.
for _primitive, _lower in ((constraint_p, _lower_constraint), (barrier_p, _lower_barrier), (alike_p, _lower_alike)):
    mlir.register_lowering(_primitive, _lower, cacheable=False)


# Devices: a program runs on those of its constraints --------------------------------------------------


def install_devices() -> None:
    """Has JAX count the meshes of constraints among the shardings of a program, as it counts those of its own."""
    original = dispatch.get_intermediate_shardings

    def get_intermediate_shardings(jaxpr: Jaxpr) -> list[tuple[jax.sharding.Sharding, SourceInfo]]:
        found = list(original(jaxpr))  # which asks for those of inner ones here, too
        for eqn in jaxpr.eqns:
            if eqn.primitive is constraint_p and isinstance(eqn.params["mesh"], jax.sharding.Mesh):
                everywhere = NamedSharding(eqn.params["mesh"], PartitionSpec())
                found.append((everywhere, SourceInfo(eqn.source_info, eqn.primitive.name)))
        return found

    dispatch.get_intermediate_shardings = get_intermediate_shardings
