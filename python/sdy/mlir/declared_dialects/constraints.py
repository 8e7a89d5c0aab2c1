"""Constraints on attributes that the bindings have no class for."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from functools import reduce
from types import GenericAlias, UnionType
from typing import Any, get_args, get_origin

from sdy.mlir import ir


class DenseArrayAttr(ir.Attribute):
    """A dense array."""

    attr_name = "builtin.dense_array"


def integers(width: int, values: Iterable[int]) -> UnionType | GenericAlias:
    """An integer of a signless type that is one of `values`."""
    options: list[Any] = [ir.IntegerAttr[ir.IntegerType[width], value] for value in values]
    return reduce(operator.or_, options)


BOOLEAN: Any = ir.BoolAttr[True] | ir.BoolAttr[False]
"""True or false."""


def is_one_of(constraint: object, kind: type) -> bool:
    """Whether a constraint lists attributes of the bindings' class `kind`, one of which there has to be."""
    return all(get_origin(option) is kind for option in get_args(constraint)) and bool(get_args(constraint))
