"""One function per kind of op without nested programs; each appends one op with what it needs to a block."""

from tests.generators.ops import contractions, elementwise, indexing, layout, registered, sdy_ops, special
from tests.generators.ops.elementwise import BINARY, BINARY_FLOAT, BINARY_INTEGER, UNARY_FLOAT, UNARY_INTEGER
from tests.generators.ops.kinds import KINDS, MAX_SIZE, Emit, scalar_region, static_tensor

FILES = (contractions, elementwise, indexing, layout, registered, sdy_ops, special)
"""Importing them fills `KINDS`."""

__all__ = [
    "BINARY",
    "BINARY_FLOAT",
    "BINARY_INTEGER",
    "FILES",
    "KINDS",
    "MAX_SIZE",
    "UNARY_FLOAT",
    "UNARY_INTEGER",
    "Emit",
    "scalar_region",
    "static_tensor",
]
