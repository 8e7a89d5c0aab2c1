"""How machines are written: pairs for command lines and options of passes, JSON for files.

    flops=2e14 flops.f32=1e14 bandwidth=5e10 bandwidth.data=1e10 latency=1e-6 block_bandwidth.8=4.5e11

    {"flops": 2e14, "element_flops": {"f32": 1e14}, "bandwidth": 5e10, "axis_bandwidth": {"data": 1e10}}

Everything here is about names and numbers; `sdy.passes.costs.machine.Machine` says what they mean.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sdy.passes.costs.known_machines import EXAMPLES, KNOWN
from sdy.passes.options import did_you_mean

Fields = dict[str, Any]
"""The arguments of a machine by name; rates by element type or axis are dictionaries."""

_RATES = {
    "flops": "element_flops",
    "bandwidth": "axis_bandwidth",
    "latency": "axis_latency",
    "block_bandwidth": "block_bandwidth",
    "block_latency": "block_latency",
}
"""What `name.key=number` belongs to."""

_NAMED = {**EXAMPLES, **KNOWN}

_WHOLE = ("directions", "tile")
_WORDS = ("channels",)


def parse_fields(text: str, known: Sequence[str]) -> Fields:
    """The fields of pairs, a machine that has a name or a JSON file; pairs behind one of the latter change it.

    Raises:
      ValueError: what is none of these.
      OSError: the file cannot be read.
    """
    words = [word for word in re.split(r"[\s,]+", text) if word]
    if not words:
        raise ValueError("a machine is at least 'flops=NUMBER bandwidth=NUMBER'")
    fields: Fields = {}
    if "=" not in words[0]:
        fields = _named(words.pop(0), known)
    for word in words:
        _add(fields, word, known)
    return fields


def _named(name: str, known: Sequence[str]) -> Fields:
    if name in _NAMED:
        return dict(_NAMED[name])
    if name.endswith(".json"):
        return json_fields(Path(name).read_text(encoding="utf-8"), known)
    names = ", ".join(_NAMED)
    raise ValueError(f"no machine '{name}'{did_you_mean(name, _NAMED)}; there are {names}, JSON files, and pairs")


def _add(fields: Fields, word: str, known: Sequence[str]) -> None:
    """Adds what ``name=value`` or ``name.key=value`` says."""
    name, equals, value = word.partition("=")
    name, dot, key = name.partition(".")
    is_known = bool(key) and name in _RATES if dot else name in known and name not in _keyed()
    if not equals or not is_known:
        names = [one for one in known if one not in _keyed()]
        raise ValueError(f"no machine has '{word}'{did_you_mean(name, names)}; it has {', '.join(names)}")
    if dot:
        fields[_RATES[name]] = {**dict(fields.get(_RATES[name], ())), key: _number(value, word)}
    else:
        fields[name] = value if name in _WORDS else _count(value, word) if name in _WHOLE else _number(value, word)


def _keyed() -> tuple[str, ...]:
    return tuple(_RATES.values())


def json_fields(text: str, known: Sequence[str]) -> Fields:
    """The fields of a JSON object. Raises `ValueError` for what is none, or has others."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"a machine in JSON: {error}") from None
    if not isinstance(fields, dict):
        raise ValueError('a machine in JSON is an object, such as {"flops": 2e14, "bandwidth": 5e10}')
    for name in fields:
        if name not in known:
            raise ValueError(f"no machine has '{name}'{did_you_mean(name, known)}; it has {', '.join(known)}")
    return {name: _from_json(name, value) for name, value in fields.items()}


def _from_json(name: str, value: object) -> object:
    if name in _keyed():
        if not isinstance(value, dict):
            raise ValueError(f"{name} is an object of numbers, not {value!r}")
        return {key: _from_json(key, each) for key, each in value.items()}
    return float("inf") if value == "inf" else value


FieldValue = float | str | tuple[tuple[str, float], ...]
"""Of an attribute of a machine: a number, a word, or numbers by name."""


def json_text(fields: Mapping[str, FieldValue], indent: int | None) -> str:
    """The reverse of `json_fields`; JSON has no infinity, so that is the text "inf"."""
    return json.dumps({name: _to_json(value) for name, value in fields.items()}, indent=indent)


def _to_json(value: FieldValue) -> object:
    if isinstance(value, tuple):
        return {key: _to_json(each) for key, each in value}
    return "inf" if value == float("inf") else value


def pairs_text(fields: Mapping[str, FieldValue]) -> str:
    """The reverse of `parse_fields`."""
    words: list[str] = []
    for name, value in fields.items():
        if isinstance(value, tuple):
            plain = next(each for each, keyed in _RATES.items() if keyed == name)
            words += [f"{plain}.{key}={_shown(number)}" for key, number in value]
        else:
            words.append(f"{name}={_shown(value)}")
    return " ".join(words)


def _shown(value: FieldValue) -> str:
    """The shortest text that is read as the same number."""
    if not isinstance(value, float):
        return str(value)
    short = f"{value:g}"
    return (short if float(short) == value else repr(value)).replace("e+", "e")


def _number(text: str, word: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"'{text}' in '{word}' is no number") from None


def _count(text: str, word: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"'{text}' in '{word}' is no whole number")
    return int(text)
