"""What the dialect says of values and JAX has no function for: constraints with all that a sharding has, and more.

>>> h = sdy.jax.constraint(h, ["data", sdy.jax.Dim(open=True)])   # rows over data, columns as propagation likes
>>> w, m = sdy.jax.shard_alike(w, m)                              # wherever propagation puts one, the other goes, too
>>> x = sdy.jax.propagation_barrier(x, "forward")                 # shardings go from the operand on, not back

They work in whatever `jax.jit` compiles, ours or not, under `grad`, `vmap`, `scan` and `shard_map`. Outside of `jit`
a constraint moves the array, and the others do nothing.
"""

from __future__ import annotations

import itertools
import re
import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
from jax.extend.core import Primitive
from jax.extend.mlir import ir
from jax.extend.mlir.dialects import sdy as sdy_dialect
from jax.interpreters import ad, batching, mlir
from jax.sharding import NamedSharding, PartitionSpec

from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.dialect.values.sharding import CLOSED, OPEN, DimensionSharding, TensorSharding
from sdy.hidden_frames import hidden

Axes = str | AxisRef | Sequence[str | AxisRef] | None
"""Mesh axes, major to minor; a part of one is an `sdy.AxisRef` or ``"data:(1)2"``, as the dialect writes it."""

_PART = re.compile(r"(.+):\((\d+)\)(\d+)")
_DIRECTIONS = ("none", "forward", "backward")


@dataclass(frozen=True, slots=True)
class Dim:
    """How a dimension is sharded: its axes, whether propagation may add others, and its priority, 0 before all."""

    axes: Axes = None
    open: bool = False
    priority: int | None = None


@hidden
def constraint(
    x: Any,
    dims: Iterable[Dim | Axes] | TensorSharding,
    *,
    mesh: Any = None,
    replicated: Axes = None,
    unreduced: Axes = None,
) -> Any:
    """`x`, an array or a pytree of arrays, sharded so.

    Args:
      x: what is sharded; every array of a pytree in the same way.
      dims: one entry for each dimension, those that are left out being closed: mesh axes or None, both closed, or a
        `Dim`; `PartitionSpec.UNCONSTRAINED` is an open dimension without axes. Or a whole `sdy.TensorSharding`.
      mesh: a `jax.sharding.Mesh` or `AbstractMesh`; by default the one of `jax.set_mesh`.
      replicated: axes along which it has to be replicated: propagation puts nothing on them.
      unreduced: axes along which devices have parts of a sum.

    Raises:
      TypeError, ValueError: dims, axes or a mesh that are none, or do not fit.
    """
    mesh = jax.sharding.get_abstract_mesh() if mesh is None else mesh
    if not mesh.shape:
        raise ValueError("constraint() needs a mesh: give mesh=, or set one by jax.set_mesh")
    own = Mesh(tuple(MeshAxis(str(name), size) for name, size in mesh.shape.items()))
    if isinstance(dims, TensorSharding):
        lists = dims.replicated, dims.unreduced
        made = TensorSharding(own, dims.dims, *lists, dims.reduction)
    else:
        made = TensorSharding(own, tuple(map(_dimension, dims)), _axes(replicated), _axes(unreduced))
    for axis in (*made.axis_refs(), *made.unreduced):
        if axis.name not in own.axis_sizes:
            raise ValueError(f"the mesh has no axis {axis.name!r}, but {', '.join(map(repr, own.axis_sizes))}")

    def constrained(leaf: Any) -> Any:
        rank = jax.numpy.ndim(leaf)
        if made.rank > rank:
            raise ValueError(f"{made.rank} dimensions are sharded, but the array has {rank}")
        whole = made.with_dims((*made.dims, *(CLOSED,) * (rank - made.rank)))
        return _constraint_p.bind(jax.numpy.asarray(leaf), sharding=whole, mesh=mesh)

    return jax.tree.map(constrained, x)


@hidden
def shard_alike(x: Any, y: Any) -> tuple[Any, Any]:
    """`x` and `y`, arrays or pytrees of them, whose arrays are sharded alike from now on, two by two.

    Propagation treats both as one value (`sdy.sharding_group`): what shards one of them shards the other.

    Raises `ValueError` for trees or shapes that differ.
    """
    xs, tree = jax.tree.flatten(x)
    ys, other = jax.tree.flatten(y)
    if tree != other:
        raise ValueError(f"only trees of one structure can be sharded alike, not {tree} and {other}")
    for a, b in zip(xs, ys, strict=True):
        if jax.numpy.shape(a) != jax.numpy.shape(b):
            raise ValueError(f"shapes {jax.numpy.shape(a)} and {jax.numpy.shape(b)} cannot be sharded alike")
    pairs = [_alike_p.bind(jax.numpy.asarray(a), jax.numpy.asarray(b)) for a, b in zip(xs, ys, strict=True)]
    return jax.tree.unflatten(tree, [a for a, _ in pairs]), jax.tree.unflatten(tree, [b for _, b in pairs])


@hidden
def propagation_barrier(x: Any, allowed_direction: str = "none") -> Any:
    """`x`, an array or a pytree of arrays, through which shardings go in one direction only, or not at all.

    Args:
      x: what stands behind the barrier.
      allowed_direction: ``"none"``; ``"forward"``, from what `x` is made of to its users; ``"backward"``, from these.

    Raises `ValueError` for another direction.
    """
    if allowed_direction not in _DIRECTIONS:
        raise ValueError(f"allowed_direction is one of {', '.join(_DIRECTIONS)}, not {allowed_direction!r}")
    number = _DIRECTIONS.index(allowed_direction)
    return jax.tree.map(lambda leaf: _barrier_p.bind(jax.numpy.asarray(leaf), direction=number), x)


