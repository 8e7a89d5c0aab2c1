"""Other spellings of a module: with aliases, locations, further attributes, on fewer lines, in generic form.

`respelled(text, rng)` is the entrance. The functions work on the text; most results mean the same as before, and what
does not parse has to be refused by everybody in the same place.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

Spelling = Callable[[random.Random, str], str]

_LEXEME = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|#sdy(?:\.\w+)?(?=<)')
_BRACKET = re.compile(r'"(?:[^"\\\n]|\\.)*"|->|[<>(){}\[\]]')
_TYPE = re.compile(r"(?<![\w!])tensor<[\w?]*>")
_OP_LINE = re.compile(
    r"^ *(?:%[\w:]+ = )?(?:\"?(?:sdy|stablehlo|chlo|func)\.|return|call|\} : )[^\n]*[\w>)]$", re.MULTILINE
)
_ARGUMENT = re.compile(r"%\w+: tensor<[\w?]*>(?=[,)])")
_DICTIONARY = re.compile(r"\{(?=(?:sdy\.\w+|tag|has_side_effect|sym_visibility)\b)")
_STRIPPED = re.compile(r"(?<==)<@\w+, \[[^\[\]<>]*\][^\[\]<>]*>|(?<=[\[ ])<@\w+, \[[^\[\]<>]*\][^\[\]<>]*>(?=[,\]])")
_UNREGISTERED = re.compile(r'"stablehlo\.(?=(?:add|multiply|negate|abs|sign|log|tanh|exponential|dot|custom_call)"\()')
_AXIS_NAME = re.compile(r'"(\w+)"=\d')

_LOCATIONS = [
    "unknown",
    '"f.py":3:4',
    '"a \\22b\\22"("f.py":3:4)',
    'callsite("callee" at "caller":10:20)',
    'fused["x", "y":1:1]',
    'fused<#sdy.mesh<["a"=2]>>["x"]',
    'fused<{sdy.x = [#sdy<axis_ref "a":(1)2>]}>["x", unknown]',
    '"sdy.reshard %0 <@m, [{}]> // "',
    '"-":1:2',
    "#place",
]
_VALUES = [
    '"sdy.reshard %0 <@m, [{}]> : tensor<8xf32>"',
    '"#sdy.sharding<@m, "',
    '"\\22, sdy.return } // \\\\"',
    '"é → 語"',
    "affine_map<(d0, d1) -> (d1)>",
    "dense<[1, 2]> : tensor<2xi32>",
    "#stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>",
    '[#sdy<axis_ref"a":(1)2>, {k = #sdy.mesh<["a"=2]>}, #sdy<manual_axes {"a"}>]',
    '{sdy.sharding = #sdy.sharding<@nowhere, [{"a"}]>, "sdy.quoted" = 1 : i32}',
    '@outer::@"sdy.mesh"',
    "tensor<8x!stablehlo.token>",
    "(tensor<8xf32>) -> index",
    "array<i64: 1, 2>",
    "#sdy<dim_mapping ijz_1>",
    "#sdy<edge_value_ref result-2>",
    "#sdy<sub_axis_info(1)2>",
    "#sdy<tensor_mapping[ij, k]>",
    '#sdy<dimension_sharding{"a", ?}p1>',
    '#sdy<all_to_all_param_list[{"a"}: 0->1]>',
    "#sdy<list_of_axis_ref_lists[]>",
    "-1.5e3 : f32",
    "loc(#place)",
]


def respelled(text: str, rng: random.Random) -> str:
    """`text` after one to three of the changes below."""
    for spelling in rng.sample(_SPELLINGS, rng.choice([1, 1, 2, 3])):
        text = spelling(rng, text)
    if "#place" in text and "#place =" not in text:
        definition = f"#place = loc({rng.choice(_LOCATIONS[:-1])})"
        text = rng.choice([f"{definition}\n{text}", f"{text}\n{definition}\n"])
    return text


def _attribute_aliases(rng: random.Random, text: str) -> str:
    """Some attributes become aliases, each wherever it occurs."""
    found = sorted({text[start:end] for start, end in _attributes(text)})
    lines = []
    for number, attribute in enumerate(rng.sample(found, min(len(found), rng.choice([1, 2, 4])))):
        alias = f"#{rng.choice(['s', 'sdy_', 'x$', '_'])}{number}"
        text = text.replace(attribute, alias)
        lines.append(f"{alias} = {attribute}\n")
    return "".join(lines) + text


def _whole_attributes(rng: random.Random, text: str) -> str:
    """Some stripped shardings become aliases."""
    found = sorted({match[0] for match in _STRIPPED.finditer(text)})
    lines = []
    for number, sharding in enumerate(rng.sample(found, min(len(found), 2))):
        lines.append(f"#whole{number} = #sdy.sharding{sharding}\n")
        text = re.sub(f"(?<=[=[ ]){re.escape(sharding)}", f"#whole{number}", text)
    return "".join(lines) + text


def _attributes(text: str) -> Iterator[tuple[int, int]]:
    """The extents of the standalone sdy attributes."""
    position = 0
    while (found := _LEXEME.search(text, position)) is not None:
        position = found.end()
        if found[0].startswith("#"):
            depth = 0
            for token in _BRACKET.finditer(text, found.end()):
                depth += (token[0] in "<({[") - (token[0] in ">)}]")
                if not depth and len(token[0]) == 1:
                    position = token.end()
                    yield found.start(), position
                    break


def _type_aliases(rng: random.Random, text: str) -> str:
    """One type becomes an alias."""
    found = sorted(set(_TYPE.findall(text)))
    if not found:
        return text
    chosen = rng.choice(found)
    return f"!t = {chosen}\n" + text.replace(chosen, "!t")


def _locations(rng: random.Random, text: str) -> str:
    """Some ops and arguments get locations."""

    def located(found: re.Match[str]) -> str:
        return f"{found[0]} loc({rng.choice(_LOCATIONS)})" if rng.random() < 0.3 else found[0]

    return _ARGUMENT.sub(located, _OP_LINE.sub(located, text))


def _more_attributes(rng: random.Random, text: str) -> str:
    """Some dictionaries get an entry."""

    def longer(found: re.Match[str]) -> str:
        if rng.random() < 0.5:
            return found[0]
        return f"{{{rng.choice(['note', 'sdy.note', 'z.y'])} = {rng.choice(_VALUES)}, "

    return _DICTIONARY.sub(longer, text)


def _module(rng: random.Random, text: str) -> str:
    """Everything is in a module with attributes."""
    if re.search(r"^[#!]", text, re.MULTILINE):
        return text
    name = rng.choice(["", "@sdy ", '@"sdy.mesh" '])
    return f"module {name}attributes {{sdy.note = {rng.choice(_VALUES)}, x.y = {rng.choice(_VALUES)}}} {{\n{text}\n}}\n"


def _fewer_lines(rng: random.Random, text: str) -> str:
    """Lines are joined, few or all of them."""
    share = rng.choice([0.05, 0.3, 1.0])
    lines = text.split("\n")
    joined = [
        line
        + ("\n" if "//" in line or line.startswith(("#", "!")) or rng.random() > share else rng.choice([" ", "   "]))
        for line in lines
    ]
    return "".join(joined)


def _windows(rng: random.Random, text: str) -> str:
    return text.replace("\n", "\r\n")


def _unicode(rng: random.Random, text: str) -> str:
    """An axis gets a name of other letters."""
    found = sorted(set(_AXIS_NAME.findall(text)))
    return (
        text.replace(f'"{rng.choice(found)}"', rng.choice(['"é"', '"→語"', '"\\C3\\A9"', '"a b"'])) if found else text
    )


def _unregistered(rng: random.Random, text: str) -> str:
    """Ops in generic form become ones of a dialect that nobody knows."""
    return _UNREGISTERED.sub(lambda found: '"unknown.' if rng.random() < 0.7 else found[0], text)


_SPELLINGS: list[Spelling] = [
    _attribute_aliases,
    _attribute_aliases,
    _whole_attributes,
    _type_aliases,
    _locations,
    _locations,
    _more_attributes,
    _module,
    _fewer_lines,
    _fewer_lines,
    _windows,
    _unicode,
    _unregistered,
]
