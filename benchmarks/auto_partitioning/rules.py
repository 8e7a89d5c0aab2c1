"""What experts say of arguments: a function from the path of a leaf and its shape to the axes of its dimensions."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping

Dims = tuple[int, ...]
Sizes = Mapping[str, int]
Axes = tuple[str, ...]
Layout = tuple[Axes, ...]
"""Mesh axes of each dimension; those of the dimensions behind are none."""

Rule = Callable[[str, Dims], Layout]
"""How an argument lies, by its path and its shape."""


def fitted(layout: Layout, dims: Dims, mesh: Sizes) -> Layout:
    """A layout without the axes that do not divide their dimension."""
    found = []
    for dim, axes in zip(dims, layout, strict=False):
        count = max(c for c in range(len(axes) + 1) if dim % math.prod(mesh[name] for name in axes[:c]) == 0)
        found.append(axes[:count])
    return tuple(found)


def _is_weight(path: str) -> bool:
    return "'parameters'" in path or "'momentum'" in path


def last_name(path: str) -> str:
    return re.findall(r"\['(\w+)'\]", path)[-1]


def batch_over(axes: Axes) -> Rule:
    """The batch over some axes, all weights everywhere."""
    return lambda path, dims: () if _is_weight(path) else (axes,)


def with_batch(rule: Rule, axes: Axes) -> Rule:
    """As a rule says, but the batch over some axes."""
    return lambda path, dims: rule(path, dims) if _is_weight(path) else (axes,)


def batch_and_height(batch: Axes, height: Axes) -> Rule:
    def rule(path: str, dims: Dims) -> Layout:
        if _is_weight(path):
            return ()
        return (batch, height) if len(dims) == 4 else ((*batch, *height),)

    return rule


def tensor_parallel(places: Mapping[str, int], batch: Axes, model: Axes) -> Rule:
    """Weights over `model` in the dimension that their name says, kernels by output channels; caches by heads."""

    def rule(path: str, dims: Dims) -> Layout:
        if not _is_weight(path):
            return (batch, (), model) if "'cache'" in path else (batch,)
        place = places.get(last_name(path))
        if len(dims) == 4 and "'layers'" not in path:
            place = 3
        return () if place is None else (*[()] * place, model)

    return rule


def also_over(rule: Rule, axes: Axes, mesh: Sizes) -> Rule:
    """As a rule says, and weights and their state over `axes`, too, each along its largest free dimension."""
    count = math.prod(mesh[name] for name in axes)

    def wider(path: str, dims: Dims) -> Layout:
        layout = rule(path, dims)
        layout = (*layout, *[()] * (len(dims) - len(layout)))
        free = [dim for dim, size in enumerate(dims) if not layout[dim] and size % count == 0]
        if not _is_weight(path) or not free:
            return layout
        largest = max(free, key=lambda dim: dims[dim])
        return tuple(axes if dim == largest else one for dim, one in enumerate(layout))

    return wider
