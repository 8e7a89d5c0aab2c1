"""Sharding rules in the notation of einsum, as `jax.experimental.custom_partitioning` has it.

i j, j k -> i k         factors by name; each stands for a whole dimension and has its size
... i, i -> ... i       leading dimensions, however many there are; `...2` is another group of them
(i j) k -> i (j k)      a dimension made of several factors, major to minor
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from sdy.dialect.assembly.attribute_grammar import read_rule
from sdy.dialect.ops.op_signature import OpSignature, Shape
from sdy.dialect.values.rule import ShardingRule

_PREFIX = re.compile(r"\s*#sdy\s*\.\s*op_sharding_rule\b")


def parse_rule(text: str) -> ShardingRule:
    """The rule written as ``<([i, k], [k, j])->([i, j]) {i=8, j=16, k=4} reduction={k}>``.

    ``#sdy.op_sharding_rule`` in front is optional. ValueError if the text is no rule; whether the rule fits an op is
    another question.
    """
    return read_rule(_PREFIX.sub("", text, count=1))


_DIM = re.compile(r"\s*(?:\(([^()]*)\)|(\.\.\.[0-9]*)|([^\W\d_]\w*))\s*")
_NAME = re.compile(r"[^\W\d_]\w*")

Dim = tuple[str, ...]
"""Names of the factors of a dimension; a single name that begins with ``...`` stands for any number of dimensions."""

Tensor = tuple[Dim, ...]


def einsum_rule(
    op: OpSignature,
    notation: str,
    *,
    reduction_factors: Sequence[str] = (),
    need_replication_factors: Sequence[str] = (),
    permutation_factors: Sequence[str] = (),
    blocked_propagation_factors: Sequence[str] = (),
    **factor_sizes: int,
) -> ShardingRule:
    """The rule that `notation` means for the shapes of `op`.

    Factors pass through unless listed otherwise. `factor_sizes` are needed for those factors, and only those, that are
    nowhere a whole dimension. A factor for dimensions of different sizes has the smallest.

    Raises:
      ValueError: the notation is wrong, or does not fit the op.
    """
    operands, results = _parse(notation)
    ranks: dict[str, int] = {}
    tensors = [
        *_expanded(operands, op.operands, "operand", ranks),
        *_expanded(results, op.results, "result", ranks),
    ]
    sizes = _sizes(tensors, factor_sizes)
    index = {name: number for number, name in enumerate(sizes)}
    mappings = [tuple(tuple(index[name] for name in dim) for dim in dims) for dims, _ in tensors]

    def indices(names: Sequence[str]) -> tuple[int, ...]:
        for name in names:
            if name not in index:
                raise ValueError(f"'{notation}' has no factor '{name}'")
        return tuple(sorted(index[name] for name in names))

    return ShardingRule(
        tuple(sizes.values()),
        tuple(mappings[: len(operands)]),
        tuple(mappings[len(operands) :]),
        indices(reduction_factors),
        indices(need_replication_factors),
        indices(permutation_factors),
        indices(blocked_propagation_factors),
    )


# From text to names ------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _parse(notation: str) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
    sides = notation.split("->")
    if len(sides) != 2:
        raise ValueError(f"a sharding rule has the form 'operands -> results', not '{notation}'")
    operands, results = (tuple(_tensor(text) for text in side.split(",")) for side in sides)
    return operands, results


def _tensor(text: str) -> Tensor:
    dims: list[Dim] = []
    position = 0
    text = text.strip()
    while position < len(text):
        match = _DIM.match(text, position)
        if match is None:
            raise ValueError(f"expected factors at '{text[position:]}' in a sharding rule")
        compound, ellipsis, name = match.groups()
        if ellipsis is not None:
            if dims:
                raise ValueError(f"'...' must come first in '{text}'")
            dims.append((f"...{int(ellipsis[3:] or 0)}",))
        else:
            dims.append((name,) if compound is None else _compound(compound))
        position = match.end()
    return tuple(dims)


def _compound(text: str) -> Dim:
    names = tuple(text.split())
    if len(names) < 2 or not all(_NAME.fullmatch(name) for name in names):
        raise ValueError(f"expected at least two factors in '({text})' in a sharding rule")
    return names


# From names to factors ---------------------------------------------------------------------------

_Sized = tuple[Tensor, Shape]


def _expanded(
    tensors: Sequence[Tensor], shapes: Sequence[Shape | None], what: str, ranks: dict[str, int]
) -> Iterator[_Sized]:
    """The dimensions of each value along with its shape, with `...` written out.

    `ranks` collects the number of dimensions that each group stands for.
    """
    if len(tensors) != len(shapes):
        raise ValueError(f"the sharding rule has {len(tensors)} {what}s, the op {len(shapes)}")
    for number, (dims, shape) in enumerate(zip(tensors, shapes, strict=True)):
        shape = shape or ()
        if dims and dims[0][0].startswith("..."):
            group, *others = dims
            count = ranks.setdefault(group[0], max(len(shape) - len(others), 0))
            dims = (*((f"{group[0]}.{position}",) for position in range(count)), *others)
        if len(dims) != len(shape):
            raise ValueError(f"{what} {number} has rank {len(dims)} in the sharding rule, {len(shape)} in the op")
        yield dims, shape


def _sizes(tensors: Sequence[_Sized], given: Mapping[str, int]) -> dict[str, int]:
    """Factor sizes by name, in the order in which the factors first occur."""
    whole: dict[str, set[int]] = {}
    for dims, shape in tensors:
        for dim, size in zip(dims, shape, strict=True):
            for name in dim:
                whole.setdefault(name, set())
            if len(dim) == 1:
                whole[dim[0]].add(size)
    for name in given:
        if name not in whole:
            raise ValueError(f"a size is given for '{name}', which is no factor of the sharding rule")
        if whole[name]:
            raise ValueError(f"a size is given for factor '{name}', which has that of its dimension")
    for name, sizes in whole.items():
        if not sizes and name not in given:
            raise ValueError(f"factor '{name}' is nowhere a whole dimension; give its size")
        if name.startswith("...") and len(sizes) > 1:
            raise ValueError(f"'...' stands for dimensions of sizes {sorted(sizes)}")
    found = {name: min(sizes) if sizes else given[name] for name, sizes in whole.items()}
    for dims, shape in tensors:
        for dim, size in zip(dims, shape, strict=True):
            if len(dim) > 1 and math.prod(found[name] for name in dim) != size:
                raise ValueError(f"the factors ({' '.join(dim)}) do not make up a dimension of size {size}")
    return found
