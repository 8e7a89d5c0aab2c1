"""The program in which builders are tested."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import sdy
from sdy.mlir import ir, load_chlo
from sdy.stablehlo import ops
from tests.unit.stablehlo.builder_cases import MODULE, Values


@pytest.fixture(scope="module")
def context() -> ir.Context:
    context = sdy.make_context()
    load_chlo(context)
    return context


@pytest.fixture
def module(context: ir.Context) -> ir.Module:
    return ir.Module.parse(MODULE, context)


@pytest.fixture
def values(module: ir.Module) -> Iterator[Values]:
    """The arguments of the function by name, while its end is the insertion point."""
    function = module.body.operations[1]
    block = function.regions[0].blocks[0]
    names = "x m i p c d q scalar flag index row pair state b image kernel where".split()
    with ir.InsertionPoint(block.operations[0]), ir.Location.name("here", context=module.context):
        yield dict(zip(names, map(ops.Value, block.arguments), strict=True))
