"""Tables of known schedules, for any number of meshes and microbatches.

Names and orders follow the papers: GPipe, PipeDream's 1F1B, Megatron-LM's interleaved one, Zero Bubble's H1, H2 and V,
DeepSeek's DualPipeV. In a V each mesh has two stages, the second ones in the opposite order.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from sdy.pipeline.list_scheduling import searched_table
from sdy.pipeline.tables import Kind, Placement, Table, Unit

F, B, A, W = Kind.FORWARD, Kind.BACKWARD, Kind.INPUTS, Kind.PARAMETERS


def gpipe(placement: Placement, microbatches: int) -> Table:
    """All forward passes, then all backward passes."""
    return _by_mesh(placement, 1, lambda stage, _: [Unit(k, i, stage) for k in (F, B) for i in range(microbatches)])


def one_forward_one_backward(placement: Placement, microbatches: int) -> Table:
    """A mesh holds as many microbatches as there are meshes from it to the last one."""
    return _ahead(placement, microbatches, lambda index, count: count - index, None)


def zero_bubble_h1(placement: Placement, microbatches: int) -> Table:
    """1F1B with delayed gradients of parameters: all meshes hold as many microbatches as the first."""
    return _ahead(placement, microbatches, lambda index, count: count - index, lambda index: index)


def zero_bubble_h2(placement: Placement, microbatches: int) -> Table:
    """About twice as many microbatches as in H1, so that meshes do not wait for the last one."""
    return _ahead(placement, microbatches, lambda index, count: 2 * (count - index) - 1, lambda index: 2 * index)


def _ahead(
    placement: Placement,
    microbatches: int,
    ahead: Callable[[int, int], int],
    delay: Callable[[int], int] | None,
) -> Table:
    """Alternate forward and backward passes after `ahead` forward passes; W follows A after `delay` microbatches."""

    def order(stage: int, index: int) -> Iterator[Unit]:
        first = min(microbatches, ahead(index, len(placement)))
        yield from (Unit(F, number, stage) for number in range(first))
        behind = microbatches if delay is None else delay(index)
        for number in range(microbatches):
            yield Unit(B if delay is None else A, number, stage)
            if delay is not None and number >= behind:
                yield Unit(W, number - behind, stage)
            if number + first < microbatches:
                yield Unit(F, number + first, stage)
        if delay is not None:
            yield from (Unit(W, number, stage) for number in range(max(0, microbatches - behind), microbatches))

    return _by_mesh(placement, 1, order)


def _by_mesh(placement: Placement, chunks: int, order: Callable[[int, int], Iterator[Unit] | list[Unit]]) -> Table:
    _check(placement, [[index + chunk * len(placement) for chunk in range(chunks)] for index in range(len(placement))])
    return Table({mesh: tuple(order(stages[0], index)) for index, (mesh, stages) in enumerate(placement.items())})


def interleaved(placement: Placement, microbatches: int) -> Table:
    """Several stages a mesh, one pipeline length apart; microbatches go in groups of one per mesh."""
    count, chunks = len(placement), len(next(iter(placement.values())))
    _check(placement, [[index + chunk * count for chunk in range(chunks)] for index in range(count)])
    groups = [range(first, min(first + count, microbatches)) for first in range(0, microbatches, count)]
    visits = [(chunk, number) for group in groups for chunk in range(chunks) for number in group]
    orders = {}
    for index, (mesh, stages) in enumerate(placement.items()):
        forward = [Unit(F, number, stages[chunk]) for chunk, number in visits]
        # Groups may be shorter at the end, so that backward chunks are reversed within each.
        backward = [
            Unit(B, number, stages[chunk]) for group in groups for chunk in reversed(range(chunks)) for number in group
        ]
        first = min(len(visits), 2 * (count - index - 1) + (chunks - 1) * count)
        orders[mesh] = (*forward[:first], *_in_turn(forward[first:], backward))
    return Table(orders)


def _in_turn(forward: Sequence[Unit], backward: Sequence[Unit]) -> Iterator[Unit]:
    for pair in itertools.zip_longest(forward, backward):
        yield from (unit for unit in pair if unit is not None)


def zero_bubble_v(placement: Placement, microbatches: int) -> Table:
    """Two stages a mesh, as a V: hardly any bubbles, with no more values than 1F1B holds on its first mesh."""
    _check(placement, _v(len(placement)))
    return searched_table(placement, microbatches, 2 * len(placement))


def dual_pipe_v(placement: Placement, microbatches: int) -> Table:
    """Two stages a mesh, as a V: forward passes of one stage go with backward passes of the other.

    Raises:
      ValueError: there are fewer than twice as many microbatches as meshes.
    """
    count = len(placement)
    _check(placement, _v(count))
    if microbatches < 2 * count:
        raise ValueError(f"DUAL_PIPE_V needs twice as many microbatches as meshes, {2 * count}, not {microbatches}")
    orders = {
        mesh: tuple(_dual_pipe(index, count, microbatches, (stages[0], stages[1])))
        for index, (mesh, stages) in enumerate(placement.items())
    }
    return Table(orders)


def _dual_pipe(index: int, count: int, microbatches: int, stages: tuple[int, int]) -> Iterator[Unit]:
    """The units of one mesh; its first stage goes down the V, its second one up again."""
    numbers = {(kind, chunk): itertools.count() for kind in (F, A) for chunk in (0, 1)}
    waiting: list[Unit] = []

    def unit(kind: Kind, chunk: int) -> Unit:
        return Unit(kind, next(numbers[kind, chunk]), stages[chunk])

    def backward(chunk: int, *, is_put_off: bool = False) -> Iterator[Unit]:
        first = unit(A, chunk)
        waiting.append(Unit(W, first.microbatch, first.stage))
        yield first
        if not is_put_off:
            yield waiting.pop()

    below, here = count - index - 1, index + 1
    for _ in range(2 * below):
        yield unit(F, 0)
    for _ in range(here):
        yield from (unit(F, 0), unit(F, 1))
    for _ in range(below):
        yield from backward(1, is_put_off=True)
        yield waiting.pop(0)
        yield unit(F, 1)
    for _ in range(microbatches - 2 * count + here):
        yield unit(F, 0)
        yield from backward(1)
        yield unit(F, 1)
        yield from backward(0)
    for _ in range(below):
        yield from backward(1)
        yield unit(F, 1)
        yield from backward(0)
    for step in range(here):
        yield from backward(1, is_put_off=2 * step >= here)
        yield from backward(0, is_put_off=2 * step + 1 >= here)
    for _ in range(below):
        yield waiting.pop(0)
        yield from backward(0, is_put_off=True)
    yield from waiting


def _v(count: int) -> list[list[int]]:
    return [[index, 2 * count - 1 - index] for index in range(count)]


def _check(placement: Placement, expected: Sequence[Sequence[int]]) -> None:
    """Raise `ValueError` for meshes with other stages."""
    for (mesh, stages), wanted in zip(placement.items(), expected, strict=True):
        if [*stages] != [*wanted]:
            raise ValueError(
                f"the schedule needs stages {', '.join(map(str, wanted))} on mesh {mesh!r}, which has "
                f"{', '.join(map(str, stages)) or 'none'}"
            )


GENERATORS: Mapping[str, Callable[[Placement, int], Table]] = MappingProxyType(
    {
        "TABLE_GPIPE": gpipe,
        "TABLE_1F1B": one_forward_one_backward,
        "INTERLEAVED_1F1B": interleaved,
        "ZB_H1": zero_bubble_h1,
        "ZB_H2": zero_bubble_h2,
        "ZB_V": zero_bubble_v,
        "DUAL_PIPE_V": dual_pipe_v,
    }
)
"""By name of a schedule: its table for stages of meshes, and a number of microbatches."""

SPLIT = frozenset({"ZB_H1", "ZB_H2", "ZB_V", "DUAL_PIPE_V"})
"""Names of schedules that need backward passes in halves."""
