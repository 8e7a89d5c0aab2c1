"""What `sdy.explain` says about small programs, and that it agrees with what propagation records itself."""

from __future__ import annotations

import re

import pytest

import sdy
from sdy.dialect.program_values import SelectorError
from sdy.dialect.values.axes import AxisRef
from sdy.passes.propagation.engine.strategy import PropagationStrategy
from sdy.passes.propagation.propagation_options import OpPriorityOptions
from sdy.report.explanation import AxisOrigin, Explanation, Explanations, OriginKind, Reason, Stop

MESH = 'sdy.mesh @mesh = <["a"=2, "b"=4, "c"=3]>\n'


def at(dims: str) -> str:
    return f"{{sdy.sharding = #sdy.sharding<@mesh, {dims}>}}"


def program(arguments: str, body: str, results: str = "") -> str:
    """A main function; line 3 is the first one of `body`. Between tildes are the dimensions of shardings."""
    arrow = f" -> ({results})" if results else ""
    text = f"{MESH}func.func @main({arguments}){arrow} {{\n{body}\n}}\n"
    return re.sub("~(.*?)~", lambda found: at(found[1]), text)


def explain(text: str, selector: str = "all") -> Explanations:
    return sdy.explain(text, selector, filename="p.mlir")


def one(text: str, selector: str) -> Explanation:
    found = explain(text, selector)
    assert len(found) == 1
    return found[0]


def steps(origin: AxisOrigin) -> list[int]:
    return [hop.step for hop in origin.hops]


def reasons(stops: tuple[Stop, ...]) -> list[tuple[str, str, str, Reason]]:
    return [(stop.op.what.partition(".")[2], stop.source, stop.target, stop.reason) for stop in stops]


CHAIN = program(
    '%x: tensor<8x8xf32> ~[{"a", ?}, {?}]~, %w: tensor<8x4xf32>',
    """  %0 = stablehlo.tanh %x : tensor<8x8xf32>
  %1 = stablehlo.dot %0, %w : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = stablehlo.reshape %1 : (tensor<8x4xf32>) -> tensor<32xf32>
  return %2 : tensor<32xf32>""",
    "tensor<32xf32>",
)


# Origins ---------------------------------------------------------------------------------------------


def test_an_axis_is_followed_through_a_chain() -> None:
    found = one(CHAIN, "result:0")
    assert [(str(one.axis), one.dim, one.kind) for one in found.axes] == [('"a"', 0, OriginKind.ARGUMENT)]
    assert str(found.axes[0].origin) == "argument 0 of @main (p.mlir:2:17)"
    hops = found.axes[0].hops
    assert [hop.op.what for hop in hops] == [
        "stablehlo.tanh",
        "stablehlo.dot",
        "stablehlo.reshape",
        "func.return",
    ]
    assert [hop.op.location for hop in hops] == ["p.mlir:3:8", "p.mlir:4:8", "p.mlir:5:8", "p.mlir:6:3"]
    assert [(hop.source, hop.target, hop.value) for hop in hops[:3]] == [
        ("operand 0", "result 0", "%0"),
        ("operand 0", "result 0", "%1"),
        ("operand 0", "result 0", "%2"),
    ]
    assert steps(found.axes[0]) == sorted(steps(found.axes[0]))


def test_the_text_of_all_values_tells_each_step_once() -> None:
    """In it a value's way begins at the one before, so that the text grows with the program."""
    text = str(explain(CHAIN))
    assert '"a" in dimension 0: from argument 0 of @main (p.mlir:2:17), 3 hops, the last from %1\n' in text
    assert text.count("stablehlo.tanh (p.mlir:3:8): operand 0 -> result 0, %0") == 1
    assert str(one(CHAIN, "%2")).count("stablehlo.tanh (p.mlir:3:8): operand 0 -> result 0, %0") == 1


def test_hops_are_a_sequence() -> None:
    hops = one(CHAIN, "%2").axes[0].hops
    assert len(hops) == len(tuple(hops)) == 3
    assert (hops[0].value, hops[-1].value, [hop.value for hop in reversed(hops)]) == ("%0", "%2", ["%2", "%1", "%0"])
    assert hops == tuple(hops) and hops != tuple(hops)[1:]


def test_an_argument_has_its_axes_itself() -> None:
    found = one(CHAIN, "argument:0")
    assert found.axes == (AxisOrigin(AxisRef("a"), 0, OriginKind.ARGUMENT, found.what, ()),)
    assert found.what.location == "p.mlir:2:17"


