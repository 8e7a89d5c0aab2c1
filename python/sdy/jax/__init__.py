"""JAX programs partitioned by sdy instead of XLA.

>>> step = sdy.jax.jit(step, in_shardings=..., out_shardings=..., donate_argnums=0)
>>> params, loss = step(params, batch)             # jax.Arrays in and out
>>> lowered = step.lower(params, batch)
>>> print(sdy.report.table(lowered.partitioned.collectives))

>>> with sdy.jax.partitioned():                    # every jax.jit that is compiled in here
...     step(params, batch)
"""

from sdy.jax.context import Partitioner, partitioned
from sdy.jax.jitted import Jitted, Lowered, jit

__all__ = ["Jitted", "Lowered", "Partitioner", "jit", "partitioned"]
