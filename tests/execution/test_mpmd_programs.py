"""Random programs of several meshes, from named computations to runs, give the numbers of one program."""

from __future__ import annotations

import random

import jax
import numpy as np
import pytest

import sdy
from sdy import execution
from sdy.dialect.assembly import print_module
from sdy.mlir import ir
from sdy.mlir.diagnostics import collecting
from sdy.mlir.functions import funcs
from sdy.mlir.rewriting import inline, replace
from sdy.mlir.walk import post_order
from sdy.mpmd_running.dispatch import shape_and_dtype
from sdy.mpmd_running.module_runs import MeshesModule
from sdy.passes.manager import run_pipeline
from sdy.running.placement import unpartitioned
from tests.depth import seeds
from tests.generators.mpmd_graphs import Graph, generate

DEVICES = 8


def _program(seed: int) -> Graph | None:
    """The random program with meshes of one or two devices, without foreign calls; None if it has too many meshes."""
    graph = generate(seed)
    text = graph.text if seed % 2 else graph.text.replace('"x"=2', '"x"=1')
    lines = [line for line in text.splitlines() if "@effect" not in line]
    count = (2 if seed % 2 else 1) * text.count(' : <["x"=')
    return None if count > DEVICES else Graph("\n".join(lines), graph.assignment, graph.inputs, graph.outputs)


def _exported(graph: Graph, seed: int) -> str:
    rng = random.Random(seed)
    given = {
        "name-to-mesh-assignment": graph.assignment,
        "input-assignment": graph.inputs,
        "output-assignment": graph.outputs,
        "infer-transfers": "true",
        "split-bwd-fragments": "true" if rng.random() < 0.3 else "",
    }
    options = " ".join(f"{name}={value}" for name, value in given.items() if value)
    schedule = rng.choice(["None", "GPipe", "1F1B", "ZeroBubbleH1"])
    remat = " remat-fragments=true" if rng.random() < 0.3 else ""
    module = sdy.parse(graph.text)
    pipelines = [
        f"mpmd-import-pipeline{{{options}}}",
        f"mpmd-optimize-pipeline{{pipeline-schedule={schedule}{remat}}}",
        "mpmd-sharding-propagation-pipeline",
        "mpmd-export-pipeline{keep-call-counters=true}",
    ]
    with collecting(lambda _: None):
        run_pipeline(module, ",".join(pipelines))
    return print_module(module)


def _without_meshes(text: str) -> str:
    """The program with computations inlined, calls as those of any function, and values as they are."""
    module = sdy.parse(text)
    with module.context, ir.Location.unknown():
        for op in post_order(module.operation):
            if op.name == "mpmd.named_computation":
                inline(op)
            elif op.name in ("mpmd.named_tensor", "mpmd.broadcast", "mpmd.reduce"):
                replace(op, list(op.operands))
            elif op.name == "mpmd.call":
                types, callee = [result.type for result in op.results], op.attributes["callee"]
                place = ir.InsertionPoint(op)
                made = ir.Operation.create("func.call", types, list(op.operands), {"callee": callee}, ip=place)
                replace(op, list(made.results))
        for func in funcs(module):
            if "topology" in func.attributes:
                del func.attributes["topology"]
        return unpartitioned(print_module(module))


@pytest.mark.parametrize("seed", seeds(10, 200))
def test_random_programs_give_the_numbers_of_one_program(seed: int) -> None:
    graph = _program(seed)
    if graph is None:
        return
    given = MeshesModule.of(_exported(graph, seed))
    assert given is not None
    normal = np.random.default_rng(seed)
    inputs = given.inputs(lambda shape, dtype: normal.normal(0, 1, shape).astype(dtype))
    results = given.run(inputs, jax.devices()[: given.num_devices])
    types = [shape_and_dtype(given.program.slots[slot]) for slot in given.program.results]
    expected = execution.run_text(_without_meshes(graph.text), types)(*inputs)
    for value, other in zip(results, expected, strict=True):
        # Sums over meshes are added up in another order.
        np.testing.assert_allclose(value, other, rtol=2e-5, atol=1e-5)
