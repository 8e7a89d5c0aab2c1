"""mpmd-infer-mesh-populate-use-set: Record on which meshes each value is used.

    %0 = stablehlo.abs %arg0 : tensor<4xf32>
    %1 = mpmd.assign {origin = "f"} %0 : (tensor<4xf32>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
==> %0 = stablehlo.abs %arg0 {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["f"]>} : tensor<4xf32>
    %1 = mpmd.assign {mpmd.use_set = #mpmd.meshes_with_origins<"m1"["f"]>, origin = "f"} %0 : ...

The set of an op is the union of those of its users. Functions have one for each argument, callees one for each result.
"""

from __future__ import annotations

from sdy.dialect.mpmd.values import MeshesWithOrigins
from sdy.mlir import ir
from sdy.mlir.functions import body, callee_name, symbol_name
from sdy.mlir.rewriting import defining_op, terminator, users
from sdy.passes.mpmd.common.calls import CALL
from sdy.passes.mpmd.common.chains import mesh_name_of_result
from sdy.passes.mpmd.common.fragments import holder_in
from sdy.passes.mpmd.inference.mesh_sets import (
    ARGUMENTS,
    ASSIGN,
    BROADCAST,
    FOR,
    FUNCTION,
    REDUCE_OP,
    RESULTS,
    RETURNS,
    UNASSIGN,
    USE_SET,
    Program,
    argument_set,
    get_entry_set,
    get_set,
    is_meshless,
    label_of,
    put_argument_set,
    put_entry_set,
    put_set,
)
from sdy.passes.registry import pass_

_MOST_REPEATS = 10
_EMPTY = MeshesWithOrigins(())


@pass_("mpmd-infer-mesh-populate-use-set")
def populate_use_set(module: ir.Operation) -> None:
    """Spec: mpmd, 9."""
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
