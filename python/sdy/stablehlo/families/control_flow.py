"""Branches, loops, and values that pass through."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.stablehlo.declarations import declare
from sdy.stablehlo.op_facts import Body, OpFacts
from sdy.stablehlo.registry import infers, verifies, without_functions
from sdy.stablehlo.shared_rules.body_rules import returns_predicate
from sdy.stablehlo.shared_rules.traits import equal_types_pairwise
from sdy.stablehlo.types.compatibility import compatible_lists, joined
from sdy.stablehlo.types.value_types import ValueType

declare("if", "pred:Pred", "results*:Any|QA|token", regions=2)
declare("case", "index:i32", "results*:Any|QA|token", regions=(0, 2**31))
declare("while", "operand*:Any|QA|token|buffer", "results*:Any|QA|token|buffer", regions=2)
declare("optimization_barrier", "operand*:Any|token", "results*:Any|token", traits=[equal_types_pairwise("c1")])
declare("return", "results*:any", "")

without_functions("return")


# if, case ------------------------------------------------------------------------------------------------------------


@infers("if", "c3")
def infer_if(op: OpFacts) -> list[ValueType]:
    """What both branches say about their results: they must not be empty."""
    if op.tensor(0).dims:
        raise op.error("i1", f"pred must be a scalar, not {op.tensor(0)}")
    labels = ("i2", "c1", "c2")
    return _joined_branches(op, [op.body(0), op.body(1)], labels)


@infers("case", "c4")
def infer_case(op: OpFacts) -> list[ValueType]:
    """What all branches say about their results: there is one, and none is empty."""
    if op.tensor(0).dims:
        raise op.error("i1", f"index must be a scalar, not {op.tensor(0)}")
    if not op.regions:
        raise op.error("c1", "needs a branch")
    bodies = [op.body(number) for number in range(len(op.regions))]
    return _joined_branches(op, bodies, ("i2", "c2", "c3"))


def _joined_branches(op: OpFacts, bodies: Sequence[Body], labels: tuple[str, str, str]) -> list[ValueType]:
    empty, arguments, results = labels
    for number, body in enumerate(bodies):
        if body.is_empty:
            raise op.error(empty, f"branch {number} must not be empty")
        if body.arguments:
            raise op.error(arguments, f"branch {number} must not take arguments")
    for number, body in enumerate(bodies[1:], 1):
        if not compatible_lists(bodies[0].results, body.results):
            raise op.error(results, f"branches 0 and {number} return different types")
    return [joined(types) for types in zip(*(body.results for body in bodies), strict=True)]


# while ---------------------------------------------------------------------------------------------------------------


@infers("while", "c3")
def infer_while(op: OpFacts) -> list[ValueType]:
    """The types of the operands; the regions are not looked at."""
    return list(op.operands)


@verifies("while")
def verify_while(op: OpFacts) -> None:
    condition, body = op.body(0), op.body(1)
    for label, region, what in (("c1", condition, "condition"), ("c2", body, "body")):
        if region.is_empty or not compatible_lists(op.operands, region.arguments):
            raise op.error(label, f"the {what} must take the types of the operands")
    if not compatible_lists(op.operands, body.results):
        raise op.error("c2", "the body must return the types of the operands")
    if not returns_predicate(condition):
        raise op.error("c1", "the condition must return one boolean scalar")


# optimization_barrier ------------------------------------------------------------------------------------------------


@infers("optimization_barrier", "c1")
def infer_optimization_barrier(op: OpFacts) -> list[ValueType]:
    """The types of the operands, which the declaration holds the results to."""
    return list(op.operands)
