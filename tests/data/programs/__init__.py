"""JAX programs, one family per file. `PROGRAMS` maps names to functions that lower one of them.

All are lowered for eight devices, mostly as a 4x2 mesh with axes `data` and `model`. Nothing is executed: arguments are
shapes.
"""

from tests.data.programs.registry import PROGRAMS, load

__all__ = ["PROGRAMS", "load"]
