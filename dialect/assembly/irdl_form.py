"""Attributes as IRDL has them: ``#sdy.axis_ref<"x", unit>`` is what upstream prints for ``#sdy<axis_ref"x">``.

Whoever prints an op by the means of the bindings has such text in hand.
"""

from __future__ import annotations

import re
from typing import Any

from sdy.dialect.context import make_context
from sdy.dialect.definition.attributes import value_of
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
