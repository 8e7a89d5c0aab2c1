"""Sharding text becomes shardings of the dialect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby

from sdy.dialect import builders as ops
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.sharding_text.forms import Leaf, Maximal, Named, Tiles
from sdy.dialect.shardings.attribute_shardings import open_like
from sdy.dialect.values.rule import ShardingPerValue
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir import rewriting as inlining
from sdy.mlir.diagnostics import DiagnosticError, Faults
from sdy.mlir.functions import body, entries_of, has_body, main_function, put_entries
from sdy.passes import options as shared
from sdy.passes.interchange.importing.foreign_shardings import (
    ImportedMeshes,
    is_manual,
)
from sdy.passes.interchange.importing.xla_forms import flatten_tuples, remove_copies
from sdy.passes.interchange.sites import (
    CUSTOM_CALL,
    SHARDING_CALL,
    TEXT,
    Alike,
    Site,
    alike_sites_in,
    rank_of,
    target_of,
    unwrap_texts,
)
from sdy.passes.manager import run_nested
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_


@dataclass(frozen=True)
class ImportShardingsOptions:
    allow_propagation_to_args: tuple[str, ...] = option(*shared.ALLOW_PROPAGATION_TO_ARGS)
    allow_propagation_to_results: tuple[str, ...] = option(*shared.ALLOW_PROPAGATION_TO_RESULTS)
    inline_mesh: bool = option(False, "inline the meshes into the shardings")


@pass_("xla-sdy-import-shardings", options=ImportShardingsOptions)
def import_shardings(module: ir.Operation, options: ImportShardingsOptions) -> object:
    """xla-sdy-import-shardings: Convert XLA's sharding text to shardings on one mesh.

        func.func @main(%x: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"})
          %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2,4]<=[8]}"}
    ==> sdy.mesh @mesh = <["_axis_0"=2, "_axis_1"=4]>
        func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0"}, {}]>})
          %0 = stablehlo.custom_call @Sharding(%x)
            {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"_axis_0"}, {"_axis_1"}]>]>}

    The axes are the common refinement of all tiles. Text with manual devices stays, beside the rest of the sharding,
    for xla-sdy-stablehlo-round-trip-shard-map-import. Values with `shard_as` or `shard_like` and one number become a
    sharding group.

    Spec: interchange, 4.
    """
    prepared = flatten_tuples(module) | remove_copies(module) | unwrap_texts(module)
    sites = alike_sites_in(module)
    if not sites:
        return None if prepared else UNCHANGED
    with Faults() as faults:
        read = [(alike, leaves) for alike in sites if (leaves := alike.read(faults)) is not None]
    meshes = ImportedMeshes(module, [(alike.site, leaves) for alike, leaves in read])
    meshes.declare()
    is_open = _open_boundary(module, options)
    found = [_found(alike, leaves, meshes, is_open) for alike, leaves in read]
    for alike, leaves in read:
        if any(map(_group_of, leaves)):
            for op in alike.ops:
                _group(replace(alike.site, op=op), leaves)
    # Listed before any is written: what is written may be erased, and is not to be compared then.
    by_holder = groupby(found, key=lambda each: (each.site.op, each.site.entries))
    for (holder, entries), listed in [(key, list(group)) for key, group in by_holder]:
        if entries:
            _write_entries(holder, entries, listed)
        else:
            for each in listed:
                _write(each)
    if options.inline_mesh:
        run_nested(module, "sdy-inline-meshes")
    return None


Shardings = tuple[TensorSharding | None, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    """Shardings for the text of a site, or of equal ops, and whether the text stays."""

    site: Site
    ops: list[ir.Operation]
    shardings: Shardings
    keeps_text: bool


def _found(alike: Alike, leaves: Sequence[Leaf], meshes: ImportedMeshes, is_open: Callable[[Site], bool]) -> _Found:
    site = alike.site
    shardings = _shardings(site, leaves, meshes)
    if is_open(site):
        shardings = tuple(sharding and _opened(sharding) for sharding in shardings)
    return _Found(site, alike.ops, shardings, any(map(is_manual, leaves)))


def _shardings(site: Site, leaves: Sequence[Leaf], meshes: ImportedMeshes) -> Shardings:
    """Return the shardings of the leaves, or of an op without values."""
    types = site.types
    ranks = [rank_of(type_) for type_ in types] or [_rank_alone(leaves[0])]
    found = []
    for leaf, rank in zip(leaves, ranks, strict=True):
        sharding = meshes.sharding(leaf, rank)
        is_elsewhere = sharding is not None and sharding.rank != rank and not isinstance(leaf, Maximal)
        if sharding is not None and is_elsewhere and not (isinstance(leaf, Named) and leaf.mesh.is_maximal):
            raise site.error(f"sharding has {sharding.rank} dimensions, the value {rank}")
        found.append(sharding)
    return tuple(found)


def _rank_alone(leaf: Leaf) -> int:
    """Return the rank that a sharding implies without a value."""
    if isinstance(leaf, Tiles):
        return leaf.rank
    return leaf.sharding.rank if isinstance(leaf, Named) else 0


# Writing -----------------------------------------------------------------------------------------


def _write(found: _Found) -> None:
    shardings = found.shardings
    given = next((sharding for sharding in shardings if sharding is not None), None)
    new = None
    if given is not None:
        missing = [open_like(given.mesh_or_ref, type_) for type_ in found.site.types] or [given]
        listed = [sharding or other for sharding, other in zip(shardings, missing, strict=True)]
        new = attributes.attr_of(ShardingPerValue(tuple(listed)))
    for op in found.ops:
        if new is None and not found.keeps_text and _is_constraint(op):
            # Nothing is cut, so that a constraint constrains nothing.
            inlining.replace(op, op.operands)
            continue
        stored = op.attributes
        if not found.keeps_text:
            del stored[TEXT]
        if new is not None:
            stored[SHARDING] = new


def _is_constraint(op: ir.Operation) -> bool:
    return op.name == CUSTOM_CALL and target_of(op) == SHARDING_CALL and len(op.operands) == len(op.results) == 1


def _write_entries(func: ir.Operation, entries: str, found: Sequence[_Found]) -> None:
    """Entries of arguments or results of a function, all at once."""
    changed = entries_of(func, entries)
    for each in found:
        kept, sharding = changed[each.site.number], each.shardings[0]
        if not each.keeps_text:
            kept.pop(TEXT, None)
        if sharding is not None:
            kept[SHARDING] = attributes.attr_of(sharding)
    put_entries(func, entries, changed)


# Arguments and results that propagation may shard further --------------------------------------------


def _open_boundary(module: ir.Operation, options: ImportShardingsOptions) -> Callable[[Site], bool]:
    """Return the sites whose dimensions the options open: of some arguments and results of main."""
    given = {"arg_attrs": options.allow_propagation_to_args, "res_attrs": options.allow_propagation_to_results}
    if not any(given.values()):
        return lambda site: False
    main = main_function(module)

    def is_open(site: Site) -> bool:
        flags = given.get(site.entries, ())
        return bool(flags) and site.op == main and _flag(flags, site.number, main)

    return is_open


def _flag(flags: Sequence[str], number: int, main: ir.Operation) -> bool:
    if not set(flags) <= {"true", "false", "1", "0"}:
        raise DiagnosticError(main, f"expected true or false in the options of the import, got {', '.join(flags)}")
    if len(flags) > 1 and number >= len(flags):
        raise DiagnosticError(main, f"the options of the import do not cover value {number}")
    return flags[number if len(flags) > 1 else 0] in ("true", "1")


def _opened(sharding: TensorSharding) -> TensorSharding:
    return sharding.with_dims(replace(dim, is_closed=False) for dim in sharding.dims)


# Groups ------------------------------------------------------------------------------------------


def _group(site: Site, leaves: Sequence[Leaf]) -> None:
    """Puts values of `shard_as N` or `shard_like N` into the sharding group N."""
    for number, leaf in enumerate(leaves):
        group = _group_of(leaf)
        if not group:
            continue
        group_id = int(group.split()[1])
        if not site.entries and len(site.op.results):
            ip = ir.InsertionPoint.after(site.op)
            ops.sharding_group(site.op.results[number], group_id, loc=site.op.location, ip=ip)
        elif site.entries == "arg_attrs" and has_body(site.op):
            block = body(site.op)
            ip = ir.InsertionPoint.at_block_begin(block)
            ops.sharding_group(block.arguments[site.number], group_id, loc=site.location, ip=ip)
        else:
            raise site.error(f"'{group}' is given for an op without values")


def _group_of(leaf: Leaf) -> str:
    return "" if isinstance(leaf, Named) else leaf.tail.shard_group
