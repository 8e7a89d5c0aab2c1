"""Conditions that the documents on the dialect state and the C++ dialect does not check (spec: dialect, 15).

Programs that tools write break them; people who write one by hand may want to know.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sdy.dialect.assembly.positions import line_column
from sdy.dialect.definition.attributes import ManualAxes, ShardingPerValue
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.axes import quote
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import TensorSharding
from sdy.dialect.verification.checked_attributes import expect, value
from sdy.dialect.verification.scope import Scope
from sdy.mlir import ir
from sdy.mlir.diagnostics import Diagnostic, DiagnosticError, DiagnosticErrors, Position, Severity


class DocumentsScope(Scope):
    """A scope in which meshes, shardings and manual computations are as the documents want them."""

    def of_module(self, module: ir.Operation) -> DocumentsScope:
        _check_device_counts(module)
        return DocumentsScope(MeshTable(module), self.manual)

    def inside(self, op: ir.Operation, axes: ManualAxes) -> DocumentsScope:
        _check_manual_computation(op, axes, self.meshes)
        return DocumentsScope(self.meshes, (*self.manual, (op, axes)))

    def check(self, op: ir.Operation, sharding: TensorSharding, type_: ir.Type, what: str = "") -> None:
        super().check(op, sharding, type_, what)
        self._check_sizes(op, sharding, type_, what)

    def check_all(
        self, op: ir.Operation, shardings: Sequence[TensorSharding], types: Sequence[ir.Type], what: str = ""
    ) -> None:
        super().check_all(op, shardings, types, what)
        for number, (sharding, type_) in enumerate(zip(shardings, types, strict=False)):
            self._check_sizes(op, sharding, type_, what if len(types) == 1 else f"{what}value number {number} ")

    def _check_sizes(self, op: ir.Operation, sharding: TensorSharding, type_: ir.Type, what: str) -> None:
        for dim, (axes, size) in enumerate(zip(sharding.dim_axes, self.info(type_).shape, strict=False)):
            if axes and size == 0:
                expect(op, f"has a sharding along dimension {dim} of size 0", what)


def _check_device_counts(module: ir.Operation) -> None:
    first: tuple[ir.Operation, Mesh] | None = None
    for nested in module.regions[0].blocks[0].operations:
        op = nested.operation
        if op.name != "sdy.mesh":
            continue
        mesh: Mesh = value(op, "mesh", Mesh)
        if not mesh.axes:
            continue
        if first is None:
            first = op, mesh
        elif mesh.size != first[1].size:
            raise DiagnosticError(
                op,
                f"has {mesh.size} devices; all meshes of a module have the same number",
                [(first[0].location, f"this one has {first[1].size}")],
            )


def _check_manual_computation(op: ir.Operation, manual: ManualAxes, meshes: MeshTable) -> None:
    shardings = [
        (f"{name}: {sharding} ", sharding)
        for name in ("in_shardings", "out_shardings")
        for sharding in value(op, name, ShardingPerValue).shardings
    ]
    common = meshes.common([sharding for _, sharding in shardings])
    mesh = None if common is None else meshes.resolve(common)
    if mesh is None:
        if shardings:
            expect(op, "has shardings on different meshes")
        return
    order = [axis.name for axis in mesh.axes if axis.name in manual.names]
    if order != list(manual.names):
        expect(op, f"has manual axes that are not in the order of the mesh, {', '.join(map(quote, order))}")
    for what, sharding in shardings:
        used = {axis.name for axis in sharding.axis_refs()}
        for name in manual.names:
            if name not in used:
                expect(op, f"neither shards along manual axis {quote(name)} nor is replicated along it", what)


_OPAQUE = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*')
_DEVICE_IDS = re.compile(r"\[\s*[^\s\[\]][^\[\]]*\]\s*,\s*device_ids\s*=\s*\[([\d\s,]+)\]")


def check_device_ids(text: str, filename: str = "-") -> None:
    """Refuses lists of devices of meshes with axes that are in order; in a module that is parsed they are left out.

    Raises `DiagnosticErrors` at each.
    """
    code = _OPAQUE.sub(lambda found: "x" * len(found[0]), text)
    errors: list[Diagnostic] = []
    for found in _DEVICE_IDS.finditer(code):
        ids = found[1].split(",")
        if all(number.strip() == str(place) for place, number in enumerate(ids)):
            place = Position(filename, *line_column(text, found.start(1)))
            message = "device ids in order, 0, 1, and so on, are to be left out"
            errors.append(Diagnostic(Severity.ERROR, place, message))
    if errors:
        raise DiagnosticErrors(errors)
