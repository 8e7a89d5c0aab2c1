"""Which function makes an op local."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sdy.passes.partitioning.lowering.generic import by_rule
from sdy.passes.partitioning.lowering.local_op import LocalOp, Lowering

Choice = Callable[[LocalOp], Lowering]
"""Chooses the lowering of an op while all types are still global."""

_choices: dict[str, Choice] = {}


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
    along factors that pass through, and not at all along others. `partial_results` implies it, and also lets axes stay
    on reduction factors: the lowering combines the devices' results.
    """

    def register(lowering: Lowering) -> Lowering:
        if follows_rule or partial_results:
            choice: Choice = partial(by_rule, lowering=lowering, reductions=partial_results)
        else:
            choice = lambda op: lowering  # noqa: E731
        _choices.update(dict.fromkeys(names, choice))
        return lowering

    return register


def lowering_choice(*names: str) -> Callable[[Choice], Choice]:
    """Declares the decorated function to choose how an op is made local, by what it sees of the global op."""

    def register(choice: Choice) -> Choice:
        _choices.update(dict.fromkeys(names, choice))
        return choice

    return register


def choice_of(name: str) -> Choice | None:
    """What chooses the lowering of ops called `name`."""
    return _choices.get(name)
