"""The examples of XLA's document, damaged (spec: async, A4)."""

from __future__ import annotations

import random
import re

from tests.hlo.document import EXAMPLES

_TOKEN = re.compile(r"[\w.\-%]+|\s+|.", re.DOTALL)
_CHARACTERS = "(){}[],=%\"'/*-><:. \n\t\\0a9_~é\x00"
_WORDS = (
    'ROOT ENTRY HloModule async-start async-done async-update parameter(0) calls= f32[64] s32[] () (( )) {} /* // " '
    "%op f32 token[] f32[99999999999999999999999] f32[-1] b(f32[8]) -> = ; parameter(99999999999) constant({ "
    "negate-start parameter-start constant-start async-start-start all-gather-start copy-start-start calls={ "
    "to_apply=%async_op"
).split()


def damaged(seed: int) -> str:
    """One example with a character or token lost, doubled, exchanged, or put in."""
    pick = random.Random(seed)
    text = pick.choice(list(EXAMPLES.values()))
    if pick.random() < 0.5:
        place = pick.randrange(len(text))
        return text[:place] + pick.choice(["", pick.choice(_CHARACTERS), text[place] * 2]) + text[place + 1 :]
    tokens = _TOKEN.findall(text)
    place = pick.randrange(len(tokens))
    match pick.randrange(4):
        case 0:
            del tokens[place]
        case 1:
            tokens.insert(place, pick.choice(tokens))
        case 2:
            tokens[place] = pick.choice(_WORDS)
        case _:
            tokens = tokens[:place]
    return "".join(tokens)
