"""xla-sdy-stablehlo-export-shardings: shardings become sharding text, and meshes go.

    sdy.mesh @mesh = <["a"=2]>
    %0 = stablehlo.sine %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : tensor<8xf32>
==> %0 = stablehlo.sine %x {mhlo.sharding = "{devices=[2]<=[2]}"} : tensor<8xf32>

Dimensions are closed first: it is what propagation has found, or the user said, and nothing more.
"""

from __future__ import annotations

from dataclasses import dataclass

from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE
from sdy.dialect.sharding_text.forms import REPLICATED
from sdy.dialect.sharding_text.from_sharding import REPLICATED_ANYWHERE
from sdy.mlir import ir
from sdy.mlir.functions import funcs_in_modules, top_level
from sdy.mlir.search import ops_with
from sdy.mlir.walk import for_each_below, pre_order
from sdy.passes import shared_options as shared
from sdy.passes.interchange.exporting.dense_groups import GROUPS, make_groups_dense
from sdy.passes.interchange.exporting.exported_texts import ExportedTexts
from sdy.passes.interchange.exporting.ops_left import refuse_ops_left
from sdy.passes.interchange.sites import ENTRIES, TEXT
from sdy.passes.interchange.wrapped_ops import WRAPPED, wrap_texts
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_


@dataclass(frozen=True)
class Options:
    enable_hlo_sharding_v3: bool = option(*shared.NAMES_OF_AXES_WRITTEN)
    add_missing_sharding_to_control_flow: bool = option(*shared.ADD_MISSING_SHARDING_TO_CONTROL_FLOW)


_UNLIKE_OTHERS = (TEXT, SHARDING_RULE, GROUPS, WRAPPED)
"""What few ops have."""

_CONTROL_FLOW = ("stablehlo.while", "stablehlo.case", "stablehlo.if")


@pass_("xla-sdy-stablehlo-export-shardings", options=Options)
def stablehlo_export_shardings(module: ir.Operation, options: Options) -> object:
    """Spec: interchange, 3 and 8.1."""
    refuse_ops_left(module, "sharding text")
    unlike = ops_with(module, *_UNLIKE_OTHERS)
    make_groups_dense(module, unlike)
    texts = ExportedTexts(module, named=options.enable_hlo_sharding_v3, propagated=True)
    changed = False
    for func in funcs_in_modules(module):
        for entries in ENTRIES:
            changed |= _export_entries(func, entries, texts)
    for op in unlike:
        changed |= _export_op(op, texts)
    changed |= _export_plain(module, texts)
    if options.add_missing_sharding_to_control_flow:
        changed |= _complete_control_flow(module, named=options.enable_hlo_sharding_v3)
    wrap_texts(unlike)
    for op in top_level(module):
        if op.name == "sdy.mesh":
            op.erase()
            changed = True
    return None if changed else UNCHANGED


def _export_plain(module: ir.Operation, texts: ExportedTexts) -> bool:
    """Ops with a sharding that have no text; they repeat few. Whether there are any."""
    written: dict[ir.Attribute, ir.Attribute] = {}

    def export(op: ir.Operation) -> None:
        stored = op.attributes
        shardings = stored.get(SHARDING)
        if shardings is not None:
            text = written.get(shardings)
            if text is None:
                text = written[shardings] = texts.of_attribute(shardings, op)
            stored[TEXT] = text
            del stored[SHARDING]

    for_each_below(module, export)
    return bool(written)


def _export_op(op: ir.Operation, texts: ExportedTexts) -> bool:
    """Whether there is something to export about an op that may have more than a sharding."""
    stored = op.attributes
    shardings = stored.get(SHARDING)
    has_rule = SHARDING_RULE in stored
    if shardings is not None:
        # What stands in a manual computation has its text already.
        if TEXT not in stored:
            stored[TEXT] = texts.of_attribute(shardings, op)
        del stored[SHARDING]
    if has_rule:
        del stored[SHARDING_RULE]
    return has_rule or shardings is not None


def _export_entries(func: ir.Operation, entries: str, texts: ExportedTexts) -> bool:
    changed: list[ir.Attribute] = []
    found = False
    for entry in func.attributes.get(entries) or ():
        kept = {one.name: one.attr for one in entry}
        if SHARDING in kept:
            kept.setdefault(TEXT, texts.of_attribute(kept.pop(SHARDING), func))
            found = True
        changed.append(ir.DictAttr.get(kept))
    if found:
        func.attributes[entries] = ir.ArrayAttr.get(changed)
    return found


def _complete_control_flow(module: ir.Operation, *, named: bool) -> bool:
    missing = [op for op in pre_order(module) if op.name in _CONTROL_FLOW and TEXT not in op.attributes]
    for op in missing:
        op.attributes[TEXT] = ir.StringAttr.get(str(REPLICATED_ANYWHERE if named else REPLICATED))
    return bool(missing)
