"""What a program may ask of JAX: asked of `jax.jit` and of `sdy.jax.jit`, it has to end alike.

Values, types, shardings and commitment of all results, and the exceptions, are compared. Programs of a family share
compilations, and one in SAMPLE is asked for. With SDY_TESTS=all each is, alone, and of `partitioned`, too.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from importlib import import_module
from typing import Any

import jax
import pytest

import sdy.jax
from tests import depth
from tests.execution.surface import CASES
from tests.execution.surface.family import FAMILIES, run
from tests.execution.surface.outcome import differences, outcome
from tests.execution.surface.setting import At

for name in "ahead array_functions control_flow explicit mapped options transformations transformed".split():
    import_module(f"tests.execution.surface.{name}")

PER_COMPILATION = 1 if depth.ALL else 16
SAMPLE = 1 if depth.ALL else 5


def groups() -> dict[str, tuple[str, list[str]]]:
    """Family and names of programs that are compiled together, by what the test is called."""
    found: dict[str, tuple[str, list[str]]] = {}
    for family, programs in FAMILIES.items():
        names = list(programs)[::SAMPLE]
        for start in range(0, len(names), PER_COMPILATION):
            group = names[start : start + PER_COMPILATION]
            found[f"{family}: {group[0]}" + (f" to {group[-1]}" if len(group) > 1 else "")] = (family, group)
    return found


@pytest.fixture(scope="module")
def at() -> At:
    return At()


def both(run: Callable[[Any], Any], context: AbstractContextManager[Any] | None = None) -> list[str]:
    """The differences between what `run` ends with, given our jit, or JAX's in a context, and given JAX's."""
    with context or nullcontext():
        ours = outcome(partial(run, jax.jit if context else sdy.jax.jit))
    return differences(ours, outcome(partial(run, jax.jit)))


@pytest.mark.parametrize(("family", "names"), groups().values(), ids=groups())
def test_programs(family: str, names: list[str], at: At) -> None:
    programs = {name: FAMILIES[family][name] for name in names}
    if both(lambda jit: run(jit, programs, at)):
        # One by one, so that it is told which ones differ.
        told = {name: both(lambda jit, name=name: run(jit, {name: programs[name]}, at)) for name in names}
        wrong = "\n".join(f"{name}: {line}" for name, lines in told.items() for line in lines)
        pytest.fail(wrong or "\n".join(["only together:", *both(lambda jit: run(jit, programs, at))]), pytrace=False)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", list(CASES)[::SAMPLE])
def test_case(name: str, at: At) -> None:
    found = both(lambda jit: CASES[name](jit, at))
    if found:
        pytest.fail("\n".join(found), pytrace=False)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", list(CASES)[:: 1 if depth.ALL else 20])
def test_case_in_context(name: str, at: At) -> None:
    found = both(lambda jit: CASES[name](jit, at), sdy.jax.partitioned())
    if found:
        pytest.fail("\n".join(found), pytrace=False)
