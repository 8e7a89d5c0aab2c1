"""The program on a single device, the reference for partitioned runs.

All sdy ops except `sdy.manual_computation` only place data: on global values they are identities.
"""

from __future__ import annotations

import sdy
from sdy.dialect.shardings.attribute_shardings import remove_sdy_attributes
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import main_function
from sdy.mlir.rewriting import inline, replace
from sdy.mlir.walk import post_order
from sdy.passes.costs.machine import KINDS
from sdy.programs.given_modules import import_foreign
from sdy.stablehlo import ops

_DEVICE_CODE = (
    "sdy.manual_computation",
    "stablehlo.partition_id",
    "stablehlo.replica_id",
    *(f"stablehlo.{kind}" for kind in KINDS),
)
_NO_RESULT = ("sdy.mesh", "sdy.sharding_group")


def unpartitioned(text: str, filename: str = "-") -> str:
    """The text of the program without any sharding, its main function called @main.

    Raises `DiagnosticError` at a manual computation or a collective: what they do depends on the devices.
    """
    module = sdy.parse(text, filename)
    with module.context, ir.Location.unknown():
        import_foreign(module)
        sdy.run(module, "sdy-convert-async")
        main_function(module.operation).attributes["sym_name"] = ir.StringAttr.get("main")
        for op in post_order(module.operation):
            _refuse_device_code(op)
            if op.name in _NO_RESULT:
                op.erase()
            elif op.name == "sdy.constant":
                replace(op, [_plain_constant(op)])
            elif op.name == "sdy.named_computation":
                inline(op)
            elif op.name.startswith("sdy.") and op.name != "sdy.return":
                replace(op, [op.operands[0]])
            else:
                remove_sdy_attributes(op)
        sdy.run(module, "func.func(sdy-legalize-for-xla{enable-patterns=einsum-operands,scatter-indices})")
        return module.operation.get_asm(enable_debug_info=True)


def _refuse_device_code(op: ir.Operation) -> None:
    if op.name in _DEVICE_CODE:
        raise DiagnosticError(op, "differs on every device, so it has no unpartitioned form")


def _plain_constant(op: ir.Operation) -> ir.Value:
    with ir.InsertionPoint(op), op.location:
        return ops.constant(op.attributes["value"])
