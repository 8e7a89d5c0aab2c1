"""No sharding that a module comes with is lost in silence: it is one of the dialect, or the module is refused."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sdy
from sdy.dialect.definition.attributes import SHARDING, value_of
from sdy.dialect.sharding_text.forms import Kind, Leaf, Maximal, Named, Tiles
from sdy.dialect.sharding_text.from_sharding import tiles_of
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.walk import pre_order
from sdy.passes.interchange.importing.foreign_shardings import Encoding, ForeignShardings, is_manual
from sdy.passes.interchange.sites import CUSTOM_CALL, FULL_TO_SHARD, SHARD_TO_FULL, SHARDING_CALL, Site, target_of
from tests.depth import seeds
from tests.generators.sharding_texts import random_module

MODULES = sorted((Path(__file__).parents[3] / "data/modules").glob("*.mlir"))

Meaning = tuple[Any, ...]
"""Which device has which part of a value."""


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_of_modules_of_other_tools(path: Path) -> None:
    assert assert_nothing_is_lost(path.read_text()) == "imported"


@pytest.mark.parametrize("seed", seeds(1, 50))
def test_of_random_modules(seed: int) -> None:
    rng = random.Random(seed)
    outcomes = Counter(assert_nothing_is_lost(random_module(rng, rng.choice([4, 6, 8]))) for _ in range(20))
    assert outcomes["imported"] > 4


@pytest.mark.parametrize("seed", seeds(1, 20))
def test_none_of_them_is_for_one_device(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(4):
        num_devices = rng.choice([4, 6, 8])
        text = random_module(rng, num_devices)
        try:
            partitioned = sdy.partition(text)
        except DiagnosticError:
            continue
        assert partitioned.num_devices == num_devices, text


def assert_nothing_is_lost(text: str) -> str:
    """Whether the module is imported, with all that it says, or refused."""
    module = sdy.parse(text)
    foreign = ForeignShardings(module.operation)
    has_texts = foreign.encoding in (Encoding.NAMED, Encoding.TILES)
    before = Counter(_said(foreign) if has_texts else ())
    try:
        sdy.run(module, "sdy-import-foreign-shardings")
    except DiagnosticError:
        return "refused"
    after = Counter(_meant(module.operation))
    assert not before - after, text
    assert after or not before, text
    return "imported"


def _said(foreign: ForeignShardings) -> Iterator[Meaning]:
    """What the texts that count say; on ops named text counts on constraints alone."""
    for site in foreign.sites:
        is_constraint = site.op.name == CUSTOM_CALL and target_of(site.op) == SHARDING_CALL
        if not site.entries and foreign.encoding is Encoding.NAMED and not is_constraint:
            continue
        if _is_border_of_body(site) or (not site.entries and _is_said_beside(site.op)):
            continue
        for leaf in site.read():
            meaning = _of_leaf(leaf)
            if meaning is not None:
                yield meaning


def _is_border_of_body(site: Site) -> bool:
    """Whether it is what a computation on each device takes or returns, as its conversions say."""
    return (bool(site.entries) or site.op.name == "func.call") and any(map(is_manual, site.read()))


def _is_said_beside(op: Any) -> bool:
    """Whether what is said inside of a computation is, with its manual axes, said at the border as well."""
    if op.name not in (CUSTOM_CALL, "mhlo.copy"):
        return False
    users = [use.owner.operation for result in op.results for use in result.uses]
    return _converts(op, FULL_TO_SHARD) or any(_converts(user, SHARD_TO_FULL) for user in users)


def _converts(op: Any, target: str) -> bool:
    return op.name == CUSTOM_CALL and target_of(op) == target


def _of_leaf(leaf: Leaf) -> Meaning | None:
    if isinstance(leaf, Maximal):
        return ("device", leaf.device)
    if isinstance(leaf, Named):
        return None if is_manual(leaf) and not leaf.sharding.dims else _of_sharding(leaf.sharding, leaf.mesh)
    if not isinstance(leaf, Tiles):
        return None
    groups = [leaf.rank + number for number, kind in enumerate(leaf.groups) if kind is Kind.UNREDUCED]
    tiled = [number for number, size in enumerate(leaf.tile_dims) if size > 1]
    if not tiled and not groups:
        return None
    return (leaf.rank, *((number, leaf.coordinates[:, number].tobytes()) for number in (*tiled, *groups)))


def _of_sharding(sharding: TensorSharding, mesh: Mesh) -> Meaning | None:
    leaf = tiles_of(sharding, mesh)
    if isinstance(leaf, Tiles):
        return _of_leaf(leaf)
    return ("device", leaf.device) if isinstance(leaf, Maximal) else None


def _meant(module: Any) -> Iterator[Meaning]:
    meshes = MeshTable(module)
    for sharding in _shardings(module):
        mesh = meshes.of(sharding)
        assert mesh is not None
        meaning = _of_sharding(sharding, mesh)
        if meaning is not None:
            yield meaning


def _shardings(module: Any) -> Iterator[TensorSharding]:
    """Every sharding, as often as there is a value with it."""
    for op in pre_order(module):
        for name in (SHARDING, "sharding", "in_shardings", "out_shardings"):
            if name in op.attributes:
                value = value_of(op.attributes[name])
                yield from [value] if isinstance(value, TensorSharding) else value
        for name in ("arg_attrs", "res_attrs") if op.name == "func.func" else ():
            for entry in op.attributes.get(name) or ():
                if SHARDING in entry:
                    yield value_of(entry[SHARDING])
