"""What the programs share: their registration, the mesh, arguments as shapes."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
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


def mesh(**sizes: int) -> Mesh:
    """``mesh(data=4, model=2)`` over the first devices."""
    count = int(np.prod(list(sizes.values())))
    return Mesh(np.array(jax.devices()[:count]).reshape(*sizes.values()), tuple(sizes))


DATA_MODEL = {"data": 4, "model": 2}


def shape(*dims: int, dtype: Any = jnp.float32) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(dims, dtype)


def placed(on: Mesh, specs: Any) -> Any:
    """A tree of PartitionSpecs as shardings on a mesh."""
    return jax.tree.map(lambda spec: NamedSharding(on, spec), specs, is_leaf=lambda leaf: isinstance(leaf, P))
