"""Shardings of op results: thousands of ops have few distinct ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from sdy.dialect.data_flow import data_flow_names
from sdy.dialect.definition.attributes import SHARDING, ShardingPerValueAttr, attr_of, value_of
from sdy.dialect.values.lists import ShardingPerValue
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import address, ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.pdl import Patterns
from sdy.mlir.per_context import PerContext, own_bound
from sdy.mlir.search import has_branches, ops_named
from sdy.mlir.signatures import NOTHING, PatternText, Signature, calling, few_ops, sample
from sdy.mlir.walk import for_each

_MANY = 50
"""Number of ops with other shardings from which compiling patterns anew pays off."""

_MOST = 200
"""Limit of the kinds of results with patterns, because many patterns take long to compile."""

Question = Callable[[ir.Type, TensorSharding], bool]


def all_results(module: ir.Operation, holds: Question) -> bool:
    """Return whether `holds` for the types of all results, given the attribute `sdy.sharding` of each op.

    Types seen before in the context are recognized without a call to Python.
    """
    if not has_branches(module):
        known = _known.of(module.context)
        if not known.others_in(module).all(holds):
            return False
        if known.all(holds):
            return True
    # It does not for one that has been seen before, which need not occur here.
    listed = _Listed()
    for_each(module, listed.note)
    return listed.all(holds)


class _Listed:
    """Attributes `sdy.sharding` with the types of the results of ops that have them."""

    def __init__(self) -> None:
        self.found: dict[tuple[int, ...], tuple[ir.Attribute, tuple[ir.Type, ...]]] = {}
        """By the hashes of the attribute and of the types, which are their addresses."""

    def note(self, op: ir.Operation) -> None:
        attribute = op.attributes.get(SHARDING)
        if attribute is None:
            return
        types = op.results.types
        key = (address(attribute), *map(address, types))
        # In a module that is not verified it may be anything.
        if key not in self.found and isinstance(attribute.maybe_downcast(), ShardingPerValueAttr):
            self.found[key] = attribute, tuple(types)

    def all(self, holds: Question) -> bool:
        return all(_holds(holds, value_of(attribute), types) for attribute, types in self.found.values())


def _holds(holds: Question, shardings: ShardingPerValue, types: Iterable[ir.Type]) -> bool:
    return all(holds(type_, sharding) for type_, sharding in zip(types, shardings.shardings, strict=False))


class _KnownResults:
    """Seen types of a context, as patterns that do not keep the context alive."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[int, ...], tuple[ShardingPerValue, tuple[object, ...]]] = {}
        """Kinds as in `_Listed`, with capsules for types."""
        self._patterns: Patterns | None = None

    def others_in(self, module: ir.Operation) -> _Listed:
        """Return the ops of the module with unseen types, and maybe some others."""
        others = _Listed()
        patterns = self._patterns
        few = few_ops(module, "results") if patterns is None else None
        if few is not None:
            for op in few:
                others.note(op)
            return others
        if patterns is None:
            for op in sample(ops_named(module, "func.func", *data_flow_names())):
                others.note(op)
            patterns = self._learn(others, module.context)
        ops: list[ir.Operation] = []
        patterns.apply(module, {"collect": lambda _rewriter, _results, found: ops.extend(found)})
        for op in ops:
            others.note(op)
        if len(ops) > _MANY:
            self._learn(others, module.context)
        return others

    def all(self, holds: Question) -> bool:
        """Return whether `holds` for all that was seen.

        Not if a mesh of that name lacks an axis, as it may elsewhere.
        """
        try:
            return all(_holds(holds, shardings, _types(capsules)) for shardings, capsules in self._kinds.values())
        except DiagnosticError:
            return False

    def _learn(self, new: _Listed, context: ir.Context) -> Patterns:
        kinds = {
            key: (value_of(attribute), tuple(type_._CAPIPtr for type_ in types))
            for key, (attribute, types) in new.found.items()
        }
        self._kinds = kinds if len(kinds) + len(self._kinds) > _MOST else self._kinds | kinds
        text = PatternText()
        for shardings, capsules in self._kinds.values():
            signature = Signature(
                attributes=((SHARDING, attr_of(shardings, context)),), results=tuple(_types(capsules))
            )
            text.add(signature, 2, NOTHING)
        text.add(Signature(attributes=((SHARDING, None),)), 1, calling("collect"))
        self._patterns = Patterns(context, str(text), ["collect"])
        return self._patterns


def _types(capsules: Iterable[object]) -> Iterator[ir.Type]:
    return (ir.Type._CAPICreate(capsule).maybe_downcast() for capsule in capsules)


_known: PerContext[_KnownResults] = PerContext(_KnownResults, size=own_bound)
