"""The rules of random instances of every op equal the reference's."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

import sdy
import tests.generators.op_families  # noqa: F401  (fills GENERATORS)
from sdy.dialect.ops import rules as registry
from sdy.dialect.ops.rules import rule_of
from sdy.mlir.diagnostics import DiagnosticError, DiagnosticErrors
from sdy.mlir.walk import pre_order
from tests.depth import seeds
from tests.generators.op_instances import GENERATORS, OpInstance, module_of, random_instance, random_instances
from tests.oracle import ReferenceFailed, reference, reference_print, requires_reference

PASS = "sdy-populate-op-sharding-rules"
INSTANCES = 300

Rules = list[tuple[str, str]]

shared_context = cache(sdy.make_context)
"""Making a context takes longer than all else."""


def rules_by_function(text: str) -> list[Rules]:
    """Names and rules of the ops in each function of a module in which they are written out."""
    module = sdy.parse(text, context=shared_context())
    return [
        [(op.name, str(op.attributes.get("sdy.sharding_rule"))) for op in pre_order(function.operation)]
        for function in module.body.operations
    ]


def ours(text: str, options: str) -> str:
    module = sdy.parse(text, context=shared_context())
    sdy.run(module, f"func.func({PASS}{options})")
    return sdy.print_module(module)


@requires_reference
@pytest.mark.parametrize("options", ["", "{conservative-propagation=true}"])
@pytest.mark.parametrize("seed", seeds(1, 100))
def test_rules_equal_those_of_the_reference(seed: int, options: str):
    instances = random_instances(INSTANCES, seed)
    text = module_of(instances)
    expected = rules_by_function(reference(text, PASS + options))
    for instance, found, wanted in zip(instances, rules_by_function(ours(text, options)), expected, strict=True):
        assert found == wanted, _reproduction(instance, options)


def _reproduction(instance: OpInstance, options: str) -> str:
    return f"python -m tests.oracle_worker FILE '{PASS}{options}', where FILE holds\n{instance.function('f')}"


def test_every_op_with_a_rule_is_compared():
    """Except the constraint, whose syntax is not StableHLO's (its lit test has the reference's result), composites
    and buffers without contents.

    The reference has no rule for those. Transfers of mpmd need a function with a topology; test_mpmd_passes.py and
    test_mpmd_phases.py compare what is propagated through them.
    """
    kinds = {target or name for name, target in registry.ruled_ops() if not name.startswith("mpmd.")}
    assert kinds - GENERATORS.keys() == {"sdy.sharding_constraint", "stablehlo.composite", "AllocateBuffer"}


def test_the_rule_looked_up_is_the_one_put_on_the_op():
    text = module_of(random_instances(len(GENERATORS), seed=1))
    bare, populated = sdy.parse(text), sdy.parse(text)
    sdy.run(populated, f"func.func({PASS})")
    pairs = zip(pre_order(bare.operation), pre_order(populated.operation), strict=True)
    assert all(rule_of(without) == rule_of(with_rule) for without, with_rule in pairs)


# Types that are not plain -----------------------------------------------------------------------------


def with_types(instance: OpInstance, change: Callable[[str], str]) -> OpInstance:
    """The instance with other types of operands and results."""
    return replace(instance, arguments=[*map(change, instance.arguments)], results=[*map(change, instance.results)])


def dynamic(type_: str) -> str:
    return re.sub(r"\d+x", "?x", type_)


def quantized(type_: str) -> str:
    return re.sub(r"(?<=[<x])[fi]32(?=>)", "!quant.uniform<i8:f32, 0.5:2>", type_)


def outcome(run: Callable[[], str]) -> list[Rules] | str:
    """The rules, or that there are none because the op was refused."""
    try:
        return rules_by_function(run())
    except (ReferenceFailed, DiagnosticError, DiagnosticErrors):
        return "refused"


@requires_reference
def test_dynamic_dimensions_are_refused_where_the_reference_does() -> None:
    """Ops with a rule are, ops without one are not."""
    outcomes = []
    for kind in GENERATORS:
        text = module_of([with_types(random_instance(kind, 1), dynamic)])
        try:
            reference_print(text)
        except ReferenceFailed:  # the op itself has to be static
            continue
        expected = outcome(lambda text=text: reference(text, PASS))
        assert outcome(lambda text=text: ours(text, "")) == expected, text
        outcomes.append(expected)
    refused = outcomes.count("refused")
    assert refused > 60 and len(outcomes) - refused > 10


TOKEN = "!stablehlo.token"
TOKENS = [
    OpInstance("stablehlo.create_token", [], [TOKEN]),
    OpInstance("stablehlo.after_all", [TOKEN, TOKEN], [TOKEN]),
    OpInstance("stablehlo.optimization_barrier", [TOKEN, "tensor<4xf32>"], [TOKEN, "tensor<4xf32>"]),
    OpInstance("stablehlo.outfeed", ["tensor<4xf32>", TOKEN], [TOKEN], 'outfeed_config = ""'),
    OpInstance("stablehlo.infeed", [TOKEN], ["tensor<4xf32>", TOKEN], 'infeed_config = ""'),
    *(
        OpInstance("stablehlo.custom_call", operands, results, f'call_target_name = "{target}"')
        for target in ("MoveToHost", "xla_ffi_python_cpu_callback", "unknown", "X64SplitLow", "Cholesky")
        for operands, results in (
            (["tensor<4x8xf32>", TOKEN], ["tensor<4x8xf32>", TOKEN]),
            ([TOKEN, "tensor<4x8xf32>"], [TOKEN, "tensor<4x8xf32>"]),
            ([TOKEN], ["tensor<4x8xf32>"]),
            (["tensor<4x8xf32>"], [TOKEN]),
            ([], ["tensor<4xf32>"]),
            (["tensor<4x8x2xf32>"], ["tensor<4xf32>"]),
            (["tensor<4xf32>"], ["tensor<4x2x3xf32>"]),
            (["tensor<4xf32>"], ["tuple<tensor<4xf32>>"]),
        )
    ),
]


@requires_reference
@pytest.mark.parametrize("instance", TOKENS, ids=lambda one: f"{one.name}-{one.attributes}-{len(one.arguments)}")
def test_rules_of_ops_with_tokens_and_odd_ranks(instance: OpInstance) -> None:
    text = module_of([instance])
    assert outcome(lambda: ours(text, "")) == outcome(lambda: reference(text, PASS)), text


def test_quantized_types_make_no_difference() -> None:
    """The release that is compared with does not know them."""
    compared = 0
    for kind in GENERATORS:
        plain = random_instance(kind, 1)
        changed = with_types(plain, quantized)
        if kind == "stablehlo.convert" or changed == plain:
            continue
        try:
            found = rules_by_function(ours(module_of([changed]), ""))
        except DiagnosticErrors:  # no op on such types
            continue
        assert found == rules_by_function(ours(module_of([plain]), "")), kind
        compared += 1
    assert compared > 30
