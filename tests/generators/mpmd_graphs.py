"""Random programs of several meshes: named computations and what stands between them, calls of microbatches."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

TENSOR = "tensor<4xf32>"
_BINARY = ("add", "add", "multiply", "maximum", "subtract")
_UNARY = ("abs", "negate", "tanh")


@dataclass(frozen=True)
class Graph:
    """A program, and where its parts are.

    Attributes:
      text: the module.
      assignment: the option of passes that look at names.
      inputs: where arguments are, as the option has it.
      outputs: where results are.
    """

    text: str
    assignment: str
    inputs: str
    outputs: str

    @property
    def passes(self) -> tuple[str, ...]:
        """The import of the program up to the inference of meshes."""
        assigned = f"{{assignment={self.assignment}}}" if self.assignment else ""
        places = [("input", self.inputs), ("output", self.outputs)]
        mapped = " ".join(f"{kind}-assignment={value}" for kind, value in places if value)
        return (
            "mpmd-copy-topology-from-main",
            "mpmd-sink-negligible-ops-into-call-op",
            "mpmd-insert-nameless-clone-of-negligible-ops",
            "mpmd-simplify-named-computations",
            f"mpmd-map-input-output-to-mesh{{{mapped}}}" if mapped else "mpmd-map-input-output-to-mesh",
            f"mpmd-inline-nested-user-exposed-ops{assigned}",
            f"mpmd-map-named-ops-to-mpmd-ops{assigned}",
            "mpmd-introduce-transfers",
            "mpmd-erase-unused-callee-block-arguments",
        )


@dataclass
class _Value:
    name: str
    home: str | None
    """A mesh that it is on; None if it may be on any."""


@dataclass
class _Body:
    """The ops of a function, while they are made."""

    rng: random.Random
    meshes: list[str]
    names: dict[str, str]
    wildness: float
    lines: list[str] = field(default_factory=list)
    values: list[_Value] = field(default_factory=list)
    count: int = 0

    def new(self, home: str | None, results: int = 1) -> list[_Value]:
        self.count += 1
        base = f"%v{self.count}"
        made = [_Value(base if results == 1 else f"{base}#{index}", home) for index in range(results)]
        self.values += made
        return made

    def left_side(self, results: int) -> str:
        return f"%v{self.count}" + (f":{results}" if results > 1 else "")

    def pick(self, home: str | None = None) -> _Value:
        """A value, mostly a late one, and mostly one that can be on the mesh."""
        fitting = [each for each in self.values if home is None or each.home in (None, home)]
        if not fitting or self.rng.random() < self.wildness:
            fitting = self.values
        return fitting[-1 - min(int(self.rng.expovariate(0.3)), len(fitting) - 1)]

    def op(self) -> None:
        kinds = {
            self.unary: 4, self.binary: 6, self.constant: 2, self.computation: 6, self.tensor: 1, self.broadcast: 1,
            self.reduce: 1, self.branch: 1, self.barrier: 1, self.effect: 0.4, self.concatenated: 0.5,
        }  # fmt: skip
        self.rng.choices(list(kinds), list(kinds.values()))[0]()

    def unary(self) -> None:
        operand = self.pick()
        self.new(operand.home)
        self.lines.append(f"{self.left_side(1)} = stablehlo.{self.rng.choice(_UNARY)} {operand.name} : {TENSOR}")

    def binary(self) -> None:
        left = self.pick()
        right = self.pick(left.home)
        self.new(left.home or right.home)
        op = self.rng.choice(_BINARY)
        self.lines.append(f"{self.left_side(1)} = stablehlo.{op} {left.name}, {right.name} : {TENSOR}")

    def constant(self) -> None:
        self.new(None)
        number = self.rng.randint(0, 3)
        self.lines.append(f"{self.left_side(1)} = stablehlo.constant dense<{number}.0> : {TENSOR}")

    def computation(self) -> None:
        name = self.rng.choice(list(self.names))
        home = self.names[name]
        operands = [self.pick(home) for _ in range(self.rng.randint(1, 3))]
        results = self.rng.randint(1, 3)
        self.new(home, results)
        arguments = [f"%a{self.count}_{index}" for index in range(len(operands))]
        inner = [f"%i{self.count}_{index}" for index in range(results)]
        listed = ", ".join(f"{argument}: {TENSOR}" for argument in arguments)
        transposed = "(1)" if self.rng.random() < 0.3 else ""
        given = ", ".join(each.name for each in operands)
        self.lines.append(
            f'{self.left_side(results)} = mpmd.named_computation<"{name}"{transposed}> ({given}) ({listed}) {{'
        )
        for index, each in enumerate(inner):
            pair = [self.rng.choice(arguments + inner[:index]) for _ in range(2)]
            self.lines.append(f"  {each} = stablehlo.add {pair[0]}, {pair[1]} : {TENSOR}")
        returned = [self.rng.choice(arguments) if self.rng.random() < 0.1 else each for each in inner]
        types = [", ".join([TENSOR] * number) for number in (len(operands), results)]
        self.lines.append(f"  mpmd.return {', '.join(returned)} : {types[1]}")
        self.lines.append(f"}} : ({types[0]}) -> ({types[1]})")

    def tensor(self) -> None:
        name = self.rng.choice([*self.names, "free"])
        home = self.names.get(name)
        operand = self.pick(home)
        self.new(home or operand.home)
        self.lines.append(f'{self.left_side(1)} = mpmd.named_tensor {operand.name} name="{name}" : {TENSOR}')

    def broadcast(self) -> None:
        operand = self.pick()
        self.new(None)
        self.lines.append(f"{self.left_side(1)} = mpmd.broadcast {operand.name} : {TENSOR}")

    def reduce(self) -> None:
        operand = self.pick()
        self.new(operand.home)
        self.lines.append(f"{self.left_side(1)} = mpmd.reduce<none> {operand.name} : ({TENSOR}) -> {TENSOR}")

    def branch(self) -> None:
        left = self.pick()
        right = self.pick(left.home)
        self.new(left.home or right.home)
        number = self.count
        self.lines += [
            f"%p{number} = stablehlo.constant dense<true> : tensor<i1>",
            f'{self.left_side(1)} = "stablehlo.if"(%p{number}) ({{',
            f"  %i{number} = stablehlo.add {left.name}, {right.name} : {TENSOR}",
            f"  stablehlo.return %i{number} : {TENSOR}",
            "}, {",
            f"  stablehlo.return {right.name} : {TENSOR}",
            f"}}) : (tensor<i1>) -> {TENSOR}",
        ]

    def barrier(self) -> None:
        left = self.pick()
        right = self.pick(left.home)
        self.new(left.home or right.home, 2)
        given = f"{left.name}, {right.name}"
        self.lines.append(f"{self.left_side(2)} = stablehlo.optimization_barrier {given} : {TENSOR}, {TENSOR}")

    def effect(self) -> None:
        operand = self.pick()
        self.lines.append(
            f"stablehlo.custom_call @effect({operand.name}) {{has_side_effect = true}} : ({TENSOR}) -> ()"
        )

    def concatenated(self) -> None:
        operands = [self.pick() for _ in range(2)]
        self.new(None)
        number = self.count
        row = "tensor<1x4xf32>"
        for index, each in enumerate(operands):
            self.lines.append(f"%r{number}_{index} = stablehlo.reshape {each.name} : ({TENSOR}) -> {row}")
        both, start = "tensor<2x4xf32>", "tensor<f32>"
        self.lines += [
            f"%c{number} = stablehlo.concatenate %r{number}_0, %r{number}_1, dim = 0 : ({row}, {row}) -> {both}",
            f"%z{number} = stablehlo.constant dense<0.0> : {start}",
            f"{self.left_side(1)} = stablehlo.reduce(%c{number} init: %z{number}) applies stablehlo.add "
            f"across dimensions = [0] : ({both}, {start}) -> {TENSOR}",
        ]

    def call(self, name: str, counter: int, passed: list[_Value], homes: list[str | None]) -> list[_Value]:
        made = self.new(None, len(homes))
        for each, home in zip(made, homes, strict=True):
            each.home = home
        given, types = ", ".join(each.name for each in passed), [", ".join([TENSOR] * len(passed))]
        types.append(", ".join([TENSOR] * len(homes)))
        self.lines.append(
            f"{self.left_side(len(homes))} = mpmd.call @{name}({given}) {{call_counter = {counter} : ui32}} : "
            f"({types[0]}) -> ({types[1]})"
        )
        return made


def generate(seed: int) -> Graph:
    """The random program of that seed."""
    rng = random.Random(seed)
    meshes = rng.sample([f"m{number}" for number in (1, 2, 3, 10, 11)], rng.randint(2, 5))
    names = {f"n{number}": rng.choice(meshes) for number in range(rng.randint(2, 6))}
    wildness = rng.choice([0.0, 0.0, 0.05, 0.2])
    size = rng.randint(3, 30)
    callees = [_callee(rng, f"f{number}", meshes, names, wildness) for number in range(rng.choice([0, 0, 1, 1, 2]))]
    main = _Body(rng, meshes, names, wildness)
    arguments = [_Value(f"%arg{number}", None) for number in range(rng.randint(1, 5))]
    main.values += arguments
    inputs = {number: rng.choice(meshes) for number in range(len(arguments)) if rng.random() < 0.2}
    for number, mesh in inputs.items():
        arguments[number].home = mesh
    for _ in range(size // 2):
        main.op()
    for name, taken, given, _ in callees:
        _call_in_turn(rng, main, name, taken, given)
    for _ in range(size - size // 2):
        main.op()
    returned = [main.pick() for _ in range(rng.randint(1, 4))]
    outputs = {number: rng.choice(meshes) for number in range(len(returned)) if rng.random() < 0.2}
    for number, mesh in outputs.items():
        if rng.random() > wildness:
            returned[number] = main.pick(mesh)
    topology = ", ".join(f'<"{mesh}" : <["x"=2]>>' for mesh in meshes)
    texts = [
        _function("main", arguments, returned, main.lines, f"attributes {{topology = #mpmd.topology<{topology}>}}")
    ]
    texts += [text for *_, text in callees]
    return Graph(
        "module {\n" + "\n".join(texts) + "\n}\n",
        ",".join(f"{name}@{mesh}" for name, mesh in names.items()),
        ",".join(f"{number}@{mesh}" for number, mesh in inputs.items()),
        ",".join(f"{number}@{mesh}" for number, mesh in outputs.items()),
    )


def _callee(
    rng: random.Random, name: str, meshes: list[str], names: dict[str, str], wildness: float
) -> tuple[str, int, list[str | None], str]:
    """Name, number of arguments, homes of results, and text of a function that is called."""
    made = _Body(rng, meshes, names, wildness)
    arguments = [_Value(f"%arg{number}", None) for number in range(rng.randint(1, 4))]
    made.values += arguments
    for _ in range(rng.randint(1, 12)):
        made.op()
    returned = [made.pick() for _ in range(rng.randint(1, len(arguments) + 1))]
    return name, len(arguments), [each.home for each in returned], _function(name, arguments, returned, made.lines, "")


def _call_in_turn(rng: random.Random, main: _Body, name: str, taken: int, given: list[str | None]) -> None:
    """Call a function once or several times, mostly with what the call before has given."""
    passed = [main.pick() for _ in range(taken)]
    for counter in range(rng.randint(1, 4)):
        results = main.call(name, counter, passed, given)
        for number in range(min(taken, len(results))):
            if rng.random() < 0.8:
                passed[number] = results[number]


def _function(name: str, arguments: list[_Value], returned: list[_Value], lines: list[str], attributes: str) -> str:
    listed = ", ".join(f"{each.name}: {TENSOR}" for each in arguments)
    types = ", ".join([TENSOR] * len(returned))
    visibility = "" if name == "main" else "private "
    body = "\n".join(f"    {line}" for line in lines)
    end = f"    return {', '.join(each.name for each in returned)} : {types}"
    return f"  func.func {visibility}@{name}({listed}) -> ({types}) {attributes} {{\n{body}\n{end}\n  }}"
