"""The wrapped module: a device-local program as one fully manual region with the signature of the global program.

XLA compiles it as an ordinary program of N partitions, in which its partitioner changes nothing (spec: jax-execution,
2). Text passes from our MLIR to jaxlib's; the objects here are jaxlib's.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Mapping, Sequence

import jax.numpy as jnp
import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from sdy.dialect.values.axes import quote
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import CLOSED, Reduction, TensorSharding, symbol
from sdy.lazy_dataclass import dataclass
from sdy.partitioned_module import PartitionedModule
from sdy.passes.executable.user_partitions import INSPECT_SHARDING, Inspection
from sdy.running.boundary import TOKEN, Boundary, dtype_of, tensor_type

_REDUCING = {Reduction.MAX: "stablehlo.maximum", Reduction.MIN: "stablehlo.minimum"}


@dataclass(frozen=True, slots=True)
class RegionResult:
    """A result of `@main` on its way out; names and types are MLIR's.

    Attributes:
      boundary: the result of `@main`.
      called: the result of the local program.
      returned: the result of the region.
    """

    boundary: Boundary
    called: str
    returned: str

    @property
    def _has_entries(self) -> bool:
        sharding = self.boundary.sharding
        return bool(sharding.unreduced) and sharding.reduction in _REDUCING

    @property
    def sharding(self) -> TensorSharding:
        """Sharding that the region returns it with."""
        sharding = self.boundary.sharding
        if not self._has_entries:
            return sharding
        entries = CLOSED.with_axes(sharding.unreduced)
        return sharding.with_unreduced((), Reduction.SUM).with_dims((entries, *sharding.dims))

    @property
    def type(self) -> str:
        """The global type that the region returns."""
        if not self._has_entries:
            return self.boundary.type
        mesh = self.boundary.sharding.mesh_or_ref
        assert isinstance(mesh, Mesh)
        entries = math.prod(axis.size(mesh.axis_sizes) for axis in self.boundary.sharding.unreduced)
        return tensor_type((entries, *self.boundary.shape), self.boundary.element)

    @property
    def local_type(self) -> str:
        """Type that the body of the region returns."""
        if not self._has_entries:
            return self.boundary.local_type
        return tensor_type((1, *self.boundary.local_shape), self.boundary.element)

    @property
    def inner(self) -> str:
        """Type that the body of the region returns."""
        return f"%entry_{_plain(self.called)}" if self._has_entries else self.called

    @property
    def outer(self) -> str:
        """Type that `@main` returns."""
        is_constrained = self.boundary.sharding.unreduced or is_unreduced_outside(self.boundary)
        return f"%unreduced_{_plain(self.returned)}" if is_constrained else self.returned

    def ops_inside(self) -> list[str]:
        """The ops that make `inner` of `called`."""
        if not self._has_entries:
            return []
        return [f"{self.inner} = stablehlo.reshape {self.called} : ({self.boundary.local_type}) -> {self.local_type}"]

    def ops_outside(self, mesh: str, outside: str) -> list[str]:
        """Return the ops that make `outer` from `returned`, given the names of the mesh in the region and outside."""
        boundary, value = self.boundary, self.returned
        if is_unreduced_outside(boundary):
            return moved_unreduced(self.outer, value, boundary, outside, is_entering=False)
        if not boundary.sharding.unreduced:
            return []
        ops: list[str] = []
        if self._has_entries:
            kind, scalar = boundary.sharding.reduction, tensor_type((), boundary.element)
            init, value = f"{self.outer}_init", f"{self.outer}_reduced"
            ops = [
                f"{init} = stablehlo.constant dense<{neutral_element(kind, boundary.element)}> : {scalar}",
                f"{value} = stablehlo.reduce({self.returned} init: {init}) applies {_REDUCING[kind]} "
                f"across dimensions = [0] : ({self.type}, {scalar}) -> {boundary.type}",
            ]
        return [*ops, constraint(self.outer, value, boundary, mesh)]


def constraint(name: str, value: str, boundary: Boundary, mesh: str) -> str:
    """Return the op that sets the sharding of a value of `@main` at the boundary."""
    return f"{name} = sdy.sharding_constraint {value} {boundary.sharding.with_mesh(mesh)} : {boundary.type}"


def is_unreduced_outside(boundary: Boundary) -> bool:
    """Return whether a value of `@main` is unreduced along axes that the region's mesh lacks."""
    return boundary.given is not None and bool(boundary.given.unreduced)


