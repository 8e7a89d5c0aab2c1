"""Tiles become the mesh and the shardings that XLA makes of them where it is told to import them."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from sdy.dialect.sharding_text.device_order import Iota
from sdy.dialect.sharding_text.forms import Kind, Tiles
from sdy.dialect.sharding_text.sharding_reader import read
from sdy.mlir.diagnostics import DiagnosticError
from tests.depth import ALL
from tests.dumping_worker import dump
from tests.generators.sharding_texts import random_tiles
from tests.oracle import reference_print, requires_reference
from tests.parity.compare import ours

IMPORT = "xla-sdy-stablehlo-import-pipeline{enable-constant-import=false}"
MODULES = 260

pytestmark = [requires_reference, pytest.mark.skipif(not ALL, reason="compiles a module for each comparison")]


def test_imports_are_those_of_xla(tmp_path: Path) -> None:
    """Both import a module alike, or both refuse it, which XLA does by an abort."""
    rng = random.Random(0)
    modules = [_module(rng, number, rng.choice([4, 6, 8])) for number in range(MODULES)]
    dump(tmp_path, modules)
    compared = 0
    for number, module in enumerate(modules):
        dumps = list(tmp_path.glob(f"shardy/*m{number}/*before_propagation*"))
        if not dumps:
            with pytest.raises(DiagnosticError):
                ours.run(module, IMPORT)
            continue
        assert _said(reference_print(ours.run(module, IMPORT))) == _said(dumps[0].read_text()), module
        compared += 1
    assert compared > MODULES / 2


def _said(text: str) -> tuple[list[str], list[str]]:
    """The meshes, and the shardings of the arguments of main, but for axes that XLA drops (docs/differences.md)."""
    signature = text.split("@main")[1].split("{\n")[0]
    shardings = re.findall(r"#sdy\.sharding<[^>]*>", signature)
    without = [re.sub(r", unreduced=\{[^}]*\}", ", unreduced", sharding) for sharding in shardings]
    return re.findall(r"sdy\.mesh @\w+ = <[^>]*>", text), without


def _module(rng: random.Random, number: int, num_devices: int) -> str:
    """One to three arguments with tiles over the devices, shared by replicated or unreduced groups."""
    texts = []
    while not texts or rng.random() < 0.5:
        leaf = read(random_tiles(rng, num_devices, rng.randint(1, 3)))
        if isinstance(leaf, Tiles) and isinstance(leaf.devices, Iota) and len(leaf.groups) < 2 and _is_told(leaf):
            texts.append((str(Tiles(leaf.dims, leaf.devices, leaf.groups)), f"tensor<{'24x' * leaf.rank}f32>"))
    arguments = ", ".join(f'%a{k}: {type_} {{mhlo.sharding = "{text}"}}' for k, (text, type_) in enumerate(texts))
    types = ", ".join(type_ for _, type_ in texts)
    ops = "\n".join(f"    %s{k} = stablehlo.sine %a{k} : {type_}" for k, (_, type_) in enumerate(texts))
    results = ", ".join(f"%s{k}" for k in range(len(texts)))
    imports = 'mhlo.frontend_attributes = {xla.sdy.import_mhlo_shardings = "t"}'
    counts = f"mhlo.num_partitions = {num_devices} : i32, mhlo.num_replicas = 1 : i32"
    return f"""module @m{number} attributes {{{counts}, {imports}}} {{
  func.func @main({arguments}) -> ({types}) {{
{ops}
    return {results} : {types}
  }}
}}
"""


def _is_told(leaf: Tiles) -> bool:
    """Whether XLA takes what the groups say: it drops manual ones, and aborts where all devices are unreduced."""
    return Kind.MANUAL not in leaf.groups and (Kind.UNREDUCED not in leaf.groups or max(leaf.tile_dims) > 1)
