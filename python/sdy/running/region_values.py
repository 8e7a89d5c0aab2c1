"""Results of the region that is manual along all axes.

XLA requires a constraint for a result that stays unreduced, and treats any such result of the region as a sum. So a
result that is unreduced by maximum or minimum leaves the region with a leading dimension, an entry per shard, which an
op reduces whose result may be unreduced by that kind. No device has more than one entry, and the executable contains
none of this.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import CLOSED, Reduction, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.running.boundary import TOKEN, Boundary, dtype_of, tensor_type


def partial_value(value: jax.Array, axes: tuple[str, ...], kind: Reduction) -> jax.Array:
    """Return the device's part of an unreduced value: the value on the first device, zeros on the others.

    Maxima and minima do not mind how often a value counts.
    """
    if kind.is_idempotent:
        return value
    nothing = jnp.asarray(-0.0 if jnp.issubdtype(value.dtype, jnp.inexact) else 0).astype(value.dtype)
    return jnp.where(lax.axis_index(axes) == 0, value, nothing)


def combined_value(value: jax.Array, axes: tuple[str, ...], kind: Reduction) -> jax.Array:
    """Return the value combined from the devices' parts along these axes."""
    combine: Any = {Reduction.SUM: lax.psum, Reduction.MAX: lax.pmax, Reduction.MIN: lax.pmin}[kind]
    if value.dtype == jnp.bool_:
        return combine(value.astype(jnp.int8), axes).astype(jnp.bool_)
    return combine(value, axes)


_REDUCING = {Reduction.MAX: "stablehlo.maximum", Reduction.MIN: "stablehlo.minimum"}


@dataclass(frozen=True, slots=True)
class RegionResult:
    """A result of `@main` on its way out; names and types are MLIR's.

    Attributes:
      boundary: the result of `@main`.
      called: the result of the local program.
      returned: the result of the region.
    """

    boundary: Boundary
    called: str
    returned: str

    @property
    def _has_entries(self) -> bool:
        sharding = self.boundary.sharding
        return bool(sharding.unreduced) and sharding.reduction in _REDUCING

    @property
    def sharding(self) -> TensorSharding:
        """Sharding that the region returns it with."""
        sharding = self.boundary.sharding
        if not self._has_entries:
            return sharding
        entries = CLOSED.with_axes(sharding.unreduced)
        return sharding.with_unreduced((), Reduction.SUM).with_dims((entries, *sharding.dims))

    @property
    def type(self) -> str:
        """The global type that the region returns."""
        if not self._has_entries:
            return self.boundary.type
        mesh = self.boundary.sharding.mesh_or_ref
        assert isinstance(mesh, Mesh)
        entries = math.prod(axis.size(mesh.axis_sizes) for axis in self.boundary.sharding.unreduced)
        return tensor_type((entries, *self.boundary.shape), self.boundary.element)

    @property
    def local_type(self) -> str:
        """Type that the body of the region returns."""
        if not self._has_entries:
            return self.boundary.local_type
        return tensor_type((1, *self.boundary.local_shape), self.boundary.element)

    @property
    def inner(self) -> str:
        """Type that the body of the region returns."""
        return f"%entry_{_plain(self.called)}" if self._has_entries else self.called

    @property
    def outer(self) -> str:
        """Type that `@main` returns."""
        is_constrained = self.boundary.sharding.unreduced or is_unreduced_outside(self.boundary)
        return f"%unreduced_{_plain(self.returned)}" if is_constrained else self.returned

    def ops_inside(self) -> list[str]:
        """The ops that make `inner` of `called`."""
        if not self._has_entries:
            return []
        return [f"{self.inner} = stablehlo.reshape {self.called} : ({self.boundary.local_type}) -> {self.local_type}"]

    def ops_outside(self, mesh: str, outside: str) -> list[str]:
        """Return the ops that make `outer` from `returned`, given the names of the mesh in the region and outside."""
        boundary, value = self.boundary, self.returned
        if is_unreduced_outside(boundary):
            return moved_unreduced(self.outer, value, boundary, outside, is_entering=False)
        if not boundary.sharding.unreduced:
            return []
        ops: list[str] = []
        if self._has_entries:
            kind, scalar = boundary.sharding.reduction, tensor_type((), boundary.element)
            init, value = f"{self.outer}_init", f"{self.outer}_reduced"
            ops = [
                f"{init} = stablehlo.constant dense<{neutral_element(kind, boundary.element)}> : {scalar}",
                f"{value} = stablehlo.reduce({self.returned} init: {init}) applies {_REDUCING[kind]} "
                f"across dimensions = [0] : ({self.type}, {scalar}) -> {boundary.type}",
            ]
        return [*ops, constraint(self.outer, value, boundary, mesh)]


