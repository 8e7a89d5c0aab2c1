"""xla-sdy-stablehlo-round-trip-shard-map-export: manual computations become calls between GSPMD's conversions.

    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"}
      (%a: tensor<4xf32>) { ... } : (tensor<8xf32>) -> tensor<8xf32>
==> %0 = stablehlo.custom_call @Sharding(%x) {sdy.sharding = ...} : (tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} :
      (tensor<8xf32>) -> tensor<4xf32>
    %2 = call @xla.sdy.inlinable_manual_computation_body(%1) : (tensor<4xf32>) -> tensor<4xf32>
    %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<4xf32>
    %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {sdy.sharding = ...} : (tensor<4xf32>) -> tensor<8xf32>

Every op of the body says which axes are manual there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sdy.dialect import attributes
from sdy.dialect.attributes import SHARDING
from sdy.dialect.diagnostics import DiagnosticError
from sdy.dialect.functions import ModuleSymbols, symbol_name
from sdy.dialect.lists import ManualAxes, ShardingPerValue
from sdy.dialect.meshes import MeshTable
from sdy.dialect.search import ops_named
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.walk import identity, pre_order
from sdy.mlir import ir
from sdy.passes.interchange.custom_calls import FULL_TO_SHARD, SHARD_TO_FULL, SHARDING_CALL
from sdy.passes.interchange.exporting.building import call, custom_call, function_of_region
from sdy.passes.interchange.exporting.exported_texts import ExportedTexts
from sdy.passes.interchange.sites import TEXT, rank_of
from sdy.passes.registry import UNCHANGED, pass_

_BODY = "xla.sdy.inlinable_manual_computation_body"
_TERMINATORS = ("func.return", "stablehlo.return", "sdy.return")
_MANUAL = "sdy.manual_computation"


@dataclass(frozen=True)
class Options:
    create_hlo_sharding_constraints: bool = field(
        default=True, metadata={"help": "write the constraints around as calls of @Sharding, not as mhlo.copy"}
    )
    enable_hlo_sharding_v3: bool = field(default=False, metadata={"help": "write the names of axes, not tiles"})


@pass_("xla-sdy-stablehlo-round-trip-shard-map-export", options=Options)
def stablehlo_round_trip_shard_map_export(module: ir.Operation, options: Options) -> object:
    """Spec: interchange, 5.2."""
    found = ops_named(module, _MANUAL)  # those inside of others come first
    if not found:
        return UNCHANGED
    exporter = _Exporter(module, options)
    around = [exporter.manual_around(op) for op in found]
    for op, manual in zip(found, around, strict=True):
        exporter.annotate(op, manual)
    for op, manual in zip(found, around, strict=True):
        exporter.export(op, manual)
    return None


class _Exporter:
    def __init__(self, module: ir.Operation, options: Options) -> None:
        self._texts = ExportedTexts(module, named=options.enable_hlo_sharding_v3)
        self._symbols = ModuleSymbols(module)
        self._meshes = MeshTable(module)
        self._options = options
        self._called: dict[str, tuple[str, ...]] = {}
        """The manual axes of the functions that bodies call."""

    def manual_around(self, op: ir.Operation) -> tuple[str, ...]:
        """The manual axes of `op` and of those around it."""
        names: list[str] = []
        while op.name != "func.func":
            if op.name == _MANUAL:
                names += attributes.get(op, "manual_axes").names
            op = op.parent.operation
        return tuple(names)

    def annotate(self, op: ir.Operation, manual: Sequence[str]) -> None:
        """Gives every op of the body its text, but those in computations inside, which have their own."""
        mesh = self._mesh(op)
        for nested in op.regions[0].blocks[0].operations:
            self._annotate(nested.operation, mesh, manual)

    def _annotate(self, op: ir.Operation, mesh: str, manual: Sequence[str]) -> None:
        for each in pre_order(op):
            if each.name in _TERMINATORS or each.name == _MANUAL or TEXT in each.attributes:
                continue
            if _is_in_another(each, op):
                continue
            if each.name == "func.call":
                self._annotate_function(each, mesh, manual)
            self._write(each, [result.type for result in each.results], mesh, manual)

    def _write(self, op: ir.Operation, types: Sequence[ir.Type], mesh: str, manual: Sequence[str]) -> None:
        stored: ShardingPerValue | None = attributes.get(op, SHARDING)
        given = list(stored) if stored is not None else []
        ranks = [rank_of(type_) for type_ in types] or [0]
        shardings = [
            self._inside(given[number] if number < len(given) else None, rank, mesh)
            for number, rank in enumerate(ranks)
        ]
        op.attributes[TEXT] = self._texts.text(shardings, op, manual)
        if stored is not None:
            del op.attributes[SHARDING]

    def _inside(self, sharding: TensorSharding | None, rank: int, mesh: str) -> TensorSharding:
        """What is missing, or on a single device, is replicated in a body."""
        if sharding is None or self._meshes.is_on_single_device(sharding) or sharding.rank != rank:
            return TensorSharding.closed(mesh, rank)
        return sharding.close()

    def _annotate_function(self, op: ir.Operation, mesh: str, manual: Sequence[str]) -> None:
        callee = self._symbols.callee(op)
        name = symbol_name(callee)
        if name in self._called:
            if self._called[name] != tuple(manual):
                raise DiagnosticError(op, f"calls '{name}', which is called with other manual axes as well")
            return
        self._called[name] = tuple(manual)
        self._annotate_entries(callee, mesh, manual)
        for block in callee.regions[0].blocks:
            for nested in block.operations:
                self._annotate(nested.operation, mesh, manual)

    def _annotate_entries(self, func: ir.Operation, mesh: str, manual: Sequence[str]) -> None:
        type_ = func.attributes["function_type"].value
        for entries, types in (("arg_attrs", type_.inputs), ("res_attrs", type_.results)):
            stored = (
                list(func.attributes[entries]) if entries in func.attributes else [ir.DictAttr.get({})] * len(types)
            )
            changed = []
            for entry, one in zip(stored, types, strict=True):
                kept = {each.name: each.attr for each in entry}
                given = attributes.value_of(kept.pop(SHARDING)) if SHARDING in kept else None
                kept[TEXT] = self._texts.text([self._inside(given, rank_of(one), mesh)], func, manual)
                changed.append(ir.DictAttr.get(kept))
            if changed:
                func.attributes[entries] = ir.ArrayAttr.get(changed)

    def export(self, op: ir.Operation, manual: Sequence[str]) -> None:
        """Puts a call of the body, between conversions, in the place of `op`."""
        mesh = self._mesh(op)
        ins, outs = (attributes.get(op, name) for name in ("in_shardings", "out_shardings"))
        own: ManualAxes = attributes.get(op, "manual_axes")
        outer = [name for name in manual if name not in own.names]
        block = op.regions[0].blocks[0]
        local_types = [argument.type for argument in block.arguments]
        local_results = [value.type for value in _last(block).operands]
        operands = [
            self._to_local(op, operand, sharding, type_, mesh, manual, outer)
            for operand, sharding, type_ in zip(op.operands, ins, local_types, strict=True)
        ]
        func = function_of_region(_BODY, op, "private")
        name = self._symbols.insert(func)
        self._annotate_entries(func, mesh, manual)
        called = call(name, operands, local_results, op)
        self._write(called, local_results, mesh, manual)
        for result, local, sharding in zip(op.results, called.results, outs, strict=True):
            result.replace_all_uses_with(self._to_global(op, local, sharding, result.type, mesh, manual, outer))
        op.erase()

    def _to_local(
        self,
        op: ir.Operation,
        value: ir.Value,
        sharding: TensorSharding,
        type_: ir.Type,
        mesh: str,
        manual: Sequence[str],
        outer: Sequence[str],
    ) -> ir.Value:
        constraint = self._constraint(op, value, self._outside(sharding, op, outer))
        inner = self._texts.text([self._local(sharding, type_, mesh, manual)], op, manual)
        return custom_call(FULL_TO_SHARD, [constraint], [type_], op, attributes={TEXT: inner}).results[0]

    def _to_global(
        self,
        op: ir.Operation,
        value: ir.Value,
        sharding: TensorSharding,
        type_: ir.Type,
        mesh: str,
        manual: Sequence[str],
        outer: Sequence[str],
    ) -> ir.Value:
        inner = self._texts.text([self._local(sharding, value.type, mesh, manual)], op, manual)
        constraint = self._constraint(op, value, inner)
        text = self._outside(sharding, op, outer)
        return custom_call(SHARD_TO_FULL, [constraint], [type_], op, attributes={TEXT: text}).results[0]

    def _constraint(self, op: ir.Operation, value: ir.Value, text: ir.Attribute) -> ir.Value:
        if self._options.create_hlo_sharding_constraints:
            return custom_call(SHARDING_CALL, [value], [value.type], op, attributes={TEXT: text}).results[0]
        return ir.Operation.create(
            "mhlo.copy",
            results=[value.type],
            operands=[value],
            attributes={TEXT: text},
            loc=op.location,
            ip=ir.InsertionPoint(op),
        ).results[0]

    def _outside(self, sharding: TensorSharding, op: ir.Operation, outer: Sequence[str]) -> ir.Attribute:
        return self._texts.text([sharding.close()], op, outer)

    def _local(self, sharding: TensorSharding, type_: ir.Type, mesh: str, manual: Sequence[str]) -> TensorSharding:
        """What is left of `sharding` inside."""
        if self._meshes.is_on_single_device(sharding):
            return TensorSharding.closed(mesh, rank_of(type_))
        return sharding.erase_manual_axes(manual).close()

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


def _last(block: ir.Block) -> ir.Operation:
    return block.operations[len(block.operations) - 1].operation


def _is_in_another(op: ir.Operation, outermost: ir.Operation) -> bool:
    """Whether `op` is in a computation in `outermost`, or in that."""
    stop = identity(outermost)
    while identity(op) != stop:
        op = op.parent.operation
        if op.name == _MANUAL:
            return True
    return False
