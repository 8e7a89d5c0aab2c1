"""What the dialect says of values and JAX has no function for: constraints with all that a sharding has, and more.

>>> h = sdy.jax.constraint(h, ["data", sdy.jax.Dim(open=True)])   # rows over data, columns as propagation likes
>>> w, m = sdy.jax.shard_alike(w, m)                              # wherever propagation puts one, the other goes, too
>>> x = sdy.jax.propagation_barrier(x, "forward")                 # shardings go from the operand on, not back

They work in whatever `jax.jit` compiles, ours or not, under `grad`, `vmap`, `scan` and `shard_map`. Outside of `jit`
a constraint moves the array, and the others do nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

import jax
from jax.sharding import NamedSharding

from sdy.dialect.values.sharding import TensorSharding
from sdy.hidden_frames import hidden
from sdy.jax.annotations.given_shardings import Axes, Dim, Sharding
from sdy.jax.annotations.value_primitives import alike_p, barrier_p, constraint_p
from sdy.jax.call_arguments import AnyMesh, PyTree

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
      x: what is sharded; every array of a pytree in the same way.
      dims: one entry for each dimension, those that are left out being closed: mesh axes or None, both closed, or a
        `Dim`; `PartitionSpec.UNCONSTRAINED` is an open dimension without axes. Or a whole `sdy.TensorSharding` or
        `jax.sharding.NamedSharding`, or a `sdy.jax.Sharding`, with which the other arguments are left out.
      mesh: a `jax.sharding.Mesh` or `AbstractMesh`; by default the one of `jax.set_mesh`.
      replicated: axes along which it has to be replicated: propagation puts nothing on them.
      unreduced: axes along which devices have parts of a sum.

    Raises:
      TypeError, ValueError: dims, axes or a mesh that are none, or do not fit.
    """
    if not isinstance(dims, Sharding):
        dims = Sharding(dims, mesh, replicated=replicated, unreduced=unreduced)
    elif not mesh is replicated is unreduced is None:
        raise TypeError("a sdy.jax.Sharding says itself which mesh it is on and what is replicated or unreduced")

    def constrained(leaf: jax.typing.ArrayLike) -> jax.Array:
        whole = dims.of_rank(jax.numpy.ndim(leaf))
        return constraint_p.bind(jax.numpy.asarray(leaf), sharding=whole, mesh=dims.mesh, edge=None)

    return jax.tree.map(constrained, x)


@hidden
def shard_alike(x: PyTree, y: PyTree) -> tuple[PyTree, PyTree]:
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
    pairs = [alike_p.bind(jax.numpy.asarray(a), jax.numpy.asarray(b)) for a, b in zip(xs, ys, strict=True)]
    return jax.tree.unflatten(tree, [a for a, _ in pairs]), jax.tree.unflatten(tree, [b for _, b in pairs])


@hidden
def propagation_barrier(x: PyTree, allowed_direction: str = "none") -> PyTree:
    """`x`, an array or a pytree of arrays, through which shardings go in one direction only, or not at all.

    Args:
      x: what stands behind the barrier.
      allowed_direction: ``"none"``; ``"forward"``, from what `x` is made of to its users; ``"backward"``, from these.

    Raises `ValueError` for another direction.
    """
    if allowed_direction not in _DIRECTIONS:
        raise ValueError(f"allowed_direction is one of {', '.join(_DIRECTIONS)}, not {allowed_direction!r}")
    number = _DIRECTIONS.index(allowed_direction)
    return jax.tree.map(lambda leaf: barrier_p.bind(jax.numpy.asarray(leaf), direction=number), x)
