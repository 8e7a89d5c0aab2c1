"""Where starts and dones are placed: the guarantees of the specification (async, 14.2) on random blocks."""

from __future__ import annotations

import random

import pytest

from sdy.passes.costs.simulation import Work
from sdy.passes.overlap.placement.list_schedule import keep_order, list_schedule, priorities
from sdy.passes.overlap.placement.placing import (
    UNLIMITED,
    Begin,
    Block,
    End,
    Node,
    Op,
    Order,
    Pair,
    Place,
    as_written,
    peak_live_bytes,
    run,
    synchronous,
)
from tests.depth import seeds

LIMITS = (UNLIMITED, 5, 8, 12, 20, 40)


def op(seconds: float, *operands: int, is_ordered: bool = False) -> Node:
    return Node(operands, None, is_ordered, Work(seconds), 8)


def sent(seconds: float, *operands: int, number: int = 0, channel: str = "link") -> Node:
    return Node(operands, Pair(((number, 8),), number + 1, seconds, (channel,)), False, Work(0), 8)


EXAMPLE = Block(
    (
        sent(30, number=0),
        op(40, 0),
        sent(30, number=2),
        op(40, 1, 2),
        sent(20, 1, number=4),
        op(5, 4, 3),
    ),
    (5,),
)
"""That of the specification: a gather, a product, a gather, a product, a reduction, a sum."""

G1, H1, G2, H2, AR, U = range(6)


def test_example_synchronous() -> None:
    found = run(EXAMPLE, synchronous(EXAMPLE))
    assert (found.total, found.exposed) == (165, 80)
    assert as_written(EXAMPLE) == synchronous(EXAMPLE)


def test_example_without_limit() -> None:
    order = keep_order(EXAMPLE)
    assert order == [
        Begin(G1), Begin(G2), End(G1), Op(H1), Begin(AR), End(G2), Op(H2), End(AR), Op(U),
    ]  # fmt: skip
    found = run(EXAMPLE, order)
    assert (found.total, found.exposed) == (115, 30)


def test_example_with_eight_bytes() -> None:
    order = keep_order(EXAMPLE, 8)
    assert order == [
        Begin(G1), End(G1), Begin(G2), Op(H1), End(G2), Begin(AR), Op(H2), End(AR), Op(U),
    ]  # fmt: skip
    found = run(EXAMPLE, order)
    assert (found.total, found.peak_bytes_in_flight) == (115, 8)


def random_block(seed: int) -> Block:
    """Up to 12 ops, two channels, some ops with effects, some handles, some pairs that are apart already."""
    rng = random.Random(seed)
    count = rng.randint(1, 12)
    kinds = [rng.choices(("op", "pair", "ordered"), (5, 5, rng.choice((0, 0, 1))))[0] for _ in range(count)]
    done_after = {number: number + 1 for number in range(count)}
    for number in range(count):
        if kinds[number] == "pair" and rng.random() < 0.2:
            done_after[number] = rng.randint(number + 1, count)
    nodes = []
    for number, kind in enumerate(kinds):
        usable = [other for other in range(number) if kinds[other] != "pair" or done_after[other] <= number]
        operands = tuple(rng.sample(usable, min(len(usable), rng.choice((0, 1, 1, 2, 3)))))
        seconds = rng.choice((0, 1, 5, 20, 40, rng.random() * 50))
        if kind == "pair":
            channels = rng.choice((("x",), ("y",), ("x", "y"), ("x",)))
            handle = rng.choice((None, None, None, "a"))
            size = rng.randint(1, 10)
            nodes.append(
                Node(
                    operands,
                    Pair(((number, size),), done_after[number], seconds, channels, handle),
                    False,
                    Work(0),
                    size,
                )
            )
        else:
            nodes.append(Node(operands, None, kind == "ordered", Work(seconds), rng.randint(0, 10)))
    returned = tuple(rng.sample(range(count), rng.randint(0, min(2, count))))
    return Block(tuple(nodes), returned)


def check_order(block: Block, order: Order, *, keeps: bool) -> None:
    """Every op is placed once, behind its operands; what is ordered is not passed; handles start in program order."""
    where: dict[Place, int] = {place: position for position, place in enumerate(order)}
    assert len(where) == len(order)
    expected = {Op(n) if node.pair is None else Begin(n) for n, node in enumerate(block.nodes)}
    expected |= {End(n) for n, node in enumerate(block.nodes) if node.pair is not None}
    assert set(where) == expected

    def available(number: int) -> int:
        return where[Op(number) if block.nodes[number].pair is None else End(number)]

    for number, node in enumerate(block.nodes):
        first = where[Op(number) if node.pair is None else Begin(number)]
        assert all(available(operand) < first for operand in node.operands)
        assert node.pair is None or first < where[End(number)]
    ops = [place.node for place in order if isinstance(place, Op)]
    if keeps:
        assert ops == sorted(ops)
    written = {place: position for position, place in enumerate(as_written(block))}
    for number, node in enumerate(block.nodes):
        if node.is_ordered:
            for place in where:
                assert (where[place] < where[Op(number)]) == (written[place] < written[Op(number)]), place
    starts = [place.node for place in order if isinstance(place, Begin)]
    handled = [n for n in starts if (pair := block.nodes[n].pair) is not None and pair.handle is not None]
    assert handled == sorted(handled)


