"""The program that a plan was made of, and the sharding of each value, for files, edits and comparisons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from sdy.dialect.surroundings import op_name
from sdy.dialect.values.axes import AxisRef
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.functions import main_function
from sdy.mlir.walk import pre_order
from sdy.passes.auto.annotating import Annotations
from sdy.passes.auto.plan_costs import Request
from sdy.passes.auto.written_plans import without_calls

SECTIONS = ("arguments", "results", "values", "block_arguments", "sums", "steps", "uses")
"""Sections of a plan: shardings of the main function, of what ops return, of block arguments of manual
computations, of what is added up before it is scattered, and of operands that are moved, on the way, where several go
the same one, and at its end."""

_WRITTEN = {"arguments": 2, "minimal": 6, "values": 6, "full": 7, "as given": 0}
"""Number of the sections that are written."""

MANUAL = "sdy.manual_computation"
"""The op of which block arguments are sharded by a plan, as far as axes are left to it."""

Dims: TypeAlias = tuple[tuple[str, ...], ...]
"""The mesh axes of each dimension."""

Key: TypeAlias = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class PlanSource:
    """The program before planning, the request, and the result of the search.

    `is_inlined` tells that the annotations refer to the program without calls.
    """

    module: ir.Operation
    request: Request
    annotations: Annotations
    is_inlined: bool

    def program(self) -> ir.Operation:
        """Return the program that the annotations refer to; the context of the module is the current one."""
        return without_calls(self.module) if self.is_inlined else self.module


@dataclass(frozen=True, slots=True)
class Site:
    """A value of a program that a plan may shard, and its sharding.

    `key` identifies it in another copy of the program: the number of an argument or result; or the name of the op, its
    index among those with that name and location, and the number of the result or operand. `at` is its location in this
    copy. `shape` is None unless it is a tensor of a known shape, `dims` without a sharding.
    """

    section: str
    key: Key
    at: int | tuple[int, int] | None
    name: str
    shape: tuple[int, ...] | None
    dims: Dims | None = None


def said(source: PlanSource, annotate: str) -> list[Site]:
    """Return the written shardings in program order; the context of the plan's module is current."""
    written = SECTIONS[: _WRITTEN[annotate]]
    found = []
    for site in sites(source.program()):
        layout = getattr(source.annotations, site.section).get(site.at) if site.section in written else None
        if layout is not None:
            dims = tuple(tuple(axis.name for axis in axes) for axes in layout)
            found.append(replace(site, dims=dims))
    return found


def put(annotations: Annotations, site: Site, dims: Dims) -> None:
    """Has a plan say something of a place."""
    getattr(annotations, site.section)[site.at] = tuple(tuple(map(AxisRef, axes)) for axes in dims)


def sites(program: ir.Operation) -> Iterator[Site]:
    """Return all sites of a program, without shardings."""
    main = main_function(program)
    for number, value in enumerate(main.regions[0].blocks[0].arguments):
        name = op_name(value.location)
        name = name if name != "unknown" else f"argument {number}"
        yield Site("arguments", (number,), number, name, shape_of(value.type))
    for number, type_ in enumerate(main.attributes["function_type"].value.results):
        yield Site("results", (number,), number, f"result {number}", shape_of(type_))
    seen: dict[tuple[str, str], int] = {}
    for number, op in enumerate(pre_order(program)):
        if op.name == "func.func":
            continue
        name = op_name(op.location)
        count = seen[op.name, name] = seen.get((op.name, name), -1) + 1
        for place, value in enumerate(op.results):
            for section in ("values", "sums"):
                yield Site(section, (op.name, name, count, place), (number, place), name, shape_of(value.type))
        for place, value in enumerate(op.regions[0].blocks[0].arguments if op.name == MANUAL else ()):
            key = op.name, name, count, place
            yield Site("block_arguments", key, (number, place), name, shape_of(value.type))
        for place, value in enumerate(op.operands):
            for section in ("steps", "uses"):
                yield Site(section, (op.name, name, count, place), (number, place), name, shape_of(value.type))


def shape_of(type_: ir.Type) -> tuple[int, ...] | None:
    """Return the shape; None if the value is not a tensor of known shape."""
    return tuple(type_.shape) if isinstance(type_, ir.RankedTensorType) and type_.has_static_shape else None
