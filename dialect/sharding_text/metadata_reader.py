"""Reading the metadata of a sharding text, which is kept as it is written (spec: interchange, 2.1)."""

from __future__ import annotations

from sdy.dialect.sharding_text.lexer import Tokens

_TEXTS = ("deduplicated_name", "metadata_payload", "op_name", "op_type", "scheduling_name", "source_file")
_NUMBERS = ("source_column", "source_end_column", "source_end_line", "source_line", "stack_frame_id")


def read_metadata(tokens: Tokens) -> str:
    """``{op_name="x" source_line=3}``, or a list of such in braces."""
    start = tokens.peek()
    tokens.expect("{")
    if tokens.is_next("{"):
        while True:
            tokens.expect("{")
            _entries(tokens)
            if not tokens.accept(","):
                break
        tokens.expect("}")
    else:
        _entries(tokens)
    return tokens.since(start)


def _entries(tokens: Tokens) -> None:
    """The entries behind an opening brace, and the closing one."""
    seen: set[str] = set()
    while not tokens.accept("}"):
        if seen:
            tokens.accept(",")
        name = tokens.peek().text
        if name in seen or tokens.peek().kind != "name" or not _is_known(name):
            raise tokens.expected("metadata")
        seen.add(name)
        tokens.take()
        _value(tokens, name.removesuffix("="))


def _is_known(name: str) -> bool:
    return name.endswith("=") and name[:-1] in (*_TEXTS, *_NUMBERS, "profile_type")


def _value(tokens: Tokens, name: str) -> None:
    if name in _TEXTS:
        tokens.quoted()
    elif name in _NUMBERS:
        tokens.integer()
    else:
        tokens.expect("{")
        tokens.integers("}")