def constraint(name: str, value: str, boundary: Boundary, mesh: str) -> str:
    """Return the op that sets the sharding of a value of `@main` at the boundary."""
    return f"{name} = sdy.sharding_constraint {value} {boundary.sharding.with_mesh(mesh)} : {boundary.type}"


def is_unreduced_outside(boundary: Boundary) -> bool:
    """Return whether a value of `@main` is unreduced along axes that the region's mesh lacks."""
    return boundary.given is not None and bool(boundary.given.unreduced)


def moved_unreduced(name: str, value: str, boundary: Boundary, mesh: str, *, is_entering: bool) -> list[str]:
    """Return the ops for a value that is unreduced on its mesh outside of the region but not inside.

    XLA moves no such value between meshes: it is reduced before it enters, and unreduced after it has left.
    """
    assert boundary.given is not None
    unreduced = boundary.given.with_mesh(mesh)
    reduced = unreduced.with_unreduced((), Reduction.SUM)
    first, second = (unreduced, reduced) if is_entering else (reduced, unreduced)
    return [
        f"{name}_first = sdy.sharding_constraint {value} {first} : {boundary.type}",
        f"{name} = sdy.sharding_constraint {name}_first {second} : {boundary.type}",
    ]


def _plain(name: str) -> str:
    return name.removeprefix("%").replace("#", "_")


def neutral_element(kind: Reduction, element: str) -> str:
    """The neutral element of maximum or minimum, as MLIR writes numbers of that element type."""
    dtype, is_max = dtype_of(element), kind is Reduction.MAX
    if dtype == np.bool_:
        return "false" if is_max else "true"
    if jnp.issubdtype(dtype, jnp.integer):
        return str(jnp.iinfo(dtype).min if is_max else jnp.iinfo(dtype).max)
    number = np.array(-np.inf if is_max else np.inf).astype(dtype)
    if not np.isinf(number):
        number = np.array(jnp.finfo(dtype).min if is_max else jnp.finfo(dtype).max, dtype)
    return f"0x{number.tobytes()[::-1].hex().upper()}"


_ANCHOR = "tensor<i1>"


@dataclass(frozen=True, slots=True)
class Operand:
    """Operand of the region: the outer value and its type, its sharding, the block argument and its type."""

    value: str
    type: str
    sharding: str
    local: str
    local_type: str


@dataclass(frozen=True, slots=True)
class RegionArgument:
    """An argument of `@main` on its way in.

    `number` is its position; `mesh` and `outside` are the names of the meshes in the region and outside of it.
    """

    number: int
    boundary: Boundary
    mesh: str
    outside: str

    @property
    def outer(self) -> str:
        """The argument of `@main`."""
        return f"%arg{self.number}"

    @property
    def inner(self) -> str:
        """Value that the local program is called with."""
        return f"%local{self.number}"

    @property
    def operands(self) -> list[Operand]:
        """Operands of the region for it."""
        boundary = self.boundary
        if boundary.is_empty:
            return []
        entering = self._constrained if self._is_unreduced or is_unreduced_outside(self.boundary) else self.outer
        local = self._entered if boundary.is_token else self.inner
        sharding = str(boundary.sharding.with_mesh(self.mesh))
        operand = Operand(entering, boundary.type, sharding, local, boundary.local_type)
        anchor = Operand(f"{self.outer}_anchor", _ANCHOR, f"<@{self.mesh}, []>", f"{self.inner}_anchor", _ANCHOR)
        return [operand, anchor] if boundary.is_token else [operand]

    def ops_outside(self) -> list[str]:
        """The ops in front of the region."""
        if self.boundary.is_token:
            return [f"{self.outer}_anchor = stablehlo.constant dense<false> : {_ANCHOR}"]
        if is_unreduced_outside(self.boundary):
            return moved_unreduced(self._constrained, self.outer, self.boundary, self.outside, is_entering=True)
        return [constraint(self._constrained, self.outer, self.boundary, self.mesh)] if self._is_unreduced else []

    def ops_inside(self) -> list[str]:
        """The ops that make `inner`."""
        if self.boundary.is_empty:
            return [f"{self.inner} = stablehlo.constant dense<> : {self.boundary.local_type}"]
        if not self.boundary.is_token:
            return []
        values = f"{self._entered}, {self.inner}_anchor : {TOKEN}, {_ANCHOR}"
        return [f"{self.inner}, {self.inner}_number = stablehlo.optimization_barrier {values}"]

    @property
    def _is_unreduced(self) -> bool:
        return bool(self.boundary.sharding.unreduced)

    @property
    def _constrained(self) -> str:
        return f"%unreduced{self.number}"

    @property
    def _entered(self) -> str:
        return f"%entered{self.number}"
