"""What propagation leaves is written as sharding text as XLA writes it itself, manual computations above all.

XLA does not import these any more: what it exports has to come back as what it was.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from math import prod
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

import sdy
from sdy.dialect.definition import attributes
from sdy.dialect.sharding_text.from_sharding import tiles_of
from sdy.dialect.shardings.meshes import MeshTable
from sdy.mlir.search import ops_named
from tests.depth import ALL
from tests.dumping_worker import dump
from tests.execution import gspmd_programs
from tests.generators.features import Features
from tests.generators.programs import generate
from tests.oracle import requires_reference

RANDOM = 150
FEATURES = Features(
    max_ops=8,
    focus=frozenset({"manual_computation"}),
    small_meshes=True,
    several_meshes=False,
    size_one_axes=False,
    device_ids=False,
    tokens=False,
    delicate=False,
    runs=True,
)

EXPORT = (
    "xla-sdy-stablehlo-export-pipeline{keep-hlo-sharding-constraints=false add-missing-sharding-to-control-flow=true "
    "enable-hlo-sharding-v3=%s}"
)

Said = list[tuple[str, str, list[str]]]
"""The ops with text, in order: name, callee or target, texts."""

pytestmark = [requires_reference, pytest.mark.skipif(not ALL, reason="compiles a module for each comparison")]


@pytest.mark.parametrize("named", [True, False])
def test_exports_are_those_of_xla(tmp_path: Path, named: bool) -> None:
    """Both write the module that XLA has after propagation."""
    modules = [_numbered(number, text) for number, text in enumerate([*_jax_programs(), *_random_programs()])]
    dump(tmp_path, modules, *([] if named else ["--xla_enable_hlo_sharding_v3=false"]))
    compared, with_manual_axes = 0, 0
    for number, module in enumerate(modules):
        folder = next(iter(tmp_path.glob(f"shardy/*m{number}")), None)
        if folder is None or not (folder / "04.output_module.mlir").exists():
            continue
        propagated, expected = (next(iter(folder.glob(f"{each}*"))).read_text() for each in ("03", "04"))
        if re.search(r"= mhlo\.\w", propagated):  # ops that the bindings do not read
            continue
        said = _said(expected)
        assert _said(_exported(propagated, named)) == said, module
        if not named:
            assert _computations(_imported(expected)) == _computations(sdy.parse(propagated)), module
        compared += 1
        with_manual_axes += any("manual" in text for _, _, texts in said for text in texts)
    assert compared > len(modules) / 2
    assert with_manual_axes > 20


def _exported(text: str, named: bool) -> str:
    context = sdy.make_context()
    context.allow_unregistered_dialects = True  # constraints are written as copies of mhlo
    module = sdy.parse(text, "-", context)
    sdy.run(module, EXPORT % str(named).lower())
    return sdy.print_module(module)


def _imported(text: str) -> Any:
    """The module with constraints in the place of copies, which the bindings do not read."""
    copies = re.compile(r"mhlo\.copy (%\S+) (\{.*\}) : (.*)")
    module = sdy.parse(copies.sub(r"stablehlo.custom_call @Sharding(\1) \2 : (\3) -> \3", text))
    sdy.run(module, "sdy-import-foreign-shardings")
    return module


def _computations(module: Any) -> Counter[tuple[Any, ...]]:
    """What manual computations take and give: how that lies on the devices, and its parts."""
    meshes = MeshTable(module.operation)
    found: Counter[tuple[Any, ...]] = Counter()
    for op in ops_named(module.operation, "sdy.manual_computation"):
        shardings = (*attributes.get(op, "in_shardings"), *attributes.get(op, "out_shardings"))
        manual = attributes.get(op, "manual_axes").names
        of_mesh = [meshes.of(sharding) for sharding in shardings]
        tiles = [str(tiles_of(one, mesh)) for one, mesh in zip(shardings, of_mesh, strict=True) if mesh is not None]
        size = next((prod(axis.size for axis in mesh.axes if axis.name in manual) for mesh in of_mesh if mesh), 1)
        values = (*op.regions[0].blocks[0].arguments, *op.results)
        found[size, *tiles, *(str(value.type) for value in values)] += 1
    return found


def _said(text: str) -> Said:
    found: Said = []
    for line in text.splitlines():
        texts = re.findall(r'mhlo\.sharding = "((?:[^"\\]|\\.)*)"', line)
        name = re.search(r"(?:= |^ *)\"?((?:stablehlo|mhlo|chlo|func)\.\w+|call)\b", line)
        callee = re.search(r"@([\w.]+)", line)
        if texts:
            op = name[1].removeprefix("func.") if name else ""
            found.append((op, callee[1] if callee and op in ("func", "call", "stablehlo.custom_call") else "", texts))
    return found


def _jax_programs() -> list[str]:
    x = jax.ShapeDtypeStruct((8, 8), np.float32, sharding=NamedSharding(gspmd_programs.mesh(), P("a", "b")))
    return [jax.jit(function).lower(x).as_text() for function in gspmd_programs.PROGRAMS.values()]


def _random_programs() -> list[str]:
    rng = random.Random(0)
    found: list[str] = []
    while len(found) < RANDOM:
        text = generate(rng.randrange(10**6), FEATURES)
        sizes = [int(size) for size in re.findall(r"=(\d+)", text.partition("sdy.mesh @mesh = <")[2].partition(">")[0])]
        devices = int(np.prod(sizes))
        if devices in (2, 4, 6, 8) and "sdy.manual_computation" in text:
            found.append(text.replace("module {", f"module attributes {{mhlo.num_partitions = {devices} : i32}} {{", 1))
    return found


def _numbered(number: int, text: str) -> str:
    """The module under a name by which its dumps are found."""
    text = re.sub(r"\A((?:#.*\n)*)module (?:@\w+ )?", rf"\1module @m{number} ", text, count=1)
    return (
        text.replace("attributes {", "attributes {mhlo.num_replicas = 1 : i32, ", 1)
        if "num_replicas" not in text
        else text
    )
