"""Which function makes an op local."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, wraps

from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.users_code import declared, entering
from sdy.passes.partitioning.emit.operand_slots import uses_of
from sdy.passes.partitioning.local.generic_lowering import by_layouts, by_own_rule, by_rule
from sdy.passes.partitioning.local.inference.derivation import local_types
from sdy.passes.partitioning.local.local_op import LocalOp, Lowering

Choice = Callable[[LocalOp], Lowering]
"""Chooses the lowering of an op while all types are still global."""


@dataclass(frozen=True)
class Always:
    """The choice that does not depend on the op."""

    lowering: Lowering

    def __call__(self, op: LocalOp) -> Lowering:
        return self.lowering


_choices: dict[str, Choice] = {}
_by_target: dict[str, dict[str, Choice]] = {}
"""The same for ops that do what the name of a target says, by the name of the op and that target."""

_TARGETS = {"stablehlo.custom_call": "call_target_name", "stablehlo.composite": "name"}


def local_lowering(
    *names: str,
    custom_call: str | Iterable[str] = (),
    composite: str | Iterable[str] = (),
    follows_rule: bool = False,
    partial_results: bool = False,
) -> Callable[[Lowering], Lowering]:
    """Declares the decorated function to make some ops local; also replaces a built-in lowering.

    The function is called with operands that are local already, and has to leave local results. It is the place to add
    ops of other dialects:

        @local_lowering("mydialect.myop", follows_rule=True)
        def my_op(op: LocalOp) -> None:
            op.keep()

    With `follows_rule` the operands and results it sees are laid out as the op's sharding rule demands: sharded alike
    along factors that pass through, and not at all along others. `partial_results` implies it, and also lets axes stay
    on reduction factors: the lowering combines the devices' results.

    Args:
      names: full names of ops.
      custom_call: names of targets of `stablehlo.custom_call`.
      composite: names of what `stablehlo.composite` stands for.

    Raises:
      ValueError: no op is named, or one without its dialect.
    """
    targets = {"stablehlo.custom_call": _listed(custom_call), "stablehlo.composite": _listed(composite)}
    _check_names(names, targets)

    def register(lowering: Lowering) -> Lowering:
        made = _checked(lowering)
        surrounded = follows_rule or partial_results
        choice = partial(by_rule, lowering=made, reductions=partial_results) if surrounded else Always(made)
        _choices.update(dict.fromkeys(names, choice))
        for name, listed in targets.items():
            if listed:
                _by_target.setdefault(name, {}).update(dict.fromkeys(listed, choice))
        kinds = [*names, *(name for name, listed in targets.items() if listed)]
        declared("local lowering", kinds, tuple(targets.items()), lowering, follows_rule, partial_results)
        return lowering

    return register


def _listed(names: str | Iterable[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _check_names(names: Sequence[str], targets: Mapping[str, Sequence[str]]) -> None:
    if any(callable(name) for name in names) or not (names or any(targets.values())):
        raise ValueError('say whose: local_lowering("dialect.op") or local_lowering(custom_call="target")')
    for name in names:
        if "." not in name:
            raise ValueError(f"{name!r} is no full name of an op; local_lowering(custom_call={name!r}) names a target")


def _checked(lowering: Lowering) -> Lowering:
    """`lowering`, which is refused if it does not leave local results."""
    if lowering.__module__.startswith("sdy.passes.partitioning.local.lowerings"):
        return lowering

    @wraps(lowering)
    def check(op: LocalOp) -> None:
        slots, location, name = [uses_of(result) for result in op.op.results], op.op.location, op.op.name
        wanted = local_types(op)
        try:
            lowering(op)
        except ValueError as error:
            raise DiagnosticError(location, f"'{name}' op cannot be made local: {error}") from error
        for index, (users, type_) in enumerate(zip(slots, wanted, strict=True)):
            have = users[0].user.operands[users[0].number].type if users else type_
            if have != type_:
                raise DiagnosticError(
                    location,
                    f"'{name}' op has a local lowering that leaves result {index} of type {have}, expected {type_}",
                )

    return check


def lowering_choice(*names: str) -> Callable[[Choice], Choice]:
    """Declares the decorated function to choose how an op is made local, by what it sees of the global op."""
    return entering(_choices, "choice of a lowering", names)


def choice_of(name: str) -> Choice | None:
    """What chooses the lowering of ops called `name`."""
    return _choice_by_target if name in _by_target else _choices.get(name)


def _choice_by_target(op: LocalOp) -> Lowering:
    name = op.op.name
    choice = _by_target[name].get(op.op.attributes[_TARGETS[name]].value) or _choices.get(name)
    if choice is not None:
        return choice(op)
    return by_layouts(op) or by_own_rule(op)
