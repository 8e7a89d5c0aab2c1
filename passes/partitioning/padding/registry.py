"""Which function pads an op."""

from __future__ import annotations

from collections.abc import Callable

from sdy.mlir.users_code import entering
from sdy.passes.partitioning.padding.pad_op import Padding

_paddings: dict[str, Padding] = {}


def pads(*names: str) -> Callable[[Padding], Padding]:
    """Declares the decorated function to pad ops of the given names that have a padded operand or result.

    The function is called with padded operands and has to leave padded results. Without one, an elementwise op or one
    whose padded dimensions pass through (by its sharding rule) gets padded types, and any other op is computed without
    padding.
    """
    return entering(_paddings, "padding", names)


def padding_of(name: str) -> Padding | None:
    """The function registered for ops called `name`."""
    return _paddings.get(name)
