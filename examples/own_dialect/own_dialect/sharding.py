"""How the op is sharded, and what each device computes of it."""

import sdy


@sdy.op_model("own.sum_of_squares")
class SumOfSquares(sdy.OpModel):
    """Every dimension but the last passes through; devices that have parts of rows have parts of their sums."""

    partial_results = True

    def rule(self, op):
        rank = len(op.operand(0))
        rows = " ".join(f"i{number}" for number in range(rank - 1))
        return sdy.einsum_rule(op, f"{rows} j -> {rows}".strip(), reduction_factors=["j"])

    def localize(self, op):
        """Multiplies and adds what the device has; what devices with parts of a row have is added up behind it."""
        x = op.operands[0]
        zero = op.b.constant(0.0, x.type.element_type)
        total = op.b.reduce(op.b.multiply(x, x), zero, [x.type.rank - 1], lambda a, b: a + b)
        sdy.replace_and_combine(op, total)
