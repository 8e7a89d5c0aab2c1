"""Forms of XLA that a module of the dialect does not have: tuples, copies, open dimensions, attributes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from sdy.dialect.definition.attributes import text_of
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir import rewriting as inlining
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import entries_of, put_entries
from sdy.mlir.rewriting import is_unused
from sdy.mlir.search import ops_named
from sdy.passes.interchange.sites import CUSTOM_CALL, SHARDING_CALL, TEXT, Site
from sdy.stablehlo import views

_ELEMENT = "stablehlo.get_tuple_element"
_TUPLE = "stablehlo.tuple"


def flatten_tuples(module: ir.Operation) -> bool:
    """Give custom calls whose only tuple is taken apart one result per element; return whether there were any.

    Elements of a tuple are replaced by its operands, and an unused tuple is erased. The sharding text of a tuple lists
    the shardings of its elements, so it fits unchanged.
    """
    ops = ops_named(module, _TUPLE, CUSTOM_CALL)
    tuples = [op for op in ops if op.name == _TUPLE]
    calls = [op for op in ops if op.name == CUSTOM_CALL]
    if tuples:
        _forward_elements(module)
    unused = [op for op in reversed(tuples) if _erase_unused(op)]
    found = [op for op in calls if _is_taken_apart(op)]
    for op in found:
        _flatten(op)
    return bool(unused or found)


def _forward_elements(module: ir.Operation) -> None:
    for element in views.GetTupleElement.all_in(module):
        source = views.Tuple.defining(element.operand)
        if source is not None:
            element.result.replace_all_uses_with(source.val[element.index])
            element.op.erase()


def _erase_unused(op: ir.Operation) -> bool:
    if not is_unused(op):
        return False
    op.erase()
    return True


def _is_taken_apart(op: ir.Operation) -> bool:
    if len(op.results) != 1 or not isinstance(op.results[0].type, ir.TupleType):
        return False
    elements = _element_types(op)
    if any(isinstance(type_, ir.TupleType) for type_ in elements):
        return False
    return all(use.owner.operation.name == _ELEMENT for use in op.results[0].uses)


def _element_types(op: ir.Operation) -> list[ir.Type]:
    type_ = ir.TupleType(op.results[0].type)
    return [type_.get_type(index) for index in range(type_.num_types)]


def _flatten(op: ir.Operation) -> None:
    new = ir.Operation.create(
        CUSTOM_CALL,
        results=_element_types(op),
        operands=list(op.operands),
        attributes=dict(op.attributes.items()),
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    for use in list(op.results[0].uses):
        element = views.GetTupleElement(use.owner.operation)
        element.result.replace_all_uses_with(new.results[element.index])
        element.op.erase()
    op.erase()


_COPY = "mhlo.copy"


def remove_copies(module: ir.Operation) -> bool:
    """Replace copies with sharding text by constraints, and others by their operands; return whether there were any."""
    context = module.context
    if not (context.allow_unregistered_dialects or context.is_registered_operation(_COPY)):
        return False
    found = [op for op in ops_named(module, _COPY) if _keeps_type(op)]
    for op in found:
        value = _constraint(op) if TEXT in op.attributes else op.operands[0]
        inlining.replace(op, [value])
    return bool(found)


def _keeps_type(op: ir.Operation) -> bool:
    return len(op.operands) == len(op.results) == 1 and op.operands[0].type == op.results[0].type


def _constraint(op: ir.Operation) -> ir.Value:
    call = ir.Operation.create(
        CUSTOM_CALL,
        results=[op.results[0].type],
        operands=list(op.operands),
        attributes={**dict(op.attributes.items()), "call_target_name": ir.StringAttr.get(SHARDING_CALL)},
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    return call.results[0]


def with_open_dims(op: ir.Operation, sharding: TensorSharding) -> TensorSharding:
    """`sharding` with the dimensions open that `backend_config` lists.

    Raises `DiagnosticError` if it says something else, or a dimension that there is not.
    """
    stored = op.attributes
    text = text_of(stored["backend_config"]) if "backend_config" in stored and _is_string(stored) else ""
    if not text:
        return sharding
    found = re.fullmatch(r"unspecified_dims=\[\s*(\d+(?:\s*,\s*\d+)*)?\s*\]", text)
    if found is None:
        raise DiagnosticError(op, f'expected backend_config "unspecified_dims=[...]", got "{text}"')
    listed = {int(number) for number in found[1].split(",")} if found[1] else set()
    beyond = max(listed, default=-1)
    if beyond >= max(sharding.rank, 1) and sharding.rank:
        raise DiagnosticError(op, f"unspecified dimension {beyond} of a value of rank {sharding.rank}")
    return sharding.with_dims(
        replace(dim, is_closed=False) if number in listed else dim for number, dim in enumerate(sharding.dims)
    )


def _is_string(stored: ir.OpAttributeMap) -> bool:
    return isinstance(stored["backend_config"], ir.StringAttr)


def remove_texts(sites: Sequence[Site]) -> None:
    """Removes the sharding text of `sites`; those of one function are adjacent."""
    for (op, entries), listed in groupby(sites, key=lambda site: (site.op, site.entries)):
        if not entries:
            del op.attributes[TEXT]
            continue
        changed = entries_of(op, entries)
        for site in listed:
            changed[site.number].pop(TEXT, None)
        put_entries(op, entries, changed)