def test_a_constraint_in_the_middle_reaches_both_ends() -> None:
    text = program(
        "%x: tensor<8xf32>",
        """  %0 = stablehlo.tanh %x : tensor<8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"a", ?}]> : tensor<8xf32>
  %2 = stablehlo.abs %1 : tensor<8xf32>
  return %2 : tensor<8xf32>""",
        "tensor<8xf32>",
    )
    for selector, ops in (("argument:0", ["sharding_constraint", "tanh"]), ("result:0", ["abs", "return"])):
        (origin,) = one(text, selector).axes
        assert (origin.kind, origin.origin and origin.origin.location) == (OriginKind.CONSTRAINT, "p.mlir:4:8")
        assert [hop.op.what.partition(".")[2] for hop in origin.hops] == ops
    assert one(text, "%1").axes[0].hops == ()


def test_a_result_is_followed_backwards() -> None:
    text = program(
        "%x: tensor<8xf32>",
        "  %0 = stablehlo.tanh %x : tensor<8xf32>\n  return %0 : tensor<8xf32>",
        'tensor<8xf32> ~[{"b"}]~',
    )
    (origin,) = one(text, "argument:0").axes
    assert (origin.kind, [hop.source for hop in origin.hops]) == (OriginKind.RESULT, ["result 0 of @main", "result 0"])


def test_an_edge_of_an_op_without_data_flow_is_an_op_like_others() -> None:
    text = program(
        "%x: tensor<8xf32>",
        """  %0 = stablehlo.tanh %x : tensor<8xf32>
  %1 = sdy.data_flow_edge %0 sharding=<@mesh, [{"a"}]> : tensor<8xf32>
  return %1 : tensor<8xf32>""",
        "tensor<8xf32>",
    )
    (origin,) = one(text, "result:0").axes
    assert (origin.kind, str(origin.origin)) == (OriginKind.ATTRIBUTE, "sdy.data_flow_edge (p.mlir:4:8)")


def test_parts_of_an_axis_may_come_from_different_places() -> None:
    text = program(
        '%x: tensor<8xf32> ~[{"b":(1)2, ?}]~, %y: tensor<8xf32> ~[{"b", ?}]~',
        "  %0 = stablehlo.add %x, %y : tensor<8xf32>\n  return %0 : tensor<8xf32>",
        "tensor<8xf32>",
    )
    found = one(text, "argument:0")
    assert [(str(x.axis), len(x.hops)) for x in found.axes] == [('"b":(1)2', 0), ('"b":(2)2', 1)]


MANUAL = program(
    '%x: tensor<8x8xf32> ~[{?}, {"b", ?}]~',
    """  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a", ?}, {?}]>]
    out_shardings=[<@mesh, [{"a", ?}, {?}]>] manual_axes={"a"} (%arg: tensor<4x8xf32>) {
    %2 = stablehlo.tanh %arg : tensor<4x8xf32>
    sdy.return %2 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.abs %0 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>""",
    "tensor<8x8xf32>",
)


def test_manual_axes_come_from_the_computation_and_free_ones_pass() -> None:
    outside = one(MANUAL, "%0")
    manual, free = outside.axes
    assert (manual.kind, manual.hops) == (OriginKind.MANUAL_COMPUTATION, ())
    assert [hop.op.what.partition(".")[2] for hop in free.hops] == ["manual_computation", "tanh", "manual_computation"]
    assert [(hop.source, hop.target) for hop in free.hops] == [
        ("operand 0", "block argument 0"),
        ("operand 0", "result 0"),
        ("returned value 0", "result 0"),
    ]
    assert reasons(outside.stops) == [("manual_computation", "result 0", "", Reason.MANUAL)]


def test_an_operand_gets_manual_axes_from_the_border() -> None:
    origin = one(MANUAL, "argument:0").axes[0]
    assert (origin.axis, origin.kind) == (AxisRef("a"), OriginKind.MANUAL_COMPUTATION)


def test_calls_are_followed_and_explained_one_by_one() -> None:
    text = (
        program(
            '%x: tensor<8xf32> ~[{"a", ?}]~, %y: tensor<8xf32> ~[{"b", ?}]~',
            """  %0 = call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @f(%y) : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>""",
            "tensor<8xf32>, tensor<8xf32>",
        )
        + "func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {\n"
        + "  %0 = stablehlo.tanh %x : tensor<8xf32>\n  return %0 : tensor<8xf32>\n}\n"
    )
    found = explain(text, "@f:%0")
    assert [(each.calls, str(each.axes[0].axis)) for each in found] == [
        (("call of @f (p.mlir:3:8)",), '"a"'),
        (("call of @f (p.mlir:4:8)",), '"b"'),
    ]
    assert [hop.op.what for hop in one(text, "result:1").axes[0].hops] == [
        "func.call",
        "stablehlo.tanh",
        "func.call",
        "func.return",
    ]


