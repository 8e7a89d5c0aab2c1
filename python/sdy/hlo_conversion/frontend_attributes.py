"""Frontend attributes of instructions and of ops: texts by name, of any bytes."""

from __future__ import annotations

import re

from sdy.mlir import ir

IN_MLIR = "mhlo.frontend_attributes"
IN_HLO = "frontend_attributes"

Entries = dict[str, bytes]

_ENTRY = re.compile(r'([\w.\-]+)\s*=\s*"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|[xX]([0-9a-fA-F]+)|(.))", re.DOTALL)
_LETTERS = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_MLIR_ESCAPE = re.compile(rb'\\(?:([0-9A-Fa-f]{2})|([nt\\"]))')
_SHORT = {ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t", ord('"'): '\\"', ord("'"): "\\'", ord("\\"): "\\\\"}


def of_hlo(text: str | None) -> Entries:
    """Parse the text behind ``frontend_attributes=`` into entries."""
    return {key: _ESCAPE.sub(_byte, value.encode()) for key, value in _ENTRY.findall(text or "")}


def in_hlo(entries: Entries) -> str:
    """The reverse of `of_hlo`, as XLA writes it."""
    return "{" + ",".join(f'{key}="{"".join(map(_escaped, entries[key]))}"' for key in sorted(entries)) + "}"


def of_op(op: ir.Operation) -> Entries:
    """The entries of an op.

    Raises:
      ValueError: one of them is not a string.
    """
    if IN_MLIR not in op.attributes:
        return {}
    return {each.name: _bytes(each.name, each.attr) for each in ir.DictAttr(op.attributes[IN_MLIR])}


def put_on_op(op: ir.Operation, entries: Entries) -> None:
    """Set the frontend attributes of an op, if there are any."""
    if entries:
        texts = {key: "".join(f"\\{byte:02X}" for byte in value) for key, value in entries.items()}
        given = {key: ir.Attribute.parse(f'"{text}"', op.context) for key, text in texts.items()}
        op.attributes[IN_MLIR] = ir.DictAttr.get(given, op.context)


def _byte(found: re.Match[bytes]) -> bytes:
    octal, hexadecimal, letter = found.groups()
    if letter is not None:
        return _LETTERS.get(letter, letter)
    return bytes([(int(octal, 8) if octal is not None else int(hexadecimal, 16)) & 0xFF])


def _escaped(byte: int) -> str:
    return _SHORT.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}")


def _bytes(name: str, attr: ir.Attribute) -> bytes:
    if not isinstance(attr, ir.StringAttr):
        raise ValueError(f"has a frontend attribute '{name}' that is not a text")
    inner = str(attr)[1:-1].encode()
    return _MLIR_ESCAPE.sub(lambda found: bytes([int(found[1], 16)]) if found[1] else _plain(found[2]), inner)


def _plain(letter: bytes) -> bytes:
    return {b"n": b"\n", b"t": b"\t"}.get(letter, letter)
