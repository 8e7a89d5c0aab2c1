"""Ten times "why is this collective here": the cause, and a cure that, applied, removes it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import sdy
from tests import depth
from tests.data import generate

MESH = 'sdy.mesh @mesh = <["data"=4, "model"=2]>\n'


@dataclass(frozen=True)
class Question:
    """A program, the collective asked about, where its axes come from, and the best cure."""

    program: str
    kind: str
    serves: str
    origin: str
    cure: str


def program(arguments: dict[str, str], results: list[str], *body: str) -> str:
    """`arguments` by name, and `results`: a type, and the dimensions of its sharding behind a blank."""
    ins = ", ".join(f"%{name}: {_sharded(text)}" for name, text in arguments.items())
    outs = ", ".join(map(_sharded, results))
    return f"{MESH}func.func @main({ins}) -> ({outs}) {{\n" + "\n".join(f"  {line}" for line in body) + "\n}\n"


def _sharded(text: str) -> str:
    kind, _, dims = text.partition(" ")
    return f"tensor<{kind}>" + (f" {{sdy.sharding = #sdy.sharding<@mesh, {dims}>}}" if dims else "")


QUESTIONS = {
    "the weights are cut along the dimension that is contracted": Question(
        program(
            {"x": '32x16xf32 [{"data"}, {}]', "w": '16x64xf32 [{"model"}, {}]'},
            ["32x64xf32"],
            "%0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]"
            " : (tensor<32x16xf32>, tensor<16x64xf32>) -> tensor<32x64xf32>",
            "return %0 : tensor<32x64xf32>",
        ),
        "all_reduce",
        "result of stablehlo.dot_general",
        '"model" in dimension 0: given here, by argument 1 of @main',
        'shard argument 1 of @main (-:2:94) as [{}, {"model"}]',
    ),
    "the weights are cut along the axis of the batch": Question(
        program(
            {"x": '32x16xf32 [{"data"}, {}]', "w": '16x64xf32 [{}, {"data"}]'},
            ['32x64xf32 [{"data"}, {}]'],
            "%0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]"
            " : (tensor<32x16xf32>, tensor<16x64xf32>) -> tensor<32x64xf32>",
            "return %0 : tensor<32x64xf32>",
        ),
        "all_gather",
        "operand 1 of stablehlo.dot_general",
        '"data" in dimension 1: given here, by argument 1 of @main',
        "shard argument 1 of @main",
    ),
    "a constraint says something else than all around it": Question(
        program(
            {"x": '32x16xf32 [{"data"}, {}]'},
            ["32x16xf32"],
            "%0 = stablehlo.tanh %x : tensor<32x16xf32>",
            '%1 = sdy.sharding_constraint %0 <@mesh, [{}, {"data"}]> : tensor<32x16xf32>',
            "%2 = stablehlo.tanh %1 : tensor<32x16xf32>",
            "return %2 : tensor<32x16xf32>",
        ),
        "all_to_all",
        "operand 0 of stablehlo.tanh",
        '"data" in dimension 1: given here, by sdy.sharding_constraint',
        "remove the sharding constraint %1",
    ),
    "a transpose turns what another operand does not": Question(
        program(
            {"x": '16x16xf32 [{"data"}, {}]', "y": '16x16xf32 [{"data"}, {}]'},
            ["16x16xf32"],
            "%0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>",
            "%1 = stablehlo.add %0, %y : tensor<16x16xf32>",
            "return %1 : tensor<16x16xf32>",
        ),
        "all_to_all",
        "operand 1 of stablehlo.add",
        '"data" in dimension 1: from argument 0 of @main',
        'shard argument 1 of @main (-:2:94) as [{}, {"data"}]',
    ),
    "nothing is known of a custom call": Question(
        program(
            {"x": '32x16xf32 [{"data"}, {}]'},
            ['32x16xf32 [{"data"}, {}]'],
            "%0 = stablehlo.custom_call @mine(%x) : (tensor<32x16xf32>) -> tensor<32x16xf32>",
            "return %0 : tensor<32x16xf32>",
        ),
        "all_gather",
        "stablehlo.custom_call",
        '"data" in dimension 0: given here, by argument 0 of @main',
        "declare a sharding rule for stablehlo.custom_call @mine (-:3:8), if it is elementwise: <([i, j])->([i, j])",
    ),
    "a dimension is uneven": Question(
        program(
            {"x": '6x8xf32 [{"data"}, {}]'},
            ["48xf32"],
            "%0 = stablehlo.reshape %x : (tensor<6x8xf32>) -> tensor<48xf32>",
            "return %0 : tensor<48xf32>",
        ),
        "all_gather",
        "result 0 of @main",
        '"data":(1)2 in dimension 0: from argument 0 of @main',
        'shard argument 0 of @main (-:2:17) as [{"model"}, {}]',
    ),
    "the result is wanted as it is not computed": Question(
        program(
            {"x": '32x16xf32 [{"data"}, {}]'},
            ['32x16xf32 [{}, {"data"}]'],
            "%0 = stablehlo.tanh %x : tensor<32x16xf32>",
            "%1 = stablehlo.sine %0 : tensor<32x16xf32>",
            "return %1 : tensor<32x16xf32>",
        ),
        "all_to_all",
        "result 0 of @main",
        '"data" in dimension 1: from result 0 of @main',
        "leave the sharding of result 0 of @main (-:2:1) open",
    ),
    "what is added up is cut": Question(
        program(
            {"x": '32x16xf32 [{}, {"data"}]', "zero": "f32"},
            ["32xf32"],
            "%0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]"
            " : (tensor<32x16xf32>, tensor<f32>) -> tensor<32xf32>",
            "return %0 : tensor<32xf32>",
        ),
        "all_reduce",
        "result of stablehlo.reduce",
        '"data" in dimension 1: given here, by argument 0 of @main',
        'shard argument 0 of @main (-:2:17) as [{"data"}, {}]',
    ),
    "what is sorted is cut": Question(
        program(
            {"x": '32x16xf32 [{}, {"data"}]'},
            ["32x16xf32"],
            '%0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({',
            "^bb0(%a: tensor<f32>, %b: tensor<f32>):",
            "  %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>",
            "  stablehlo.return %1 : tensor<i1>",
            "}) : (tensor<32x16xf32>) -> tensor<32x16xf32>",
            "return %0 : tensor<32x16xf32>",
        ),
        "",
        "stablehlo.sort",
        '"data" in dimension 1: given here, by argument 0 of @main',
        'shard argument 0 of @main (-:2:17) as [{"data"}, {}]',
    ),
    "rows are looked up in a table that is cut by rows": Question(
        program(
            {"table": '64x16xf32 [{"model"}, {}]', "rows": '32x1xi32 [{"data"}, {}]'},
            ["32x16xf32"],
            '%0 = "stablehlo.gather"(%table, %rows) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],'
            " collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,"
            " slice_sizes = array<i64: 1, 16>}>"
            " : (tensor<64x16xf32>, tensor<32x1xi32>) -> tensor<32x16xf32>",
            "return %0 : tensor<32x16xf32>",
        ),
        "",
        "stablehlo.gather",
        '"model" in dimension 0: given here, by argument 0 of @main',
        'shard argument 0 of @main (-:2:17) as [{}, {"model"}]',
    ),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_cause_and_a_cure(name: str) -> None:
    asked = QUESTIONS[name]
    report = sdy.communication(asked.program)
    transfer = max(report.transfers, key=lambda one: one.bytes_sent)
    assert asked.kind in transfer.kind and asked.serves in transfer.serves
    found = sdy.why(asked.program, transfer.id)
    assert (found.transfer.id, found.bytes_sent) == (transfer.id, report.bytes_sent)
    text = str(found)
    assert asked.origin in text
    cure = next(each for each in found.cures if each.text.startswith(asked.cure))
    assert cure.is_cheaper and f"{-cure.bytes_saved:+,.0f} bytes: {asked.cure}" in text
    module = sdy.parse(asked.program)
    cure.apply(module)
    after = sdy.communication(module)
    assert after.bytes_sent == report.bytes_sent - cure.bytes_saved < report.bytes_sent
    assert (transfer.serves, transfer.kind) not in [(one.serves, one.kind) for one in after.transfers]


@pytest.mark.parametrize("name", ["cnn", "shard_map_partial", "transformer_2"] if depth.ALL else ["shard_map_partial"])
def test_programs_of_jax(name: str) -> None:
    """Each collective has its op and its place; what sends most has a cause, and what is promised to save does so."""
    text = generate.program(name)
    report = sdy.communication(text)
    assert all(one.value and one.location and one.op is not None for one in report.transfers)
    sorts = {(one.kind, one.axes, one.serves): one for one in sorted(report.transfers, key=lambda one: one.bytes_sent)}
    found = [sdy.why(text, one.id) for one in sorted(sorts.values(), key=lambda one: -one.bytes_sent)[:2]]
    assert all(one.is_chosen or any(each.explanation.axes for each in one.around) for one in found)
    assert all(one.is_chosen == ("the partitioner chose these axes" in str(one)) for one in found)
    cure, cause = next((cure, one) for one in found for cure in one.cures if cure.is_cheaper)
    module = sdy.parse(text)
    cure.apply(module)
    after = sdy.communication(module)
    assert after.bytes_sent == report.bytes_sent - cure.bytes_saved < report.bytes_sent
    served = (cause.transfer.kind, cause.transfer.axes, cause.transfer.serves, cause.transfer.value)
    assert served not in [(one.kind, one.axes, one.serves, one.value) for one in after.transfers]
