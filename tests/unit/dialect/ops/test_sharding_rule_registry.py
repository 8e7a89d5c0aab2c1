"""How rules are found and declared (spec: sharding-rules, 3 and 8)."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

import tests.generators.op_families  # noqa: F401  (fills GENERATORS)
from sdy.dialect.context import make_context
from sdy.dialect.definition import attributes
from sdy.dialect.ops import model
from sdy.dialect.ops import rules as registry
from sdy.dialect.ops.notation import einsum_rule
from sdy.dialect.ops.op_signature import OpSignature, RuleBuilder, pointwise
from sdy.dialect.ops.rules import create_rule, depends_on_surroundings, extension_rule, rule_of
from sdy.dialect.ops.short_forms import sharding_rule
from sdy.dialect.values.rule import ShardingRule
from sdy.mlir import ir, stablehlo
from sdy.mlir.diagnostics import Diagnostic, DiagnosticError, collecting, saying_once
from sdy.mlir.walk import pre_order
from tests.generators.op_instances import GENERATORS, module_of, random_instance


@pytest.fixture(autouse=True)
def fresh_registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Without the rules that another test declared."""
    monkeypatch.setattr(model, "_users", {})
    model.forget_models()
    yield
    monkeypatch.undo()
    model.forget_models()
    _modules.clear()


_modules: list[ir.Module] = []
"""What holds the ops of the test."""


def ops(body: str) -> list[ir.Operation]:
    """The ops of a function with the arguments %a: 4x8, %b: 8x2 and %t, a token."""
    text = f"func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %t: !stablehlo.token) {{\n{body}\nreturn\n}}"
    module = ir.Module.parse(text, make_context(allow_unregistered_dialects=True))
    _modules.append(module)
    return pre_order(module.operation)[2:-1]


def warnings_of(operations: list[ir.Operation]) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    with collecting(found.append), saying_once():
        for op in operations:
            assert rule_of(op) is None
    return found


MATMUL = '%0 = "my.matmul"(%a, %b) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>'
TANH = "%0 = stablehlo.tanh %a : tensor<4x8xf32>"


def call(target: str, attributes: str = "") -> str:
    return (
        f'%0 = "stablehlo.custom_call"(%a) {{call_target_name = "{target}"{attributes}}} '
        ": (tensor<4x8xf32>) -> tensor<4x8xf32>"
    )


# Lookup ------------------------------------------------------------------------------------------


def test_a_rule_on_the_op_comes_first():
    (op,) = ops(TANH)
    attached = ShardingRule((4, 8), (((0,), (1,)),), (((0,), (1,)),), permutation=(1,))
    attributes.put(op, attributes.SHARDING_RULE, attached)
    assert rule_of(op) == attached
    assert rule_of(op, conservative=True) == attached
    assert create_rule(op) == ShardingRule.identity((4, 8))


def test_equal_ops_share_a_rule():
    first, second, other = ops(
        '%0 = "stablehlo.reverse"(%a) {dimensions = array<i64: 1>} : (tensor<4x8xf32>) -> tensor<4x8xf32>\n'
        '%1 = "stablehlo.reverse"(%0) {dimensions = array<i64: 1>, note = 1} : (tensor<4x8xf32>) -> tensor<4x8xf32>\n'
        '%2 = "stablehlo.reverse"(%0) {dimensions = array<i64: 0>} : (tensor<4x8xf32>) -> tensor<4x8xf32>'
    )
    assert create_rule(first) is create_rule(second)
    assert not depends_on_surroundings(first)
    assert create_rule(first) != create_rule(other)


def test_what_a_function_reads_only_at_times_is_still_told_apart():
    """The attribute `dim` is read for one op and not for another."""

    @sharding_rule("my.op")
    def my_op(op: OpSignature) -> ShardingRule | None:
        if op.attribute("plain") is None and op.integer("dim") == 1:
            return None
        return pointwise(op)

    op = '"my.op"(%a) {{{}}} : (tensor<4x8xf32>) -> tensor<4x8xf32>'
    texts = ["plain", "plain, dim = 1", "dim = 1", "dim = 0", "plain, dim = 1"]
    found = ops("\n".join(f"%{number} = " + op.format(text) for number, text in enumerate(texts)))
    for order in (found, list(reversed(found))):
        registry._made.clear()
        assert [create_rule(each) is None for each in order] == [each is found[2] for each in order]


