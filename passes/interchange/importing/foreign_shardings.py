"""Foreign shardings of a program, and their meshes (spec: interchange, 4 and 10)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from functools import cached_property

from sdy.dialect import builders
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.sharding_text.common_mesh import CommonMesh, NoMeshError
from sdy.dialect.sharding_text.forms import HloSharding, Kind, Leaf, Maximal, Named, Several, Tiles, Whole
from sdy.dialect.sharding_text.lexer import ShardingTextError
from sdy.dialect.sharding_text.sharding_reader import read
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.axes import AxisRef, merged
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import position_of
from sdy.mlir.functions import ModuleSymbols, funcs_in_modules, top_level
from sdy.mlir.search import ops_named, ops_with
from sdy.passes.interchange import strings
from sdy.passes.interchange.sites import (
    CUSTOM_CALL,
    ENTRIES,
    FRONTEND,
    FULL_TO_SHARD,
    SHARD_TO_FULL,
    SHARDING_CALL,
    TEXT,
    Site,
    frontend,
    sites_in,
    target_of,
)


def named_sharding(leaf: Leaf, rank: int) -> TensorSharding | None:
    """Return the sharding of a named text for a value of that rank, without manual axes; None if it is not named.

    Axes of size 1 are dropped; parts of an axis on both sides of one become neighbours.
    """
    if not isinstance(leaf, Named):
        return None
    if leaf.mesh.is_maximal:
        return leaf.sharding
    sizes = leaf.mesh.axis_sizes
    if leaf.for_all is None:
        cut = leaf.sharding.map_axes(lambda axis: sizes[axis.name] > 1)
        return cut.with_dim_axes(merged(axes, sizes) for axes in cut.dim_axes)
    closed = TensorSharding.closed(leaf.mesh, rank)
    if leaf.for_all is not Kind.UNREDUCED:
        return closed
    everything = tuple(AxisRef(axis.name) for axis in leaf.mesh.axes if axis.size > 1)
    return closed.with_unreduced(everything, leaf.sharding.reduction)


Read = Sequence[tuple[Site, tuple[Leaf, ...]]]
"""Shardings read at each place of a module."""

NUM_PARTITIONS = "mhlo.num_partitions"


class ImportedMeshes:
    """The meshes of all sharding texts in a module. `declare` makes them symbols at its front.

    Raises `DiagnosticError` at a text that does not go with the others.
    """

    def __init__(self, module: ir.Operation, read: Read) -> None:
        self._module = module
        self._symbols = ModuleSymbols(module)
        self._check_devices(read)
        self._declared = MeshTable(module).global_mesh()
        self._common = self._common_mesh(read)
        leaves = [leaf for _, listed in read for leaf in listed]
        self._known: dict[tuple[Leaf, int], TensorSharding | None] = {}
        self._names: dict[Mesh, str] = {}
        if self._declared is not None and self._common.mesh == self._declared[1]:
            self._names[self._common.mesh] = self._declared[0]
        elif self._common.mesh.axes:
            self._names[self._common.mesh] = self._symbols.reserve("mesh")
        for leaf in leaves:
            if isinstance(leaf, Named) and leaf.mesh.axes and leaf.mesh not in self._names:
                self._names[leaf.mesh] = self._symbols.reserve("mesh")
        devices = sorted({device for leaf in leaves if (device := _single_device(leaf)) is not None})
        if devices and not self._names:
            self._names[Mesh()] = self._symbols.reserve("mesh")
        for device in devices:
            self._names[Mesh((), (device,))] = self._symbols.reserve(f"single_device_{device}")

    @property
    def mesh(self) -> Mesh:
        """Return the mesh of the tiles; without axes if there are none."""
        return self._common.mesh

    def declare(self) -> None:
        """Declares the meshes at the front of the module."""
        block = self._module.regions[0].blocks[0]
        ip = ir.InsertionPoint.at_block_begin(block)
        for mesh, name in self._names.items():
            if self._declared is not None and name == self._declared[0]:
                continue
            builders.mesh(name, mesh, loc=self._module.location, ip=ip)

    def sharding(self, leaf: Leaf, rank: int) -> TensorSharding | None:
        """Return the sharding of `leaf` for a value of that rank, without manual axes.

        Returns None if it has no information.
        """
        if (leaf, rank) not in self._known:
            self._known[leaf, rank] = self._sharding(leaf, rank)
        return self._known[leaf, rank]

    def _sharding(self, leaf: Leaf, rank: int) -> TensorSharding | None:
        device = _single_device(leaf)
        if device is not None:
            return TensorSharding(self._names[Mesh((), (device,))])
        if isinstance(leaf, Named) and leaf.mesh in self._names:
            found = named_sharding(leaf, rank)
            return found and found.with_mesh(self._names[leaf.mesh])
        if not self.mesh.axes or leaf == Whole(""):
            return None
        name = self._names[self.mesh]
        if isinstance(leaf, Tiles) and leaf.num_devices > 1:
            return self._common.sharding_of(leaf, name)[0]
        if isinstance(leaf, Whole) and leaf.word == "unknown":
            return TensorSharding.open(name, rank)
        if isinstance(leaf, Whole) and leaf.word == "unreduced":
            return TensorSharding.closed(name, rank).with_unreduced(_all_axes(self.mesh))
        return TensorSharding.closed(name, rank)

    def _common_mesh(self, read: Read) -> CommonMesh:
        leaves = [leaf for _, listed in read for leaf in listed]
        on_declared = None if self._declared is None else _on_mesh(self._declared[1], leaves)
        if on_declared is not None:
            return on_declared
        try:
            found = CommonMesh.of(leaves)
        except NoMeshError as error:
            raise _located(error, read) from None
        count = num_partitions(self._module)
        if not found.mesh.axes and count > 1 and any(is_manual(leaf) for leaf in leaves):
            return CommonMesh(Mesh((MeshAxis("_axis_0", count),)), (AxisRef("_axis_0"),))
        return found

    def _check_devices(self, read: Read) -> None:
        count = num_partitions(self._module)
        whose = "the module has"
        for site, leaves in read:
            for leaf in leaves:
                size = _num_devices(leaf)
                if size is None:
                    continue
                if not count:
                    count, whose = size, "that of others for"
                if size != count:
                    raise site.error(f"sharding is for {size} devices, {whose} {count}")


def _on_mesh(mesh: Mesh, leaves: Sequence[Leaf]) -> CommonMesh | None:
    """Return the tiles on a mesh of the module, if they have its number of devices and cut its axes."""
    sizes = {size for leaf in leaves if (size := _num_devices(leaf)) is not None}
    if sizes - {mesh.size} or any(isinstance(leaf, Named) and leaf.mesh.axes for leaf in leaves):
        return None
    try:
        found = CommonMesh.of(leaves, mesh)
    except NoMeshError:
        return None
    # Only whole axes can be manual.
    is_cut = any(atom.sub_axis is not None for atom in found.atoms)
    return None if is_cut and any(map(is_manual, leaves)) else found


def _located(error: NoMeshError, read: Read) -> Exception:
    """The error at the place of the text that does not fit."""
    first, other = (next((site for site, leaves in read if leaf in leaves), None) for leaf in (error.leaf, error.other))
    assert first is not None
    if other is None:
        return first.error(str(error))
    return first.error(f'no mesh suits both "{error.leaf}" and "{error.other}" (at {position_of(other.location)!s})')


def _single_device(leaf: Leaf) -> int | None:
    if isinstance(leaf, Maximal):
        return leaf.device
    return leaf.mesh.device_ids[0] if isinstance(leaf, Named) and leaf.mesh.is_maximal else None


def _num_devices(leaf: Leaf) -> int | None:
    """Return the number of devices of `leaf`; None if it fits any number."""
    if isinstance(leaf, Tiles):
        return leaf.num_devices
    return leaf.mesh.size if isinstance(leaf, Named) and leaf.mesh.axes else None


def _all_axes(mesh: Mesh) -> tuple[AxisRef, ...]:
    return tuple(AxisRef(axis.name) for axis in mesh.axes if axis.size > 1)


def is_manual(leaf: Leaf) -> bool:
    """Return whether some axes are handled by hand where the value is."""
    if isinstance(leaf, Tiles):
        return Kind.MANUAL in leaf.groups
    if isinstance(leaf, Named):
        return bool(leaf.manual) or leaf.for_all is Kind.MANUAL
    return isinstance(leaf, Whole) and leaf.word == "manual"


def num_partitions(module: ir.Operation) -> int:
    """Return the module's number of devices; 0 if it has none."""
    found = module.attributes.get(NUM_PARTITIONS)
    return found.value if isinstance(found, ir.IntegerAttr) else 0


