"""The place for an auto-partitioner: passes that choose shardings in the middle of the propagation pipeline.

At most one is registered in a process. With `enable-auto-partitioning` the pipeline lets it add its steps behind
propagation; they may add and change shardings, nothing else (spec: propagation, 14.3).
"""

from __future__ import annotations

from collections.abc import Callable

from sdy.passes.registry import Step

AddSteps = Callable[[list[Step]], None]
"""Appends the steps of the auto-partitioner to a list."""

_registered: list[AddSteps] = []


def register(add_steps: AddSteps) -> None:
    """Makes `add_steps` the auto-partitioner. Raises `RuntimeError` if there is one."""
    if _registered:
        raise RuntimeError("an auto-partitioner is registered already; clear() it first")
    _registered.append(add_steps)


def clear() -> None:
    """Forgets the auto-partitioner, if there is one."""
    _registered.clear()


def is_registered() -> bool:
    return bool(_registered)


def steps() -> list[Step]:
    """The steps of the auto-partitioner. Raises `RuntimeError` if there is none."""
    if not _registered:
        raise RuntimeError("no auto-partitioner is registered")
    added: list[Step] = []
    _registered[0](added)
    return added
