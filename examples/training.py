"""Runs a training step partitioned by sdy next to the same step on one device, and prints what there is to see."""

from __future__ import annotations

import dataclasses
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import jax
from models import relative_difference

import sdy.jax
from sdy.report import collectives
from sdy.report.sharding_pictures import ValueSharding, table

_SHOWN = re.compile(r"/(dot_general|gather|exp|erfc|max)$|^jit\(step\)/jvp\(loss\)")


@dataclasses.dataclass(frozen=True)
class Training:
    """A step ``(state, *batch) -> (state, loss)``, the same without sharding constraints, and the first arguments."""

    step: Callable[..., Any]
    unsharded_step: Callable[..., Any]
    state: Any
    batch: tuple[jax.Array, ...]
    state_shardings: Any
    batch_sharding: jax.sharding.Sharding

    def partitioned(self) -> sdy.jax.Jitted:
        """The step, compiled with sdy; the state is donated."""
        return sdy.jax.jit(
            self.step,
            in_shardings=(self.state_shardings, *[self.batch_sharding] * len(self.batch)),
            out_shardings=(self.state_shardings, None),
            donate_argnums=0,
        )


def run(training: Training, steps: int) -> float:
    """Trains `steps` steps both ways; returns the largest relative difference of parameters at the end."""
    step = training.partitioned()
    with progress("trace and lower"):
        lowered = step.lower(training.state, *training.batch)
    with progress("propagate"):
        values = lowered.value_shardings()
    with progress("partition"):
        partitioned = lowered.partitioned
    with progress("compile the step for all devices"):
        compiled = lowered.compile()
    with progress("compile the step for one device"):
        reference = jax.jit(training.unsharded_step).lower(training.state, *training.batch).compile()

    print("\nShardings of the main intermediate values of the forward pass\n")
    print(table(main_values(values)))
    print("\nCollectives\n")
    print(collectives.listing(partitioned.collectives))
    print()
    print(collectives.table(partitioned.collectives))
    print("\nTraining\n")
    return train(training, compiled, reference, steps)


def train(training: Training, compiled: Callable[..., Any], reference: Callable[..., Any], steps: int) -> float:
    """Runs both compiled steps, prints losses and times, and returns the largest relative difference of parameters."""
    expected = training.state
    state = jax.device_put(jax.tree.map(lambda leaf: leaf.copy(), training.state), training.state_shardings)
    batch = jax.device_put(training.batch, training.batch_sharding)
    print("step  loss sharded  loss unsharded  ms sharded  ms unsharded")
    for number in range(steps):
        (state, loss), milliseconds = timed(compiled, state, *batch)
        (expected, expected_loss), expected_milliseconds = timed(reference, expected, *training.batch)
        print(
            f"{number:4}  {float(loss):12.7f}  {float(expected_loss):14.7f}"
            f"  {milliseconds:10.2f}  {expected_milliseconds:12.2f}"
        )
    difference = relative_difference(jax.device_get(state[0]), jax.device_get(expected[0]))
    print(f"\nlargest relative difference of parameters after {steps} steps: {difference:.1e}")
    return difference


def main_values(values: list[ValueSharding]) -> Iterator[ValueSharding]:
    """The values of the forward pass worth showing, named without JAX's wrapping."""
    for value in values:
        forward = "transpose(" not in value.name and "/update/" not in value.name
        if forward and "/" in value.name and _SHOWN.search(value.name):
            yield dataclasses.replace(value, name=re.sub(r"^jit\(\w+\)/|jvp\(|\)|jit\(", "", value.name))


def timed(function: Callable[..., Any], *args: Any) -> tuple[Any, float]:
    """The result, and the milliseconds it took to be there."""
    start = time.perf_counter()
    result = jax.block_until_ready(function(*args))
    return result, 1000 * (time.perf_counter() - start)


@contextmanager
def progress(what: str) -> Iterator[None]:
    """Says on one line what is being done and, afterwards, how long it took."""
    print(f"{what} ...", end="", flush=True, file=sys.stderr)
    start = time.perf_counter()
    yield
    print(f" {time.perf_counter() - start:.2f} s", flush=True, file=sys.stderr)
