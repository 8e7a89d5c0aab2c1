"""Which symbols ops use, by whatever attributes."""

from __future__ import annotations

from collections import Counter

import pytest

import sdy
from sdy.dialect.symbol_uses import used_symbols

MESHES = r"""
sdy.mesh @mesh = <["x"=4, "y"=2]>
sdy.mesh @"odd \22name\22" = <["x"=2]>
sdy.mesh @unused = <["x"=2]>
"""


def uses(text: str) -> Counter[str]:
    """The symbols that the functions of a module use, which are declared there."""
    context = sdy.make_context()
    context.allow_unregistered_dialects = True
    return Counter(used_symbols(sdy.parse(MESHES + text, context=context).operation))


def function(line: str, arguments: str = "%a: tensor<8xf32>") -> str:
    return f"func.func @f({arguments}) {{\n{line}\nreturn\n}}\nfunc.func private @g(tensor<8xf32>) -> tensor<8xf32>"


def with_attribute(attribute: str) -> str:
    return function(f'"test.op"() {{a = {attribute}}} : () -> ()')


@pytest.mark.parametrize(
    ("attribute", "expected"),
    [
        ("1 : i32", []),
        ('"@mesh"', []),
        ("dense<[1, 2]> : tensor<2xi32>", []),
        ("@g", ["g"]),
        (r'@"odd \22name\22"', ['odd "name"']),
        ("@nobody", ["nobody"]),
        ("@outer::@inner", ["outer"]),
        ("[@g, @g, {x = @mesh}]", ["g", "g", "mesh"]),
        ("#sdy.sharding<@mesh, [{}]>", ["mesh"]),
        ('#sdy.sharding<mesh<["@mesh"=2]>, [{"@mesh"}]>', []),
        (r'#sdy.sharding_per_value<[<@mesh, [{}]>, <@"odd \22name\22", [{}]>]>', ["mesh", 'odd "name"']),
        ("[#sdy.sharding<@mesh, [{}]>]", ["mesh"]),
        ('#stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "@unused">]>', ["mesh"]),
        ("unit", []),
        ("tensor<8xf32>", []),
    ],
)
def test_attributes(attribute: str, expected: list[str]) -> None:
    assert uses(with_attribute(attribute)) == Counter(expected)


def test_each_use_counts() -> None:
    line = "%0 = call @g(%a) : (tensor<8xf32>) -> tensor<8xf32>\n%1 = call @g(%0) : (tensor<8xf32>) -> tensor<8xf32>"
    assert uses(function(line)) == {"g": 2}


def test_arguments_and_results_of_functions() -> None:
    text = function("", "%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}")
    assert uses(text) == {"mesh": 1}


def test_ops_of_the_dialect() -> None:
    assert uses(function('%0 = sdy.reshard %a <@mesh, [{"x"}]> : tensor<8xf32>')) == {"mesh": 1}


def test_nested_regions_count_nested_modules_do_not() -> None:
    inside = "func.func @h() { return }\nfunc.func @i() { call @h() : () -> () return }"
    assert uses(f"module @inner attributes {{test.a = @mesh}} {{ {inside} }}") == {"mesh": 1}
    line = """%0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>]
        manual_axes={"x"} (%b: tensor<2xf32>) {
      %1 = "test.op"(%b) {a = @g} : (tensor<2xf32>) -> tensor<2xf32>
      sdy.return %1 : tensor<2xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>"""
    assert uses(function(line)) == {"mesh": 2, "g": 1}
