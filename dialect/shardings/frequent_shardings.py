"""Whether shardings of some kind occur at all, told without a look at the ops that are sharded as most are.

Most programs have no unreduced axes and no single devices, and passes ask for them again and again. A program has few
different shardings, and its context mostly has others like it; so patterns recognise what has been seen before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sdy.dialect.definition.attributes import SHARDING, attr_of, value_of
from sdy.dialect.shardings.sharding_survey import Survey, patterns_of_others, shardings_in
from sdy.dialect.values.lists import ShardingPerValue
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.few_ops import few_ops
from sdy.mlir.pdl import Patterns
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
    if not has_branches(root):
        frequent = _frequent.of(root.context)
        if any(map(is_wanted, frequent.others_in(root))):
            return True
        if not any(map(is_wanted, frequent.shardings)):
            return False
    # It is one of the frequent ones, which need not occur here.
    return any(map(is_wanted, shardings_in(root)))


class _Frequent:
    """The shardings that ops of a context often have, in lists as attributes hold them."""

    def __init__(self) -> None:
        self.shardings: dict[TensorSharding, None] = {}
        self._lists: dict[ShardingPerValue, None] = {}
        self._patterns: Patterns | None = None
        """None as long as nobody has asked since `_lists` changed."""

    def others_in(self, root: ir.Operation) -> Iterable[TensorSharding]:
        """The shardings in `root` that are not among these, and maybe some that are."""
        survey = Survey()
        if self._patterns is None and not self._lists:
            is_all = survey.take_first(root, _SAMPLE)
            self._learn(survey)
            if is_all:
                return survey.shardings()
        survey.note(root)  # which patterns are not applied to
        few = few_ops(root, "shardings") if self._patterns is None else None
        if few is not None:
            for op in few:
                survey.note(op)
            return survey.shardings()
        if self._patterns is None:
            self._patterns = self._new_patterns(root.context)
        others: list[ir.Operation] = []
        self._patterns.apply(root, {"collect": lambda _rewriter, _results, ops: others.extend(ops)})
        for op in others:
            survey.note(op)
        if sum(SHARDING in op.attributes for op in others) > _MANY:
            self._learn(survey)
        return survey.shardings()

    def _learn(self, survey: Survey) -> None:
        """The lists that have been seen are frequent, too.

        What stands in the place of a list in a module that nobody has verified is for others to refuse.
        """
        new = {each: None for each in map(value_of, survey.lists()) if isinstance(each, ShardingPerValue)}
        self._lists = new if len(new) + len(self._lists) > _MOST else self._lists | new
        self.shardings = dict.fromkeys(sharding for each in self._lists for sharding in each.shardings)
        self._patterns = None

    def _new_patterns(self, context: ir.Context) -> Patterns:
        attributes = [attr_of(each, context) for each in self._lists]
        return Patterns(context, patterns_of_others(attributes), ["collect"])


_frequent: PerContext[_Frequent] = PerContext(_Frequent, size=own_bound)
