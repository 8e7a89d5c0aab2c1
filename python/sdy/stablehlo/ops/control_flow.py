"""Branches, loops, and the ends of regions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Unpack

from sdy.mlir import ir
from sdy.mlir.rewriting.insertion import At
from sdy.stablehlo.ops.making.creation import RegionPlan, create
from sdy.stablehlo.ops.regions import Body, region
from sdy.stablehlo.ops.values import Group, like, listed, several


def if_(pred: ir.Value, on_true: Callable[[], Group], on_false: Callable[[], Group], **at: Unpack[At]) -> Group:
    """The results of one of two branches.

        ops.if_(pred, lambda: x, lambda: -x)

    Args:
      pred: a boolean scalar.
      on_true, on_false: take nothing and return a value or a list of values, of the same types.
    """
    return _branches("stablehlo.if", pred, (on_true, on_false), **at)


def case(index: ir.Value, branches: Sequence[Callable[[], Group]], **at: Unpack[At]) -> Group:
    """The results of the branch with that index, an `i32` scalar; those of the last one if there is none."""
    return _branches("stablehlo.case", index, branches, **at)


def _branches(name: str, operand: ir.Value, branches: Sequence[Callable[[], Group]], **at: Unpack[At]) -> Group:
    returned: list[Group] = []

    def noted(branch: Callable[[], Group]) -> Callable[[], Group]:
        """The branch, which also says whether it returns one value or a list."""

        if not callable(branch):
            return branch

        @functools.wraps(branch)
        def call() -> Group:
            returned.append(branch())
            return returned[-1]

        return call

    plans = [region((), noted(branch)) for branch in listed(branches)]
    results = several(name, (operand,), regions=plans, **at)
    return like(returned[0], results)


def while_(init: Group, cond: Body, body: Body, **at: Unpack[At]) -> Group:
    """Applies `body` as long as `cond` holds.

        ops.while_(ops.constant(0), lambda i: i < 10, lambda i: i + 1)

    Args:
      init: the first value, or several.
      cond: takes the values and returns a boolean scalar.
      body: takes the values and returns the next ones.
    """
    operands = listed(init)

    def plans() -> list[RegionPlan]:
        types = [operand.type for operand in operands]
        return [region(types, cond), region(types, body)]

    return like(init, several("stablehlo.while", operands, regions=plans, **at))


def return_(results: Sequence[ir.Value] = (), **at: Unpack[At]) -> None:
    """Ends a region that is written without a builder; those of the functions here end by themselves."""
    create("stablehlo.return", results, types=(), **at)
