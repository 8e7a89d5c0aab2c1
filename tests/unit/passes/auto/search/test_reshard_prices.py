"""What moving a tensor is expected to cost is what the report counts when it is moved."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

import pytest

import sdy
from sdy.dialect.values.axes import axes
from sdy.dialect.values.mesh import Mesh
from sdy.passes.auto.search.reshard_prices import ReshardPrices
from sdy.passes.costs.machine import Machine
from sdy.passes.partitioning.reshard_planning.reshard_plan import DimAxes
from tests import depth

MACHINE = Machine.parse("flops=2e14 bandwidth=5e10 latency=1e-6 bandwidth.a=1e10")


def layouts(rank: int, names: list[str]) -> Iterator[DimAxes]:
    """All layouts, in every order of the axes of a dimension."""
    for places in itertools.product(range(rank + 1), repeat=len(names)):
        groups = [[name for name, place in zip(names, places, strict=True) if place == dim] for dim in range(rank)]
        for orders in itertools.product(*map(itertools.permutations, groups)):
            yield tuple(axes(*names) for names in orders)


def sharding(layout: DimAxes) -> str:
    dims = ", ".join("{" + ", ".join(map(str, each)) + "}" for each in layout)
    return f"{{sdy.sharding = #sdy.sharding<@mesh, [{dims}]>}}"


def moving(mesh: Mesh, shape: tuple[int, ...], pairs: list[tuple[DimAxes, DimAxes]]) -> str:
    """A program that does nothing but move its arguments."""
    type_ = f"tensor<{'x'.join(map(str, shape))}xf32>"
    arguments = ", ".join(f"%x{n}: {type_} {sharding(have)}" for n, (have, _) in enumerate(pairs))
    results = ", ".join(f"{type_} {sharding(want)}" for _, want in pairs)
    names, types = ", ".join(f"%x{n}" for n in range(len(pairs))), ", ".join([type_] * len(pairs))
    return f"sdy.mesh @mesh = {mesh}\nfunc.func @main({arguments}) -> ({results}) {{\nreturn {names} : {types}\n}}"


@pytest.mark.parametrize(
    ("mesh", "shape"),
    [
        (Mesh.of(a=2, b=4), (16, 16)),
        (Mesh.of(a=2, b=2, c=2), (16, 16)),
        (Mesh.of(a=2, b=2), (4, 8, 4)),
        (Mesh.of(a=2, b=2), (4, 8, 4, 4)),
    ],
    ids=["2x4", "2x2x2", "rank 3", "rank 4"],
)
def test_all_pairs_of_layouts(mesh: Mesh, shape: tuple[int, ...]) -> None:
    every = list(layouts(len(shape), [axis.name for axis in mesh.axes]))
    pairs = list(itertools.product(every, every))
    pairs = pairs if depth.ALL else pairs[:: max(1, len(pairs) // 60)]
    prices = ReshardPrices(mesh, MACHINE)
    size = 4 * 2 ** sum(dim.bit_length() - 1 for dim in shape)
    report = sdy.communication(moving(mesh, shape, pairs), machine=prices.machine)
    have = Counter((one.kind, frozenset(axis.name for axis in one.axes or ()), one.moved_bytes)
                   for one in report.transfers)  # fmt: skip
    moves = [move for pair in pairs for move in prices.moves(shape, *pair) if move.axes]
    sent = sum(prices.bytes_sent(shape, size, *pair) for pair in pairs)
    assert sent == pytest.approx(report.bytes_sent)
    assert Counter(kind for kind, _, _ in have.elements()) == Counter(move.kind for move in moves)
    assert Counter((kind, names) for kind, names, _ in have.elements()) == Counter(
        (move.kind, frozenset(move.axes)) for move in moves
    )
    assert report.timeline is not None
    seconds = sum(prices.move_seconds(move, size) for move in moves)
    assert report.timeline.communication == pytest.approx(seconds)


def test_partial_results_are_scattered_before_they_are_added_up() -> None:
    prices = ReshardPrices(Mesh.of(a=2, b=4), MACHINE)
    assert prices.reduce_bytes(axes("a", "b"), (), 800) == 2 * 7 / 8 * 800
    assert prices.reduce_bytes(axes("a", "b"), axes("b"), 800) == 3 / 4 * 800 + 2 * 1 / 2 * 200


def test_what_is_computed_where_it_is_used_is_stored_to_be_sent() -> None:
    """It is written by an op of its own, and read where it arrives; of slices neither."""
    machine = Machine(flops=1e12, bandwidth=1e9, memory_bandwidth=1e6, overhead=0.5)
    prices, rows, columns = ReshardPrices(Mesh.of(a=4), machine), (axes("a"), axes()), (axes(), axes("a"))
    assert prices.stored_seconds((8, 8), 256.0, rows, columns) == pytest.approx(0.5 + (64 + 64) / 1e6)
    assert prices.stored_seconds((8, 8), 256.0, rows, (axes(), axes())) == pytest.approx(0.5 + (64 + 256) / 1e6)
    assert prices.stored_seconds((8, 8), 256.0, (axes(), axes()), rows) == 0.0
