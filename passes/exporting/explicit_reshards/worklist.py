"""Which ops of a module may need reshards around them."""

from __future__ import annotations

from dataclasses import dataclass

from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.dialect.shardings.sharding_survey import is_plain, occurs
from sdy.mlir import ir
from sdy.mlir.functions import symbol_name
from sdy.mlir.search import ops_named
from sdy.mlir.walk import post_order
from sdy.passes.exporting.explicit_reshards.plan_cache import TREATED_IN_EITHER_VERSION, Plans, Treatment, plans_for
from sdy.passes.exporting.explicit_reshards.recognised_ops import Item, items_of_large_module


@dataclass(frozen=True)
class WorklistFor:
    """Makes the worklist of a module, which is the same for equal treatments."""

    treatment: Treatment

    def __call__(self, module: ir.Operation) -> Worklist:
        return Worklist(module, plans_for(module.context, of_module(MeshTable, module), self.treatment))


class Worklist:
    """The ops of each function that have to be visited, nested ones first."""

    def __init__(self, module: ir.Operation, plans: Plans) -> None:
        self.plans = plans
        self._by_function = items_of_large_module(module, plans) if plans.treatment.full else None
        """By name of the function; None if what is alike has not been looked for."""
        self._is_plain = self._by_function is not None or self._holds_plain(module)

    def is_plain(self, func: ir.Operation) -> bool:
        """Whether no sharding in `func` has unreduced axes or is on a single device.

        Most programs have none of them; where one has, each function is looked at by itself.
        """
        return self._is_plain or self._holds_plain(func)

    def _holds_plain(self, root: ir.Operation) -> bool:
        return not occurs(root, lambda sharding: not is_plain(sharding, self.plans.meshes))

    def of(self, func: ir.Operation, *, is_plain: bool) -> list[Item]:
        """The ops of one function."""
        if self._by_function is not None:
            return self._by_function.get(symbol_name(func), [])
        some = is_plain and not self.plans.treatment.full
        ops = ops_named(func, "func.call", *TREATED_IN_EITHER_VERSION) if some else post_order(func)
        return [(op, None) for op in ops]
