"""Survey of the shardings that occur: most programs have no unreduced axes and no single devices."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable

from sdy.dialect.definition.attributes import SHARDING, attr_of, value_of
from sdy.dialect.shardings.attribute_shardings import arg_shardings, result_shardings
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import INHERENT_NAMES
from sdy.dialect.values.lists import ShardingPerValue
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import address, ir
from sdy.mlir.pdl import Function, Patterns
from sdy.mlir.per_context import PerContext, own_bound
from sdy.mlir.search import has_branches, ops_matching
from sdy.mlir.signatures import NOTHING, PatternText, Signature, calling, few_ops

_FUNCTION = "func.func"
_OWN = ("sharding", "out_sharding", "in_shardings", "out_shardings")
_WITH_OWN = frozenset({*INHERENT_NAMES, "sdy.named_computation", "sdy.manual_computation"})

_SAMPLE = 1000
"""Number of ops that are looked at one by one, which takes as long as making patterns for the others."""


def shardings_in(root: ir.Operation) -> list[TensorSharding]:
    """The distinct shardings of the arguments, results and ops of a function, or of all functions of a module."""
    survey = Survey()
    if not survey.take_first(root, _SAMPLE):
        for op in ops_matching(root, patterns_of_others(survey.lists()), keep=False):
            survey.note(op)
    return survey.shardings()


def is_plain(sharding: TensorSharding, meshes: MeshTable) -> bool:
    """Return whether it has no unreduced axes and is not on a single device."""
    return not sharding.unreduced and not meshes.is_on_single_device(sharding)


class Survey:
    """The distinct shardings that have been seen.

    A program has few distinct lists. So the lists on the first ops count as known, and others are searched for only
    among ops without them.
    """

    def __init__(self) -> None:
        self._lists: dict[int, ir.Attribute] = {}
        """The attributes `sdy.sharding` by their address."""
        self._found: dict[TensorSharding, None] = {}
        """Shardings that are kept elsewhere."""

    def shardings(self) -> list[TensorSharding]:
        found = dict(self._found)
        for attr in self._lists.values():
            found.update(dict.fromkeys(value_of(attr).shardings))
        return list(found)

    def lists(self) -> Iterable[ir.Attribute]:
        """The attributes `sdy.sharding` of ops."""
        return self._lists.values()

    def take_first(self, root: ir.Operation, limit: int) -> bool:
        """Notes the shardings of the first `limit` ops; whether these are all."""
        left = limit

        def visit(op: ir.Operation) -> ir.WalkResult:
            nonlocal left
            self.note(op)
            left -= 1
            return advance if left else interrupt

        advance, interrupt = ir.WalkResult.ADVANCE, ir.WalkResult.INTERRUPT
        root.walk(visit, ir.WalkOrder.PRE_ORDER)
        return left > 0

    def note_lists(self, attributes: Iterable[ir.Attribute]) -> None:
        """Notes attributes `sdy.sharding` of ops."""
        self._lists.update((address(attr), attr) for attr in attributes)

    def note(self, op: ir.Operation) -> None:
        """Notes the shardings of an op; for a function also those of its arguments and results."""
        name, stored = op.name, op.attributes
        attr = stored.get(SHARDING)
        if attr is not None:
            self._lists[address(attr)] = attr
        if name == _FUNCTION:
            listed = (*arg_shardings(op), *result_shardings(op))
            self._found.update((sharding, None) for sharding in listed if sharding is not None)
        elif name in _WITH_OWN:
            for own in (stored[each] for each in _OWN if each in stored):
                value = value_of(own)
                self._found.update(dict.fromkeys(value.shardings if isinstance(value, ShardingPerValue) else (value,)))


OTHER, SOUGHT = "collect", "sought"
"""The functions that patterns hand ops to."""


def patterns_of_others(lists: Iterable[ir.Attribute], sought: Container[ir.Attribute] = ()) -> str:
    """Return patterns that find ops which have, or may have, shardings outside of the attribute `sdy.sharding` here.

    They are passed to `OTHER`; ops with one of the `sought` lists are passed to `SOUGHT`.
    """
    text = PatternText()
    for name in sorted({_FUNCTION, *_WITH_OWN}):
        text.add(Signature(name), 3, calling(OTHER))
    for attr in lists:
        text.add(Signature(attributes=((SHARDING, attr),)), 2, calling(SOUGHT) if attr in sought else NOTHING)
    text.add(Signature(attributes=((SHARDING, None),)), 1, calling(OTHER))
    return str(text)


_FIRST = 300
"""Number of ops that are looked at before patterns are made."""

_MANY = 50
"""Number of ops with other shardings from which compiling patterns anew pays off."""

_MOST = 100
"""Limit of the lists of shardings with patterns, because many patterns take long to compile."""


def occurs(root: ir.Operation, is_wanted: Callable[[TensorSharding], object]) -> bool:
    """Return whether `is_wanted` holds for the sharding of anything in a function or module."""
    if has_branches(root):
        return any(map(is_wanted, shardings_in(root)))
    return _frequent.of(root.context).has(root, is_wanted)


class _Frequent:
    """The shardings that ops of a context often have, in lists as attributes hold them."""

    def __init__(self) -> None:
        self._lists: dict[ShardingPerValue, None] = {}
        self._patterns: dict[tuple[int, ...], Patterns] = {}
        """Since `_lists` changed last, by the numbers of those that are wanted."""

    def has(self, root: ir.Operation, is_wanted: Callable[[TensorSharding], object]) -> bool:
        """Return whether `root`, whose functions have one block each, has a sharding that the patterns find."""
        survey = Survey()
        if not self._lists:
            is_all = survey.take_first(root, _FIRST)
            self._learn(survey)
            if is_all:
                return any(map(is_wanted, survey.shardings()))
        survey.note(root)  # which patterns are not applied to
        wanted = tuple(i for i, each in enumerate(self._lists) if any(map(is_wanted, each.shardings)))
        patterns = self._patterns.get(wanted)
        few = few_ops(root, f"shardings {wanted}") if patterns is None else None
        if few is not None:
            for op in few:
                survey.note(op)
            return any(map(is_wanted, survey.shardings()))
        if patterns is None:
            patterns = self._patterns[wanted] = self._new_patterns(root.context, wanted)
        others, with_wanted = _found(patterns, root)
        for op in others:
            survey.note(op)
        if sum(SHARDING in op.attributes for op in others) > _MANY:
            self._learn(survey)
        return bool(with_wanted) or any(map(is_wanted, survey.shardings()))

    def _learn(self, survey: Survey) -> None:
        """Add the lists that have been seen to the frequent ones.

        Other attributes in place of a list, in an unverified module, are left to the verifier.
        """
        new = {each: None for each in map(value_of, survey.lists()) if isinstance(each, ShardingPerValue)}
        self._lists = new if len(new) + len(self._lists) > _MOST else self._lists | new
        self._patterns = {}

    def _new_patterns(self, context: ir.Context, wanted: Container[int]) -> Patterns:
        attributes = [attr_of(each, context) for each in self._lists]
        sought = {attribute for number, attribute in enumerate(attributes) if number in wanted}
        return Patterns(context, patterns_of_others(attributes, sought), [OTHER, SOUGHT])


def _found(patterns: Patterns, root: ir.Operation) -> tuple[list[ir.Operation], list[ir.Operation]]:
    """Return the ops with rare lists, the ops with shardings elsewhere, and the ops with a wanted list."""
    others: list[ir.Operation] = []
    with_sought: list[ir.Operation] = []
    functions: dict[str, Function] = {
        OTHER: lambda _rewriter, _results, ops: others.extend(ops),
        SOUGHT: lambda _rewriter, _results, ops: with_sought.extend(ops),
    }
    patterns.apply(root, functions)
    return others, with_sought


_frequent: PerContext[_Frequent] = PerContext(_Frequent, size=own_bound)
