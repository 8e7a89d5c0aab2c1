"""What the families of ops draw from: sizes that are small and often 1, shapes, subsets and permutations."""

from __future__ import annotations

from random import Random

from tests.generators.op_instances import Shape

SIZES = [1, 1, 1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 8, 9, 10, 12, 15, 16, 20, 24]


def size(rng: Random) -> int:
    return 0 if rng.random() < 0.01 else rng.choice(SIZES)


def shape(rng: Random, least: int = 0, most: int = 4) -> Shape:
    return [size(rng) for _ in range(rng.randint(least, most))]


def subset(rng: Random, number: int, count: int | None = None) -> list[int]:
    """Some of 0, 1, ... `number` - 1, ascending."""
    return sorted(rng.sample(range(number), rng.randint(0, number) if count is None else count))


def shuffled(rng: Random, sizes: Shape) -> tuple[Shape, list[int]]:
    """The sizes in another order, and where each went."""
    places = rng.sample(range(len(sizes)), len(sizes))
    moved = [0] * len(sizes)
    for place, extent in zip(places, sizes, strict=True):
        moved[place] = extent
    return moved, places


def window_positions(
    extent: int, window: int, stride: int, low: int, high: int, base: int = 1, dilation: int = 1
) -> int:
    """Number of window positions; negative if the padded dimension is impossible."""
    padded = (0 if extent == 0 else (extent - 1) * base + 1) + low + high
    span = 0 if window == 0 else (window - 1) * dilation + 1
    if padded < 0:
        return -1
    return 0 if padded == 0 or span > padded else (padded - span) // stride + 1
