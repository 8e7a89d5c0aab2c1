"""The text of a sharding rule (spec: sharding-rules, 1.3; dialect, 3.5)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from sdy.dialect.rule import DimMapping, ShardingRule, TensorMapping, factor_symbol

_PREFIX = re.compile(r"\s*#sdy\s*\.\s*op_sharding_rule\b")
_TOKEN = re.compile(r"\s*(->|[a-z_][a-z0-9_]*|-?[0-9]+|\S)", re.IGNORECASE)
_SYMBOL = re.compile(r"z_([1-9][0-9]*)|[i-y]|z(?!_)")
_END = ""

_Element = TypeVar("_Element")


def parse_rule(text: str) -> ShardingRule:
    """The rule written as ``<([i, k], [k, j])->([i, j]) {i=8, j=16, k=4} reduction={k}>``.

    ``#sdy.op_sharding_rule`` in front is optional. ValueError says where the text is no rule; whether the rule fits an
    op is another question.
    """
    prefix = _PREFIX.match(text)
    parser = _Parser(text[prefix.end() :] if prefix else text)
    rule = parser.rule()
    parser.expect(_END)
    return rule


class _Parser:
    """A cursor over the tokens of a rule."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = [*_TOKEN.findall(text), _END]
        self._next = 0

    def rule(self) -> ShardingRule:
        self.expect("<")
        operands = self._list("(", self._tensor_mapping, ")")
        self.expect("->")
        results = self._list("(", self._tensor_mapping, ")")
        sizes = self._factor_sizes()
        reduction = self._group("reduction")
        need_replication = self._group("need_replication")
        permutation = self._group("permutation")
        blocked = self._group("blocked_propagation")
        is_custom = self._take(",")
        if is_custom:
            self.expect("custom")
        self.expect(">")
        return ShardingRule(sizes, operands, results, reduction, need_replication, permutation, blocked, is_custom)

    def expect(self, token: str) -> None:
        if not self._take(token):
            raise self._error(f"'{token}'" if token else "the end")

    def _tensor_mapping(self) -> TensorMapping:
        return self._list("[", self._dim_mapping, "]", may_be_empty=True)

    def _dim_mapping(self) -> DimMapping:
        """Factor symbols in one word; no word is an empty mapping."""
        return self._factors() if self._peek()[:1].isalpha() else ()

    def _factor_sizes(self) -> tuple[int, ...]:
        symbols: list[str] = []

        def size_of_next_factor() -> int:
            symbols.append(factor_symbol(len(symbols)))
            self.expect(symbols[-1])
            self.expect("=")
            return self._integer()

        if self._peek() != "{":
            return ()
        return self._list("{", size_of_next_factor, "}", may_be_empty=True)

    def _group(self, name: str) -> tuple[int, ...]:
        """The factors of one kind; of each word only the first symbol counts, as in the reference."""
        if not self._take(name):
            return ()
        self.expect("=")
        return self._list("{", lambda: self._factors()[0], "}", may_be_empty=True)

    def _factors(self) -> DimMapping:
        word = self._peek()
        factors: list[int] = []
        position = 0
        while position < len(word) or not word:
            symbol = _SYMBOL.match(word, position)
            if symbol is None:
                raise self._error("factor symbols (i..z, z_1, z_2, ...)")
            factors.append(17 + int(symbol[1]) if symbol[1] else ord(symbol[0]) - ord("i"))
            position = symbol.end()
        self._next += 1
        return tuple(factors)

    def _integer(self) -> int:
        token = self._peek()
        if not token.lstrip("-").isdigit():
            raise self._error("an integer")
        self._next += 1
        return int(token)

    def _list(
        self, opening: str, element: Callable[[], _Element], closing: str, may_be_empty: bool = False
    ) -> tuple[_Element, ...]:
        self.expect(opening)
        if may_be_empty and self._take(closing):
            return ()
        elements = [element()]
        while self._take(","):
            elements.append(element())
        self.expect(closing)
        return tuple(elements)

    def _peek(self) -> str:
        return self._tokens[self._next]

    def _take(self, token: str) -> bool:
        if self._peek() != token:
            return False
        self._next += token != _END
        return True

    def _error(self, expected: str) -> ValueError:
        found = f"'{self._peek()}'" if self._peek() else "the end"
        return ValueError(f"expected {expected} but found {found} in the sharding rule '{self._text.strip()}'")
