"""Constraints, reshards, barriers and groups."""

from __future__ import annotations

from tests.generators.block import Block
from tests.generators.ops.kinds import (
    kind,
    static_tensor,
)


@kind("sharding_constraint", "reshard")
def sharding_constraint(b: Block) -> None:
    x = b.pick(static_tensor)
    if x is None or not b.features.constraints:
        return
    count = b.rng.choice([1, 1, 1, 2, 3])
    for _ in range(count):
        name = "sharding_constraint" if b.rng.random() < 0.85 else "reshard"
        result = b.results([x.type])[0]
        b.lines.append(f"{result.name} = sdy.{name} {x.name} {b.sharding(x.type)} : {x.type}")
        b.values.append(result)
        if b.rng.random() < 0.6:
            x = result


@kind("propagation_barrier")
def propagation_barrier(b: Block) -> None:
    x = b.pick(static_tensor)
    if x is not None and b.features.barriers:
        result = b.results([x.type])[0]
        direction = b.rng.choice(["FORWARD", "BACKWARD", "NONE"])
        b.lines.append(f"{result.name} = sdy.propagation_barrier {x.name} allowed_direction={direction} : {x.type}")
        b.values.append(result)


@kind("sharding_group")
def sharding_group(b: Block) -> None:
    """Puts one value, or two of the same shape, into a group. A group's members share shape and manual computation."""
    x = b.pick(static_tensor)
    if x is None or not b.features.groups:
        return
    program, messy = b.program, b.features.messy_groups
    fitting = [i for i, (shape, scope) in program.groups.items() if shape == x.type.shape and scope is b.scope]
    if fitting and b.rng.random() < 0.6:
        group = b.rng.choice(fitting)
    else:
        group = len(program.groups) if not messy else 1 + 7 * len(program.groups) % 40
        program.groups[group] = (x.type.static, b.scope)
    others = [value for value in b.visible() if value.type.shape == x.type.shape]
    for value in [x, b.rng.choice(others)]:
        if messy or value.name not in program.grouped:
            program.grouped.add(value.name)
            b.lines.append(f"sdy.sharding_group {value.name} group_id={group} : {value.type}")
