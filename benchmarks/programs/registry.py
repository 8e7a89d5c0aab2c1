"""All programs by name, those of tests/data among them."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax

from tests.data.programs.registry import load as load_recorded

Lower = Callable[[], jax.stages.Lowered]

PROGRAMS: dict[str, Lower] = {}

TOO_LARGE = ("_24", "_24_functions", "_96", "_96_functions")
"""Ends of names of programs that XLA compiles for minutes."""


def program(name: str, **arguments: Any) -> Callable[[Callable[..., jax.stages.Lowered]], Callable]:
    """Registers `function(**arguments)` as the program of that name; may be repeated for several variants."""

    def register(function: Callable[..., jax.stages.Lowered]) -> Callable[..., jax.stages.Lowered]:
        PROGRAMS[name] = lambda: function(**arguments)
        return function

    return register


def load() -> dict[str, Lower]:
    """All programs that XLA compiles within seconds."""
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        importlib.import_module(f"{__package__}.{module.name}")
    recorded = {name: lower for name, lower in load_recorded().items() if not name.endswith(TOO_LARGE)}
    return {**recorded, **dict(sorted(PROGRAMS.items()))}
