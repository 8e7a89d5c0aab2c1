"""Parts of a step's time: products, memory traffic, kernel starts, collectives by kind and mesh axes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sdy.passes.costs.products import product_operations
from sdy.passes.costs.program_collectives import sent_operands
from sdy.passes.costs.program_steps import Item, Reader, Steps
from sdy.passes.costs.simulation import Start, Work


@dataclass(frozen=True, slots=True)
class Sent:
    """All collectives of one kind over the same mesh axes: how many run, bytes that each device sends, seconds.

    An all_reduce of several tensors counts as several.
    """

    kind: str
    axes: str
    ops: int
    bytes_sent: float
    seconds: float


@dataclass(frozen=True, slots=True)
class ComputeSeconds:
    """Seconds of computation of a device, by part.

    Attributes:
      products: matrix products and convolutions.
      traffic: memory traffic of all other ops.
      starts: fixed cost of starting kernels.
    """

    products: float
    traffic: float
    starts: float


def compute_parts(steps: Steps, reader: Reader) -> ComputeSeconds:
    """Return the parts of the time in which the device computes, of steps that `reader` has read."""
    at_once = replace(reader.machine, overhead=0.0)
    products = traffic = starts = 0.0
    for item, times in _leaves(steps, 1):
        if item.regions or not isinstance(item.step, Work) or not item.step.compute:
            continue
        seconds = reader.seconds_of(item.op, at_once)
        starts += times * (item.step.compute - seconds)
        if item.op.operands and product_operations(item.op) is not None:
            products += times * seconds
        else:
            traffic += times * seconds
    return ComputeSeconds(products, traffic, starts)


def collectives_sent(steps: Steps) -> tuple[Sent, ...]:
    """In program order."""
    groups: dict[tuple[str, str], list[tuple[int, float, float]]] = {}
    for item, times in _leaves(steps, 1):
        if item.transfer is not None and isinstance(item.step, Start):
            what = item.transfer.collective
            row = (times * len(sent_operands(item.transfer.op)), times * what.moved_bytes, times * item.step.seconds)
            groups.setdefault((what.kind, what.axes_text), []).append(row)
    return tuple(Sent(*key, *map(sum, zip(*rows, strict=True))) for key, rows in groups.items())


def _leaves(steps: Steps, times: int) -> Iterator[tuple[Item, int]]:
    """What counts, and how often."""
    for item in steps.items:
        yield item, times
        for region in item.regions:
            if region.counts:
                yield from _leaves(region.steps, times * (1 if region.rounds is None else region.rounds))
