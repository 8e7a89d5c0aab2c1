"""Paths and places of ops in functions that are called, and in computations that frontends name anew."""

from __future__ import annotations

import sdy
from sdy.dialect.program_values import Program, select
from sdy.dialect.surroundings import Surroundings
from sdy.mlir.diagnostics import Position

TEXT = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @once(%a) : (tensor<4xf32>) -> tensor<4xf32> loc("jit(f)/jit(once)"("user.py":7:3))
  %1 = call @twice(%0) : (tensor<4xf32>) -> tensor<4xf32> loc("jit(f)/a/jit(twice)"("user.py":8:3))
  %2 = call @twice(%1) : (tensor<4xf32>) -> tensor<4xf32> loc("jit(f)/b/jit(twice)"("user.py":9:3))
  %3 = sdy.manual_computation(%2) in_shardings=[<@mesh, [{}]>] out_shardings=[<@mesh, [{}]>] manual_axes={} (%b: tensor<4xf32>) {
    %5 = stablehlo.tanh %b : tensor<4xf32> loc("tanh"("user.py":12:5))
    %6 = stablehlo.sine %5 : tensor<4xf32> loc("jit(f)/whole/sin")
    sdy.return %6 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32> loc("jit(f)/shard_map"("user.py":11:3))
  %4 = call @loops(%3) : (tensor<4xf32>) -> tensor<4xf32> loc("jit(f)/jit(loops)"("user.py":13:3))
  return %4 : tensor<4xf32>
}
func.func private @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @once(%a) : (tensor<4xf32>) -> tensor<4xf32> loc("jit(once)")
  %1 = stablehlo.exponential %0 : tensor<4xf32> loc("exp")
  return %1 : tensor<4xf32>
}
func.func private @once(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.cosine %a : tensor<4xf32> loc("cos")
  return %0 : tensor<4xf32>
}
func.func private @loops(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @loops(%a) : (tensor<4xf32>) -> tensor<4xf32> loc("again")
  %1 = stablehlo.log %0 : tensor<4xf32> loc("jit(loops)/log")
  return %1 : tensor<4xf32>
}
"""  # noqa: E501


def test_paths_and_places_are_those_of_the_calls() -> None:
    module = sdy.parse(TEXT)
    program = Program(module.operation, "-")
    found = {program.ops[value.op].name.rpartition(".")[2]: value for value in program.values if value.called}
    places = {name: (value.called, str(value.positions[0])) for name, value in found.items()}
    assert places["exponential"] == ("jit(f)/*/exp", "user.py:8:3")
    assert places["cosine"][0] == "jit(f)/*/cos"
    assert places["tanh"] == ("jit(f)/shard_map/tanh", "user.py:12:5")
    assert places["sine"] == ("jit(f)/whole/sin", "user.py:11:3")
    assert found["exponential"].what.location == '"jit(f)/*/exp" user.py:8:3'
    assert [value.what.what for value in select(program, "jit(f)/shard_map/*")][-1] == "stablehlo.tanh"
    assert "stablehlo.exponential" in [value.what.what for value in select(program, "user.py:8")]


def test_what_is_called_once() -> None:
    text = TEXT.replace('  %0 = call @once(%a) : (tensor<4xf32>) -> tensor<4xf32> loc("jit(once)")\n', "").replace(
        "exponential %0", "exponential %a"
    )
    program = Program(sdy.parse(text).operation, "-")
    (cosine,) = [value for value in program.values if value.what.what == "stablehlo.cosine"]
    assert (cosine.called, str(cosine.positions[0])) == ("jit(f)/jit(once)/cos", "user.py:7:3")


def test_recursion_ends() -> None:
    program = Program(sdy.parse(TEXT).operation, "-")
    (log,) = [value for value in program.values if value.what.what == "stablehlo.log"]
    assert log.called.endswith("log") and str(log.positions[0]) == "user.py:13:3"


def test_older_paths_begin_with_what_is_called() -> None:
    around = Surroundings("jit(f)/jvp(jit(g))", Position("user.py", 3, 1))
    assert around.path_of("jit(g)/sin") == "jit(f)/jvp(jit(g))/sin"
    assert around.path_of("jit(f)/sin") == "jit(f)/sin"
    assert around.path_of("sin") == "jit(f)/jvp(jit(g))/sin"
    assert around.place_of(Position("a.py", 4, 2)) == Position("a.py", 4, 2)


def test_chains_of_calls_may_be_long() -> None:
    """Longer than Python's stack is deep, with what is called in front of its callers."""
    count = 1500
    ops = ['stablehlo.cosine %a : tensor<4xf32> loc("cos")']
    ops += [f"call @f{number}(%a) : (tensor<4xf32>) -> tensor<4xf32>" for number in range(count)]
    heads = [f"private @f{number}" for number in range(count)] + ["@main"]
    ops[-1] += ' loc("jit(f)/g"("user.py":7:3))'
    functions = [
        f"func.func {head}(%a: tensor<4xf32>) -> tensor<4xf32> {{\n  %0 = {op}\n  return %0 : tensor<4xf32>\n}}"
        for head, op in zip(heads, ops, strict=True)
    ]
    program = Program(sdy.parse("\n".join(functions)).operation, "-")
    (cosine,) = [value for value in program.values if value.what.what == "stablehlo.cosine"]
    assert cosine.called == "jit(f)/g/cos"
