"""How results are sharded: most ops are compared by patterns with what has been seen before."""

from __future__ import annotations

import pytest

import sdy
from sdy.dialect.definition.attributes import attr_of
from sdy.dialect.shardings.attribute_shardings import op_shardings
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir, pdl
from sdy.mlir.walk import pre_order
from sdy.passes.partitioning.analysis.programs import _known, all_results


@pytest.fixture(autouse=True, params=[0, 200], ids=["patterns", "few"])
def few(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Up to how many ops are looked at one by one."""
    monkeypatch.setattr(pdl, "_FEW", request.param)
    return request.param


FILLING = 3600
"""Ops around those that matter: enough for patterns."""


def _op(number: int, name: str, sharding: str, size: int) -> str:
    attribute = f"{{sdy.sharding = #sdy.sharding_per_value<[{sharding}]>}}"
    return f"%{number} = stablehlo.{name} %of{size} {attribute} : tensor<{size}xf32>"


def _program(count: int) -> str:
    """Most ops are alike; a few have another sharding, another type, or are in a region."""
    lines = [_op(number, "negate", '<@mesh, [{"x"}]>', 8) for number in range(count)]
    lines[count // 3] = _op(count // 3, "abs", "<@mesh, [{}]>", 8)
    lines[count // 2] = _op(count // 2, "negate", '<@mesh, [{"x"}]>', 7)
    lines[-1] = f"""
      %{count} = "stablehlo.case"(%branch) ({{
        {_op(count + 1, "negate", '<@mesh, [{"y"}]>', 7)}
        stablehlo.return %{count + 1} : tensor<7xf32>
      }}) : (tensor<i32>) -> tensor<7xf32>"""
    arguments = "%of8: tensor<8xf32>, %of7: tensor<7xf32>, %branch: tensor<i32>"
    body = "\n".join(lines)
    return f'sdy.mesh @mesh = <["x"=4, "y"=2]>\nfunc.func @main({arguments}) {{\n{body}\nreturn\n}}\n'


@pytest.mark.parametrize("count", [30, FILLING])
def test_whether_something_holds_for_all_that_occur(count: int) -> None:
    context = sdy.make_context()
    programs = [sdy.parse(_program(size), context=context) for size in (count, 12)]
    # The second time most is known.
    for module in (*programs, *programs):
        expected = {
            (str(result.type), sharding)
            for op in pre_order(module.operation)
            for result, sharding in zip(op.results, op_shardings(op) or (), strict=False)
        }
        assert len(expected) == 4
        for kind in expected:
            assert not all_results(module.operation, lambda type_, sharding, kind=kind: (str(type_), sharding) != kind)
        assert all_results(module.operation, lambda type_, sharding, all_=expected: (str(type_), sharding) in all_)


def test_what_was_seen_before_need_not_occur() -> None:
    context = sdy.make_context()
    for size in (8, 7):
        text = f'sdy.mesh @mesh = <["x"=4]>\nfunc.func @main(%of{size}: tensor<{size}xf32>) {{\n'
        module = sdy.parse(text + _op(0, "negate", '<@mesh, [{"x"}]>', size) + "\nreturn\n}", context=context)
        assert all_results(module.operation, lambda type_, _, size=size: ir.RankedTensorType(type_).shape[0] == size)


def test_a_mesh_seen_before_may_have_had_other_axes() -> None:
    context = sdy.make_context()
    for axis in "xy":
        op = _op(0, "negate", f'<@mesh, [{{"{axis}"}}]>', 8)
        text = f'sdy.mesh @mesh = <["{axis}"=4]>\nfunc.func private @f(%of8: tensor<8xf32>) {{\n{op}\nreturn\n}}'
        sdy.run(sdy.parse(text, context=context), "sdy-pad-for-divisibility")


def test_what_has_been_seen_is_not_looked_at_again(few: int) -> None:
    context = sdy.make_context()
    module = sdy.parse(_program(12), context=context)
    known = _known.of(context)
    seen = [len(known.others_in(module.operation).found) for _ in range(2)]
    assert seen == ([4, 4] if few else [4, 0])


def test_what_is_no_list_of_shardings_is_passed_over_and_not_remembered() -> None:
    context = sdy.make_context()
    wrong, right = (sdy.parse(_program(12), context=context) for _ in range(2))
    with context:
        for attribute in (attr_of(TensorSharding.from_axes("mesh", [[AxisRef("x")]])), ir.Attribute.parse("1 : i64")):
            for op in pre_order(wrong.operation):
                if op.name == "stablehlo.negate":
                    op.attributes["sdy.sharding"] = attribute
            all_results(wrong.operation, lambda _type, _sharding: True)
    assert all_results(right.operation, lambda _type, _sharding: True)
