"""Text that the upstream parser or printer does not survive, found before it is handed over.

The verifier of a loop looks at the type of its condition before the op that returns it is verified, and takes it for a
tensor. Dimension numbers of convolutions are not verified, and the printer takes them for those of tensors with as many
dimensions as they are. An encoding of sparse tensors is taken for one with levels, the alignment of a resource for a
power of two, the parts of a complex number for floating-point numbers, what a layout divides by for anything but 0, and
the numbers of a convolution for what there is memory for; the operands of a reduction for pairs, the dimensions that a
broadcasting op names for numbers of dimensions, the groups of an exchange for some. Anything else ends the process.
"""

from __future__ import annotations

import re

from sdy.dialect.assembly.reader import BRACKET

_OTHER = r"(?:index|none|memref|vector|complex|f\d+|bf16|[su]?i\d+)\b|tuple<|!stablehlo\."
"""How types start that are no tensors. An alias says nothing about what it stands for."""

_PRETTY = re.compile(rf"\bstablehlo\.return\b[^:\n]*:\s*(?P<type>{_OTHER})[^\n]*\n?\s*\}}\s*do\b")
_GENERIC_LOOP = re.compile(r'"stablehlo\.while"')
_GENERIC = re.compile(
    r'"stablehlo\.return"\s*\([^)\n]*\)[^:\n]*:\s*\((?P<type>[^\n]*?)\)\s*->[^\n]*\n?\s*\}\s*,\s*\{', re.DOTALL
)
_STARTS_OTHER = re.compile(_OTHER)


_CONVOLUTION = re.compile(r"#stablehlo\.conv\s*<\s*raw\b(?P<fields>[^<>]*)>")
_FIELD = re.compile(r"(?P<tensor>input|kernel|output)_\w*dimensions?\s*=\s*(?P<numbers>\[[^\]]*\]|[-\w]+)")
_NUMBER = re.compile(r"-?(?:0x[0-9a-fA-F]+|\d+)")


_NO_LEVELS = re.compile(
    r"#sparse_tensor\.encoding\s*<\s*\{\s*(?:\}|map\s*=\s*(?:\[[^\]]*\]\s*)?\([^()]*\)\s*->\s*\(\s*\))"
)
_COMPLEX = re.compile(r"#complex\.number\s*<\s*:\s*(?:[su]?i\d|index\b|none\b)")
_LAYOUT = re.compile(r"#xegpu\.layout\s*<[^<>]*=\s*\[[^\]]*\b0+\b[^<>]*>")
_LARGE_DIMENSION = re.compile(
    r"(?:\bdim_numbers\s*=|#stablehlo\.conv\s*<)\s*\[[^\n>]*?(?:\]\s*x\s*\[[^\n>]*?(?:->\s*\[[^\]\n]*?)?)?\d{6}"
)
_REDUCE_NOTHING = re.compile(r'"stablehlo\.reduce"\s*\(\s*(?:%[-\w$.]+(?:#\d+)?\s*)?\)')
_BEFORE_FIRST = re.compile(
    r'(?:"chlo\.broadcast_\w+"\s*\(|\bchlo\.broadcast_\w+\s+%)(?:(?!chlo\.)[^{}])*'
    r"\{[^{}]*\bbroadcast_dimensions\s*=\s*array<\s*i64\s*:[^<>]*-"
)
_NO_GROUPS = re.compile(r'"stablehlo\.all_to_all"[^{}]*\{[^{}]*\breplica_groups\s*=\s*dense<\s*>\s*:\s*tensor<0x')
_BLOB_OF_NO_ALIGNMENT = re.compile(r'"0x0{8}[0-9a-fA-F]')

_RARE = (
    ("sparse_tensor.encoding", _NO_LEVELS, "encoding of a sparse tensor has no levels"),
    ("complex.number", _COMPLEX, "complex number of what is no floating-point type"),
    ("xegpu.layout", _LAYOUT, "layout divides by 0"),
    ('"stablehlo.reduce"', _REDUCE_NOTHING, "'stablehlo.reduce' op has no operand and initial value to go with it"),
    ("chlo.broadcast_", _BEFORE_FIRST, "broadcasts along a negative dimension"),
    ("stablehlo.all_to_all", _NO_GROUPS, "exchanges in no groups of devices"),
    ("]x[", _LARGE_DIMENSION, "dimension number of a convolution is too large"),
)
"""A word that is in the text, what may end the process, and what is wrong with it."""


def first_fatal(text: str) -> tuple[int, str] | None:
    """The offset of what would end the process, and what is wrong with it; None if nothing is known of."""
    condition = _fatal_condition(text)
    if condition is not None:
        return condition, "'stablehlo.return' op returns what is no tensor as the condition of a loop"
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
    blob = _BLOB_OF_NO_ALIGNMENT.search(text, resources) if resources >= 0 else None
    return (blob.start(), "resource has an alignment of 0") if blob is not None else None


def _first(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """What a pattern finds first, outside of comments and strings."""
    return next((found for found in pattern.finditer(text) if is_code(text, found.start())), None)


def _fatal_convolution(text: str) -> int | None:
    """The offset of dimension numbers that tensors of their number of dimensions do not have; None without any."""
    if "stablehlo.conv" not in text:
        return None
    for found in _CONVOLUTION.finditer(text):
        numbers: dict[str, list[int]] = {}
        for field in _FIELD.finditer(found["fields"]):
            listed = [int(number, 0) for number in _NUMBER.findall(field["numbers"])]
            numbers.setdefault(field["tensor"], []).extend(listed)
        is_right = all(0 <= number < max(len(of_one), 2) for of_one in numbers.values() for number in of_one)
        if not is_right and is_code(text, found.start()):
            return found.start()
    return None


def _fatal_condition(text: str) -> int | None:
    """The offset of a `stablehlo.return` that ends the condition of a loop with what is no tensor; None without one."""
    if "stablehlo.while" not in text:
        return None
    for found in _PRETTY.finditer(text):
        if is_code(text, found.start()):
            return found.start()
    for loop in _GENERIC_LOOP.finditer(text):
        found = _GENERIC.search(text, loop.end())
        if found is not None and _STARTS_OTHER.match(found["type"]) and is_code(text, loop.start()):
            return found.start()
    return None


def is_code(text: str, offset: int) -> bool:
    """Whether what is there is neither in a comment nor in a string."""
    line = text.rfind("\n", 0, offset) + 1
    skipped = (each for each in BRACKET.finditer(text, line) if each[0][0] in '"/')
    for each in skipped:
        if each.end() > offset:
            return each.start() >= offset
    return True
