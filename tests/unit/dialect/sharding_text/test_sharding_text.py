"""Sharding text of XLA: what is read, what is printed, what it means on each device."""

from __future__ import annotations

import random

import numpy as np
import pytest

from sdy.dialect.sharding_text.common_mesh import CommonMesh, NoMeshError
from sdy.dialect.sharding_text.device_order import Iota, as_iota
from sdy.dialect.sharding_text.forms import Kind, Leaf, Maximal, Several, Tiles, Whole
from sdy.dialect.sharding_text.from_sharding import named_of, tiles_of
from sdy.dialect.sharding_text.lexer import ShardingTextError
from sdy.dialect.sharding_text.message_reader import text_of_message
from sdy.dialect.sharding_text.sharding_reader import read
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import Reduction, TensorSharding
from tests.depth import seeds
from tests.generators.features import Features
from tests.generators.sharding_texts import damaged, random_text, random_tiles
from tests.generators.shardings import Shardings
from tests.unit.notation import axis, axis_list

AB = Mesh.of(a=2, b=4)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("{}", "{}"),
        ("{ replicated }", "{replicated}"),
        ("{maximal device=3 shard_as 2}", "{maximal device=3 shard_as 2}"),
        ("{devices=[2,2]<=[2,2]T(0,1)}", "{devices=[2,2]<=[4]}"),
        ("{devices=[4,2]<=[2,2,2]T(2,0,1)}", "{devices=[4,2]<=[4,2]T(1,0)}"),
        ("{devices=[2,2]0,1,2,3}", "{devices=[2,2]0,1,2,3}"),
        ("{devices=[1,1,4]<=[4] last_tile_dim_replicate}", "{replicated}"),
        ("{devices=[4,1]<=[4] last_tile_dims={manual}}", "{devices=[4]<=[4]}"),
        (
            "{devices=[2,2,2]<=[8] last_tile_dims={replicated, unreduced}}",
            "{devices=[2,2,2]<=[2,2,2]T(0,2,1) last_tile_dims={unreduced, replicated}}",
        ),
        (
            "{devices=[2,4]<=[2,2,2]T(2,1,0) last_tile_dim_replicate}",
            "{devices=[2,4]<=[4,2]T(1,0) last_tile_dim_replicate}",
        ),
        ("{devices=[2,3]<=[2,3]T(1,0) last_tile_dim_replicate}", "{devices=[2,3]0,1,3,2,4,5 last_tile_dim_replicate}"),
        ("{{replicated},{maximal device=0}}", "{{replicated}, {maximal device=0}}"),
        ("{mesh['a'=2,'b'=4], []}", "{mesh['a'=2,'b'=4], replicated}"),
        ("{mesh[\"a\"=2], [{'0', ?}]}", "{mesh['a'=2], [{'a', ?}]}"),
        ("{mesh['1'=2,'0'=4], [{'0'}]}", "{mesh['1'=2,'0'=4], [{'0'}]}"),
        ("{mesh['a'=2], device_ids=([2,1]T(1,0)), replicated}", "{mesh['a'=2], replicated}"),
        (
            "{mesh['a'=2,'b'=2], device_ids=([2,2]T(1,0)), [{'a'}]}",
            "{mesh['a'=2,'b'=2], device_ids=([2,2]T(1,0)), [{'a'}]}",
        ),
        (
            "{mesh['a'=2,'b'=4], [{'b':(1)2}], unreduced=max{'b':(2)2}, manual={'a'}}",
            "{mesh['a'=2,'b'=4], [{'b':(1)2}], unreduced=max{'b':(2)2}, manual={'a'}}",
        ),
        ("{mesh['a'=2], [], unreduced=min{'a'}}", "{mesh['a'=2], unreduced=min}"),
        ("{single_device[device_id=3]}", "{single_device[device_id=3]}"),
    ],
)
def test_is_printed_in_the_form_that_is_kept(text: str, printed: str) -> None:
    assert str(read(text)) == printed
    assert str(read(printed)) == printed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("replicated", "expected '{' at column 1"),
        ("{devices=[2,2}", "expected ']' at column 14"),
        ("{maximal}", "expected 'device=' at column 9"),
        ("{device=3}", "expected a sharding at column 2"),
        ("{devices=[1]0}", "expected '<=' at column 13"),
        ("{{}}", "expected the sharding of one value at column 3"),
        ("{{{replicated}}}", "expected the sharding of one value at column 3"),
        ("{replicated} x", "expected the end of the sharding at column 14"),
        ("{devices=[2,2]<=[2,2]}", "expected 'T' at column 22"),
        ("{devices=[2,2]<=[2,2]T(1,1)}", "T(1,1) is not a permutation of 2 dimensions"),
        ("{devices=[2]<=[4]}", "4 devices for 2 tiles"),
        ("{devices=[2,2]0,1,2,2}", "device 2 occurs twice"),
        ("{devices=[2,2]0,1,2,4}", "device 3 is missing"),
        ("{devices=[2,2]0,1,2,-3}", "device -3 is negative"),
        ("{devices=[0,2]<=[0]}", "number of tiles 0 is not positive"),
        ("{devices=[2]<=[2] last_tile_dims={manual,manual}}", "2 kinds of groups for 1 tile dimensions"),
        ("{devices=[99999999999999999999]<=[2]}", "the number 99999999999999999999 is too large"),
        ("{maximal device=-1}", "device -1 is negative"),
        ("{replicated metadata={name='x'}}", "expected metadata at column 23"),
        ("{mesh['a'=2]}", "expected '[' at column 13"),
        ("{mesh['a'=2], [{'b'}]}", "expected an axis of the mesh at column 17"),
        ("{mesh['a'=2,'a'=2], replicated}", 'axis "a" occurs twice in the mesh'),
        ("{mesh['a'=2], [{'a'}p1]}", "expected ',' at column 21"),
        ("{mesh['a'=2], [{'a'}, {'a'}]}", "axis 'a' occurs twice"),
        ("{mesh['a'=4], [{'a':(1)4}]}", "'a':(1)4 is not a part of an axis of size 4"),
        ("{mesh['a'=4], [{'a':(1)2,'a':(2)2}]}", "neighbouring parts of axis 'a' have to be one"),
        ("{mesh['a'=12], [{'a':(1)4}, {'a':(6)2}]}", "parts of axis 'a' do not fit together"),
        ("{mesh['a'=2,'b'=2], [{}], manual={'b','a'}}", "axes that are listed are not in the order of the mesh"),
        ("{mesh['a'=2], device_ids=(0,0), replicated}", "device 0 occurs twice"),
    ],
)
def test_what_is_no_sharding_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(ShardingTextError) as error:
        read(text)
    assert message in str(error.value)
    assert f'"{text}"' in str(error.value)


