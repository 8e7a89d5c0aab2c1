"""Helpers that build manual regions: shardings of conversions, insertion points, remaining texts."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect import builders
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.sharding_text.common_mesh import CommonMesh, NoMeshError
from sdy.dialect.sharding_text.forms import Kind, Leaf, Named, Tiles
from sdy.dialect.shardings.attribute_shardings import op_shardings
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.effects import is_effect_free
from sdy.mlir.functions import ModuleSymbols, callee_name, map_entries
from sdy.mlir.rewriting import clone_with, first_user, replace, use_instead
from sdy.mlir.search import ops_with
from sdy.mlir.walk import block_order, pre_order
from sdy.passes.interchange.importing.foreign_shardings import is_manual
from sdy.passes.interchange.importing.manual.block_flow import constraint_before, conversion_of, taken_by
from sdy.passes.interchange.importing.manual.manual_regions import ManualRegion
from sdy.passes.interchange.importing.xla_forms import with_open_dims
from sdy.passes.interchange.sites import (
    CUSTOM_CALL,
    SHARD_TO_FULL,
    SHARDING_CALL,
    TEXT,
    Site,
    op_sites,
    rank_of,
    target_of,
    text_in,
)


def in_sharding(op: ir.Operation, mesh_name: str) -> TensorSharding:
    """Return the sharding of the global value in a conversion to one device, without manual axes."""
    source = constraint_before(op)
    if source is not None and (shardings := op_shardings(source)) is not None:
        return with_open_dims(source, shardings[0])
    found = get_sharding(op.operands[0])
    return TensorSharding.closed(mesh_name, rank_of(op.operands[0].type)) if found is None else found


def out_sharding(op: ir.Operation) -> TensorSharding:
    """Return the sharding of the global value in a conversion back.

    Raises `DiagnosticError` if there is none.
    """
    shardings = op_shardings(op)
    if shardings is None:
        raise DiagnosticError(op, "expected a sharding on this custom call")
    return with_open_dims(op, shardings[0])


def check_local_types(
    region: ManualRegion, shardings: Sequence[TensorSharding], manual: Sequence[str], mesh: Mesh
) -> None:
    """Raise `DiagnosticError` at a conversion with a wrong local type along the `manual` axes."""
    for op, sharding in zip(region.conversions, shardings, strict=True):
        globals_, locals_ = (op.operands[0].type, op.results[0].type)
        if conversion_of(op) == SHARD_TO_FULL:
            globals_, locals_ = locals_, globals_
        if not isinstance(globals_, ir.RankedTensorType):
            continue
        kept = sharding.map_axes(lambda axis: axis.name in manual)
        shape = kept.local_shape(globals_.shape, mesh.axis_sizes)
        if list(shape) != list(locals_.shape):
            raise DiagnosticError(
                op, f"has local type {locals_}, but {globals_} is cut into {'x'.join(map(str, shape))}"
            )


def fill(computation: ir.Operation, region: ManualRegion) -> None:
    """Moves the ops of the piece into the computation and takes the conversions away; constants are copied."""
    block = computation.regions[0].blocks[0]
    entering = [*(op.results[0] for op in region.ins), *region.scalars, *region.tokens]
    inside: dict[ir.Value, ir.Value] = dict(zip(entering, block.arguments, strict=True))
    for op, argument in zip(region.ins, block.arguments, strict=False):
        op.results[0].replace_all_uses_with(argument)
    before = dict.fromkeys(source for op in region.outs if (source := constraint_before(op)) is not None)
    closing = [source for source in before if source in region.ops]
    returned = [*(op.operands[0] for op in region.outs), *region.leaving]
    end = builders.return_(returned, loc=computation.location, ip=ir.InsertionPoint(block))
    for op in region.ops:
        op.move_before(end)
    start = ir.InsertionPoint.at_block_begin(block)
    for value in region.captured:
        copy = _copied(value, inside, start)
        for op in (*region.ops, end):
            use_instead(op, {value: copy})
    results = list(computation.results)
    for token, result in zip(region.leaving, results[len(region.outs) :], strict=True):
        token.replace_all_uses_except(result, [op for moved in (*region.ops, end) for op in pre_order(moved)])
    for op, result in zip(region.outs, results, strict=False):
        replace(op, [result])
    for op in region.ins:
        op.erase()
    for op in closing:  # what it says, the sharding of the result says as well
        replace(op, [op.operands[0]])


def _copied(value: ir.Value, copies: dict[ir.Value, ir.Value], ip: ir.InsertionPoint) -> ir.Value:
    """`value`, made of `copies` and constants, computed again at `ip`."""
    if value not in copies:
        op = value.owner.operation
        for operand in op.operands:
            _copied(operand, copies, ip)
        copy = clone_with(op, copies, ip)
        copies.update(zip(op.results, copy.results, strict=True))
    return copies[value]


def make_room(region: ManualRegion) -> ir.Operation:
    """Return the last op of the piece, where one op can replace the piece: users of its results move behind it.

    Raises `DiagnosticError` at a conversion back whose result the piece itself uses.
    """
    inner = [*region.ins, *region.ops]
    if not inner:
        return region.outs[0]
    last = max(inner, key=block_order)
    early = [op for op in map(first_user, region.outs) if op is not None and op.is_before_in_block(last)]
    if early:
        _move_behind(last, _dependent(min(early, key=block_order), last, region))
    return last


def _dependent(first: ir.Operation, last: ir.Operation, region: ManualRegion) -> list[ir.Operation]:
    """Return the ops from `first` to `last` that depend on results of the piece."""
    members = {*region.ins, *region.ops}
    made: dict[ir.Value, ir.Operation] = {op.results[0]: op for op in region.outs}
    found: list[ir.Operation] = []
    for op in _between(first, last):
        if op in region.outs:
            continue
        origin = next((made[value] for value in taken_by(op) if value in made), None)
        if origin is None:
            continue
        if op in members:
            raise DiagnosticError(origin, "results of one computation are used before all of it is computed")
        found.append(op)
        made.update(dict.fromkeys(op.results, origin))
    return found


def _between(first: ir.Operation, last: ir.Operation) -> list[ir.Operation]:
    ops = [op.operation for op in first.block.operations]
    return ops[ops.index(first) : ops.index(last) + 1]


def _move_behind(last: ir.Operation, ops: list[ir.Operation]) -> None:
    for op in ops:
        op.move_after(last)
        last = op


def strip(block: ir.Block, nothing_left: bool) -> None:
    """Remove manual axes from the texts of ops; constraints without further content are erased.

    `nothing_left` tells that all axes are manual.
    """
    for outermost in [op.operation for op in block.operations]:
        for op in pre_order(outermost):
            if TEXT in op.attributes:
                del op.attributes[TEXT]
            if op.name == CUSTOM_CALL and target_of(op) == SHARDING_CALL and _says_nothing(op, nothing_left):
                replace(op, [op.operands[0]])
            elif nothing_left and SHARDING in op.attributes:
                del op.attributes[SHARDING]


def strip_entries(func: ir.Operation, nothing_left: bool) -> None:
    """Strip manual axes from the arguments and results of a function that a body calls."""
    gone = (TEXT, SHARDING) if nothing_left else (TEXT,)
    map_entries(func, lambda entries: {name: attr for name, attr in entries.items() if name not in gone})


def _says_nothing(op: ir.Operation, nothing_left: bool) -> bool:
    shardings = op_shardings(op)
    if nothing_left or shardings is None:
        return True
    sharding = with_open_dims(op, shardings[0])
    return all(not dim.axes and not dim.is_closed for dim in sharding.dims) and not sharding.unreduced


class TextsOfManualAxes:
    """The manual axes of sharding texts, each parsed once."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, Mesh], tuple[str, ...] | None] = {}

    def axes(self, op: ir.Operation, mesh: Mesh) -> tuple[str, ...] | None:
        """Return the manual axes in the text of `op`, in mesh order; None without any.

        Raises `DiagnosticError` where a part of an axis is manual.
        """
        text = text_in(op.attributes)
        if text is None:
            return None
        if (text, mesh) not in self._known:
            site = Site(op, text)
            leaf = next(filter(is_manual, site.read()), None)
            self._known[text, mesh] = None if leaf is None else _axes_of(leaf, mesh, site)
        return self._known[text, mesh]


