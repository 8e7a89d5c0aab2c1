"""Functions of jax.numpy, jax.lax, jax.scipy and jax.nn with arguments to call them with, for comparisons."""

from tests.numerics.jax_functions import elementwise, layout, linear_algebra, programs, reductions
from tests.numerics.jax_functions.registry import FUNCTIONS, Function

FILES = (elementwise, reductions, layout, linear_algebra, programs)
"""Importing them fills `FUNCTIONS`."""

__all__ = ["FILES", "FUNCTIONS", "Function"]
