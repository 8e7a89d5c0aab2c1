"""Ops with nested programs (loops, branches, manual and named computations), collectives inside them, and calls."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from sdy.dialect.values.axes import AxisRef, product
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import DimensionSharding, TensorSharding
from tests.generators.block import TOKEN, Block, Type, Value, functional, indent, left_hand_side, region
from tests.generators.ops import KINDS, MAX_SIZE, Emit, scalar_region, static_tensor
from tests.generators.shardings import NamedMesh, in_mesh_order

MAX_DEPTH = 3

REGIONS: dict[str, Emit] = {}
"""Kinds that nest programs or call functions, by name."""

Fill = Callable[[Block, int], None]


def kind(name: str) -> Callable[[Emit], Emit]:
    def register(emit: Emit) -> Emit:
        REGIONS[name] = emit
        return emit

    return register


def fill(b: Block, count: int) -> None:
    """Draws `count` ops, of the kinds that the program may use."""
    kinds = KINDS | REGIONS
    for _ in range(count):
        kinds[b.rng.choice(b.program.kinds)](b)
        if b.features.mesh_groups and b.rng.random() < 0.1:
            grouped_by_axes(b)


def some_values(b: Block, least: int, most: int) -> list[Value]:
    values = (b.pick(static_tensor) for _ in range(b.rng.randint(least, most)))
    return [value for value in values if value is not None]


def arguments_for(b: Block, types: Sequence[Type]) -> list[Value]:
    return [Value(f"%arg{b.program.number()}", type_) for type_ in types]


def returned(values: Sequence[Value], name: str) -> str:
    if not values:
        return name
    types = ", ".join(str(value.type) for value in values)
    return f"{name} {', '.join(value.name for value in values)} : {types}"


# Control flow ------------------------------------------------------------------------------------


@kind("while")
def while_(b: Block) -> None:
    if not b.features.control_flow or b.depth >= MAX_DEPTH:
        return
    counts = b.features.runs
    counter, bound = (_number(b, 0), _number(b, b.rng.randint(0, 3))) if counts else (_i32(b), _i32(b))
    carried = [counter, *some_values(b, 1, 3)]
    if b.features.tokens and b.rng.random() < 0.15:
        carried.append(b.token())
    types = [value.type for value in carried]
    condition_arguments, body_arguments = arguments_for(b, types), arguments_for(b, types)
    scalar = types[0]
    test = f"%c{b.program.number()}"
    condition = region(
        condition_arguments,
        [
            f"{test} = stablehlo.compare LT, {condition_arguments[0].name}, {bound.name} : "
            f"({scalar}, {scalar}) -> tensor<i1>"
        ],
        f"stablehlo.return {test} : tensor<i1>",
    )
    body = b.nested(arguments=body_arguments)
    fill(body, b.rng.randint(1, 4))
    results = [_result(body, type_) for type_ in types]
    if counts:
        results[0] = _increment(body, body_arguments[0])
    b.ops("stablehlo.while", carried, types, [], [condition, _region(body, body_arguments, results)])


def _i32(b: Block) -> Value:
    return b.tensor((), "i32")


def _number(b: Block, number: int) -> Value:
    made = Value(f"%{b.program.number()}", Type((), "i32"))
    b.lines.append(f"{made.name} = stablehlo.constant dense<{number}> : {made.type}")
    return made


def _increment(b: Block, counter: Value) -> Value:
    one, made = _number(b, 1), Value(f"%{b.program.number()}", counter.type)
    b.lines.append(f"{made.name} = stablehlo.add {counter.name}, {one.name} : {made.type}")
    return made


@kind("case")
def case(b: Block) -> None:
    if not b.features.control_flow or b.depth >= MAX_DEPTH:
        return
    types = [value.type for value in some_values(b, 1, 2)]
    if not types:
        return
    branching = b.rng.choice(["case", "case", "if"])
    selector = b.tensor((), "i32" if branching == "case" else "i1")
    branches = []
    for _ in range(2 if branching == "if" else b.rng.randint(1, 3)):
        block = b.nested()
        fill(block, b.rng.randint(0, 3))
        branches.append(_region(block, [], [_result(block, type_) for type_ in types]))
    b.ops(f"stablehlo.{branching}", [selector], types, [], branches)


def _result(b: Block, type_: Type) -> Value:
    return b.token() if type_ == TOKEN else b.tensor(type_.static, type_.element)


def _region(b: Block, arguments: Sequence[Value], results: Sequence[Value]) -> str:
    return region(arguments, b.lines, returned(results, "stablehlo.return"))


# Named computations and calls --------------------------------------------------------------------


@kind("named_computation")
def named_computation(b: Block) -> None:
    if not b.features.named or b.depth >= MAX_DEPTH:
        return
    operands = some_values(b, 0, 3)
    arguments = arguments_for(b, [value.type for value in operands])
    body = b.nested(outer=None, function=None, owner=b.owner, arguments=arguments)
    fill(body, b.rng.randint(1, 4))
    results = some_values(body, 1, 2)
    shardings = ""
    if b.rng.random() < 0.6:
        shardings = (
            f" in_shardings=[{', '.join(str(b.sharding(v.type)) for v in operands)}]"
            f" out_shardings=[{', '.join(str(b.sharding(v.type)) for v in results)}]"
        )
    name = b.rng.choice(["foo", "bar", "main_0"])
    head = f'sdy.named_computation<"{name}">({", ".join(v.name for v in operands)}){shardings}'
    _computation(b, head, operands, body, arguments, results, [value.type for value in results])


@kind("call")
def call(b: Block) -> None:
    """Calls a function drawn earlier whose shardings use no axis that is manual here."""
    if not b.features.calls:
        return
    fitting = [f for f in b.program.functions if not f.axis_names & b.forbidden]
    if not fitting:
        return
    callee = b.rng.choice(fitting)
    if b.owner is not None:
        b.owner.axis_names |= callee.axis_names
    operands = [b.tensor(a.type.shape or (), a.type.element) for a in callee.arguments]
    values = b.results(callee.results)
    attributes = b.attributes(b.annotation(callee.results))
    b.lines.append(
        f"{left_hand_side(values)}func.call @{callee.name}({', '.join(v.name for v in operands)}){attributes} : "
        f"{functional(operands, callee.results)}"
    )
    b.values += values


def _computation(
    b: Block,
    head: str,
    operands: Sequence[Value],
    body: Block,
    arguments: Sequence[Value],
    results: Sequence[Value],
    types: Sequence[Type],
) -> None:
    """Appends a named or manual computation in sdy's own syntax."""
    values = b.results(types)
    header = ", ".join(f"{argument.name}: {argument.type}" for argument in arguments)
    lines = indent([*body.lines, returned(results, "sdy.return")])
    text = "\n".join([f"{left_hand_side(values)}{head} ({header}) {{", *lines, f"}} : {functional(operands, types)}"])
    b.lines.append(text)
    b.values += values


