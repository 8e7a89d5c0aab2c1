"""Dialects that are declared in Python: constraints, ops with variadic operands or results, and IRDL as text."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, reduce
from itertools import groupby
from pathlib import Path
from types import GenericAlias, UnionType
from typing import Any, get_args, get_origin

from sdy.mlir import PassManager, ext, ir, irdl
from sdy.mlir.search import ops_named


class DenseArrayAttr(ir.Attribute):
    """A dense array."""

    attr_name = "builtin.dense_array"


def integers(width: int, values: Iterable[int]) -> UnionType | GenericAlias:
    """Constrain an attribute to an integer of a signless type with one of `values`."""
    options: list[Any] = [ir.IntegerAttr[ir.IntegerType[width], value] for value in values]
    return reduce(operator.or_, options)


BOOLEAN: Any = ir.BoolAttr[True] | ir.BoolAttr[False]
"""True or false."""


def is_one_of(constraint: object, kind: type) -> bool:
    """Return whether a constraint is a list of attributes of the class `kind`, one of them required."""
    return all(get_origin(option) is kind for option in get_args(constraint)) and bool(get_args(constraint))


DEFAULT_GROUPS = 128
"""Groups per op in a context, unless more are asked for: enough for values of 128 different types in a row."""

FILE_GROUPS = 16
"""Groups per op in the IRDL file: enough for a reader and for programs written by hand; the file grows with it."""

OPERAND_SEGMENTS = "operandSegmentSizes"
RESULT_SEGMENTS = "resultSegmentSizes"


def emit_dialect(dialect: type[ext.Dialect], groups: int) -> ir.Module:
    """Emits the IRDL of a dialect, with `groups` groups of values in ops with any number of them."""
    with ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            emitted = irdl.dialect(dialect.name)
        with ir.InsertionPoint(emitted.body):
            for attr in dialect.attributes:
                attr._emit_attr()
            for type_ in dialect.types:
                type_._emit_type()
            for op in dialect.operations:
                emit(op, groups)
    return module


def emit(op: type[ext.Operation], groups: int) -> None:
    """Emit the IRDL of an op class, with its operands or results in `groups` groups if their number varies."""
    if segment_names(op):
        _emit_in_groups(op, groups)
    else:
        op._emit_operation()


def segment_names(op: type[ext.Operation]) -> tuple[str, ...]:
    """Return the segment attributes of an op class, for its variadic fields."""
    operands, _, results, _ = ext.partition_fields(op._fields)
    sides = ((operands, OPERAND_SEGMENTS), (results, RESULT_SEGMENTS))
    return tuple(name for fields, name in sides if _is_variadic(fields))


def _is_variadic(fields: Sequence[ext.OperandDef] | Sequence[ext.ResultDef]) -> bool:
    return any(each.variadicity is ext.Variadicity.variadic for each in fields)


def _emit_in_groups(op: type[ext.Operation], groups: int) -> None:
    """Emit an op whose operands or results are one variadic field. Its regions have one block each."""
    context = ext.ConstraintLoweringContext()
    operands, attributes, results, regions = ext.partition_fields(op._fields)
    emitted = irdl.operation_(op._op_name)
    with ir.InsertionPoint(emitted.body):
        for fields, declare in ((operands, irdl.operands_), (results, irdl.results_)):
            if _is_variadic(fields):
                names = [f"{fields[0].name}{group}" for group in range(groups)]
                declare([irdl.any() for _ in names], names, [irdl.Variadicity.variadic] * groups)
            elif fields:
                lowered = [context.lower(each.constraint) for each in fields]
                declare(lowered, [each.name for each in fields], [each.variadicity for each in fields])
        if attributes:
            lowered = [context.lower(each.constraint) for each in attributes]
            irdl.attributes_(lowered, [each.name for each in attributes])
        if regions:
            bodies = [irdl.region([], number_of_blocks=1) for _ in regions]
            irdl.regions_(bodies, [each.name for each in regions])


def runs(types: Iterable[object]) -> list[int]:
    """Lengths of the runs of equal neighbours."""
    return [len(list(group)) for _, group in groupby(types)]


def padded(segments: Sequence[int], groups: int) -> list[int]:
    """Return segment sizes for all groups; unused groups are empty."""
    return [*segments, *[0] * (groups - len(segments))]


class TooManyTypes(ValueError):
    """An op has more runs of equal types than its context has groups."""

    def __init__(self, needed: int) -> None:
        super().__init__(
            f"the context has no room for an op with values of {needed} types in a row; make it with "
            f"sdy.make_context(groups={needed})"
        )
        self.needed = needed

    def __reduce__(self) -> tuple[type[TooManyTypes], tuple[int]]:
        return TooManyTypes, (self.needed,)


@contextmanager
def segments_attached(module: ir.Operation, names: Mapping[str, Sequence[str]], groups: int) -> Iterator[None]:
    """Attach segment sizes to all ops with one of `names` inside the block.

    `names` maps them to their segment attributes.

    Raises:
      TooManyTypes: for an op `groups` groups do not suffice.
    """
    found = ops_named(module, *names)
    needed = max((_needed(op) for op in found), default=0)
    if needed > groups:
        raise TooManyTypes(needed)
    for op in found:
        _attach(op, names[op.name], groups)
    try:
        yield
    finally:
        detach(found)


def _needed(op: ir.Operation) -> int:
    return max(len(runs(value.type for value in values)) for values in (op.operands, op.results))


def _attach(op: ir.Operation, names: Sequence[str], groups: int) -> None:
    attributes = op.attributes
    for name in names:
        values = op.operands if name == OPERAND_SEGMENTS else op.results
        attributes[name] = _segments((value.type for value in values), groups, op.context)


def _segments(types: Iterable[ir.Type], groups: int, context: ir.Context) -> ir.DenseI32ArrayAttr:
    return ir.DenseI32ArrayAttr.get(padded(runs(types), groups), context)


def detach(ops: Iterable[ir.Operation]) -> None:
    """Removes the segment attributes of the ops."""
    for op in ops:
        attributes = op.attributes
        for name in (OPERAND_SEGMENTS, RESULT_SEGMENTS):
            if name in attributes:
                del attributes[name]


@cache
def canonical_text(emit: Callable[[int], ir.Module], groups: int) -> str:
    """Return the IRDL of `emit` for a dialect, with variadic ops in `groups` groups (see `variadic`).

    Equal parts are written once. Reading this takes a fraction of the time of the declarations.
    """
    with ir.Context(load_on_create_dialects=["irdl"]), ir.Location.unknown():
        module = emit(groups)
        PassManager.parse("builtin.module(canonicalize,cse)").run(module.operation)
        return str(module)


def irdl_of(file: Path, emit: Callable[[int], ir.Module], groups: int) -> str:
    """Return the IRDL of `emit`; for as many groups as its `file` has, the file, which is tested to be current."""
    return file.read_text(encoding="utf-8") if groups == FILE_GROUPS else canonical_text(emit, groups)
