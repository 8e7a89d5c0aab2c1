"""Which function makes an op local."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sdy.passes.partitioning.lowering.local_op import LocalOp

Lowering = Callable[[LocalOp], None]
"""Makes one op local, in place or by replacing it."""


@dataclass(frozen=True)
class Registered:
    """A lowering, and what it expects of operands and results.

    `follows_rule`: their shardings fit the op's sharding rule; `partial_results`: and it combines the partial results
    that sharded reduction factors give.
    """

    lower: Lowering
    follows_rule: bool
    partial_results: bool


_registered: dict[str, Registered] = {}


def local_lowering(
    *names: str, follows_rule: bool = False, partial_results: bool = False
) -> Callable[[Lowering], Lowering]:
    """Declares the decorated function to make ops of the given names local; also replaces a built-in lowering.

    The function is called with operands that are local already, and has to leave local results. It is the place to add
    ops of other dialects:

        @local_lowering("mydialect.myop", follows_rule=True)
        def my_op(op: LocalOp) -> None:
            op.keep()

    With `follows_rule` the operands and results it sees are laid out as the op's sharding rule demands: sharded alike
    along factors that pass through, and not at all along others. `partial_results` implies it, and also lets axes stay on
    reduction factors: the lowering combines the devices' results.
    """

    def register(lowering: Lowering) -> Lowering:
        entry = Registered(lowering, follows_rule or partial_results, partial_results)
        _registered.update(dict.fromkeys(names, entry))
        return lowering

    return register


def lowering_of(name: str) -> Registered | None:
    """What is registered for ops called `name`."""
    return _registered.get(name)
