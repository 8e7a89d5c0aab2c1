"""Records for the caller: module attributes that the passes of this folder leave.

module attributes {
  sdy.devices = #sdy.mesh<["x"=2], device_ids=[1, 0]>,           // device 1 has the logical number 0
  sdy.main_type = (tensor<8xf32>) -> tensor<8xf32>,              // of @main, globally
  sdy.inspections = [{key = "0", shape = array<i64: 8>, sharding = #sdy.sharding<mesh<["x"=2]>, [{"x"}]>}],
  sdy.given_parameters_shardings = [unit],                       // no argument comes with another sharding
  sdy.given_output_shardings = [unit]}
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import attr_of, value_of
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.passes.executable.user_partitions import Inspection

DEVICES = "sdy.devices"
MAIN_TYPE = "sdy.main_type"
INSPECTIONS = "sdy.inspections"
GIVEN_PARAMETERS = "sdy.given_parameters_shardings"
GIVEN_OUTPUTS = "sdy.given_output_shardings"

Shardings = tuple[TensorSharding | None, ...]
"""Inlined shardings of arguments or results; None for those of the program."""


def devices(module: ir.Operation) -> Mesh:
    """Return the mesh of all devices: as recorded, or the first mesh with axes; it has ids if reordered."""
    recorded = attributes.get(module, DEVICES)
    if recorded is not None:
        return recorded
    found = MeshTable(module).global_mesh()
    return Mesh() if found is None else found[1]


def is_for_one_device(module: ir.Operation) -> bool:
    """Return whether the program is known to run on one device."""
    return DEVICES in module.attributes and attributes.get(module, DEVICES).size == 1


def store_inspections(module: ir.Operation, found: Sequence[tuple[ir.Attribute, Inspection]]) -> None:
    """Writes inspections to the module, each with the attribute that is its key."""
    entries = [
        ir.DictAttr.get({"key": key, "shape": ir.DenseI64ArrayAttr.get(one.shape), "sharding": attr_of(one.sharding)})
        for key, one in found
    ]
    module.attributes[INSPECTIONS] = ir.ArrayAttr.get(entries)


def inspections(module: ir.Operation) -> tuple[Inspection, ...]:
    """The recorded inspections; none if nothing was recorded."""
    if INSPECTIONS not in module.attributes:
        return ()
    entries = map(ir.DictAttr, ir.ArrayAttr(module.attributes[INSPECTIONS]))
    return tuple(
        Inspection(str(one["key"]), tuple(ir.DenseI64ArrayAttr(one["shape"])), value_of(one["sharding"]))
        for one in entries
    )


def store_given(module: ir.Operation, arguments: Shardings, results: Shardings) -> None:
    """Writes the shardings that arguments and results have outside of the program."""
    for name, shardings in ((GIVEN_PARAMETERS, arguments), (GIVEN_OUTPUTS, results)):
        entries = [ir.UnitAttr.get() if each is None else attr_of(each) for each in shardings]
        module.attributes[name] = ir.ArrayAttr.get(entries)


def given(module: ir.Operation, name: str) -> Shardings:
    """The recorded shardings under `GIVEN_PARAMETERS` or `GIVEN_OUTPUTS`; none at all if nothing was recorded."""
    if name not in module.attributes:
        return ()
    return tuple(
        None if isinstance(each, ir.UnitAttr) else value_of(each) for each in ir.ArrayAttr(module.attributes[name])
    )
