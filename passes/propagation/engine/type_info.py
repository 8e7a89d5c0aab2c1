"""What propagation asks about a type."""

from __future__ import annotations

from dataclasses import dataclass

from sdy.mlir import address, ir
from sdy.mlir.per_context import PerContext


@dataclass(frozen=True, slots=True, eq=False)
class TypeInfo:
    """One type. Equal only to itself, so that it can stand for the type in a key.

    `shape` is None for a type that is not shaped, and for one with a dimension or rank that is not known.
    """

    rank: int
    shape: tuple[int, ...] | None
    is_scalar: bool = False
    is_rejected: bool = False
    """Whether propagation refuses a module in which an op has a result of this type (spec: propagation, 1.2)."""

    @staticmethod
    def of(type_: ir.Type) -> TypeInfo:
        if isinstance(type_, ir.ShapedType):
            if not type_.has_rank:
                return TypeInfo(0, None, is_rejected=True)
            if not type_.has_static_shape:
                return TypeInfo(type_.rank, None, is_rejected=True)
            return TypeInfo(type_.rank, tuple(type_.shape), is_scalar=type_.rank == 0)
        return TypeInfo(0, None, is_rejected=isinstance(type_, ir.TupleType))


type_infos: PerContext[dict[int, TypeInfo]] = PerContext(dict)
"""What is known about the types of a context, by their address."""


def info_of(type_: ir.Type, infos: dict[int, TypeInfo]) -> TypeInfo:
    """What is known about a type, `infos` being those of its context."""
    info = infos.get(address(type_))
    if info is None:
        info = infos[address(type_)] = TypeInfo.of(type_)
    return info