def moved_unreduced(name: str, value: str, boundary: Boundary, mesh: str, *, is_entering: bool) -> list[str]:
    """Return the ops for a value that is unreduced on its mesh outside of the region but not inside.

    XLA moves no such value between meshes: it is reduced before it enters, and unreduced after it has left.
    """
    assert boundary.given is not None
    unreduced = boundary.given.with_mesh(mesh)
    reduced = unreduced.with_unreduced((), Reduction.SUM)
    first, second = (unreduced, reduced) if is_entering else (reduced, unreduced)
    return [
        f"{name}_first = sdy.sharding_constraint {value} {first} : {boundary.type}",
        f"{name} = sdy.sharding_constraint {name}_first {second} : {boundary.type}",
    ]


def _plain(name: str) -> str:
    return name.removeprefix("%").replace("#", "_")


def neutral_element(kind: Reduction, element: str) -> str:
    """The neutral element of maximum or minimum, as MLIR writes numbers of that element type."""
    dtype, is_max = dtype_of(element), kind is Reduction.MAX
    if dtype == np.bool_:
        return "false" if is_max else "true"
    if jnp.issubdtype(dtype, jnp.integer):
        return str(jnp.iinfo(dtype).min if is_max else jnp.iinfo(dtype).max)
    number = np.array(-np.inf if is_max else np.inf).astype(dtype)
    if not np.isinf(number):
        number = np.array(jnp.finfo(dtype).min if is_max else jnp.finfo(dtype).max, dtype)
    return f"0x{number.tobytes()[::-1].hex().upper()}"


_ANCHOR = "tensor<i1>"


@dataclass(frozen=True, slots=True)
class Operand:
    """Operand of the region: the outer value and its type, its sharding, the block argument and its type."""

    value: str
    type: str
    sharding: str
    local: str
    local_type: str


@dataclass(frozen=True, slots=True)
class RegionArgument:
    """An argument of `@main` on its way in.

    `number` is its position; `mesh` and `outside` are the names of the meshes in the region and outside of it.
    """

    number: int
    boundary: Boundary
    mesh: str
    outside: str

    @property
    def outer(self) -> str:
        """The argument of `@main`."""
        return f"%arg{self.number}"

    @property
    def inner(self) -> str:
        """Value that the local program is called with."""
        return f"%local{self.number}"

    @property
    def operands(self) -> list[Operand]:
        """Operands of the region for it."""
        boundary = self.boundary
        if boundary.is_empty:
            return []
        entering = self._constrained if self._is_unreduced or is_unreduced_outside(self.boundary) else self.outer
        local = self._entered if boundary.is_token else self.inner
        sharding = str(boundary.sharding.with_mesh(self.mesh))
        operand = Operand(entering, boundary.type, sharding, local, boundary.local_type)
        anchor = Operand(f"{self.outer}_anchor", _ANCHOR, f"<@{self.mesh}, []>", f"{self.inner}_anchor", _ANCHOR)
        return [operand, anchor] if boundary.is_token else [operand]

    def ops_outside(self) -> list[str]:
        """The ops in front of the region."""
        if self.boundary.is_token:
            return [f"{self.outer}_anchor = stablehlo.constant dense<false> : {_ANCHOR}"]
        if is_unreduced_outside(self.boundary):
            return moved_unreduced(self._constrained, self.outer, self.boundary, self.outside, is_entering=True)
        return [constraint(self._constrained, self.outer, self.boundary, self.mesh)] if self._is_unreduced else []

    def ops_inside(self) -> list[str]:
        """The ops that make `inner`."""
        if self.boundary.is_empty:
            return [f"{self.inner} = stablehlo.constant dense<> : {self.boundary.local_type}"]
        if not self.boundary.is_token:
            return []
        values = f"{self._entered}, {self.inner}_anchor : {TOKEN}, {_ANCHOR}"
        return [f"{self.inner}, {self.inner}_number = stablehlo.optimization_barrier {values}"]

    @property
    def _is_unreduced(self) -> bool:
        return bool(self.boundary.sharding.unreduced)

    @property
    def _constrained(self) -> str:
        return f"%unreduced{self.number}"

    @property
    def _entered(self) -> str:
        return f"%entered{self.number}"


