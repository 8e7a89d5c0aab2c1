"""Trains a small transformer whose shardings nobody wrote down, beside the expert's and one device.

    python examples/auto_transformer.py [--steps 3] [--devices 4x2] [--machine cpu]

The step is planned by `sdy.jax.jit(auto=...)`: the plan is printed, compared with Megatron's by the model of the
machine, and run on devices of the CPU. The losses of all three runs have to be equal.
"""

from __future__ import annotations

import argparse
import math
from typing import Any

import jax
from models import TransformerConfig
from train_transformer import training

import sdy
import sdy.jax
from sdy.passes.auto.auto_options import read_mesh

TOLERANCE = 1e-4
"""Largest relative difference of two losses; sums are added up in different orders."""


def losses(step: Any, state: Any, batch: Any, steps: int) -> list[float]:
    """The loss of each step."""
    found = []
    for _ in range(steps):
        state, loss = step(state, *batch)
        found.append(float(loss))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=3, help="number of training steps")
    parser.add_argument("--devices", default="data:4,model:2", help="the mesh; its axes are data and model")
    parser.add_argument("--machine", default="cpu", help="what to plan for, such as h100")
    options = parser.parse_args()
    shape = read_mesh(options.devices)
    jax.config.update("jax_num_cpu_devices", shape.size)
    run(TransformerConfig(), shape, options.machine, options.steps)


def run(config: TransformerConfig, shape: Any, machine: str, steps: int) -> float:
    """Plans, compares, trains; returns the largest relative difference of a loss."""
    names = [axis.name for axis in shape.axes]
    mesh = jax.make_mesh(
        [axis.size for axis in shape.axes], names, axis_types=(jax.sharding.AxisType.Auto,) * len(names)
    )
    expert = training(mesh, config)
    auto = sdy.auto.Options(mesh=shape, machine=machine)
    planned = sdy.jax.jit(expert.unsharded_step, donate_argnums=0, auto=auto)
    plan = planned.plan(expert.state, *expert.batch)
    print(plan.report())

    by_expert = expert.partitioned()
    by_hand = by_expert.lower(expert.state, *expert.batch).as_text()
    print(f"\n{sdy.compare(by_hand, {'expert': {}, 'found': plan.plan}, machine=machine)}\n")

    alone = losses(jax.jit(expert.unsharded_step), expert.state, expert.batch, steps)
    found = losses(planned, jax.tree.map(jax.numpy.copy, expert.state), expert.batch, steps)
    copies = jax.tree.map(jax.numpy.copy, expert.state)
    experts = losses(by_expert, jax.device_put(copies, expert.state_shardings), expert.batch, steps)
    for number, row in enumerate(zip(alone, found, experts, strict=True)):
        print(f"step {number}: one device {row[0]:.6f}, found {row[1]:.6f}, expert {row[2]:.6f}")
    worst = max(
        abs(one - row[0]) / abs(row[0]) for row in zip(alone, found, experts, strict=True) for one in row if row[0]
    )
    if math.isnan(worst) or worst > TOLERANCE:
        raise SystemExit(f"losses differ by {worst:.1e}")
    return worst


if __name__ == "__main__":
    main()
