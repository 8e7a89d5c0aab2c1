"""What a program may ask of JAX, as cases that run with `jax.jit` and with `sdy.jax.jit` and have to end alike.

A case is a function of `(jit, at)` that returns arrays (a pytree of them, or of what is true of them), or raises.
Several small programs of one family share a compilation: see `Family`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.execution.surface.setting import At

Case = Callable[[Callable[..., Any], At], Any]

CASES: dict[str, Case] = {}
"""By name, such as ``options: donate_argnames``."""


def case(function: Case) -> Case:
    """Registers a case under the name of its module and its own."""
    add(function.__module__, function.__name__, function)
    return function


def cases(module: str, **functions: Case) -> None:
    """Registers short cases by name."""
    for name, function in functions.items():
        add(module, name, function)


def add(module: str, name: str, function: Case) -> None:
    full = f"{module.rpartition('.')[2]}: {name.rstrip('_')}"
    assert full not in CASES, f"two cases are called {full}"
    CASES[full] = function
