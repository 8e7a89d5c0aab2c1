"""Random programs in which the order of visits decides: few values, used often, with different axes at the far end.

Nothing is said of what comes first; what is said of later values travels back, past ops that have been visited before,
to values that several ops use, and meets there.
"""

from __future__ import annotations

from random import Random

SHAPE = "tensor<8x8xf32>"
MESHES = ('["a"=2]', '["a"=2, "b"=2]', '["a"=2, "b"=4, "c"=2]', '["a"=8, "b"=2]')
AXES = ('"a"', '"a"', '"b"', '"c"', '"a", "b"', '"a":(1)2', '"b":(1)2')


class Tangle:
    """One program under construction."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.mesh = rng.choice(MESHES)
        self.arguments = [f"%arg{number}" for number in range(rng.randint(2, 4))]
        self.values = list(self.arguments)
        self.used: set[str] = set()
        self.lines: list[str] = []
        self.count = rng.randint(6, 16)
        self.priorities = rng.random() < 0.3
        self.late = rng.choice([0.2, 0.4])
        """How likely a value in the second half has a sharding."""

    def text(self) -> str:
        for number in range(self.count):
            self._op(f"%{number}", 0.03 if number < self.count // 2 else self.late)
        results = [value for value in self.values if value not in self.used] or [self.values[-1]]
        arguments = ", ".join(f"{name}: {SHAPE}{self._attribute(0.1)}" for name in self.arguments)
        types = ", ".join(SHAPE + self._attribute(self.late) for _ in results)
        body = [*self.lines, f"return {', '.join(results)} : {', '.join([SHAPE] * len(results))}"]
        head = [f"sdy.mesh @mesh = <{self.mesh}>", f"func.func @main({arguments}) -> ({types}) {{"]
        return "\n".join([*head, *(f"  {line}" for line in body), "}"]) + "\n"

    def _use(self) -> str:
        value = self.rng.choice(self.values)
        self.used.add(value)
        return value

    def _op(self, name: str, likely: float) -> None:
        rng = self.rng
        kind = rng.choice(["add", "add", "subtract", "tanh", "transpose", "transpose", "dot_general", "barrier"])
        sharding = self._sharding() if rng.random() < likely else ""
        listed = f" {{sdy.sharding = #sdy.sharding_per_value<[{sharding}]>}}" if sharding else ""
        binary = f"({SHAPE}, {SHAPE}) -> {SHAPE}"
        match kind:
            case "tanh":
                op = f"stablehlo.tanh {self._use()}{listed} : {SHAPE}"
            case "transpose":
                op = f"stablehlo.transpose {self._use()}, dims = [1, 0]{listed} : ({SHAPE}) -> {SHAPE}"
            case "dot_general":
                dims = f"[{rng.randrange(2)}] x [{rng.randrange(2)}]"
                op = f"stablehlo.dot_general {self._use()}, {self._use()}, contracting_dims = {dims}{listed} : {binary}"
            case "barrier" if sharding:
                op = f"sdy.sharding_constraint {self._use()} {sharding} : {SHAPE}"
            case "barrier":
                op = f"stablehlo.optimization_barrier {self._use()} : {SHAPE}"
            case _:
                op = f"stablehlo.{kind} {self._use()}, {self._use()}{listed} : {SHAPE}"
        self.lines.append(f"{name} = {op}")
        self.values.append(name)

    def _attribute(self, likely: float) -> str:
        return f" {{sdy.sharding = #sdy.sharding{self._sharding()}}}" if self.rng.random() < likely else ""

    def _sharding(self) -> str:
        """Axes in one of the dimensions, both of which are open, as a rule."""
        axes = self.rng.choice([axis for axis in AXES if self._is_there(axis)])
        priority = f"p{self.rng.randrange(3)}" if self.priorities and self.rng.random() < 0.5 else ""
        dims = [f"{{{axes}, ?}}{priority}", "{?}" if self.rng.random() < 0.9 else "{}"]
        if self.rng.random() < 0.5:
            dims.reverse()
        return f"<@mesh, [{', '.join(dims)}]>"

    def _is_there(self, axes: str) -> bool:
        """Whether the mesh has the axes; parts only of those that are larger."""
        for axis in axes.split(", "):
            name, part, _ = axis.partition(":")
            if f"{name}=" not in self.mesh or (part and f"{name}=2" in self.mesh):
                return False
        return True


def generate(seed: int | Random) -> str:
    """The text of a module with a `main` function."""
    return Tangle(seed if isinstance(seed, Random) else Random(seed)).text()
