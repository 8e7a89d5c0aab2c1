"""Functions lowered for a platform that need not be there, and what their partitioned programs send."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any
from unittest.mock import patch

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy
from sdy.report.communication_report import communication
from tests.data.programs import load
from tests.numerics.jax_functions import FUNCTIONS
from tests.numerics.test_jax_functions import with_derivatives
from tests.platforms.public_functions import names, public_function

PLATFORMS = ("cpu", "cuda", "tpu")
PLACES = ("first", "last")
"""Which dimension of the arguments is sharded."""

_LAST: deque[jax.stages.Lowered] = deque(maxlen=len(PLATFORMS))
"""What was lowered last: JAX keeps the functions that partition its calls as long as this is there."""

_SHORT = {"jax.numpy": "jnp", "jax.lax": "lax", "jax.nn": "nn", "jax.numpy.linalg": "linalg", "jax.random": "random"}

PROGRAMS = [name for name in load() if not name.endswith(("_96", "_96_functions"))]
"""Those of tests/data; what has 96 layers has no other ops than what has 24."""


@dataclass(frozen=True)
class Case:
    """A function, and the shapes and types of its arguments."""

    name: str
    call: Callable[..., Any]
    arguments: tuple[tuple[tuple[int, ...], Any], ...]

    def lowered(self, place: str, platform: str) -> str | None:
        """The program for a platform, arguments sharded along a dimension; None if JAX has no such program."""
        placed = [
            jax.ShapeDtypeStruct(shape, dtype, sharding=_sharding(shape, place)) for shape, dtype in self.arguments
        ]
        try:
            lowered = jax.jit(self.call).trace(*placed).lower(lowering_platforms=(platform,))
        except NotImplementedError:
            return None
        _LAST.append(lowered)
        return lowered.as_text()

    def sent(self, place: str) -> dict[str, float]:
        """The bytes that each device sends, by platform. A program that is the same on two is partitioned once."""
        return sent_on_platforms(lambda platform: self.lowered(place, platform))


def sent_on_platforms(lowered: Callable[[str], str | None]) -> dict[str, float]:
    """The bytes that each device sends, by platform, of what is lowered for each; see `Case.sent`."""
    by_text: dict[str, float] = {}
    found: dict[str, float] = {}
    for platform in PLATFORMS:
        text = lowered(platform)
        if text is not None:
            body = re.sub(r"module @\S+", "", text, count=1)
            if body not in by_text:
                by_text[body] = communication(sdy.partition(text)).bytes_sent
            found[platform] = by_text[body]
    return found


@cache
def program(name: str, platform: str) -> jax.stages.Lowered:
    """The program of tests/data of that name, lowered for a platform; kept, since functions of its own are, too."""
    lower = jax.stages.Traced.lower

    def for_platform(traced: jax.stages.Traced, **options: Any) -> jax.stages.Lowered:
        return lower(traced, lowering_platforms=(platform,), **options)

    with patch.object(jax.stages.Traced, "lower", for_platform):
        return load()[name]()


@cache
def case(name: str) -> Case | None:
    """That of a function of `FUNCTIONS`, with its derivatives, or of a public one; None if it takes nothing known."""
    if name in FUNCTIONS:
        rng = np.random.default_rng(0)
        drawn = [draw(rng) for draw in FUNCTIONS[name].arguments]
        return Case(name, with_derivatives(FUNCTIONS[name]), tuple((x.shape, x.dtype) for x in drawn))
    found = public_function(name)
    return None if found is None else Case(name, found.call, tuple((x.shape, x.dtype) for x in found.arguments))


def all_names() -> Iterator[str]:
    """The names of all cases."""
    yield from sorted(FUNCTIONS)
    yield from names()


def is_written_elsewhere(name: str) -> bool:
    """Whether a public function is among `FUNCTIONS` under its short name."""
    module, _, last = name.rpartition(".")
    return any(each.split(":")[0] == f"{_SHORT[module]}.{last}" for each in FUNCTIONS)


@cache
def _mesh() -> Mesh:
    return Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("x", "y"))


def _sharding(shape: tuple[int, ...], place: str) -> NamedSharding:
    """Four parts of a dimension if they are even, else two, else one."""
    if not shape:
        return NamedSharding(_mesh(), P())
    dim = 0 if place == "first" else len(shape) - 1
    axis = "x" if shape[dim] % 4 == 0 else "y" if shape[dim] % 2 == 0 else None
    return NamedSharding(_mesh(), P(*[None] * dim, axis))
