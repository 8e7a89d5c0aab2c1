"""The op of the dialect, and how every context gets to know it."""

import sdy
from sdy import ext, ir
from sdy.stablehlo import InferredTypes, OpFacts, ShapedTypeComponents, typed_op


class Own(ext.Dialect, name="own"):
    """A dialect with one op."""


@typed_op
class SumOfSquares(Own.Operation, name="sum_of_squares", traits=[InferredTypes, ext.Pure]):
    """The sum of the squares of each row: ``"own.sum_of_squares"(%x) : (tensor<8x4xf32>) -> tensor<8xf32>``."""

    x: ext.Operand[ir.RankedTensorType]
    result: ext.Result[ir.RankedTensorType]

    @staticmethod
    def infer(op: OpFacts) -> list[ShapedTypeComponents]:
        """The shape of `x` without its last dimension."""
        x = op.tensor(0)
        if not x.dims:
            raise op.error("c1", "x must have rows")
        return [ShapedTypeComponents(tuple(x.dims[:-1]), x.known_type.element_type)]


sdy.register_dialect("own", Own)
