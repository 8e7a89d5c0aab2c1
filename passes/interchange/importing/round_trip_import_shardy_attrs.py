"""xla-sdy-round-trip-import-shardy-attrs: Convert the strings that XLA kept to meshes, shardings and rules.

    module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\\22a\\22=2]>}"}}
    func.func @main(%x: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{?}]>"}})
      %0 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%x) {mhlo.frontend_attributes =
        {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\\22a\\22}]>]>"}} : (tensor<8xf32>) -> tensor<8xf32>
==> sdy.mesh @mesh = <["a"=2]>
    func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}]>})
      -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>})

Sharding text (`mhlo.sharding`) goes: it says the same, or with `enable-hlo-sharding-v3` is what is read in place of
strings. Of ops only constraints, callbacks, sends and receives and tokens keep a sharding.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING, SHARDING_RULE
from sdy.dialect.sharding_text.forms import Named, Tiles
from sdy.dialect.shardings.attribute_shardings import (
    set_arg_sharding,
    set_op_shardings,
    set_result_sharding,
    set_result_shardings,
)
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ShardingPerValue, ShardingRule
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, Faults
from sdy.mlir.functions import ModuleSymbols, funcs_in_modules, main_function, symbol_name
from sdy.mlir.search import ops_named, ops_with
from sdy.mlir.walk import for_each_below
from sdy.passes import options as shared
from sdy.passes.interchange import strings
from sdy.passes.interchange.importing.foreign_shardings import named_sharding
from sdy.passes.interchange.importing.xla_forms import flatten_tuples, remove_copies, remove_texts
from sdy.passes.interchange.sites import (
    CALLBACKS,
    CUSTOM_CALL,
    ENTRIES,
    FRONTEND,
    KEEPING_TEXT,
    SHARDING_CALL,
    TEXT,
    Site,
    calls_of,
    frontend,
    function_sites,
    op_sites,
    rank_of,
    set_frontend,
    target_of,
    unwrap_texts,
)
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_

_TAKING_TARGETS = (SHARDING_CALL, strings.FUNC_RESULT, *CALLBACKS)
_TAKING_OPS = ("stablehlo.send", "stablehlo.recv", "stablehlo.after_all")
_KEEPING_TARGETS = (strings.GLOBAL_TO_LOCAL, strings.LOCAL_TO_GLOBAL)
_UNLIKE_OTHERS = frozenset({CUSTOM_CALL, "func.call", *_TAKING_OPS, *KEEPING_TEXT})
"""Ops that may keep what all others lose."""


@dataclass(frozen=True)
class Options:
    enable_hlo_sharding_v3: bool = option(*shared.NAMED_TEXT_READ)
    sharding_calls: tuple[str, ...] = option(*shared.SHARDING_CALLS)


@pass_("xla-sdy-round-trip-import-shardy-attrs", options=Options)
def round_trip_import_shardy_attrs(module: ir.Operation, options: Options) -> object:
    """Spec: interchange, 4.4, 6 and 6.1."""
    prepared = flatten_tuples(module) | remove_copies(module) | unwrap_texts(module)
    is_declared = _is_string(frontend(module.attributes))
    # Of a module with meshes in strings most ops may be annotated: it is walked over below.
    annotated = [] if is_declared else ops_with(module, TEXT, FRONTEND)
    has_strings = is_declared or _has_strings(module, annotated)
    unlike = ops_named(module, *sorted(_UNLIKE_OTHERS)) if is_declared or annotated else []
    importer = _AttributeImporter(module, (*_TAKING_TARGETS, *options.sharding_calls))
    importer.import_meshes()
    named = options.enable_hlo_sharding_v3
    on_functions = list(function_sites(module))
    if named:
        importer.import_named([*on_functions, *op_sites(unlike)])
    elif not has_strings:
        _refuse_text_alone([*on_functions, *op_sites(annotated)])
    importer.import_functions()
    for op in unlike:
        importer.import_op(op)
        if op.name not in KEEPING_TEXT and not (named and _is_of_manual_computation(op)):
            _remove_text(op.attributes)
    for op in annotated:
        importer.import_plain(op)
    if is_declared:
        for_each_below(module, importer.import_plain)
    remove_texts(on_functions)
    changed = importer.import_results()
    return None if prepared or changed or on_functions or importer.changed or has_strings else UNCHANGED


class _AttributeImporter:
    """Takes strings off a module."""

    def __init__(self, module: ir.Operation, taking: Sequence[str]) -> None:
        self._module = module
        self._taking = taking
        self._renamed: dict[str, str] = {}
        self._changes: dict[tuple[object, ...], _Changes] = {}
        self._plain: dict[ir.Attribute | None, _Changes] = {None: ()}
        self.changed = False

    # Meshes --------------------------------------------------------------------------------------

    def import_meshes(self) -> None:
        """Declares the meshes in front of the module; a mesh gets a new name if another one has it."""
        entries = frontend(self._module.attributes)
        if strings.MESHES not in entries:
            return
        meshes = strings.read_meshes(entries.pop(strings.MESHES), self._module)
        symbols, known = ModuleSymbols(self._module), MeshTable(self._module)
        ip = ir.InsertionPoint.at_block_begin(self._module.regions[0].blocks[0])
        for name, mesh in meshes.items():
            if known.resolve(name) == mesh:
                continue
            self._renamed[name] = symbols.reserve(name)
            builders.mesh(self._renamed[name], mesh, loc=self._module.location, ip=ip)
        set_frontend(self._module, entries)

    def _with_meshes(self, sharding: TensorSharding) -> TensorSharding:
        mesh = sharding.mesh_or_ref
        return sharding.with_mesh(self._renamed.get(mesh, mesh)) if isinstance(mesh, str) else sharding

    def _all_with_meshes(self, shardings: ShardingPerValue) -> ShardingPerValue:
        return ShardingPerValue(tuple(map(self._with_meshes, shardings)))

    # Functions -----------------------------------------------------------------------------------

    def import_functions(self) -> None:
        self._import_tuples()
        for func in funcs_in_modules(self._module):
            for entries in ENTRIES:
                if entries in func.attributes:
                    self._import_entries(func, entries)

    def _import_entries(self, func: ir.Operation, entries: str) -> None:
        """Strings of arguments or results, all at once."""
        stored = list(func.attributes[entries])
        changed = [
            self._imported_entry(Site(func, "", entries, number), entry) if FRONTEND in entry else entry
            for number, entry in enumerate(stored)
        ]
        if any(new is not old for new, old in zip(changed, stored, strict=True)):
            func.attributes[entries] = ir.ArrayAttr.get(changed)

    def _imported_entry(self, site: Site, entry: ir.DictAttr) -> ir.DictAttr:
        kept = frontend(entry)
        if strings.SHARDING not in kept:
            return entry
        sharding = strings.read_string(kept.pop(strings.SHARDING), TensorSharding, _place(site))
        new = {one.name: one.attr for one in entry if one.name != FRONTEND}
        new[SHARDING] = attributes.attr_of(self._with_meshes(sharding))
        return ir.DictAttr.get({**new, FRONTEND: ir.DictAttr.get(kept)} if kept else new)

    def _import_tuples(self) -> None:
        """Shardings of all arguments or results of main, where these were one tuple."""
        entries = frontend(self._module.attributes)
        given = [(strings.TUPLE_ARGUMENTS, set_arg_sharding), (strings.TUPLE_RESULTS, set_result_sharding)]
        for key, put in given:
            if key not in entries:
                continue
            main = main_function(self._module)
            shardings = strings.read_string(entries.pop(key), ShardingPerValue, self._module)
            type_ = main.attributes["function_type"].value
            count = len(type_.inputs if key == strings.TUPLE_ARGUMENTS else type_.results)
            if len(shardings) != count:
                raise DiagnosticError(self._module, f"'{key}' has {len(shardings)} shardings for {count} values")
            for number, sharding in enumerate(shardings):
                put(main, number, self._with_meshes(sharding))
            set_frontend(self._module, entries)

    # Ops -----------------------------------------------------------------------------------------

    def import_op(self, op: ir.Operation) -> None:
        """Import the attributes of an op, once for equal ops."""
        stored = op.attributes
        before = stored.get(FRONTEND)
        if before is None:
            return
        known = (before, self._takes_sharding(op), len(op.results))
        changes = self._changes.get(known)
        if changes is None:
            changes = self._changes[known] = self._changes_of(op)
        _change(stored, changes)
        self.changed = True

    def import_plain(self, op: ir.Operation) -> None:
        """For an op that keeps no sharding and no sharding text, as most do."""
        stored = op.attributes
        before = stored.get(FRONTEND)
        has_text = TEXT in stored
        if (before is None and not has_text) or op.name in _UNLIKE_OTHERS:
            return
        changes = self._plain.get(before)
        if changes is None:
            changes = self._plain[before] = self._changes_of(op)
        _change(stored, changes)
        if has_text:
            _remove_text(stored)
        self.changed = True

    def _changes_of(self, op: ir.Operation) -> _Changes:
        entries = frontend(op.attributes)
        before = dict(entries)
        changes: dict[str, ir.Attribute | None] = {}
        text = entries.pop(strings.SHARDING, None)
        if text is not None and self._takes_sharding(op):
            shardings = strings.read_string(text, ShardingPerValue, op)
            expected = max(1, len(op.results))
            if len(shardings) != expected:
                message = f"number of shardings ({len(shardings)}) does not match that of values ({expected})"
                raise DiagnosticError(op, message)
            changes[SHARDING] = attributes.attr_of(self._all_with_meshes(shardings))
        if isinstance(entries.get(strings.SHARDING_RULE), ir.StringAttr):
            rule = strings.read_string(entries.pop(strings.SHARDING_RULE), ShardingRule, op)
            changes[SHARDING_RULE] = attributes.attr_of(rule)
        for key in (strings.IN_SHARDINGS, strings.OUT_SHARDINGS):
            if key in entries and self._renamed:
                shardings = strings.read_string(entries[key], ShardingPerValue, op)
                entries[key] = strings.string_of(self._all_with_meshes(shardings))
        if entries != before:
            changes[FRONTEND] = ir.DictAttr.get(entries) if entries else None
        return tuple(changes.items())

    def _takes_sharding(self, op: ir.Operation) -> bool:
        return op.name in _TAKING_OPS or (op.name == CUSTOM_CALL and target_of(op) in self._taking)

    # Named text ----------------------------------------------------------------------------------

    def import_named(self, sites: Sequence[Site]) -> None:
        """Import named text with its mesh inlined in the sharding; ``{replicated}`` has no information there."""
        with Faults() as faults:
            for site in sites:
                with faults.one():
                    if site.entries or self._takes_sharding(site.op):
                        self._import_named(site)

    def _import_named(self, site: Site) -> None:
        leaves = site.read()
        for leaf in leaves:
            if isinstance(leaf, Tiles):
                raise site.error(f'has the tiles "{leaf}" in a module of named shardings')
        ranks = [rank_of(type_) for type_ in site.types] or [0]
        shardings = [named_sharding(leaf, rank) for leaf, rank in zip(leaves, ranks, strict=True)]
        if all(sharding is None for sharding in shardings):
            return
        if site.entries:
            put = set_arg_sharding if site.entries == "arg_attrs" else set_result_sharding
            put(site.op, site.number, shardings[0])
        else:
            empty = [TensorSharding.open(Mesh(), rank) for rank in ranks]
            set_op_shardings(site.op, [one or other for one, other in zip(shardings, empty, strict=True)])

    # Results -------------------------------------------------------------------------------------

    def import_results(self) -> bool:
        """Import the calls that hold shardings of results; return whether there were any."""
        calls = calls_of(self._module, strings.FUNC_RESULT)
        found: _Results = {}
        for op in calls:
            _import_result(op, found)
        for func, shardings in found.values():
            set_result_shardings(func, shardings)
        return bool(calls)


_Changes = tuple[tuple[str, ir.Attribute | None], ...]
"""New attributes of an op; None for a removed one."""


def _change(stored: ir.OpAttributeMap, changes: _Changes) -> None:
    for name, attribute in changes:
        if attribute is None:
            del stored[name]
        else:
            stored[name] = attribute


def _remove_text(stored: ir.OpAttributeMap) -> None:
    if isinstance(stored.get(TEXT), ir.StringAttr):
        del stored[TEXT]


_Results = dict[str, tuple[ir.Operation, dict[int, TensorSharding]]]
"""The shardings of results by the name of their function."""


def _import_result(op: ir.Operation, found: _Results) -> None:
    """Moves the sharding of a result to the function; one with other uses is an open constraint as well."""
    if len(op.operands) != 1 or len(op.results) != 1:
        raise DiagnosticError(op, f"@{target_of(op)} takes one value and returns it")
    stored = attributes.get(op, SHARDING)
    if stored is None:
        raise DiagnosticError(op, "expected a sharding on this custom call")
    (sharding,) = stored.shardings
    # Unused, it says the sharding of what is returned in its operand's place.
    value = op.results[0] if list(op.results[0].uses) else op.operands[0]
    uses = [(use.owner.operation, use.operand_number) for use in value.uses if use.owner.operation != op]
    returns = [(user, number) for user, number in uses if user.name == "func.return"]
    for user, number in returns:
        func = user.parent.operation
        found.setdefault(symbol_name(func), (func, {}))[1][number] = sharding
    if value == op.operands[0] or len(returns) == len(uses):
        op.results[0].replace_all_uses_with(op.operands[0])
    else:
        opened = sharding.with_dims(replace(dim, is_closed=False) for dim in sharding.dims)
        constraint = builders.sharding_constraint(op.operands[0], opened, loc=op.location, ip=ir.InsertionPoint(op))
        op.results[0].replace_all_uses_with(constraint)
    op.erase()


def _place(site: Site) -> ir.Operation | ir.Location:
    return site.location if site.entries == "arg_attrs" else site.op


def _has_strings(module: ir.Operation, annotated: Sequence[ir.Operation]) -> bool:
    return any(_is_string(frontend(op.attributes)) for op in annotated) or any(
        strings.SHARDING in frontend(entry)
        for func in funcs_in_modules(module)
        for entries in ENTRIES
        for entry in func.attributes.get(entries) or ()
    )


def _is_string(entries: Iterable[str]) -> bool:
    return any("xla.sdy." in key for key in entries)


def _refuse_text_alone(found: Sequence[Site]) -> None:
    """Text that would be dropped without a replacement is an error."""
    for site in found:
        if any(isinstance(leaf, (Tiles, Named)) for leaf in site.read()):
            message = f'has the sharding "{site.text}" and the module none as strings: import it with '
            raise site.error(message + "xla-sdy-stablehlo-import-pipeline or enable-hlo-sharding-v3")


def _is_of_manual_computation(op: ir.Operation) -> bool:
    return op.name == "func.call" or (op.name == CUSTOM_CALL and target_of(op) in _KEEPING_TARGETS)
