"""Random programs in which partial results are added up, sliced, moved and carried around loops.

Numbers stay small and whole, so that sums are exact in any order.
"""

from __future__ import annotations

import random

SIZE = 8
TYPE = f"tensor<{SIZE}x{SIZE}xf32>"
_AXES = ("x", "y")
_BODY = "applies stablehlo.add"


def generate(seed: int, *, ops: int = 12) -> str:
    """A module with @main on a 4x2 mesh; some values have shardings, from which the others follow."""
    return _Program(random.Random(seed)).text(ops)


class _Program:
    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._lines: list[str] = []
        self._values = ["%a", "%b", "%c"]
        self._count = 0
        self._indent = "  "

    def text(self, ops: int) -> str:
        arguments = ", ".join(f"{name}: {TYPE} {self._attribute()}" for name in self._values)
        for _ in range(ops):
            self._op()
        results = self._rng.sample(self._values, k=min(3, len(self._values)))
        types = ", ".join([TYPE] * len(results))
        signature = ", ".join(f"{TYPE} {self._attribute()}" for _ in results)
        body = "\n".join(self._lines)
        return (
            'sdy.mesh @mesh = <["x"=4, "y"=2]>\n'
            f"func.func @main({arguments}) -> ({signature}) {{\n"
            f"  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
            f"{body}\n  return {', '.join(results)} : {types}\n}}\n"
        )

    # Shardings -----------------------------------------------------------------------------------

    def _attribute(self) -> str:
        return f"{{sdy.sharding = #sdy.sharding<@mesh, {self._dims()}>}}" if self._rng.random() < 0.8 else ""

    def _dims(self) -> str:
        dims: list[list[str]] = [[], []]
        for axis in self._rng.sample(_AXES, k=len(_AXES)):
            if self._rng.random() < 0.6:
                self._rng.choice(dims).append(f'"{axis}"')
        return f"[{', '.join('{' + ', '.join(axes) + '}' for axes in dims)}]"

    # Ops -----------------------------------------------------------------------------------------

    def _new(self, text: str) -> str:
        name = f"%{self._count}"
        self._count += 1
        self._lines.append(f"{self._indent}{name} = {text}")
        return name

    def _any(self) -> str:
        """A value, more likely one of the last."""
        return self._rng.choice(self._values if self._rng.random() < 0.3 else self._values[-4:])

    def _op(self) -> None:
        kinds = [self._partial, self._partial, self._linear, self._linear, self._linear, self._part, self._other]
        if self._indent == "  ":
            kinds += [self._constraint, self._loop]
        self._rng.choice(kinds)()

    def _keep(self, text: str) -> None:
        self._values.append(self._new(text))

    def _partial(self) -> None:
        """A product or sum over a dimension, which may be sharded, bounded."""
        x, y = self._any(), self._any()
        if self._rng.random() < 0.7:
            dims = f"[{self._rng.randrange(2)}] x [{self._rng.randrange(2)}]"
            self._values.append(
                self._new(f"stablehlo.dot_general {x}, {y}, contracting_dims = {dims} : ({TYPE}, {TYPE}) -> {TYPE}")
            )
            return
        dim = self._rng.randrange(2)
        row = f"tensor<{SIZE}xf32>"
        summed = self._new(
            f"stablehlo.reduce({x} init: %zero) {_BODY} across dimensions = [{dim}] : ({TYPE}, tensor<f32>) -> {row}"
        )
        kept = self._rng.randrange(2)
        self._keep(f"stablehlo.broadcast_in_dim {summed}, dims = [{kept}] : ({row}) -> {TYPE}")

    def _linear(self) -> None:
        x, y = self._any(), self._any()
        kind = self._rng.choice(["add", "add", "subtract", "negate", "transpose", "scale", "select", "reshape"])
        if kind in ("add", "subtract"):
            self._keep(f"stablehlo.{kind} {x}, {y} : {TYPE}")
        elif kind == "negate":
            self._keep(f"stablehlo.negate {x} : {TYPE}")
        elif kind == "transpose":
            self._keep(f"stablehlo.transpose {x}, dims = [1, 0] : ({TYPE}) -> {TYPE}")
        elif kind == "scale":
            two = self._new(f"stablehlo.constant dense<2.0> : {TYPE}")
            self._keep(f"stablehlo.multiply {self._two(x, two)} : {TYPE}")
        elif kind == "select":
            mask = self._new(f"stablehlo.compare GT, {self._any()}, {self._any()} : ({TYPE}, {TYPE}) -> {_mask()}")
            self._keep(f"stablehlo.select {mask}, {x}, {y} : {_mask()}, {TYPE}")
        else:
            flat = self._new(f"stablehlo.reshape {x} : ({TYPE}) -> tensor<{SIZE * SIZE}xf32>")
            self._keep(f"stablehlo.reshape {flat} : (tensor<{SIZE * SIZE}xf32>) -> {TYPE}")

    def _two(self, x: str, y: str) -> str:
        return ", ".join(self._rng.sample([x, y], k=2))

    def _part(self) -> None:
        """Takes a part of a value and puts it somewhere."""
        half = f"tensor<{SIZE // 2}x{SIZE}xf32>"
        start = self._rng.randrange(SIZE // 2 + 1)
        part = self._new(f"stablehlo.slice {self._any()} [{start}:{start + SIZE // 2}, 0:{SIZE}] : ({TYPE}) -> {half}")
        kind = self._rng.choice(["pad", "concatenate", "update"])
        if kind == "pad":
            low = self._rng.randrange(SIZE // 2 + 1)
            pads = f"low = [{low}, 0], high = [{SIZE // 2 - low}, 0], interior = [0, 0]"
            self._keep(f"stablehlo.pad {part}, %zero, {pads} : ({half}, tensor<f32>) -> {TYPE}")
        elif kind == "concatenate":
            other = self._new(f"stablehlo.slice {self._any()} [0:{SIZE // 2}, 0:{SIZE}] : ({TYPE}) -> {half}")
            self._keep(f"stablehlo.concatenate {self._two(part, other)}, dim = 0 : ({half}, {half}) -> {TYPE}")
        else:
            index = self._new(f"stablehlo.constant dense<{self._rng.randrange(SIZE)}> : tensor<i32>")
            types = f"({TYPE}, {half}, tensor<i32>, tensor<i32>) -> {TYPE}"
            self._keep(f"stablehlo.dynamic_update_slice {self._any()}, {part}, {index}, {index} : {types}")

    def _other(self) -> None:
        """What is not linear, and bounds the numbers."""
        low, high = (self._new(f"stablehlo.constant dense<{number}> : tensor<f32>") for number in ("-3.0", "3.0"))
        types = f"(tensor<f32>, {TYPE}, tensor<f32>) -> {TYPE}"
        self._keep(f"stablehlo.clamp {low}, {self._any()}, {high} : {types}")

    def _constraint(self) -> None:
        self._keep(f"sdy.sharding_constraint {self._any()} <@mesh, {self._dims()}> : {TYPE}")

    def _loop(self) -> None:
        """Three rounds, in which two variables become something else and one stays."""
        number = self._count
        self._count += 1
        start, end, one = (self._new(f"stablehlo.constant dense<{n}> : tensor<i32>") for n in (0, 3, 1))
        initial = [self._any(), self._any(), self._any()]
        variables = [f"%p{number}", f"%q{number}", f"%r{number}"]
        counter = f"%i{number}"
        bound = ", ".join(f"{name} = {value}" for name, value in zip(variables, initial, strict=True))
        types = ", ".join([TYPE] * 3 + ["tensor<i32>"])
        outer = self._values
        self._lines.append(f"  %w{number}:4 = stablehlo.while({bound}, {counter} = {start}) : {types}")
        self._lines.append("    cond {")
        self._indent = "      "
        self._lines.append(
            f"      %t{number} = stablehlo.compare LT, {counter}, {end} : (tensor<i32>, tensor<i32>) -> tensor<i1>"
        )
        self._lines.append(f"      stablehlo.return %t{number} : tensor<i1>")
        self._lines.append("    } do {")
        self._values = [*outer, *variables]
        for _ in range(self._rng.randrange(1, 5)):
            self._op()
        p = self._new(f"stablehlo.add {variables[0]}, {self._values[-1]} : {TYPE}")
        q = self._any()
        following = self._new(f"stablehlo.add {counter}, {one} : tensor<i32>")
        self._lines.append(f"      stablehlo.return {p}, {q}, {variables[2]}, {following} : {types}")
        self._lines.append("    }")
        self._indent = "  "
        self._values = [*outer, f"%w{number}#0", f"%w{number}#1"]


def _mask() -> str:
    return f"tensor<{SIZE}x{SIZE}xi1>"
