"""The dialect `hlo_async`: its type, and the parts and syntax of its ops (spec: async, 10.1)."""

# The annotations are IRDL constraints, which the bindings read; to Python they are no types.
# pyright: reportGeneralTypeIssues=false, reportInvalidTypeForm=false

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from sdy.mlir import declared_dialects, ext, ir
from sdy.mlir.declared_dialects import irdl_of

MAIN_THREAD = "main"
"""The thread of an operation that names none."""


class HloAsync(ext.Dialect, name="hlo_async"):
    """Operations that are started, may be updated, and are done later.

    A start holds the operation in its body and gives a bundle: the types of the operation's operands, of its results,
    and of its context. Each start and each update has one user, an update or a done, in the same block; the done has
    the results. The operation may run beside others in between.

        %s = hlo_async.start(%x) thread "main" (%arg0: tensor<64xf32>) {
          %0 = stablehlo.tanh %arg0 : tensor<64xf32>
          hlo_async.return %0 : tensor<64xf32>
        } : (tensor<64xf32>) -> !hlo_async.bundle<[tensor<64xf32>], [tensor<64xf32>], [tensor<i32>]>
        %u = hlo_async.update %s : !hlo_async.bundle<[tensor<64xf32>], [tensor<64xf32>], [tensor<i32>]>
        %d = hlo_async.done %u : !hlo_async.bundle<[tensor<64xf32>], [tensor<64xf32>], [tensor<i32>]> -> tensor<64xf32>

    These ops are never merged or erased, used or not. In Python, `sdy.dialect.hlo_async.chains` has a function
    for each op, and `sdy.dialect.hlo_async.chains` makes an op asynchronous and synchronous again.
    """

    groups = declared_dialects.DEFAULT_GROUPS
    file = Path(__file__).with_name("hlo_async.irdl.mlir")

    @classmethod
    def emit(cls, groups: int) -> ir.Module:
        """The IRDL of the dialect, with `groups` groups of values in ops with any number of them."""
        return declared_dialects.emit_dialect(cls, groups)

    @classmethod
    def _emit_module(cls) -> ir.Module:
        return ir.Module.parse(irdl_of(cls.file, cls.emit, cls.groups))


class BundleType(HloAsync.Type, name="bundle"):
    """Types in flight: lists of operands, results and context.

    ``!hlo_async.bundle<[tensor<8xf32>, tensor<4xf32>], [tensor<8xf32>], [tensor<i32>]>``

    The values of a bundle are tensors, tokens and tuples of them; the list of contexts is often empty.
    """

    operands: ir.ArrayAttr
    results: ir.ArrayAttr
    contexts: ir.ArrayAttr


Bundle = TypeVar("Bundle", bound=BundleType)


class StartOp(HloAsync.Operation, name="start", traits=[ir.IsIsolatedFromAboveTrait]):
    """Starts the one operation that its body holds.

    The body uses only its arguments, one per operand, and returns all results of the operation. `thread` is the thread
    of execution, by default "main"; `computation` is the name of the wrapped computation in HLO.

    ``%1 = hlo_async.start(%0) thread "main" (%arg0: tensor<8xf32>) { ... } : (tensor<8xf32>) -> !hlo_async.bundle<..>``
    """

    operands_: Sequence[ext.Operand[Any]]
    thread: ir.StringAttr
    bundle: ext.Result[BundleType]
    body: ext.Region

    assembly_format = (
        "`` `(` `` $operands_ `` `)` (`thread` $thread^)? (`computation` $computation^)? region($body) attr-dict `:` "
        "functional-type($operands_, $bundle)"
    )
    optional_attributes = {"computation": ir.StringAttr}
    defaults = {"thread": f'"{MAIN_THREAD}"'}


class UpdateOp(HloAsync.Operation, name="update"):
    """Adds work to an operation in flight; it holds the buffers that the start holds.

    ``%2 = hlo_async.update %1 : !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], []>``
    """

    bundle: ext.Operand[Bundle]
    result: ext.Result[Bundle]

    assembly_format = "$bundle attr-dict `:` type($result)"


class DoneOp(HloAsync.Operation, name="done"):
    """Waits for an operation in flight and returns its results.

    ``%3 = hlo_async.done %2 : !hlo_async.bundle<[tensor<8xf32>], [tensor<8xf32>], []> -> tensor<8xf32>``
    """

    bundle: ext.Operand[BundleType]
    results_: Sequence[ext.Result[Any]]

    assembly_format = "$bundle attr-dict `:` mapping-type($bundle, $results_)"


class AsyncReturnOp(HloAsync.Operation, name="return", traits=[ext.Pure, ir.IsTerminatorTrait]):
    """Ends the body of a start.

    ``hlo_async.return %0, %1 : tensor<8xf32>, tensor<4xf32>``
    """

    values: Sequence[ext.Operand[Any]]

    assembly_format = "attr-dict ($values^ `:` type($values))?"


OPS: dict[str, type] = {cls.OPERATION_NAME: cls for cls in HloAsync.operations}
"""The op classes by full name."""

IN_SHARDINGS = "sdy.in_shardings"
"""The attribute of a start that holds the shardings of the arguments of its body."""

START, UPDATE, DONE, RETURN = (cls.OPERATION_NAME for cls in (StartOp, UpdateOp, DoneOp, AsyncReturnOp))
"""Their names."""
