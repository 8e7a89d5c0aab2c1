"""Which ops keep their order, so that nothing is moved past them (spec: async, 14.1)."""

from __future__ import annotations

from sdy.dialect.asynchronous_pairs import family_of, operation_of, start_of
from sdy.mlir import ir
from sdy.mlir.effects import holds_its_regions_only, is_effect_free
from sdy.mlir.functions import callee_name, funcs, symbol_name
from sdy.passes.costs.program_collectives import kind_of

_STATEFUL = frozenset({"stablehlo.rng"})
"""Ops that say they have no effects, but draw from a state."""

_MAY_CARRY_TOKENS = frozenset(
    f"stablehlo.{name}"
    for name in ("after_all", "create_token", "custom_call", "get_tuple_element", "optimization_barrier", "tuple")
)
"""Ops without effects that take or make tokens; loops and branches do if what is in them has effects."""


class OrderOfEffects:
    """Answers for the ops of one module; what a function does is looked at once."""

    def __init__(self, module: ir.Operation) -> None:
        self._functions = {symbol_name(function): function for function in funcs(module)}
        self._of_functions: dict[str, bool] = {}

    def is_ordered(self, op: ir.Operation) -> bool:
        """Whether an op has effects other than communication, or uses or makes a token."""
        name = op.name
        if kind_of(op) is not None:
            return False
        if family_of(op) is not None:
            start = start_of(op)
            return start is not None and self.is_ordered(operation_of(start))
        if name == "func.call":
            return self._calls(callee_name(op))
        if holds_its_regions_only(name):
            return any(
                self.is_ordered(nested.operation) for region in op.regions for block in region for nested in block
            )
        return name in _STATEFUL or not is_effect_free(op) or (name in _MAY_CARRY_TOKENS and _has_token(op))

    def _calls(self, name: str) -> bool:
        if name not in self._of_functions:
            self._of_functions[name] = True  # a function that calls itself
            function = self._functions.get(name)
            regions = [] if function is None else function.regions
            self._of_functions[name] = function is None or any(
                self.is_ordered(nested.operation) for region in regions for block in region for nested in block
            )
        return self._of_functions[name]


def _has_token(op: ir.Operation) -> bool:
    return any(
        not isinstance(value.type, ir.RankedTensorType) and "token" in str(value.type)
        for value in (*op.operands, *op.results)
    )
