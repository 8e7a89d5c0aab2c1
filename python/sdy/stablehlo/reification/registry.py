"""How the sizes of results follow that are not known, by the full name of the op; the files beside it fill it."""

from __future__ import annotations

from collections.abc import Callable

from sdy.stablehlo.reification.size_values import Size, Sizes

Rule = Callable[[Sizes, int, int], Size | None]
"""The size of a dimension of a result, of which number and dimension are given; None where it does not follow."""

_RULES: dict[str, Rule] = {}


def result_size(sizes: Sizes, number: int, dim: int) -> Size | None:
    """The size of a dimension of a result; None where it does not follow from the operands."""
    found = _RULES.get(sizes.facts.name)
    return None if found is None else found(sizes, number, dim)


def rule(names: str) -> Callable[[Rule], Rule]:
    """Declares the decorated function to say sizes of the results of these ops; without a dialect: of StableHLO."""

    def register(function: Rule) -> Rule:
        for name in names.split():
            _RULES[name if "." in name else f"stablehlo.{name}"] = function
        return function

    return register
