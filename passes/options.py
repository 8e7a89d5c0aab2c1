"""Options of passes: parsing, printing, and the classes that hold them; options shared by several passes."""

from __future__ import annotations

import dataclasses
import difflib
import inspect
from collections.abc import Iterable, Mapping
from enum import Enum
from functools import cache
from typing import TypeVar, get_origin, get_type_hints

from sdy.lazy_dataclass import dataclass

T = TypeVar("T")


def option(default: T, text: str) -> T:
    """Declare a field of an options class with its text in `--help`."""
    return dataclasses.field(default=default, metadata={"help": text})


def make_options(options: type[T], given: Mapping[str, object]) -> T:
    """An instance of `options` from values or texts by option name (`-` or `_`).

    Raises:
      ValueError: an option that the class does not have, or a text that is no value of the option's type.
    """
    if not given:
        return options()
    fields = _fields(options)
    values = {}
    for name, value in given.items():
        key = name.replace("-", "_")
        if key not in fields:
            known = sorted(field.replace("_", "-") for field in fields)
            raise ValueError(f"no option '{name}'{did_you_mean(name, known)}; it has {', '.join(known)}")
        default, kind = fields[key].default, fields[key].type
        is_value = isinstance(default, bool) if value is True else not isinstance(value, str) or kind == "str"
        values[key] = value if is_value else _convert(value, _kinds(options)[key], name)
    return options(**values)


@cache
def _fields(options: type) -> dict[str, dataclasses.Field[object]]:
    """The fields of options by name."""
    return {each.name: each for each in dataclasses.fields(options)}


@cache
def _kinds(options: type) -> dict[str, object]:
    """Return the type of each option by its field name; evaluating the annotations takes long."""
    return get_type_hints(options)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """``, did you mean '...'?`` if a known name looks like `name`."""
    close = difflib.get_close_matches(name, list(known), 1, 0.7)
    return f", did you mean '{close[0]}'?" if close else ""


def _convert(value: object, kind: object, name: str) -> object:
    """`value` as a `kind`; texts are parsed. An option without a value comes as True."""
    if value is True and kind is not bool:
        raise ValueError(f"option '{name}' needs a value")
    if not isinstance(value, str) or kind is str:
        return value
    if kind is bool:
        if value.lower() in ("true", "1", ""):
            return True
        if value.lower() in ("false", "0"):
            return False
    elif kind is int:
        try:
            return int(value)
        except ValueError:
            pass
    elif kind is float:
        try:
            return float(value)
        except ValueError:
            pass
    elif get_origin(kind) is tuple:
        return tuple(part for part in value.split(",") if part)
    elif inspect.isclass(kind) and issubclass(kind, Enum):
        for case in kind:
            if value == case.value:
                return case
        raise ValueError(f"option '{name}' is one of {', '.join(str(case.value) for case in kind)}, not '{value}'")
    raise ValueError(f"'{value}' is not a valid {getattr(kind, '__name__', kind)} for option '{name}'")


def format_options(options: Mapping[str, object]) -> str:
    """``opt=val opt2=val2``, as pipelines write it."""
    return " ".join(f"{name}={_text(value)}" for name, value in options.items())


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    text = str(value)
    return f"{{{text}}}" if any(c in text for c in " ,(){}'\"") or not text else text


def parse_options(text: str) -> dict[str, str | bool]:
    """``opt=val opt2={a b}`` as a dictionary; an option without a value is True.

    Raises:
      ValueError: a brace or quote that is not closed.
    """
    options: dict[str, str | bool] = {}
    position = 0
    while True:
        while position < len(text) and text[position].isspace():
            position += 1
        if position == len(text):
            return options
        start = position
        while position < len(text) and text[position] != "=" and not text[position].isspace():
            position += 1
        name = text[start:position]
        value: str | bool = True
        if position < len(text) and text[position] == "=":
            value, position = _value(text, position + 1)
        options[name] = value


