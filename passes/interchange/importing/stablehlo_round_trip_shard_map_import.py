"""xla-sdy-stablehlo-round-trip-shard-map-import: pieces between conversions to one device and back are manual.

    %0 = stablehlo.custom_call @Sharding(%x) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"_axis_0"}, {}]>]>}
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} :
      (tensor<8x8xf32>) -> tensor<4x8xf32>
    %2 = call @shmap_body(%1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"}
    %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {sdy.sharding = ...} : (tensor<4x8xf32>) -> tensor<8x8xf32>
==> %4 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"_axis_0"}, {}], replicated={"_axis_1"}>]
      out_shardings=[...] manual_axes={"_axis_0", "_axis_1"} (%a: tensor<4x8xf32>) { ... }

It runs behind xla-sdy-import-shardings, which leaves the texts that say which devices are manual.
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect import builders
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.sharding_text.common_mesh import CommonMesh, NoMeshError
from sdy.dialect.sharding_text.forms import Kind, Leaf, Named, Tiles
from sdy.dialect.shardings.attribute_shardings import op_shardings
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.symbol_uses import used_symbols
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.lists import ManualAxes
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import CallGraph, ModuleSymbols, body, callee_name, calls_in, symbol_name
from sdy.mlir.rewriting.inlining import inline_call
from sdy.mlir.walk import pre_order
from sdy.passes.interchange.custom_calls import (
    CUSTOM_CALL,
    FULL_TO_SHARD,
    SHARD_TO_FULL,
    SHARDING_CALL,
    calls_of,
    target_of,
)
from sdy.passes.interchange.importing.imported_meshes import is_manual
from sdy.passes.interchange.importing.manual_regions import ManualRegion, constraint_before, regions_of
from sdy.passes.interchange.importing.open_dims import with_open_dims
from sdy.passes.interchange.sites import ENTRIES, TEXT, Site, rank_of, sites_in, text_in
from sdy.passes.registry import UNCHANGED, pass_


@pass_("xla-sdy-stablehlo-round-trip-shard-map-import", aliases=("xla-sdy-mhlo-round-trip-shard-map-import",))
def stablehlo_round_trip_shard_map_import(module: ir.Operation) -> object:
    """Spec: interchange, 5.2."""
    if not calls_of(module, FULL_TO_SHARD, SHARD_TO_FULL):
        _refuse_manual_texts(module)
        return UNCHANGED
    importer = _RegionImporter(module)
    graph = CallGraph(module)
    graph.check_acyclic()
    for func in graph.caller_first:
        if not importer.is_gone(func):
            importer.import_block(body(func), ())
    importer.erase_bodies()
    _refuse_manual_texts(module)
    return None


def _refuse_manual_texts(module: ir.Operation) -> None:
    """Raises `DiagnosticError` at what is said to be on each device and is in no piece."""
    for op in calls_of(module, FULL_TO_SHARD):
        raise DiagnosticError(op, f"there is no @{SHARD_TO_FULL} for what becomes of its result")
    for site in sites_in(module):
        if any(map(is_manual, site.read())):
            raise site.error("manual devices outside a manual computation")


class _RegionImporter:
    """Turns the pieces of one block after another into manual computations."""

    def __init__(self, module: ir.Operation) -> None:
        self._module = module
        self._symbols = ModuleSymbols(module)
        self._meshes = MeshTable(module)
        self._inlined: dict[str, ir.Operation] = {}

    def is_gone(self, func: ir.Operation) -> bool:
        """Whether `func` was the body of a manual computation and nothing else."""
        name = symbol_name(func)
        return name in self._inlined and name not in used_symbols(self._module)

    def erase_bodies(self) -> None:
        """Erases the functions whose calls have all become manual computations."""
        for func in self._inlined.values():
            if self.is_gone(func):
                self._symbols.erase(func)

    def import_block(self, block: ir.Block, outer: Sequence[str]) -> None:
        """The pieces of `block`, in which the axes `outer` are manual already, and those in them and in loops."""
        found = regions_of(block)
        pieces = {op for region in found for op in region.ops}
        for op in [op.operation for op in block.operations]:
            if len(op.regions) and op not in pieces:
                self._import_nested(op, outer)
        for region in found:
            mesh_name, mesh = self._mesh_of(region)
            manual = self._manual_axes(region, mesh, outer)
            computation = self._computation(region, mesh_name, manual, mesh)
            inside = computation.regions[0].blocks[0]
            self._inline_calls(inside, everything=True)
            self._strip(inside, len(outer) + len(manual) == len(mesh.axes))
            self.import_block(inside, (*outer, *manual))

    def _import_nested(self, op: ir.Operation, outer: Sequence[str]) -> None:
        """The pieces in branches, and in bodies of loops."""
        for nested in op.regions:
            for inner in nested.blocks:
                self.import_block(inner, outer)

    # What a piece says ---------------------------------------------------------------------------

    def _mesh_of(self, region: ManualRegion) -> tuple[str, Mesh]:
        for op in region.conversions:
            for sharding in op_shardings(op) or ():
                mesh = self._meshes.of(sharding)
                if isinstance(sharding.mesh_or_ref, str) and mesh is not None and mesh.axes:
                    return sharding.mesh_or_ref, mesh
        raise DiagnosticError(region.conversions[0], "there is no mesh for this conversion: it has no sharding")

    def _manual_axes(self, region: ManualRegion, mesh: Mesh, outer: Sequence[str]) -> tuple[str, ...]:
        """The axes that all texts of the piece say to be manual, without those that are outside."""
        found: dict[tuple[str, ...], ir.Operation] = {}
        for op in region.conversions:
            axes = _manual_axes_at(op, mesh, outer)
            if axes is not None:
                found.setdefault(axes, op)
        if not found:
            raise DiagnosticError(region.conversions[0], "does not say which devices are manual")
        (first, _), *others = found.items()
        if others:
            axes, op = others[0]
            listed = ["{" + ", ".join(names) + "}" for names in (axes, first)]
            raise DiagnosticError(op, f"manual axes {listed[0]} differ from {listed[1]} of the same computation")
        missing = [name for name in outer if name not in first]
        if missing:
            raise DiagnosticError(region.conversions[0], f"axis {missing[0]!r} is manual around this, and not in it")
        return tuple(name for name in first if name not in outer)

    # The computation -----------------------------------------------------------------------------

    def _computation(self, region: ManualRegion, mesh_name: str, manual: Sequence[str], mesh: Mesh) -> ir.Operation:
        """A manual computation in the place of the piece, around its ops."""
        ins = [_in_sharding(op, mesh_name) for op in region.ins]
        outs = [_out_sharding(op) for op in region.outs]
        for op, sharding in zip(region.conversions, [*ins, *outs], strict=True):
            if sharding.mesh_or_ref != mesh_name:
                raise DiagnosticError(op, f"is sharded on another mesh than @{mesh_name}")
        captured, scalars = region.captured()
        ins += [TensorSharding(mesh_name)] * len(scalars)
        ins, outs = ([_complete(sharding, manual, mesh) for sharding in each] for each in (ins, outs))
        place = _place(region)
        sources = [constraint_before(op) for op in region.ins]
        operands = [
            op.operands[0] if source is None else source.operands[0]
            for op, source in zip(region.ins, sources, strict=True)
        ]
        computation = builders.manual_computation(
            [*operands, *scalars],
            [op.results[0].type for op in region.outs],
            ins,
            outs,
            ManualAxes(tuple(manual)),
            [*(op.results[0].type for op in region.ins), *(value.type for value in scalars)],
            loc=(region.ops or region.conversions)[0].location,
            ip=ir.InsertionPoint.after(place),
        )
        _check_local_types(region, [*ins[: len(region.ins)], *outs], manual, mesh)
        _fill(computation, region, captured, scalars)
        for source in sources:
            if source is not None and not list(source.results[0].uses):
                source.erase()
        return computation

    def _inline_calls(self, block: ir.Block, *, everything: bool) -> None:
        """Calls give way to what is called: all of them, or those of functions with conversions in them."""
        for op in [op.operation for op in block.operations]:
            if op.name != "func.call":
                continue
            callee = self._symbols.callee(op)
            if len(callee.regions[0].blocks) != 1 or not (everything or self._converts(callee)):
                continue
            self._inlined[callee_name(op)] = callee
            inline_call(op, callee)
            self._inline_calls(block, everything=False)
            if not everything:
                return

    def _converts(self, func: ir.Operation) -> bool:
        if calls_of(func, FULL_TO_SHARD, SHARD_TO_FULL):
            return True
        return any(self._converts(self._symbols.callee(call)) for call in calls_in(func))

    def _strip(self, block: ir.Block, nothing_left: bool) -> None:
        """Takes off what texts in a body, and in what it calls, say of manual axes."""
        _strip(block, nothing_left)
        for outermost in [op.operation for op in block.operations]:
            for call in [op for op in pre_order(outermost) if op.name == "func.call"]:
                callee = self._symbols.callee(call)
                _strip_entries(callee, nothing_left)
                for inner in callee.regions[0].blocks:
                    self._strip(inner, nothing_left)


def _manual_axes_at(op: ir.Operation, mesh: Mesh, outer: Sequence[str]) -> tuple[str, ...] | None:
    """The manual axes that the text of a conversion says, in mesh order; None where it says none."""
    source = op
    if target_of(op) == SHARD_TO_FULL:
        constraint = constraint_before(op)
        if constraint is None or TEXT not in constraint.attributes:
            return None
        source = constraint
    text = text_in(source.attributes)
    if text is None:
        return None
    site = Site(source, text)
    (leaf,) = site.read()
    if not is_manual(leaf):
        return None
    return _manual_of(leaf, mesh, site)


def _manual_of(leaf: Leaf, mesh: Mesh, site: Site) -> tuple[str, ...]:
    everything = tuple(axis.name for axis in mesh.axes)
    if isinstance(leaf, Named):
        return everything if leaf.for_all is Kind.MANUAL else tuple(axis.name for axis in leaf.manual)
    if not isinstance(leaf, Tiles):
        return everything
    try:
        axes = CommonMesh.of([leaf], mesh).axes_of(leaf)[leaf.rank + leaf.groups.index(Kind.MANUAL)]
    except NoMeshError as error:
        raise site.error(str(error)) from None
    for axis in axes:
        if axis.sub_axis is not None:
            raise site.error(f"a part of axis {axis.name!r} is manual, which only a whole axis can be")
    names = {axis.name for axis in axes}
    return tuple(name for name in everything if name in names)


def _in_sharding(op: ir.Operation, mesh_name: str) -> TensorSharding:
    source = constraint_before(op)
    if source is not None and (shardings := op_shardings(source)) is not None:
        return with_open_dims(source, shardings[0])
    found = get_sharding(op.operands[0])
    return TensorSharding.closed(mesh_name, rank_of(op.operands[0].type)) if found is None else found


def _out_sharding(op: ir.Operation) -> TensorSharding:
    shardings = op_shardings(op)
    if shardings is None:
        raise DiagnosticError(op, "expected a sharding on this custom call")
    return with_open_dims(op, shardings[0])


def _complete(sharding: TensorSharding, manual: Sequence[str], mesh: Mesh) -> TensorSharding:
    """With the manual axes that `sharding` does not name as replicated ones."""
    missing = [AxisRef(name) for name in manual if not sharding.binds(name)]
    return sharding.with_replicated(mesh.sort_and_merge([*sharding.replicated, *missing]))


def _check_local_types(
    region: ManualRegion, shardings: Sequence[TensorSharding], manual: Sequence[str], mesh: Mesh
) -> None:
    for op, sharding in zip(region.conversions, shardings, strict=True):
        globals_, locals_ = (op.operands[0].type, op.results[0].type)
        if target_of(op) == SHARD_TO_FULL:
            globals_, locals_ = locals_, globals_
        if not isinstance(globals_, ir.RankedTensorType):
            continue
        kept = sharding.map_axes(lambda axis: axis.name in manual)
        shape = kept.local_shape(globals_.shape, mesh.axis_sizes)
        if list(shape) != list(locals_.shape):
            raise DiagnosticError(
                op, f"has local type {locals_}, but {globals_} is cut into {'x'.join(map(str, shape))}"
            )


def _place(region: ManualRegion) -> ir.Operation:
    """The last op of the piece, behind which the computation goes."""
    inner = [*region.ins, *region.ops]
    if not inner:
        return region.outs[0]
    last = inner[0]
    for op in inner:
        if last.is_before_in_block(op):
            last = op
    for op in region.outs:
        for use in op.results[0].uses:
            if _in_block_of(last, use.owner.operation).is_before_in_block(last):
                raise DiagnosticError(op, "results of one computation are used before all of it is computed")
    return last


def _in_block_of(sibling: ir.Operation, op: ir.Operation) -> ir.Operation:
    """The op of the block of `sibling` that `op` is, or is nested in."""
    while op.block != sibling.block:
        op = op.parent.operation
    return op


def _fill(
    computation: ir.Operation, region: ManualRegion, captured: Sequence[ir.Value], scalars: Sequence[ir.Value]
) -> None:
    """Moves the ops of the piece into the computation and takes the conversions away; constants are copied."""
    block = computation.regions[0].blocks[0]
    entering = [*(op.results[0] for op in region.ins), *scalars]
    inside: dict[ir.Value, ir.Value] = dict(zip(entering, block.arguments, strict=True))
    for op, argument in zip(region.ins, block.arguments, strict=False):
        op.results[0].replace_all_uses_with(argument)
    closing = [source for op in region.outs if (source := constraint_before(op)) is not None and source in region.ops]
    end = builders.return_(
        [op.operands[0] for op in region.outs], loc=computation.location, ip=ir.InsertionPoint(block)
    )
    for op in region.ops:
        op.move_before(end)
    start = ir.InsertionPoint.at_block_begin(block)
    for value in captured:
        copy = _copied(value, inside, start)
        for op in (op for moved in region.ops for op in pre_order(moved)):
            for index, operand in enumerate(op.operands):
                if operand == value:
                    op.operands[index] = copy
    for op, result in zip(region.outs, computation.results, strict=True):
        op.results[0].replace_all_uses_with(result)
        op.erase()
    for op in region.ins:
        op.erase()
    for op in closing:  # what it says, the sharding of the result says as well
        op.results[0].replace_all_uses_with(op.operands[0])
        op.erase()


def _copied(value: ir.Value, copies: dict[ir.Value, ir.Value], ip: ir.InsertionPoint) -> ir.Value:
    """`value`, made of `copies` and constants, computed again at `ip`."""
    if value not in copies:
        op = value.owner.operation
        for operand in op.operands:
            _copied(operand, copies, ip)
        copy = op.clone(ip=ip).operation
        for index, operand in enumerate(op.operands):
            copy.operands[index] = copies[operand]
        copies.update(zip(op.results, copy.results, strict=True))
    return copies[value]


def _strip(block: ir.Block, nothing_left: bool) -> None:
    """Takes off what the texts of ops say of manual axes; constraints that say nothing else go.

    `nothing_left` says that all axes are manual.
    """
    for outermost in [op.operation for op in block.operations]:
        for op in pre_order(outermost):
            is_conversion = op.name == CUSTOM_CALL and target_of(op) in (FULL_TO_SHARD, SHARD_TO_FULL)
            if is_conversion or _feeds_conversion(op):
                continue
            if TEXT in op.attributes:
                del op.attributes[TEXT]
            if op.name == CUSTOM_CALL and target_of(op) == SHARDING_CALL and _says_nothing(op, nothing_left):
                op.results[0].replace_all_uses_with(op.operands[0])
                op.erase()
            elif nothing_left and SHARDING in op.attributes:
                del op.attributes[SHARDING]


def _strip_entries(func: ir.Operation, nothing_left: bool) -> None:
    """The same for arguments and results of a function that a body calls."""
    gone = (TEXT, SHARDING) if nothing_left else (TEXT,)
    for entries in ENTRIES:
        if entries in func.attributes:
            kept = [{e.name: e.attr for e in entry if e.name not in gone} for entry in func.attributes[entries]]
            func.attributes[entries] = ir.ArrayAttr.get([ir.DictAttr.get(entry) for entry in kept])


def _feeds_conversion(op: ir.Operation) -> bool:
    """Whether it is the constraint of a conversion of a piece in this one, which is still to be imported."""
    if op.name != CUSTOM_CALL or target_of(op) != SHARDING_CALL:
        return False
    users = [use.owner.operation for use in op.results[0].uses]
    return any(user.name == CUSTOM_CALL and target_of(user) in (FULL_TO_SHARD, SHARD_TO_FULL) for user in users)


def _says_nothing(op: ir.Operation, nothing_left: bool) -> bool:
    shardings = op_shardings(op)
    if nothing_left or shardings is None:
        return True
    sharding = with_open_dims(op, shardings[0])
    return all(not dim.axes and not dim.is_closed for dim in sharding.dims) and not sharding.unreduced
