"""Large programs: what is found out about the module does not depend on the number of functions, nests may be deep."""

from __future__ import annotations

import cProfile
from collections.abc import Callable
from typing import Any

import pytest

import sdy
from benchmarks.synthetic import call_graph, nest
from sdy.dialect.shardings.meshes import MeshTable
from sdy.mlir.functions import ModuleSymbols
from sdy.page import Parts
from tests import depth

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("table", [MeshTable, ModuleSymbols])
def test_tables_of_the_module_are_not_made_for_each_function(table: type, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    make: Any = table.__init__

    def counted(self: object, module: object) -> None:
        made.append(self)
        make(self, module)

    monkeypatch.setattr(table, "__init__", counted)
    counts = []
    for functions in (10, 30):
        sdy.run(sdy.parse(call_graph(functions)), "sdy-partition-pipeline")
        counts.append(len(made))
        made.clear()
    assert counts[0] == counts[1]


def test_deep_nest() -> None:
    depth = 520
    module = sdy.parse(nest(depth))
    sdy.run(module, "sdy-propagation-pipeline,sdy-export-pipeline{partitioner-stage=convert-global-to-local}")
    assert sdy.print_module(module).count("stablehlo.while") == depth


@depth.deep
@pytest.mark.parametrize(
    "asked",
    [
        lambda text: sdy.page.data(text, machine="h100", parts=Parts(cures=0)),
        lambda text: str(sdy.explain(text, "all")),
        lambda text: str(sdy.communication(text, machine="h100")),
        lambda text: str(sdy.auto.estimate(text, "h100")),
    ],
    ids=["page", "explain", "communication", "estimate"],
)
def test_what_explains_a_chain_of_ops_does_work_by_their_number(asked: Callable[[str], object]) -> None:
    asked(_chain(20))
    first, second = (_calls(asked, _chain(count)) for count in (200, 800))
    assert second < 4.4 * first


def _chain(count: int) -> str:
    ops = "".join(f"  %{n} = stablehlo.add %{n - 1}, %{n - 1} : tensor<8x8xf32>\n" for n in range(1, count))
    return f"""sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%0: tensor<8x8xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}}) -> tensor<8x8xf32> {{
{ops}  return %{count - 1} : tensor<8x8xf32>
}}
"""


def _calls(asked: Callable[[str], object], text: str) -> int:
    """How many functions are called, those of C among them."""
    profile = cProfile.Profile()
    profile.runcall(asked, text)
    return sum(each.callcount for each in profile.getstats())