def check_bytes(block: Block, order: Order, limit: int) -> None:
    """More than the limit only by one alone, or beside pairs that an ordered op keeps open."""
    _, dones = block.segments()
    held: list[int] = []
    segment = 0
    for place in order:
        if isinstance(place, Op):
            segment += block.nodes[place.node].is_ordered
        elif isinstance(place, End):
            held.remove(place.node)
        else:
            others = [number for number in held if dones[number] <= segment]
            held.append(place.node)
            total = sum(block.nodes[number].pair.bytes for number in held)  # type: ignore[union-attr]
            assert total <= limit or not others


SEEDS = seeds(400, 20_000)


@pytest.mark.parametrize("first", SEEDS[::400])
def test_guarantees(first: int) -> None:
    for seed in SEEDS[SEEDS.index(first) :][:400]:
        try:
            check(random_block(seed), LIMITS[seed % len(LIMITS)])
        except Exception as error:
            raise AssertionError(f"SDY_SEED={seed}") from error


def check(block: Block, limit: int) -> None:
    keep, listed = keep_order(block, limit), list_schedule(block, limit)
    check_order(block, keep, keeps=True)
    check_order(block, listed, keeps=False)
    assert run(block, keep).total <= run(block, synchronous(block)).total + 1e-9
    if limit != UNLIMITED:
        check_bytes(block, keep, limit)
        check_bytes(block, listed, limit)
    assert keep_order(block, limit) == keep


# Placing for a machine ----------------------------------------------------------------------------


def test_what_the_longest_path_hangs_on_comes_first() -> None:
    block = Block((op(10), op(20), sent(30, 1, number=2), op(40, 2)), (0, 3))
    assert priorities(block) == [10, 90, 70, 40]
    assert list_schedule(block) == [Op(1), Begin(2), Op(0), End(2), Op(3)]
    assert run(block, list_schedule(block)).total == 90
    assert run(block, keep_order(block)).total == 100


def test_of_equals_the_first_comes_first() -> None:
    block = Block((op(10), op(10), op(10)))
    assert list_schedule(block) == [Op(0), Op(1), Op(2)]


def test_done_comes_where_its_result_is_used() -> None:
    """Not where the machine says that it has arrived: on another one it may be late."""
    block = Block((sent(1, number=0), op(50), op(50), op(5, 0, 1, 2)))
    assert list_schedule(block) == [Begin(0), Op(1), Op(2), End(0), Op(3)]


def test_nothing_passes_what_is_ordered() -> None:
    block = Block((op(10), op(0, is_ordered=True), sent(30, number=2), op(40), op(5, 2)))
    order = list_schedule(block)
    assert order[:2] == [Op(0), Op(1)]
    assert order == [Op(0), Op(1), Begin(2), Op(3), End(2), Op(4)]


def test_live_bytes_are_those_of_what_is_still_used() -> None:
    nodes = (
        Node((), None, False, Work(1), 100),
        Node((0,), None, False, Work(1), 10),
        Node((1,), Pair(((2, 0),), 3, 5.0, ("x",)), False, Work(0), 40),
        Node((1,), None, False, Work(1), 1),
    )
    block = Block(nodes, (3,))
    assert peak_live_bytes(block, [Op(0), Op(1), Begin(2), End(2), Op(3)]) == 110
    assert peak_live_bytes(block, [Op(0), Op(1), Begin(2), Op(3), End(2)]) == 110
    long = Block((*nodes[:3], Node((0, 1), None, False, Work(1), 1)), (3, 2))
    assert peak_live_bytes(long, [Op(0), Op(1), Begin(2), Op(3), End(2)]) == 151
    assert peak_live_bytes(long, [Op(0), Op(1), Begin(2), End(2), Op(3)]) == 151
    unused = Block((Node((), None, False, Work(1), 7), Node((), None, False, Work(1), 5)))
    assert peak_live_bytes(unused, [Op(0), Op(1)]) == 7


@pytest.mark.parametrize("first", SEEDS[::400])
def test_live_bytes_by_counting(first: int) -> None:
    for seed in SEEDS[SEEDS.index(first) :][:400]:
        block = random_block(seed)
        for order in (keep_order(block), list_schedule(block), synchronous(block)):
            assert peak_live_bytes(block, order) == counted_live_bytes(block, order), f"SDY_SEED={seed}"


def counted_live_bytes(block: Block, order: Order) -> int:
    """At each place, what has been made there or before and is used there or later."""
    made: dict[int, int] = {}
    for position, place in enumerate(order):
        made.setdefault(place.node, position)
    used = {number: [position for position, place in enumerate(order) if place.node == number] for number in made}
    for position, place in enumerate(order):
        for operand in block.nodes[place.node].operands:
            used[operand].append(position)
    for number in block.returned:
        used[number].append(len(order))
    live = (
        sum(block.nodes[n].result_bytes for n in made if made[n] <= position <= max(used[n]))
        for position in range(len(order))
    )
    return max(live, default=0)
