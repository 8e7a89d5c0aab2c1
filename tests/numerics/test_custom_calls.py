"""Custom calls: by their rules devices call on parts and combine results; by their lowerings other ops take over."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import sdy
import sdy.jax
from sdy.dialect.lowering.local_op import LocalOp, keep_and_combine, replace_and_combine
from sdy.dialect.ops.op_signature import OpSignature
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.tensor_types import tensor_type
from sdy.stablehlo import ops
from sdy.stablehlo.ops import Builder
from tests import depth
from tests.generators.op_instances import OpInstance, combiner, tensor
from tests.numerics import one_op
from tests.numerics.harness import compare, inputs_for, run_partitioned, run_unpartitioned

MESH = 'sdy.mesh @mesh = <["x"=2, "y"=4]>\n'
KINDS = ("sum", "max", "min")
OPS = {"sum": "add", "max": "maximum", "min": "minimum"}
BODIES = {"sum": ops.add, "max": ops.maximum, "min": ops.minimum}


def _reducing(kind: str) -> None:
    """Declares the target `tests.<kind>`, which combines along the second dimension."""

    @sdy.sharding_rule(custom_call=f"tests.{kind}", reduction=kind)
    def rule(op: OpSignature) -> sdy.ShardingRule:
        return sdy.einsum_rule(op, "i j -> i", reduction_factors=["j"])

    @sdy.local_lowering(custom_call=f"tests.{kind}", partial_results=True)
    def lowering(op: LocalOp) -> None:
        element = op.operand_layouts[0].type.element_type
        start = op.b.constant({"sum": 0, "max": -1000, "min": 1000}[kind], element)
        replace_and_combine(op, op.b.reduce(op.operands[0], start, [1], BODIES[kind]))


def _following(kind: str) -> None:
    """Declares the target `tests.whole_<kind>`, which does the same and does not combine results of devices."""

    @sdy.sharding_rule(custom_call=f"tests.whole_{kind}", reduction=kind)
    def rule(op: OpSignature) -> sdy.ShardingRule:
        return sdy.einsum_rule(op, "i j -> i", reduction_factors=["j"])

    @sdy.local_lowering(custom_call=f"tests.whole_{kind}", follows_rule=True)
    def lowering(op: LocalOp) -> None:
        element = op.operand_layouts[0].type.element_type
        start = op.b.constant({"sum": 0, "max": -1000, "min": 1000}[kind], element)
        op.replace(op.b.reduce(op.operands[0], start, [1], BODIES[kind]))


for _kind in KINDS:
    _reducing(_kind)
    _following(_kind)


def _program(call: str, *, before: str = "", result: str = "tensor<8xf32>", sharding: str = "[{}]") -> str:
    operand = 'tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}'
    returned = f"{result} {{sdy.sharding = #sdy.sharding<@mesh, {sharding}>}}"
    return f"{MESH}func.func @main(%a: {operand}) -> ({returned}) {{\n{before}{call}\n  return %r : {result}\n}}\n"


def _reduction(kind: str) -> str:
    start = {"sum": 0, "max": -1000, "min": 1000}[kind]
    return (
        f"  %c = stablehlo.constant dense<{start}.0> : tensor<f32>\n"
        f"  %r = stablehlo.reduce(%a init: %c) applies stablehlo.{OPS[kind]} across dimensions = [1] "
        ": (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>"
    )


def _call(target: str, attributes: str = "") -> str:
    return f"  %r = stablehlo.custom_call @{target}(%a) {attributes}: (tensor<8x16xf32>) -> tensor<8xf32>"


@pytest.mark.parametrize("kind", KINDS)
def test_reduction_is_combined_once(kind: str) -> None:
    partitioned = sdy.partition(_program(_call(f"tests.{kind}")))
    assert [(one.kind, one.operand_bytes) for one in partitioned.collectives][:1] == [("all_reduce", 16)]
    assert [one.kind for one in partitioned.collectives].count("all_reduce") == 1
    inputs = inputs_for(partitioned.arguments, 0)
    (got,), (wanted,) = (
        run_partitioned(partitioned, inputs),
        run_unpartitioned(_program(_reduction(kind)), partitioned, inputs),
    )
    compare(got, wanted, kind, 1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_partial_result_stays_one_where_it_is_meant_to(kind: str) -> None:
    partial = f'sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{"x"}}], {_unreduced(kind)}>]>'
    call = _call(f"tests.{kind}", f"{{{partial}}} ").replace("%r", "%p")
    whole = "  %r = sdy.reshard %p <@mesh, [{}]> : tensor<8xf32>"
    partitioned = sdy.partition(_program(f"{call}\n{whole}"))
    assert [one.kind for one in partitioned.collectives].count("all_reduce") == 1
    inputs = inputs_for(partitioned.arguments, 1)
    (got,) = run_partitioned(partitioned, inputs)
    compare(got, {"sum": np.sum, "max": np.max, "min": np.min}[kind](inputs[0], 1), kind, 1e-6)


def _unreduced(kind: str) -> str:
    return 'unreduced={"y"}' if kind == "sum" else f'unreduced={kind}{{"y"}}'


def test_without_lowering_the_call_is_made_on_parts() -> None:
    @sdy.sharding_rule(custom_call="tests.unknown_product")
    def rule(op: OpSignature) -> sdy.ShardingRule:
        return sdy.einsum_rule(op, "i j, j k -> i k", reduction_factors=["j"])

    text = (
        f'{MESH}func.func @main(%a: tensor<8x16xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{"y"}}]>}}, '
        '%b: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<8x4xf32> {\n'
        "  %r = stablehlo.custom_call @tests.unknown_product(%a, %b) "
        ": (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>\n  return %r : tensor<8x4xf32>\n}\n"
    )
    partitioned = sdy.partition(text)
    assert [(one.kind, one.operand_bytes) for one in partitioned.collectives] == [("all_reduce", 64)]
    assert "@tests.unknown_product(%arg0, %arg1) : (tensor<4x4xf32>, tensor<4x4xf32>)" in partitioned.text


def test_uneven_reduction_is_gathered() -> None:
    """What the call makes of padding is not known."""
    first = '  %s = sdy.sharding_constraint %b <@mesh, [{}, {"x", "y"}]> : tensor<8x10xf32>\n'
    cut = "  %b = stablehlo.slice %a [0:8, 0:10] : (tensor<8x16xf32>) -> tensor<8x10xf32>\n"
    call = "  %r = stablehlo.custom_call @tests.sum(%s) : (tensor<8x10xf32>) -> tensor<8xf32>"
    partitioned = sdy.partition(_program(call, before=cut + first))
    inputs = inputs_for(partitioned.arguments, 2)
    compare(run_partitioned(partitioned, inputs)[0], np.sum(inputs[0][:, :10], 1), "sum", 1e-6)


@dataclass(frozen=True)
class Called:
    """A call of `tests.<target>`, and the op that computes the same: its name, attributes and regions.

    Behind the arguments the op takes the number that it `starts_from`, if there is one.
    """

    target: str
    notation: str
    name: str
    attributes: str = ""
    regions: str = ""
    factors: dict[str, Sequence[str]] = field(default_factory=dict)
    reduction: str = "sum"
    starts_from: float | None = None

    def shapes(self, rng: Random) -> tuple[list[list[int]], list[int]]:
        """Sizes of operands and of the result."""
        sizes = {factor: rng.choice([1, 2, 4, 6, 8, 8, 10, 16]) for factor in "bijk"}
        operands, result = self.notation.split(" -> ")
        return [[sizes[f] for f in part.split()] for part in operands.split(", ")], [sizes[f] for f in result.split()]

    def instances(self, rng: Random) -> tuple[OpInstance, OpInstance]:
        operands, result = self.shapes(rng)
        types = [tensor(shape) for shape in operands]
        given = [(f"%a{number}", type_) for number, type_ in enumerate(types)]
        called = OpInstance(
            "stablehlo.custom_call", types, [tensor(result)], f'call_target_name = "tests.{self.target}"'
        )
        before = ""
        if self.starts_from is not None:
            before = f"%c = stablehlo.constant dense<{self.starts_from}> : tensor<f32>"
            given.append(("%c", "tensor<f32>"))
        return called, OpInstance(self.name, types, [tensor(result)], self.attributes, self.regions, given, before)


CALLED = [
    Called(
        "batched_product",
        "b i j, b j k -> b i k",
        "stablehlo.dot_general",
        "dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], "
        "lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>",
        factors={"reduction_factors": ["j"]},
    ),
    *[
        Called(
            f"outer_{kind}",
            "i j k -> j",
            "stablehlo.reduce",
            "dimensions = array<i64: 0, 2>",
            combiner(f"stablehlo.{op}"),
            {"reduction_factors": ["i", "k"]},
            kind,
            {"sum": 0.0, "max": -1000.0, "min": 1000.0}[kind],
        )
        for kind, op in OPS.items()
    ],
    Called("transposed", "i j -> j i", "stablehlo.transpose", "permutation = array<i64: 1, 0>"),
    Called(
        "reversed",
        "i j -> i j",
        "stablehlo.reverse",
        "dimensions = array<i64: 1>",
        factors={"permutation_factors": ["j"]},
    ),
    Called(
        "sorted",
        "i j -> i j",
        "stablehlo.sort",
        "dimension = 1 : i64, is_stable = true",
        "{^bb0(%x: tensor<f32>, %y: tensor<f32>):\n  %z = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> "
        'tensor<i1>\n  "stablehlo.return"(%z) : (tensor<i1>) -> ()\n}',
        {"need_replication_factors": ["j"]},
    ),
]


def _declare(called: Called) -> None:
    """Its rule, and that each device executes the ops that compute the same."""

    @sdy.sharding_rule(custom_call=f"tests.{called.target}", reduction=called.reduction)
    def rule(op: OpSignature) -> sdy.ShardingRule:
        return sdy.einsum_rule(op, called.notation, **called.factors)  # pyright: ignore[reportArgumentType]

    @sdy.local_lowering(custom_call=f"tests.{called.target}", partial_results=True)
    def lowering(op: LocalOp) -> None:
        element = op.operand_layouts[0].type.element_type
        operands = op.operands
        if called.starts_from is not None:
            operands.append(op.b.constant(called.starts_from, element))
        types = [op.result_layouts[0].local_type]
        made = op.b.create(called.name, operands, types, _attributes(called), regions=bool(called.regions))
        if called.name == "stablehlo.sort":
            block = made.regions[0].blocks.append(*[tensor_type((), element)] * 2, arg_locs=[op.op.location] * 2)
            inside = Builder.at_end(block, op.op.location)
            first, second = block.arguments
            inside.return_([inside.compare(first, second, "LT")])
        elif called.regions:
            block = made.regions[0].blocks.append(*[tensor_type((), element)] * 2, arg_locs=[op.op.location] * 2)
            inside = Builder.at_end(block, op.op.location)
            inside.return_([BODIES[called.reduction](*block.arguments, loc=inside.location, ip=inside.ip)])
        replace_and_combine(op, made.results[0])


def _attributes(called: Called) -> dict[str, ir.Attribute]:
    parsed = ir.Attribute.parse(f"{{{called.attributes}}}")
    return {named.name: named.attr for named in ir.DictAttr(parsed)}


for _called in CALLED:
    _declare(_called)


@pytest.mark.parametrize("seed", depth.seeds(len(CALLED), 1000))
def test_random_calls_compute_what_ops_do(seed: int) -> None:
    """On random shardings, also uneven ones."""
    call, op = CALLED[seed % len(CALLED)].instances(Random(seed))
    text, plain = (one_op.program(instance, Random(seed)) for instance in (call, op))
    partitioned = sdy.partition(text)
    inputs = inputs_for(partitioned.arguments, seed)
    (got,) = run_partitioned(partitioned, inputs)
    (wanted,) = run_unpartitioned(plain, partitioned, inputs)
    compare(got, wanted, CALLED[seed % len(CALLED)].target, 1e-6)


@pytest.mark.parametrize("kind", ["need_replication_factors", "permutation_factors"])
def test_what_is_needed_as_a_whole_is_gathered(kind: str) -> None:
    target = f"tests.{kind}"

    @sdy.sharding_rule(custom_call=target)
    def rule(op: OpSignature) -> sdy.ShardingRule:
        factors = {kind: ["j"], "reduction_factors": []}
        return sdy.einsum_rule(op, "i j -> i j", **factors)

    @sdy.local_lowering(custom_call=target, partial_results=True)
    def lowering(op: LocalOp) -> None:
        assert op.operand_layouts[0].shards[1] == 1
        keep_and_combine(op)

    call = f"  %r = stablehlo.custom_call @{target}(%a) : (tensor<8x16xf32>) -> tensor<8x16xf32>"
    text = sdy.partition(_program(call, result="tensor<8x16xf32>", sharding='[{"x"}, {"y"}]')).text
    assert re.search(rf"@{target}\(%0\) : \(tensor<(\d)x16xf32>\) -> tensor<\1x16xf32>", text), text


def test_calls_of_jax() -> None:
    @sdy.sharding_rule(custom_call="tests.product")
    def rule(op: OpSignature) -> sdy.ShardingRule:
        return sdy.einsum_rule(op, "i j, j k -> i k", reduction_factors=["j"])

    @sdy.local_lowering(custom_call="tests.product", partial_results=True)
    def lowering(op: LocalOp) -> None:
        replace_and_combine(op, op.b.dot_general(*op.operands, contracting=([1], [0])))

    def call(a: jax.Array, b: jax.Array) -> jax.Array:
        made = jax.ShapeDtypeStruct((8, 6), jnp.float32)
        return jnp.tanh(jax.ffi.ffi_call("tests.product", made)(a, b) / 1000)

    mesh = Mesh(np.array(jax.devices()[:8]).reshape(2, 4), ("x", "y"))
    values = np.arange(128, dtype=np.float32).reshape(8, 16), np.arange(96, dtype=np.float32).reshape(16, 6)
    placed = [jax.device_put(v, NamedSharding(mesh, s)) for v, s in zip(values, (P("x", "y"), P("y")), strict=True)]
    got = sdy.jax.jit(call)(*placed)
    np.testing.assert_allclose(got, np.tanh(values[0] @ values[1] / 1000), rtol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sharding", ["[{}]", '[{"y"}]', '[{"x", "y"}]'])
def test_a_lowering_that_follows_a_rule_gets_what_is_reduced_as_a_whole(kind: str, sharding: str) -> None:
    """What each device computes of all parts is not combined once more."""
    partitioned = sdy.partition(_program(_call(f"tests.whole_{kind}"), sharding=sharding))
    assert not any(name in partitioned.text for name in ("all_reduce", "reduce_scatter", "stablehlo.select"))
    inputs = inputs_for(partitioned.arguments, 3)
    expected = run_unpartitioned(_program(_reduction(kind)), partitioned, inputs)
    compare(run_partitioned(partitioned, inputs)[0], expected[0], kind, 1e-5)


def test_lowering_of_a_composite() -> None:
    """In place of what it decomposes to, which has to be computed as a whole."""

    @sdy.sharding_rule(composite="tests.twice")
    def rule(op: OpSignature) -> str:
        return "i j -> i j"

    @sdy.local_lowering(composite="tests.twice", follows_rule=True)
    def lowering(op: LocalOp) -> None:
        op.replace(op.b.add(op.operands[0], op.operands[0]))

    type_ = "tensor<8x16xf32>"
    call = f'  %r = stablehlo.composite "tests.twice" %a {{decomposition = @twice}} : ({type_}) -> {type_}'
    twice = (
        f"func.func private @twice(%a: {type_}) -> {type_} {{\n  %r = stablehlo.add %a, %a : {type_}\n"
        f"  return %r : {type_}\n}}\n"
    )
    partitioned = sdy.partition(_program(call, result=type_, sharding='[{"x"}, {"y"}]') + twice)
    assert not partitioned.collectives
    (value,) = inputs_for(partitioned.arguments, 3)
    compare(run_partitioned(partitioned, [value])[0], value * 2, "twice", 0)


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (lambda: sdy.local_lowering(), "say whose"),
        (lambda: sdy.local_lowering(lambda op: None), "say whose"),  # pyright: ignore[reportArgumentType]
        (lambda: sdy.local_lowering("target"), "is not the full name of an op"),
        (
            lambda: sdy.sharding_rule(custom_call="tests.x", reduction="mean"),
            "unknown reduction 'mean'; expected one of 'sum'",
        ),
    ],
)
def test_wrong_declarations_are_refused(declare: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        declare()


def test_lowerings_that_are_wrong_are_refused() -> None:
    @sdy.sharding_rule(custom_call=["tests.global", "tests.refusing"])
    def rule(op: OpSignature) -> sdy.ShardingRule:
        return sdy.einsum_rule(op, "i j -> i", reduction_factors=["j"])

    @sdy.local_lowering(custom_call="tests.global", partial_results=True)
    def left_as_it_is(op: LocalOp) -> None:
        pass

    @sdy.local_lowering(custom_call="tests.refusing", partial_results=True)
    def refusing(op: LocalOp) -> None:
        raise ValueError("takes vectors only")

    with pytest.raises(
        DiagnosticError, match=r"-:3:8: error: .*leaves result 0 of type tensor<8xf32>, expected .*4xf32"
    ):
        sdy.partition(_program(_call("tests.global"), sharding='[{"x"}]'))
    with pytest.raises(DiagnosticError, match=r"-:3:8: error: .*cannot be made local: takes vectors only"):
        sdy.partition(_program(_call("tests.refusing")))
