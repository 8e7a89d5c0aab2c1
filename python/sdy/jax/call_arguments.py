"""The arguments of a call by position, including those given by name, and the static ones.

Shardings of arguments are given by position, as in JAX. So a call with keyword-only arguments (behind ``*``, or of
``**``), or with one left out before them, becomes a call by position, with these last.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

import jax

from sdy.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from jaxlib._jax import Device


PyTree: TypeAlias = Any
"""A pytree of arrays, shapes or shardings: one of them, or containers with them, which may be classes of users."""

AnyMesh: TypeAlias = "jax.sharding.Mesh | jax.sharding.AbstractMesh"
"""A mesh with or without devices."""


_POSITION = inspect.Parameter.POSITIONAL_OR_KEYWORD
_REST = inspect.Parameter.VAR_POSITIONAL


@dataclass(frozen=True)
class Chosen:
    """Some arguments of a function, by number and by name; numbers that have a name are among both."""

    numbers: frozenset[int]
    names: frozenset[str]

    @staticmethod
    def of(function: Callable, numbers: int | Sequence[int] | None, names: str | Iterable[str] | None) -> Chosen:
        """Return the arguments with these numbers (negative ones count from the end) and these names.

        Raises `ValueError` for a name that the function does not know.
        """
        known, named = positions(function), {names} if isinstance(names, str) else {*(names or ())}
        unknown = sorted(name for name in named if not _takes(function, name))
        if unknown:
            raise ValueError(
                f"{unknown[0]!r} is not an argument; these are {', '.join(_parameters(function)) or 'none'}"
            )
        listed = [numbers] if isinstance(numbers, int) else list(numbers or ())
        found = {number + len(known) if number < 0 else number for number in listed}
        return Chosen(
            frozenset({*found, *(known.index(name) for name in named if name in known)}),
            frozenset({*named, *(known[number] for number in found if number < len(known))}),
        )


@dataclass(frozen=True)
class Call:
    """A call of `function`: its arguments by position, and the names of missing ones at the end."""

    function: Callable
    arguments: tuple[PyTree, ...]
    names: tuple[str, ...]

    @staticmethod
    def of(function: Callable, arguments: Sequence[PyTree], keywords: Mapping[str, PyTree]) -> Call:
        """Raises `TypeError` for arguments that the function does not take."""
        if not keywords:
            return Call(function, tuple(arguments), ())
        bound = inspect.signature(function).bind(*arguments, **keywords)
        names = tuple(sorted(bound.kwargs))
        return Call(function, (*bound.args, *(bound.kwargs[name] for name in names)), names)

    def numbers(self, chosen: Chosen) -> list[int]:
        """Return the positions of the `chosen` arguments that the call has."""
        count = len(self.arguments) - len(self.names)
        found = [number for number in sorted(chosen.numbers) if number < count]
        return found + [count + place for place, name in enumerate(self.names) if name in chosen.names]

    @property
    def by_position(self) -> Callable[..., PyTree]:
        """Return the function with all arguments by position; JAX uses the user's names for them."""
        if not self.names:
            return self.function
        count = len(self.arguments) - len(self.names)

        @functools.wraps(self.function)
        def by_position(*arguments: PyTree) -> PyTree:
            return self.function(*arguments[:count], **dict(zip(self.names, arguments[count:], strict=True)))

        known = positions(self.function)[:count]
        names = [*known, *self.names] if len(known) == count else []
        parameters = [inspect.Parameter(name, _POSITION) for name in names] or [inspect.Parameter("arguments", _REST)]
        return _with_signature(by_position, parameters)


def _with_signature(function: Callable, parameters: list[inspect.Parameter]) -> Callable:
    function.__dict__["__signature__"] = inspect.Signature(parameters)
    return function


def positions(function: Callable) -> list[str]:
    """Return the names of the arguments that have a position, in order; none if the function has no signature."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [one.name for one in _parameters(function).values() if one.kind in kinds]


def _takes(function: Callable, name: str) -> bool:
    parameters = _parameters(function)
    return name in parameters or any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters.values())


def _parameters(function: Callable) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}


CompilerOptions: TypeAlias = dict[str, str | bool | float]
"""Options of XLA by their names."""


class MoreOptions(TypedDict, total=False):
    """Options of newer versions of JAX."""

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