_KEYS = (
    strings.MESHES,
    strings.SHARDING,
    strings.IN_SHARDINGS,
    strings.OUT_SHARDINGS,
    strings.TUPLE_ARGUMENTS,
    strings.TUPLE_RESULTS,
)


class Encoding(Enum):
    """Encodings of shardings."""

    NONE = "none"
    NATIVE = "native"
    STRINGS = "strings"
    NAMED = "named"
    TILES = "tiles"


@dataclass
class ForeignShardings:
    """Shardings of a module in other encodings."""

    module: ir.Operation

    @cached_property
    def _annotated(self) -> list[ir.Operation]:
        """The ops with text or frontend attributes."""
        return ops_with(self.module, TEXT, FRONTEND)

    @cached_property
    def sites(self) -> list[Site]:
        return sites_in(self.module, self._annotated)

    @cached_property
    def _texts(self) -> list[tuple[Site, HloSharding | None]]:
        """Return the parsed texts; None for an invalid one, which its import reports."""
        return [(site, _read(site.text)) for site in self.sites]

    @cached_property
    def encoding(self) -> Encoding:
        """Return the encoding of the shardings that count."""
        if self._has_strings():
            return Encoding.STRINGS
        leaves = [leaf for _, found in self._texts for leaf in _leaves(found)]
        targets = {target_of(op) for op in ops_named(self.module, CUSTOM_CALL)}
        has_tiles = any(isinstance(leaf, Tiles) for leaf in leaves)
        if any(isinstance(leaf, Named) for leaf in leaves):
            return Encoding.TILES if has_tiles or self._is_propagated(targets) else Encoding.NAMED
        if any(target.startswith("xla.sdy.") for target in targets):
            return Encoding.STRINGS
        if self._is_native():
            return Encoding.NATIVE
        unreadable = any(found is None or _is_of_another_count(found, site) for site, found in self._texts)
        says_something = unreadable or any(isinstance(leaf, Maximal) or is_manual(leaf) for leaf in leaves)
        if has_tiles or says_something or targets & {SHARDING_CALL, FULL_TO_SHARD, SHARD_TO_FULL}:
            return Encoding.TILES
        words = [leaf for leaf in leaves if isinstance(leaf, Whole) and leaf.word in ("unreduced", "unknown")]
        return Encoding.TILES if words else Encoding.NONE

    def _is_propagated(self, targets: set[str]) -> bool:
        """Return whether XLA wrote named text after propagation, with the sharding of every op.

        XLA then converts to one device and back by calls of GSPMD, and has copies in place of constraints.
        """
        if targets & {FULL_TO_SHARD, SHARD_TO_FULL}:
            return True
        if SHARDING_CALL in targets or any(target.startswith("xla.sdy.") for target in targets):
            return False
        return any(not site.entries and site.op.name != CUSTOM_CALL for site in self.sites)

    @cached_property
    def cutting(self) -> list[Site]:
        """The texts that shard a value, or place it on manual axes."""
        return [
            site
            for site, found in self._texts
            if found is None or any(isinstance(leaf, (Tiles, Named)) or is_manual(leaf) for leaf in _leaves(found))
        ]

    @property
    def is_for_one_device(self) -> bool:
        """Return whether all texts fit one device, and no other part of the module names more."""
        leaves = [leaf for _, found in self._texts for leaf in _leaves(found)]
        sizes = {leaf.num_devices for leaf in leaves if isinstance(leaf, Tiles)}
        devices = {leaf.device for leaf in leaves if isinstance(leaf, Maximal)}
        return sizes <= {1} and devices <= {0} and bool(sizes or devices)

    def _has_strings(self) -> bool:
        ops = (self.module, *self._annotated)
        if any(key in _KEYS for op in ops for key in frontend(op.attributes)):
            return True
        return any(
            strings.SHARDING in frontend(entry)
            for func in funcs_in_modules(self.module)
            for entries in ENTRIES
            for entry in func.attributes.get(entries) or ()
        )

    def _is_native(self) -> bool:
        """Return whether the module has a sharding of the dialect, or a mesh and no foreign shardings.

        Replica groups along mesh axes also refer to a mesh in modules with foreign shardings.
        """
        if not self.cutting and any(op.name == "sdy.mesh" for op in top_level(self.module)):
            return True
        if ops_with(self.module, SHARDING) or ops_named(self.module, *_SHARDED):
            return True
        return any(
            SHARDING in entry
            for func in funcs_in_modules(self.module)
            for entries in ENTRIES
            for entry in func.attributes.get(entries) or ()
        )


_SHARDED = ("sdy.sharding_constraint", "sdy.reshard", "sdy.manual_computation", "sdy.named_computation")


def _read(text: str) -> HloSharding | None:
    try:
        return read(text)
    except ShardingTextError:
        return None


def _is_of_another_count(found: HloSharding, site: Site) -> bool:
    """Return whether the numbers of shardings and values differ, which the import reports."""
    return isinstance(found, Several) and len(found.leaves) != max(1, len(site.types))


def _leaves(found: HloSharding | None) -> Iterable:
    if found is None:
        return ()
    return found.leaves if isinstance(found, Several) else (found,)
