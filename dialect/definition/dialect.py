"""The sdy dialect: `attributes` and `ops` add their declarations to it."""

from __future__ import annotations

from pathlib import Path

from sdy.mlir import declared_dialects, ext, ir, irdl
from sdy.mlir.declared_dialects import irdl_of


class Sdy(ext.Dialect, name="sdy"):
    """Shardings, sharding constraints, collectives and the structure that sharding propagation works on.

    A `sdy.mesh` arranges devices along named axes. A sharding says, for each dimension of a tensor, along which axes it
    is cut: with ``@mesh`` below, each of the 4 rows of devices along "data" has 2 of the 8 rows of ``%x``, and the
    2 devices of such a row have the same data.

        sdy.mesh @mesh = <["data"=4, "model"=2]>
        func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> tensor<8x8xf32> {
          %0 = sdy.reshard %x <@mesh, [{}, {"data", "model"}]> : tensor<8x8xf32>
          return %0 : tensor<8x8xf32>
        }

    Function arguments and results carry their shardings as `sdy.sharding`, ops a list of them, one per result:
    ``{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>}``. Propagation (`sdy-propagation-pipeline`)
    fills in those that are missing, the partitioner (`sdy-partition-pipeline`) makes the program of one device.

    Where an op's format tells which attribute follows, only its body is written (``<@mesh, [{}]>``); elsewhere its name
    as well (``#sdy.sharding<@mesh, [{}]>``, ``#sdy<axis_ref_list{"a"}>``). In Python, attributes are value objects
    (`sdy.dialect.definition.attributes.attr_of` and `value_of` convert), and `sdy.dialect.builders` has a function for
    each op.
    """

    groups = declared_dialects.DEFAULT_GROUPS
    file = Path(__file__).parents[1] / "sdy.irdl.mlir"

    @classmethod
    def emit(cls, groups: int) -> ir.Module:
        """The IRDL of the dialect, with `groups` groups of values in ops with any number of them.

        IRDL keeps attributes and ops in one symbol table, but this dialect has both an attribute and an op called
        `mesh`. Two IRDL dialects of one name are merged when they are loaded, so an op that shares its name with an
        attribute stands in one of its own. It cannot refer to the attributes of the other.
        """
        attribute_names = {attr._name for attr in cls.attributes}
        rest = [op for op in cls.operations if op._op_name not in attribute_names]
        shared = [op for op in cls.operations if op._op_name in attribute_names]
        with ir.Location.unknown():
            module = ir.Module.create()
            for attributes, operations in ((cls.attributes, rest), ((), shared)):
                with ir.InsertionPoint(module.body):
                    part = ir.Operation.create("builtin.module", regions=1)
                with ir.InsertionPoint(part.regions[0].blocks.append()):
                    dialect = irdl.dialect(cls.name)
                with ir.InsertionPoint(dialect.body):
                    for attr in attributes:
                        attr._emit_attr()
                    for op in operations:
                        declared_dialects.emit(op, groups)
        return module

    @classmethod
    def _emit_module(cls) -> ir.Module:
        return ir.Module.parse(irdl_of(cls.file, cls.emit, cls.groups))
