"""Carry the partitioner of a jitted function as an option of its compilation.

Options are part of every key under which JAX keeps a compiled program, and of none under which it keeps a traced one,
and transformations preserve them. So JAX makes and dispatches its usual objects; the option only has to be removed
before XLA sees it (`taken_from`). In the same way a function carries its mark and name as a named computation, or as a
unit of a program of several meshes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from jaxlib._jax import CompileOptions

    from sdy.jax.partitioner import Partitioner

NAME = "sdy_partitioner"
COMPUTATION = "sdy_named_computation"
UNIT = "sdy_mpmd_unit"
_OURS = (NAME, COMPUTATION, UNIT)

_numbers = itertools.count()


class _Name(str):
    """Name of a partitioner in XLA's options, which hold strings; equal ones have one name in each process.

    JAX keeps it with the functions that have it among their options, and it keeps the partitioner.
    """

    partitioner: Partitioner

    def __reduce__(self) -> tuple[Callable[[Partitioner], _Name], tuple[Partitioner]]:
        return _name_of, (self.partitioner,)


_names: WeakValueDictionary[Partitioner, _Name] = WeakValueDictionary()
_by_text: WeakValueDictionary[str, _Name] = WeakValueDictionary()


Option: TypeAlias = tuple[str, str | bool | float]
"""An option of XLA, with its value."""

Options: TypeAlias = tuple[Option, ...]


class Carried(Options):
    """Options of an inner function that appear empty to JAX if they are only ours.

    JAX refuses to make a function with options part of a larger program, since they would be lost. Ours may be lost:
    the larger program has its own partitioning.
    """

    __slots__ = ()

    def __bool__(self) -> bool:
        return any(name not in _OURS for name, _ in self)


def option_of_computation(name: str) -> dict[str, str]:
    """Return the option that makes a jitted function a named computation of the surrounding program."""
    return {COMPUTATION: name}


def computation_in(options: Iterable[Option]) -> str | None:
    """Return the name of a function that is a named computation; None for others."""
    return next((str(value) for name, value in options if name == COMPUTATION), None)


def option_of_unit(unit: str) -> dict[str, str]:
    """The option that makes a jitted function a unit of a program of several meshes (`sdy.jax.mpmd`)."""
    return {UNIT: unit}


def unit_in(options: Iterable[Option]) -> str | None:
    """Return the unit of a function in a program of several meshes; None for others."""
    return next((str(value) for name, value in options if name == UNIT), None)


def has_ours(options: Iterable[Option]) -> bool:
    """Return whether the options of a compilation contain ours."""
    return any(name in _OURS for name, _ in options)


def option_for(partitioner: Partitioner) -> dict[str, str]:
    """Return the option for a partitioner."""
    return {NAME: _name_of(partitioner)}


def _name_of(partitioner: Partitioner) -> _Name:
    known = _names.get(partitioner)
    if known is not None:
        return known
    name = _Name(f"{partitioner!r} ({next(_numbers)})")
    name.partitioner = partitioner
    _by_text[str(name)] = name
    return _names.setdefault(partitioner, name)


def partitioner_in(options: Iterable[Option]) -> Partitioner | None:
    """Return the partitioner among the options of a compilation."""
    return next((_by_text[str(value)].partitioner for name, value in options if name == NAME), None)


def taken_from(compile_options: CompileOptions) -> Partitioner | None:
    """Return the partitioner among XLA's options, and remove our options from them."""
    options = list(compile_options.env_option_overrides)
    if has_ours(options):
        compile_options.env_option_overrides = [each for each in options if each[0] not in _OURS]
    return partitioner_in(options)
