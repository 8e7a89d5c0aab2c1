"""xla-sdy-import-constants: constants become those of the dialect.

    %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
==> %0 = sdy.constant dense<1.0> : tensor<8xf32>
"""

from __future__ import annotations

from sdy.dialect import builders
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.passes.registry import UNCHANGED, pass_
from sdy.passes.steps import FUNCTION


@pass_("xla-sdy-import-constants", on=FUNCTION)
def import_constants(func: ir.Operation) -> object:
    """Spec: interchange, 8.1."""
    found = ops_named(func, "stablehlo.constant")
    for op in found:
        value = builders.constant(op.attributes["value"], loc=op.location, ip=ir.InsertionPoint(op))
        for entry in op.attributes:
            name = entry if isinstance(entry, str) else entry.name
            if name != "value":
                value.owner.attributes[name] = op.attributes[name]
        op.results[0].replace_all_uses_with(value)
        op.erase()
    return None if found else UNCHANGED
