"""Which dimensions of a reshape become which, and whether it moves data between devices (spec: partitioner, 3.6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from sdy.dialect.lowering.layout import Layout
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding, is_equivalent_across_reshape


@dataclass(frozen=True)
class Group:
    """Consecutive dimensions of the operand and of the result that hold the same elements."""

    source: tuple[int, ...]
    target: tuple[int, ...]

    def is_pass_through(self, source_shape: Sequence[int], target_shape: Sequence[int]) -> bool:
        """At most one dimension on each side has a size other than 1."""
        return _large(self.source, source_shape) <= 1 and _large(self.target, target_shape) <= 1

    def is_split(self, source_shape: Sequence[int], target_shape: Sequence[int]) -> bool:
        """One dimension becomes several."""
        return _large(self.source, source_shape) <= 1 < _large(self.target, target_shape)


def _large(dims: Sequence[int], shape: Sequence[int]) -> int:
    return sum(shape[dim] != 1 for dim in dims)


def groups_of(source: Sequence[int], target: Sequence[int]) -> list[Group]:
    """The smallest groups of dimensions with equal products, from the left; of an empty tensor some may differ."""
    groups: list[Group] = []
    a = c = 0
    while a < len(source) or c < len(target):
        first_a, first_c = a, c
        left = source[a] if a < len(source) else 1
        right = target[c] if c < len(target) else 1
        a, c = min(a + 1, len(source)), min(c + 1, len(target))
        while (left < right and a < len(source)) or (right < left and c < len(target)):
            if left < right:
                left *= source[a]
                a += 1
            else:
                right *= target[c]
                c += 1
        groups.append(Group(tuple(range(first_a, a)), tuple(range(first_c, c))))
    return groups


def has_uneven_dim(group: Group, source: Layout, target: Layout) -> bool:
    """Whether some dimension of the group is not a multiple of its shards."""
    return any(source.shape[dim] % source.shards[dim] for dim in group.source) or any(
        target.shape[dim] % target.shards[dim] for dim in group.target
    )


def moves_no_data(source: Layout, target: Layout) -> bool:
    """Whether every device can reshape its own part, padding included."""
    if is_equivalent(source, target):
        return True
    return is_equivalent(source, target, non_divisible=True) and all(
        group.is_pass_through(source.shape, target.shape) for group in groups_of(source.shape, target.shape)
    )


def is_equivalent(source: Layout, target: Layout, *, non_divisible: bool = False) -> bool:
    """Whether the shardings place the elements alike (spec: sharding-algebra, 6.2)."""
    if source.mesh is None or source.mesh != target.mesh or source.sharding is None or target.sharding is None:
        return False
    shardings, shapes = (source.sharding, target.sharding), (source.shape, target.shape)
    return _are_equivalent(source.mesh, *shardings, *shapes, non_divisible)


@lru_cache(maxsize=1 << 12)
def _are_equivalent(
    mesh: Mesh,
    source: TensorSharding,
    target: TensorSharding,
    source_shape: tuple[int, ...],
    target_shape: tuple[int, ...],
    non_divisible: bool,
) -> bool:
    return is_equivalent_across_reshape(
        source.with_mesh(mesh).with_replicated(()),
        source_shape,
        target.with_mesh(mesh).with_replicated(()),
        target_shape,
        mesh.axis_sizes,
        non_divisible=non_divisible,
    )