# Manual computations -----------------------------------------------------------------------------


class Manual:
    """The manual axes of one computation on one mesh, and the shardings of its operands and results."""

    def __init__(self, b: Block, named: NamedMesh, names: Sequence[str]) -> None:
        self.b = b
        self.named = named
        self.names = names

    def sharding(self, shape: Sequence[int], *, is_local: bool) -> tuple[TensorSharding, tuple[int, ...]]:
        """A sharding whose dimensions start with manual axes, and the shape on the other side of the border.

        `shape` is local (of a result inside) or global (of an operand); the other one is returned.
        """
        b, mesh = self.b, self.named.mesh
        sizes = mesh.axis_sizes
        dims: list[list[AxisRef]] = [[] for _ in shape]
        replicated: list[AxisRef] = []
        parts = b.program.shardings.atoms(mesh, [axis for axis in mesh.axes if axis.name in self.names])
        b.rng.shuffle(parts)
        for part in parts:
            dim = b.rng.randrange(len(shape)) if shape else None
            if dim is None or b.rng.random() < 0.35:
                if b.features.replicated and b.rng.random() < 0.4:
                    replicated.append(part)
            elif not (dims[dim] and dims[dim][-1].can_merge(part)):
                shards = product([*dims[dim], part], sizes)
                if is_local or shape[dim] % shards == 0:
                    dims[dim].append(part)
        shards = [product(dim, sizes) for dim in dims]
        if is_local:
            other = tuple(size * n for size, n in zip(shape, shards, strict=True))
            inner = tuple(shape)
        else:
            other = inner = tuple(size // n for size, n in zip(shape, shards, strict=True))
        free = b.program.shardings.on_mesh(self.named, inner, b.forbidden | frozenset(self.names))
        sharding = TensorSharding(
            free.mesh_or_ref,
            tuple(
                DimensionSharding((*manual, *dim.axes), dim.is_closed, dim.priority if manual or dim.axes else None)
                for manual, dim in zip(dims, free.dims, strict=True)
            ),
            in_mesh_order([*free.replicated, *replicated], mesh),
            free.unreduced,
            free.reduction,
        )
        return b.note(sharding), other


@kind("manual_computation")
def manual_computation(b: Block) -> None:
    if not b.features.manual or b.depth >= MAX_DEPTH:
        return
    named = b.program.shardings.mesh()
    free = [axis.name for axis in named.mesh.axes if axis.name not in b.forbidden]
    names = b.rng.sample(free, b.rng.randint(1, len(free))) if free else []
    if not names and b.rng.random() < 0.8:
        return
    if b.owner is not None:
        b.owner.axis_names.update(names)
    manual = Manual(b, named, names)
    operands = some_values(b, 0 if names else 1, 3)
    in_shardings, local_types = [], []
    for value in operands:
        sharding, local = manual.sharding(value.type.static, is_local=False)
        in_shardings.append(sharding)
        local_types.append(Type(local, value.type.element))
    arguments = arguments_for(b, local_types)
    body = b.nested(
        outer=None,
        function=None,
        owner=b.owner,
        arguments=arguments,
        forbidden=b.forbidden | frozenset(names),
        scope=object(),
    )
    for _ in range(b.rng.randint(1, 4)):
        if b.rng.random() < 0.25:
            collective(body, named, names)
        else:
            fill(body, 1)
    results, out_shardings, types = [], [], []
    for value in some_values(body, 1, 2):
        sharding, shape = manual.sharding(value.type.static, is_local=True)
        if math.prod(shape) <= 8 * MAX_SIZE:
            results.append(value)
            out_shardings.append(sharding)
            types.append(Type(shape, value.type.element))
    if not operands and not results:  # the import passes refuse manual axes without shardings
        return
    listed = ", ".join(f'"{name}"' for name in names)
    head = (
        f"sdy.manual_computation({', '.join(v.name for v in operands)})"
        f" in_shardings=[{', '.join(map(str, in_shardings))}]"
        f" out_shardings=[{', '.join(map(str, out_shardings))}] manual_axes={{{listed}}}"
    )
    _computation(b, head, operands, body, arguments, results, types)


def collective(b: Block, named: NamedMesh, names: Sequence[str]) -> None:
    """A StableHLO collective over one of the manual axes."""
    x = b.pick(lambda t: t.is_static and t.element == "f32" and t.rank >= 1 and 0 not in t.static)
    if x is None or not names:
        return
    mesh, axis = named.mesh, AxisRef(b.rng.choice(list(names)))
    size = axis.size(mesh.axis_sizes)
    groups = mesh.replica_groups([axis]).tolist()
    listed = [
        f"replica_groups = dense<{groups}> : tensor<{len(groups)}x{size}xi64>",
        f"channel_handle = #stablehlo.channel_handle<handle = {b.program.number() + 1}, type = 1>",
    ]
    dim = b.rng.randrange(x.type.rank)
    shape = list(x.type.static)
    name = b.rng.choice(["all_reduce", "all_gather", "reduce_scatter", "all_to_all", "collective_permute"])
    body = [scalar_region("f32", "stablehlo.add")]
    if name == "all_reduce":
        b.op("stablehlo.all_reduce", [x], [x.type], [*listed, "use_global_device_ids"], body)
    elif name == "all_gather" and shape[dim] * size <= 64:
        shape[dim] *= size
        attributes = [*listed, f"all_gather_dim = {dim} : i64", "use_global_device_ids"]
        b.op("stablehlo.all_gather", [x], [Type(tuple(shape))], attributes)
    elif name == "reduce_scatter" and shape[dim] % size == 0:
        shape[dim] //= size
        attributes = [*listed, f"scatter_dimension = {dim} : i64", "use_global_device_ids"]
        b.op("stablehlo.reduce_scatter", [x], [Type(tuple(shape))], attributes, body)
    elif name == "all_to_all" and shape[dim] % size == 0:
        target = b.rng.randrange(x.type.rank)
        shape[dim] //= size
        shape[target] *= size
        attributes = [
            f"split_dimension = {dim} : i64",
            f"concat_dimension = {target} : i64",
            f"split_count = {size} : i64",
        ]
        b.op("stablehlo.all_to_all", [x], [Type(tuple(shape))], [*listed, *attributes])
    elif name == "collective_permute":
        pairs = [[group[i], group[(i + 1) % size]] for group in groups for i in range(size)]
        attributes = [f"source_target_pairs = dense<{pairs}> : tensor<{len(pairs)}x2xi64>", listed[1]]
        b.op("stablehlo.collective_permute", [x], [x.type], attributes)


def grouped_by_axes(b: Block) -> None:
    """A StableHLO collective whose replica groups are axes of a mesh."""
    x = b.pick(lambda t: t.is_static and t.element == "f32" and t.rank >= 1)
    named = b.program.shardings.mesh()
    if x is None or not named.mesh.axes:
        return
    names = b.rng.sample([axis.name for axis in named.mesh.axes], b.rng.randint(1, len(named.mesh.axes)))
    axes = ", ".join(f'#stablehlo.axis_ref<name = "{name}">' for name in names)
    mesh = _stablehlo_mesh(named.mesh) if b.rng.random() < 0.5 or not named.declared else f"@{named.name}"
    groups = f"replica_groups = #stablehlo.replica_group_mesh_axes<mesh = {mesh}, axes = [{axes}]>"
    if b.rng.random() < 0.5:
        b.op("stablehlo.collective_broadcast", [x], [x.type], [groups])
    else:
        handle = f"channel_handle = #stablehlo.channel_handle<handle = {b.program.number() + 1}, type = 1>"
        attributes = [groups, handle, "use_global_device_ids"]
        b.op("stablehlo.all_reduce", [x], [x.type], attributes, [scalar_region("f32", "stablehlo.add")])


def _stablehlo_mesh(mesh: Mesh) -> str:
    axes = ", ".join(f'#stablehlo.mesh_axis<name = "{axis.name}", size = {axis.size}>' for axis in mesh.axes)
    ids = f", device_ids = dense<{list(mesh.device_ids)}> : tensor<{mesh.size}xi64>" if mesh.device_ids else ""
    return f"#stablehlo.mesh<axes = [{axes}]{ids}>"
