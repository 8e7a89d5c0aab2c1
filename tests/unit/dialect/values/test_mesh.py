"""Meshes, the places of devices on them, and groups of devices."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdy.dialect.values.mesh import Mesh, MeshAxis
from tests.unit.notation import axis, axis_list

XYZ = Mesh.of(x=2, y=4, z=2)
REORDERED = Mesh.of((7, 6, 5, 4, 0, 1, 2, 3), x=2, y=4)


def test_ids_in_the_default_order_are_no_ids() -> None:
    assert Mesh.of((0, 1, 2, 3), x=2, y=2) == Mesh.of(x=2, y=2)
    assert hash(Mesh.of((0, 1, 2, 3), x=2, y=2)) == hash(Mesh.of(x=2, y=2))
    assert Mesh.of((0, 1, 3, 2), x=2, y=2) != Mesh.of(x=2, y=2)


@pytest.mark.parametrize(
    ("mesh", "text"),
    [
        (Mesh(), "<[]>"),
        (Mesh((), (3,)), "<[], device_ids=[3]>"),
        (Mesh.of(a=2, b=3), '<["a"=2, "b"=3]>'),
        (Mesh.of((1, 0), a=2), '<["a"=2], device_ids=[1, 0]>'),
        (Mesh((MeshAxis('a"', 1),)), r'<["a\22"=1]>'),
    ],
)
def test_text(mesh: Mesh, text: str) -> None:
    assert str(mesh) == text


def test_empty_maximal_and_one_device_meshes_differ() -> None:
    empty, maximal, one = Mesh(), Mesh((), (0,)), Mesh.of(a=1)
    assert [mesh.is_empty for mesh in (empty, maximal, one)] == [True, False, False]
    assert [mesh.is_maximal for mesh in (empty, maximal, one)] == [False, True, False]
    assert [mesh.size for mesh in (empty, maximal, one)] == [1, 1, 1]


@pytest.mark.parametrize(
    ("axes", "ids", "complaint"),
    [
        ([("a", 0)], (), "size 0"),
        ([("a", 2), ("a", 2)], (), "twice"),
        ([("a", 2)], (0,), "1 device ids for a mesh of 2"),
        ([("a", 2)], (0, 2), "permutation"),
        ([("a", 2)], (1, 1), "permutation"),
        ([("a", 2)], (-1, 0), "negative"),
        ([], (0, 1), "at most one"),
    ],
)
def test_what_is_no_mesh(axes: list[tuple[str, int]], ids: tuple[int, ...], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Mesh(tuple(MeshAxis(name, size) for name, size in axes), ids)


def test_equality_up_to_device_ids() -> None:
    assert REORDERED.equals_ignoring_device_ids(Mesh.of(x=2, y=4))
    assert not REORDERED.equals_ignoring_device_ids(Mesh.of(x=4, y=2))
    assert not REORDERED.equals_ignoring_device_ids(Mesh.of(y=4, x=2))
    assert Mesh((), (1,)).equals_ignoring_device_ids(Mesh((), (2,)))
    assert not Mesh((), (1,)).equals_ignoring_device_ids(Mesh())


def test_mesh_order_is_by_position_then_pre_size() -> None:
    mesh = Mesh.of(y=16, x=24)
    ordered = axis_list("y:(1)2 y:(2)2 x:(1)2 x x:(2)2")
    backwards = ordered[::-1]
    assert tuple(sorted(backwards, key=mesh.order_key)) == ordered


def test_sort_and_merge() -> None:
    mesh = Mesh.of(y=16, x=24)
    assert mesh.sort_and_merge(axis_list("x y:(4)4 y:(1)2 y:(2)2")) == axis_list("y x")
    assert mesh.sort_and_merge(axis_list("x:(2)3 y:(4)4")) == axis_list("y:(4)4 x:(2)3")
    assert mesh.sort_and_merge(()) == ()


@pytest.mark.parametrize(
    ("used", "atoms"),
    [
        ("y:(2)2", "x y:(1)2 y:(2)2 y:(4)4 z"),
        ("", "x y z"),
        ("x y z", "x y z"),
        ("y:(1)4 y:(8)2", "x y:(1)4 y:(4)2 y:(8)2 z"),
    ],
)
def test_atomic_axes(used: str, atoms: str) -> None:
    assert Mesh.of(x=2, y=16, z=4).atomic_axes(axis_list(used)) == axis_list(atoms)


# Devices ----------------------------------------------------------------------------------------


def test_offsets_of_shards() -> None:
    offsets = 4 * XYZ.shard_indices(axis_list("y:(2)2 x"))
    assert offsets.tolist() == [0, 0, 8, 8, 0, 0, 8, 8, 4, 4, 12, 12, 4, 4, 12, 12]


def test_offsets_go_by_device_id() -> None:
    offsets = 4 * REORDERED.shard_indices(axis_list("y:(2)2 x"))
    assert offsets.tolist() == [4, 12, 4, 12, 8, 0, 8, 0]


@pytest.mark.parametrize(
    ("mesh", "over", "groups"),
    [
        (XYZ, "x y:(2)2", [[0, 2, 8, 10], [1, 3, 9, 11], [4, 6, 12, 14], [5, 7, 13, 15]]),
        (XYZ, "y:(2)2 x", [[0, 8, 2, 10], [1, 9, 3, 11], [4, 12, 6, 14], [5, 13, 7, 15]]),
        (REORDERED, "x y:(2)2", [[7, 6, 0, 1], [5, 4, 2, 3]]),
        (Mesh.of(x=2, y=2), "", [[0], [1], [2], [3]]),
        (Mesh.of(x=2, y=2), "y x", [[0, 2, 1, 3]]),
    ],
)
def test_replica_groups(mesh: Mesh, over: str, groups: list[list[int]]) -> None:
    assert mesh.replica_groups(axis_list(over)).tolist() == groups


@st.composite
def meshes_with_axes(draw: st.DrawFn) -> tuple[Mesh, str]:
    sizes = draw(st.lists(st.sampled_from([1, 2, 3, 4, 8]), min_size=1, max_size=3))
    names = "xyz"[: len(sizes)]
    count = math.prod(sizes)
    ids = tuple(draw(st.permutations(range(count)))) if draw(st.booleans()) else ()
    mesh = Mesh(tuple(map(MeshAxis, names, sizes)), ids)
    used = []
    for name, size in zip(names, sizes, strict=True):
        choice = draw(st.sampled_from(["none", "full", "part"]))
        if choice == "full":
            used.append(name)
        elif choice == "part" and size in (4, 8):
            used.append(f"{name}:({draw(st.sampled_from([1, 2]))})2")
    return mesh, " ".join(draw(st.permutations(used)))


@given(meshes_with_axes())
def test_groups_partition_the_devices(case: tuple[Mesh, str]) -> None:
    mesh, over = case
    groups = mesh.replica_groups(axis_list(over))
    assert sorted(groups.ravel().tolist()) == list(range(mesh.size))
    assert groups.dtype == np.int64


@given(meshes_with_axes())
def test_a_group_holds_each_shard_once_in_order(case: tuple[Mesh, str]) -> None:
    mesh, over = case
    indices = mesh.shard_indices(axis_list(over))
    groups = mesh.replica_groups(axis_list(over))
    assert (indices[groups] == np.arange(groups.shape[1])).all()


@given(meshes_with_axes())
def test_shard_index_of_one_device(case: tuple[Mesh, str]) -> None:
    mesh, over = case
    by_id = mesh.shard_indices(axis_list(over))
    for logical, device in enumerate(mesh.devices):
        assert mesh.shard_index(axis_list(over), logical) == by_id[device]


def test_coordinates_are_row_major() -> None:
    assert [XYZ.coordinate(axis("z"), i) for i in range(4)] == [0, 1, 0, 1]
    assert [XYZ.coordinate(axis("x"), i) for i in (0, 7, 8, 15)] == [0, 0, 1, 1]
    assert [XYZ.coordinate(axis("y:(1)2"), i) for i in (0, 2, 4, 6)] == [0, 0, 1, 1]
    assert [XYZ.coordinate(axis("y:(2)2"), i) for i in (0, 2, 4, 6)] == [0, 1, 0, 1]