def _value(text: str, position: int) -> tuple[str, int]:
    """The value that starts at `position`, without its braces or quotes, and where it ends."""
    if position < len(text) and text[position] in "\"'":
        end = text.find(text[position], position + 1)
        if end < 0:
            raise ValueError(f"the quote before {text[position + 1 :]!r} is not closed")
        return text[position + 1 : end], end + 1
    start, depth = position, 0
    while position < len(text) and (depth or not text[position].isspace()):
        depth += (text[position] == "{") - (text[position] == "}")
        position += 1
    if depth:
        raise ValueError(f"unbalanced braces in {text[start:]!r}")
    value = text[start:position]
    braced = value.startswith("{") and value.endswith("}")
    return (value[1:-1] if braced else value), position


ADD_MISSING_SHARDING_TO_CONTROL_FLOW = (False, "write that loops and branches without a sharding are replicated")
ALLOW_PROPAGATION_TO_ARGS: tuple[tuple[str, ...], str] = (
    (),
    "whether shardings of arguments of main are open: true or false, for all or each",
)
ALLOW_PROPAGATION_TO_RESULTS: tuple[tuple[str, ...], str] = ((), "the same for results of main")
AVOID_EXPORT_FOR_PARTITIONING = (
    False,
    "stop once the shardings are closed, so that the module can be propagated again",
)
KEPT_BYTES = -1
KEPT_BYTES_HELP = (
    "bytes by which peak memory may grow to send less, for all passes together; negative: "
    "a fiftieth of the peak, and none to keep what the program recomputes to save memory"
)

CONSERVATIVE_PROPAGATION = (False, "neither split axes nor use rules that may not divide")
DEBUG_PROPAGATION_EDGE_SHARDING = (False, "record the moves of axes")
DEBUG_SHARDING_ORIGINS = (False, "record the origins of sharding axes")
DUMP_DIRECTORY = ("", "folder for debug copies of modules; empty for none")
ENABLE_CONSTANT_IMPORT = (True, "make constants those of the dialect")
ENABLE_EXPLICIT_GATHER_SCATTER_BATCHING = (False, "make implicit batch dimensions of gathers and scatters explicit")
KEEP_HLO_SHARDING_CONSTRAINTS = (True, "write constraints as calls of @Sharding, not as mhlo.copy")
KEEP_SHARDING_RULES = (False, "keep the sharding rules on the ops")
NAMED_TEXT_READ = (False, "read named sharding text, not strings")
NAMED_TEXT_WRITTEN = (False, "write named sharding text, not strings")
NAMES_OF_AXES_WRITTEN = (False, "write the names of axes, not tiles")
PARTITION_COUNT = (1, "number of devices of one replica")
PER_DIM_ALL_GATHER = (False, "one all_gather per gathered dimension instead of one for all")
PER_INSTRUCTION_PARTITIONING_FILTER = ("", "which instructions to partition")
REPLICA_COUNT = (1, "number of replicas of the program")
RNG_BIT_GENERATOR_UNSAFE = (True, "draw random numbers of every shard from its own stream")
SHARDING_CALLS: tuple[tuple[str, ...], str] = ((), "further targets of custom calls that are sharding constraints")
UPDATE_NON_DIVISIBLE_INPUT_OUTPUT_SHARDINGS = (
    True,
    "give inputs and outputs shardings without sub-axes that divide their dimensions",
)
UPDATE_PUBLIC_FUNCTIONS_ONLY = (False, "leave those of private functions: padding is possible inside")


@dataclass(frozen=True)
class NamedTextRead:
    """The options of passes with one option, a text to read."""

    enable_hlo_sharding_v3: bool = option(*NAMED_TEXT_READ)


@dataclass(frozen=True)
class NamedTextWritten:
    """The options of passes with one option, a text to write."""

    enable_hlo_sharding_v3: bool = option(*NAMED_TEXT_WRITTEN)
