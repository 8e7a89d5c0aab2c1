"""Text and types that end the process in the upstream parser or printer, found before they are handed over."""

from __future__ import annotations

import re

from sdy.dialect.assembly.reader import BRACKET
from sdy.lazy_dataclass import lazy_pattern
from sdy.mlir import ir

_OTHER = r"(?:index|none|memref|vector|complex|f\d+|bf16|[su]?i\d+)\b|tuple<|!stablehlo\."
"""Pattern of the beginning of types that are no tensors. Aliases are not resolved."""

# Compiled where a text has what they are about: few have, and compiling all takes 2 ms of a first program.
_PRETTY = rf"\bstablehlo\.return\b[^:\n]*:\s*(?P<type>{_OTHER})[^\n]*\n?\s*\}}\s*do\b"
_GENERIC_LOOP = r'"stablehlo\.while"'
_GENERIC = r'(?s)"stablehlo\.return"\s*\([^)\n]*\)[^:\n]*:\s*\((?P<type>[^\n]*?)\)\s*->[^\n]*\n?\s*\}\s*,\s*\{'


_CONVOLUTION = r"#stablehlo\.conv\s*<\s*raw\b(?P<fields>[^<>]*)>"
_FIELD = r"(?P<tensor>input|kernel|output)_\w*dimensions?\s*=\s*(?P<numbers>\[[^\]]*\]|[-\w]+)"
_NUMBER = r"-?(?:0x[0-9a-fA-F]+|\d+)"


_NO_LEVELS = r"#sparse_tensor\.encoding\s*<\s*\{\s*(?:\}|map\s*=\s*(?:\[[^\]]*\]\s*)?\([^()]*\)\s*->\s*\(\s*\))"
_COMPLEX = r"#complex\.number\s*<\s*:\s*(?:[su]?i\d|index\b|none\b)"
_LAYOUT = r"#xegpu\.layout\s*<[^<>]*=\s*\[[^\]]*\b0+\b[^<>]*>"
_LARGE_DIMENSION = (
    r"(?:\bdim_numbers\s*=|#stablehlo\.conv\s*<)\s*\[[^\n>]*?(?:\]\s*x\s*\[[^\n>]*?(?:->\s*\[[^\]\n]*?)?)?\d{6}"
)
_REDUCE_NOTHING = r'"stablehlo\.reduce"\s*\(\s*(?:%[-\w$.]+(?:#\d+)?\s*)?\)'
_BEFORE_FIRST = (
    r'(?:"chlo\.broadcast_\w+"\s*\(|\bchlo\.broadcast_\w+\s+%)(?:(?!chlo\.)[^{}])*'
    r"\{[^{}]*\bbroadcast_dimensions\s*=\s*array<\s*i64\s*:[^<>]*-"
)
_NO_GROUPS = r'"stablehlo\.all_to_all"[^{}]*\{[^{}]*\breplica_groups\s*=\s*dense<\s*>\s*:\s*tensor<0x'
_BLOB_OF_NO_ALIGNMENT = r'"0x0{8}[0-9a-fA-F]'

_RARE = (
    ("sparse_tensor.encoding", _NO_LEVELS, "encoding of a sparse tensor has no levels"),
    ("complex.number", _COMPLEX, "complex element type is not a floating-point type"),
    ("xegpu.layout", _LAYOUT, "layout divides by 0"),
    ('"stablehlo.reduce"', _REDUCE_NOTHING, "'stablehlo.reduce' op has no operand and initial value to go with it"),
    ("chlo.broadcast_", _BEFORE_FIRST, "broadcasts along a negative dimension"),
    ("stablehlo.all_to_all", _NO_GROUPS, "exchanges in no groups of devices"),
    ("]x[", _LARGE_DIMENSION, "dimension number of a convolution is too large"),
)
"""A word that is in the text, what may end the process, and what is wrong with it."""


def first_fatal(text: str) -> tuple[int, str] | None:
    """Return the offset of text that would end the process, and the error; None if no such text is known."""
    condition = _fatal_condition(text)
    if condition is not None:
        return condition, "'stablehlo.return' op returns a loop condition that is not a tensor"
    convolution = _fatal_convolution(text)
    if convolution is not None:
        return (
            convolution,
            "dimension numbers of a convolution are larger than its tensors have dimensions, or negative",
        )
    for word, pattern, message in _RARE:
        found = _first(pattern, text) if word in text else None
        if found is not None:
            return found.start(), message
    resources = text.rfind("{-#")
    blob = re.compile(_BLOB_OF_NO_ALIGNMENT).search(text, resources) if resources >= 0 else None
    return (blob.start(), "resource has an alignment of 0") if blob is not None else None


def _first(pattern: str, text: str) -> re.Match[str] | None:
    """Return the first match of a pattern outside of comments and strings."""
    return next((found for found in re.finditer(pattern, text) if is_code(text, found.start())), None)


