"""What `jax.jit` takes besides a function."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypedDict

from sdy.jax.call_arguments import PyTree

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
