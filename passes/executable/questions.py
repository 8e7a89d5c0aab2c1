"""What a program of JAX asks its partitioner: the calls that do so, and the answer to one kind of them."""

from __future__ import annotations

from dataclasses import dataclass

from sdy.dialect.values.sharding import TensorSharding

CUSTOM_PARTITIONING = "CustomSPMDPartitioning"
"""The target of a call that a Python function partitions; its `backend_config` says which."""

INSPECT_SHARDING = "InspectSharding"
"""The target of a call that wants to know how its operand is sharded; its `backend_config` says who does."""


@dataclass(frozen=True)
class Inspection:
    """A value whose sharding a program asks for.

    Attributes:
      key: who asks, the `backend_config` of the call as it is written in a program.
      shape: that of the global value.
      sharding: that of the value, on the mesh of all devices, inlined. JAX has no name for parts of axes: they are not
        there, nor what comes behind them.
    """

    key: str
    shape: tuple[int, ...]
    sharding: TensorSharding
