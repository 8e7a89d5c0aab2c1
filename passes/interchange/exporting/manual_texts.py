"""Sharding text of what is computed where some axes are manual (spec: interchange, 5.2)."""

from __future__ import annotations

from dataclasses import dataclass

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.replica_groups import manual_axes_around
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.lists import ManualAxes, ShardingPerValue
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import ModuleSymbols, symbol_name
from sdy.mlir.walk import identity, pre_order
from sdy.passes.interchange.exporting.exported_texts import ExportedTexts
from sdy.passes.interchange.sites import TEXT, rank_of, types_of

MANUAL = "sdy.manual_computation"
_TERMINATORS = ("func.return", "stablehlo.return", "sdy.return")


@dataclass(frozen=True)
class Surroundings:
    """Where a manual computation stands.

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
    """Writes text on ops, arguments and results: the manual axes of where they are, and what else they are sharded."""

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
        """The mesh of a computation; where no operand or result says it, the first of the module."""
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
        """That of what it is in the body, where it has `type_`."""
        return self._texts.text([self.local(sharding, type_, at)], at.op, at.manual)

    def local(self, sharding: TensorSharding, type_: ir.Type, at: Surroundings) -> TensorSharding:
        """The sharding in the body of an operand or result of a computation."""
        if self._meshes.is_on_single_device(sharding):
            return TensorSharding.closed(at.mesh, rank_of(type_))
        return sharding.erase_manual_axes(at.manual).close()

    # The body ------------------------------------------------------------------------------------

    def write_body(self, at: Surroundings) -> None:
        """Gives every op of the body its text, but those in computations inside, which have their own."""
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
        """What is missing, or on a single device, is replicated in a body."""
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
        """Gives the arguments and results of a function that a body is, or calls, their text."""
        for entries in ("arg_attrs", "res_attrs"):
            types = types_of(func, entries)
            none = [ir.DictAttr.get({})] * len(types)
            stored = list(func.attributes[entries]) if entries in func.attributes else none
            changed = []
            for entry, one in zip(stored, types, strict=True):
                kept = {each.name: each.attr for each in entry}
                given = attributes.value_of(kept.pop(SHARDING)) if SHARDING in kept else None
                kept[TEXT] = self._texts.text([self._of_value(given, rank_of(one), at)], func, at.manual)
                changed.append(ir.DictAttr.get(kept))
            if changed:
                func.attributes[entries] = ir.ArrayAttr.get(changed)


def _is_in_another(op: ir.Operation, outermost: ir.Operation) -> bool:
    """Whether `op` is in a computation in `outermost`, or in that."""
    stop = identity(outermost)
    while identity(op) != stop:
        op = op.parent.operation
        if op.name == MANUAL:
            return True
    return False
