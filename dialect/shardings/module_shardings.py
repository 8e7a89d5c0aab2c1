"""Module attributes that keep the shardings of @main for whoever runs the program (spec: partitioner, 6)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.definition.attributes import ShardingPerValue, attr_of, is_sdy, value_of
from sdy.dialect.op_properties import rank
from sdy.dialect.shardings.attribute_shardings import arg_shardings, result_shardings
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import funcs, symbol_name
from sdy.mlir.rewriting import terminator

PARAMETERS = "sdy.parameters_shardings"
OUTPUTS = "sdy.output_shardings"
RECORDED = "sdy.main_shardings_recorded"
"""Marks a module that has the attributes already but still global types."""


def store_main_shardings(module: ir.Operation) -> None:
    """Writes the shardings of the arguments and results of @main, meshes inlined, to the module's attributes.

    A result without a sharding has that of the value which is returned, if each device has the whole of it; a tensor
    that one alone has is handed to all. Any other missing sharding is a replicated one on the module's first mesh with
    axes. Nothing happens without a @main, or if the module has the attributes already.

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
