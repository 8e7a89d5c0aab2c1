"""Random programs from a seed. Every one of them parses and verifies.

python -m tests.generators.programs 17            # prints the program of seed 17
"""

from __future__ import annotations

import random
import sys

from tests.generators import ops, regions, tangles
from tests.generators.block import Block, Function, Program, Type, indent
from tests.generators.features import Features
from tests.generators.shardings import Shardings

ELEMENTWISE = frozenset([*ops.UNARY_FLOAT, *ops.BINARY, *ops.BINARY_FLOAT, "compare", "select", "clamp", "convert"])
DOTS = frozenset(["dot", "dot_general"])
LAYOUT = frozenset(
    ["broadcast_in_dim", "concatenate", "dynamic_slice", "dynamic_update_slice", "iota", "pad", "reshape", "reverse"]
) | {"slice", "transpose"}
SDY = frozenset(["sharding_constraint", "reshard", "propagation_barrier", "sharding_group"])
REGIONS = frozenset(regions.REGIONS)
REGISTERED = frozenset(["registered_op"])
"""Ops of every kind that has a sharding rule, with types that suit them but hardly the rest of the program."""

ALL = (frozenset(ops.KINDS) | REGIONS) - REGISTERED

_SHARES = {ELEMENTWISE: 6, DOTS: 4, LAYOUT: 6, SDY: 4, REGIONS: 3}
"""How often a group of kinds is drawn, against 8 for all the other kinds together."""


def generate(seed: int | random.Random, features: Features = Features()) -> str:  # noqa: B008 - immutable
    """The text of a module with a `main` function and up to three others that it may call."""
    rng = seed if isinstance(seed, random.Random) else random.Random(seed)
    if features.tangled:
        return tangles.generate(rng)
    program = Program(rng, features, Shardings(rng, features), _kinds(features))
    counts = [1, 2, 3] if "call" in features.focus else [0, 0, 1, 2, 3]
    for index in range(rng.choice(counts) if features.calls else 0):
        program.functions.append(_function(program, f"f{index}" if index else "foo", max(features.max_ops // 2, 1)))
    if features.odd_functions:
        program.functions += [_declaration(program, f"declared{i}") for i in range(rng.randint(0, 2))]
    main = _function(program, "main", features.max_ops)
    functions = [main, *program.functions]
    rng.shuffle(functions)
    lines = [*program.shardings.declarations(), *(function.text for function in functions)]
    return "\n".join(["module {", *indent(lines), "}"]) + "\n"


def _kinds(features: Features) -> list[str]:
    """The kinds to draw from, repeated by their shares."""
    wanted = features.ops if features.ops is not None else ALL
    out: list[str] = []
    left = sorted(wanted)
    for group, share in _SHARES.items():
        members = sorted(group & wanted)
        out += [members[i % len(members)] for i in range(share * 20)] if members else []
        left = [name for name in left if name not in group]
    if left:
        out += [left[i % len(left)] for i in range(160)]
    focus = sorted(features.focus)
    return out + [focus[i % len(focus)] for i in range(len(out))] if focus else out


def _function(program: Program, name: str, max_ops: int) -> Function:
    rng, function = program.rng, Function(name)
    if program.features.odd_functions and name != "main" and rng.random() < 0.3:
        body = Block(program, owner=function)
        body.constant(_type(program, static=True))
    else:
        body = Block(program, function=function)
        for _ in range(rng.randint(1, 3)):
            body.argument(_type(program))
    regions.fill(body, rng.randint(1, max_ops))
    count = rng.randint(1, 3) if name == "main" else rng.randint(1, 2)
    results = [value for value in (body.pick(lambda t: t.shape is not None) for _ in range(count)) if value is not None]
    function.results = [value.type for value in results]
    arguments = ", ".join(f"{a.name}: {a.type}{_attribute(body, a.type)}" for a in function.arguments)
    outputs = ", ".join(f"{type_}{_attribute(body, type_)}" for type_ in function.results)
    visibility = "" if name == "main" or rng.random() < 0.1 else "private "
    lines = indent([*body.lines, regions.returned(results, "func.return")])
    function.text = "\n".join([f"func.func {visibility}@{name}({arguments}) -> ({outputs}) {{", *lines, "}"])
    return function


def _declaration(program: Program, name: str) -> Function:
    """A function without a body."""
    rng, function = program.rng, Function(name)
    block = Block(program, function=function)
    for _ in range(rng.randint(0, 2)):
        block.argument(_type(program))
    function.results = [_type(program) for _ in range(rng.randint(1, 2))]
    arguments = ", ".join(f"{a.type}{_attribute(block, a.type)}" for a in function.arguments)
    outputs = ", ".join(f"{type_}{_attribute(block, type_)}" for type_ in function.results)
    function.text = f"func.func private @{name}({arguments}) -> ({outputs})"
    return function


def _attribute(body: Block, type_: Type) -> str:
    if body.rng.random() < 0.5:
        return ""
    return f" {{sdy.sharding = #sdy.sharding{body.sharding(type_, of_argument=True)}}}"


def _type(program: Program, *, static: bool = False) -> Type:
    rng = program.rng
    shape = tuple(rng.choice([1, 2, 3, 4, 4, 6, 8, 8, 8, 12, 16]) for _ in range(rng.choice([0, 1, 2, 2, 2, 3, 4])))
    element = rng.choice(["f32"] * 8 + ["bf16", "i32", "i1", "ui32"])
    if program.features.dynamic and not static and shape and rng.random() < 0.3:
        return Type(tuple(None if rng.random() < 0.4 else d for d in shape), element)
    return Type(shape, element)


if __name__ == "__main__":
    print(generate(int(sys.argv[1])), end="")
