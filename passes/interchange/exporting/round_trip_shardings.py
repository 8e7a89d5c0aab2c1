"""Shardings and manual computations as strings of the dialect in a module of StableHLO alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE
from sdy.dialect.shardings.attribute_shardings import op_shardings, set_op_shardings, set_result_sharding
from sdy.dialect.values.rule import ManualAxes, ShardingPerValue
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.functions import (
    ORIGINAL_NAME,
    ModuleSymbols,
    entries_of,
    funcs_in_modules,
    has_body,
    put_entries,
    symbol_name,
    top_level,
)
from sdy.mlir.rewriting import terminator
from sdy.mlir.search import ops_named, ops_with
from sdy.mlir.walk import for_each_below
from sdy.passes.interchange import strings
from sdy.passes.interchange.exporting.op_forms import (
    GROUPS,
    ExportedTexts,
    call,
    custom_call,
    function_of_region,
    make_groups_dense,
    refuse_ops_left,
)
from sdy.passes.interchange.sites import FRONTEND, SHARDING_CALL, TEXT, WRAPPED, frontend, set_frontend, wrap_texts
from sdy.passes.options import NamedTextWritten
from sdy.passes.registry import UNCHANGED, pass_


def _move_to_called_results(module: ir.Operation) -> None:
    """Gives each function made from a named computation the shardings of its only call."""
    symbols = ModuleSymbols(module)
    for op in ops_named(module, "func.call"):
        shardings = op_shardings(op)
        if shardings is None:
            continue
        callee = symbols.callee(op)
        if ORIGINAL_NAME not in callee.attributes:
            continue
        for number, sharding in enumerate(shardings):
            set_result_sharding(callee, number, sharding)
        set_op_shardings(op, None)


_UNLIKE_OTHERS = (FRONTEND, SHARDING_RULE, GROUPS, WRAPPED)
"""Attributes that few ops have."""


@pass_("xla-sdy-round-trip-export-shardy-attrs", options=NamedTextWritten)
def round_trip_export_shardy_attrs(module: ir.Operation, options: NamedTextWritten) -> object:
    """xla-sdy-round-trip-export-shardy-attrs: Convert meshes, shardings and rules to strings that XLA keeps.

        sdy.mesh @mesh = <["a"=2]>
        func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}]>}) ...
    ==> module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\\22a\\22=2]>}"}}
        func.func @main(%x: tensor<8xf32>
            {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{?}]>"},
            mhlo.sharding = "{replicated}"}) ...

    Shardings of results stand on calls in front of the return. Beside the strings there is sharding text, of tiles.
    With `enable-hlo-sharding-v3` there is no string but those of rules: sharding text names the axes, and priorities
    are lost.

    Spec: interchange, 6.
    """
    refuse_ops_left(module, "strings")
    _move_to_called_results(module)
    unlike = ops_with(module, *_UNLIKE_OTHERS)
    make_groups_dense(module, unlike)
    exporter = _AttributeExporter(module, named=options.enable_hlo_sharding_v3)
    for func in funcs_in_modules(module):
        exporter.export_results(func)
        exporter.export_arguments(func)
    for op in unlike:
        exporter.export_op(op)
    for_each_below(module, exporter.export_plain)
    wrap_texts(unlike)
    meshes = {symbol_name(op): attributes.get(op, "mesh") for op in top_level(module) if op.name == "sdy.mesh"}
    if meshes:
        if not options.enable_hlo_sharding_v3:
            set_frontend(module, {**frontend(module.attributes), strings.MESHES: strings.meshes_string(meshes)})
        for op in top_level(module):
            if op.name == "sdy.mesh":
                op.erase()
    return None if meshes or exporter.changed else UNCHANGED


class _AttributeExporter:
    def __init__(self, module: ir.Operation, *, named: bool) -> None:
        self._named = named
        self._texts = ExportedTexts(module, named=named)
        self._strings: dict[ir.Attribute, ir.Attribute] = {}
        self._plain: dict[ir.Attribute, tuple[ir.Attribute | None, ir.Attribute]] = {}
        self._of_results: dict[ir.Attribute, ir.Attribute] = {}
        """Texts of calls for results with a sharding."""
        self._written: dict[tuple[ir.Attribute | None, ...], tuple[ir.DictAttr, ir.Attribute | None]] = {}
        self.changed = False

    def export_plain(self, op: ir.Operation) -> None:
        """For an op that has, if anything, a sharding, and neither a rule nor frontend attributes."""
        stored = op.attributes
        shardings = stored.get(SHARDING)
        if shardings is None:
            return
        written = self._plain.get(shardings)
        if written is None:
            entries = None if self._named else self._new_entries(op, shardings, None)
            written = self._plain[shardings] = entries, self._texts.of_attribute(shardings, op)
        entries, text = written
        if entries is not None:
            stored[FRONTEND] = entries
        stored[TEXT] = text
        del stored[SHARDING]
        self.changed = True

    def export_op(self, op: ir.Operation) -> None:
        """Export the attributes of an op, once for equal ops."""
        stored = op.attributes
        shardings, rule = stored.get(SHARDING), stored.get(SHARDING_RULE)
        if shardings is None and rule is None:
            return
        known = (shardings, rule, stored.get(FRONTEND))
        written = self._written.get(known)
        if written is None:
            text = None if shardings is None else self._texts.of_attribute(shardings, op)
            written = self._written[known] = self._new_entries(op, shardings, rule), text
        entries, text = written
        if len(entries):
            stored[FRONTEND] = entries
        if text is not None:
            stored[TEXT] = text
            del stored[SHARDING]
        if rule is not None:
            del stored[SHARDING_RULE]
        self.changed = True

    def _new_entries(self, op: ir.Operation, shardings: ir.Attribute | None, rule: ir.Attribute | None) -> ir.DictAttr:
        entries = frontend(op.attributes)
        of_sharding = None if self._named else shardings
        for key, attribute in ((strings.SHARDING, of_sharding), (strings.SHARDING_RULE, rule)):
            if attribute is not None:
                entries[key] = self._string(attribute)
        return ir.DictAttr.get(entries)

    def _string(self, attribute: ir.Attribute) -> ir.Attribute:
        found = self._strings.get(attribute)
        if found is None:
            found = self._strings[attribute] = strings.string_of(attributes.value_of(attribute))
        return found

    def export_arguments(self, func: ir.Operation) -> None:
        self._export_entries(func, "arg_attrs", with_strings=True)

    def export_results(self, func: ir.Operation) -> None:
        """Insert calls in front of the returns for the shardings of results, if the text has no axis names."""
        stored = func.attributes.get("res_attrs")
        shardings = {number: entry[SHARDING] for number, entry in enumerate(stored or ()) if SHARDING in entry}
        if not shardings:
            return
        for block in func.regions[0].blocks if has_body(func) and not self._named else ():
            last = terminator(block)
            if last.name == "func.return":
                operands = list(last.operands)
                for number, sharding in shardings.items():
                    last.operands[number] = self._result_call(last, operands[number], sharding)
        self._export_entries(func, "res_attrs", with_strings=not has_body(func))

    def _result_call(self, at: ir.Operation, value: ir.Value, sharding: ir.Attribute) -> ir.Value:
        string = self._of_results.get(sharding)
        if string is None:
            listed = ShardingPerValue((attributes.value_of(sharding),))
            string = self._of_results[sharding] = strings.string_of(listed)
        entries = {strings.SHARDING: string}
        call = custom_call(strings.FUNC_RESULT, [value], [value.type], at, side_effect=True, frontend=entries)
        if isinstance(value, ir.OpResult):
            call.location = value.owner.operation.location
        return call.results[0]

    def _export_entries(self, func: ir.Operation, entries: str, *, with_strings: bool) -> None:
        changed = entries_of(func, entries)
        for kept in changed:
            if SHARDING in kept:
                sharding = kept.pop(SHARDING)
                kept[TEXT] = self._texts.of_attribute(sharding, func)
                if with_strings and not self._named:
                    kept[FRONTEND] = ir.DictAttr.get({**frontend(kept), strings.SHARDING: self._string(sharding)})
                self.changed = True
        put_entries(func, entries, changed)


@pass_("xla-sdy-round-trip-shard-map-export", options=NamedTextWritten)
def round_trip_shard_map_export(module: ir.Operation, options: NamedTextWritten) -> object:
    """xla-sdy-round-trip-shard-map-export: Outline manual computations into calls between shape conversions.

        %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>]
          manual_axes={"a"} (%a: tensor<4xf32>) { ... } : (tensor<8xf32>) -> tensor<8xf32>
    ==> %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%x) {mhlo.frontend_attributes =
          {xla.sdy.in_shardings = "...", xla.sdy.manual_axes = "#sdy<manual_axes{\\22a\\22}>"}} :
          (tensor<8xf32>) -> tensor<4xf32>
        %1 = call @xla.sdy.manual_computation_body(%0) : (tensor<4xf32>) -> tensor<4xf32>
        %2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%1) {...} : (tensor<4xf32>) -> tensor<8xf32>

    With `enable-hlo-sharding-v3` sharding text says the same: that of the operands on a @Sharding call for each of
    them, manual axes on what is local.

    Spec: interchange, 6 and 7.
    """
    symbols = ModuleSymbols(module)
    form = _Named(ExportedTexts(module, named=True)) if options.enable_hlo_sharding_v3 else _Strings()
    found = ops_named(module, "sdy.manual_computation")
    for op in found:
        _export(op, symbols, form)
    return None if found else UNCHANGED


class _Strings:
    """Shardings and manual axes in frontend attributes of the changes of shape."""

    def operands(self, computation: ManualComputation) -> Sequence[ir.Value]:
        return list(computation.op.operands)

    def before(self, computation: ManualComputation) -> Attributes:
        return self._entries(strings.IN_SHARDINGS, computation.ins, computation.manual)

    def call(self, computation: ManualComputation) -> Attributes:
        return {}

    def behind(self, computation: ManualComputation) -> Attributes:
        return self._entries(strings.OUT_SHARDINGS, computation.outs, computation.manual)

    def _entries(self, key: str, shardings: ShardingPerValue, manual: ManualAxes) -> Attributes:
        entries = {key: strings.string_of(shardings), strings.MANUAL_AXES: strings.string_of(manual)}
        return {FRONTEND: ir.DictAttr.get(entries)}


@dataclass(frozen=True)
class _Named:
    """Write shardings as text with axis names, including constraints in front of shape changes."""

    texts: ExportedTexts

    def operands(self, computation: ManualComputation) -> Sequence[ir.Value]:
        op = computation.op
        return [
            custom_call(
                SHARDING_CALL, [value], [value.type], op, side_effect=True, attributes=self._text([one], op)
            ).results[0]
            for value, one in zip(op.operands, computation.ins, strict=True)
        ]

    def before(self, computation: ManualComputation) -> Attributes:
        return self._local(computation.ins, computation)

    def call(self, computation: ManualComputation) -> Attributes:
        return self._local(computation.outs, computation) if len(computation.outs) else {}

    def behind(self, computation: ManualComputation) -> Attributes:
        return self._text(list(computation.outs), computation.op)

    def _local(self, shardings: ShardingPerValue, computation: ManualComputation) -> Attributes:
        names = computation.manual.names
        return self._text([sharding.erase_manual_axes(names) for sharding in shardings], computation.op, names)

    def _text(self, shardings: Sequence[TensorSharding], at: ir.Operation, manual: Sequence[str] = ()) -> Attributes:
        return {TEXT: self.texts.text(shardings, at, manual)}


@dataclass(frozen=True)
class ManualComputation:
    """A manual computation with the shardings of its operands and results, and its axes."""

    op: ir.Operation
    ins: ShardingPerValue
    outs: ShardingPerValue
    manual: ManualAxes

    @staticmethod
    def of(op: ir.Operation) -> ManualComputation:
        ins, outs = (attributes.get(op, name) for name in ("in_shardings", "out_shardings"))
        return ManualComputation(op, ins, outs, attributes.get(op, "manual_axes"))


Attributes = Mapping[str, ir.Attribute]


def _export(op: ir.Operation, symbols: ModuleSymbols, form: _Strings | _Named) -> None:
    computation = ManualComputation.of(op)
    block = op.regions[0].blocks[0]
    local_types = [argument.type for argument in block.arguments]
    *_, terminator = block.operations
    local_results = [value.type for value in terminator.operation.operands]
    name = symbols.insert(function_of_region(strings.BODY, op, None))
    operands: Sequence[ir.Value] = ()
    if local_types:
        given, around = form.operands(computation), form.before(computation)
        operands = custom_call(
            strings.GLOBAL_TO_LOCAL, given, local_types, op, side_effect=True, attributes=around
        ).results
    called = call(name, list(operands), local_results, op)
    entries: dict[str, ir.Attribute] = {"inlineable": ir.StringAttr.get("xla_late")}
    if not local_types and not local_results:  # no change of shape says the manual axes
        entries[strings.MANUAL_AXES] = strings.string_of(computation.manual)
    called.attributes[FRONTEND] = ir.DictAttr.get(entries)
    for key, attribute in form.call(computation).items():
        called.attributes[key] = attribute
    if local_results:
        types, around = [result.type for result in op.results], form.behind(computation)
        behind = custom_call(strings.LOCAL_TO_GLOBAL, called.results, types, op, side_effect=True, attributes=around)
        for old, new in zip(op.results, behind.results, strict=True):
            old.replace_all_uses_with(new)
    op.erase()
