"""How the results of ops are sharded: a program has thousands of them, but few that differ."""

from __future__ import annotations

from collections.abc import Iterator

from sdy.dialect.attributes import SHARDING, value_of
from sdy.dialect.data_flow import data_flow_names
from sdy.dialect.samples import count_ops, sample
from sdy.dialect.search import has_branches, ops_matching, ops_named
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.signatures import NOTHING, PatternText, Signature, calling
from sdy.dialect.walk import for_each
from sdy.mlir import ir

_LARGE = 3000
"""Number of ops from which it pays to compile patterns."""


def sharded_results(module: ir.Operation) -> Iterator[tuple[ir.Type, TensorSharding]]:
    """The types of results together with what the attribute `sdy.sharding` of ops says of them, without repetitions."""
    listed = _Listed()
    holders = ops_named(module, "func.func", *data_flow_names())
    if has_branches(module) or count_ops(holders) < _LARGE:
        for_each(module, listed.note)
    else:
        for op in sample(holders):
            listed.note(op)
        # What the sample shows is recognised without a call to Python.
        for op in ops_matching(module, listed.patterns_of_others(), keep=False):
            listed.note(op)
    return iter(listed)


class _Listed:
    """Attributes `sdy.sharding` with the types of the results of ops that have them."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, ...], tuple[ir.Attribute, tuple[ir.Type, ...]]] = {}
        """By the hashes of the attribute and of the types, which are their addresses."""

    def __iter__(self) -> Iterator[tuple[ir.Type, TensorSharding]]:
        for attribute, types in self._found.values():
            yield from zip(types, value_of(attribute).shardings, strict=False)

    def note(self, op: ir.Operation) -> None:
        attribute = op.attributes.get(SHARDING)
        if attribute is not None:
            types = op.results.types
            self._found.setdefault((hash(attribute), *map(hash, types)), (attribute, tuple(types)))

    def patterns_of_others(self) -> str:
        """Patterns that collect the ops with an attribute that have not been noted."""
        text = PatternText()
        for attribute, types in self._found.values():
            text.add(Signature(attributes=((SHARDING, attribute),), results=types), 2, NOTHING)
        text.add(Signature(attributes=((SHARDING, None),)), 1, calling("collect"))
        return str(text)