def _axes_of(leaf: Leaf, mesh: Mesh, site: Site) -> tuple[str, ...]:
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
            raise site.error(f"a part of axis {axis.name!r} is manual, but only whole axes can be")
    names = {axis.name for axis in axes}
    return tuple(name for name in everything if name in names)


def has_manual_effects(module: ir.Operation) -> bool:
    """Return whether some op with effects is marked as running on each device."""
    sites = op_sites([op for op in ops_with(module, TEXT) if not is_effect_free(op)])
    return any(is_manual(leaf) for site in sites for leaf in site.read())


class SaidAxes:
    """The manual axes named by ops: in their own text, else in the text of their effects."""

    def __init__(self, module: ir.Operation, symbols: ModuleSymbols, texts: TextsOfManualAxes) -> None:
        self._symbols = symbols
        self._texts = texts
        self._are_effects_manual = has_manual_effects(module)
        self._of_functions: dict[str, set[tuple[str, ...] | None]] = {}

    def axes(self, op: ir.Operation, mesh: Mesh) -> tuple[str, ...] | None:
        """Return them in mesh order; None without text, or if effects differ.

        Raises `DiagnosticError` where a part of an axis is manual.
        """
        said = self._texts.axes(op, mesh)
        if said is not None or not self._are_effects_manual or not (op.name == "func.call" or len(op.regions) > 0):
            return said
        found = self._of_effects(op, mesh)
        return next(iter(found)) if len(found) == 1 else None

    def has_effects_inside(self, ops: Sequence[ir.Operation], mesh: Mesh, outer: frozenset[str]) -> bool:
        """Return whether some of `ops` has effects, and is manual on more axes than `outer`."""
        if not self._are_effects_manual:
            return False
        found = (self.axes(op, mesh) for op in ops if not is_effect_free(op))
        return any(axes is not None and not outer.issuperset(axes) for axes in found)

    def _of_effects(self, op: ir.Operation, mesh: Mesh) -> set[tuple[str, ...] | None]:
        """Return the levels of the effects of `op`, its regions and callees, except conversions."""
        if op.name == "func.call":
            name = callee_name(op)
            if name not in self._of_functions:
                self._of_functions[name] = self._of_regions(self._symbols.callee(op), mesh)
            return self._of_functions[name]
        if conversion_of(op):
            return {None}
        if len(op.regions):
            return self._of_regions(op, mesh)
        return set() if is_effect_free(op) else {self._texts.axes(op, mesh)}

    def _of_regions(self, op: ir.Operation, mesh: Mesh) -> set[tuple[str, ...] | None]:
        ops = (each.operation for region in op.regions for block in region.blocks for each in block.operations)
        return set().union(*(self._of_effects(each, mesh) for each in ops))
