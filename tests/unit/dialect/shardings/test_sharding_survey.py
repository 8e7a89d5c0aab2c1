"""Which shardings occur in a program: of long ones most ops are looked at by PDL patterns only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext

import pytest

import sdy
from sdy.dialect.assembly import parse_module
from sdy.dialect.definition.attributes import value_of
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.sharding_walk import is_plain, occurs, shardings_in
from sdy.dialect.values.rule import ShardingPerValue
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.search import ops_named
from sdy.mlir.walk import pre_order

MESHES = r"""
sdy.mesh @mesh = <["x"=4, "y"=2]>
sdy.mesh @"odd \22name\22" = <["an axis"=2, "\C3\A9"=2]>
sdy.mesh @device = <[], device_ids=[3]>
"""

FILLING = 1100
"""Ops in front of those that matter: more than are looked at one by one."""


def op(number: int, sharding: str) -> str:
    return f"%{number} = stablehlo.negate %a {{sdy.sharding = #sdy.sharding_per_value<[{sharding}]>}} : tensor<8xf32>"


def program(*last: str, filling: int = FILLING) -> str:
    first = (op(number, '<@mesh, [{"x"}]>' if number % 2 else "<@mesh, [{}]>") for number in range(filling))
    body = "\n".join([*first, *last])
    return f"{MESHES}func.func @main(%a: tensor<8xf32>) {{\n{body}\nreturn\n}}\n"


LAST = (
    op(5000, '<@mesh, [{"x":(1)2, ?}p1], replicated={"y"}>'),
    op(5001, r'<@"odd \22name\22", [{"an axis"}], unreduced=max{"\C3\A9"}>'),
    op(5002, '<mesh<["z"=8], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>, [{"z":(2)2}]>'),
    op(5003, "<@device, []>"),
    "stablehlo.custom_call @f(%a) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} "
    ": (tensor<8xf32>) -> ()",
    """%b:2 = stablehlo.while(%i = %a, %j = %a) : tensor<8xf32>, tensor<8xf32>
      attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>, <@mesh, [{"x", "y"}]>]>}
     cond {
      %c = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %d = stablehlo.abs %i {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y", "x"}]>]>} : tensor<8xf32>
      stablehlo.return %d, %j : tensor<8xf32>, tensor<8xf32>
    }""",
    '%e = sdy.reshard %a <@mesh, [{"x":(2)2}]> : tensor<8xf32>',
)


def on_every_op(func: ir.Operation) -> Iterator[TensorSharding]:
    """All shardings of ops, by looking at each."""
    for each in pre_order(func):
        for name in ("sdy.sharding", "sharding"):
            if name in each.attributes:
                value = value_of(each.attributes[name])
                yield from value.shardings if isinstance(value, ShardingPerValue) else (value,)


@pytest.mark.parametrize("last", [(), LAST, *((one,) for one in LAST)])
def test_every_sharding_is_found(last: tuple[str, ...]) -> None:
    module = sdy.parse(program(*last))
    (func,) = ops_named(module.operation, "func.func")
    expected = set(on_every_op(func))
    assert len(expected) >= 2 + bool(last)
    for root in (func, module.operation):
        found = shardings_in(root)
        assert set(found) == expected
        assert len(found) == len(expected)


@pytest.mark.parametrize("filling", [0, 60, FILLING])
def test_what_occurs_is_told_from_what_was_seen_before(filling: int) -> None:
    context = sdy.make_context()
    plain, unreduced = '<@mesh, [{"y"}]>', '<@mesh, [{}], unreduced={"x"}>'
    for last in (plain, unreduced, plain, unreduced):
        module = sdy.parse(program(op(5000, last), filling=filling), context=context)
        (func,) = ops_named(module.operation, "func.func")
        for root in (func, module.operation):
            assert occurs(root, lambda sharding: sharding.unreduced) is (last is unreduced)
            assert occurs(root, lambda sharding: sharding.binds("y")) is (last is plain)


def test_unreduced_axes_behind_many_ops() -> None:
    """The first unreduced value is far down: what it is used by gets it reduced."""
    unreduced, use = op(5000, '<@mesh, [{}], unreduced={"x"}>'), op(5001, "<@mesh, [{}]>").replace("%a", "%5000")
    module = sdy.parse(program(unreduced, use))
    (func,) = ops_named(module.operation, "func.func")
    assert occurs(func, lambda sharding: sharding.unreduced)
    sdy.run(module, "func.func(sdy-insert-explicit-reshards)")
    assert sdy.print_module(module).count('sdy.all_reduce {"x"} %1100 out_sharding=<@mesh, [{}]>') == 1


def test_values_on_one_device_behind_many_ops() -> None:
    module = sdy.parse(program(op(5000, "<@device, []>")))
    sdy.run(module, "func.func(sdy-insert-explicit-reshards)")
    assert len(ops_named(module.operation, "sdy.reshard")) == 2  # to the device and back; nothing else is resharded


def test_shardings_of_functions_and_which_of_them_are_plain() -> None:
    place = "{{sdy.sharding = #sdy.sharding<{}>}}".format
    argument, result = place('@mesh, [{"y"}]'), place('@mesh, [{"x"}], unreduced={"y"}')
    text = f"func.func private @g(tensor<8xf32> {argument}) -> (tensor<8xf32> {result})"
    module = sdy.parse(MESHES + text)
    found = {str(one): is_plain(one, MeshTable(module.operation)) for one in shardings_in(module.operation)}
    assert found == {'<@mesh, [{"y"}]>': True, '<@mesh, [{"x"}], unreduced={"y"}>': False}


def test_unverified_modules_leave_nothing_behind() -> None:
    """What is learnt from a module with an attribute of the wrong kind does not reach the next one in its context."""
    context = sdy.make_context()
    wrong = "%0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding<@mesh, [{}]>} : tensor<8xf32>"
    for text in (program(wrong, filling=0), program(op(0, '<@mesh, [{"x"}]>'), filling=0)):
        module = parse_module(text, context)
        is_wrong = wrong in text
        with context, pytest.raises(AttributeError) if is_wrong else nullcontext():
            assert not occurs(module.operation, lambda sharding: sharding.unreduced)
