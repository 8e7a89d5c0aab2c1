"""In which of the encodings a module is sharded (spec: interchange, 10)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.sharding_text.forms import HloSharding, Maximal, Named, Several, Tiles, Whole
from sdy.dialect.sharding_text.lexer import ShardingTextError
from sdy.dialect.sharding_text.sharding_reader import read
from sdy.mlir import ir
from sdy.mlir.functions import funcs_in_modules, top_level
from sdy.mlir.search import ops_named, ops_with
from sdy.passes.interchange import strings
from sdy.passes.interchange.importing.imported_meshes import is_manual
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

_KEYS = (
    strings.MESHES,
    strings.SHARDING,
    strings.IN_SHARDINGS,
    strings.OUT_SHARDINGS,
    strings.TUPLE_ARGUMENTS,
    strings.TUPLE_RESULTS,
)


class Encoding(Enum):
    """How shardings are written."""

    NONE = "none"
    NATIVE = "native"
    STRINGS = "strings"
    NAMED = "named"
    TILES = "tiles"


@dataclass
class ForeignShardings:
    """What a module has of shardings that are not attributes of the dialect."""

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
        """What each text says; None for one that cannot be read, which its import reports."""
        return [(site, _read(site.text)) for site in self.sites]

    @cached_property
    def encoding(self) -> Encoding:
        """That of the shardings that count."""
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
        """Whether XLA has written named text behind propagation, where it says of every op how it is sharded.

        It then converts to one device and back by calls of GSPMD, and has copies in the place of constraints.
        """
        if targets & {FULL_TO_SHARD, SHARD_TO_FULL}:
            return True
        if SHARDING_CALL in targets or any(target.startswith("xla.sdy.") for target in targets):
            return False
        return any(not site.entries and site.op.name != CUSTOM_CALL for site in self.sites)

    @cached_property
    def cutting(self) -> list[Site]:
        """The texts that cut a value into parts, or say that it is."""
        return [
            site
            for site, found in self._texts
            if found is None or any(isinstance(leaf, (Tiles, Named)) or is_manual(leaf) for leaf in _leaves(found))
        ]

    @property
    def is_for_one_device(self) -> bool:
        """Whether all texts fit one device, and say that there is no other."""
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
        """Whether there is a sharding of the dialect, or a mesh and nothing else.

        Replica groups in terms of mesh axes name a mesh, too, in modules that are sharded in other words.
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
    """Whether there are more or fewer shardings than values, which the import reports."""
    return isinstance(found, Several) and len(found.leaves) != max(1, len(site.types))


def _leaves(found: HloSharding | None) -> Iterable:
    if found is None:
        return ()
    return found.leaves if isinstance(found, Several) else (found,)
