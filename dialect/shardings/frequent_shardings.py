"""Whether shardings of some kind occur at all, told without a look at the ops that are sharded as most are.

Most programs have no unreduced axes and no single devices, and passes ask for them again and again. A program has few
different shardings, and its context mostly has others like it; so patterns recognise what has been seen before, and
tell what is sought from the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Container

from sdy.dialect.definition.attributes import SHARDING, attr_of, value_of
from sdy.dialect.shardings.sharding_survey import OTHER, SOUGHT, Survey, patterns_of_others, shardings_in
from sdy.dialect.values.lists import ShardingPerValue
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.few_ops import few_ops
from sdy.mlir.pdl import Function, Patterns
from sdy.mlir.per_context import PerContext, own_bound
from sdy.mlir.search import has_branches

_SAMPLE = 300
"""How many ops are looked at before there are patterns."""

_MANY = 50
"""How many ops with other shardings make it worth to compile patterns anew."""

_MOST = 100
"""How many lists of shardings patterns are made for: to compile them takes the longer the more they are."""


def occurs(root: ir.Operation, is_wanted: Callable[[TensorSharding], object]) -> bool:
    """Whether `is_wanted` holds for the sharding of anything in a function or module."""
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
        """Whether `root`, whose functions have one block each, has such a sharding."""
        survey = Survey()
        if not self._lists:
            is_all = survey.take_first(root, _SAMPLE)
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
        """The lists that have been seen are frequent, too.

        What stands in the place of a list in a module that nobody has verified is for others to refuse.
        """
        new = {each: None for each in map(value_of, survey.lists()) if isinstance(each, ShardingPerValue)}
        self._lists = new if len(new) + len(self._lists) > _MOST else self._lists | new
        self._patterns = {}

    def _new_patterns(self, context: ir.Context, wanted: Container[int]) -> Patterns:
        attributes = [attr_of(each, context) for each in self._lists]
        sought = {attribute for number, attribute in enumerate(attributes) if number in wanted}
        return Patterns(context, patterns_of_others(attributes, sought), [OTHER, SOUGHT])


def _found(patterns: Patterns, root: ir.Operation) -> tuple[list[ir.Operation], list[ir.Operation]]:
    """The ops with lists that are not frequent, or with shardings elsewhere; and those with a list that is sought."""
    others: list[ir.Operation] = []
    with_sought: list[ir.Operation] = []
    functions: dict[str, Function] = {
        OTHER: lambda _rewriter, _results, ops: others.extend(ops),
        SOUGHT: lambda _rewriter, _results, ops: with_sought.extend(ops),
    }
    patterns.apply(root, functions)
    return others, with_sought


_frequent: PerContext[_Frequent] = PerContext(_Frequent, size=own_bound)
