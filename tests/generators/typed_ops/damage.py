"""Damages an instance: other sizes, element types, attributes, regions; things left out, added or of the wrong kind."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from tests.generators.typed_ops.case import Case, Signature
from tests.generators.typed_ops.drawing import ODD, element

_PLAIN_TYPES = [
    "!stablehlo.token",
    "tuple<tensor<2xf32>>",
    "tensor<*xf32>",
    "memref<2xf32>",
    "!stablehlo.future<tensor<2xf32>>",
]
_NUMBERS = [-1, 0, 1, 2, 3, 4, 5, 7]
_LARGE = [2**31, 2**62, 2**63 - 1]
_WRONG_KINDS = ["unit", "1 : i32", "0 : i64", "array<i64: 0>", '"text"', "true", "[]", "dense<0> : tensor<1x1xi64>"]

_TENSOR = re.compile(r"tensor<((?:(?:\d+|\?)x)*)(.*?)(, #stablehlo\.bounds<[^>]*>)?>$")


def damaged(rng: Random, case: Case) -> Case:
    """The instance with one or two changes."""
    for _ in range(rng.choice([1, 1, 1, 2])):
        case = rng.choice(_KINDS)(rng, case)
    return case


# Types ---------------------------------------------------------------------------------------------------------------


def damaged_type(rng: Random, text: str) -> str:
    found = _TENSOR.match(text)
    if found is None or "*" in text or rng.random() < 0.05:
        return rng.choice([*_PLAIN_TYPES, "tensor<2xf32>"])
    sizes = found[1].split("x")[:-1]
    kind = rng.random()
    if kind < 0.3:
        union = "Any" if rng.random() < 0.8 else rng.choice(ODD)
        return f"tensor<{found[1]}{element(rng, union)}{found[3] or ''}>"
    if kind < 0.7 and sizes:
        place = rng.randrange(len(sizes))
        sizes[place] = rng.choice(["?", "?", "0", "1", "2", "3", "5"])
        return _with_bounds(rng, sizes, found[2])
    if kind < 0.85:
        sizes.insert(rng.randint(0, len(sizes)), str(rng.choice([1, 2, 3])))
    elif sizes:
        sizes.pop(rng.randrange(len(sizes)))
    return _with_bounds(rng, sizes, found[2])


def _with_bounds(rng: Random, sizes: list[str], element_type: str) -> str:
    bounds = ""
    if "?" in sizes and rng.random() < 0.5:
        bounds = ", ".join(str(rng.choice([2, 3, 4, 8])) if size == "?" else "?" for size in sizes)
        bounds = f", #stablehlo.bounds<{bounds}>"
    return f"tensor<{''.join(f'{size}x' for size in sizes)}{element_type}{bounds}>"


def _operand(rng: Random, case: Case) -> Case:
    operands, known = list(case.operands), dict(case.known)
    if not operands:
        return replace(case, operands=("tensor<2xf32>",))
    place = rng.randrange(len(operands))
    kind = rng.random()
    if kind < 0.06:
        operands.pop(place)
        known = {}
    elif kind < 0.1:
        operands.insert(place, operands[place])
        known = {}
    else:
        operands[place] = damaged_type(rng, operands[place])
        known.pop(place, None)
    return replace(case, operands=tuple(operands), known=known)


def _result(rng: Random, case: Case) -> Case:
    results = list(case.results or ())
    if not results or rng.random() < 0.04:
        return replace(case, results=(*results, "tensor<2xf32>"))
    place = rng.randrange(len(results))
    if rng.random() < 0.04:
        results.pop(place)
    else:
        results[place] = damaged_type(rng, results[place])
    return replace(case, results=tuple(results))


# Attributes ----------------------------------------------------------------------------------------------------------


def _attribute(rng: Random, case: Case) -> Case:
    if not case.attributes:
        return _operand(rng, case)
    name = rng.choice(list(case.attributes))
    attributes, kind = dict(case.attributes), rng.random()
    if kind < 0.06:
        del attributes[name]
    elif kind < 0.12:
        attributes[name] = rng.choice(_WRONG_KINDS)
    elif kind < 0.3 and attributes[name].startswith("array<"):
        attributes[name] = _other_length(rng, attributes[name])
    else:
        attributes[name] = _other_number(rng, attributes[name])
    return replace(case, attributes=attributes)


def _other_number(rng: Random, text: str) -> str:
    places = [found for found in re.finditer(r"(?<![\w.#<])-?\d+(?![\w.])", text) if found.start() < _value_end(text)]
    if not places:
        return text
    place = rng.choice(places)
    # The reference ends the process when it parses dimension numbers as large as that.
    is_large = rng.random() < 0.05 and not text.startswith("#")
    number = rng.choice(_LARGE if is_large else _NUMBERS)
    return text[: place.start()] + str(number) + text[place.end() :]


def _value_end(text: str) -> int:
    """Where the type of an attribute begins."""
    colon = text.rfind(" : ")
    return len(text) if colon < 0 or text.startswith(("array<", "#")) else colon


def _other_length(rng: Random, text: str) -> str:
    head, _, values = text[:-1].partition(":")
    entries = [entry.strip() for entry in values.split(",") if entry.strip()]
    if entries and rng.random() < 0.5:
        entries.pop(rng.randrange(len(entries)))
    else:
        entries.append("true" if head == "array<i1" else str(rng.choice(_NUMBERS)))
    return f"{head}: {', '.join(entries)}>" if entries else f"{head}>"


# Regions -------------------------------------------------------------------------------------------------------------


def _body(rng: Random, case: Case) -> Case:
    if not case.bodies:
        return _operand(rng, case)
    bodies = list(case.bodies)
    place = rng.randrange(len(bodies))
    body = bodies[place]
    bodies[place] = None if body is None or rng.random() < 0.1 else _other_signature(rng, body)
    return replace(case, bodies=tuple(bodies))


def _other_signature(rng: Random, body: Signature) -> Signature:
    lists = [list(body[0]), list(body[1])]
    types = rng.choice(lists)
    kind = rng.random()
    if not types or kind < 0.15:
        types.append("tensor<f32>")
    elif kind < 0.3:
        types.pop()
    else:
        place = rng.randrange(len(types))
        types[place] = damaged_type(rng, types[place])
    return tuple(lists[0]), tuple(lists[1])


_KINDS = [_operand, _operand, _attribute, _attribute, _attribute, _result, _result, _body]
