"""How long a product takes with its collective before or behind it, and cut into steps (spec: async, 15.3)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from sdy.dialect.values.mesh import Mesh
from sdy.mlir.tensor_bytes import byte_size
from sdy.passes.costs.machine import Machine
from sdy.passes.costs.program_collectives import Collective, collective
from sdy.passes.costs.simulation import Done, Start, Step, Work, simulate
from sdy.passes.overlap.decomposition.cut_products import CutProduct
from sdy.passes.overlap.decomposition.decomposition import Decomposition
from sdy.stablehlo.idioms.executions import Execution

_PERMUTE = "collective_permute"


@dataclass(frozen=True)
class Estimate:
    """Seconds of a product and its collective: one after the other, or in steps that send in one direction, or both."""

    together: float
    one: float
    both: float


def estimate(each: Decomposition, mesh: Mesh, machine: Machine, wait: float | None = None) -> Estimate:
    """By the model of the machine; the program runs on `mesh`.

    `wait` are the seconds that are waited for the collective, if that is not as long as it takes.
    """
    what = collective(Execution(each.collective), mesh)
    axes = [axis.name for axis in what.axes or ()]
    size = each.groups.size
    dot = sum(_product_seconds(one, size, machine) for one in each.cuts)
    dot += each.bytes_beside / machine.memory_bandwidth
    permute = machine.collective_seconds(_PERMUTE, 2, byte_size(each.sent), axes)
    if wait is None:
        wait = machine.collective_seconds(what.kind, size, what.operand_bytes, axes)
    together = wait + sum(_product_seconds(one, 1, machine) - machine.overhead for one in each.cuts)
    gather = machine.collective_seconds("all_gather", size, byte_size(each.sent), axes) * each.is_gathered_again
    one = (size - 1) * max(dot, permute) + dot
    return Estimate(together, one + gather, _both(size, dot, permute, _ways(what, machine)) + gather)


def _product_seconds(one: CutProduct, parts: int, machine: Machine) -> float:
    """Of one of `parts` blocks of a product."""
    return machine.product_seconds(one.operations(parts, machine.tile), one.bytes_touched(parts), one.element)


def _ways(what: Collective, machine: Machine) -> tuple[Hashable, Hashable]:
    """The channels of the two directions; one if they hinder one another."""
    return ("left", "right") if machine.channels == "axes" and what.axes is not None else ("all", "all")


def _both(size: int, dot: float, permute: float, ways: tuple[Hashable, Hashable]) -> float:
    """Of steps in both directions: with a gathered operand as they are, with a scattered result the other way round."""
    return simulate(_steps(size, dot, permute, ways)).total


def _steps(size: int, dot: float, permute: float, ways: tuple[Hashable, Hashable]) -> Iterator[Step]:
    left, right = ways
    last, last_left = size // 2, (size - 1) // 2
    for turn in range(last + 1):
        if turn < last:
            yield Start(2 * turn, permute, (right,))
        if turn < last_left:
            yield Start(2 * turn + 1, permute, (left,))
        yield Work(dot)
        if 0 < turn <= last_left:
            yield Work(dot)
        if turn < last:
            yield Done(2 * turn)
        if turn < last_left:
            yield Done(2 * turn + 1)
