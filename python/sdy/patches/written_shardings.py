"""The shardings written in a program, each with the source position of its value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from sdy.dialect.definition import attributes
from sdy.dialect.program_values import Program, ValueKind
from sdy.dialect.shardings.attribute_shardings import arg_sharding, op_shardings, result_sharding
from sdy.dialect.surroundings import op_name
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.stablehlo.idioms.loops import CONTROL_FLOW

CONSTRAINT = "sdy.sharding_constraint"

_FRAME = re.compile(r'"([^"]+)":(\d+):(\d+)(?: to (\d*):(\d+))?')
_RUNNING = frozenset({"func.func", *CONTROL_FLOW, "sdy.manual_computation"})
"""Ops whose regions hold ops of the program."""

_LIBRARY = ("/site-packages/", "/dist-packages/")

Specs = tuple[tuple[str, ...], ...]
"""Mesh axes of each dimension."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a source file: lines from 1, columns from 0, as Python's `ast` counts them."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column + 1}"


@dataclass(frozen=True, slots=True)
class Site:
    """Values that one expression of the source makes.

    Attributes:
      span: the expression.
      op: the name of the op, or "one use" of the expression's result.
      type: the type of the values, in MLIR syntax.
      is_gradient: whether the values are computed backward.
      is_result: whether they are the expression's result, and not an intermediate value.
    """

    span: Span
    op: str
    type: str
    is_gradient: bool
    is_result: bool


@dataclass(frozen=True, slots=True)
class Written:
    """Shardings that a program states.

    Attributes:
      arguments, results: axes by name of the frontend, in order; None where nothing is written.
      values: how often each site has values of each sharding, written as a constraint or an attribute.
      constraints: how often constraints of each sharding occur, by their own sites.
      placeless: how often ops that no expression of the user's files makes have each sharding, by name and position.
      sites: how many values each site makes.
      lines: file and line of each call on the way to an op, in the user's files.
      files: the files of the user that the program comes from.
    """

    arguments: Mapping[str, Specs | None]
    results: Mapping[str, Specs | None]
    values: Counter[tuple[Site, Specs]]
    constraints: Counter[tuple[Site, Specs]]
    placeless: Counter[tuple[str, Specs]]
    sites: Counter[Site]
    lines: frozenset[tuple[str, int]]
    files: tuple[str, ...]


def written(module: ir.Operation, filename: str = "-") -> Written:
    """Read the shardings written in a module; its context is the current one."""
    program = Program(module, filename)
    boundaries = {ValueKind.ARGUMENT: {}, ValueKind.OUTPUT: {}}
    for value in program.values:
        op = program.ops[value.op]
        if value.function == program.main and op.name == "func.func" and value.kind in boundaries:
            of = arg_sharding if value.kind is ValueKind.ARGUMENT else result_sharding
            boundaries[value.kind][value.called or value.name] = _specs(of(op, value.index))
    values: Counter[tuple[Site, Specs]] = Counter()
    constraints: Counter[tuple[Site, Specs]] = Counter()
    sites: Counter[Site] = Counter()
    placeless: Counter[tuple[str, Specs]] = Counter()
    for op in program.ops:
        site = _site(op) if len(op.results) == 1 else None
        if site is not None:
            sites[site] += op.name != CONSTRAINT
            for maker, specs in _shardings(op, site):
                (constraints if maker is None else values)[maker or site, specs] += 1
        elif op.name != CONSTRAINT:
            for specs in filter(None, map(_specs, _of_results(op))):
                placeless[f"{op.name} ({op_name(op.location)})", specs] += 1
    locations = "\n".join(dict.fromkeys(str(op.location) for op in program.ops))
    frames = dict.fromkeys((found[1], int(found[2])) for found in _FRAME.finditer(locations))
    own = [(file, line) for file, line in frames if not any(part in file for part in _LIBRARY)]
    arguments, results = boundaries[ValueKind.ARGUMENT], boundaries[ValueKind.OUTPUT]
    files = tuple(dict.fromkeys(file for file, _ in own))
    return Written(arguments, results, values, constraints, placeless, sites, frozenset(own), files)


def _shardings(op: ir.Operation, site: Site) -> Iterator[tuple[Site | None, Specs]]:
    """Yield the sites that an op shards; None for the constraint itself."""
    if op.name == CONSTRAINT:
        specs = _specs(attributes.get(op, "sharding"))
        assert specs is not None, "a constraint has a sharding"
        value = op.operands[0]
        maker = _site(value.owner.operation) if isinstance(value, ir.OpResult) else None
        yield None, specs
        if maker is not None:
            is_whole = sum(1 for _ in value.uses) == 1
            yield maker if is_whole else replace(maker, op="one use", is_result=False), specs
    else:
        for sharding in op_shardings(op) or ():
            specs = _specs(sharding)
            if specs is not None:
                yield site, specs


def _of_results(op: ir.Operation) -> Iterator[TensorSharding | None]:
    """Yield the shardings of the results of an op; of a manual computation also those of its operands."""
    if op.name == "sdy.manual_computation":
        for name in ("in_shardings", "out_shardings"):
            yield from attributes.get(op, name).shardings
    else:
        yield from op_shardings(op) or ()


def _specs(sharding: TensorSharding | None) -> Specs | None:
    """The axes of each dimension; None without a sharding."""
    return (
        None if sharding is None else tuple(tuple(str(axis).strip('"') for axis in axes) for axes in sharding.dim_axes)
    )


def _site(op: ir.Operation) -> Site | None:
    """Return the expression in the user's files that makes an op's result; None if there is none."""
    span = _span(op)
    if span is None or op.parent is None or op.parent.name not in _RUNNING:
        return None
    is_result = any(_span(user) != span and not _is_gradient(user) for user in _users(op.results[0]))
    return Site(span, op.name, str(op.results[0].type), _is_gradient(op), is_result)


def _users(value: ir.Value) -> Iterator[ir.Operation]:
    """Yield the ops that use a value, also behind constraints."""
    for use in value.uses:
        user = use.owner.operation
        if user.name == CONSTRAINT:
            yield from _users(user.results[0])
        else:
            yield user


def _span(op: ir.Operation) -> Span | None:
    for found in _FRAME.finditer(str(op.location)):
        file, line, column, end_line, end_column = found.groups()
        if not any(part in file for part in _LIBRARY):
            return (
                None
                if end_column is None
                else Span(file, int(line), int(column), int(end_line or line), int(end_column))
            )
    return None


def _is_gradient(op: ir.Operation) -> bool:
    """Return whether the name that JAX gave an op is of a transposed function."""
    return "transpose(" in str(op.location).partition('":')[0]
