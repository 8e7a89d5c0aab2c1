"""JAX programs partitioned by sdy instead of XLA.

>>> step = sdy.jax.jit(step, in_shardings=..., out_shardings=..., donate_argnums=0)
>>> params, loss = step(params, batch)             # jax.Arrays in and out
>>> lowered = step.lower(params, batch)
>>> print(sdy.report.collectives.table(lowered.partitioned.collectives))

>>> with sdy.jax.partitioned():                    # every jax.jit that is compiled in here
...     step(params, batch)
"""

from sdy.jax.automatic import AutoJitted, JaxPlan
from sdy.jax.context import Partitioner, partitioned
from sdy.jax.jitted import jit
from sdy.jax.stages import Jitted, Lowered, Traced
from sdy.jax.telling import Telling
from sdy.jax.tracing import install_tracing

__all__ = ["AutoJitted", "JaxPlan", "Jitted", "Lowered", "Partitioner", "Telling", "Traced", "jit", "partitioned"]

install_tracing()
