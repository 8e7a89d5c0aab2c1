"""The primitives of `constraint`, `shard_alike` and `propagation_barrier`: how JAX transforms and lowers them."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypedDict, Unpack

import jax
from jax.interpreters import ad, batching, mlir
from jax.sharding import NamedSharding, PartitionSpec
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import sdy as sdy_dialect

from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.sharding import OPEN, DimensionSharding, TensorSharding
from sdy.hidden_frames import hidden
from sdy.jax.annotations.edges import Edge, has_become_part_of_an_edge
from sdy.jax.annotations.given_shardings import Axes, Dim, Sharding
from sdy.jax.call_arguments import AnyMesh, PyTree
from sdy.jax_internals import Primitive, SourceInfo, dispatch

if TYPE_CHECKING:
    from jax.core import ShapedArray
    from jax.extend.core import Jaxpr

    from sdy.jax_internals import AxisData


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
    """Drop replicated and unreduced axes, which concern the forward direction only."""
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
    """Make JAX include the meshes of constraints among the shardings of a program."""
    original = dispatch.get_intermediate_shardings

    def get_intermediate_shardings(jaxpr: Jaxpr) -> list[tuple[jax.sharding.Sharding, SourceInfo]]:
        found = list(original(jaxpr))  # which asks for those of inner ones here, too
        for eqn in jaxpr.eqns:
            if eqn.primitive is constraint_p and isinstance(eqn.params["mesh"], jax.sharding.Mesh):
                everywhere = NamedSharding(eqn.params["mesh"], PartitionSpec())
                found.append((everywhere, SourceInfo(eqn.source_info, eqn.primitive.name)))
        return found

    dispatch.get_intermediate_shardings = get_intermediate_shardings


_DIRECTIONS = ("none", "forward", "backward")


@hidden
def constraint(
    x: PyTree,
    dims: Iterable[Dim | Axes] | NamedSharding | TensorSharding | Sharding,
    *,
    mesh: AnyMesh | None = None,
    replicated: Axes = None,
    unreduced: Axes = None,
) -> PyTree:
    """`x`, an array or a pytree of arrays, sharded so.

    Under `vmap` the new dimension is open, or sharded along `spmd_axis_name`.

    Args:
      x: an array, or a pytree whose arrays are all sharded in this way.
      dims: one entry for each dimension, missing ones are closed: mesh axes or None, both closed, or a
        `Dim`; `PartitionSpec.UNCONSTRAINED` is an open dimension without axes. Or a whole `sdy.TensorSharding` or
        `jax.sharding.NamedSharding`, or a `sdy.jax.Sharding`, with which the other arguments are left out.
      mesh: a `jax.sharding.Mesh` or `AbstractMesh`; by default the one of `jax.set_mesh`.
      replicated: axes along which it has to be replicated: propagation puts nothing on them.
      unreduced: axes along which devices have parts of a sum.

    Raises:
      TypeError, ValueError: invalid dims, axes or mesh.
    """
    if not isinstance(dims, Sharding):
        dims = Sharding(dims, mesh, replicated=replicated, unreduced=unreduced)
    elif not mesh is replicated is unreduced is None:
        raise TypeError("a sdy.jax.Sharding already names its mesh and its replicated and unreduced axes")

    def constrained(leaf: jax.typing.ArrayLike) -> jax.Array:
        whole = dims.of_rank(jax.numpy.ndim(leaf))
        return constraint_p.bind(jax.numpy.asarray(leaf), sharding=whole, mesh=dims.mesh, edge=None)

    return jax.tree.map(constrained, x)


@hidden
def shard_alike(x: PyTree, y: PyTree) -> tuple[PyTree, PyTree]:
    """Return `x` and `y`, arrays or pytrees, whose arrays get equal shardings, pair by pair.

    Propagation treats both as one value (`sdy.sharding_group`): a sharding of one applies to the other.

    Raises `ValueError` for trees or shapes that differ.
    """
    xs, tree = jax.tree.flatten(x)
    ys, other = jax.tree.flatten(y)
    if tree != other:
        raise ValueError(f"only trees of one structure can be sharded alike, not {tree} and {other}")
    for a, b in zip(xs, ys, strict=True):
        if jax.numpy.shape(a) != jax.numpy.shape(b):
            raise ValueError(f"shapes {jax.numpy.shape(a)} and {jax.numpy.shape(b)} cannot be sharded alike")
    pairs = [alike_p.bind(jax.numpy.asarray(a), jax.numpy.asarray(b)) for a, b in zip(xs, ys, strict=True)]
    return jax.tree.unflatten(tree, [a for a, _ in pairs]), jax.tree.unflatten(tree, [b for _, b in pairs])


@hidden
def propagation_barrier(x: PyTree, allowed_direction: str = "none") -> PyTree:
    """Return `x`, an array or a pytree, through which shardings propagate in one direction, or not at all.

    Args:
      x: the value behind the barrier.
      allowed_direction: ``"none"``; ``"forward"``, from the operands of `x` to its users; ``"backward"``, from these.

    Raises `ValueError` for another direction.
    """
    if allowed_direction not in _DIRECTIONS:
        raise ValueError(f"allowed_direction is one of {', '.join(_DIRECTIONS)}, not {allowed_direction!r}")
    number = _DIRECTIONS.index(allowed_direction)
    return jax.tree.map(lambda leaf: barrier_p.bind(jax.numpy.asarray(leaf), direction=number), x)