def test_names_that_the_text_cannot_hold_are_not_printed() -> None:
    with pytest.raises(ValueError, match="has a quote"):
        str(named_of(TensorSharding.closed("mesh", 1), Mesh.of(**{"a'b": 2})))


@pytest.mark.parametrize(
    ("sharding", "mesh", "manual", "text"),
    [
        (TensorSharding.from_axes("m", [axis_list("a"), axis_list("b")]), AB, (), "{devices=[2,4]<=[8]}"),
        (
            TensorSharding.from_axes("m", [axis_list("b"), ()]),
            AB,
            (),
            "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}",
        ),
        (
            TensorSharding.from_axes("m", [(axis("b:(1)2"),), (axis("a"), axis("b:(2)2"))]),
            AB,
            (),
            "{devices=[2,4]<=[2,2,2]T(1,0,2)}",
        ),
        (
            TensorSharding.from_axes("m", [axis_list("b"), ()]),
            AB,
            ("a",),
            "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dims={manual}}",
        ),
        (TensorSharding.closed("m", 2), AB, ("a",), "{devices=[1,1,2,4]<=[8] last_tile_dims={manual, replicated}}"),
        (TensorSharding.closed("m", 2), AB, ("a", "b"), "{manual}"),
        (TensorSharding.closed("m", 2), AB, (), "{replicated}"),
        (
            TensorSharding.from_axes("m", [axis_list("a"), axis_list("b")]),
            Mesh.of(range(7, -1, -1), a=2, b=4),
            (),
            "{devices=[2,4]7,6,5,4,3,2,1,0}",
        ),
        (TensorSharding("m"), Mesh((), (3,)), (), "{maximal device=3}"),
        (TensorSharding.closed("m", 2), Mesh.of(a=1), (), "{devices=[1,1]<=[1]}"),
        (TensorSharding("m"), Mesh.of(a=1), (), "{replicated}"),
        (
            TensorSharding("m", unreduced=axis_list("b"), reduction=Reduction.MAX),
            AB,
            (),
            '{devices=[4,2]<=[2,4]T(1,0) last_tile_dims={unreduced, replicated} metadata={op_type="sdy::reduction_op" '
            'op_name="MAX"}}',
        ),
    ],
)
def test_tiles_of_a_sharding(sharding: TensorSharding, mesh: Mesh, manual: tuple[str, ...], text: str) -> None:
    assert str(tiles_of(sharding, mesh, manual)) == text


