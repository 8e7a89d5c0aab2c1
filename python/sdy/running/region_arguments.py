"""How an argument enters the region that is manual on all axes.

XLA takes arguments without elements away from such a region, and stumbles over it: they are made inside. It refuses an
argument that is unreduced, unless a constraint says so once more. And where tokens alone enter, XLA orders all that is
in the region after them in a way that its branches do not survive: with each token enters a number that is no token.
"""

from __future__ import annotations

from dataclasses import dataclass

from sdy.running.boundary import TOKEN, Boundary
from sdy.running.region_results import constraint, is_unreduced_outside, moved_unreduced

_ANCHOR = "tensor<i1>"


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand of the region: the value outside and its type, its sharding, the block argument and its type."""

    value: str
    type: str
    sharding: str
    local: str
    local_type: str


@dataclass(frozen=True, slots=True)
class RegionArgument:
    """An argument of `@main` on its way in.

    `number` is its position; `mesh` and `outside` are what the meshes are called in the region and outside of it.
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
        """What the local program is called with."""
        return f"%local{self.number}"

    @property
    def operands(self) -> list[Operand]:
        """What enters the region for it."""
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
