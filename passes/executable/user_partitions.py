"""Questions of a program to its partitioner, and users' functions that partition calls.

A call names its function in a form that only its frontend understands. A frontend registers, under the target of its
calls, the code that runs the function; it is imported at the first such call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir.users_code import declared

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
      sharding: that of the value, on the mesh of all devices, inlined. parts of axes, which JAX cannot name, are
        dropped with the axes behind them.
    """

    key: str
    shape: tuple[int, ...]
    sharding: TensorSharding


@dataclass(frozen=True)
class Tensor:
    """A global operand or result: element type and shape as in MLIR, and its sharding on the mesh of the program."""

    element: str
    shape: tuple[int, ...]
    sharding: TensorSharding


@dataclass(frozen=True)
class UserPartition:
    """The program of one device, whose @main takes and returns parts, and the user's layouts for these."""

    text: str
    operands: tuple[TensorSharding, ...]
    results: tuple[TensorSharding, ...]


Ask = Callable[[str, Sequence[Tensor], Sequence[Tensor], str, Mesh], UserPartition]
"""Asks the function under a key, given operands and results, the name of the mesh and the mesh.

Raises `KeyError` if there is none, and whatever the function raises.
"""

_FRONTENDS = {CUSTOM_PARTITIONING: "sdy.jax.custom_partitioning"}
"""The modules that register something when they are imported, by the target that they do it for."""

_asking: dict[str, Ask] = {}


def asks_users(target: str) -> Callable[[Ask], Ask]:
    """Registers the decorated function for the custom calls with that target."""

    def register(function: Ask) -> Ask:
        _asking[target] = function
        declared("partition of calls", [target], function)
        return function

    return register


def targets() -> tuple[str, ...]:
    """The targets of calls that functions of users partition."""
    return tuple(dict.fromkeys((*_FRONTENDS, *_asking)))


def partition_function(target: str) -> Ask:
    """Return the code that runs the user's function. Raises `ImportError` if the frontend is not installed."""
    if target not in _asking:
        import_module(_FRONTENDS[target])
    return _asking[target]
