"""Local programs in which tensors are gathered for a product, or sums of products over devices are scattered."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

Rows = tuple[tuple[int, ...], ...]

PATTERNS = ("gather free", "gather contracted", "gather batch", "scatter free", "scatter batch", "all_reduce")

GROUPS: tuple[Rows, ...] = (
    ((0, 1), (2, 3), (4, 5), (6, 7)),
    ((0, 4), (1, 5), (2, 6), (3, 7)),
    ((0, 1, 2, 3), (4, 5, 6, 7)),
    ((0, 2, 4, 6), (1, 3, 5, 7)),
    ((3, 0, 6, 5), (1, 7, 2, 4)),
    ((0, 1, 2, 3, 4, 5, 6, 7),),
    ((7, 5, 3, 1, 0, 2, 4, 6),),
    ((0, 2, 1), (5, 4, 3)),
    ((0, 1, 2), (3, 4, 5)),
    ((0, 1, 2, 3, 4),),
)
"""Devices side by side, far from one another, in odd orders; of 8, 6 and 5 devices."""

_EXACT = {"i32": "i32", "i8": "i8", "ui32": "ui32", "f32": "f32", "bf16": "f32", "f16": "f32", "f64": "f32"}
"""Element types, and those in which inputs and outputs of programs have them."""


@dataclass
class Case:
    """Lines of a function, what it takes and what it gives: types as text.

    `saved` are bytes that each device need not send: what is gathered is converted to a narrower type afterwards.
    """

    pattern: str
    element: str
    groups: Rows
    arguments: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    result: str = ""
    saved: int = 0

    @property
    def size(self) -> int:
        return len(self.groups[0])


@dataclass
class _Dot:
    """Sizes of the dimensions of a product by their roles."""

    batch: list[int]
    contracted: list[int]
    free: tuple[list[int], list[int]]


def case(rng: Random, pattern: str, element: str, groups: Rows, *, links: bool = True) -> Case:
    """A program of that pattern with dimensions in random places; with `links` converts and transposes in between."""
    made = Case(pattern, element, groups)
    _Writer(rng, made, links).write()
    return made


def function(cases: Sequence[Case]) -> str:
    """A module whose @main holds all cases side by side."""
    arguments = [
        f"%c{number}_{at}: {type_}" for number, one in enumerate(cases) for at, type_ in enumerate(one.arguments)
    ]
    lines = [line.replace("%", f"%c{number}_") for number, one in enumerate(cases) for line in one.lines]
    results = [one.result for one in cases]
    values = [f"%c{number}_result" for number in range(len(cases))]
    newline = "\n  "
    return f"""func.func @main({", ".join(arguments)}) -> ({", ".join(results)}) {{
  {newline.join(lines)}
  return {", ".join(values)} : {", ".join(results)}
}}
"""


def tensor(shape: Sequence[int], element: str) -> str:
    return f"tensor<{'x'.join(map(str, [*shape, element]))}>"


class _Writer:
    def __init__(self, rng: Random, case: Case, links: bool) -> None:
        self.rng, self.case, self.links = rng, case, links
        self.values = 0

    def write(self) -> None:
        rng, pattern, size = self.rng, self.case.pattern, self.case.size
        sizes = lambda least, most: [rng.randint(1, 3) for _ in range(rng.randint(least, most))]  # noqa: E731
        dot = _Dot(
            sizes(1 if "batch" in pattern else 0, 2),
            sizes(1, 2),
            (sizes(1 if "all_reduce" in pattern or "free" in pattern else 0, 2), sizes(0, 2)),
        )
        role = {"free": dot.free[0], "batch": dot.batch, "contracted": dot.contracted}.get(
            pattern.split()[-1], dot.free[0]
        )
        at = rng.randrange(len(role))
        if pattern.startswith("gather"):
            self._gather(dot, role, at)
        else:
            role[at] *= size
            self._scatter(dot, role, at)

    # Products ----------------------------------------------------------------------------------------

    def _gather(self, dot: _Dot, role: list[int], at: int) -> None:
        block = role[at]
        role[at] *= self.case.size
        side = self.rng.randrange(2) if role is dot.batch or role is dot.contracted else 0
        dims = self._layout(dot)
        shape, gathered = self._shape(dot, dims[side], side), dims[side].index((id(role), at))
        shape[gathered] = block
        value, _ = self._argument(shape)
        value = self._gathered(value, shape, gathered)
        whole = self._shape(dot, dims[side], side)
        value = self._there_and_back(value, whole)
        other, other_type = self._argument(self._shape(dot, dims[1 - side], 1 - side))
        types = [(value, tensor(whole, self.case.element)), (other, other_type)]
        pair = types if side == 0 else types[::-1]
        self._finish(*self._dot(dot, dims, pair))

    def _scatter(self, dot: _Dot, role: list[int], at: int) -> None:
        dims = self._layout(dot)
        pair = [self._argument(self._shape(dot, dims[side], side)) for side in (0, 1)]
        value, shape = self._dot(dot, dims, pair)
        order = [(id(dot.batch), i) for i in range(len(dot.batch))]
        order += [key for side in (0, 1) for key in dims[side] if key[0] == id(dot.free[side])]
        dim = order.index((id(role), at))
        if self.links and self.rng.random() < 0.5:
            permutation = self.rng.sample(range(len(shape)), len(shape))
            old, shape, dim = shape, [shape[each] for each in permutation], permutation.index(dim)
            value = self._line(
                f"stablehlo.transpose {value}, dims = {permutation} : "
                f"({tensor(old, self.case.element)}) -> {tensor(shape, self.case.element)}"
            )
        self._finish(*self._reduced(value, shape, dim))

    def _layout(self, dot: _Dot) -> list[list[tuple[int, int]]]:
        """For each operand the roles of its dimensions in their order."""
        found = []
        for side in (0, 1):
            keys = [(id(each), i) for each in (dot.batch, dot.contracted, dot.free[side]) for i in range(len(each))]
            found.append(self.rng.sample(keys, len(keys)))
        return found

    def _shape(self, dot: _Dot, keys: list[tuple[int, int]], side: int) -> list[int]:
        roles = {id(each): each for each in (dot.batch, dot.contracted, dot.free[side])}
        return [roles[role][i] for role, i in keys]

    def _dot(self, dot: _Dot, dims: list[list[tuple[int, int]]], pair: list[tuple[str, str]]) -> tuple[str, list[int]]:
        def places(role: list[int]) -> str:
            both = [[dims[side].index((id(role), i)) for i in range(len(role))] for side in (0, 1)]
            return f"{both[0]} x {both[1]}"

        free = [dot.free[side][i] for side in (0, 1) for role, i in dims[side] if role == id(dot.free[side])]
        shape = [*dot.batch, *free]
        batching = f"batching_dims = {places(dot.batch)}, " if dot.batch else ""
        (left, left_type), (right, right_type) = pair
        line = (
            f"stablehlo.dot_general {left}, {right}, {batching}contracting_dims = {places(dot.contracted)} : "
            f"({left_type}, {right_type}) -> {tensor(shape, self.case.element)}"
        )
        return self._line(line), shape

    # Collectives -------------------------------------------------------------------------------------

    def _attributes(self) -> str:
        rows, size = self.case.groups, self.case.size
        groups = f"dense<{[list(row) for row in rows]}> : tensor<{len(rows)}x{size}xi64>"
        return (
            f"replica_groups = {groups}, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, "
            "use_global_device_ids"
        )

    def _gathered(self, value: str, shape: list[int], dim: int) -> str:
        element = self.case.element
        if self.links and element == "bf16" and self.rng.random() < 0.5:
            value = self._convert(value, shape, element, "f32")
            element = "f32"
            self.case.saved += (self.case.size - 1) * math.prod(shape) * 2
        after = [*shape]
        after[dim] *= self.case.size
        value = self._line(
            f'"stablehlo.all_gather"({value}) <{{all_gather_dim = {dim} : i64, {self._attributes()}}}> : '
            f"({tensor(shape, element)}) -> {tensor(after, element)}"
        )
        if element != self.case.element:
            value = self._convert(value, after, element, self.case.element)
        return value

    def _reduced(self, value: str, shape: list[int], dim: int) -> tuple[str, list[int]]:
        element = self.case.element
        after = [*shape]
        is_scatter = self.case.pattern.startswith("scatter")
        if is_scatter:
            after[dim] //= self.case.size
        name = f"scatter_dimension = {dim} : i64, " if is_scatter else ""
        scalar = tensor([], element)
        value = self._line(
            f'"stablehlo.{"reduce_scatter" if is_scatter else "all_reduce"}"({value}) '
            f"<{{{name}{self._attributes()}}}> ({{ ^bb0(%a: {scalar}, %b: {scalar}): "
            f"%s = stablehlo.add %a, %b : {scalar} stablehlo.return %s : {scalar} }}) : "
            f"({tensor(shape, element)}) -> {tensor(after, element)}"
        )
        return value, after

    # Links -------------------------------------------------------------------------------------------

    def _there_and_back(self, value: str, shape: list[int]) -> str:
        """Transposed twice, so that the dimensions are where they have been."""
        if not self.links or self.rng.random() < 0.5:
            return value
        permutation = self.rng.sample(range(len(shape)), len(shape))
        inverse = [permutation.index(each) for each in range(len(shape))]
        moved = [shape[each] for each in permutation]
        element = self.case.element
        value = self._line(
            f"stablehlo.transpose {value}, dims = {permutation} : "
            f"({tensor(shape, element)}) -> {tensor(moved, element)}"
        )
        return self._line(
            f"stablehlo.transpose {value}, dims = {inverse} : ({tensor(moved, element)}) -> {tensor(shape, element)}"
        )

    def _argument(self, shape: list[int]) -> tuple[str, str]:
        element, outer = self.case.element, _EXACT[self.case.element]
        self.case.arguments.append(tensor(shape, outer))
        value = f"%{len(self.case.arguments) - 1}"
        return self._convert(value, shape, outer, element), tensor(shape, element)

    def _finish(self, value: str, shape: list[int]) -> None:
        element, outer = self.case.element, _EXACT[self.case.element]
        self.case.result = tensor(shape, outer)
        self.case.lines.append(
            f"%result = stablehlo.convert {value} : ({tensor(shape, element)}) -> {tensor(shape, outer)}"
        )

    def _convert(self, value: str, shape: list[int], source: str, target: str) -> str:
        if source == target:
            return value
        return self._line(f"stablehlo.convert {value} : ({tensor(shape, source)}) -> {tensor(shape, target)}")

    def _line(self, text: str) -> str:
        self.values += 1
        self.case.lines.append(f"%v{self.values} = {text}")
        return f"%v{self.values}"
