"""The rules of random instances of every op equal the reference's."""

from __future__ import annotations

import pytest

import sdy
import tests.generators.op_families  # noqa: F401  (fills GENERATORS)
from sdy.dialect.walk import pre_order
from sdy.passes.propagation.rules import registry, rule_of
from tests.depth import seeds
from tests.generators.op_instances import GENERATORS, OpInstance, module_of, random_instances
from tests.oracle import reference, requires_reference

PASS = "sdy-populate-op-sharding-rules"
INSTANCES = 300

Rules = list[tuple[str, str]]


def rules_by_function(text: str) -> list[Rules]:
    """Names and rules of the ops in each function of a module in which they are written out."""
    module = sdy.parse(text)
    return [
        [(op.name, str(op.attributes.get("sdy.sharding_rule"))) for op in pre_order(function.operation)]
        for function in module.body.operations
    ]


def ours(text: str, options: str) -> str:
    module = sdy.parse(text)
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
    """Except the constraint, whose syntax is not StableHLO's (its lit test has the reference's result), and composites.

    The reference has no rule for those.
    """
    kinds = {target or name for name, target in registry._built_in}
    assert kinds - GENERATORS.keys() == {"sdy.sharding_constraint", "stablehlo.composite"}


def test_the_rule_looked_up_is_the_one_put_on_the_op():
    text = module_of(random_instances(len(GENERATORS), seed=1))
    bare, populated = sdy.parse(text), sdy.parse(text)
    sdy.run(populated, f"func.func({PASS})")
    pairs = zip(pre_order(bare.operation), pre_order(populated.operation), strict=True)
    assert all(rule_of(without) == rule_of(with_rule) for without, with_rule in pairs)
