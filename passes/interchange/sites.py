"""Sites of shardings of XLA and JAX: sharding text, custom calls, frontend attributes (spec: interchange, 4 to 6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from sdy.dialect.definition.attributes import text_of
from sdy.dialect.sharding_text.forms import HloSharding, Leaf, Several, Tiles
from sdy.dialect.sharding_text.lexer import ShardingTextError
from sdy.dialect.sharding_text.message_reader import text_of_message
from sdy.dialect.sharding_text.sharding_reader import read
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, Faults
from sdy.mlir.functions import boundary_types, funcs_in_modules, has_body
from sdy.mlir.search import ops_named, ops_with
from sdy.mlir.walk import for_each_below

TEXT = "mhlo.sharding"

ENTRIES = {"arg_attrs": "argument", "res_attrs": "result"}
"""The attributes of a function that have an entry per argument or result."""

KEEPING_TEXT = ("stablehlo.infeed", "stablehlo.outfeed")
"""Ops whose text is theirs, and no sharding of their results alone."""


@dataclass(frozen=True, slots=True)
class Site:
    """An op, or an argument or result of a function, with sharding text.

    `entries` is the attribute of the function that has the entry `number`, empty for an op; `type` is that of the
    argument or result.
    """

    op: ir.Operation
    text: str
    entries: str = ""
    number: int = 0
    type: ir.Type | None = None

    @property
    def types(self) -> list[ir.Type]:
        """Return the types of the sharded values; none for an op without results."""
        return [result.type for result in self.op.results] if self.type is None else [self.type]

    def error(self, message: str) -> DiagnosticError:
        """An error where the text stands."""
        if not self.entries:
            return DiagnosticError(self.op, message)
        what = f"{ENTRIES[self.entries]} {self.number}: {message}"
        return DiagnosticError(self.location, what) if self.entries == "arg_attrs" else DiagnosticError(self.op, what)

    @property
    def location(self) -> ir.Location:
        if self.entries == "arg_attrs" and has_body(self.op):
            return self.op.regions[0].blocks[0].arguments[self.number].location
        return self.op.location

    def read(self) -> tuple[Leaf, ...]:
        """Return the sharding of each value, one if there is no value. Raises `DiagnosticError` where there is none."""
        try:
            found = read(self.text)
        except ShardingTextError as error:
            raise self.error(str(error)) from None
        leaves = _leaves(found, self)
        for leaf, type_ in zip(leaves, self.types, strict=False):
            if isinstance(leaf, Tiles) and leaf.rank != (rank := rank_of(type_)):
                raise self.error(f"sharding has {leaf.rank} dimensions, the value {rank}")
        return leaves


def _leaves(found: HloSharding, site: Site) -> tuple[Leaf, ...]:
    expected = max(1, len(site.types))
    if not isinstance(found, Several):
        return (found,) * expected  # as JAX writes one for all results of a callback
    if len(found.leaves) != expected:
        raise site.error(f"has {len(found.leaves)} shardings for {expected} values")
    return found.leaves


def rank_of(type_: ir.Type) -> int:
    """Return the rank of a tensor, 0 for any other value."""
    return type_.rank if isinstance(type_, ir.RankedTensorType) else 0


def sites_in(module: ir.Operation, ops: Sequence[ir.Operation] | None = None) -> list[Site]:
    """All places with sharding text: functions with their arguments and results, then ops.

    `ops` are the candidates, if they are known.
    """
    return [*function_sites(module), *op_sites(ops_with(module, TEXT) if ops is None else ops)]


def function_sites(module: ir.Operation) -> Iterator[Site]:
    """The arguments and results of functions with sharding text."""
    for func in funcs_in_modules(module):
        for entries in ENTRIES:
            if entries not in func.attributes:
                continue
            texts = [(number, text_in(entry)) for number, entry in enumerate(func.attributes[entries])]
            found = [(number, text) for number, text in texts if text is not None]
            types = boundary_types(func, entries) if found else []
            for number, text in found:
                yield Site(func, text, entries, number, types[number])


@dataclass(frozen=True, slots=True)
class Alike:
    """Ops with one text and results of the same types, of which `site` is the first; a function has its own entry."""

    site: Site
    ops: list[ir.Operation]

    def read(self, faults: Faults) -> tuple[Leaf, ...] | None:
        """Return the parsed text; None if it is invalid, which is an error at each site."""
        try:
            return self.site.read()
        except DiagnosticError:
            for op in self.ops:
                with faults.one():
                    replace(self.site, op=op).read()
            return None


def alike_sites_in(module: ir.Operation) -> list[Alike]:
    """All places with sharding text: functions with their arguments and results, then ops by first appearance.

    A program repeats few texts, so work done once per list of ops costs next to nothing.
    """
    found: dict[tuple[ir.Attribute, ...], Alike] = {}

    def note(op: ir.Operation) -> None:
        stored = op.attributes.get(TEXT)
        if not isinstance(stored, ir.StringAttr) or op.name in KEEPING_TEXT:
            return
        key = (stored, *op.results.types)
        one = found.get(key)
        if one is None:
            found[key] = Alike(Site(op, sharding_text(stored)), [op])
        else:
            one.ops.append(op)

    for_each_below(module, note)
    return [*(Alike(site, [site.op]) for site in function_sites(module)), *found.values()]


def op_sites(ops: Sequence[ir.Operation]) -> Iterator[Site]:
    """Return the ops with sharding text."""
    for op in ops:
        text = text_in(op.attributes)
        if text is not None and op.name not in KEEPING_TEXT:
            yield Site(op, text)


def text_in(attributes: Mapping[str, ir.Attribute] | ir.OpAttributeMap | ir.DictAttr) -> str | None:
    """The sharding text among the attributes of an op or an entry of a function, or None."""
    if TEXT not in attributes:
        return None
    found = attributes[TEXT]
    return sharding_text(found) if isinstance(found, ir.StringAttr) else None


def sharding_text(stored: ir.StringAttr) -> str:
    """Return the text of a sharding, decoded if it is serialized."""
    text = text_of(stored)
    if text.lstrip().startswith("{"):
        return text
    found = text_of_message(text.encode(errors="surrogateescape"))
    return text if found is None else found


CUSTOM_CALL = "stablehlo.custom_call"
FRONTEND = "mhlo.frontend_attributes"

SHARDING_CALL = "Sharding"
FULL_TO_SHARD = "SPMDFullToShardShape"
SHARD_TO_FULL = "SPMDShardToFullShape"

CALLBACKS = (
    "xla_python_cpu_callback",
    "xla_python_gpu_callback",
    "xla_ffi_python_cpu_callback",
    "xla_ffi_python_gpu_callback",
)


def target_of(op: ir.Operation) -> str:
    """Return the target of a custom call."""
    return text_of(op.attributes["call_target_name"])


def calls_of(root: ir.Operation, *targets: str) -> list[ir.Operation]:
    """The custom calls of these targets below `root`."""
    return [op for op in ops_named(root, CUSTOM_CALL) if target_of(op) in targets]


def frontend(attributes: ir.OpAttributeMap | ir.DictAttr | Mapping[str, ir.Attribute]) -> dict[str, ir.Attribute]:
    """The frontend attributes of an op, argument or result, by key."""
    if FRONTEND not in attributes:
        return {}
    found = attributes[FRONTEND]
    return {entry.name: entry.attr for entry in found} if isinstance(found, ir.DictAttr) else {}


def frontend_string(op: ir.Operation, key: str) -> str | None:
    """The text of a frontend attribute; None if there is none of that key, or no text."""
    found = frontend(op.attributes).get(key)
    return text_of(found) if isinstance(found, ir.StringAttr) else None


def set_frontend(op: ir.Operation, entries: Mapping[str, ir.Attribute]) -> None:
    """Replace all frontend attributes of `op`; without entries the attribute is removed."""
    if entries:
        op.attributes[FRONTEND] = ir.DictAttr.get(dict(entries))
    elif FRONTEND in op.attributes:
        del op.attributes[FRONTEND]


WRAPPED = "mhlo.attributes"


def unwrap_texts(module: ir.Operation) -> bool:
    """Move sharding text from attributes of attributes to the calls themselves, as on all other ops.

    Returns whether there was any.
    """
    changed = False
    for op, entries in _wrapped(ops_named(module, CUSTOM_CALL)):
        if TEXT in entries:
            text = entries.pop(TEXT)
            op.attributes[WRAPPED] = ir.DictAttr.get(entries)
            if TEXT not in op.attributes:
                op.attributes[TEXT] = text
            changed = True
    return changed


def wrap_texts(ops: Iterable[ir.Operation]) -> None:
    """Convert such calls among `ops` back: XLA keeps only that attribute."""
    for op, entries in _wrapped(ops):
        if TEXT in op.attributes:
            op.attributes[WRAPPED] = ir.DictAttr.get({**entries, TEXT: op.attributes[TEXT]})
            del op.attributes[TEXT]


def _wrapped(ops: Iterable[ir.Operation]) -> list[tuple[ir.Operation, dict[str, ir.Attribute]]]:
    return [
        (op, {entry.name: entry.attr for entry in stored})
        for op in ops
        if WRAPPED in op.attributes
        and op.name == CUSTOM_CALL
        and target_of(op).startswith("mhlo.")
        and isinstance(stored := op.attributes[WRAPPED], ir.DictAttr)
    ]
