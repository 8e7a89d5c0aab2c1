"""sdy-record-main-type: the program has a function @main that can be called on equal parts, of which the type is noted.

    func.func @f(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32>
==> module attributes {sdy.main_type = (tensor<8xf32>) -> tensor<8xf32>} {
    func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32>

The only function is called so, if none is. Refused are arguments and results that are neither tensors of static shape
nor tokens, that lie on a single device, or that have a dimension which their shards do not divide.
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.shardings.attribute_shardings import arg_shardings, result_shardings
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import main_function
from sdy.passes.executable.records import MAIN_TYPE
from sdy.passes.registry import pass_

_TOKEN = "!stablehlo.token"


@pass_("sdy-record-main-type")
def record_main_type(module: ir.Operation) -> None:
    main = main_function(module)
    main.attributes["sym_name"] = ir.StringAttr.get("main")
    _check_boundary(main, MeshTable(module))
    module.attributes[MAIN_TYPE] = main.attributes["function_type"]


def _check_boundary(main: ir.Operation, meshes: MeshTable) -> None:
    function_type = main.attributes["function_type"].value
    sides = [
        ("argument", zip(function_type.inputs, arg_shardings(main), strict=True)),
        ("result", zip(function_type.results, result_shardings(main), strict=True)),
    ]
    numbered = [(f"{side} {number}", *pair) for side, pairs in sides for number, pair in enumerate(pairs)]
    for what, type_, sharding in numbered:
        if str(type_) == _TOKEN:
            continue
        if not isinstance(type_, ir.RankedTensorType) or not type_.has_static_shape:
            raise DiagnosticError(main, f"{what} has type {type_}, expected a statically shaped tensor or a token")
        mesh = sharding and meshes.of(sharding)
        if sharding is None or mesh is None:
            continue
        if mesh.is_maximal:
            raise DiagnosticError(main, f"{what} lies on device {mesh.device_ids[0]} alone, expected it on all devices")
        _check_divisible(main, what, type_.shape, sharding, mesh)


def _check_divisible(main: ir.Operation, what: str, shape: Sequence[int], sharding: TensorSharding, mesh: Mesh) -> None:
    for position, (size, dim) in enumerate(zip(shape, sharding.dims, strict=True)):
        shards = dim.shards(mesh.axis_sizes)
        if size % shards:
            raise DiagnosticError(
                main, f"{what} has size {size} in dimension {position}, which its {shards} shards do not divide"
            )
