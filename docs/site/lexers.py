"""Lexers of the site: MLIR, and sessions of a shell that show MLIR."""

import re
from collections.abc import Iterator

from mlir_pygments import MLIRLexer
from pygments.lexer import Lexer, include
from pygments.lexers import get_lexer_for_filename
from pygments.token import Generic, Literal, Name, Punctuation, _TokenType
from pygments.util import ClassNotFound


class Mlir(MLIRLexer):
    """MLIR, with what pages show of it besides: results by number, negative numbers, shell around passes, ellipses."""

    tokens = MLIRLexer.tokens | {
        "root": [
            include("comments"),
            (r"(?<=\w)#\d+", Name.Variable),
            (r"-\d+", Literal.Number),
            (r"[-;/'.]", Punctuation),
            *MLIRLexer.tokens["root"],
        ]
    }


class Session(Lexer):
    """Commands behind ``$``; files that ``cat`` shows, and modules that are printed, in their own language."""

    name = "Session"
    aliases = ("console",)

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        """The tokens, each with its position."""
        for part in re.finditer(r"^(\$ )(.*\n?)|((?:^(?!\$ ).*\n?)+)", text, re.MULTILINE):
            if part[1]:
                command = part[2]
                yield part.start(1), Generic.Prompt, part[1]
                yield part.start(2), Generic.Strong, command
            else:
                for position, token, value in _shown_by(command, part[3]).get_tokens_unprocessed(part[3]):
                    yield part.start(3) + position, token, value


class _Output(Lexer):
    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        yield 0, Generic.Output, text


def _shown_by(command: str, output: str) -> Lexer:
    name = command.removeprefix("cat ").strip()
    if (name.endswith(".mlir") and command.startswith("cat ")) or re.match(r"(\.\.\.\n)? *(module|func\.|%)", output):
        return Mlir()
    try:
        return get_lexer_for_filename(name) if command.startswith("cat ") else _Output()
    except ClassNotFound:
        return _Output()
