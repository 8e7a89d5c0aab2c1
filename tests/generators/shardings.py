"""Random meshes, and random shardings that the verifier accepts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from sdy.dialect.values.axes import AxisList, AxisRef, product
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.dialect.values.sharding import DimensionSharding, Reduction, TensorSharding
from tests.generators.features import Features

AXIS_NAMES = ("a", "b", "c", "d")
AXIS_SIZES = (2, 2, 2, 3, 4, 4, 6, 8)
SMALL_AXIS_SIZES = (2, 2, 2, 3, 4)
MAX_DEVICES = 64
MAX_SMALL_DEVICES = 16


@dataclass(frozen=True)
class NamedMesh:
    """An `sdy.mesh` op, or a mesh that has none."""

    name: str
    mesh: Mesh
    declared: bool = True

    def text(self) -> str:
        return f"sdy.mesh @{self.name} = {self.mesh}"


class Shardings:
    """The meshes of one program and the shardings drawn on them.

    Attributes:
      meshes: the `sdy.mesh` ops of the module; the first is the one that most shardings use.
      undeclared: meshes without a symbol, and single devices without one.
    """

    def __init__(self, rng: Random, features: Features) -> None:
        self.rng = rng
        self.features = features
        self.meshes = _meshes(rng, features)
        self.maximal = [NamedMesh("maximal", Mesh((), (rng.randrange(4),)))] if features.maximal else []
        self.undeclared = _undeclared(rng, features)
        # One kind of reduction per program: an axis may stay unreduced only under the same kind.
        self.reduction = rng.choice(list(Reduction)) if rng.random() < 0.2 else Reduction.SUM
        self.openness = rng.choice([0.0, 0.5, 0.5, 0.8, 1.0]) if features.open_dims else 0.0
        self.priorities = features.priorities and rng.random() < 0.4
        self.density = features.density if features.density is not None else rng.choice([0.2, 0.5, 0.8])

    def declarations(self) -> list[str]:
        return [mesh.text() for mesh in (*self.meshes, *self.maximal)]

    def mesh(self) -> NamedMesh:
        """A mesh with axes (or one that is empty, if that may be), mostly the first one."""
        undeclared = [mesh for mesh in self.undeclared if not mesh.mesh.is_maximal]
        if undeclared and self.rng.random() < 0.2:
            return self.rng.choice(undeclared)
        return self.meshes[0] if self.rng.random() < 0.8 else self.rng.choice(self.meshes)

    def sharding(
        self, shape: tuple[int | None, ...] | None, forbidden: frozenset[str], *, of_argument: bool = False
    ) -> TensorSharding:
        """A sharding for a tensor of `shape` (None: a token) without `forbidden` axes, those that are manual there.

        `of_argument`: for an argument or result of a function.
        """
        rng, mesh = self.rng, self.mesh()
        if self.maximal and rng.random() < 0.1 and (self.features.maximal_arguments or not of_argument):
            devices = [*self.maximal, *(mesh for mesh in self.undeclared if mesh.mesh.is_maximal)]
            return TensorSharding(self._reference(rng.choice(devices) if len(devices) > 1 else devices[0]))
        if shape is None:
            return TensorSharding(self._reference(mesh))
        return self.on_mesh(mesh, shape, forbidden)

    def on_mesh(self, named: NamedMesh, shape: tuple[int | None, ...], forbidden: frozenset[str]) -> TensorSharding:
        """A sharding on a given mesh."""
        rng, mesh = self.rng, named.mesh
        atoms = self.atoms(mesh, [axis for axis in mesh.axes if axis.name not in forbidden])
        rng.shuffle(atoms)
        dims: list[list[AxisRef]] = [[] for _ in shape]
        replicated: list[AxisRef] = []
        unreduced: list[AxisRef] = []
        for atom in atoms:
            place = rng.random()
            if place > self.density + 0.1:
                continue
            if place < self.density:
                if shape:
                    self.extend(dims, rng.randrange(len(shape)), atom, shape, mesh)
            elif self.features.replicated and rng.random() < 0.6:
                replicated.append(atom)
            elif self.features.unreduced and rng.random() < 0.5:
                unreduced.append(atom)
        return TensorSharding(
            self._reference(named),
            tuple(self.dimension(axis_list) for axis_list in dims),
            in_mesh_order(replicated, mesh),
            in_mesh_order(unreduced, mesh),
            self.reduction if unreduced else Reduction.SUM,
        )

    def atoms(self, mesh: Mesh, axes: Iterable[MeshAxis]) -> list[AxisRef]:
        """The axes, some of them cut into sub-axes, none of which overlap."""
        out: list[AxisRef] = []
        for axis in axes:
            sizes = _factors(self.rng, axis.size) if self.features.sub_axes and self.rng.random() < 0.3 else [axis.size]
            if len(sizes) == 1:
                out.append(AxisRef(axis.name))
                continue
            pre = 1
            for size in sizes:
                out.append(AxisRef.sub(axis.name, pre, size))
                pre *= size
        return out

    def extend(
        self, dims: list[list[AxisRef]], dim: int, atom: AxisRef, shape: tuple[int | None, ...], mesh: Mesh
    ) -> None:
        """Appends `atom` to a dimension, unless the two last axes should then be written as one or do not divide it."""
        axis_list, size = dims[dim], shape[dim]
        if axis_list and axis_list[-1].can_merge(atom):
            return
        shards = product([*axis_list, atom], mesh.axis_sizes)
        uneven = size is not None and size % shards != 0
        if uneven and self.rng.random() >= self.features.non_divisible:
            return
        axis_list.append(atom)

    def dimension(self, axis_list: list[AxisRef]) -> DimensionSharding:
        is_closed = self.rng.random() >= self.openness
        has_priority = self.priorities and self.rng.random() < 0.4 and (axis_list or not is_closed)
        return DimensionSharding(tuple(axis_list), is_closed, self.rng.randrange(4) if has_priority else None)

    def _reference(self, named: NamedMesh) -> str | Mesh:
        if not named.declared:
            return named.mesh
        return named.mesh if self.features.inlined and self.rng.random() < 0.4 else named.name


def in_mesh_order(axis_list: list[AxisRef], mesh: Mesh) -> AxisList:
    """The axes sorted as replicated and unreduced lists must be, without those that would merge with the one before."""
    out: list[AxisRef] = []
    for axis in sorted(axis_list, key=mesh.order_key):
        if not (out and out[-1].can_merge(axis)):
            out.append(axis)
    return tuple(out)


def _meshes(rng: Random, features: Features) -> list[NamedMesh]:
    names = ["mesh", "mesh_0", "other"]
    first = _mesh(rng, features)
    out = [NamedMesh(names[0], first)]
    count = rng.choice([1, 1, 1, 2, 3]) if features.several_meshes else 1
    for name in names[1:count]:
        # Often the same axes again: under another name, or with other device ids.
        mesh = first if rng.random() < 0.3 else _mesh(rng, features)
        if features.device_ids and rng.random() < 0.5:
            mesh = Mesh(first.axes, _shuffled(rng, first.size))
        out.append(NamedMesh(name, mesh))
    return out


def _undeclared(rng: Random, features: Features) -> list[NamedMesh]:
    if not features.undeclared:
        return []
    meshes = [_mesh(rng, features) for _ in range(rng.randint(0, 2))]
    if features.maximal:
        meshes.append(Mesh((), (rng.randrange(4),)))
    if rng.random() < 0.2:
        meshes.append(Mesh(()))
    return [NamedMesh("", mesh, declared=False) for mesh in meshes]


def _mesh(rng: Random, features: Features) -> Mesh:
    axis_sizes, most = (SMALL_AXIS_SIZES, MAX_SMALL_DEVICES) if features.small_meshes else (AXIS_SIZES, MAX_DEVICES)
    while True:
        names = list(AXIS_NAMES[: rng.randint(1, 4)])
        rng.shuffle(names)
        sizes = [1 if features.size_one_axes and rng.random() < 0.12 else rng.choice(axis_sizes) for _ in names]
        mesh = Mesh(tuple(map(MeshAxis, names, sizes)))
        if mesh.size <= most:
            break
    if features.device_ids and rng.random() < 0.1:
        return Mesh(mesh.axes, _shuffled(rng, mesh.size))
    return mesh


def _shuffled(rng: Random, count: int) -> tuple[int, ...]:
    ids = list(range(count))
    rng.shuffle(ids)
    return tuple(ids)


def _factors(rng: Random, size: int) -> list[int]:
    """`size` as an ordered product of one to three factors greater than 1."""
    divisors = [d for d in range(2, size) if size % d == 0]
    if not divisors:
        return [size]
    first = rng.choice(divisors)
    return [first, *(_factors(rng, size // first) if rng.random() < 0.5 else [size // first])]
