"""What `jax.jit` takes besides a function, and its arguments by their positions, where users say their names."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypedDict

from sdy.jax.jax_types import PyTree

if TYPE_CHECKING:
    from jaxlib._jax import Device

CompilerOptions: TypeAlias = dict[str, str | bool | float]
"""Options of XLA by their names."""


class MoreOptions(TypedDict, total=False):
    """What some versions of JAX take, and others not."""

    backend: str | None
    device: Device | None
    inline: object


class JitOptions(MoreOptions, total=False):
    """The arguments of `jax.jit`."""

    in_shardings: PyTree
    out_shardings: PyTree
    static_argnums: int | Sequence[int] | None
    static_argnames: str | Iterable[str] | None
    donate_argnums: int | Sequence[int] | None
    donate_argnames: str | Iterable[str] | None
    keep_unused: bool
    compiler_options: CompilerOptions | None


_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def numbers_of(function: Callable, numbers: int | Sequence[int] | None, names: str | Iterable[str] | None) -> list[int]:
    """The numbers of arguments that are given by number, of which negative ones count from the end, and by name.

    Raises `ValueError` for a name that is none, or of an argument that has no position.
    """
    known = positions(function)
    given = [numbers] if isinstance(numbers, int) else list(numbers or ())
    named = [names] if isinstance(names, str) else list(names or ())
    unknown = [name for name in named if name not in known]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is no argument by position; these are {', '.join(known) or 'none'}")
    found = [number + len(known) if number < 0 else number for number in given]
    return sorted({*found, *map(known.index, named)})


def positions(function: Callable) -> list[str]:
    """The names of the arguments that have a position, in order; none of a function that does not tell."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [one.name for one in parameters if one.kind in _POSITIONAL]


def by_position(function: Callable, arguments: Sequence[PyTree], keywords: Mapping[str, PyTree]) -> tuple[PyTree, ...]:
    """All arguments by position. Raises `TypeError` for those that have none, and where one before them is left out."""
    if not keywords:
        return tuple(arguments)
    bound = inspect.signature(function).bind(*arguments, **keywords)
    if bound.kwargs:
        raise TypeError(
            f"{next(iter(bound.kwargs))!r} is given by name, and has no position, or one before it is left out; "
            "shardings are planned for arguments by position"
        )
    return bound.args
