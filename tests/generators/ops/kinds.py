"""What the files of this package share: the table of kinds, and how operands are chosen and attributes written."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.generators.block import Block, Type, Value, region

Emit = Callable[[Block], object]

KINDS: dict[str, Emit] = {}
"""All kinds by name. A function does nothing where it finds no suitable operand."""

MAX_SIZE = 2048
"""Elements that a result may have."""


def kind(*names: str) -> Callable[[Emit], Emit]:
    def register(emit: Emit) -> Emit:
        KINDS.update(dict.fromkeys(names, emit))
        return emit

    return register


def static_tensor(type_: Type) -> bool:
    return type_.is_static


def floating(type_: Type) -> bool:
    return type_.is_static and type_.is_float


def with_rank(minimum: int, accept: Callable[[Type], bool] = static_tensor) -> Callable[[Type], bool]:
    return lambda type_: accept(type_) and type_.rank >= minimum


def i64s(values: Sequence[int]) -> str:
    """``array<i64: 1, 2>``."""
    return f"array<i64{': ' if values else ''}{', '.join(map(str, values))}>"


def scalar_region(element: str, name: str, inputs: int = 1) -> str:
    """The body of a reduction: `name` applied to accumulator and element, for each of the inputs."""
    scalar = Type((), element)
    arguments = [Value(f"%s{i}", scalar) for i in range(2 * inputs)]
    lines = [f"%r{i} = {name} %s{i}, %s{i + inputs} : {scalar}" for i in range(inputs)]
    values = ", ".join(f"%r{i}" for i in range(inputs))
    types = ", ".join([str(scalar)] * inputs)
    return region(arguments, lines, f"stablehlo.return {values} : {types}")


def neutral(b: Block, element: str, reduction: str) -> Value:
    """A constant that a reduction by add, maximum or minimum may start with."""
    infinity = {"bf16": "7F80", "f32": "7F800000", "f64": "7FF0000000000000"}
    if element in infinity:
        negative = f"0xF{infinity[element][1:]}"
        value = {"add": "0.0", "minimum": f"0x{infinity[element]}", "maximum": negative}[reduction]
    elif element.startswith("complex"):
        value = "(0.0, 0.0)"
    elif element == "i1":
        value = "false"
    else:
        value = {"add": "0", "minimum": str(2**31 - 1), "maximum": str(-(2**31))}[reduction]
    type_ = Type((), element)
    return b.op("stablehlo.constant", [], [type_], [f"value = dense<{value}> : {type_}"], annotate=False)
