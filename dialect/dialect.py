"""The sdy dialect itself; `attributes` and `ops` fill it."""

from __future__ import annotations

from typing import Any

from sdy.dialect import variadic
from sdy.mlir import ext, ir, irdl


class Sdy(ext.Dialect, name="sdy"):
    """Shardings, sharding constraints, collectives and the structure that sharding propagation works on."""

    groups = variadic.DEFAULT_GROUPS

    @classmethod
    def emit(cls, groups: int) -> Any:
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
                        _emit_operation(op, groups)
        return module

    @classmethod
    def _emit_module(cls) -> Any:
        return cls.emit(cls.groups)


def _emit_operation(op: Any, groups: int) -> None:
    fields = ext.partition_fields(op._fields)
    if any(each.variadicity is ext.Variadicity.variadic for kind in fields for each in kind):
        variadic.emit_operation(op, groups)
    else:
        op._emit_operation()
