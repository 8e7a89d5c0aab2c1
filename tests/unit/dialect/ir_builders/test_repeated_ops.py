"""Of all-reduces that are alike all but the first are copies."""

from __future__ import annotations

import re

import sdy
from sdy.mlir.search import ops_named
from sdy.mlir.walk import pre_order

COUNT = 5


def _sums() -> str:
    """Each is a sum of its own, with a location of its own."""
    lines = [
        f'%{number} = sdy.all_reduce {{"x"}} %arg{number} out_sharding=<@mesh, [{{}}]> : tensor<8xf32>'
        for number in range(COUNT)
    ]
    arguments = ", ".join(f"%arg{number}: tensor<8xf32>" for number in range(COUNT))
    returned = ", ".join(f"%{number}" for number in range(COUNT))
    types = ", ".join(["tensor<8xf32>"] * COUNT)
    body = "\n".join([*lines, f"return {returned} : {types}"])
    return f'sdy.mesh @mesh = <["x"=2]>\nfunc.func @main({arguments}) -> ({types}) {{\n{body}\n}}\n'


def test_copies_are_as_what_is_made() -> None:
    module = sdy.parse(_sums())
    wanted = [str(op.location) for op in ops_named(module.operation, "sdy.all_reduce")]
    sdy.run(module, "sdy-convert-global-to-local")
    made = ops_named(module.operation, "stablehlo.all_reduce")
    assert [str(op.location) for op in made] == wanted
    assert len(set(wanted)) == COUNT
    for op in made:
        assert {str(nested.location) for nested in pre_order(op)} == {str(op.location)}
        assert {str(each.location) for each in op.regions[0].blocks[0].arguments} == {str(op.location)}
    arguments = module.body.operations[1].regions[0].blocks[0].arguments
    assert [op.operands[0] for op in made] == list(arguments)
    channels = [int(re.findall(r"handle = (\d+)", str(op.attributes["channel_handle"]))[0]) for op in made]
    assert channels == list(range(1, COUNT + 1))
