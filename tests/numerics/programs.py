"""Programs of one op, as text, for tests of single ops."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from tests import depth

MESHES = 'sdy.mesh @mesh = <["x"=4, "y"=2]>\n'


def grid(*values: Iterable[Any]) -> list[tuple[Any, ...]]:
    """All combinations of `values`; about every third, of each value some, unless everything is tested."""
    combinations = list(product(*values))
    return combinations if depth.ALL else combinations[::5] + combinations[1::7]


def sharded(value: str, type_: str, sharding: str, name: str) -> str:
    """A line that shards `value` and calls the result `name`."""
    return f"{name} = sdy.sharding_constraint {value} <@mesh, {sharding}> : {type_}"


def in_parts(value: str, type_: str, sharding: str, name: str) -> tuple[str, str]:
    """Lines that do so too, and hide that every device may have had the whole of it before."""
    hidden = f"{name} = stablehlo.optimization_barrier {name}_before : {type_}"
    return sharded(value, type_, sharding, f"{name}_before"), hidden


def program(
    arguments: dict[str, str], result: str, *lines: str, sharding: str | None = None, is_kept: bool = True
) -> str:
    """@main of the arguments (name to type) that returns `%r`, of type `result`, sharded inside if so asked.

    A barrier keeps it sharded if `is_kept`: what is gathered in any case might else be computed as a whole.
    """
    listed = ", ".join(f"%{name}: {type_}" for name, type_ in arguments.items())
    body = list(lines)
    returned = "%r"
    if sharding is not None:
        body.append(sharded("%r", result, sharding, "%shards"))
        shards = "%shards"
        if is_kept:
            shards = "%there"
            body.append(f"%there = stablehlo.optimization_barrier %shards : {result}")
        body.append(f"%whole = sdy.sharding_constraint {shards} <@mesh, {_unsharded(sharding)}> : {result}")
        returned = "%whole"
    text = "\n".join(f"  {line}" for line in body)
    return f"{MESHES}func.func @main({listed}) -> {result} {{\n{text}\n  return {returned} : {result}\n}}\n"


def _unsharded(sharding: str) -> str:
    dims = sharding.count("{")
    return "[" + ", ".join(["{}"] * dims) + "]"


def body(op: str, element: str = "f32") -> str:
    return (
        f"({{\n  ^bb0(%p: tensor<{element}>, %q: tensor<{element}>):\n"
        f"    %n = stablehlo.{op} %p, %q : tensor<{element}>\n    stablehlo.return %n : tensor<{element}>\n  }})"
    )
