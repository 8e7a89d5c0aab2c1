"""xla-sdy-stablehlo-round-trip-shard-map-import: Convert GSPMD's manual regions to manual computations.

    %0 = stablehlo.custom_call @Sharding(%x) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"_axis_0"}, {}]>]>}
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} :
      (tensor<8x8xf32>) -> tensor<4x8xf32>
    %2 = call @shmap_body(%1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"}
    %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {sdy.sharding = ...} : (tensor<4x8xf32>) -> tensor<8x8xf32>
==> %4 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"_axis_0"}, {}], replicated={"_axis_1"}>]
      out_shardings=[...] manual_axes={"_axis_0", "_axis_1"} (%a: tensor<4x8xf32>) { ... }

Pieces without inputs and outputs have effects whose texts are manual, and no conversions. It runs behind
xla-sdy-import-shardings, which leaves the texts with manual devices.
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect import builders
from sdy.dialect.shardings.attribute_shardings import op_shardings
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.symbol_uses import used_symbols
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ManualAxes
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.effects import is_effect_free
from sdy.mlir.functions import CallGraph, ModuleSymbols, body, callee_name, calls_in, has_body, symbol_name
from sdy.mlir.rewriting import defining_op, inline_call
from sdy.mlir.walk import pre_order
from sdy.passes.interchange.importing.foreign_shardings import is_manual
from sdy.passes.interchange.importing.manual.block_flow import BlockFlow, constraint_before, conversion_of
from sdy.passes.interchange.importing.manual.manual_regions import ManualRegion, erase_unused, regions_of
from sdy.passes.interchange.importing.manual.regions_made import (
    SaidAxes,
    TextsOfManualAxes,
    check_local_types,
    fill,
    has_manual_effects,
    in_sharding,
    make_room,
    out_sharding,
    strip,
    strip_entries,
)
from sdy.passes.interchange.sites import (
    FULL_TO_SHARD,
    SHARD_TO_FULL,
    calls_of,
    sites_in,
)
from sdy.passes.registry import UNCHANGED, pass_


@pass_("xla-sdy-stablehlo-round-trip-shard-map-import", aliases=("xla-sdy-mhlo-round-trip-shard-map-import",))
def stablehlo_round_trip_shard_map_import(module: ir.Operation) -> object:
    """Spec: interchange, 5.2."""
    if not calls_of(module, FULL_TO_SHARD, SHARD_TO_FULL) and not has_manual_effects(module):
        _refuse_manual_texts(module)
        return UNCHANGED
    importer = _RegionImporter(module)
    graph = CallGraph(module)
    graph.check_acyclic()
    graph.check_growth()
    for func in graph.caller_first:
        # A body that is gone does not hold what it calls: that would be looked at as if nothing around it were manual.
        if not importer.erase_body(func):
            importer.import_block(body(func), ())
    _refuse_manual_texts(module)
    return None


def _refuse_manual_texts(module: ir.Operation) -> None:
    """Raise `DiagnosticError` at an op with manual axes in its text that belongs to no piece."""
    for op in calls_of(module, FULL_TO_SHARD):
        raise DiagnosticError(op, f"there is no @{SHARD_TO_FULL} for its result")
    for site in sites_in(module):
        if any(map(is_manual, site.read())):
            raise site.error("manual devices outside a manual computation")


class _RegionImporter:
    """Turns the pieces of one block after another into manual computations."""

    def __init__(self, module: ir.Operation) -> None:
        self._module = module
        self._symbols = ModuleSymbols(module)
        self._meshes = MeshTable(module)
        self._said = SaidAxes(module, self._symbols, TextsOfManualAxes())
        self._inlined: set[str] = set()

    def erase_body(self, func: ir.Operation) -> bool:
        """Erases `func` if it was only the body of manual computations; returns whether it was."""
        name = symbol_name(func)
        if name not in self._inlined or name in used_symbols(self._module):
            return False
        self._symbols.erase(func)
        return True

    def import_block(self, block: ir.Block, outer: Sequence[str]) -> None:
        """Return the pieces of `block`, in them, and in loops; the axes `outer` are already manual."""
        flow = BlockFlow(block)
        found, left = self._regions(flow, outer)
        pieces = {op for region in found for op in region.ops} | set(left)
        for op in flow.ops:
            if len(op.regions) and op not in pieces:
                self._import_nested(op, outer)
        for region in found:
            mesh_name, mesh = self._mesh_of(region)
            manual = self._manual_axes(region, mesh, outer)
            computation = self._computation(region, mesh_name, manual, mesh)
            inside = computation.regions[0].blocks[0]
            self._inline_calls(inside, everything=True)
            self.import_block(inside, (*outer, *manual))
            self._strip(inside, len(outer) + len(manual) == len(mesh.axes))
        erase_unused(left)

    def _regions(self, flow: BlockFlow, outer: Sequence[str]) -> tuple[list[ManualRegion], list[ir.Operation]]:
        found = self._meshes.global_mesh()
        mesh = Mesh() if found is None else found[1]
        around = frozenset(outer)
        if not any(flow.conversions) and not self._said.has_effects_inside(flow.ops, mesh, around):
            return [], []
        everything = frozenset(axis.name for axis in mesh.axes) or frozenset(("",))
        return regions_of(flow, around, everything, lambda place: self._said.axes(flow.ops[place], mesh), self._is_pure)

    def _is_pure(self, call: ir.Operation) -> bool:
        callee = self._symbols.callee(call)
        if not has_body(callee):
            return False
        *ops, _ = [op.operation for op in body(callee).operations]
        return all(self._is_pure(op) if op.name == "func.call" else is_effect_free(op) for op in ops)

    def _import_nested(self, op: ir.Operation, outer: Sequence[str]) -> None:
        """The pieces in branches, and in bodies of loops."""
        for nested in op.regions:
            for inner in nested.blocks:
                if outer:
                    self._inline_calls(inner, everything=False)
                self.import_block(inner, outer)

    # What a piece says ---------------------------------------------------------------------------

    def _mesh_of(self, region: ManualRegion) -> tuple[str, Mesh]:
        for op in region.conversions:
            for sharding in op_shardings(op) or ():
                mesh = self._meshes.of(sharding)
                if isinstance(sharding.mesh_or_ref, str) and mesh is not None and mesh.axes:
                    return sharding.mesh_or_ref, mesh
        found = self._meshes.global_mesh()
        if not region.conversions and found is not None:
            return found
        raise DiagnosticError(region.conversions[0], "there is no mesh for this conversion: it has no sharding")

    def _manual_axes(self, region: ManualRegion, mesh: Mesh, outer: Sequence[str]) -> tuple[str, ...]:
        """Return the axes that all texts of the piece name as manual, without those already manual outside."""
        found: dict[tuple[str, ...], ir.Operation] = {}
        places = region.conversions or region.ops
        for op in places:
            axes = self._manual_axes_at(op, mesh)
            if axes is not None:
                found.setdefault(axes, op)
        if not found:
            raise DiagnosticError(places[0], "does not say which devices are manual")
        (first, _), *others = found.items()
        if others:
            axes, op = others[0]
            listed = ["{" + ", ".join(names) + "}" for names in (axes, first)]
            raise DiagnosticError(op, f"manual axes {listed[0]} differ from {listed[1]} of the same computation")
        missing = [name for name in outer if name not in first]
        if missing:
            raise DiagnosticError(places[0], f"axis {missing[0]!r} is manual around this, and not in it")
        return tuple(name for name in first if name not in outer)

    def _manual_axes_at(self, op: ir.Operation, mesh: Mesh) -> tuple[str, ...] | None:
        """Return the manual axes in the text of an op, for a conversion back in that of its operand; None for none."""
        if conversion_of(op) != SHARD_TO_FULL:
            return self._said.axes(op, mesh)
        source = defining_op(op.operands[0])
        return None if source is None else self._said.axes(source, mesh)

    # The computation -----------------------------------------------------------------------------

    def _computation(self, region: ManualRegion, mesh_name: str, manual: Sequence[str], mesh: Mesh) -> ir.Operation:
        """A manual computation in the place of the piece, around its ops."""
        ins = [in_sharding(op, mesh_name) for op in region.ins]
        outs = [out_sharding(op) for op in region.outs]
        for op, sharding in zip(region.conversions, [*ins, *outs], strict=True):
            if sharding.mesh_or_ref != mesh_name:
                raise DiagnosticError(op, f"is sharded on another mesh than @{mesh_name}")
        ins += [TensorSharding(mesh_name)] * len(region.scalars)
        ins, outs = ([sharding.with_manual(manual, mesh) for sharding in each] for each in (ins, outs))
        converted = [*ins[: len(region.ins)], *outs]
        ins += [TensorSharding(mesh_name)] * len(region.tokens)
        outs += [TensorSharding(mesh_name)] * len(region.leaving)
        entering = [*region.scalars, *region.tokens]
        place = make_room(region)
        sources = [constraint_before(op) for op in region.ins]
        operands = [
            op.operands[0] if source is None else source.operands[0]
            for op, source in zip(region.ins, sources, strict=True)
        ]
        computation = builders.manual_computation(
            [*operands, *entering],
            [*(op.results[0].type for op in region.outs), *(token.type for token in region.leaving)],
            ins,
            outs,
            ManualAxes(tuple(manual)),
            [*(op.results[0].type for op in region.ins), *(value.type for value in entering)],
            loc=(region.ops or region.conversions)[0].location,
            ip=ir.InsertionPoint.after(place),
        )
        check_local_types(region, converted, manual, mesh)
        fill(computation, region)
        for source in sources:
            if source is not None and not list(source.results[0].uses):
                source.erase()
        return computation

    def _inline_calls(self, block: ir.Block, *, everything: bool) -> None:
        """Inline calls: all of them, or those of functions with conversions."""
        for op in [op.operation for op in block.operations]:
            if op.name != "func.call":
                continue
            callee = self._symbols.callee(op)
            if len(callee.regions[0].blocks) != 1 or not (everything or self._converts(callee)):
                continue
            self._inlined.add(callee_name(op))
            inline_call(op, callee)
            self._inline_calls(block, everything=False)
            if not everything:
                return

    def _converts(self, func: ir.Operation) -> bool:
        if calls_of(func, FULL_TO_SHARD, SHARD_TO_FULL):
            return True
        return any(self._converts(self._symbols.callee(call)) for call in calls_in(func))

    def _strip(self, block: ir.Block, nothing_left: bool) -> None:
        """Remove manual axes from the texts in a body and in the functions it calls."""
        strip(block, nothing_left)
        for outermost in [op.operation for op in block.operations]:
            for call in [op for op in pre_order(outermost) if op.name == "func.call"]:
                callee = self._symbols.callee(call)
                strip_entries(callee, nothing_left)
                for inner in callee.regions[0].blocks:
                    self._strip(inner, nothing_left)
