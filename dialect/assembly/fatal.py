"""Text that the upstream parser does not survive, found before it is handed over.

The verifier of a loop looks at the type of its condition before the op that returns it is verified, and takes it for a
tensor. Anything else ends the process.
"""

from __future__ import annotations

import re

_OTHER = r"(?:index|none|memref|vector|complex|f\d+|bf16|[su]?i\d+)\b|tuple<|!stablehlo\."
"""How types start that are no tensors. An alias says nothing about what it stands for."""

_PRETTY = re.compile(rf"\bstablehlo\.return\b[^:\n]*:\s*(?P<type>{_OTHER})[^\n]*\n?\s*\}}\s*do\b")
_GENERIC_LOOP = re.compile(r'"stablehlo\.while"')
_GENERIC = re.compile(
    r'"stablehlo\.return"\s*\([^)\n]*\)[^:\n]*:\s*\((?P<type>[^\n]*?)\)\s*->[^\n]*\n?\s*\}\s*,\s*\{', re.DOTALL
)
_STARTS_OTHER = re.compile(_OTHER)


def fatal_condition(text: str) -> int | None:
    """The offset of a `stablehlo.return` that ends the condition of a loop with what is no tensor; None without one."""
    if "stablehlo.while" not in text:
        return None
    for found in _PRETTY.finditer(text):
        if not _is_comment(text, found.start()):
            return found.start()
    for loop in _GENERIC_LOOP.finditer(text):
        found = _GENERIC.search(text, loop.end())
        if found is not None and _STARTS_OTHER.match(found["type"]) and not _is_comment(text, loop.start()):
            return found.start()
    return None


def _is_comment(text: str, offset: int) -> bool:
    return "//" in text[text.rfind("\n", 0, offset) + 1 : offset]