def test_remembered_rules_are_those_made_anew():
    instances = [random_instance(kind, seed) for kind in GENERATORS for seed in range(4)]
    module = ir.Module.parse(module_of([*instances, *instances]), make_context(allow_unregistered_dialects=True))
    with collecting(lambda _: None):
        remembered = [(op, create_rule(op), create_rule(op, conservative=True)) for op in pre_order(module.operation)]
        for op, rule, conservative_rule in remembered:
            registry._made.clear()
            assert (rule, conservative_rule) == (create_rule(op), create_rule(op, conservative=True))


def test_remembered_rules_do_not_keep_a_context_alive():
    context = ir.Context()
    stablehlo.register_dialect(context)
    module = ir.Module.parse(f"func.func @f(%a: tensor<4x8xf32>) {{ {TANH} return }}", context)
    assert create_rule(pre_order(module.operation)[2]) is not None
    remaining = weakref.ref(context)
    del context, module
    gc.collect()
    assert remaining() is None


# Ops without a rule ------------------------------------------------------------------------------


def test_ops_of_structure_are_silent():
    found = ops(
        "%0 = stablehlo.constant dense<1.0> : tensor<f32>\n"
        "%1 = stablehlo.iota dim = 0 : tensor<4xf32>\n"
        "%2 = stablehlo.create_token : !stablehlo.token\n"
        "%3 = stablehlo.after_all %t, %2 : !stablehlo.token\n"
        "%4 = stablehlo.partition_id : tensor<ui32>\n"
        "%5:2 = stablehlo.optimization_barrier %a, %b : tensor<4x8xf32>, tensor<8x2xf32>\n"
        "%6 = stablehlo.while(%x = %a) : tensor<4x8xf32> cond {\n"
        "  %true = stablehlo.constant dense<true> : tensor<i1>\n"
        "  stablehlo.return %true : tensor<i1>\n"
        "} do {\n"
        "  stablehlo.return %x : tensor<4x8xf32>\n"
        "}"
    )
    assert warnings_of(found) == []


def test_only_the_first_unknown_op_and_the_first_unknown_call_are_warned_about():
    found = ops(
        '%0 = "my.first"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>\n'
        '%1 = "my.second"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>\n'
        "%2 = stablehlo.custom_call @first(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>\n"
        "%3 = stablehlo.custom_call @second(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>"
    )
    messages = [warning.message for warning in warnings_of(found)]
    assert [message.split(" op ")[0] for message in messages] == ["'my.first'", "'stablehlo.custom_call'"]


@pytest.mark.parametrize("target", ["tpu_custom_call", "sdy_testonly", "xla.debug.Log"])
def test_calls_of_callbacks_are_silent(target: str):
    assert warnings_of(ops(call(target))) == []


# Rules of users ----------------------------------------------------------------------------------


def test_a_rule_as_notation():
    @sharding_rule("my.matmul")
    def matmul(op: OpSignature) -> str:
        return "i j, j k -> i k"

    (op,) = ops(MATMUL)
    assert str(rule_of(op)) == "<([i, j], [j, k])->([i, k]) {i=4, j=8, k=2}, custom>"


def test_a_rule_as_text_of_the_attribute():
    @sharding_rule("my.matmul")
    def matmul(op: OpSignature) -> str:
        return "#sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=4, j=2, k=8} reduction={k}>"

    (op,) = ops(MATMUL)
    assert str(rule_of(op)) == "<([i, k], [k, j])->([i, j]) {i=4, j=2, k=8} reduction={k}, custom>"


def test_a_rule_from_the_builder():
    @sharding_rule("my.matmul")
    def matmul(op: OpSignature) -> ShardingRule:
        rule = RuleBuilder(op)
        rule.factor(op.operand(0)[0], {0: 0}, {0: 0})
        return rule.build()

    (op,) = ops(MATMUL)
    assert str(rule_of(op)) == "<([i, j], [k, l])->([i, m]) {i=4, j=1, k=1, l=1, m=1}, custom>"


def test_a_rule_for_a_target_of_custom_calls():
    @sharding_rule(custom_call=("mine", "mine_too"))
    def mine(op: OpSignature) -> ShardingRule:
        return einsum_rule(op, "i j -> i j", need_replication_factors=["j"])

    for target in ("mine", "mine_too"):
        (op,) = ops(call(target))
        assert str(rule_of(op)) == "<([i, j])->([i, j]) {i=4, j=8} need_replication={j}, custom>"


