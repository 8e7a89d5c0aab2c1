"""The place for an auto-partitioner: passes that choose shardings in the middle of the propagation pipeline.

A process has at most one. With `enable-auto-partitioning` the pipeline adds its steps behind propagation; they may only
add and change shardings (spec: propagation, 14.3).
"""

from __future__ import annotations

from collections.abc import Callable

from sdy.mlir.users_code import noted, withdrawn
from sdy.passes.steps import PipelineError, Step

AddSteps = Callable[[list[Step]], None]
"""Appends the steps of the auto-partitioner to a list."""

_KIND = "auto-partitioner"
_registered: list[AddSteps] = []


def register(add_steps: AddSteps) -> AddSteps:
    """Register `add_steps` as the auto-partitioner; also as a decorator. Raises `RuntimeError` if there is one."""
    if _registered:
        raise RuntimeError("an auto-partitioner is registered already; clear() it first")
    _registered.append(add_steps)
    noted(_KIND, (), add_steps)
    return add_steps


def clear() -> None:
    """Forgets the auto-partitioner, if there is one."""
    _registered.clear()
    withdrawn(_KIND)


def steps() -> list[Step]:
    """Return the steps of the auto-partitioner. Raises `PipelineError` if there is none."""
    if not _registered:
        raise PipelineError("no auto-partitioner is registered, but 'enable-auto-partitioning' asks for one")
    added: list[Step] = []
    _registered[0](added)
    return added