def test_groups_are_followed() -> None:
    text = program(
        '%x: tensor<8xf32> ~[{"a", ?}]~, %y: tensor<8xf32>',
        """  %0 = stablehlo.tanh %x : tensor<8xf32>
  sdy.sharding_group %0 group_id=0 : tensor<8xf32>
  sdy.sharding_group %y group_id=0 : tensor<8xf32>
  return %0 : tensor<8xf32>""",
        "tensor<8xf32>",
    )
    (origin,) = one(text, "argument:1").axes
    assert [hop.op.what for hop in origin.hops] == ["stablehlo.tanh", "sdy.sharding_group"]


# Stops -----------------------------------------------------------------------------------------------


def elementwise(x: str, y: str) -> str:
    return program(
        f"%x: tensor<8x8xf32> {at(x)}, %y: tensor<8x8xf32> {at(y)}",
        "  %0 = stablehlo.add %x, %y : tensor<8x8xf32>\n  return %0 : tensor<8x8xf32>",
        "tensor<8x8xf32>",
    )


def test_two_inputs_in_conflict() -> None:
    text = elementwise('[{"a", ?}, {?}]', '[{"b", ?}, {?}]')
    found = one(text, "argument:0")
    assert reasons(found.stops) == [
        ("add", "operand 0", "operand 1", Reason.CONFLICT),
        ("add", "operand 0", "result 0", Reason.CONFLICT),
    ]
    assert found.stops[0].detail.startswith('dimension 0 of operand 1 has "b" from argument 1 of @main (p.mlir:2:')
    assert [(stop.source, stop.reason) for stop in one(text, "%0").missed] == [
        ("operand 0", Reason.CONFLICT),
        ("operand 1", Reason.CONFLICT),
    ]


def test_a_closed_dimension() -> None:
    found = one(elementwise('[{"a", ?}, {?}]', "[{}, {?}]"), "argument:0")
    assert reasons(found.stops) == [("add", "operand 0", "operand 1", Reason.CLOSED)]
    assert found.stops[0].value == "%arg1"


def test_a_closed_result_of_the_function() -> None:
    text = program(
        '%x: tensor<8xf32> ~[{"a", ?}]~, %t: !stablehlo.token',
        "  %0 = stablehlo.tanh %x : tensor<8xf32>\n  return %t, %0 : !stablehlo.token, tensor<8xf32>",
        "!stablehlo.token, tensor<8xf32> ~[{}]~",
    )
    expected = [("return", "operand 1", "result 1 of @main", Reason.CLOSED)]
    assert reasons(one(text, "%0").stops) == reasons(one(text, "result:1").missed) == expected


@pytest.mark.parametrize("conservative", [False, True])
def test_conservative_propagation_splits_no_axes(conservative: bool) -> None:
    """A part of an axis stops at every tensor; a whole one at the tensor that does not take it, as otherwise."""
    options = OpPriorityOptions(propagation_strategy=PropagationStrategy.BASIC, conservative_propagation=conservative)
    for dims, closed, expected in (
        ('[{"b":(1)2, ?}, {?}]', "[{?}, {?}]", Reason.DIVISIBILITY if conservative else None),
        ('[{"b":(1)2, ?}, {?}]', "[{}, {?}]", Reason.DIVISIBILITY if conservative else Reason.CLOSED),
        ('[{"a", ?}, {?}]', "[{}, {?}]", Reason.CLOSED),
    ):
        (found,) = sdy.explain(elementwise(dims, closed), "argument:0", options=options)
        by_target = {stop.target: stop.reason for stop in found.stops}
        assert by_target.get("result 0") is expected


def test_an_axis_that_is_in_use() -> None:
    found = one(elementwise('[{"a", ?}, {?}]', '[{?}, {?}], replicated={"a"}'), "argument:0")
    assert reasons(found.stops) == [("add", "operand 0", "operand 1", Reason.IN_USE)]


