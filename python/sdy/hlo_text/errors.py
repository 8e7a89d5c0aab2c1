"""Errors of HLO text: syntax errors, and modules that break a rule of asynchronous operations."""

from __future__ import annotations

from bisect import bisect_right

Position = tuple[int, int]
"""Line and column, both from 1."""


class HloSyntaxError(ValueError):
    """Text that cannot be read as HLO.

    Attributes:
      message: the problem.
      line: where, from 1.
      column: where in the line, from 1.
    """

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"{line}:{column}: {message}")
        self.message = message
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[type[HloSyntaxError], tuple[str, int, int]]:
        return HloSyntaxError, (self.message, self.line, self.column)


class Lines:
    """Line starts of a text; converts offsets to positions."""

    def __init__(self, text: str) -> None:
        self._begins = [0]
        at = text.find("\n")
        while at >= 0:
            self._begins.append(at + 1)
            at = text.find("\n", at + 1)

    def position(self, offset: int) -> Position:
        line = bisect_right(self._begins, offset)
        return line, offset - self._begins[line - 1] + 1

    def error(self, message: str, offset: int) -> HloSyntaxError:
        return HloSyntaxError(message, *self.position(offset))


class HloRuleError(ValueError):
    """Request that this module cannot satisfy.

    Attributes:
      message: why.
      position: line and column of the instruction that it is about, where the text is known.
    """

    def __init__(self, message: str, position: Position | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.position = position
