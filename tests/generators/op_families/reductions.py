"""What reductions combine and start with: bodies of an op or of several, init values that are neutral or odd."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tests.generators.op_instances import tensor


@dataclass(frozen=True)
class Reduction:
    """The element types of operands, the text of the body, and init values as numbers; None for one that is given."""

    elements: Sequence[str]
    region: str
    init_values: Sequence[str | None]

    def starts(self, given: int) -> tuple[list[str], list[tuple[str, str]], str]:
        """Types of further arguments, from `%a<given>` on; names and types of init values; ops that make these."""
        arguments: list[str] = []
        starts: list[tuple[str, str]] = []
        lines: list[str] = []
        for number, (element, value) in enumerate(zip(self.elements, self.init_values, strict=True)):
            type_ = tensor([], element)
            if value is None:
                starts.append((f"%a{given + len(arguments)}", type_))
                arguments.append(type_)
            else:
                starts.append((f"%i{number}", type_))
                lines.append(f"%i{number} = stablehlo.constant dense<{value}> : {type_}")
        return arguments, starts, "\n".join(lines)


NAN = "0x7FC00000"

_OPS = {
    "f32": ("add", "maximum", "minimum"),
    "i32": ("add", "multiply", "maximum", "minimum", "and", "or", "xor"),
    "i1": ("and", "or", "xor"),
    "complex<f32>": ("add",),
}

_INIT_VALUES = {
    "f32": ("0.0", "2.5", "-3.0", "1.0", "-0.0", NAN, "0x7F800000", "0xFF800000", None),
    "i32": ("0", "1", "-1", "5", "-2147483648", "2147483647", None),
    "i1": ("true", "false", None),
    "complex<f32>": ("(0.0, 0.0)", "(2.5, -1.0)", None),
}


def reduction(rng: Random, *, in_order: bool = False) -> Reduction:
    """A reduction of one operand or two; `in_order`: whether it may depend on the order of elements."""
    kind: str = rng.choice(["op", "op", "op", "ops", "pair", "largest", "custom", *(["last"] if in_order else [])])
    if kind in ("op", "ops"):
        return _by_ops([rng.choice(list(_OPS)) for _ in range(2 if kind == "ops" else 1)], rng)
    if kind == "largest":
        values: str = rng.choice(["f32", "i32"])
        numbers = [value for value in _INIT_VALUES[values] if value != NAN]
        return Reduction([values, "i32"], _largest(values), [rng.choice(numbers), rng.choice(["0", "3"])])
    inits = [rng.choice(_INIT_VALUES["i32"]) for _ in range(2 if kind == "pair" else 1)]
    bodies = {"pair": _COMPLEX_PRODUCT, "custom": _ONE_LESS_THAN_PRODUCT, "last": _LAST_NONZERO}
    lines, results = bodies[kind]
    return Reduction(["i32"] * len(inits), _region(["i32"] * len(inits), lines, results), inits)


def _by_ops(elements: Sequence[str], rng: Random) -> Reduction:
    lines = [
        f"%r{i} = stablehlo.{rng.choice(_OPS[element])} %x{i}, %y{i} : {tensor([], element)}"
        for i, element in enumerate(elements)
    ]
    inits = [rng.choice(_INIT_VALUES[element]) for element in elements]
    return Reduction(elements, _region(elements, lines, [f"%r{i}" for i in range(len(elements))]), inits)


_COMPLEX_PRODUCT = (
    [
        "%a = stablehlo.multiply %x0, %y0 : tensor<i32>",
        "%b = stablehlo.multiply %x1, %y1 : tensor<i32>",
        "%c = stablehlo.multiply %x0, %y1 : tensor<i32>",
        "%d = stablehlo.multiply %x1, %y0 : tensor<i32>",
        "%r0 = stablehlo.subtract %a, %b : tensor<i32>",
        "%r1 = stablehlo.add %c, %d : tensor<i32>",
    ],
    ["%r0", "%r1"],
)

_ONE_LESS_THAN_PRODUCT = (
    [
        "%a = stablehlo.multiply %x0, %y0 : tensor<i32>",
        "%b = stablehlo.add %x0, %y0 : tensor<i32>",
        "%r0 = stablehlo.add %a, %b : tensor<i32>",
    ],
    ["%r0"],
)
"""(1 + x)(1 + y) - 1, of which 0 is the neutral element."""

_LAST_NONZERO = (
    [
        "%zero = stablehlo.constant dense<0> : tensor<i32>",
        "%is = stablehlo.compare NE, %y0, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>",
        "%r0 = stablehlo.select %is, %y0, %x0 : tensor<i1>, tensor<i32>",
    ],
    ["%r0"],
)


def _largest(values: str) -> str:
    """The largest of the first operands, and of the second ones that with the lowest number among equals."""
    lines = [
        f"%more = stablehlo.compare GT, %x0, %y0 : (tensor<{values}>, tensor<{values}>) -> tensor<i1>",
        f"%same = stablehlo.compare EQ, %x0, %y0 : (tensor<{values}>, tensor<{values}>) -> tensor<i1>",
        "%before = stablehlo.compare LT, %x1, %y1 : (tensor<i32>, tensor<i32>) -> tensor<i1>",
        "%tie = stablehlo.and %same, %before : tensor<i1>",
        "%first = stablehlo.or %more, %tie : tensor<i1>",
        f"%r0 = stablehlo.select %first, %x0, %y0 : tensor<i1>, tensor<{values}>",
        "%r1 = stablehlo.select %first, %x1, %y1 : tensor<i1>, tensor<i32>",
    ]
    return _region([values, "i32"], lines, ["%r0", "%r1"])


def _region(elements: Sequence[str], lines: Sequence[str], results: Sequence[str]) -> str:
    arguments = [f"%{side}{i}: {tensor([], element)}" for side in "xy" for i, element in enumerate(elements)]
    types = ", ".join(tensor([], element) for element in elements)
    body = "\n  ".join([*lines, f'"stablehlo.return"({", ".join(results)}) : ({types}) -> ()'])
    return f"{{^bb0({', '.join(arguments)}):\n  {body}\n}}"
