"""Builders: one function for each op of StableHLO, and below `chlo` for each of CHLO's.

    from sdy.stablehlo import ops

    with ir.InsertionPoint(block), ir.Location.name("loss"):
        y = ops.dot_general(x, w, contracting=([1], [0]))
        total = ops.reduce(y * y, ops.constant(0.0), [0, 1], lambda a, b: a + b)

Operands are values of the bindings; attributes are plain Python values, or attributes of the bindings; types are those
of the bindings or their text. Result types are inferred from the operands, or an argument where that is impossible.
Functions that take bodies call them with the arguments of the region. Results are values with operators (`Value`).

An op gets the location `loc`, else the current one, else the calling line of Python, and goes to `ip`, else to the
current insertion point. An error is an `InferenceError` with that location, and no op is made. To make many ops at one
place use a `Builder`, whose methods are these functions.
"""

from importlib import import_module

from sdy.stablehlo.ops import attribute_writers
from sdy.stablehlo.ops.attribute_writers import *
from sdy.stablehlo.ops.builder import BY_HAND, Builder, function_named
from sdy.stablehlo.ops.declared import ROWS
from sdy.stablehlo.ops.regions import Value

__all__ = ["Builder", "Value", "chlo"]  # noqa: F405  # pyright: ignore[reportUnsupportedDunderAll]
__all__ += [*ROWS["stablehlo"], *BY_HAND, *attribute_writers.__all__]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> object:
    return import_module(f"{__name__}.chlo") if name == "chlo" else globals().setdefault(name, function_named(name))
