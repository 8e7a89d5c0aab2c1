"""Small changes to the sdy parts of a module: some leave it valid, most break one rule of syntax or verification.

`mutated(text, rng)` is the entrance. Each function of `_MUTATIONS` makes one kind of change at a random place, or
returns None where the text has no such place; it works on the text, so that the result need not parse.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

Mutation = Callable[[random.Random, str], str | None]

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[#@%!^]?[A-Za-z_][\w.$]*|[%#@]\d+|-?\d+|->|[^\s\w]')
_SPACED = re.compile(r'"(?:[^"\\]|\\.)*"(?=\()|"(?:[^"\\]|\\.)*"|->|[#@%!^]?[\w.$]+[<(]?|[^\w\s]|\s+')
_GAPS = ["\n", "\n  ", " // a comment\n", " // a comment\r", "  ", "\t"]
_SHARDING = re.compile(
    r"<(?:@\w+|mesh<[^<>]*>), \[(?:\{[^{}]*\}(?:p\d+)?(?:, )?)*\](?:, (?:replicated|unreduced)=\w*\{[^{}]*\})*>"
)
_AXES = re.compile(r'\{(?:"[^"]*"(?::\(-?\d+\)-?\d+)?(?:, )?)*\??\}')
_AXIS = re.compile(r'"([^"\n]*)"(:\((-?\d+)\)(-?\d+))?')
_LIST = re.compile(r"\[[^\[\]]*\]")
_TYPE = re.compile(r"tensor<(?:[\dx?]*x)?\w+>")
_MESH = re.compile(r"^ *sdy\.mesh @(\w+) = .*\n", re.MULTILINE)
_RULE = re.compile(r"op_sharding_rule<[^>]*>[^>]*>")
_EDGES = re.compile(r"propagation_edges<.*?\}\]>")
_VALUE = re.compile(r"%\w+(?:#\d+)?")

_TYPES = ["tensor<8xf32>", "tensor<8x8xf32>", "tensor<4x8xf32>", "tensor<8x4xi32>", "tensor<f32>", "tensor<?x8xf32>"]
_ODD_TYPES = ["tensor<*xf32>", "tuple<tensor<8x8xf32>>", "tuple<>", "index", "memref<8x8xf32>", "!stablehlo.token"]
_NUMBERS = ["0", "1", "2", "3", "4", "6", "8", "-1", "9223372036854775808"]
_SAME_SYNTAX = [
    ["sharding_constraint", "reshard"],
    ["all_gather", "all_slice", "sharded_to_unreduced", "reduce_scatter"],
    ["all_reduce", "replicated_to_unreduced"],
    ["data_flow_edge", "func_data_flow_edge"],
    ["NONE", "FORWARD", "BACKWARD", "BOTH"],
    ["max", "min", "sum"],
    ["replicated", "unreduced"],
    ["reduction", "need_replication", "permutation", "blocked_propagation"],
    ["operand", "result"],
    ["in_shardings", "out_shardings"],
    ["#sdy.sharding", "#sdy.sharding_per_value", "#sdy.mesh"],
    ["sdy.return", "func.return", "stablehlo.return"],
]


def mutated(text: str, rng: random.Random, changes: int = 1) -> str:
    """`text` with that many random changes."""
    for _ in range(changes):
        for _ in range(20):
            result = rng.choice(_MUTATIONS)(rng, text)
            if result is not None and result != text:
                text = result
                break
    return text


def laid_out(text: str, rng: random.Random) -> str:
    """`text` with line breaks, comments and blanks between some of the tokens of lines with sdy in them."""
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if "sdy" in line and rng.random() < 0.5:
            tokens = _SPACED.findall(line.split("//")[0])
            joined = [token if rng.random() < 0.8 else token + rng.choice(_GAPS) for token in tokens]
            lines[index] = "".join(joined)
    return "\n".join(lines)


def _replaced(text: str, found: re.Match[str], replacement: str) -> str:
    return text[: found.start()] + replacement + text[found.end() :]


def _pick(rng: random.Random, pattern: re.Pattern[str], text: str, near: str = "sdy") -> re.Match[str] | None:
    """A random match on a line with `near`."""
    lines = [(m.start(), m.end()) for m in re.finditer(r"[^\n]+", text) if near in m[0]]
    found = [match for start, end in lines for match in pattern.finditer(text, start, end)]
    return rng.choice(found) if found else None


# Axes ----------------------------------------------------------------------------------------------


def _axis_name(rng: random.Random, text: str) -> str | None:
    found = _pick(rng, _AXIS, text)
    if found is None:
        return None
    names = [*sorted(set(re.findall(r'"(\w+)"=\d', text))), "zz"]
    return _replaced(text, found, f'"{rng.choice(names)}"{found[2] or ""}')


def _sub_axis(rng: random.Random, text: str) -> str | None:
    found = _pick(rng, _AXIS, text)
    if found is None:
        return None
    if found[2] and rng.random() < 0.3:
        return _replaced(text, found, f'"{found[1]}"')
    pre, size = rng.choice(["1", "1", "2", "2", "3", "4", "0", "-1"]), rng.choice(["2", "2", "3", "4", "1", "8"])
    if found[2]:
        pre, size = rng.choice([(pre, found[4]), (found[3], size)])
    return _replaced(text, found, f'"{found[1]}":({pre}){size}')


def _axes_of_list(rng: random.Random, text: str) -> str | None:
    """Removes, repeats, moves or adds an axis."""
    found = _pick(rng, _AXES, text)
    if found is None:
        return None
    axes = [axis for axis in found[0][1:-1].split(", ") if axis]
    all_axes = [match[0] for match in _AXIS.finditer(text)]
    match rng.randrange(4):
        case 0 if axes:
            axes.pop(rng.randrange(len(axes)))
        case 1 if len(axes) > 1:
            rng.shuffle(axes)
        case 2 if axes:
            axes.append(rng.choice(axes))
        case _:
            if not all_axes:
                return None
            axes.insert(rng.randint(0, len(axes)), rng.choice(all_axes))
    return _replaced(text, found, "{" + ", ".join(axes) + "}")


def _openness(rng: random.Random, text: str) -> str | None:
    found = _pick(rng, _AXES, text)
    if found is None:
        return None
    body = found[0][1:-1]
    if body.endswith("?"):
        changed = body.removesuffix("?").removesuffix(", ")
    else:
        changed = f"{body}, ?" if body else "?"
    return _replaced(text, found, "{" + changed + "}")


def _priority(rng: random.Random, text: str) -> str | None:
    found = _pick(rng, re.compile(_AXES.pattern + r"(p\d+)?"), text)
    if found is None:
        return None
    axes = found[0].split("}")[0] + "}"
    return _replaced(text, found, axes + rng.choice(["", "p0", "p1", "p3", "p01", "p", "p9223372036854775808", " p2"]))


# Shardings -----------------------------------------------------------------------------------------


def _rank(rng: random.Random, text: str) -> str | None:
    """Adds, removes or exchanges elements of a list."""
    found = _pick(rng, _LIST, text)
    if found is None:
        return None
    elements = _elements(found[0][1:-1])
    match rng.randrange(4):
        case 0 if elements:
            elements.pop(rng.randrange(len(elements)))
        case 1 if len(elements) > 1:
            rng.shuffle(elements)
        case 2 if elements:
            elements.append(rng.choice(elements))
        case _:
            elements.append(rng.choice(["{}", "{?}"]))
    return _replaced(text, found, "[" + ", ".join(elements) + "]")


def _elements(text: str) -> list[str]:
    """The parts between commas outside of braces and angle brackets."""
    parts, depth, start = [], 0, 0
    for index, char in enumerate(text):
        depth += (char in "{<(") - (char in "}>)")
        if char == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    return [*parts, text[start:].strip()] if text.strip() else []


def _tail(rng: random.Random, text: str) -> str | None:
    """Adds or removes replicated or unreduced axes."""
    found = _pick(rng, _SHARDING, text)
    axes = [match[0] for match in _AXIS.finditer(text)]
    if found is None or not axes:
        return None
    sharding = found[0]
    tail = re.search(r", (?:replicated|unreduced)=\w*\{[^{}]*\}", sharding)
    if tail is not None and rng.random() < 0.4:
        return _replaced(text, found, sharding.replace(tail[0], "", 1))
    name = rng.choice(["replicated=", "unreduced=", "unreduced=max", "unreduced=min", "unreduced=sum", "unreduced"])
    listed = ", ".join(rng.sample(axes, min(len(axes), rng.choice([0, 1, 1, 1, 2]))))
    return _replaced(text, found, f"{sharding[:-1]}, {name}{{{listed}}}>")


def _mesh_reference(rng: random.Random, text: str) -> str | None:
    found = _pick(rng, re.compile(r"(?<=<)(@\w+|mesh<[^<>]*>)(?=, \[)"), text)
    if found is None:
        return None
    names = sorted(set(re.findall(r"@\w+", text)))
    bodies = [match[0].partition(" = ")[2].rstrip() for match in _MESH.finditer(text)]
    return _replaced(text, found, rng.choice([*names, "@nope", "@a::@b", *(f"mesh{body}" for body in bodies)]))


def _exchange(rng: random.Random, text: str) -> str | None:
    """Puts one sharding in the place of another."""
    all_shardings = [match[0] for match in _SHARDING.finditer(text)]
    found = _pick(rng, _SHARDING, text)
    return None if found is None else _replaced(text, found, rng.choice(all_shardings))


def _discardable(rng: random.Random, text: str) -> str | None:
    """Gives an op one more discardable attribute."""
    found = _pick(rng, re.compile(r" :(?= )"), text, near=" = ")
    values = [match[0] for match in re.finditer(r"(?<== )#sdy[^\n]*?>(?=[,}\s])", text)]
    values += [f"#sdy.sharding_per_value<[{match[0]}]>" for match in _SHARDING.finditer(text)]
    if found is None or not values:
        return None
    names = [
        "sdy.sharding",
        "sdy.sharding",
        "sdy.sharding_rule",
        "sdy.propagation_edges",
        "sdy.result_propagation_edges",
    ]
    return _replaced(text, found, f" {{{rng.choice(names)} = {rng.choice(values)}}} :")


# Meshes, ops, types --------------------------------------------------------------------------------


def _mesh(rng: random.Random, text: str) -> str | None:
    found = _pick(rng, _MESH, text)
    if found is None:
        return None
    match rng.randrange(6):
        case 0:
            return _replaced(text, found, "\n")
        case 1:
            return _replaced(text, found, found[0] * 2)
        case 2:
            return _replaced(text, found, re.sub(r"=\d+", f"={rng.choice(_NUMBERS)}", found[0], count=1))
        case 3:
            ids = rng.choice(["0", "0, 1", "1, 0", "3, 2, 1, 0", "0, 0", "-1", ""])
            bare = found[0].partition(", device_ids")[0].rstrip("\n>")
            return _replaced(text, found, f"{bare}, device_ids=[{ids}]>\n")
        case 4:
            return _replaced(text, found, f"sdy.mesh @{found[1]} = {rng.choice(['<[]>', '<[], device_ids=[0]>'])}\n")
        case _:
            return _replaced(text, found, "\n") + found[0]


def _type(rng: random.Random, text: str) -> str | None:
    found = _pick(rng, _TYPE, text, near=rng.choice(["sdy", ":"]))
    if found is None:
        return None
    other = rng.choice(_TYPES if rng.random() < 0.8 else _ODD_TYPES)
    if rng.random() < 0.5:
        return _replaced(text, found, other)
    start, end = text.rfind("\n", 0, found.start()) + 1, text.find("\n", found.start())
    if rng.random() < 0.5:
        start, end = 0, len(text)
    return text[:start] + text[start:end].replace(found[0], other) + text[end:]


def _same_syntax(rng: random.Random, text: str) -> str | None:
    """Another op or keyword where it stands."""
    words = rng.choice(_SAME_SYNTAX)
    found = _pick(rng, re.compile(r"(?<![\w.])(?:sdy\.)?(?:" + "|".join(map(re.escape, words)) + r")(?!\w)"), text)
    if found is None:
        return None
    prefix = "sdy." if found[0].startswith("sdy.") and found[0] not in words else ""
    return _replaced(text, found, prefix + rng.choice(words))


def _number(rng: random.Random, text: str) -> str | None:
    found = _pick(rng, re.compile(r"(?<![\w%#.x])-?\d+(?!\w)"), text)
    return None if found is None else _replaced(text, found, rng.choice(_NUMBERS))


def _value(rng: random.Random, text: str) -> str | None:
    found = _pick(rng, _VALUE, text)
    return None if found is None else _replaced(text, found, rng.choice(_VALUE.findall(text)))


def _record(rng: random.Random, text: str) -> str | None:
    """A token of a sharding rule or of propagation edges becomes another one of it."""
    found = _pick(rng, rng.choice([_RULE, _EDGES]), text)
    if found is None:
        return None
    tokens = list(re.finditer(r'"[^"]*"|\w+|->|[^\w\s]', found[0]))
    token, other = rng.choice(tokens), rng.choice(tokens)[0]
    replacement = rng.choice([other, other, "", "i", "j", "z_1", "0", "operand-7", f"{token[0]}, {other}"])
    start = found.start() + token.start()
    return text[:start] + replacement + text[start + len(token[0]) :]


def _line(rng: random.Random, text: str) -> str | None:
    lines = text.split("\n")
    index = rng.randrange(len(lines))
    match rng.randrange(3):
        case 0:
            del lines[index]
        case 1:
            lines.insert(index, lines[index])
        case _:
            other = rng.randrange(len(lines))
            lines[index], lines[other] = lines[other], lines[index]
    return "\n".join(lines)


def _token(rng: random.Random, text: str) -> str | None:
    """Deletes, repeats, exchanges or replaces a token on a line with sdy in it."""
    found = _pick(rng, _TOKEN, text)
    if found is None:
        return None
    match rng.randrange(5):
        case 0:
            return _replaced(text, found, "")
        case 1:
            return _replaced(text, found, f"{found[0]} {found[0]}")
        case 2:
            following = _TOKEN.search(text, found.end())
            if following is None:
                return None
            between = text[found.end() : following.start()]
            return text[: found.start()] + following[0] + between + found[0] + text[following.end() :]
        case 3:
            return _replaced(text, found, rng.choice(list('<>[]{}(),:=?"@#%-')))
        case _:
            tokens = _TOKEN.findall(text)
            return _replaced(text, found, rng.choice(tokens))


_MUTATIONS: list[Mutation] = [
    _axis_name,
    _sub_axis,
    _axes_of_list,
    _axes_of_list,
    _openness,
    _priority,
    _rank,
    _rank,
    _tail,
    _tail,
    _mesh_reference,
    _exchange,
    _discardable,
    _mesh,
    _type,
    _type,
    _same_syntax,
    _number,
    _value,
    _record,
    _line,
    _token,
    _token,
]
