"""Choice of the local form of each op, while all types are still global."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps

from sdy.dialect.ir_builders.with_sharding import uses_of
from sdy.dialect.lowering.generic_lowering import by_layouts, by_own_rule, by_rule, unchanged
from sdy.dialect.lowering.local_op import LocalOp, Lowering
from sdy.dialect.lowering.sharded_op import local_types
from sdy.dialect.ops.model import (
    TARGETS,
    OpModel,
    has_users_model,
    model_with,
    target_of,
    users_model_with,
    when_declared,
)
from sdy.lazy_dataclass import dataclass
from sdy.mlir.diagnostics import DiagnosticError

Choice = Callable[[LocalOp], Lowering]


@dataclass(frozen=True)
class Always:
    """The choice that does not depend on the op."""

    lowering: Lowering

    def __call__(self, op: LocalOp) -> Lowering:
        return self.lowering


def choice_of(name: str) -> Choice | None:
    """Return the function that chooses the lowering of ops called `name`; None if no model defines one."""
    if name in TARGETS and has_users_model(name):
        return _by_target
    return _choice(name, None)


def _by_target(op: LocalOp) -> Lowering:
    choice = _choice(op.op.name, target_of(op.op))
    return choice(op) if choice is not None else by_layouts(op) or by_own_rule(op)


_choices: dict[tuple[str, str | None], Choice | None] = {}
when_declared(_choices.clear)


def _choice(name: str, target: str | None) -> Choice | None:
    if (name, target) not in _choices:
        _choices[name, target] = _made(name, target)
    return _choices[name, target]


def _made(name: str, target: str | None) -> Choice | None:
    if model_with("is_idle", name, target) is not None:
        return Always(unchanged)
    model = model_with("localize", name, target)
    if model is None:
        parts = model_with("keeps_parts", name, target)
        return None if parts is None else partial(_if_parts_stay, parts)
    lowering = model.localize
    if users_model_with("localize", name, target) is model:
        lowering = _checked(lowering)
    if model.follows_rule or model.partial_results:
        return partial(by_rule, lowering=lowering, reductions=model.partial_results)
    return Always(lowering)


def _if_parts_stay(model: OpModel, op: LocalOp) -> Lowering:
    if model.keeps_parts(op):
        return LocalOp.keep
    return by_layouts(op) or by_own_rule(op)


def _checked(lowering: Lowering) -> Lowering:
    """Check a user's `lowering`: refuse one without local results."""

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