def test_a_rule_for_one_target_beside_a_rule_for_all_calls():
    sharding_rule("stablehlo.custom_call")(lambda op: "i j -> i j")
    sharding_rule(custom_call="mine")(lambda op: "i j -> j i")
    found = ops(call("mine") + "\n" + call("MoveToHost").replace("%0", "%1"))
    assert [str(rule_of(op)) for op in found] == [
        "<([i, j])->([j, i]) {i=4, j=4}, custom>",
        "<([i, j])->([i, j]) {i=4, j=8}, custom>",
    ]


def test_a_question_about_other_ops_is_asked_for_each_op():
    def is_argument(op: ir.Operation) -> bool:
        return isinstance(op.operands[0].owner, ir.Block)

    asked: list[bool] = []

    @sharding_rule("my.op")
    def my_op(op: OpSignature) -> ShardingRule | None:
        asked.append(bool(op.look(is_argument)))
        return pointwise(op) if asked[-1] else None

    found = ops(
        '%0 = "my.op"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>\n'
        '%1 = "my.op"(%0) : (tensor<4x8xf32>) -> tensor<4x8xf32>\n'
        '%2 = "my.op"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>'
    )
    assert [rule_of(op) is None for op in found] == [False, True, False]
    assert depends_on_surroundings(found[0])
    assert asked == [True, False]


def test_a_rule_in_place_of_a_built_in_one():
    (op,) = ops(TANH)
    assert rule_of(op) == ShardingRule.identity((4, 8))

    @sharding_rule("stablehlo.tanh")
    def tanh(op: OpSignature) -> None:
        return None

    assert rule_of(op) is None

    sharding_rule("stablehlo.tanh")(pointwise)
    assert str(rule_of(op)) == "<([i, j])->([i, j]) {i=4, j=8}, custom>"


def test_a_rule_that_does_not_fit_is_an_error_at_the_op():
    @sharding_rule("my.matmul")
    def matmul(op: OpSignature) -> str:
        return "<([i], [i])->([i]) {i=4}>"

    (op,) = ops(MATMUL)
    with pytest.raises(DiagnosticError, match=r"'my.matmul' op has a sharding rule that does not fit operand 0"):
        rule_of(op)


def test_notation_that_does_not_fit_is_an_error_at_the_op():
    @sharding_rule("my.matmul")
    def matmul(op: OpSignature) -> str:
        return "i, i -> i"

    (op,) = ops(MATMUL)
    with pytest.raises(DiagnosticError, match="operand 0 has rank 1 in the sharding rule, 2 in the op"):
        rule_of(op)


def test_a_function_that_looks_at_other_ops_is_asked_for_each_op():
    @sharding_rule("my.op")
    def my_op(op: OpSignature) -> ShardingRule | None:
        return pointwise(op) if isinstance(op.operation.operands[0].owner, ir.Block) else None

    found = ops(
        '%0 = "my.op"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>\n'
        '%1 = "my.op"(%0) : (tensor<4x8xf32>) -> tensor<4x8xf32>\n'
        '%2 = "my.op"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>'
    )
    assert [rule_of(op) is None for op in found] == [False, True, False]
    assert depends_on_surroundings(found[0])


@pytest.mark.parametrize("key", ["xla.sdy.sharding_rule", "xla.sdy.custom_sharding_rule"])
def test_a_call_may_carry_its_rule_as_text(key: str):
    rule = "<([i, j])->([i, j]) {i=4, j=8} permutation={i}, custom>"
    for prefix in ("", "#sdy.op_sharding_rule"):
        (op,) = ops(call("unheard_of", f', mhlo.frontend_attributes = {{{key} = "{prefix}{rule}"}}'))
        warnings: list[Diagnostic] = []
        with collecting(warnings.append):
            assert str(rule_of(op)) == rule
        assert warnings == []


def test_a_call_with_other_frontend_attributes_has_the_rule_of_its_target():
    (op,) = ops(call("MoveToHost", ', mhlo.frontend_attributes = {a = "b"}'))
    assert rule_of(op) == ShardingRule.identity((4, 8))


def test_a_call_with_text_that_is_no_rule_is_an_error():
    (op,) = ops(call("MoveToHost", ', mhlo.frontend_attributes = {xla.sdy.sharding_rule = "<[i]>"}'))
    with pytest.raises(DiagnosticError, match="expected '\\('"):
        rule_of(op)


def test_a_users_rule_goes_before_what_only_partitioning_knows():
    (op,) = ops(call("Cholesky"))
    assert extension_rule(op) is not None
    sharding_rule(custom_call="Cholesky")(lambda op: "i j -> i j")
    assert extension_rule(op) is None
    assert str(rule_of(op)) == "<([i, j])->([i, j]) {i=4, j=8}, custom>"
