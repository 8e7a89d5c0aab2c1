"""StableHLO forms of the dialect: ops, sharding text (spec: interchange, 3, 5.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from sdy.dialect.builders import OPS
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.replica_groups import manual_axes_around, mesh_axes
from sdy.dialect.sharding_text.forms import REPLICATED, Leaf, Several
from sdy.dialect.sharding_text.from_sharding import REPLICATED_ANYWHERE, named_of, tiles_of
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import INHERENT_SHARDINGS
from sdy.dialect.values.rule import ManualAxes, ShardingPerValue
from sdy.dialect.values.sharding import Reduction, TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, Faults
from sdy.mlir.functions import ModuleSymbols, boundary_types, entries_of, new_function, put_entries, symbol_name
from sdy.mlir.search import ops_named
from sdy.mlir.walk import identity, pre_order
from sdy.passes.interchange.sites import CUSTOM_CALL, FRONTEND, SHARDING_CALL, TEXT, rank_of


def custom_call(
    target: str,
    operands: Sequence[ir.Value],
    types: Sequence[ir.Type],
    at: ir.Operation,
    *,
    side_effect: bool = False,
    frontend: Mapping[str, ir.Attribute] | None = None,
    attributes: Mapping[str, ir.Attribute] | None = None,
    ip: ir.InsertionPoint | None = None,
) -> ir.Operation:
    """A custom call at the location of `at`, in front of it unless `ip` says otherwise."""
    given: dict[str, ir.Attribute] = {"call_target_name": ir.StringAttr.get(target), **(attributes or {})}
    if side_effect:
        given["has_side_effect"] = ir.BoolAttr.get(True)
    if frontend:
        given[FRONTEND] = ir.DictAttr.get(dict(frontend))
    return ir.Operation.create(
        CUSTOM_CALL,
        results=list(types),
        operands=list(operands),
        attributes=given,
        loc=at.location,
        ip=ip or ir.InsertionPoint(at),
    )


def function_of_region(
    name: str, op: ir.Operation, visibility: str | None, attributes: Mapping[str, ir.Attribute] | None = None
) -> ir.Operation:
    """A function, not in any module, with the one block of the region of `op` moved into it; `op` is left empty."""
    source = op.regions[0].blocks[0]
    *ops, terminator = [each.operation for each in source.operations]
    types = [argument.type for argument in source.arguments]
    results = [value.type for value in terminator.operands]
    func = new_function(name, types, results, attributes, loc=op.location, ip=False)
    if visibility is not None:
        func.attributes["sym_visibility"] = ir.StringAttr.get(visibility)
    block = func.regions[0].blocks.append(*types, arg_locs=[argument.location for argument in source.arguments])
    for old, new in zip(source.arguments, block.arguments, strict=True):
        old.replace_all_uses_with(new)
    end = ir.Operation.create(
        "func.return", operands=list(terminator.operands), loc=terminator.location, ip=ir.InsertionPoint(block)
    )
    terminator.erase()
    for each in ops:
        each.move_before(end)
    return func


def call(name: str, operands: Sequence[ir.Value], types: Sequence[ir.Type], at: ir.Operation) -> ir.Operation:
    """A call of the function `name` in front of `at`."""
    given = {"callee": ir.FlatSymbolRefAttr.get(name)}
    return ir.Operation.create(
        "func.call",
        results=list(types),
        operands=list(operands),
        attributes=given,
        loc=at.location,
        ip=ir.InsertionPoint(at),
    )


def says_reduction(sharding: TensorSharding) -> bool:
    """Return whether a call with `sharding` has an effect that must stay: partial values are made, or reduced."""
    return bool(sharding.unreduced) or sharding.reduction is not Reduction.SUM


RESHARDS = tuple(name for name in INHERENT_SHARDINGS if name != "sdy.data_flow_edge")
"""Constraints, reshards and collectives: they give their result a sharding."""

EDGES = ("sdy.data_flow_edge", "sdy.func_data_flow_edge")


def write_reshard(op: ir.Operation, *, as_call: bool = True, keep_open_dims: bool = False) -> None:
    """Replace `op`, one of `RESHARDS`, by a call of @Sharding or a copy; `op` remains without uses.

    With `keep_open_dims` the call lists the open dimensions.
    """
    name = INHERENT_SHARDINGS.get(op.name)
    assert name is not None
    sharding = attributes.get(op, name)
    type_ = op.results[0].type
    if as_call:
        given = open_dims_of(sharding) if keep_open_dims else None
        new = custom_call(
            SHARDING_CALL, op.operands, [type_], op, side_effect=says_reduction(sharding), attributes=given
        )
    else:
        new = ir.Operation.create(
            "mhlo.copy", results=[type_], operands=list(op.operands), loc=op.location, ip=ir.InsertionPoint(op)
        )
    attributes.put(new, SHARDING, ShardingPerValue((sharding,)))
    op.results[0].replace_all_uses_with(new.results[0])


def open_dims_of(sharding: TensorSharding) -> dict[str, ir.Attribute]:
    """Return the open dimensions of a call of @Sharding, which its text cannot express."""
    listed = [str(number) for number, dim in enumerate(sharding.dims) if not dim.is_closed]
    return {"backend_config": ir.StringAttr.get(f"unspecified_dims=[{','.join(listed)}]")} if listed else {}


def write_constant(op: ir.Operation) -> None:
    """Replace a constant of the dialect by one of StableHLO.

    Raises `DiagnosticError` if its value is none, which StableHLO would not survive where nothing is verified.
    """
    if not isinstance(getattr(op.attributes["value"], "type", None), ir.ShapedType):
        raise DiagnosticError(op, "has a value that is not a tensor of elements")
    new = ir.Operation.create(
        "stablehlo.constant",
        results=[op.results[0].type],
        attributes=dict(op.attributes.items()),
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    op.results[0].replace_all_uses_with(new.results[0])


def forward(op: ir.Operation) -> None:
    """The operand takes the place of the result."""
    op.results[0].replace_all_uses_with(op.operands[0])


_REFUSED = tuple(name for name in OPS if name != "sdy.mesh")


def refuse_ops_left(module: ir.Operation, form: str) -> None:
    """Raises `DiagnosticError` at every op of the dialect but meshes: it has no `form`."""
    with Faults() as faults:
        for op in ops_named(module, *_REFUSED):
            with faults.one():
                raise DiagnosticError(op, f"has no form in {form}")


GROUPS = "replica_groups"


def make_groups_dense(module: ir.Operation, ops: Iterable[ir.Operation]) -> None:
    """Replace replica groups along mesh axes on `ops` by lists of device numbers.

    Raises `DiagnosticError` at an op whose mesh there is not.
    """
    meshes = MeshTable(module)
    for op in ops:
        found = mesh_axes(op.attributes[GROUPS]) if GROUPS in op.attributes else None
        if found is None:
            continue
        mesh = meshes.resolve(found[0])
        if mesh is None:
            raise DiagnosticError(op, "has replica groups along axes of an unknown mesh")
        dense: Any = np.ascontiguousarray(mesh.replica_groups(found[1]), dtype=np.int64)
        op.attributes[GROUPS] = ir.DenseIntElementsAttr.get(dense)


class ExportedTexts:
    """The texts of shardings on the meshes of a module; tiles, or the names of axes.

    With `propagated`, names express no more than tiles: dimensions are closed, and a value without axes is replicated
    on any mesh.
    """

    def __init__(self, module: ir.Operation, *, named: bool = False, propagated: bool = False) -> None:
        self._meshes = MeshTable(module)
        self._named = named
        self._propagated = propagated
        self._known: dict[tuple[TensorSharding, tuple[str, ...]], Leaf] = {}
        self._of_attributes: dict[ir.Attribute, ir.Attribute] = {}

    def leaf(self, sharding: TensorSharding, at: ir.Operation, manual: Sequence[str] = ()) -> Leaf:
        """Return `sharding` in XLA's form; `manual` are the manual axes of the regions around it, the outermost first.

        Raises `DiagnosticError` at `at` for a mesh that there is not, or a name that text cannot hold.
        """
        key = (sharding, tuple(manual))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._new_leaf(sharding, at, manual)
        return found

    def _new_leaf(self, sharding: TensorSharding, at: ir.Operation, manual: Sequence[str]) -> Leaf:
        mesh = self._meshes.of(sharding)
        if mesh is None:
            raise DiagnosticError(at, f"unknown mesh: @{sharding.mesh_or_ref}")
        if not self._named:
            return tiles_of(sharding, mesh, manual)
        if self._propagated:
            sharding = sharding.close()
            if not manual and not mesh.is_maximal and sharding.is_fully_replicated and not sharding.unreduced:
                return REPLICATED_ANYWHERE
        return named_of(sharding, mesh, manual)

    def of_attribute(self, shardings: ir.Attribute, at: ir.Operation) -> ir.Attribute:
        """Return the text of a sharding or a list of them, remembered by attribute."""
        found = self._of_attributes.get(shardings)
        if found is None:
            value = attributes.value_of(shardings)
            listed = [value] if isinstance(value, TensorSharding) else list(value)
            found = self._of_attributes[shardings] = self.text(listed, at)
        return found

    def text(self, shardings: Sequence[TensorSharding], at: ir.Operation, manual: Sequence[str] = ()) -> ir.Attribute:
        """The text for all results of an op, or for an op without results."""
        leaves = tuple(self.leaf(sharding, at, manual) for sharding in shardings)
        try:
            if len(leaves) == 1:
                return ir.StringAttr.get(str(leaves[0]))
            return ir.StringAttr.get(str(Several(leaves)) if leaves else str(REPLICATED))
        except ValueError as error:
            raise DiagnosticError(at, str(error)) from None


MANUAL = "sdy.manual_computation"
_TERMINATORS = ("func.return", "stablehlo.return", "sdy.return")


@dataclass(frozen=True)
class Surroundings:
    """Surroundings of a manual computation.

    `mesh` is the name of its mesh, `own` are its manual axes, `outer` those of the computations around it, outermost
    first.
    """

    op: ir.Operation
    mesh: str
    own: tuple[str, ...]
    outer: tuple[str, ...]

    @property
    def manual(self) -> tuple[str, ...]:
        """The axes that are manual in the body."""
        return (*self.outer, *self.own)


class ManualTexts:
    """Writes sharding text on ops, arguments and results: the manual axes around them, and their own shardings."""

    def __init__(self, module: ir.Operation, *, named: bool) -> None:
        self._texts = ExportedTexts(module, named=named, propagated=True)
        self._symbols = ModuleSymbols(module)
        self._meshes = MeshTable(module)
        self._called: dict[str, tuple[str, ...]] = {}
        """The manual axes of the functions that bodies call."""

    def surroundings(self, op: ir.Operation) -> Surroundings:
        """Raises `DiagnosticError` if there is no mesh."""
        own: ManualAxes = attributes.get(op, "manual_axes")
        return Surroundings(op, self._mesh(op), tuple(own.names), manual_axes_around(op))

    def _mesh(self, op: ir.Operation) -> str:
        """Return the mesh of a computation; if no operand or result has one, the first of the module."""
        given = (*attributes.get(op, "in_shardings"), *attributes.get(op, "out_shardings"))
        found = self._meshes.first_non_maximal(given)
        if isinstance(found, str):
            return found
        first = self._meshes.global_mesh()
        if first is None:
            raise DiagnosticError(op, "there is no mesh for this computation")
        return first[0]

    # Values on both sides of the border ----------------------------------------------------------

    def outside(self, sharding: TensorSharding, at: Surroundings) -> ir.Attribute:
        """The text of an operand or result of a computation."""
        return self._texts.text([sharding.close()], at.op, at.outer)

    def inside(self, sharding: TensorSharding, type_: ir.Type, at: Surroundings) -> ir.Attribute:
        """Return the text of `sharding` as it is in the body, where the value has `type_`."""
        return self._texts.text([self.local(sharding, type_, at)], at.op, at.manual)

    def local(self, sharding: TensorSharding, type_: ir.Type, at: Surroundings) -> TensorSharding:
        """The sharding in the body of an operand or result of a computation."""
        if self._meshes.is_on_single_device(sharding):
            return TensorSharding.closed(at.mesh, rank_of(type_))
        return sharding.erase_manual_axes(at.manual).close()

    # The body ------------------------------------------------------------------------------------

    def write_body(self, at: Surroundings) -> None:
        """Write the text of every op in the body, except ops in inner computations."""
        for nested in at.op.regions[0].blocks[0].operations:
            self._write_nested(nested.operation, at)

    def _write_nested(self, op: ir.Operation, at: Surroundings) -> None:
        for each in pre_order(op):
            if each.name in _TERMINATORS or each.name == MANUAL or TEXT in each.attributes:
                continue
            if _is_in_another(each, op):
                continue
            if each.name == "func.call":
                self._write_callee(each, at)
            self.write_op(each, at)

    def write_op(self, op: ir.Operation, at: Surroundings) -> None:
        """Gives an op of the body its text."""
        stored: ShardingPerValue | None = attributes.get(op, SHARDING)
        given = list(stored) if stored is not None else []
        ranks = [rank_of(result.type) for result in op.results] or [0]
        shardings = [
            self._of_value(given[number] if number < len(given) else None, rank, at)
            for number, rank in enumerate(ranks)
        ]
        op.attributes[TEXT] = self._texts.text(shardings, op, at.manual)
        if stored is not None:
            del op.attributes[SHARDING]

    def _of_value(self, sharding: TensorSharding | None, rank: int, at: Surroundings) -> TensorSharding:
        """Return the sharding of a value in a body; a missing one, or one on a single device, is replicated."""
        if sharding is None or self._meshes.is_on_single_device(sharding) or sharding.rank != rank:
            return TensorSharding.closed(at.mesh, rank)
        return sharding.close()

    # Functions -----------------------------------------------------------------------------------

    def _write_callee(self, op: ir.Operation, at: Surroundings) -> None:
        callee = self._symbols.callee(op)
        name = symbol_name(callee)
        if name in self._called:
            if self._called[name] != at.manual:
                raise DiagnosticError(op, f"calls '{name}', which is called with other manual axes as well")
            return
        self._called[name] = at.manual
        self.write_entries(callee, at)
        for block in callee.regions[0].blocks:
            for nested in block.operations:
                self._write_nested(nested.operation, at)

    def write_entries(self, func: ir.Operation, at: Surroundings) -> None:
        """Sets the sharding text on the arguments and results of a function that is, or is called by, a body."""
        for entries in ("arg_attrs", "res_attrs"):
            changed = entries_of(func, entries)
            for kept, one in zip(changed, boundary_types(func, entries), strict=True):
                given = attributes.value_of(kept.pop(SHARDING)) if SHARDING in kept else None
                kept[TEXT] = self._texts.text([self._of_value(given, rank_of(one), at)], func, at.manual)
            put_entries(func, entries, changed)


def _is_in_another(op: ir.Operation, outermost: ir.Operation) -> bool:
    """Return whether `op` is in a computation in `outermost`, or in that."""
    stop = identity(outermost)
    while identity(op) != stop:
        op = op.parent.operation
        if op.name == MANUAL:
            return True
    return False
