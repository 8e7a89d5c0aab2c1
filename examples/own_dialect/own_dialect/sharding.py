"""How the op is sharded, and what each device computes of it."""

import sdy


@sdy.sharding_rule("own.sum_of_squares")
def sum_of_squares(op):
    """Every dimension but the last passes through; devices that have parts of rows have parts of their sums."""
    rank = len(op.operands[0])
    rows = " ".join(f"i{number}" for number in range(rank - 1))
    return sdy.einsum_rule(op, f"{rows} j -> {rows}".strip(), reduction_factors=["j"])


@sdy.local_lowering("own.sum_of_squares", partial_results=True)
def local_sum_of_squares(op):
    """Multiplies and adds what the device has; what devices with parts of a row have is added up behind it."""
    x = op.operands[0]
    zero = op.b.constant(0.0, x.type.element_type)
    total = op.b.reduce(op.b.multiply(x, x), zero, [x.type.rank - 1], lambda a, b: a + b)
    sdy.replace_and_combine(op, total)
