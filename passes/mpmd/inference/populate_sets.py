"""Passes that record on which meshes values can be without a transfer, and on which they are used."""

from __future__ import annotations

from sdy.dialect.definition import attributes
from sdy.dialect.mpmd.values import MeshesWithOrigins, MeshReduction, ReductionKind
from sdy.mlir import ir
from sdy.mlir.functions import body, callee_name, symbol_name
from sdy.mlir.rewriting import defining_op, holder_in, terminator, users
from sdy.passes.mpmd.common.fragment_editing import CALL
from sdy.passes.mpmd.common.fragments import TRANSFER, is_entry_point, on_mesh
from sdy.passes.mpmd.common.order import mesh_name_of_result
from sdy.passes.mpmd.inference.mesh_sets import (
    ARGUMENTS,
    ASSIGN,
    BROADCAST,
    FOR,
    FUNCTION,
    REDUCE,
    REDUCE_OP,
    RESULTS,
    RETURNS,
    SOURCE_SET,
    UNASSIGN,
    USE_SET,
    Program,
    argument_set,
    concatenate_of,
    get_entry_set,
    get_set,
    is_meshless,
    label_of,
    put_argument_set,
    put_entry_set,
    put_set,
    reduction_kind,
    value_set,
)
from sdy.passes.registry import pass_

_INFERRED = "inferred_in"


@pass_("mpmd-infer-mesh-populate-src-set")
def populate_src_set(module: ir.Operation) -> None:
    """mpmd-infer-mesh-populate-src-set: Record on which meshes each value can be without a transfer.

        %0 = mpmd.unassign {origin = "f"} %arg0 : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> tensor<4xf32>
        %1 = stablehlo.abs %0 : tensor<4xf32>
    ==> %0 = mpmd.unassign {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["f"]>, origin = "f"} %arg0 : ...
        %1 = stablehlo.abs %0 {mpmd.src_set = #mpmd.meshes_with_origins<"m1"["f"]>} : tensor<4xf32>

    The set of an op is the intersection of those of its operands; without a set a value can be anywhere. Sums and other
    reductions of values on different meshes are annotated, and have the union.

    Spec: mpmd, 9.
    """
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
        found = MeshesWithOrigins.of(on_mesh(source).mesh_name, label_of(op))
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


_MOST_REPEATS = 10
_EMPTY = MeshesWithOrigins(())


@pass_("mpmd-infer-mesh-populate-use-set")
def populate_use_set(module: ir.Operation) -> None:
    """mpmd-infer-mesh-populate-use-set: Record on which meshes each value is used.

        %0 = stablehlo.abs %arg0 : tensor<4xf32>
        %1 = mpmd.assign {origin = "f"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    ==> %0 = stablehlo.abs %arg0 {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["f"]>} : tensor<4xf32>
        %1 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["f"]>, origin = "f"} %0 : ...

    The set of an op is the union of those of its users. Functions have one for each argument, callees one for each
    result.

    Spec: mpmd, 9.
    """
    program = Program(module)
    uses = _Uses(program)
    for func in program.entry_points:
        uses.walk(func)


class _Uses:
    """Visits functions from end to start."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._walked: set[str] = set()

    def walk(self, func: ir.Operation) -> None:
        self._walk_block(body(func))
        for argument in body(func).arguments:
            self._join_argument(argument)

    def _walk_block(self, block: ir.Block) -> None:
        for op in reversed([view.operation for view in block.operations]):
            if op.name == FOR:
                self._pass_into_loop(op)
                self._walk_block(op.regions[0].blocks[0])
                for argument in op.regions[0].blocks[0].arguments:
                    self._join_argument(argument)
            elif op.name == CALL:
                self._visit_call(op)
            elif op.name == ASSIGN:
                put_set(op, USE_SET, MeshesWithOrigins.of(mesh_name_of_result(op), label_of(op)))
            elif is_meshless(op) or op.name in (UNASSIGN, BROADCAST, REDUCE_OP):
                self._join(op, [use for result in op.results for use in self._uses(result)])

    def _join(self, op: ir.Operation, found: list[MeshesWithOrigins]) -> None:
        joined = get_set(op, USE_SET) or _EMPTY
        for each in found:
            joined = joined.union(each)
        if joined.meshes:
            put_set(op, USE_SET, joined)

    def _join_argument(self, argument: ir.BlockArgument) -> None:
        before = argument_set(argument, USE_SET) or _EMPTY
        joined = before
        for each in self._uses(argument):
            joined = joined.union(each)
        if joined != before:
            put_argument_set(argument, USE_SET, joined)

    def _pass_into_loop(self, loop: ir.Operation) -> None:
        """Add the uses of a loop's result to the value that the body returns for it."""
        end = terminator(loop.regions[0].blocks[0])
        for result, value in zip(loop.results, end.operands, strict=True):
            source, found = defining_op(value), self._uses(result)
            if source is None:
                continue
            if source.name == CALL and isinstance(value, ir.OpResult):
                self._join_result(self._program.callee(source), value.result_number, found)
            else:
                self._join(source, found)

    def _visit_call(self, call: ir.Operation) -> None:
        callee = self._program.callee(call)
        name = symbol_name(callee)
        repeats = 1
        if any(user.name == CALL and callee_name(user) == name for result in call.results for user in users(result)):
            repeats = _MOST_REPEATS
        for _ in range(repeats):
            grown = [
                self._join_result(callee, number, self._uses(result)) for number, result in enumerate(call.results)
            ]
            if not any(grown) and name in self._walked:
                break
            self._walked.add(name)
            self.walk(callee)

    def _join_result(self, callee: ir.Operation, number: int, found: list[MeshesWithOrigins]) -> bool:
        """Join the set of a callee's result; return whether it has grown."""
        before = get_entry_set(callee, RESULTS, number, USE_SET) or _EMPTY
        joined = before
        for each in found:
            joined = joined.union(each)
        if joined != before:
            put_entry_set(callee, RESULTS, number, USE_SET, joined)
        return joined != before

    def _uses(self, value: ir.Value) -> list[MeshesWithOrigins]:
        """The sets of the users of a value, in the order of its uses."""
        source = defining_op(value)
        is_broadcast = source is not None and source.name == BROADCAST
        found = (self._of_use(value, use, is_broadcast) for use in value.uses)
        return [each for each in found if each is not None]

    def _of_use(self, value: ir.Value, use: ir.OpOperand, is_broadcast: bool) -> MeshesWithOrigins | None:
        block = value.owner if isinstance(value.owner, ir.Block) else value.owner.operation.block
        user = use.owner.operation
        if user.name in RETURNS and user.block == block:
            around = user.parent.operation
            where = RESULTS if around.name == FUNCTION else ARGUMENTS
            return get_entry_set(around, where, use.operand_number, USE_SET) if around.name == FUNCTION else None
        holder = holder_in(user, block)
        if holder != user:
            return get_set(holder, USE_SET)
        if user.name == UNASSIGN or (user.name in (BROADCAST, REDUCE_OP) and not is_broadcast):
            return None
        if user.name == CALL:
            return get_entry_set(self._program.callee(user), ARGUMENTS, use.operand_number, USE_SET)
        if user.name == FOR:
            return get_entry_set(user, ARGUMENTS, use.operand_number, USE_SET)
        return get_set(user, USE_SET)
