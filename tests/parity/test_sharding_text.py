"""Sharding text is read, printed, cut into axes and made of shardings as XLA does."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from sdy.dialect.sharding_text.common_mesh import CommonMesh, NoMeshError
from sdy.dialect.sharding_text.forms import Tail, Tiles
from sdy.dialect.sharding_text.from_sharding import named_of, tiles_of
from sdy.dialect.sharding_text.lexer import ShardingTextError
from sdy.dialect.sharding_text.message_reader import text_of_message
from sdy.dialect.sharding_text.sharding_reader import read
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from tests.depth import ALL, seeds
from tests.generators.features import Features
from tests.generators.sharding_texts import damaged, random_text, random_tiles
from tests.generators.shardings import NamedMesh, Shardings
from tests.hlo_oracle import ABORTED, REFUSED, asked
from tests.oracle import requires_reference

PER_SEED = 200 if ALL else 80

pytestmark = requires_reference

_OURS_ALONE_REFUSES = re.compile(r"is no permutation|occurs twice|is missing|is negative|not positive|expected '}'")
"""What XLA takes without a look: devices that are not 0 to n-1, sizes below 1, several shardings in one brace."""

_DEFAULT_IDS = re.compile(r"device_ids=\(0,1[,\d]*\)")
"""XLA aborts on a mesh whose devices are listed in their own order."""


@pytest.mark.parametrize("seed", seeds(2, 10))
def test_texts_are_printed_as_by_xla(seed: int) -> None:
    rng = random.Random(seed)
    texts = [random_text(rng) for _ in range(PER_SEED)]
    for text, expected in zip(texts, asked("print", texts), strict=True):
        if expected == ABORTED:
            assert _DEFAULT_IDS.search(text) or _refused(text), text
        else:
            assert _printed(text) == expected, text


@pytest.mark.parametrize("seed", seeds(2, 25))
def test_damaged_texts_mean_what_they_mean_to_xla(seed: int) -> None:
    rng = random.Random(seed)
    texts = [damaged(rng, random_text(rng)) for _ in range(PER_SEED)]
    for text, expected in zip(texts, asked("print", texts), strict=True):
        try:
            got = _printed(text)
        except ShardingTextError as error:
            assert expected in (ABORTED, REFUSED) or _OURS_ALONE_REFUSES.search(str(error)), text
        else:
            assert got == expected or (expected == ABORTED and _DEFAULT_IDS.search(text)), text


def _printed(text: str) -> str:
    return re.sub(r" metadata=\{(?:[^{}]|\{[^{}]*\})*\}", "", str(read(text)))


def _refused(text: str) -> bool:
    try:
        read(text)
    except ShardingTextError:
        return True
    return False


@pytest.mark.parametrize("seed", seeds(1, 10))
def test_serialized_shardings_say_what_they_say_to_xla(seed: int) -> None:
    rng = random.Random(seed)
    texts = [text for text in (random_text(rng) for _ in range(PER_SEED)) if "mesh[" not in text and not _refused(text)]
    for text, answer in zip(texts, asked("message", texts), strict=True):
        data, expected = answer
        found = text_of_message(bytes.fromhex(data))
        assert found is not None and _printed(found) == _printed(expected), text
    assert len(texts) > PER_SEED / 2


@pytest.mark.parametrize("seed", seeds(1, 2))
def test_tiles_are_cut_into_the_axes_of_xla(seed: int) -> None:
    rng = random.Random(seed)
    leaves = [leaf for leaf in (read(random_tiles(rng)) for _ in range(PER_SEED)) if isinstance(leaf, Tiles)]
    texts = list(map(str, leaves))
    compared = 0
    for leaf, expected in zip(leaves, asked("axis sizes", texts), strict=True):
        if expected in (ABORTED, REFUSED):
            continue
        assert [axis.size for axis in CommonMesh.of([leaf]).mesh.axes] == [size for size in expected if size > 1], leaf
        compared += 1
    assert compared > PER_SEED / 2


@pytest.mark.parametrize("seed", seeds(1, 10))
def test_tiles_mean_what_they_mean_to_xla(seed: int) -> None:
    """The grid of devices of each sharding, coordinates computed from the axes."""
    drawn = [_drawn(seed * PER_SEED + number) for number in range(PER_SEED)]
    leaves = [tiles_of(sharding, mesh) for mesh, sharding in drawn]
    tiles = [leaf for leaf in leaves if isinstance(leaf, Tiles)]
    for leaf, grid in zip(tiles, asked("tiles", list(map(str, tiles))), strict=True):
        assert tuple(grid["dims"]) == leaf.dims
        assert grid["devices"] == leaf.devices.ids.tolist()


@pytest.mark.parametrize("seed", seeds(1, 3))
def test_tiles_of_shardings_are_those_that_xla_exports(seed: int) -> None:
    drawn = [_drawn(seed * 150 + number) for number in range(150)]
    modules = [_module(mesh, sharding) for mesh, sharding in drawn]
    compared = 0
    for (mesh, sharding), module in zip(drawn, asked("artifact", modules), strict=True):
        if module in (ABORTED, REFUSED):
            continue
        expected = re.search(r'mhlo\.sharding = "([^"]*)"', module)
        if expected is not None:
            text = expected[1].replace(r"\22", '"')
            assert str(tiles_of(sharding, mesh)) == text, (str(mesh), str(sharding))
            compared += 1
    assert compared > 100


@pytest.mark.parametrize("seed", seeds(1, 2))
def test_named_texts_mean_the_same_as_tiles(seed: int) -> None:
    """XLA's own conversion of the named text gives the tiles, but for their metadata."""
    drawn = [_drawn(seed * PER_SEED + number) for number in range(PER_SEED)]
    texts = [str(named_of(sharding, mesh)) for mesh, sharding in drawn]
    compared = 0
    for (mesh, sharding), text, expected in zip(drawn, texts, asked("tiles of named", texts), strict=True):
        if expected in (ABORTED, REFUSED):
            continue
        tiles = replace(tiles_of(sharding, mesh), tail=Tail())
        assert str(tiles) == expected, text
        compared += 1
    assert compared > PER_SEED / 2


def _drawn(seed: int) -> tuple[Mesh, TensorSharding]:
    rng = random.Random(seed)
    features = Features(small_meshes=True, unreduced=True, size_one_axes=False, several_meshes=False)
    drawn = Shardings(rng, features)
    mesh = drawn.mesh().mesh
    if rng.random() < 0.2:
        mesh = Mesh(mesh.axes, tuple(rng.sample(range(mesh.size), mesh.size)))
    return mesh, drawn.on_mesh(NamedMesh("mesh", mesh), (None,) * rng.randint(0, 3), frozenset())


def _module(mesh: Mesh, sharding: TensorSharding) -> str:
    type_ = f"tensor<{'24x' * sharding.rank}f32>"
    return (
        f"sdy.mesh @mesh = {mesh}\n"
        f"func.func @main(%x: {type_} {{sdy.sharding = #sdy.sharding{sharding}}}) -> {type_} {{\n"
        f"  return %x : {type_}\n}}\n"
    )


def test_a_mesh_is_refused_where_xla_refuses_one() -> None:
    texts = ["{devices=[2,3]<=[2,3]T(1,0)}", "{devices=[4,3]<=[2,3,2]T(1,0,2)}"]
    assert asked("axis sizes", texts) == [ABORTED, ABORTED]
    for text in texts:
        leaf = read(text)
        assert isinstance(leaf, Tiles)
        with pytest.raises(NoMeshError):
            CommonMesh.of([leaf])
