"""Texts of machines: pairs for command lines and options of passes, JSON for files.

    flops=2e14 flops.f32=1e14 bandwidth=5e10 bandwidth.data=1e10 latency=1e-6 block_bandwidth.8=4.5e11

    {"flops": 2e14, "element_flops": {"f32": 1e14}, "bandwidth": 5e10, "axis_bandwidth": {"data": 1e10}}

This module has names and numbers only; `sdy.passes.costs.machine.Machine` defines them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sdy.passes.options import did_you_mean

# Accelerators that can be named, with the figures of their data sheets.
#
# They are those of one device, dense and without sparsity. What a program reaches is less: `efficiency` takes seven
# tenths of the arithmetic. Figures that were measured on a machine itself are better; keep them in a JSON file. The
# sources stand beside the figures, which are the vendors' and were not measured for this package.
#
# | name       | device                            | links                                                            |
# |------------|-----------------------------------|------------------------------------------------------------------|
# | `a100`     | NVIDIA A100 SXM, 80 GB            | eight devices on NVLink, 200 Gb/s of network for each beyond     |
# | `h100`     | NVIDIA H100 SXM, 80 GB            | eight devices on NVLink, 400 Gb/s of network for each beyond     |
# | `tpu-v5e`  | Google TPU v5e                    | a torus: every mesh axis has links of its own                    |
# | `tpu-v5p`  | Google TPU v5p                    | a torus                                                          |
# | `tpu-v6e`  | Google TPU v6e                    | a torus                                                          |
# | `generic`  | round figures                     | 100 GB/s                                                         |
# | `cpu`      | round figures, a core of a server | memory of the host                                               |
#
# A switch and a network card give a device one bandwidth for what it sends; here a link has two directions, which
# collectives use together, so each has half of it.


_GPU = {"overhead": 5e-6, "efficiency": 0.7, "latency": 1e-5, "block_latency": {"8": 2e-6}}
_TPU = {"overhead": 2e-6, "efficiency": 0.7, "latency": 1e-6}

KNOWN: Mapping[str, Mapping[str, Any]] = {
    # "NVIDIA A100 Tensor Core GPU" data sheet, 2021: A100 80GB SXM; NVLink 600 GB/s both ways together.
    "a100": {
        **_GPU,
        "flops": 312e12,
        "element_flops": {"f32": 156e12, "f64": 19.5e12, "i8": 624e12},
        "memory_bandwidth": 2.039e12,
        "memory": 80e9,
        "bandwidth": 12.5e9,
        "block_bandwidth": {"8": 150e9},
    },
    # "NVIDIA H100 Tensor Core GPU" data sheet, 2023: H100 SXM, half of the figures with sparsity; NVLink 900 GB/s.
    "h100": {
        **_GPU,
        "flops": 989e12,
        "element_flops": {"f32": 494e12, "f64": 67e12, "i8": 1979e12, "f8E4M3FN": 1979e12, "f8E5M2": 1979e12},
        "memory_bandwidth": 3.35e12,
        "memory": 80e9,
        "bandwidth": 25e9,
        "block_bandwidth": {"8": 225e9},
    },
    # Cloud TPU documentation, system architecture, "TPU v5e": 16 GB, 819 GB/s, 400 GB/s over four links.
    "tpu-v5e": {
        **_TPU,
        "flops": 197e12,
        "element_flops": {"i8": 394e12},
        "memory_bandwidth": 0.819e12,
        "memory": 16e9,
        "bandwidth": 50e9,
    },
    # Ibid., "TPU v5p": 95 GB, 2765 GB/s, 1200 GB/s over six links, both ways together.
    "tpu-v5p": {
        **_TPU,
        "flops": 459e12,
        "element_flops": {"i8": 918e12},
        "memory_bandwidth": 2.765e12,
        "memory": 95e9,
        "bandwidth": 100e9,
    },
    # Ibid., "TPU v6e": 32 GB, 1640 GB/s, 800 GB/s over four links.
    "tpu-v6e": {
        **_TPU,
        "flops": 918e12,
        "element_flops": {"i8": 1836e12},
        "memory_bandwidth": 1.64e12,
        "memory": 32e9,
        "bandwidth": 100e9,
    },
    "generic": {
        "flops": 200e12,
        "memory_bandwidth": 2e12,
        "memory": 32e9,
        "bandwidth": 50e9,
        "latency": 5e-6,
        "overhead": 5e-6,
        "efficiency": 0.7,
    },
    "cpu": {
        "flops": 5e10,
        "element_flops": {"f64": 2.5e10},
        "memory_bandwidth": 1e10,
        "memory": 4e9,
        "bandwidth": 2e9,
        "latency": 2e-5,
        "overhead": 5e-6,
        "directions": 1,
        "channels": "one",
    },
}

_DEVICE = {"flops": 2e14, "memory_bandwidth": 2e12, "overhead": 2e-6}

EXAMPLES: Mapping[str, Mapping[str, Any]] = {
    "fast-links": {**_DEVICE, "bandwidth": 3e11, "latency": 1e-6},
    "slow-links": {**_DEVICE, "bandwidth": 5e10, "latency": 2e-6},
    "network": {**_DEVICE, "bandwidth": 1.25e10, "latency": 1e-5},
}
"""Machines to try things with: round figures that stand for no product. They differ in how fast they send.

| name         | links                             | the time of sending a byte is enough for |
|--------------|-----------------------------------|------------------------------------------|
| `fast-links` | 300 GB/s in each direction, 1 us  | about 700 operations of a product        |
| `slow-links` | 50 GB/s in each direction, 2 us   | 4000                                     |
| `network`    | 12.5 GB/s in each direction, 10 us| 16000                                    |
"""


Fields = dict[str, Any]
"""The arguments of a machine by name; rates by element type or axis are dictionaries."""

_RATES = {
    "flops": "element_flops",
    "bandwidth": "axis_bandwidth",
    "latency": "axis_latency",
    "block_bandwidth": "block_bandwidth",
    "block_latency": "block_latency",
}
"""Fields that `name.key=number` sets, by key."""

_NAMED = {**EXAMPLES, **KNOWN}

_WHOLE = ("directions", "tile")
_WORDS = ("channels",)


def parse_fields(text: str, known: Sequence[str]) -> Fields:
    """Return the fields of a text: pairs, a machine name, or a JSON file; pairs after a name or file override it.

    Raises:
      ValueError: anything else.
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
    """Set the field of ``name=value`` or ``name.key=value``."""
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
    """Return the fields of a JSON object. Raises `ValueError` for another value or unknown fields."""
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
"""Value of a machine's attribute: a number, a word, or numbers by name."""


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
        raise ValueError(f"'{text}' in '{word}' is not a number") from None


def _count(text: str, word: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"'{text}' in '{word}' is not a whole number")
    return int(text)
