"""xla-sdy-round-trip-export-shardy-attrs: meshes, shardings and rules become strings that XLA keeps.

    sdy.mesh @mesh = <["a"=2]>
    func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}]>}) ...
==> module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\\22a\\22=2]>}"}}
    func.func @main(%x: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{?}]>"},
      mhlo.sharding = "{replicated}"}) ...

Shardings of results stand on calls in front of the return. Beside the strings there is sharding text, of tiles. With
`enable-hlo-sharding-v3` there is no string but those of rules: sharding text names the axes, and priorities are lost.
"""

from __future__ import annotations

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE
from sdy.dialect.values.lists import ShardingPerValue
from sdy.mlir import ir
from sdy.mlir.functions import funcs_in_modules, has_body, symbol_name, top_level
from sdy.mlir.rewriting.insertion import terminator
from sdy.mlir.search import ops_with
from sdy.mlir.walk import for_each_below
from sdy.passes.interchange import strings
from sdy.passes.interchange.custom_calls import FRONTEND, frontend, set_frontend
from sdy.passes.interchange.exporting.building import custom_call
from sdy.passes.interchange.exporting.called_results import move_to_called_results
from sdy.passes.interchange.exporting.dense_groups import GROUPS, make_groups_dense
from sdy.passes.interchange.exporting.exported_texts import ExportedTexts
from sdy.passes.interchange.exporting.ops_left import refuse_ops_left
from sdy.passes.interchange.sites import TEXT
from sdy.passes.interchange.wrapped_ops import WRAPPED, wrap_texts
from sdy.passes.registry import UNCHANGED, pass_
from sdy.passes.shared_options import NamedTextWritten

_UNLIKE_OTHERS = (FRONTEND, SHARDING_RULE, GROUPS, WRAPPED)
"""What few ops have."""


@pass_("xla-sdy-round-trip-export-shardy-attrs", options=NamedTextWritten)
def round_trip_export_shardy_attrs(module: ir.Operation, options: NamedTextWritten) -> object:
    """Spec: interchange, 6."""
    refuse_ops_left(module, "strings")
    move_to_called_results(module)
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
        """What calls say of results with a sharding."""
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
        """What is written on an op is made once for all that are like it."""
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
        """Calls in front of the returns say the shardings of results, where text does not name axes."""
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
        changed: list[ir.Attribute] = []
        for entry in func.attributes.get(entries) or ():
            kept = {one.name: one.attr for one in entry}
            if SHARDING in kept:
                sharding = kept.pop(SHARDING)
                kept[TEXT] = self._texts.of_attribute(sharding, func)
                if with_strings and not self._named:
                    kept[FRONTEND] = ir.DictAttr.get({**frontend(entry), strings.SHARDING: self._string(sharding)})
                self.changed = True
            changed.append(ir.DictAttr.get(kept))
        if changed:
            func.attributes[entries] = ir.ArrayAttr.get(changed)
