"""JAX programs partitioned by sdy instead of XLA.

>>> step = sdy.jax.jit(step, in_shardings=..., out_shardings=..., donate_argnums=0)
>>> params, loss = step(params, batch)             # jax.Arrays in and out
>>> lowered = step.lower(params, batch)
>>> print(sdy.report.collectives.table(lowered.partitioned.collectives))

>>> with sdy.jax.partitioned():                    # every jax.jit that is compiled in here
...     step(params, batch)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

try:
    import jax  # noqa: F401
except ModuleNotFoundError as error:
    raise ImportError("sdy.jax needs JAX: pip install 'sdy[jax]'") from error

from sdy.jax.annotations.boundary_shardings import with_shardings
from sdy.jax.annotations.given_shardings import Dim, Sharding
from sdy.jax.annotations.named_computations import named_computation
from sdy.jax.annotations.value_primitives import constraint, install_devices, propagation_barrier, shard_alike
from sdy.jax.context import partitioned
from sdy.jax.jitted import install_tracing, jit
from sdy.jax.partitioner import Partitioner
from sdy.jax.report_options import ReportOptions
from sdy.jax.stages import Jitted, Lowered, Traced
from sdy.mlir.interpreter import keep_loaded

if TYPE_CHECKING:
    from sdy.jax.automatic import AutoJitted
    from sdy.jax.jax_plans import JaxPlan

__all__ = [
    "AutoJitted",
    "Dim",
    "JaxPlan",
    "Jitted",
    "Lowered",
    "Partitioner",
    "ReportOptions",
    "Sharding",
    "Traced",
    "constraint",
    "jit",
    "named_computation",
    "partitioned",
    "propagation_barrier",
    "shard_alike",
    "with_shardings",
]

install_tracing()
install_devices()
keep_loaded()


def __getattr__(name: str) -> object:
    """Load the planner when it is asked for."""
    rooms = {"AutoJitted": "automatic", "JaxPlan": "jax_plans"}
    if name not in rooms:
        raise AttributeError(f"module 'sdy.jax' has no attribute '{name}'")
    found = globals()[name] = getattr(import_module(f"sdy.jax.{rooms[name]}"), name)
    return found
