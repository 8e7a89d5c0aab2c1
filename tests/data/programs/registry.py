"""What the programs share: their registration, the mesh, arguments as shapes."""

from __future__ import annotations

import importlib
import math
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

PROGRAMS: dict[str, Callable[[], jax.stages.Lowered]] = {}


def program(name: str, *arguments: Any) -> Callable[[Callable[..., jax.stages.Lowered]], Callable]:
    """Registers `function(*arguments)` as the program of that name; may be repeated for several sizes."""

    def register(function: Callable[..., jax.stages.Lowered]) -> Callable[..., jax.stages.Lowered]:
        PROGRAMS[name] = lambda: function(*arguments)
        return function

    return register


def load() -> dict[str, Callable[[], jax.stages.Lowered]]:
    """All programs, with every file of this folder imported."""
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        importlib.import_module(f"{__package__}.{module.name}")
    return dict(sorted(PROGRAMS.items()))


_shape: ContextVar[tuple[int, ...] | None] = ContextVar("_shape", default=None)
"""The shape that meshes have instead of the one that programs ask for."""


@contextmanager
def meshes_of_shape(*dims: int) -> Iterator[None]:
    """Programs lowered inside get meshes with these dimensions.

    The last dimension is the program's last axis, those before it are its first axis. With more than one of them, as
    in 2x2x2, that axis becomes several (`data`, `data_2`), and what `placed` shards on it is sharded on all of them.
    """
    token = _shape.set(dims)
    try:
        yield
    finally:
        _shape.reset(token)


_devices: ContextVar[Sequence[Any] | None] = ContextVar("_devices", default=None)
"""What meshes consist of instead of the devices that there are."""


@contextmanager
def meshes_of_devices(devices: Sequence[Any]) -> Iterator[None]:
    """Programs lowered inside are for these devices."""
    token = _devices.set(devices)
    try:
        yield
    finally:
        _devices.reset(token)


def mesh(**sizes: int) -> Mesh:
    """``mesh(data=4, model=2)`` over the first devices; see `meshes_of_shape` and `meshes_of_devices`."""
    dims = _shape.get()
    if dims is not None:
        sizes = dict(zip(_axis_names([*sizes], len(dims)), dims, strict=True))
    count = math.prod(sizes.values())
    devices = _devices.get() or jax.devices()
    return Mesh(np.array(devices[:count]).reshape(*sizes.values()), tuple(sizes))


def _axis_names(asked: list[str], count: int) -> list[str]:
    """As many names as the mesh has dimensions: the first that was asked for stands for all that are too many."""
    first, *others = asked
    parts = count - len(others)
    return [first, *(f"{first}_{number}" for number in range(2, parts + 1)), *others]


DATA_MODEL = {"data": 4, "model": 2}


def shape(*dims: int, dtype: Any = jnp.float32) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(dims, dtype)


def placed(on: Mesh, specs: Any) -> Any:
    """A tree of PartitionSpecs as shardings on a mesh."""

    def parts(name: str) -> tuple[str, ...]:
        return tuple(axis for axis in on.axis_names if axis == name or axis.startswith(f"{name}_"))

    def split(spec: P) -> P:
        return P(*(parts(dim) if isinstance(dim, str) and len(parts(dim)) > 1 else dim for dim in spec))

    return jax.tree.map(lambda spec: NamedSharding(on, split(spec)), specs, is_leaf=lambda leaf: isinstance(leaf, P))
