"""Calls and returns of functions and regions (spec: partitioner, 4)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.ir_builders.local_collectives import is_in_place, relayout
from sdy.dialect.ir_builders.with_sharding import use_instead, uses_of
from sdy.dialect.lowering.layout import Layout
from sdy.dialect.lowering.local_op import LocalOp
from sdy.dialect.lowering.sharded_op import PadOp, ShardedOp, local_type
from sdy.dialect.ops.model import OpModel, op_model
from sdy.dialect.shardings.value_shardings import get_sharding, set_sharding
from sdy.mlir.functions import callee_name, symbol_name
from sdy.stablehlo.ops import Builder


@op_model("func.return")
class FunctionReturn(OpModel):
    """Return of a function; the function's result shardings are its layouts."""

    def localize(self, op: LocalOp) -> None:
        """Convert returned values to the function's result shardings."""
        func = op.op.parent.operation
        for index, layout in enumerate(op.setting.functions[symbol_name(func)].results):
            op.bring(index, layout)

    def pad(self, op: PadOp) -> None:
        parent = op.op.parent.operation
        _pad_returned(op, op.progress.functions[symbol_name(parent)].results)


@op_model("stablehlo.return")
class RegionReturn(OpModel):
    """Return of a region; the op that holds the region converts it."""

    is_idle = True

    def check_parts(self, op: ShardedOp) -> str | None:
        del op
        return None

    def pad(self, op: PadOp) -> None:
        parent = op.op.parent.operation
        _pad_returned(op, tuple(op.progress.layouts.of(value.type, get_sharding(value)) for value in parent.results))


@op_model("sdy.return")
class SdyReturn(OpModel):
    """Model of a return, like `stablehlo.return`."""

    is_idle = True

    grows_alike = True


@op_model("func.call")
class Call(OpModel):
    """The callee determines the layouts of arguments and results."""

    grows_alike = True

    def localize(self, op: LocalOp) -> None:
        """Give arguments and results the layouts of the callee."""
        callee = op.setting.functions.get(callee_name(op.op))
        if callee is None:
            op.fail(f"calls @{callee_name(op.op)}, which the module does not have")
        for index, layout in enumerate(callee.arguments):
            op.bring(index, layout)
        after = Builder.after(op.op)
        for result, have, want in zip(list(op.op.results), callee.results, op.result_layouts, strict=True):
            result.set_type(local_type(have, op.op))
            if is_in_place(have, want):
                continue
            slots = uses_of(result)
            if not slots:
                continue
            moved = relayout(op.comm, after, result, have, want, op.op)
            if moved is not result:
                use_instead(slots, moved)


def _pad_returned(op: PadOp, results: Sequence[Layout]) -> None:
    """Values are returned as they are, or gathered where the result has no sharding.

    This is the case behind a propagation barrier without a sharding, which returns its operand.
    """
    if len(results) != len(op.operand_layouts):
        return  # of the condition of a loop, and of bodies that take single elements
    for index, (layout, result) in enumerate(zip(op.operand_layouts, results, strict=True)):
        if result.sharding is None and layout.sharding is not None and layout.padded_shape != layout.shape:
            set_sharding(op.op.operands[index], layout.sharding)  # of what is gathered
            op.shrink(index, layout)


@op_model("stablehlo.infeed")
class Infeed(OpModel):
    """Each device is fed its part."""

    def localize(self, op: LocalOp) -> None:
        op.keep()