def test_a_common_mesh_has_the_borders_of_all() -> None:
    first, second = _tiles("{devices=[2,4]<=[8]}"), _tiles("{devices=[4,2]<=[2,4]T(1,0)}")
    common = CommonMesh.of([first, second, Whole("replicated"), Maximal(1)])
    assert str(common.mesh) == '<["_axis_0"=2, "_axis_1"=4]>'
    assert str(common.sharding_of(second, "mesh")[0]) == '<@mesh, [{"_axis_1"}, {"_axis_0"}]>'
    finer = CommonMesh.of([first, _tiles("{devices=[4,2]<=[8]}")])
    assert str(finer.mesh) == '<["_axis_0"=2, "_axis_1"=2, "_axis_2"=2]>'
    assert str(finer.sharding_of(first, "mesh")[0]) == '<@mesh, [{"_axis_0"}, {"_axis_1", "_axis_2"}]>'


def test_tiles_beside_a_named_mesh_are_parts_of_its_axes() -> None:
    tiles = _tiles("{devices=[2,4]<=[8]}")
    common = CommonMesh.of([tiles, _leaf("{mesh['u'=8], [{'u'}, {}]}")])
    assert str(common.mesh) == '<["u"=8]>'
    assert str(common.sharding_of(tiles, "mesh")[0]) == '<@mesh, [{"u":(1)2}, {"u":(2)4}]>'


def test_devices_in_an_order_of_their_own_are_those_of_the_mesh() -> None:
    tiles = _tiles("{devices=[2,2]3,1,2,0}")
    halves = _tiles("{devices=[2,1,2]1,3,0,2 last_tile_dim_replicate}")
    common = CommonMesh.of([tiles, halves])
    assert str(common.mesh) == '<["_axis_0"=2, "_axis_1"=2], device_ids=[3, 1, 2, 0]>'
    for leaf in (tiles, halves):
        assert str(tiles_of(common.sharding_of(leaf, "m")[0], common.mesh)) == str(leaf)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["{devices=[2,3]<=[6]}", "{devices=[3,2]<=[6]}"], "no mesh suits both"),
        (["{devices=[2,3]<=[2,3]T(1,0)}"], "tiles 2x3 do not divide 3x2"),
        (["{devices=[4]3,1,0,2}", "{devices=[2,2]0,1,2,3}"], "are in an order that no mesh has with those of others"),
    ],
)
def test_what_no_mesh_suits(texts: list[str], message: str) -> None:
    with pytest.raises(NoMeshError, match=message):
        CommonMesh.of([_leaf(text) for text in texts])


@pytest.mark.parametrize("seed", seeds(40, 2000))
def test_a_sharding_means_the_same_as_its_tiles(seed: int) -> None:
    """Each device gets the block of each dimension that the axes say, and shares it with the devices they say."""
    drawn = Shardings(random.Random(seed), Features(small_meshes=True, unreduced=True))
    named = drawn.mesh()
    mesh = named.mesh
    sharding = drawn.on_mesh(named, (None,) * random.Random(seed).randint(0, 3), frozenset())
    leaf = tiles_of(sharding, mesh)
    if not isinstance(leaf, Tiles) or mesh.size == 1:
        assert all(size == 1 for size in (dim.shards(mesh.axis_sizes) for dim in sharding.dims))
        return
    coordinates = leaf.coordinates
    for number, dim in enumerate(sharding.dims):
        assert np.array_equal(coordinates[:, number], mesh.shard_indices(dim.axes))
    if Kind.UNREDUCED in leaf.groups:
        group = leaf.rank + leaf.groups.index(Kind.UNREDUCED)
        assert np.array_equal(coordinates[:, group], mesh.shard_indices(sharding.unreduced))
    back = CommonMesh.of([leaf])
    again = tiles_of(back.sharding_of(leaf, "mesh")[0], back.mesh)
    if isinstance(leaf.devices, Iota):
        assert str(again) == str(leaf)
    else:  # a list may come back as the transposed iota that it is
        assert isinstance(again, Tiles)
        assert (again.dims, again.devices.ids.tolist()) == (leaf.dims, leaf.devices.ids.tolist())


