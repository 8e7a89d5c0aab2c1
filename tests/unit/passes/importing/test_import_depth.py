"""Import of programs with long chains of calls and deep nesting: no pass recurses in Python."""

import pytest

import sdy

pytestmark = pytest.mark.slow


FUNCTIONS = 1_500
DEPTH = 200
TYPE = "tensor<8xf32>"
SIGNATURE = f"({TYPE}) -> {TYPE}"


def chain_of_calls() -> str:
    """Each function calls the next one; those called come first."""
    calls = [f"%0 = call @f{number + 1}(%x) : {SIGNATURE}" for number in range(FUNCTIONS - 1)]
    bodies = [*calls, f"%0 = stablehlo.constant dense<1.0> : {TYPE}"]
    functions = [
        f"func.func {'private ' * (number > 0)}@f{number}(%x: {TYPE}) -> {TYPE} {{ {body} return %0 : {TYPE} }}"
        for number, body in enumerate(bodies)
    ]
    return "\n".join(reversed(functions)).replace("@f0(", "@main(")


def nested_computations(kind: str) -> str:
    """Computations in computations around a constant."""
    empty = " in_shardings=[<@mesh, [{}]>] out_shardings=[<@mesh, [{}]>] manual_axes={} "
    head, tail = ('sdy.named_computation<"f">', "") if kind == "named" else ("sdy.manual_computation", empty)
    lines = [f"%r{i} = {head}(%x{i}){tail}(%x{i + 1}: {TYPE}) {{" for i in range(DEPTH)]
    lines.append(f"%r{DEPTH} = stablehlo.constant dense<1.0> : {TYPE}")
    lines += [f"sdy.return %r{i + 1} : {TYPE} }} : {SIGNATURE}" for i in reversed(range(DEPTH))]
    body = "\n".join(lines)
    return f'sdy.mesh @mesh = <["a"=2]>\nfunc.func @main(%x0: {TYPE}) -> {TYPE} {{ {body} return %r0 : {TYPE} }}'


@pytest.mark.parametrize("kind", ["named", "manual"])
def test_nested_computations_are_imported(kind: str) -> None:
    module = sdy.parse(nested_computations(kind))
    sdy.run(module, "sdy-import-pipeline{dedup-functions-fully=true}")
    assert sdy.print_module(module).count("sdy.data_flow_edge") == 2 * DEPTH


@pytest.mark.parametrize("name", ["sdy-flatten-call-graph", "sdy-pre-order-funcs", "sdy-add-func-data-flow-edges"])
def test_chain_of_calls_is_imported(name: str) -> None:
    module = sdy.parse(chain_of_calls())
    sdy.run(module, f"sdy-import-pipeline,sdy-apply-sharding-constraints,{name}")
    assert sdy.print_module(module).count("func.func") == FUNCTIONS


def test_chain_of_calls_becomes_nested_computations() -> None:
    module = sdy.parse(chain_of_calls())
    sdy.run(module, "sdy-import-pipeline,sdy-import-func-calls")
    computations = 0
    (op,) = (each.operation for each in module.body.operations)
    while len(op.regions):
        op = op.regions[0].blocks[0].operations[1 if computations else 0].operation
        computations += op.name == "sdy.named_computation"
    assert computations == FUNCTIONS - 1
