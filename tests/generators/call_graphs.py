"""Random modules whose functions share callees: chains and trees of calls, with shardings anywhere."""

from __future__ import annotations

import random

_TYPE = "tensor<8x8xf32>"
_SHARDINGS = (
    '<@m, [{"a"}, {?}]>',
    '<@m, [{"b", ?}, {?}]>',
    '<@m, [{?}, {"a", ?}]>',
    "<@m, [{?}, {?}]>",
    '<@m, [{"b"}, {"a"}]>',
)


def chain(functions: int) -> str:
    """`main` calls a function that calls the next one twice, and so on: 2^(functions - 1) calls of the last one."""
    lines = [
        'sdy.mesh @m = <["a"=2]>',
        'func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}]>}) -> tensor<8xf32> {',
        " %0 = call @f0(%x) : (tensor<8xf32>) -> tensor<8xf32>",
        " return %0 : tensor<8xf32>",
        "}",
    ]
    for index in range(functions):
        lines.append(f"func.func private @f{index}(%x: tensor<8xf32>) -> tensor<8xf32> {{")
        if index < functions - 1:
            lines.append(f" %0 = call @f{index + 1}(%x) : (tensor<8xf32>) -> tensor<8xf32>")
            lines.append(f" %1 = call @f{index + 1}(%0) : (tensor<8xf32>) -> tensor<8xf32>")
        else:
            lines.append(" %1 = stablehlo.negate %x : tensor<8xf32>")
        lines += [" return %1 : tensor<8xf32>", "}"]
    return "\n".join(lines) + "\n"


def call_graph(seed: int) -> str:
    """A module of up to five functions besides `main`, each of which calls some that come after it.

    In about half of the modules hardly any value is used twice.
    """
    return _CallGraph(random.Random(seed)).text()


class _CallGraph:
    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._reuse = rng.choice((0.0, 0.0, 0.1, 0.5))
        self._sharded = rng.choice((0.1, 0.4))
        self._has_constraints = rng.random() < 0.2
        count = rng.randint(1, 5)
        self._arguments = [rng.choice((0, 1, 1, 2, 2)) if index else 2 for index in range(count + 1)]
        self._results = [rng.choice((1, 1, 2)) for _ in range(count + 1)]

    def text(self) -> str:
        functions = [self._function(index) for index in range(len(self._arguments))]
        return (
            "\n".join(['sdy.mesh @m = <["a"=2, "b"=2]>', "  sdy.mesh @one = <[], device_ids=[0]>", *functions]) + "\n"
        )

    def _is(self, probability: float) -> bool:
        return self._rng.random() < probability

    def _sharding(self) -> str:
        return self._rng.choice(_SHARDINGS)

    def _entry(self) -> str:
        return f" {{sdy.sharding = #sdy.sharding{self._sharding()}}}" if self._is(self._sharded) else ""

    def _annotation(self, count: int) -> str:
        if not self._is(self._sharded):
            return ""
        listed = ", ".join(self._sharding() for _ in range(count))
        return f" {{sdy.sharding = #sdy.sharding_per_value<[{listed}]>}}"

    def _function(self, index: int) -> str:
        arguments = [f"%a{number}" for number in range(self._arguments[index])]
        self._unused, self._all, self._lines = list(arguments), list(arguments), list[str]()
        for _ in range(self._rng.randint(2, 5)):
            callees = range(index + 1, len(self._arguments))
            if callees and self._is(0.7):
                self._call(self._rng.choice(callees))
            else:
                self._op()
        returned = [self._value() for _ in range(self._results[index])]
        name = "@main" if index == 0 else f"private @f{index}"
        inputs = ", ".join(f"{argument}: {_TYPE}{self._entry()}" for argument in arguments)
        results = ", ".join(_TYPE + self._entry() for _ in returned)
        types = ", ".join(_TYPE for _ in returned)
        head = f"func.func {name}({inputs}) -> ({results}) {{"
        return "\n".join([head, *self._lines, f"  return {', '.join(returned)} : {types}", "}"])

    def _value(self) -> str:
        if self._all and self._is(self._reuse):
            return self._rng.choice(self._all)
        if not self._unused:
            self._define("stablehlo.constant dense<0.0> : " + _TYPE)
        return self._unused.pop(self._rng.randrange(len(self._unused)))

    def _define(self, text: str, count: int = 1) -> None:
        name = f"%v{len(self._lines)}"
        self._lines.append(f"  {name}{f':{count}' if count > 1 else ''} = {text}")
        added = [name] if count == 1 else [f"{name}#{number}" for number in range(count)]
        self._unused += added
        self._all += added

    def _op(self) -> None:
        if self._has_constraints and self._is(0.3):
            self._define(f"sdy.sharding_constraint {self._value()} {self._sharding()} : {_TYPE}")
        elif self._is(0.5):
            self._define(f"stablehlo.negate {self._value()}{self._annotation(1)} : {_TYPE}")
        else:
            x, y = self._value(), self._value()
            self._define(f"stablehlo.add {x}, {y}{self._annotation(1)} : {_TYPE}")

    def _call(self, callee: int) -> None:
        operands = [self._value() for _ in range(self._arguments[callee])]
        count = self._results[callee]
        ins, outs = ", ".join(_TYPE for _ in operands), ", ".join(_TYPE for _ in range(count))
        call = f"call @f{callee}({', '.join(operands)}){self._annotation(count)} : ({ins}) -> ({outs})"
        self._define(call, count)