def test_user_priorities_decide_a_conflict() -> None:
    found = one(elementwise('[{"a", ?}p1, {?}]', '[{"b", ?}, {?}]'), "argument:0")
    assert {stop.reason for stop in found.stops} == {Reason.PRIORITY}
    assert found.stops[0].detail.endswith("which had user priority 0, before 1")


def test_op_priorities_decide_a_conflict() -> None:
    text = program(
        '%x: tensor<8x8xf32> ~[{"a", ?}, {?}]~, %w: tensor<8x8xf32>, %y: tensor<8x8xf32> ~[{?}, {"a", ?}]~',
        """  %0 = stablehlo.dot %x, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.add %0, %y : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>""",
        "tensor<8x8xf32>",
    )
    (stop,) = one(text, "argument:0").stops
    assert stop.reason is Reason.PRIORITY and "op-priority level 0, before 2" in stop.detail
    rows = text.replace("%x: tensor<8x8xf32>", "%x: tensor<8xf32>").replace('[{"a", ?}, {?}]', '[{"a", ?}]')
    copied = "stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<8xf32>)"
    (stop,) = one(re.sub(r"stablehlo.dot .*?\)(?= ->)", copied, rows), "argument:0").stops
    assert stop.reason is Reason.PRIORITY and "op-priority level 0, before 4" in stop.detail
    without = OpPriorityOptions(run_op_priority_propagation=False)
    (found,) = sdy.explain(text, "argument:0", options=without)
    assert found.stops == ()


def single(op: str, result: str = "8x8", dims: str = '[{"a", ?}, {?}]') -> Explanation:
    """What is said of an argument that one op uses."""
    type_ = f"tensor<{result}xf32>"
    text = program(f"%x: tensor<8x8xf32> {at(dims)}", f"  {op}\n  return %0 : {type_}", type_)
    return one(text, "argument:0")


BOTH = "(tensor<8x8xf32>) -> tensor<8x8xf32>"


@pytest.mark.parametrize(
    ("op", "result", "reason"),
    [
        (f"%0 = stablehlo.custom_call @sdy_testonly(%x) : {BOTH}", "8x8", Reason.NO_RULE),
        (
            "%0 = stablehlo.custom_call @f(%x) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) "
            f"{{i=8, j=8}} blocked_propagation={{i}}, custom>}} : {BOTH}",
            "8x8",
            Reason.BLOCKED,
        ),
        ("%0 = sdy.propagation_barrier %x allowed_direction=NONE : tensor<8x8xf32>", "8x8", Reason.BARRIER),
        ("%0 = stablehlo.slice %x [0:1, 0:8] : (tensor<8x8xf32>) -> tensor<1x8xf32>", "1x8", None),
        (
            "%c = stablehlo.constant dense<0.0> : tensor<f32>\n"
            "  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0] : "
            "(tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>",
            "8",
            Reason.NO_DIMENSION,
        ),
    ],
)
def test_what_stops_an_axis(op: str, result: str, reason: Reason | None) -> None:
    assert [stop.reason for stop in single(op, result).stops] == ([] if reason is None else [reason])


def test_sizes_that_do_not_divide() -> None:
    text = program(
        '%x: tensor<6xf32> ~[{"a", "c", ?}]~',
        "  %0 = stablehlo.reshape %x : (tensor<6xf32>) -> tensor<3x2xf32>\n  return %0 : tensor<3x2xf32>",
        "tensor<3x2xf32>",
    )
    (stop,) = one(text, "argument:0").stops
    assert (stop.reason, stop.detail) == (Reason.DIVISIBILITY, "a factor of size 3 cannot be split that way")


# Agreement with propagation ----------------------------------------------------------------------------


def test_the_module_stays_as_it_is_and_the_shardings_are_those_of_propagation() -> None:
    module = sdy.parse(CHAIN)
    before = sdy.print_module(module)
    found = sdy.explain(module)
    assert sdy.print_module(module) == before
    sdy.run(module, "sdy-import-pipeline,sdy-user-priority-propagate")
    printed = sdy.print_module(module)
    for each in found:
        if each.name.startswith("%") and each.sharding is not None and not each.sharding.is_fully_replicated:
            assert f"[{', '.join(map(str, each.sharding.dims))}]" in printed


def test_a_module_that_was_imported_before_is_explained_alike() -> None:
    module = sdy.parse(MANUAL, "p.mlir")
    sdy.run(module, "sdy-import-pipeline")
    found = sdy.explain(module, "argument:0", filename="p.mlir")[0]
    assert found.sharding == one(MANUAL, "argument:0").sharding


