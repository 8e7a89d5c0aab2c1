"""Pieces get where they are needed, in as few rounds as there can be."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from sdy.passes.partitioning.exchange.rearrangement_plan import Assembly, Piece, Schedule, Segment, _matched, schedule


@st.composite
def _rearrangements(draw: st.DrawFn) -> tuple[list[Piece], list[int], list[int], int]:
    """Two tensors cut into pieces, which make up two others in any order."""
    shards = draw(st.sampled_from([2, 3, 4]))
    lengths = draw(st.lists(st.integers(1, 7), min_size=1, max_size=7))
    sources = draw(st.lists(st.integers(0, 1), min_size=len(lengths), max_size=len(lengths)))
    targets = draw(st.lists(st.integers(0, 1), min_size=len(lengths), max_size=len(lengths)))
    order = draw(st.permutations(range(len(lengths))))
    source_sizes, target_sizes, starts, pieces = [0, 0], [0, 0], {}, []
    for number, (length, source) in enumerate(zip(lengths, sources, strict=True)):
        starts[number] = source_sizes[source]
        source_sizes[source] += length
    for number in order:
        target = targets[number]
        pieces.append(Piece(sources[number], starts[number], target, target_sizes[target], lengths[number]))
        target_sizes[target] += lengths[number]
    return pieces, source_sizes, target_sizes, shards


def _moved(plan: Schedule, sources: list[int], targets: list[int]) -> dict[tuple[int, int], tuple[int, int]]:
    """What every element of the targets is an element of."""
    found: dict[tuple[int, int], tuple[int, int]] = {}
    parts = [-(-size // plan.shards) for size in sources], [-(-size // plan.shards) for size in targets]
    for one in (*plan.local, *plan.sent):
        for step in range(one.length):
            assert one.start + step < parts[0][one.source]
            assert one.at + step < parts[1][one.target]
            place = one.target, one.receiver * parts[1][one.target] + one.at + step
            assert place not in found
            found[place] = one.source, one.sender * parts[0][one.source] + one.start + step
    return found


def _degree(segments: list[Segment]) -> int:
    senders = Counter(one.sender for one in segments)
    receivers = Counter(one.receiver for one in segments)
    return max([*senders.values(), *receivers.values()], default=0)


@given(_rearrangements())
def test_every_element_gets_where_it_is_needed(case: tuple[list[Piece], list[int], list[int], int]) -> None:
    pieces, sources, targets, shards = case
    plan = schedule(pieces, sources, targets, shards)
    assert _moved(plan, sources, targets) == {
        (piece.target, piece.at + step): (piece.source, piece.start + step)
        for piece in pieces
        for step in range(piece.length)
    }
    assert all(one.stays for one in plan.local)
    assert not any(one.stays for one in plan.sent)
    for each in () if plan.is_exchange else plan.rounds:
        assert _degree(list(each)) == 1


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(1, 9)), max_size=20))
def test_rounds_are_as_few_as_the_busiest_device_has_segments(edges: list[tuple[int, int, int]]) -> None:
    segments = [Segment(a, b, 0, number, 0, number, length) for number, (a, b, length) in enumerate(edges)]
    rounds = _matched(segments)
    assert len(rounds) == _degree(segments)
    assert all(_degree(list(each)) == 1 for each in rounds)
    assert sorted(one for each in rounds for one in each) == sorted(segments)


def test_a_rotation_is_one_round() -> None:
    plan = schedule([Piece(0, 4, 0, 0, 12), Piece(0, 0, 0, 12, 4)], [16], [16], 4)
    assert (len(plan.rounds), plan.rows, plan.is_exchange) == (1, 4, False)


def test_what_all_send_to_all_goes_at_once() -> None:
    pieces = [Piece(0, row * 4 + column, 0, column * 4 + row, 1) for row in range(4) for column in range(4)]
    plan = schedule(pieces, [16], [16], 4)
    assert plan.is_exchange
    assert plan.rows == 3
    assert len(plan.exchanged) == 16


@given(_rearrangements())
def test_devices_find_every_element_in_their_blocks(case: tuple[list[Piece], list[int], list[int], int]) -> None:
    pieces, sources, targets, shards = case
    plan = schedule(pieces, sources, targets, shards)
    assembly = Assembly(plan, len(sources), len(targets))
    parts = [-(-size // shards) for size in sources]
    pools = [
        [
            (source, at * parts[source] + start + step)
            for source, (start, size) in enumerate(assembly.used)
            for step in range(size)
        ]
        for at in range(shards)
    ]
    blocks = [[pool] for pool in pools]
    for number, (length, chunks) in enumerate(assembly.transfers):
        sent = [[pool[starts[at] : starts[at] + length] for starts in chunks] for at, pool in enumerate(pools)]
        assert all(len(chunk) == length for each in sent for chunk in each)
        if plan.is_exchange:
            count = len(chunks) // shards
            for at in range(shards):
                got = [chunk for each in sent for chunk in each[at * count : (at + 1) * count]]
                blocks[at].append([element for chunk in got for element in chunk])
            continue
        sender_of = {segment.receiver: segment.sender for segment in plan.rounds[number]}
        for at in range(shards):
            blocks[at].append(sent[sender_of[at]][0] if at in sender_of else [])
    found = {
        (target, at * -(-targets[target] // shards) + one.at + step): blocks[at][one.block][one.start + step]
        for target, placed in enumerate(assembly.placed)
        for at, each in enumerate(placed)
        for one in each
        for step in range(one.length)
    }
    assert found == _moved(plan, sources, targets)
