"""Random programs of fragments and transfers, as import leaves them, with marks for every pass behind it."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

SHAPES = ("4x8", "8x4", "")


@dataclass
class Options:
    """What programs have.

    Attributes:
      meshes: names of meshes.
      fragments: number of fragments.
      has_hosts: some values are in the memory of hosts.
      has_shardings: arguments, results, and values on the way are sharded.
      has_layouts: arguments and results have layouts.
      has_donors: some arguments are donated.
    """

    meshes: tuple[str, ...] = ("m1", "m2", "m3")
    fragments: int = 8
    has_hosts: bool = False
    has_shardings: bool = False
    has_layouts: bool = False
    has_donors: bool = True


@dataclass
class _Value:
    name: str
    mesh: str
    shape: str
    kind: str = ""

    @property
    def tensor(self) -> str:
        return f"tensor<{self.shape}{'x' if self.shape else ''}f32>"

    @property
    def type(self) -> str:
        kind = f', memory_kind="{self.kind}"' if self.kind else ""
        return f'!mpmd.mesh_tensor<"{self.mesh}", {self.tensor}{kind}>'


@dataclass
class _Writer:
    rng: random.Random
    options: Options
    lines: list[str] = field(default_factory=list)
    values: list[_Value] = field(default_factory=list)
    count: int = 0

    def new(self) -> str:
        self.count += 1
        return f"%v{self.count}"


def fragment_program(seed: int, options: Options | None = None) -> str:
    """A module with a function of fragments; equal seeds give equal modules."""
    rng = random.Random(seed)
    writer = _Writer(rng, options or Options())
    arguments = [
        _Value(f"%arg{i}", rng.choice(writer.options.meshes), rng.choice(SHAPES)) for i in range(rng.randint(2, 5))
    ]
    if writer.options.has_hosts and rng.random() < 0.4:
        arguments[0].kind = "pinned_host"
    writer.values += arguments
    for _ in range(writer.options.fragments):
        if rng.random() < 0.45:
            _transfer(writer)
        else:
            _fragment(writer)
    results = [rng.choice(writer.values[-8:]) for _ in range(rng.randint(1, 4))]
    topology = ", ".join(f'<"{name}" : <["x"=2, "y"=2]>>' for name in writer.options.meshes)
    given = ", ".join(f"{each.name}: {each.type}{_marks(writer, each, len(results))}" for each in arguments)
    returned = ", ".join(f"{each.type}{_marks(writer, each, 0)}" for each in results)
    names, types = ", ".join(each.name for each in results), ", ".join(each.type for each in results)
    mesh = ['  sdy.mesh @mesh = <["x"=2, "y"=2]>'] if writer.options.has_shardings else []
    head = f"  func.func public @main({given}) -> ({returned}) attributes {{topology = #mpmd.topology<{topology}>}} {{"
    return "\n".join(
        ["module @jit_step {", *mesh, head, *writer.lines, f"    return {names} : {types}", "  }", "}", ""]
    )


def _sharding(rng: random.Random, rank: int) -> str:
    axes = ["x", "y"]
    rng.shuffle(axes)
    dims = ["{}"] * rank
    for axis in axes[: rng.randint(0, 2)]:
        at = rng.randrange(rank)
        dims[at] = "{" + ", ".join(filter(None, [dims[at][1:-1], f'"{axis}"'])) + "}"
    return f"<@mesh, [{', '.join(dims)}]>"


def _marks(writer: _Writer, value: _Value, results: int) -> str:
    """The attributes of an argument, or of a result of the function if there are no `results`."""
    rng, marks = writer.rng, []
    if writer.options.has_donors and results:
        chosen = rng.random()
        if chosen < 0.4:
            marks.append("jax.buffer_donor = true")
        elif chosen < 0.6:
            marks.append(f"tf.aliasing_output = {rng.randrange(results)} : i32")
    if writer.options.has_layouts and rng.random() < 0.4:
        marks.append('mhlo.layout_mode = "auto"')
    if writer.options.has_shardings and value.shape and rng.random() < 0.7:
        marks.append(f"sdy.sharding = #sdy.sharding{_sharding(rng, 2)}")
    return f" {{{', '.join(marks)}}}" if marks else ""


def _transfer(writer: _Writer) -> None:
    rng = writer.rng
    source = rng.choice(writer.values[-6:])
    kinds = ("", "", "pinned_host", "device") if writer.options.has_hosts else ("",)
    mesh = source.mesh if writer.options.has_hosts and rng.random() < 0.3 else rng.choice(writer.options.meshes)
    target = _Value(writer.new(), mesh, source.shape, rng.choice(kinds))
    writer.lines.append(f"    {target.name} = mpmd.transfer {source.name} : ({source.type}) -> {target.type}")
    writer.values.append(target)


def _origin(rng: random.Random, count: int) -> str:
    name = rng.choice(["layer_1", "layer_2", "layer_3", "head", "embed"])
    return f'"{name}"' + (f"({count})" if count else "")


def _header(rng: random.Random, mesh: str) -> tuple[str, str]:
    """Mesh, origins and stage of a fragment, and its attributes."""
    if rng.random() < 0.35:
        names = ("uniquify", "extract_reshards", "infer_mesh_wrap_meshless_ops")
        return f'mesh="{mesh}", origin=[]', f'mpmd.inferred_by = ["{rng.choice(names)}"]'
    count = rng.choice([0, 0, 1])
    origins = list(dict.fromkeys(_origin(rng, count) for _ in range(rng.choice([1, 1, 2]))))
    stage = f", stage={rng.randint(0, 2)}" if rng.random() < 0.3 else ""
    counter = f"call_counter = {rng.randint(0, 2)} : ui32" if rng.random() < 0.6 else ""
    return f'mesh="{mesh}", origin=[{", ".join(origins)}]{stage}', counter


def _fragment(writer: _Writer) -> None:
    rng = writer.rng
    mesh = rng.choice(writer.options.meshes)
    usable = [value for value in writer.values if value.mesh == mesh]
    operands = [rng.choice(usable[-5:]) for _ in range(rng.randint(0, 4))] if usable else []
    header, attributes = _header(rng, mesh)
    inside = [(f"%a{number}", each.shape) for number, each in enumerate(operands)]
    arguments = ", ".join(f"{name}: {each.tensor}" for (name, _), each in zip(inside, operands, strict=True))
    body = _body(rng, inside)
    returned = [rng.choice(inside) for _ in range(rng.randint(1, 3))]
    results = [_Value("", mesh, shape) for _, shape in returned]
    name = writer.new()
    for number, result in enumerate(results):
        result.name = f"{name}#{number}" if len(results) > 1 else name
    label = f"{name}:{len(results)}" if len(results) > 1 else name
    text = f"    {label} = mpmd.fragment<{header}> ({', '.join(each.name for each in operands)})"
    attributes = f" {{{attributes}}}" if attributes else ""
    ends = ", ".join(name for name, _ in returned), ", ".join(each.tensor for each in results)
    types = ", ".join(each.type for each in operands), ", ".join(each.type for each in results)
    writer.lines += [
        f"{text}{attributes} ({arguments}) {{",
        *(f"      {line}" for line in body),
        f"      mpmd.return {ends[0]} : {ends[1]}",
        f"    }} : ({types[0]}) -> ({types[1]})",
    ]
    writer.values += results


def _body(rng: random.Random, inside: list[tuple[str, str]]) -> list[str]:
    """Ops of a fragment; what they define is appended to `inside`."""
    lines = []
    for number in range(rng.randint(0 if inside else 1, 4)):
        name, kind = f"%b{number}", rng.random()
        if not inside or kind < 0.2:
            shape = rng.choice(SHAPES)
            type_ = f"tensor<{shape}{'x' if shape else ''}f32>"
            lines.append(f"{name} = stablehlo.constant dense<{rng.randint(0, 3)}.0> : {type_}")
        elif kind < 0.5:
            operand, shape = rng.choice(inside)
            type_ = f"tensor<{shape}{'x' if shape else ''}f32>"
            lines.append(f"{name} = stablehlo.tanh {operand} : {type_}")
        else:
            operand, shape = rng.choice(inside)
            other = rng.choice([each for each, size in inside if size == shape])
            type_ = f"tensor<{shape}{'x' if shape else ''}f32>"
            op = rng.choice(["add", "multiply", "subtract"])
            lines.append(f"{name} = stablehlo.{op} {operand}, {other} : {type_}")
        inside.append((name, shape))
    return lines
