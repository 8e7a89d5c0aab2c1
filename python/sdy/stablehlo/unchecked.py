"""Ops in generic form that are read without the registered dialect's verifiers, so that ours see them.

The text of an op `"stablehlo.slice"(...)` becomes that of an op of a dialect that nobody has registered, with a name of
the same length: all places stay what they are. Properties, which only registered ops can have, become attributes. Ops
in their pretty form stay ops of StableHLO.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sdy.mlir import ir

_DIALECTS = {"stablehlo": "unchecked", "chlo": "uchk"}
_NAMES = {stand_in: dialect for dialect, stand_in in _DIALECTS.items()}

_TOKEN = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"|->|[<>(){}\[\]]')
_OP = re.compile(r'"(stablehlo|chlo)\.([\w-]+)"(?=\s*\()')
_GAP = re.compile(r"\s*")
_CLOSING = {"<": ">", "(": ")", "{": "}", "[": "]"}


def plain_name(name: str) -> str:
    """The name of the op that an unchecked op stands for; any other name as it is."""
    dialect, _, rest = name.partition(".")
    known = _NAMES.get(dialect)
    return f"{known}.{rest}" if known is not None else name


def plain_message(message: str) -> str:
    """A diagnostic with the names of the ops that unchecked ones stand for."""
    return _QUOTED.sub(lambda found: f"'{_NAMES[found[1]]}.", message)


_QUOTED = re.compile(rf"'({'|'.join(_NAMES)})\.")


def restore(root: ir.Operation) -> None:
    """Puts ops of StableHLO and CHLO in place of the unchecked ones below `root`, without verifying them."""
    found: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if plain_name(op.operation.name) != op.operation.name:
            found.append(op.operation)
        return ir.WalkResult.ADVANCE

    root.walk(visit, ir.WalkOrder.POST_ORDER)
    for op in found:
        _restore(op)


def _restore(op: ir.Operation) -> None:
    made = ir.Operation.create(
        plain_name(op.name),
        results=[result.type for result in op.results],
        operands=list(op.operands),
        attributes={name: op.attributes[name] for name in op.attributes},
        regions=len(op.regions),
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    for source, target in zip(op.regions, made.regions, strict=True):
        for block in list(source.blocks):
            block.append_to(target)
    for old, new in zip(op.results, made.results, strict=True):
        old.replace_all_uses_with(new)
    op.erase()


def unchecked_text(text: str) -> str:
    """The text of a module with its ops of StableHLO and CHLO in generic form made unchecked."""
    edits: list[tuple[int, int, str]] = []
    for found in _ops(text):
        edits.append((found.start(1), found.end(1), _DIALECTS[found[1]]))
        edits += _moved_properties(text, found.end())
    pieces, at = [], 0
    for start, end, new in sorted(edits):
        pieces += (text[at:start], new)
        at = end
    return "".join([*pieces, text[at:]])


def _ops(text: str) -> Iterator[re.Match[str]]:
    """Names of ops, but not in comments or strings."""
    for token in _TOKEN.finditer(text):
        if token[0].startswith('"'):
            found = _OP.match(text, token.start())
            if found is not None:
                yield found


def _moved_properties(text: str, at: int) -> list[tuple[int, int, str]]:
    """Edits that put the properties of the op whose operands begin at `at` into its attributes."""
    start = _after_gap(text, _after_bracket(text, _after_gap(text, at)))
    if text.startswith("[", start):
        start = _after_gap(text, _after_bracket(text, start))
    if not text.startswith("<{", start):
        return []
    end = _after_bracket(text, start)
    inside = _in_one_line(text[start + 2 : end - 2])
    rest = _after_gap(text, end)
    if text.startswith("(", rest):
        rest = _after_gap(text, _after_bracket(text, rest))
    if text.startswith("{", rest):
        separator = "" if text.startswith("}", _after_gap(text, rest + 1)) or not inside else ", "
        added = (rest + 1, rest + 1, inside + separator)
    else:
        added = (rest, rest, f"{{{inside}}} ")
    return [(start, end, "\n" * text.count("\n", start, end)), added]


def _in_one_line(text: str) -> str:
    without_comments = _TOKEN.sub(lambda token: "" if token[0].startswith("//") else token[0], text)
    return without_comments.replace("\n", " ").strip()


def _after_gap(text: str, at: int) -> int:
    found = _GAP.match(text, at)
    return found.end() if found is not None else at


def _after_bracket(text: str, at: int) -> int:
    """Behind the bracket that closes the one at `at`; the end of the text if it is never closed."""
    open_: list[str] = []
    for token in _TOKEN.finditer(text, at):
        bracket = token[0]
        if bracket in _CLOSING:
            open_.append(_CLOSING[bracket])
        elif open_ and bracket == open_[-1]:
            open_.pop()
            if not open_:
                return token.end()
    return len(text)