# Axes ------------------------------------------------------------------------------------------------


def _dimension(given: Dim | Axes) -> DimensionSharding:
    if isinstance(given, Dim):
        return DimensionSharding(_axes(given.axes), not given.open, given.priority)
    if given is PartitionSpec.UNCONSTRAINED:
        return OPEN
    return DimensionSharding(_axes(given), is_closed=True)


def _axes(given: Axes) -> tuple[AxisRef, ...]:
    listed = () if given is None else (given,) if isinstance(given, str | AxisRef) else tuple(given)
    return tuple(map(_axis, listed))


def _axis(given: str | AxisRef) -> AxisRef:
    if isinstance(given, AxisRef):
        return given
    if not isinstance(given, str):
        raise TypeError(f"an axis is a name or a sdy.AxisRef, not {type(given).__name__}")
    part = _PART.fullmatch(given)
    return AxisRef.sub(part[1], int(part[2]), int(part[3])) if part else AxisRef(given)


# The primitives --------------------------------------------------------------------------------------

_constraint_p = Primitive("sdy_constraint")
_barrier_p = Primitive("sdy_propagation_barrier")
_alike_p = Primitive("sdy_shard_alike")
_alike_p.multiple_results = True


@_constraint_p.def_impl
def _move(x: Any, *, sharding: TensorSharding, mesh: Any) -> Any:
    """Outside of `jit` the array goes where the whole axes say."""
    spec = PartitionSpec(*([axis.name for axis in dim.axes if axis.sub_axis is None] for dim in sharding.dims))
    return jax.device_put(x, NamedSharding(mesh, spec))


@_barrier_p.def_impl
def _through(x: Any, *, direction: int) -> Any:
    return x


@_alike_p.def_impl
def _both(x: Any, y: Any) -> list[Any]:
    return [x, y]


@_constraint_p.def_abstract_eval
def _same(x: Any, **params: Any) -> Any:
    return x


_barrier_p.def_abstract_eval(lambda x, **params: x)
_alike_p.def_abstract_eval(lambda x, y: [x, y])


# What is computed backward is sharded as what is computed forward; parts of sums are of the one direction only.
ad.deflinear2(
    _constraint_p,
    lambda ct, x, *, sharding, mesh: [
        _constraint_p.bind(ct, sharding=TensorSharding(sharding.mesh_or_ref, sharding.dims), mesh=mesh)
    ],
)
ad.deflinear2(_barrier_p, lambda ct, x, *, direction: [_barrier_p.bind(ct, direction=direction)])


def _alike_backward(cotangents: Sequence[Any], x: Any, y: Any) -> list[Any]:
    if any(isinstance(each, ad.Zero) for each in cotangents):
        return list(cotangents)
    return _alike_p.bind(*cotangents)


ad.deflinear2(_alike_p, _alike_backward)


def _constraint_batched(args: Any, dims: Any, *, sharding: TensorSharding, mesh: Any) -> tuple[Any, Any]:
    (x,), (dim,) = args, dims
    wider = sharding.with_dims((*sharding.dims[:dim], OPEN, *sharding.dims[dim:]))
    return _constraint_p.bind(x, sharding=wider, mesh=mesh), dim


def _barrier_batched(args: Any, dims: Any, *, direction: int) -> tuple[Any, Any]:
    return _barrier_p.bind(args[0], direction=direction), dims[0]


def _alike_batched(args: Any, dims: Any) -> tuple[Any, Any]:
    size = next(x.shape[dim] for x, dim in zip(args, dims, strict=True) if dim is not None)
    fronts = [batching.bdim_at_front(x, dim, size) for x, dim in zip(args, dims, strict=True)]
    return _alike_p.bind(*fronts), (0, 0)


batching.primitive_batchers[_constraint_p] = _constraint_batched
batching.primitive_batchers[_barrier_p] = _barrier_batched
batching.primitive_batchers[_alike_p] = _alike_batched


# Lowering --------------------------------------------------------------------------------------------


def _lower_constraint(context: Any, x: Any, *, sharding: TensorSharding, mesh: Any) -> list[Any]:
    return [sdy_dialect.ShardingConstraintOp(x, ir.Attribute.parse(f"#sdy.sharding{sharding}")).result]


def _lower_barrier(context: Any, x: Any, *, direction: int) -> list[Any]:
    kind = ir.IntegerType.get_signless(32)
    return [sdy_dialect.PropagationBarrierOp(x, ir.IntegerAttr.get(kind, direction)).result]


_groups: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()
"""By module that JAX lowers: the numbers of its sharding groups."""


def _lower_alike(context: Any, x: Any, y: Any) -> list[Any]:
    number = next(_groups.setdefault(context.module_context.module, itertools.count()))
    for value in (x, y):
        sdy_dialect.ShardingGroupOp(value, number)
    return [x, y]


# Not to be shared between calls: each pair is a group of its own.
for _primitive, _lower in ((_constraint_p, _lower_constraint), (_barrier_p, _lower_barrier), (_alike_p, _lower_alike)):
    mlir.register_lowering(_primitive, _lower, cacheable=False)
