"""What verification wants to know of a type, as a value that needs no MLIR context."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sdy.mlir import ir


class TypeKind(Enum):
    """The kinds that a sharding tells apart."""

    NONE = 0
    """There is no value, as for an op without results."""
    TUPLE = 1
    """A tuple of other than one element."""
    UNSHAPED = 2
    UNRANKED = 3
    RANKED = 4


@dataclass(frozen=True, slots=True)
class TypeInfo:
    """The kind of a type and, if it is ranked, its shape."""

    kind: TypeKind
    shape: tuple[int, ...] = ()

    @property
    def rank(self) -> int:
        """Rank of the type; 0 if it has none."""
        return len(self.shape)


NO_TYPE = TypeInfo(TypeKind.NONE)


def type_info(type_: ir.Type) -> TypeInfo:
    """The info of `type_`; a tuple of one element counts as that element (spec: dialect, 4)."""
    if isinstance(type_, ir.TupleType):
        if type_.num_types != 1:
            return TypeInfo(TypeKind.TUPLE)
        type_ = type_.get_type(0)
    if not isinstance(type_, ir.ShapedType):
        return TypeInfo(TypeKind.UNSHAPED)
    return TypeInfo(TypeKind.RANKED, tuple(type_.shape)) if type_.has_rank else TypeInfo(TypeKind.UNRANKED)
