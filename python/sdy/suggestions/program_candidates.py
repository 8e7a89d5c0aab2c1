"""Changes of a whole program that an expert would try: inputs of blocks, operands, groups of parameters by pattern."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from sdy.dialect.op_properties import is_constant
from sdy.dialect.ops.rules import rule_of
from sdy.dialect.program_values import Program, ProgramValue, ValueKind
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.rule import dim_axes, to_factors
from sdy.dialect.values.sharding import TensorSharding
from sdy.report.transfers import Transfer
from sdy.suggestions.boundaries import Boundaries, shape_of
from sdy.suggestions.candidates import Around, Candidates
from sdy.suggestions.changes import (
    Change,
    Constrain,
    ConstrainOperand,
    DeclareRule,
    Reconstrain,
    Several,
    ShardArgument,
    ShardResult,
    SingleChange,
    single,
)

_NO_BLOCKS = frozenset({"stablehlo.while", "stablehlo.broadcast_in_dim", "sdy.sharding_constraint"})
"""Ops whose results are no inputs of blocks."""


class ProgramCandidates:
    """The candidates for a program."""

    def __init__(self, program: Program) -> None:
        self._program, self._meshes = program, MeshTable(program.module)
        self._single, self.boundaries = Candidates(program), Boundaries(program)

    def of(self, transfer: Transfer, around: Sequence[Around]) -> list[Change]:
        """Yield the candidates for the values that a collective serves, without repetition."""
        own = self._single.of(transfer, around)
        boundary = [one for one in own if isinstance(one, (ShardArgument, ShardResult))]
        groups = [group for one in boundary for group in self.boundaries.groups(one)]
        constraints = [group for one in own if isinstance(one, Reconstrain) for group in self._alike(one)]
        found = [*constraints, *self._block_inputs(around), *self.boundaries.swapped(), *groups, *own]
        return list(dict.fromkeys([*found, *self._operands(transfer, around)]))

    def of_one(self, transfer: Transfer, around: Sequence[Around]) -> list[Change]:
        """Yield the same for one collective: inputs of blocks and single values first, which most often remove it."""
        first = [*self._block_inputs(around), *self._single.of(transfer, around)]
        return list(dict.fromkeys([*first, *self.of(transfer, around)]))

    def _alike(self, change: Reconstrain) -> Iterator[Change]:
        """Yield the change of a constraint for all with its sharding and shape, such as its gradient's."""
        own = self._program.ops[change.op]
        alike = [
            number
            for number, op in enumerate(self._program.ops)
            if op.name == own.name and op.attributes["sharding"] == own.attributes["sharding"]
            if op.results[0].type == own.results[0].type
        ]
        if len(alike) > 1:
            name = Reconstrain(alike[0], None).told(self._program).removeprefix("remove the sharding constraint ")
            what = "change" if change.sharding is not None else "remove"
            changes = tuple(Reconstrain(number, change.sharding) for number in alike)
            yield Several(changes, f"{what} {len(alike)} sharding constraints like {name}")

    # Inputs of blocks ------------------------------------------------------------------------------

    def _block_inputs(self, around: Sequence[Around]) -> Iterator[Change]:
        """Constrain values that enter a loop or another scope to the batch's sharding; all of one shape together."""
        ranks = {one.value.rank for one in around}
        for values in self._blocks:
            rank, shape = values[0].rank, shape_of(values[0])
            for rows in self.boundaries.rows() if rank in ranks else ():
                wanted = TensorSharding.from_axes(rows.mesh_or_ref, [*rows.dim_axes, *[()] * (rank - 1)])
                if self.boundaries.divides(wanted, shape):
                    changes = tuple(Constrain(value.op, value.index, wanted) for value in values)
                    what = f"constrain the inputs of {len(values)} blocks"
                    yield Several(changes, what) if len(values) > 1 else changes[0]

    @cached_property
    def _blocks(self) -> list[list[ProgramValue]]:
        """Return values that enter blocks: of each type the first one, and all together."""
        by_type: dict[str, list[ProgramValue]] = {}
        for value in self._program.values:
            if value.kind is ValueKind.RESULT and value.rank >= 2 and self._enters_block(value):
                by_type.setdefault(value.type, []).append(value)
        return [part for values in by_type.values() for part in (values[:1], values) if part is values or values[1:]]

    def _enters_block(self, value: ProgramValue) -> bool:
        """Return whether a loop carries a value, or ops of several scopes use it."""
        op = self._program.ops[value.op]
        if op.name in _NO_BLOCKS or is_constant(op):
            return False
        users = [use.owner.operation for use in op.results[value.index].uses]
        if any(user.name == "stablehlo.while" for user in users):
            return True
        scopes = {self._scope(self._program.number_of_op(user)) for user in users}
        return len(users) > 1 and scopes != {self._scope(value.op)}

    def _scope(self, op: int) -> str:
        """The path of names around an op, without its own."""
        found = re.search(r'"([^"]*)"', self._program.location(op))
        return found[1].rpartition("/")[0] if found else ""

    # Operands --------------------------------------------------------------------------------------

    def _operands(self, transfer: Transfer, around: Sequence[Around]) -> Iterator[Change]:
        """Reshard an operand, or constrain the result, to the sharding of another tensor of the op."""
        op = None if transfer.op is None else self._program.ops[transfer.op]
        rule = None if op is None else rule_of(op)
        if op is None or rule is None or transfer.op is None:
            return
        roles = [f"operand {number}" for number in range(len(op.operands))]
        roles += ["result"] if len(op.results) == 1 else [f"result {number}" for number in range(len(op.results))]
        tensors = {one.role: one for one in around}
        for source, target in ((tensors.get(one), tensors.get(other)) for one in roles for other in roles):
            have = None if source is None else source.explanation.sharding
            mesh = None if have is None else self._meshes.of(have)
            if source is None or target is None or source is target or have is None or mesh is None:
                continue
            mappings = [rule.tensors[roles.index(one.role)] for one in (source, target)]
            factors = to_factors(have, mappings[0], rule.factor_sizes, mesh.axis_sizes)
            dims = [dim_axes(dim, factors, rule.factor_sizes, mesh.axis_sizes)[0] for dim in mappings[1]]
            wanted = TensorSharding.from_axes(have.mesh_or_ref, dims)
            if self.boundaries.divides(wanted, shape_of(target.value)):
                yield from self._constrained(target, transfer.op, wanted)

    def _constrained(self, target: Around, op: int, wanted: TensorSharding) -> Iterator[Change]:
        if target.role.startswith("operand"):
            yield ConstrainOperand(op, int(target.role.split()[1]), wanted)
        elif target.value.kind is ValueKind.RESULT:
            yield Constrain(target.value.op, target.value.index, wanted)


def target(change: SingleChange) -> tuple[object, ...]:
    """Return the thing that a change concerns: the later of two changes to it wins."""
    if isinstance(change, ConstrainOperand):
        return "operand", change.op, change.operand
    if isinstance(change, (Reconstrain, DeclareRule)):
        return type(change), change.op
    return change.kind, change.op, change.index


def with_change(kept: Sequence[Change], change: Change) -> list[Change]:
    """Return changes plus one more, which replaces those of the same thing."""
    new = {target(each) for each in single(change)}
    found: list[Change] = []
    for each in kept:
        parts = tuple(part for part in single(each) if target(part) not in new)
        if len(parts) == sum(1 for _ in single(each)):
            found.append(each)
        else:
            found += parts
    return [*found, change]