def _fatal_convolution(text: str) -> int | None:
    """Return the offset of dimension numbers that do not fit the rank of their tensors; None if all fit."""
    if "stablehlo.conv" not in text:
        return None
    for found in re.finditer(_CONVOLUTION, text):
        numbers: dict[str, list[int]] = {}
        for field in re.finditer(_FIELD, found["fields"]):
            listed = [int(number, 0) for number in re.findall(_NUMBER, field["numbers"])]
            numbers.setdefault(field["tensor"], []).extend(listed)
        is_right = all(0 <= number < max(len(of_one), 2) for of_one in numbers.values() for number in of_one)
        if not is_right and is_code(text, found.start()):
            return found.start()
    return None


def _fatal_condition(text: str) -> int | None:
    """Return the offset of a `stablehlo.return` that ends a loop condition with something else than a tensor.

    Return None if there is none.
    """
    if "stablehlo.while" not in text:
        return None
    for found in re.finditer(_PRETTY, text):
        if is_code(text, found.start()):
            return found.start()
    generic = re.compile(_GENERIC)
    for loop in re.finditer(_GENERIC_LOOP, text):
        found = generic.search(text, loop.end())
        if found is not None and re.match(_OTHER, found["type"]) and is_code(text, loop.start()):
            return found.start()
    return None


def is_code(text: str, offset: int) -> bool:
    """Return whether an offset lies in neither a comment nor a string."""
    line = text.rfind("\n", 0, offset) + 1
    skipped = (each for each in BRACKET.finditer(text, line) if each[0][0] in '"/')
    for each in skipped:
        if each.end() > offset:
            return each.start() >= offset
    return True


_NESTED = r"<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>"
_ALIAS = lazy_pattern(r"![A-Za-z_][\w$-]*(?![\w$.<-])")
_PARENTHESIS = lazy_pattern(r"dense\s*<\s*\(")
"""Start of a literal in parentheses: searched first, since it is found faster without the word boundary."""

_IN_PARENTHESES = lazy_pattern(r"\bdense\s*<\s*\((?P<body>[^<>\"\n]*)>\s*:\s*(?P<type>[^\n]*)")
_SINGLE = lazy_pattern(r"(?:tensor|vector|memref)\s*<\s*(?!complex\b)[\w!]")
_DIMENSION = lazy_pattern(r"[\d?*\[\]]")
_NAMED = rf"(?:\([^()]*\)\s*->\s*)*!(?:[\w$.-])+(?:{_NESTED})?"
_BEFORE_ATTRIBUTE = lazy_pattern(r",\s*#")
"""Start of an encoding, which few texts have: searched first, since that takes a fraction of the time."""

_ENCODED = lazy_pattern(rf"tensor\s*<(?:\s*(?:\d+|\?)\s*x)*+\s*(?P<element>{_NAMED})?\s*,\s*#")


def fatal_type(text: str, context: ir.Context) -> tuple[int, str] | None:
    """Return the offset of a type that would end the process, and the error; None if no such type is known.

    `context` is the context for parsing the text.
    """
    return _fatal_elements(text) or _fatal_encoding(text, context)


def _fatal_elements(text: str) -> tuple[int, str] | None:
    """Return the offset of a single element in parentheses whose type is not complex."""
    for found in _IN_PARENTHESES.finditer(text) if _PARENTHESIS.search(text) else ():
        type_ = _resolved(found["type"], text)
        is_single = _SINGLE.match(type_) and not _DIMENSION.match(type_[type_.index("<") + 1 :].lstrip())
        if is_single and is_code(text, found.start()):
            return found.start(), "element in parentheses is complex, but its type is not"
    return None


def _fatal_encoding(text: str, context: ir.Context) -> tuple[int, str] | None:
    """Find a tensor type that has an encoding and an unknown element type."""
    known: set[str] = set()
    for found in _ENCODED.finditer(text) if _BEFORE_ATTRIBUTE.search(text) else ():
        element = found["element"] or ""
        if element in known or not is_code(text, found.start()):
            continue
        wrong = _wrong(element, text[: found.start()], context)
        if wrong is not None:
            return found.start("element") if element else found.end() - 1, wrong
        known.add(element)
    return None


def _wrong(element: str, before: str, context: ir.Context) -> str | None:
    """Return what is wrong with the element type behind the text `before`; None if it is valid."""
    if not element:
        return "expected a type in front of the encoding"
    aliases = _ALIAS.findall(element)
    if aliases:
        undefined = next((alias for alias in aliases if _definition(alias, before) is None), None)
        return undefined and f"undefined symbol alias id '{undefined[1:]}'"
    try:
        ir.Type.parse(element, context)
    except ir.MLIRError as error:
        return str(error.error_diagnostics[0].message) if error.error_diagnostics else f"{element} is not a type"
    return None


def _resolved(type_: str, text: str) -> str:
    """A type with its aliases replaced, except in long chains of aliases."""
    for _ in range(4):
        if "!" not in type_:
            break
        type_ = _ALIAS.sub(lambda alias: _definition(alias[0], text) or alias[0], type_)
    return type_


def _definition(alias: str, text: str) -> str | None:
    """Return the text behind the first definition of an alias."""
    found = re.search(rf"^[ \t]*{re.escape(alias)}[ \t]*=[ \t]*(.*)", text, re.MULTILINE)
    return found[1] if found is not None else None
