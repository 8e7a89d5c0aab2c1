"""Which axes are manual where an op is."""

from __future__ import annotations

from sdy.dialect.definition import attributes
from sdy.mlir import ir
from sdy.mlir.functions import callee_name, calls_in, enclosing_function, funcs, symbol_name


def manual_axes_around(op: ir.Operation) -> tuple[str, ...]:
    """The manual axes of the computations around an op in its function, those of the outermost first."""
    return tuple(name for names in reversed(_manual_axes_from(op.parent.operation)) for name in names)


def _manual_axes_from(holder: ir.Operation) -> list[tuple[str, ...]]:
    """The manual axes of each computation from `holder` outwards to its function."""
    found: list[tuple[str, ...]] = []
    while holder.name not in ("func.func", "builtin.module"):
        if holder.name == "sdy.manual_computation":
            found.append(attributes.get(holder, "manual_axes").names)
        holder = holder.parent.operation
    return found


class ManualScopes:
    """Manual axes of all ops of a module, those around the callers of an op's function included.

    The callers are read once: what is manual around them may be inlined later.
    """

    def __init__(self, module: ir.Operation) -> None:
        self._callers: dict[str, list[ir.Operation]] = {symbol_name(func): [] for func in funcs(module)}
        for call in calls_in(module):
            self._callers.setdefault(callee_name(call), []).append(call)
        self._of_functions: dict[str, frozenset[str]] = {}
        for name in self._callers:
            self._of_function(name)

    def around(self, op: ir.Operation) -> frozenset[str]:
        """Return the names of the axes along which each device runs `op` for itself."""
        return self.inside(op.parent.operation)

    def inside(self, holder: ir.Operation, *, skip: int = 0) -> frozenset[str]:
        """Return what `around` returns for ops in a region of `holder`, without the innermost `skip` computations."""
        return self._of_function(symbol_name(enclosing_function(holder))).union(*_manual_axes_from(holder)[skip:])

    def _of_function(self, name: str) -> frozenset[str]:
        if name not in self._of_functions:
            self._of_functions[name] = frozenset()  # ends the search where a function calls itself
            self._of_functions[name] = frozenset().union(*map(self.around, self._callers[name]))
        return self._of_functions[name]
