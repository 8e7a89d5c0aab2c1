"""mpmd-infer-mesh-populate-src-set: Record on which meshes each value can be without a transfer.

    %0 = mpmd.unassign {origin = "f"} %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
    %1 = stablehlo.abs %0 : tensor<4xf32>
==> %0 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["f"]>, origin = "f"} %arg0 : ...
    %1 = stablehlo.abs %0 {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["f"]>} : tensor<4xf32>

The set of an op is the intersection of those of its operands; without a set a value can be anywhere. Sums and other
reductions of values on different meshes are annotated, and have the union.
"""

from __future__ import annotations

from sdy.dialect.definition import attributes
from sdy.dialect.mpmd.values import MeshesWithOrigins, MeshReduction, ReductionKind
from sdy.mlir import ir
from sdy.mlir.functions import body
from sdy.mlir.rewriting import defining_op, users
from sdy.passes.mpmd.common.calls import CALL
from sdy.passes.mpmd.common.chains import mesh_name_of_result
from sdy.passes.mpmd.common.fragments import TRANSFER, is_entry_point, mesh_tensor_of
from sdy.passes.mpmd.inference.mesh_sets import (
    ASSIGN,
    FOR,
    REDUCE,
    SOURCE_SET,
    UNASSIGN,
    USE_SET,
    Program,
    argument_set,
    get_set,
    is_meshless,
    label_of,
    put_argument_set,
    put_set,
    value_set,
)
from sdy.passes.mpmd.inference.reduction_ops import concatenate_of, reduction_kind
from sdy.passes.registry import pass_

_INFERRED = "inferred_in"


@pass_("mpmd-infer-mesh-populate-src-set")
def populate_src_set(module: ir.Operation) -> None:
    """Spec: mpmd, 9."""
    program = Program(module)
    for func in program.entry_points:
        for argument in body(func).arguments:
            used = argument_set(argument, USE_SET)
            if used is not None:
                put_argument_set(argument, SOURCE_SET, _inferred(used))
        _Sources(program).walk(body(func))


def _inferred(used: MeshesWithOrigins) -> MeshesWithOrigins:
    found = MeshesWithOrigins(())
    for name in used.names:
        found = found.union(MeshesWithOrigins.of(name, _INFERRED))
    return found


class _Sources:
    """Visits functions from start to end."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def walk(self, block: ir.Block) -> None:
        for op in [view.operation for view in block.operations]:
            if op.name == UNASSIGN:
                put_set(op, SOURCE_SET, self._of_unassign(op))
            elif op.name == CALL:
                self._visit_call(op)
            elif op.name == FOR:
                inner = op.regions[0].blocks[0]
                for argument, operand in zip(list(inner.arguments)[:-1], op.operands, strict=True):
                    self._meet_argument(argument, self.of(operand))
                self.walk(inner)
            elif is_meshless(op) or op.name == ASSIGN:
                self._visit(op)

    def of(self, value: ir.Value) -> MeshesWithOrigins | None:
        """Return the meshes that a value can be on; None for all."""
        value = self._program.behind_calls(value)
        source = defining_op(value)
        return None if source is not None and source.name == ASSIGN else value_set(value, SOURCE_SET)

    def _of_unassign(self, op: ir.Operation) -> MeshesWithOrigins:
        source = op.operands[0]
        tensor = mesh_tensor_of(source)
        assert tensor is not None
        found = MeshesWithOrigins.of(tensor.mesh_name, label_of(op))
        for user in users(source):
            if user.name == TRANSFER:
                found = found.union(MeshesWithOrigins.of(mesh_name_of_result(user), "transfer"))
        is_input = isinstance(source, ir.BlockArgument) and is_entry_point(source.owner.owner.operation)
        used = get_set(op, USE_SET)
        return found.union(_inferred(used)) if is_input and used is not None else found

    def _visit_call(self, call: ir.Operation) -> None:
        block = body(self._program.callee(call))
        for argument, operand in zip(block.arguments, call.operands, strict=True):
            self._meet_argument(argument, self.of(operand))
        self.walk(block)

    def _meet_argument(self, argument: ir.BlockArgument, found: MeshesWithOrigins | None) -> None:
        if found is not None:
            put_argument_set(argument, SOURCE_SET, found.intersection(argument_set(argument, SOURCE_SET)))

    def _visit(self, op: ir.Operation) -> None:
        given = [self.of(operand) for operand in op.operands]
        met = get_set(op, SOURCE_SET) if REDUCE not in op.attributes else None
        for each in given:
            met = each if met is None else met.intersection(each)
        kind = self._reduction(op, given, met)
        if kind is None:
            put_set(op, SOURCE_SET, met)
            return
        joined = get_set(op, SOURCE_SET) or MeshesWithOrigins(())
        for each in given:
            joined = joined.union(each) if each is not None else joined
        put_set(op, SOURCE_SET, joined)
        attributes.put(op, REDUCE, MeshReduction(kind))

    def _reduction(
        self, op: ir.Operation, given: list[MeshesWithOrigins | None], met: MeshesWithOrigins | None
    ) -> ReductionKind | None:
        """Return the kind of reduction over several meshes that an op computes; None for other ops."""
        kind = reduction_kind(op)
        if kind is None or any(each is not None and not each.meshes for each in given):
            return None
        concatenate = concatenate_of(op)
        if concatenate is not None:
            return kind if REDUCE in concatenate.attributes else None
        is_conflict = met is not None and not met.meshes
        return kind if is_conflict or any(self._is_annotated(operand, kind) for operand in op.operands) else None

    def _is_annotated(self, value: ir.Value, kind: ReductionKind) -> bool:
        source = defining_op(self._program.behind_calls(value))
        return source is not None and REDUCE in source.attributes and attributes.get(source, REDUCE).kind is kind
