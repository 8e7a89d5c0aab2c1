"""`sdy.sharding_rule` and `sdy.local_lowering`: models with one part, declared as a function."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from sdy.dialect.ops.model import OpModel, add_model, check_names, keys_of, reduction_named
from sdy.dialect.ops.op_signature import OpSignature
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import Reduction
from sdy.mlir.users_code import declared

if TYPE_CHECKING:
    from sdy.dialect.lowering.local_op import Lowering

RuleFunction = TypeVar("RuleFunction", bound=Callable[[OpSignature], "ShardingRule | str | None"])


def sharding_rule(
    *ops: str,
    custom_call: str | Iterable[str] = (),
    composite: str | Iterable[str] = (),
    reduction: Reduction | str = Reduction.SUM,
) -> Callable[[RuleFunction], RuleFunction]:
    """Declare how the rule of some ops is made, in place of the built-in rule if there is one.

        @sharding_rule("mydialect.matmul")
        def matmul(op: OpSignature) -> str:
            return "i j, j k -> i k"

    The function returns a rule (`RuleBuilder` and `einsum_rule` make them), its text in the notation of einsum or of
    `#sdy.op_sharding_rule`, or None if this op has none. The rule is custom: passes that put it on the op keep it.

    Args:
      ops: full names of ops.
      custom_call: names of targets of `stablehlo.custom_call`.
      composite: names of composites (`stablehlo.composite`).
      reduction: how the devices' results add up to the result if a reduction factor is sharded: "sum", "max" or "min".

    Returns:
      A decorator, which returns the function.

    Raises:
      ValueError: there is no such reduction.
    """
    keys = keys_of(ops, custom_call, composite)
    kind = reduction_named(reduction)

    def register(function: RuleFunction) -> RuleFunction:
        parts = {"rule": staticmethod(function), "reduction": kind}
        add_model(keys, type("DeclaredRule", (OpModel,), parts)())
        declared("sharding rule", [name for name, _ in keys], tuple(keys), function, kind.value)
        return function

    return register


def local_lowering(
    *names: str,
    custom_call: str | Iterable[str] = (),
    composite: str | Iterable[str] = (),
    follows_rule: bool = False,
    partial_results: bool = False,
) -> Callable[[Lowering], Lowering]:
    """Declare the decorated function to make some ops local; also replaces a built-in lowering.

    The function is called with local operands, and has to leave local results. It supports ops of other dialects:

        @local_lowering("mydialect.myop", follows_rule=True)
        def my_op(op: LocalOp) -> None:
            op.keep()

    With `follows_rule` operands and results have the layouts that the op's sharding rule demands: sharded equally along
    pass-through factors, replicated along others. `partial_results` implies it, and allows axes on reduction factors:
    the lowering combines the devices' results.

    Args:
      names: full names of ops.
      custom_call: names of targets of `stablehlo.custom_call`.
      composite: names of composites (`stablehlo.composite`).
      follows_rule: whether the function sees operands and results laid out as the rule demands.
      partial_results: whether the function combines results along reduction factors.

    Returns:
      A decorator, which returns the function.

    Raises:
      ValueError: no op is named, or one without its dialect.
    """
    keys = keys_of(names, custom_call, composite)
    check_names("local_lowering", names, keys)

    def register(lowering: Lowering) -> Lowering:
        flags = {"follows_rule": follows_rule, "partial_results": partial_results}
        add_model(keys, type("DeclaredLowering", (OpModel,), {"localize": staticmethod(lowering), **flags})())
        declared("local lowering", [name for name, _ in keys], tuple(keys), lowering, follows_rule, partial_results)
        return lowering

    return register
