"""Callees before callers: the order in which XLA reads computations."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.hlo_text.model import Computation
from sdy.hlo_text.syntax_error import HloSyntaxError


def callees_first(computations: Sequence[Computation]) -> list[Computation]:
    """The computations, as they are if that is such an order, else moved as little as a walk along calls does.

    Raises:
      HloSyntaxError: a computation calls itself, perhaps through others.
    """
    calls = {each.name: _called(each) for each in computations}
    by_name = {each.name: each for each in computations}
    found: list[Computation] = []
    state: dict[str, bool] = {}  # False while its callees are looked at, True behind
    for first in computations:
        stack = [(first.name, iter(calls[first.name]))] if first.name not in state else []
        state.setdefault(first.name, False)
        while stack:
            name, rest = stack[-1]
            callee = next(rest, None)
            if callee is None:
                stack.pop()
                state[name] = True
                found.append(by_name[name])
            elif callee not in state:
                state[callee] = False
                stack.append((callee, iter(calls[callee])))
            elif not state[callee]:
                raise HloSyntaxError(f"computation %{callee} calls itself", *(by_name[callee].position or (1, 1)))
    return found


def _called(computation: Computation) -> list[str]:
    return [name for each in computation.instructions if each.attributes for name in each.called]