_TAKES_AXES = hasattr(stablehlo, "ReplicaGroupMeshAxesAttr")

_GROUPS = re.compile(
    r"#stablehlo\.replica_group_mesh_axes<mesh = #stablehlo\.mesh<axes=\[([^]]*)\]>, axes = \[([^]]*)\]>"
)
_SIZE = re.compile(r'<name = "([^"]*)", size = (\d+)>')
_NAME = re.compile(r'#stablehlo\.axis_ref<name = "([^"]*)">')


def readable(text: str) -> str:
    """A program for each device as the jaxlib in use reads it."""
    return text if _TAKES_AXES or "replica_group_mesh_axes" not in text else with_dense_groups(text)


def with_dense_groups(text: str) -> str:
    """Write mesh-axes replica groups as rows of devices; meshes have full axes and devices in order."""
    return _GROUPS.sub(lambda found: _dense(found[1], found[2]), text)


def _dense(mesh: str, axes: str) -> str:
    sizes = {name: int(size) for name, size in _SIZE.findall(mesh)}
    names, along = list(sizes), _NAME.findall(axes)
    order = [*(name for name in names if name not in along), *along]
    count = math.prod(sizes[name] for name in along)
    grid = np.arange(math.prod(sizes.values())).reshape(list(sizes.values()))
    rows = grid.transpose([names.index(name) for name in order]).reshape(-1, count)
    return f"dense<{rows.tolist()}> : tensor<{rows.shape[0]}x{count}xi64>"


_SEVERAL = re.compile(r'"stablehlo\.all_reduce"\(%[\w#]+,')
_CHANNEL = re.compile(r"channel_handle<handle = (\d+)")


