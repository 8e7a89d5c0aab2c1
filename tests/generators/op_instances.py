"""Random valid instances of ops, as StableHLO text; the same seed always gives the same ones.

    instances = random_instances(300, seed=0)      # of all kinds in turn
    module_of(instances)                           # one function per instance

How the types and attributes of a kind of op are drawn is in `tests.generators.op_families`, which has to be imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random

Shape = list[int]


@dataclass(frozen=True)
class OpInstance:
    """One op: its name, the types of its operands and results, and the text of its attributes and regions.

    The operands are the arguments of the function around it, `%a0`, `%a1`, ..., unless given as pairs of name and type
    after ops `before` it. Ops `after` it may use its results `%r#0`, `%r#1`, ...
    """

    name: str
    arguments: Sequence[str]
    results: Sequence[str]
    attributes: str = ""
    regions: str = ""
    operands: Sequence[tuple[str, str]] | None = None
    before: str = ""
    after: str = ""

    def function(self, symbol: str) -> str:
        """Text of a function that holds the op."""
        arguments = [(f"%a{number}", type_) for number, type_ in enumerate(self.arguments)]
        operands = arguments if self.operands is None else self.operands
        names = ", ".join(name for name, _ in operands)
        types = ", ".join(type_ for _, type_ in operands)
        bound = f"%r:{len(self.results)} = " if self.results else ""
        regions = f" ({self.regions})" if self.regions else ""
        lines = [
            f"func.func @{symbol}({', '.join(f'{name}: {type_}' for name, type_ in arguments)}) {{",
            self.before,
            f'{bound}"{self.name}"({names}){regions} {{{self.attributes}}} : ({types}) -> ({", ".join(self.results)})',
            self.after,
            "return",
            "}",
        ]
        return "\n".join(line for line in lines if line) + "\n"


Generator = Callable[[Random, str], OpInstance]
"""Draws an instance of the op (or custom call) of that name."""

GENERATORS: dict[str, Generator] = {}
"""By kind: the full name of an op, or the target of a custom call."""


def generator(*kinds: str) -> Callable[[Generator], Generator]:
    """Declares the decorated function to draw ops of these kinds; names without a dialect are those of StableHLO."""

    def register(function: Generator) -> Generator:
        GENERATORS.update(dict.fromkeys(kinds, function))
        return function

    return register


def random_instance(kind: str, seed: int) -> OpInstance:
    return GENERATORS[kind](Random(f"{kind} {seed}"), kind)


def random_instances(count: int, seed: int) -> list[OpInstance]:
    """`count` instances, of all kinds in turn."""
    kinds = list(GENERATORS)
    start = seed * count
    return [random_instance(kinds[number % len(kinds)], number) for number in range(start, start + count)]


def module_of(instances: Iterable[OpInstance]) -> str:
    """A module with the functions `@f0`, `@f1`, ... of the instances."""
    return "".join(instance.function(f"f{number}") for number, instance in enumerate(instances))


# Text of types and attributes --------------------------------------------------------------------


def tensor(shape: Iterable[int], element_type: str = "f32") -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element_type}>"


def array(values: Iterable[int | bool], element_type: str = "i64") -> str:
    """A dense array attribute."""
    texts = [str(value).lower() for value in values]
    return f"array<{element_type}: {', '.join(texts)}>" if texts else f"array<{element_type}>"


def pairs(values: Sequence[tuple[int, int]]) -> str:
    """An Nx2 attribute, as paddings are."""
    elements = ", ".join(f"[{low}, {high}]" for low, high in values)
    return f"dense<{f'[{elements}]' if elements else ''}> : tensor<{len(values)}x2xi64>"


def combiner(op: str, element_type: str = "f32", terminator: str = "stablehlo.return") -> str:
    """A region that combines two scalars by `op`."""
    scalar = tensor([], element_type)
    return (
        f"{{^bb0(%x: {scalar}, %y: {scalar}):\n  %z = {op} %x, %y : {scalar}\n"
        f'  "{terminator}"(%z) : ({scalar}) -> ()\n}}'
    )
