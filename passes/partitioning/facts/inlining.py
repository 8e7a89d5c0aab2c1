"""Which functions may be put in the place of their calls, and which without the program growing much."""

from __future__ import annotations

from sdy.dialect.shardings.attribute_shardings import arg_shardings, result_shardings
from sdy.mlir import ir
from sdy.mlir.functions import body, has_body, is_private

_SMALL = 16
"""How many ops a function may have that is inlined wherever it is called."""


def may_be_inlined(func: ir.Operation) -> bool:
    """Whether a function has a body of one block, and does not say that it is to stay."""
    return has_body(func) and len(func.regions[0].blocks) == 1 and "no_inline" not in func.attributes


def is_sharded_at_its_border(func: ir.Operation) -> bool:
    """Whether a function says how arguments or results are sharded, which would be lost with it."""
    return any((*arg_shardings(func), *result_shardings(func)))


def is_cheap(func: ir.Operation, uses: int) -> bool:
    """Whether a function with a body, used so often, is private and costs nothing to copy for each call.

    It is called once, or has few ops.
    """
    return is_private(func) and (uses == 1 or len(body(func).operations) <= _SMALL + 1)  # the last one returns
