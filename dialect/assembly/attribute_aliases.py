"""The dialect's attributes in a text: each distinct one is translated once, since IRDL attributes parse slowly."""

from __future__ import annotations

import re
from typing import Any

from sdy.dialect.assembly.attribute_grammar import GRAMMAR, stripped_shardings
from sdy.dialect.assembly.reader import AssemblyError, Reader
from sdy.dialect.context import make_context
from sdy.dialect.definition.attributes import irdl_text, value_of
from sdy.mlir import ir

_TELLING = re.compile(r'#sdy\.|\bunit\b|: i64|array<i64|@|\[\]|\["')
"""Something of this is in the parameters of each of them."""


class IrdlForm:
    """Reads them, in a context of its own that is made when there is the first."""

    def __init__(self) -> None:
        self._context: Any = None

    def read(self, text: str) -> object:
        """The value object of the attribute; None if it is no such attribute or has no valid value."""
        if _TELLING.search(text, 1) is None:
            return None
        if self._context is None:
            self._context = make_context()
        with self._context, ir.Location.unknown():
            try:
                return value_of(ir.Attribute.parse(text))
            except (ir.MLIRError, TypeError, ValueError):
                return None


_BODY = re.compile(
    r'<(?:[^<>"\-]++|->|-|"(?:[^"\\\n]++|\\.)*+"|<(?:[^<>"\-]++|->|-|"(?:[^"\\\n]++|\\.)*+"|<[^<>"]*+>)*+>)*+>'
)
STANDALONE = re.compile(rf"sdy\.\w+{_BODY.pattern}")
"""The usual text of an attribute outside of sdy's ops, without the ``#``."""


class AttributeAliases:
    """Reads attribute bodies in `text` and names what they mean; `standalone` is for the caller's own use."""

    __slots__ = ("_aliases", "_irdl_form", "_known", "_prefix", "standalone", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.standalone: dict[str, str] = {}
        """What to write for the texts that `STANDALONE` has found before."""
        self._aliases: dict[str, str] = {}
        self._known: dict[tuple[str, str], str] = {}
        self._irdl_form = IrdlForm()
        self._prefix = "#sdy"
        while f"{self._prefix}0" in text:
            self._prefix += "_"

    def of_body(self, kind: str, start: int) -> tuple[str, int]:
        """The alias of the stripped attribute behind `start`, and where it ends."""
        reader = Reader(self.text, start)
        raw = _BODY.match(self.text, reader.ahead())
        if raw is not None:
            alias = self._known.get((kind, raw[0]))
            if alias is not None:
                return alias, raw.end()
        read = stripped_shardings if kind == "stripped_shardings" else GRAMMAR[kind]
        alias = self.of_text(irdl_text(read(reader)))
        if raw is not None and raw.end() == reader.pos:
            self._known[kind, raw[0]] = alias
        return alias, reader.pos

    def of_irdl(self, kind: str, text: str) -> str | None:
        """The alias of an attribute that is written as ``print(op)`` shows it; None if `text` is none of them.

        What must not be written in the dialect's own syntax is no better for being written like that.
        """
        value = self._irdl_form.read(text)
        if value is None:
            return None
        try:
            GRAMMAR[kind](Reader(str(value), 0))
        except AssemblyError:
            return None
        return self.of_text(irdl_text(value))

    def of_text(self, text: str) -> str:
        """The alias of an attribute in the form that the upstream parser reads."""
        return self._aliases.setdefault(text, f"{self._prefix}{len(self._aliases)}")

    def definitions(self) -> str:
        """The definitions of all aliases, on one line; empty if there are none."""
        return "".join(f"{alias} = {text} " for text, alias in self._aliases.items())