# Selectors and text --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("selector", "names"),
    [
        ("%1", ["%1"]),
        ("@main:%1", ["%1"]),
        ("argument:1", ["%arg1"]),
        ("result:0", ["result 0 of @main"]),
        ("p.mlir:4", ["%1"]),
        ("4:8", ["%1"]),
        ("5", ["%2"]),
    ],
)
def test_selectors(selector: str, names: list[str]) -> None:
    assert [each.name for each in explain(CHAIN, selector)] == names


@pytest.mark.parametrize("selector", ["", "x", "%9", "argument:2", "result:1", "@f:%0", "other.mlir:4", "99", "4:9"])
def test_bad_selectors(selector: str) -> None:
    with pytest.raises(SelectorError) as error:
        explain(CHAIN, selector)
    assert "\n" not in str(error.value)


def test_dead_code_has_no_sharding_to_explain() -> None:
    text = program("%x: tensor<8xf32>", "  %0 = stablehlo.tanh %x : tensor<8xf32>\n  return")
    assert [each.name for each in explain(text)] == ["%arg0"]
    with pytest.raises(SelectorError, match="dead code"):
        explain(text, "%0")


def test_the_text() -> None:
    text = elementwise('[{"a", ?}, {?}]', "[{}, {?}]")
    assert str(one(text, "%0")) == (
        '%0 = stablehlo.add (p.mlir:3:8) : tensor<8x8xf32> [{"a", ?}, {?}]\n'
        '  "a" in dimension 0: from argument 0 of @main (p.mlir:2:17)\n'
        "    step 0: stablehlo.add (p.mlir:3:8): operand 0 -> result 0, %0\n"
        "  went no further:\n"
        '    "a" at stablehlo.add (p.mlir:3:8), result 0 -> operand 1, %arg1: closed dimension: '
        "dimension 0 of operand 1 is closed"
    )


def test_names_are_those_of_the_printed_module() -> None:
    """The bindings give other names to values of a module that has something of any number of operands in it."""
    text = program(
        '%x: tensor<8xf32> ~[{"a", ?}]~',
        """  %c = stablehlo.constant dense<1.0> : tensor<8xf32>
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>]
      manual_axes={"a"} (%k: tensor<4xf32>) {
    sdy.return %k : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.add %0, %c : tensor<8xf32>
  return %1 : tensor<8xf32>""",
        "tensor<8xf32>",
    )
    assert {each.what.what: each.name for each in explain(text)} == {
        "argument 0 of @main": "%arg0",
        "sdy.manual_computation": "%0",
        "block argument 0 of sdy.manual_computation": "%arg1",
        "stablehlo.add": "%1",
        "result 0 of @main": "result 0 of @main",
    }
    assert "%1 = stablehlo.add %0, %cst" in str(sdy.parse(text))


def test_what_was_inlined_captured_or_renamed_is_explained() -> None:
    """A slice of weights in a function that a loop calls, the weights that the loop does not change, a broadcast."""
    text = """sdy.mesh @mesh = <["a"=2]>
func.func @main(
    %w: tensor<4x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}, {}]>},
    %x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<4> : tensor<i32>
  %0:3 = stablehlo.while(%weights = %w, %j = %i, %y = %x) : tensor<4x8x8xf32>, tensor<i32>, tensor<8x8xf32>
    cond {
      %1 = stablehlo.compare LT, %j, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = func.call @slice(%weights, %j) : (tensor<4x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %2 = stablehlo.dot_general %1, %y, contracting_dims = [1] x [0]
        : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %3 = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %weights, %3, %2 : tensor<4x8x8xf32>, tensor<i32>, tensor<8x8xf32>
    }
  return %0#2 : tensor<8x8xf32>
}
func.func private @slice(%w: tensor<4x8x8xf32>, %i: tensor<i32>) -> tensor<8x8xf32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.dynamic_slice %w, %i, %0, %0, sizes = [1, 8, 8]
    : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
  %2 = stablehlo.reshape %1 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
"""
    for is_embedded in (False, True):
        found = sdy.explain(text, "all", is_embedded=is_embedded)
        assert {each.what.what for each in found if each.sharding and '"a"' in str(each.sharding.dims[-2])} >= {
            "argument 0 of @main",
            "block argument 0 of stablehlo.while",
            "block argument 3 of stablehlo.while",
            "func.call",
            "argument 0 of @slice",
            "stablehlo.dynamic_slice",
            "stablehlo.reshape",
            "result 0 of @slice",
        }
