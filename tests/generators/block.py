"""The values that an op may use, and the text of the ops drawn so far."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from sdy.dialect.values.sharding import TensorSharding
from tests.generators.features import Features
from tests.generators.shardings import Shardings

Shape = tuple[int | None, ...]

FLOATS = ("f32", "bf16", "f64")
INTEGERS = ("i32", "ui32", "i8")

ROUNDED = frozenset(
    [f"chlo.{name}" for name in "atanh erf lgamma sinh".split()]
    + [
        f"stablehlo.{name}"
        for name in (
            "atan2 cbrt cosine divide exponential exponential_minus_one log log_plus_one logistic power rsqrt sine "
            "sqrt tan tanh batch_norm_grad batch_norm_inference batch_norm_training cholesky fft triangular_solve"
        ).split()
    ]
)
"""Ops whose results are rounded, and not always in the same way where their operands are split: of numbers that ought
to be equal, as lgamma(1) and lgamma(2), either may be the larger."""


@dataclass(frozen=True)
class Type:
    """A ranked tensor (None: a dynamic dimension), or a token."""

    shape: Shape | None
    element: str = "f32"

    def __str__(self) -> str:
        if self.shape is None:
            return "!stablehlo.token"
        return f"tensor<{''.join('?x' if d is None else f'{d}x' for d in self.shape)}{self.element}>"

    @property
    def rank(self) -> int:
        return len(self.static)

    @property
    def static(self) -> tuple[int, ...]:
        """The dimensions of a tensor without dynamic ones."""
        assert self.shape is not None
        sizes = tuple(d for d in self.shape if d is not None)
        assert len(sizes) == len(self.shape)
        return sizes

    @property
    def is_static(self) -> bool:
        return self.shape is not None and None not in self.shape

    @property
    def is_float(self) -> bool:
        return self.shape is not None and self.element in FLOATS

    @property
    def is_integer(self) -> bool:
        return self.shape is not None and self.element in INTEGERS

    def of(self, element: str) -> Type:
        return Type(self.shape, element)


TOKEN = Type(None)

_NAMES = re.compile(r"\b(?:chlo|stablehlo)\.\w+")
_VALUES = re.compile(r"%\w+(?:#\d+)?")


@dataclass(frozen=True)
class Value:
    """An SSA value."""

    name: str
    type: Type


@dataclass
class Program:
    """What all blocks of one program share."""

    rng: Random
    features: Features
    shardings: Shardings
    kinds: Sequence[str]
    functions: list[Function] = field(default_factory=list)
    numbers: int = 0
    groups: dict[int, tuple[Shape, object]] = field(default_factory=dict)
    grouped: set[str] = field(default_factory=set)
    rounded: set[str] = field(default_factory=set)

    def number(self) -> int:
        self.numbers += 1
        return self.numbers - 1


@dataclass
class Function:
    """A `func.func`; its arguments may be added while its body is drawn."""

    name: str
    arguments: list[Value] = field(default_factory=list)
    results: list[Type] = field(default_factory=list)
    text: str = ""
    axis_names: set[str] = field(default_factory=set)


class Block:
    """A block under construction.

    Attributes:
      forbidden: axes that are manual here.
      scope: the enclosing manual computation, or None.
      function: the function that may get further arguments; None inside an isolated region.
    """

    def __init__(
        self,
        program: Program,
        *,
        outer: Block | None = None,
        arguments: Iterable[Value] = (),
        forbidden: frozenset[str] = frozenset(),
        scope: object = None,
        function: Function | None = None,
        owner: Function | None = None,
        depth: int = 0,
    ) -> None:
        self.program = program
        self.rng = program.rng
        self.features = program.features
        self.outer = outer
        self.values = list(arguments)
        self.lines: list[str] = []
        self.forbidden = forbidden
        self.scope = scope
        self.function = function
        self.owner = owner or function
        self.depth = depth

    # Values --------------------------------------------------------------------------------------

    def visible(self) -> list[Value]:
        """Values that an op here may use, the latest last."""
        return (self.outer.visible() if self.outer else []) + self.values

    def pick(self, accept: Callable[[Type], bool] = lambda _: True) -> Value | None:
        """A value whose type is accepted, preferably a recent one."""
        values = [value for value in self.visible() if accept(value.type)]
        if not values:
            return None
        position = int(len(values) * self.rng.random() ** 0.6)
        return values[position]

    def tensor(self, shape: Sequence[int | None], element: str = "f32") -> Value:
        """A value of exactly that type: an existing one, a new function argument, or a new constant or iota."""
        type_ = Type(tuple(shape), element)
        found = self.pick(lambda other: other == type_) if self.rng.random() < 0.8 else None
        if found is not None:
            return found
        if self.function is not None and (not type_.is_static or self.rng.random() < 0.5):
            return self.argument(type_)
        if not type_.is_static:
            return self.dynamic(type_)
        if shape and element in ("f32", "i32") and self.rng.random() < 0.3:
            return self.op("stablehlo.iota", [], [type_], [f"iota_dimension = {self.rng.randrange(len(shape))} : i64"])
        return self.constant(type_)

    def argument(self, type_: Type) -> Value:
        """A new argument of the function."""
        assert self.function is not None
        value = Value(f"%arg{self.program.number()}", type_)
        self.function.arguments.append(value)
        root = self
        while root.outer is not None:
            root = root.outer
        root.values.insert(len(self.function.arguments) - 1, value)
        return value

    def dynamic(self, type_: Type) -> Value:
        """A value of a type with dynamic dimensions, from a static one."""
        shape = tuple(4 if d is None else d for d in type_.shape or ())
        return self.op("stablehlo.convert", [self.tensor(shape, type_.element)], [type_])

    def constant(self, type_: Type) -> Value:
        """A `stablehlo.constant`, or an `sdy.constant`."""
        rng, count = self.rng, 1
        for size in type_.static:
            count *= size
        splat = count == 0 or count > 6 or rng.random() < 0.7 or type_.rank != 1
        values = [self.literal(type_.element) for _ in range(1 if splat else count)]
        dense = f"dense<{values[0] if splat else '[' + ', '.join(values) + ']'}>" if count else "dense<>"
        name = "sdy.constant" if self.features.constants and rng.random() < 0.2 else "stablehlo.constant"
        result = Value(f"%{self.program.number()}", type_)
        attributes = self.attributes(self.annotation([type_]))
        self.lines.append(f"{result.name} = {name}{attributes} {dense} : {type_}")
        self.values.append(result)
        return result

    def literal(self, element: str) -> str:
        if element == "i1":
            return self.rng.choice(["true", "false"])
        number = self.rng.randrange(4)
        if element.startswith("complex"):
            return f"({number}.0, 1.0)"
        return f"{number}.0" if element.startswith(("f", "bf")) else str(number)

    def token(self) -> Value:
        found = self.pick(lambda other: other == TOKEN)
        return found or self.op("stablehlo.create_token", [], [TOKEN])

    # Ops -----------------------------------------------------------------------------------------

    def op(
        self,
        name: str,
        operands: Sequence[Value],
        results: Sequence[Type],
        attributes: Iterable[str] = (),
        regions: Sequence[str] = (),
        *,
        annotate: bool = True,
    ) -> Value:
        """Appends an op in generic form; the first result is returned, all are in scope."""
        return self.ops(name, operands, results, attributes, regions, annotate=annotate)[0]

    def ops(
        self,
        name: str,
        operands: Sequence[Value],
        results: Sequence[Type],
        attributes: Iterable[str] = (),
        regions: Sequence[str] = (),
        *,
        annotate: bool = True,
    ) -> list[Value]:
        """Appends an op in generic form; all its results."""
        values = self.results(results)
        listed = [*attributes, *(self.annotation(results) if annotate else [])]
        inputs = ", ".join(value.name for value in operands)
        signature = functional(operands, results)
        body = f" ({', '.join(regions)})" if regions else ""
        self.lines.append(f'{left_hand_side(values)}"{name}"({inputs}){body}{self.attributes(listed)} : {signature}')
        self.values += values
        text = " ".join([inputs, *regions])
        if name in ROUNDED or ROUNDED & set(_NAMES.findall(text)) or self.program.rounded & set(_VALUES.findall(text)):
            self.program.rounded.update(value.name for value in values)
        return values

    def exact(self, value: Value) -> Value:
        """That value, or a new one of its type if it is computed from what is rounded, as far as can be seen here."""
        if value.name not in self.program.rounded:
            return value
        return self.argument(value.type) if self.function is not None else self.constant(value.type)

    def results(self, types: Sequence[Type]) -> list[Value]:
        """Names for the results of one op."""
        number = self.program.number()
        if len(types) == 1:
            return [Value(f"%{number}", types[0])]
        return [Value(f"%{number}#{i}", type_) for i, type_ in enumerate(types)]

    def attributes(self, listed: Iterable[str]) -> str:
        text = ", ".join(listed)
        return f" {{{text}}}" if text else ""

    def annotation(self, results: Sequence[Type]) -> list[str]:
        """With the chance of `Features.annotated` an `sdy.sharding` for the results."""
        if not results or self.rng.random() >= self.features.annotated:
            return []
        shardings = ", ".join(str(self.sharding(type_)) for type_ in results)
        return [f"sdy.sharding = #sdy.sharding_per_value<[{shardings}]>"]

    def sharding(self, type_: Type, *, of_argument: bool = False) -> TensorSharding:
        """A random sharding for a value of that type at this place."""
        drawn = self.program.shardings.sharding(type_.shape, self.forbidden, of_argument=of_argument)
        return self.note(drawn)

    def note(self, sharding: TensorSharding) -> TensorSharding:
        """Records which axes the function uses, since it must not be called where they are manual."""
        if self.owner is not None:
            self.owner.axis_names.update(axis.name for axis in sharding.axis_refs())
        return sharding

    def nested(self, **changes: Any) -> Block:
        """A block inside an op of this one; it sees our values unless `outer` is set to None."""
        arguments: dict[str, Any] = {
            "outer": self,
            "forbidden": self.forbidden,
            "scope": self.scope,
            "function": self.function,
            "owner": self.owner,
            "depth": self.depth + 1,
        }
        return Block(self.program, **(arguments | changes))


def left_hand_side(values: Sequence[Value]) -> str:
    """``%3 = ``, ``%3:2 = `` or nothing."""
    if not values:
        return ""
    base = values[0].name.split("#")[0]
    return f"{base} = " if len(values) == 1 else f"{base}:{len(values)} = "


def functional(operands: Sequence[Value], results: Sequence[Type]) -> str:
    outputs = ", ".join(map(str, results))
    return f"({', '.join(str(v.type) for v in operands)}) -> {outputs if len(results) == 1 else f'({outputs})'}"


def region(block_arguments: Sequence[Value], lines: Sequence[str], terminator: str) -> str:
    """The text of a region with one block."""
    header = f"^bb0({', '.join(f'{value.name}: {value.type}' for value in block_arguments)}):"
    return "\n".join(["{", *([header] if block_arguments else []), *lines, terminator, "}"])


def indent(lines: Iterable[str]) -> list[str]:
    return ["  " + part for line in lines for part in line.split("\n")]
