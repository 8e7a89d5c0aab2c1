"""The shardings of values, and the boundary shardings of @main that the module keeps."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence

from sdy.dialect.data_flow import edge_of_owner, interface, is_data_flow_op, owning_op
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING, ShardingPerValue, attr_of, is_sdy, value_of
from sdy.dialect.op_properties import rank
from sdy.dialect.shardings.attribute_shardings import (
    arg_sharding,
    arg_shardings,
    num_arguments,
    num_results,
    op_shardings,
    open_like,
    result_sharding,
    result_shardings,
    set_arg_sharding,
    set_arg_shardings,
    set_op_shardings,
    set_result_sharding,
    with_entries,
)
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import MeshRef, TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import funcs, symbol_name
from sdy.mlir.rewriting import terminator
from sdy.mlir.walk import identity

__all__ = [
    "INHERENT_SHARDINGS",
    "arg_sharding",
    "arg_shardings",
    "bypass_barriers",
    "filled_arg_shardings",
    "filled_result_shardings",
    "get_sharding",
    "num_arguments",
    "num_results",
    "op_shardings",
    "open_like",
    "result_sharding",
    "result_shardings",
    "set_arg_sharding",
    "set_op_shardings",
    "set_result_sharding",
    "set_sharding",
    "set_shardings",
    "shardable_value",
    "sharding_or_open",
]

_COLLECTIVES = (
    "all_gather all_slice all_to_all collective_permute all_reduce reduce_scatter sharded_to_unreduced "
    "replicated_to_unreduced"
).split()

INHERENT_SHARDINGS = {
    "sdy.data_flow_edge": "sharding",
    "sdy.sharding_constraint": "sharding",
    "sdy.reshard": "sharding",
    **{f"sdy.{name}": "out_sharding" for name in _COLLECTIVES},
}
"""The attribute of their own in which some ops, by name, keep the sharding of their one result."""


# The value that holds the sharding ---------------------------------------------------------------


def shardable_value(value: ir.Value) -> ir.Value | None:
    """Return the value that holds the sharding of `value`.

    A target of a data-flow edge with an edge op is sharded like that op's result, a block argument of a data-flow op
    without an edge op like its owner. None for arguments of other regions (`reduce`, `sort` ...), which have no
    sharding.
    """
    op = owning_op(value)
    if op is None:
        return None
    flow = interface(op)
    if flow is not None:
        owner = flow.owner_of_target(value)
        edge = edge_of_owner(owner)
        return owner if edge is None else edge.results[0]
    if not isinstance(value, ir.BlockArgument) or op.name == "func.func":
        return value
    return op.operands[value.arg_number] if op.name == "stablehlo.async_start" else None


def bypass_barriers(value: ir.Value) -> ir.Value:
    """The value in front of the `sdy.propagation_barrier` ops that define `value`."""
    while isinstance(value, ir.OpResult) and value.owner.operation.name == "sdy.propagation_barrier":
        value = value.owner.operation.operands[0]
    return value


# Reading and writing -----------------------------------------------------------------------------


def get_sharding(value: ir.Value) -> TensorSharding | None:
    """The sharding of `value`, None if it has none."""
    if isinstance(value, ir.OpResult):
        op = value.owner.operation
        name = op.name
        if name in INHERENT_SHARDINGS:
            return attributes.get(op, INHERENT_SHARDINGS[name])
        if not is_data_flow_op(name):
            stored = op.attributes.get(SHARDING)
            return None if stored is None else attributes.value_of(stored).shardings[value.result_number]
    return _sharding_of_holder(shardable_value(value))


def _sharding_of_holder(holder: ir.Value | None) -> TensorSharding | None:
    """The sharding that is kept for a value that holds one."""
    op = None if holder is None else owning_op(holder)
    if holder is None or op is None:
        return None
    flow = interface(op)
    if isinstance(holder, ir.BlockArgument):
        if op.name == "func.func":
            return arg_sharding(op, holder.arg_number)
        stored = None if flow is None else flow.block_arg_shardings()
        return None if stored is None else stored[holder.arg_number]
    if flow is None:
        return get_sharding(holder)
    stored = flow.result_shardings()
    return None if stored is None else stored[ir.OpResult(holder).result_number]


def set_sharding(value: ir.Value, sharding: TensorSharding) -> None:
    """Gives `value` a sharding; ignored for a value that cannot have one.

    If the sharding starts a new list, all other entries become fully open on the same mesh.
    """
    holder = shardable_value(value)
    if holder is not None:
        _set_on(holder, {_number(holder): sharding})


def set_shardings(shardings: Mapping[ir.Value, TensorSharding]) -> None:
    """Set the sharding of each value, in order; a list that several of them share is written once."""
    lists: dict[Hashable, tuple[ir.Value, dict[int, TensorSharding]]] = {}
    for value, sharding in shardings.items():
        holder = shardable_value(value)
        op = None if holder is None else owning_op(holder)
        if holder is not None and op is not None:
            key = (isinstance(holder, ir.BlockArgument), identity(op))
            lists.setdefault(key, (holder, {}))[1][_number(holder)] = sharding
    for holder, entries in lists.values():
        _set_on(holder, entries)


def _set_on(holder: ir.Value, new: Mapping[int, TensorSharding]) -> None:
    """Replaces entries, by their number, of the list that the sharding of `holder` is kept in."""
    op, is_argument = owning_op(holder), isinstance(holder, ir.BlockArgument)
    if op is None:
        return
    name = op.name
    if name in INHERENT_SHARDINGS:
        attributes.put(op, INHERENT_SHARDINGS[name], new[0])
    elif (flow := interface(op)) is None:
        if is_argument:
            set_arg_shardings(op, new)
        else:
            set_op_shardings(op, with_entries(op_shardings(op), new, [result.type for result in op.results]))
    elif is_argument:
        types = [argument.type for argument in flow.block_arg_owners()]
        flow.set_block_arg_shardings(with_entries(flow.block_arg_shardings(), new, types))
    else:
        types = [result.type for result in flow.result_owners()]
        flow.set_result_shardings(with_entries(flow.result_shardings(), new, types))


def _number(value: ir.Value) -> int:
    return value.arg_number if isinstance(value, ir.BlockArgument) else ir.OpResult(value).result_number


def sharding_or_open(value: ir.Value, mesh: MeshRef) -> TensorSharding:
    """The sharding of `value`, or a fully open one on `mesh`."""
    return get_sharding(value) or open_like(mesh, value.type)


# Functions ---------------------------------------------------------------------------------------


def filled_arg_shardings(func: ir.Operation, meshes: MeshTable | None = None) -> list[TensorSharding] | None:
    """The shardings of all arguments, missing ones fully open on the mesh of the first that is not maximal.

    None if no argument has a sharding on a non-maximal mesh (import-passes 1.5). `meshes` is the table of the module,
    to share between functions.
    """
    return _filled(func, arg_shardings(func), lambda type_: type_.inputs, meshes)


def filled_result_shardings(func: ir.Operation, meshes: MeshTable | None = None) -> list[TensorSharding] | None:
    """Return the shardings of the results, filled like those of `filled_arg_shardings`."""
    return _filled(func, result_shardings(func), lambda type_: type_.results, meshes)


def _filled(
    func: ir.Operation,
    shardings: Sequence[TensorSharding | None],
    types_of: Callable[[ir.FunctionType], Sequence[ir.Type]],
    meshes: MeshTable | None,
) -> list[TensorSharding] | None:
    if not any(shardings):
        return None
    mesh = (meshes or of_module(MeshTable, func)).first_non_maximal(shardings)
    if mesh is None:
        return None
    types = types_of(func.attributes["function_type"].value)
    return [sharding or open_like(mesh, type_) for sharding, type_ in zip(shardings, types, strict=True)]


PARAMETERS = "sdy.parameters_shardings"
OUTPUTS = "sdy.output_shardings"
RECORDED = "sdy.main_shardings_recorded"
"""Marks a module that has the attributes already but still global types."""


def store_main_shardings(module: ir.Operation) -> None:
    """Writes the shardings of the arguments and results of @main, meshes inlined, to the module's attributes.

    A result without a sharding takes that of the returned value, if it is replicated; a tensor on a single device
    becomes replicated. Any other missing sharding is a replicated one on the module's first mesh with axes. Nothing
    happens without a @main, or if the module has the attributes already.

    Raises:
      DiagnosticError: the attributes that the module has already cannot be those of @main.
    """
    main = next((func for func in funcs(module) if symbol_name(func) == "main"), None)
    if main is None:
        return
    function_type = main.attributes["function_type"].value
    if PARAMETERS in module.attributes and OUTPUTS in module.attributes:
        _check_recorded(module, PARAMETERS, function_type.inputs)
        _check_recorded(module, OUTPUTS, function_type.results)
        return
    meshes = MeshTable(module)
    results = _shardings_of_results(main, meshes)
    shardings = [sharding for sharding in (*arg_shardings(main), *results) if sharding is not None]
    candidates = [*meshes.by_name.values(), *filter(None, map(meshes.of, shardings))]
    default = next((mesh for mesh in candidates if mesh.axes), Mesh())

    def inlined(shardings: Sequence[TensorSharding | None], types: Sequence[ir.Type]) -> ir.Attribute:
        entries = [
            sharding.with_mesh(meshes.of(sharding) or default)
            if sharding is not None
            else TensorSharding.closed(default, rank(type_))
            for sharding, type_ in zip(shardings, types, strict=True)
        ]
        return attr_of(ShardingPerValue(tuple(entries)))

    module.attributes[PARAMETERS] = inlined(arg_shardings(main), function_type.inputs)
    module.attributes[OUTPUTS] = inlined(results, function_type.results)


def _check_recorded(module: ir.Operation, name: str, types: Sequence[ir.Type]) -> None:
    attribute = module.attributes[name]
    if not is_sdy(attribute, ShardingPerValue) or len(value_of(attribute).shardings) != len(types):
        raise DiagnosticError(module, f"expected '{name}' to be a list of {len(types)} shardings, as many as @main has")


def _shardings_of_results(main: ir.Operation, meshes: MeshTable) -> list[TensorSharding | None]:
    shardings = result_shardings(main)
    terminators = (terminator(block) for block in main.regions[0].blocks)
    exits = (op for op in terminators if op.name == "func.return")
    if None not in shardings or (returned := next(exits, None)) is None:
        return shardings
    pairs = zip(shardings, returned.operands, strict=True)
    return [known or _sharding_of_whole(value, meshes) for known, value in pairs]


def _sharding_of_whole(value: ir.Value, meshes: MeshTable) -> TensorSharding | None:
    found = get_sharding(value)
    if found is None or (isinstance(value.type, ir.RankedTensorType) and meshes.is_on_single_device(found)):
        return None
    return found if found.is_fully_replicated and not found.unreduced else None
