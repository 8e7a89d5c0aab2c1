"""Large programs: what is found out about the module does not depend on the number of functions, nests may be deep."""

from __future__ import annotations

from typing import Any

import pytest

import sdy
from benchmarks.synthetic import call_graph, nest
from sdy.dialect.shardings.meshes import MeshTable
from sdy.mlir.functions import ModuleSymbols

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