def separate_sums(module: ir.Module, text: str) -> None:
    """Split all_reduces of several tensors in `module`, which was parsed from `text`."""
    if not _SEVERAL.search(text):
        return
    channel = max(map(int, _CHANNEL.findall(text)), default=0)
    found: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name == "stablehlo.async_start":
            return ir.WalkResult.SKIP
        if op.name == "stablehlo.all_reduce" and len(op.operands) > 1:
            found.append(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    for op in found:
        channel = _separate(op, channel)


def _separate(op: ir.Operation, channel: int) -> int:
    """Make an all_reduce for each operand, on the op's channel and those behind `channel`; return the last."""
    for number, (operand, result) in enumerate(zip(op.operands, op.results, strict=True)):
        attributes = dict(op.attributes.items())
        if number and "channel_handle" in attributes:
            channel += 1
            kind = stablehlo.ChannelHandle(attributes["channel_handle"]).channel_type
            attributes["channel_handle"] = stablehlo.ChannelHandle.get(channel, kind)
        where = {"loc": op.location, "ip": ir.InsertionPoint(op)}
        one = ir.Operation.create(op.name, [result.type], [operand], attributes, regions=1, **where)
        op.clone(ip=False).operation.regions[0].blocks[0].append_to(one.regions[0])
        result.replace_all_uses_with(one.results[0])
    op.erase()
    return channel


LOCAL_MAIN = "sdy_local_main"
"""Name of the device-local program in the wrapped module."""


def wrap(partitioned: PartitionedModule, module: ir.Module) -> ir.Module:
    """Return the module to compile instead of `module`, which JAX lowered; in the same MLIR context.

    Arguments and results keep their types and attributes (donation, layouts, memory kinds, names); their shardings
    become those of `partitioned`. `module` itself is not changed.
    """
    main = ir.SymbolTable(module.operation)["main"]
    name = ir.StringAttr(module.operation.attributes["sym_name"]).value
    with module.context, ir.Location.unknown():
        arguments = _attributes(main, "arg_attrs", len(partitioned.arguments))
        results = _attributes(main, "res_attrs", len(partitioned.results))
        wrapper = ir.Module.parse(_wrapper_text(partitioned, name, arguments, results))
        ir.SymbolTable(wrapper.operation)[LOCAL_MAIN].operation.erase()  # the declaration makes room
        embed(partitioned.text, wrapper, {"main": LOCAL_MAIN})
        wrapper.operation.verify()
    return wrapper


def embed(text: str, module: ir.Module, names: Mapping[str, str] | None = None) -> str:
    """Append the functions of a sdy-free module, private, to `module`; return the name of its @main there.

    Functions not in `names` get a name made from the text, so that equal text is embedded only once.
    """
    tag = "sdy_" + hashlib.sha256(text.encode()).hexdigest()[:12]
    names = names or {}
    main = names.get("main", f"{tag}_main")
    if main in ir.SymbolTable(module.operation):
        return main
    source = ir.Module.parse(readable(text), module.context)
    separate_sums(source, text)
    functions = list(source.body.operations)
    for function in functions:
        old = ir.StringAttr(function.attributes["sym_name"]).value
        new = names.get(old, f"{tag}_{old}")
        ir.SymbolTable.replace_all_symbol_uses(old, new, source.operation)
        function.attributes["sym_name"] = ir.StringAttr.get(new, module.context)
    for function in functions:
        function.attributes["sym_visibility"] = ir.StringAttr.get("private", module.context)
        for attribute in ("arg_attrs", "res_attrs"):
            if attribute in function.attributes:
                del function.attributes[attribute]
        module.body.append(function)
    return main


# The text of the wrapper -----------------------------------------------------------------------------


def _attributes(function: ir.OpView, key: str, count: int) -> list[str]:
    """The attributes of each argument or result as text, without shardings."""
    if key not in function.attributes:
        return [""] * count
    return [
        ", ".join(f"{item.name} = {item.attr}" for item in ir.DictAttr(entry) if item.name != "sdy.sharding")
        for entry in ir.ArrayAttr(function.attributes[key])
    ]


def _wrapper_text(partitioned: PartitionedModule, name: str, arguments: list[str], results: list[str]) -> str:
    """Return a module whose @main only calls the (declared) local program in a region manual on all axes.

    `arguments` and `results` are the attributes of those of @main.
    """
    mesh = Mesh(partitioned.mesh.axes)
    types, local_types = _types(partitioned.arguments)
    result_types, local_result_types = _types(partitioned.results)
    names = _mesh_names(partitioned)
    given_ins, given_outs = (
        [_outside(one, names) for one in boundaries] for boundaries in (partitioned.arguments, partitioned.results)
    )
    entering = [
        RegionArgument(number, one, "mesh", _mesh_outside(one, names))
        for number, one in enumerate(partitioned.arguments)
    ]
    leaving = _leaving(partitioned.results)
    operands = [operand for one in entering for operand in one.operands]
    signature = f"({_csv(local_types)}) -> ({_csv(local_result_types)})"
    called = f"@{LOCAL_MAIN}({_csv(one.inner for one in entering)})"
    return f"""
module {symbol(name)} attributes {{mhlo.num_partitions = {mesh.size} : i32, mhlo.num_replicas = 1 : i32}} {{
  sdy.mesh @mesh = {mesh}
  {_lines(f"sdy.mesh @{name} = {one}" for one, name in names.items())}
  func.func public @main({_csv(map(_argument, range(len(types)), types, arguments, given_ins))})
      -> ({_csv(map(_result, result_types, results, given_outs))}) {{
    {_lines(op for one in entering for op in one.ops_outside())}
    {_bind("%result", result_types)}sdy.manual_computation({_csv(one.value for one in operands)})
        in_shardings=[{_csv(one.sharding for one in operands)}]
        out_shardings=[{_csv(str(one.sharding.with_mesh("mesh")) for one in leaving)}]
        manual_axes={{{_csv(quote(axis.name) for axis in mesh.axes)}}}
        ({_csv(f"{one.local}: {one.local_type}" for one in operands)}) {{
      {_lines(op for one in entering for op in one.ops_inside())}
      {_bind("%call", result_types)}func.call {called} : {signature}
      {_lines(op for one in leaving for op in one.ops_inside())}
      sdy.return{_operands([one.inner for one in leaving], [one.local_type for one in leaving])}
    }} : ({_csv(one.type for one in operands)}) -> ({_csv(one.type for one in leaving)})
    {_lines(op for one in leaving for op in one.ops_outside("mesh", _mesh_outside(one.boundary, names)))}
    {_inspected(partitioned.inspections)}
    return{_operands([one.outer for one in leaving], result_types)}
  }}
  func.func private @{LOCAL_MAIN}{signature}
}}
"""


def _mesh_names(partitioned: PartitionedModule) -> dict[Mesh | str, str]:
    """Return the names of the other meshes of @main's arguments and results."""
    given = [one.given.mesh_or_ref for one in (*partitioned.arguments, *partitioned.results) if one.given is not None]
    return {mesh: f"mesh_{number}" for number, mesh in enumerate(dict.fromkeys(given))}


def _mesh_outside(boundary: Boundary, names: Mapping[Mesh | str, str]) -> str:
    """The mesh that an argument or result of @main is on."""
    return "mesh" if boundary.given is None else names[boundary.given.mesh_or_ref]


def _outside(boundary: Boundary, names: Mapping[Mesh | str, str]) -> str:
    """Return the sharding of an argument or result of @main, which may differ inside the region."""
    return str((boundary.given or boundary.sharding).with_mesh(_mesh_outside(boundary, names)))


def _leaving(results: Sequence[Boundary]) -> list[RegionResult]:
    names = zip(_results("%call", len(results)), _results("%result", len(results)), strict=True)
    return [RegionResult(one, *pair) for one, pair in zip(results, names, strict=True)]


def _inspected(inspections: Iterable[Inspection]) -> str:
    """Return calls that query XLA's partitioner for the shardings of zeros of these shapes."""
    lines: list[str] = []
    for number, one in enumerate(inspections):
        type_ = f"tensor<{''.join(f'{size}x' for size in one.shape)}i8>"
        lines += [
            f"%zeros{number} = stablehlo.constant dense<0> : {type_}",
            f"%value{number} = sdy.sharding_constraint %zeros{number} {one.sharding.with_mesh('mesh')} : {type_}",
            f"%asked{number} = stablehlo.custom_call @{INSPECT_SHARDING}(%value{number}) "
            f"{{backend_config = {one.key}, has_side_effect = true}} : ({type_}) -> {type_}",
        ]
    return _lines(lines)


def _types(boundaries: Iterable[Boundary]) -> tuple[list[str], list[str]]:
    listed = list(boundaries)
    return [one.type for one in listed], [one.local_type for one in listed]


def _argument(number: int, type_: str, attributes: str, sharding: str) -> str:
    return f"%arg{number}: {_result(type_, attributes, sharding)}"


def _result(type_: str, attributes: str, sharding: str) -> str:
    return f"{type_} {{{attributes}{', ' if attributes else ''}sdy.sharding = #sdy.sharding{sharding}}}"


def _csv(parts: Iterable[str]) -> str:
    return ", ".join(parts)


def _bind(name: str, types: Sequence[str]) -> str:
    """Return the left-hand side of an op with results of those types."""
    return "" if not types else f"{name} = " if len(types) == 1 else f"{name}:{len(types)} = "


def _operands(names: Sequence[str], types: Sequence[str]) -> str:
    """Operands and types of a terminator."""
    return f" {_csv(names)} : {_csv(types)}" if names else ""


def _results(name: str, count: int) -> list[str]:
    """The results of an op with the left-hand side `name`."""
    return [name] if count == 1 else [f"{name}#{i}" for i in range(count)]


def _lines(ops: Iterable[str]) -> str:
    return "\n    ".join(ops)
