"""The text of a sharding rule (spec: sharding-rules, 1.3)."""

from __future__ import annotations

import re

from sdy.dialect.assembly.attribute_grammar import read_rule
from sdy.dialect.values.rule import ShardingRule

_PREFIX = re.compile(r"\s*#sdy\s*\.\s*op_sharding_rule\b")


def parse_rule(text: str) -> ShardingRule:
    """The rule written as ``<([i, k], [k, j])->([i, j]) {i=8, j=16, k=4} reduction={k}>``.

    ``#sdy.op_sharding_rule`` in front is optional. ValueError if the text is no rule; whether the rule fits an op is
    another question.
    """
    return read_rule(_PREFIX.sub("", text, count=1))
