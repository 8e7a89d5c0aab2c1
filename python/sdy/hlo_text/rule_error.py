"""Modules that break a rule of asynchronous operations."""

from __future__ import annotations

from sdy.hlo_text.syntax_error import Position


class HloRuleError(ValueError):
    """What was asked cannot be done with this module.

    Attributes:
      message: why.
      position: line and column of the instruction that it is about, where the text is known.
    """

    def __init__(self, message: str, position: Position | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.position = position