@pytest.mark.parametrize("seed", seeds(40, 2000))
def test_tiles_there_and_back(seed: int) -> None:
    rng = random.Random(seed)
    leaf = _leaf(random_tiles(rng, rng.choice([4, 6, 8, 12])))
    if not isinstance(leaf, Tiles):
        return
    try:
        common = CommonMesh.of([leaf])
    except NoMeshError:
        return
    sharding, manual = common.sharding_of(leaf, "mesh")
    names = [axis.name for axis in manual]
    again = tiles_of(sharding, common.mesh, names)
    if not isinstance(again, Tiles):
        assert leaf.dims[: leaf.rank] == (1,) * leaf.rank
        return
    data = slice(None, leaf.rank)
    assert np.array_equal(again.coordinates[:, data], leaf.coordinates[:, data])
    assert (again.dims, again.groups) == (leaf.dims, leaf.groups)


@pytest.mark.parametrize("seed", seeds(3, 50))
def test_damaged_texts_are_read_or_refused(seed: int) -> None:
    """Nothing else than a sharding whose text is read again, or an error that quotes what was written."""
    rng = random.Random(seed)
    outcomes = {True: 0, False: 0}
    for _ in range(100):
        text = damaged(rng, random_text(rng))
        try:
            found = read(text)
        except ShardingTextError as error:
            assert f'"{text}"' in str(error)
            outcomes[False] += 1
        else:
            again = read(str(found))
            assert str(read(str(again))) == str(again)
            outcomes[True] += 1
    assert outcomes[False] > 0


@pytest.mark.parametrize(("ids", "text"), [((0, 2, 1, 3), "<=[2,2]T(1,0)"), ((0, 1), "<=[2]"), ((0,), "<=[1]")])
def test_lists_as_transposed_iotas(ids: tuple[int, ...], text: str) -> None:
    found = as_iota(ids)
    assert str(found) == text


def test_every_transposed_iota_is_found() -> None:
    rng = random.Random(0)
    for _ in range(200):
        reshape = [rng.choice([1, 2, 2, 3]) for _ in range(rng.randint(1, 4))]
        iota = Iota.of(reshape, rng.sample(range(len(reshape)), len(reshape)))
        assert as_iota(iota.ids.tolist()) == iota


def _leaf(text: str) -> Leaf:
    found = read(text)
    assert not isinstance(found, Several)
    return found


def _tiles(text: str) -> Tiles:
    found = read(text)
    assert isinstance(found, Tiles)
    return found


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("", "{replicated}"),
        ("0804", "{manual}"),
        ("0801220103", "{maximal device=3}"),
        ("08031a0202044a0108520100", "{devices=[2,4]<=[8]}"),
        ("08031a020202220403010200", "{devices=[2,2]3,1,2,0}"),
        ("08031802180220032001200220 00", "{devices=[2,2]3,1,2,0}"),
        ("08031a0304010230014a02020452020100", "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"),
        ("08031a03020202420204004a0108520100", "{devices=[2,2,2]<=[8] last_tile_dims={manual, replicated}}"),
        ("08022a002a0b08031a01024a0102520100", "{{replicated}, {devices=[2]<=[2]}}"),
        ("0805580160036801", "{unknown shard_like 3}"),
        (
            "08063a180a117364793a3a726564756374696f6e5f6f70120353554d",
            '{unreduced metadata={op_type="sdy::reduction_op" op_name="SUM"}}',
        ),
        ("0809", None),
        ("08", None),
        ("720512031201 03", None),
        ("1a05", None),
    ],
)
def test_serialized_shardings(data: str, text: str | None) -> None:
    assert text_of_message(bytes.fromhex(data)) == text


def test_bytes_that_are_no_sharding() -> None:
    rng = random.Random(0)
    message = bytes.fromhex("08031a0304010230014a02020452020100")
    for _ in range(2000):
        damaged_bytes = bytearray(message)
        for _ in range(rng.randint(1, 3)):
            damaged_bytes[rng.randrange(len(message))] = rng.randrange(256)
        text = text_of_message(bytes(damaged_bytes))
        try:
            assert text is None or str(read(text))
        except ShardingTextError:
            continue
