"""Serialized shardings: bytes of XLA's message `OpSharding` in place of text (spec: interchange, 2.3).

JAX writes shardings of more than a hundred listed devices in this form; its early releases wrote all of them so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sdy.dialect.sharding_text.forms import Kind

_Fields = dict[int, list[int | bytes]]
"""Values of a message, by field number, in order."""

_TYPE, _, _DIMS, _DEVICES, _PARTS, _REPLICATED_LAST, _METADATA, _GROUPS, _RESHAPE, _PERMUTATION = range(1, 11)
_IS_GROUPED, _GROUP, _GROUP_TYPE = range(11, 14)

_MAXIMAL, _TUPLE, _TILES = 1, 2, 3
_WORDS = {0: "replicated", 4: "manual", 5: "unknown", 6: "unreduced"}
_KINDS = {0: Kind.REPLICATED, 1: Kind.MAXIMAL, 4: Kind.MANUAL, 6: Kind.UNREDUCED}

_VARINT, _LENGTH = 0, 2
"""Encodings of a field: a number in groups of seven bits, or bytes behind their count."""


class _NoMessage(Exception):
    """Bytes that are no sharding."""


def text_of_message(data: bytes) -> str | None:
    """Return the sharding text of a message; None if the bytes are not such a message.

    Metadata is left out, except for the reduction of unreduced devices.
    """
    try:
        return _text(_fields(data))
    except _NoMessage:
        return None


def _text(fields: _Fields) -> str:
    kind = _number(fields, _TYPE)
    if kind == _TUPLE:
        return f"{{{', '.join(_text(_fields(_bytes(part))) for part in fields.get(_PARTS, ()))}}}"
    if kind in _WORDS:
        return f"{{{_WORDS[kind]}{_tail(fields)}}}"
    if kind == _MAXIMAL and len(devices := _numbers(fields, _DEVICES)) == 1:
        return f"{{maximal device={devices[0]}{_tail(fields)}}}"
    if kind == _TILES:
        return f"{{devices=[{_joined(_numbers(fields, _DIMS))}]{_devices(fields)}{_groups(fields)}{_tail(fields)}}}"
    raise _NoMessage


def _devices(fields: _Fields) -> str:
    reshape, permutation = _numbers(fields, _RESHAPE), _numbers(fields, _PERMUTATION)
    if reshape:
        return f"<=[{_joined(reshape)}]" + (f"T({_joined(permutation)})" if len(reshape) > 1 else "")
    devices = _numbers(fields, _DEVICES)
    return "<=[1]" if devices == [0] else _joined(devices)


def _groups(fields: _Fields) -> str:
    if _number(fields, _REPLICATED_LAST):
        return " last_tile_dim_replicate"
    groups = _numbers(fields, _GROUPS)
    if any(kind not in _KINDS for kind in groups):
        raise _NoMessage
    return f" last_tile_dims={{{', '.join(_KINDS[kind].value for kind in groups)}}}" if groups else ""


def _tail(fields: _Fields) -> str:
    text = ""
    if _number(fields, _IS_GROUPED):
        text += f" {'shard_like' if _number(fields, _GROUP_TYPE) else 'shard_as'} {_number(fields, _GROUP)}"
    for entry in fields.get(_METADATA, ()):
        op_type, op_name = (_word(_fields(_bytes(entry)), number) for number in (1, 2))
        if op_type == "sdy::reduction_op" and op_name.isalpha():
            return f'{text} metadata={{op_type="{op_type}" op_name="{op_name}"}}'
    return text


def _joined(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))


# Fields ------------------------------------------------------------------------------------------


def _number(fields: _Fields, number: int) -> int:
    """The last value of a field, 0 if it has none."""
    found = fields.get(number, [0])[-1]
    if isinstance(found, bytes):
        raise _NoMessage
    return found


def _numbers(fields: _Fields, number: int) -> list[int]:
    """Integers, which may be packed into bytes."""
    found: list[int] = []
    for value in fields.get(number, ()):
        found += [value] if isinstance(value, int) else _packed(value)
    return found


def _word(fields: _Fields, number: int) -> str:
    found = fields.get(number, [b""])[-1]
    return _bytes(found).decode("ascii", "replace")


def _bytes(value: int | bytes) -> bytes:
    if isinstance(value, int):
        raise _NoMessage
    return value


def _fields(data: bytes) -> _Fields:
    found: _Fields = {}
    position = 0
    while position < len(data):
        key, position = _varint(data, position)
        number, encoding = divmod(key, 8)
        if encoding == _VARINT:
            value, position = _varint(data, position)
        elif encoding == _LENGTH:
            size, start = _varint(data, position)
            position = start + size
            value = data[start:position]
        else:
            raise _NoMessage
        if position > len(data) or not _TYPE <= number <= _GROUP_TYPE:
            raise _NoMessage
        found.setdefault(number, []).append(value)
    return found


def _packed(data: bytes) -> Iterator[int]:
    position = 0
    while position < len(data):
        value, position = _varint(data, position)
        yield value


def _varint(data: bytes, position: int) -> tuple[int, int]:
    """A number, which is of 64 bits and signed, and the place behind it."""
    value = 0
    for shift in range(0, 70, 7):
        if position >= len(data):
            break
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            value &= 2**64 - 1
            return value - 2**64 if value >= 2**63 else value, position
    raise _NoMessage
