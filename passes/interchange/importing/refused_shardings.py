"""Diagnostics for shardings of other compilers that remain after an import."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sdy.dialect.definition.attributes import SHARDING
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, Faults
from sdy.mlir.functions import funcs_in_modules
from sdy.mlir.search import ops_named, ops_with

_HLO = ("mhlo.sharding", "mhlo.spmd_parameters_shardings", "mhlo.spmd_output_sharding")
_FRONTEND = "mhlo.frontend_attributes"
_XLA = re.compile(r"xla\.sdy\.(?!sharding_rule$)\w+")
"""Pattern of attributes that hold shardings, meshes or manual axes in XLA."""

_SPLITS = re.compile(r"devices=\[|manual|unreduced|unknown")
"""An HLO sharding that is not the same for every device, nor on a single one."""


def refuse_other_shardings(module: ir.Operation) -> None:
    """Refuse a module that only attributes of other compilers shard: `mhlo.sharding`, strings of XLA.

    A module with shardings of the dialect may have them as well, for example on host callbacks.

    Raises:
      DiagnosticErrors: at each op that has one.
    """
    found = list(_foreign(module))
    if found and not _has_shardings(module):
        with Faults() as faults:
            for op, what, name in found:
                with faults.one():
                    raise DiagnosticError(
                        op, f"{what}is sharded by '{name}' alone, which is not supported: use 'sdy.sharding'"
                    )


def _foreign(module: ir.Operation) -> Iterator[tuple[ir.Operation, str, str]]:
    """Return the ops with such attributes, the part of the op that has them, and the attribute's name."""
    for op in (module, *ops_with(module, _HLO[0], _FRONTEND)):
        name = _sharded_by(op.attributes)
        if name is not None:
            yield op, "", name
    for func in funcs_in_modules(module):
        for entries, what in (("arg_attrs", "argument"), ("res_attrs", "result")):
            for number, entry in enumerate(func.attributes.get(entries) or ()):
                name = _sharded_by(entry)
                if name is not None:
                    yield func, f"{what} {number} ", name


def _sharded_by(attributes: ir.OpAttributeMap | ir.DictAttr) -> str | None:
    for name in _HLO:
        if name in attributes and _SPLITS.search(str(attributes[name])):
            return name
    if _FRONTEND not in attributes:
        return None
    frontend = attributes[_FRONTEND]
    if not isinstance(frontend, ir.DictAttr):
        return None
    return next((entry.name for entry in frontend if _XLA.fullmatch(entry.name)), None)


def _has_shardings(module: ir.Operation) -> bool:
    """Return whether anything is sharded by this dialect."""
    if ops_with(module, SHARDING) or ops_named(module, *_SHARDED):
        return True
    entries = (
        func.attributes.get(name) or () for func in funcs_in_modules(module) for name in ("arg_attrs", "res_attrs")
    )
    return any(SHARDING in entry for each in entries for entry in each)


_SHARDED = ("sdy.sharding_constraint", "sdy.reshard", "sdy.manual_computation", "sdy.named_computation")
"""The ops that have shardings of their own when a program comes in."""
