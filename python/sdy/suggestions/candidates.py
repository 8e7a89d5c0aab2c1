"""Changes that might remove a collective: at the source of the axes, at the user of the value, or at the value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sdy.dialect.definition import attributes
from sdy.dialect.ops.rules import rule_of
from sdy.dialect.program_values import Program, ProgramValue, ValueKind
from sdy.dialect.shardings.attribute_shardings import arg_sharding, result_sharding
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.axes import AxisRef, AxisSizes
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.report.explanation import Explanation, OriginKind
from sdy.report.transfers import Transfer
from sdy.suggestions.boundaries import shape_of
from sdy.suggestions.changes import Change, Constrain, DeclareRule, Reconstrain, ShardArgument, ShardResult

_REDUCING = ("all_reduce", "reduce_scatter")


@dataclass(frozen=True, slots=True)
class Around:
    """An operand or result of the op that a collective serves: its role, and its explanation."""

    role: str
    value: ProgramValue
    explanation: Explanation


@dataclass(frozen=True, slots=True)
class _Given:
    """A sharding that is written in the program: of an argument, of a result of a function, or of a constraint."""

    kind: OriginKind
    op: int
    index: int
    sharding: TensorSharding
    shape: tuple[int, ...]

    def changed(self, sharding: TensorSharding) -> Change:
        if self.kind is OriginKind.ARGUMENT:
            return ShardArgument(self.op, self.index, sharding)
        if self.kind is OriginKind.RESULT:
            return ShardResult(self.op, self.index, sharding)
        return Reconstrain(self.op, sharding)


class Candidates:
    """The candidates for one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._meshes = MeshTable(program.module)

    def of(self, transfer: Transfer, around: Sequence[Around]) -> list[Change]:
        """The candidates for a collective, without repetition, the most likely first."""
        found = [*self._of_the_value(transfer, around), *self._of_what_was_given(transfer, around)]
        return list(dict.fromkeys(found))

    # The value that is moved or reduced ------------------------------------------------------------

    def _of_the_value(self, transfer: Transfer, around: Sequence[Around]) -> Iterator[Change]:
        if transfer.op is None:
            return
        op = self._program.ops[transfer.op]
        if transfer.reshard is not None:
            yield from self._instead_of_reshard(transfer, around)
        if transfer.kind in _REDUCING:
            for one in around:
                if one.role.startswith("result") and one.explanation.sharding is not None:
                    yield from self._scattered(one, transfer.axes or ())
        yield from self._rule(transfer.op, op)

    def _instead_of_reshard(self, transfer: Transfer, around: Sequence[Around]) -> Iterator[Change]:
        assert transfer.reshard is not None
        target, source = transfer.reshard.target.close(), transfer.reshard.source
        role = transfer.serves.partition(" of ")[0]
        for one in around:
            value = one.value
            if one.role == role and value.rank == target.rank:
                if value.kind is ValueKind.RESULT:
                    yield Constrain(value.op, value.index, target)
                elif value.kind is ValueKind.ARGUMENT and self._is_function(value.op):
                    yield ShardArgument(value.op, value.index, target)
            if source is not None and one.role.startswith("result") and value.rank == source.rank:
                if value.kind is ValueKind.RESULT:
                    yield Constrain(value.op, value.index, source.close())
                else:
                    yield ShardResult(value.op, value.index, source.close())

    def _scattered(self, one: Around, axes: Sequence[AxisRef]) -> Iterator[Change]:
        """Suggest scattered results, of which each device keeps a part: the reduction then sends half as much."""
        sharding, value = one.explanation.sharding, one.value
        if value.kind is not ValueKind.RESULT or sharding is None or not axes:
            return
        free = [axis for axis in axes if not any(axis.overlaps(other) for other in sharding.axis_refs())]
        for dim in range(sharding.rank if free else 0):
            lists = [(*each, *free) if number == dim else each for number, each in enumerate(sharding.dim_axes)]
            wanted = sharding.with_dim_axes(lists).close()
            if wanted.divides(shape_of(value), self._sizes(sharding)):
                yield Constrain(value.op, value.index, wanted)

    def _rule(self, number: int, op: ir.Operation) -> Iterator[Change]:
        """Suggest an elementwise rule for an op that propagates nothing."""
        types = [value.type for value in (*op.operands, *op.results)]
        shapes = {tuple(type_.shape) if isinstance(type_, ir.RankedTensorType) else None for type_ in types}
        if op.name == "stablehlo.custom_call" and len(shapes) == 1 and None not in shapes and rule_of(op) is None:
            rule = ShardingRule.identity(types[0].shape, len(op.operands), len(op.results))
            yield DeclareRule(number, replace(rule, is_custom=True))

    # What the axes came from -----------------------------------------------------------------------

    def _of_what_was_given(self, transfer: Transfer, around: Sequence[Around]) -> Iterator[Change]:
        given = [
            (each, origin.axis)
            for one in around
            for origin in one.explanation.axes
            if origin.number >= 0
            for each in self._given(origin.kind, self._program.values[origin.number])
        ]
        given += [
            (each, axis) for one in around for each in self._written(one.value) for axis in each.sharding.axis_refs()
        ]
        for each, axis in dict.fromkeys(given):
            if each.kind is OriginKind.CONSTRAINT:
                yield Reconstrain(each.op, None)
            if each.kind is OriginKind.RESULT:
                yield ShardResult(each.op, each.index, None)
            yield from (each.changed(sharding) for sharding in self._without(each, axis))

    def _without(self, given: _Given, axis: AxisRef) -> Iterator[TensorSharding]:
        """Yield the sharding with an axis moved to another dimension, removed, or replaced by another one.

        Swapping with the axes of another dimension comes first.
        """
        sharding = given.sharding
        bare = [tuple(one for one in dim if one.name != axis.name) for dim in sharding.dim_axes]
        where = next((dim for dim, axes in enumerate(sharding.dim_axes) if axis.name in [a.name for a in axes]), None)
        if where is not None:
            yield from self._swapped(given, where)
        for dim in range(sharding.rank):
            if dim != where and where is not None:
                moved = [(*axes, axis) if number == dim else axes for number, axes in enumerate(bare)]
                wanted = sharding.with_dim_axes(moved)
                if wanted.divides(given.shape, self._sizes(sharding)):
                    yield wanted
        if where is not None:
            yield sharding.with_dim_axes(bare)
            for name in self._unused(sharding):
                lists = [(*axes, AxisRef(name)) if dim == where else axes for dim, axes in enumerate(bare)]
                wanted = sharding.with_dim_axes(lists)
                if wanted.divides(given.shape, self._sizes(sharding)):
                    yield wanted

    def _swapped(self, given: _Given, where: int) -> Iterator[TensorSharding]:
        """Yield the sharding with the axes of two dimensions swapped, as of a transposed matrix."""
        lists = list(given.sharding.dim_axes)
        for dim in range(given.sharding.rank):
            if dim != where and lists[dim]:
                swapped = [*lists]
                swapped[dim], swapped[where] = lists[where], lists[dim]
                wanted = given.sharding.with_dim_axes(swapped)
                if wanted.divides(given.shape, self._sizes(given.sharding)):
                    yield wanted

    def _given(self, kind: OriginKind, value: ProgramValue) -> Iterator[_Given]:
        """The sharding that is written at the value that an axis came from."""
        op = self._program.ops[value.op]
        if kind is OriginKind.CONSTRAINT and op.name == "sdy.sharding_constraint":
            yield from self._constraint(value.op, op)
        elif kind in (OriginKind.ARGUMENT, OriginKind.RESULT):
            yield from self._written(value)

    def _written(self, value: ProgramValue) -> Iterator[_Given]:
        """The sharding that is written at an argument or a result of a function."""
        op = self._program.ops[value.op]
        if op.name != "func.func" or value.kind is ValueKind.RESULT:
            return
        is_argument = value.kind is ValueKind.ARGUMENT
        sharding = (arg_sharding if is_argument else result_sharding)(op, value.index)
        kind = OriginKind.ARGUMENT if is_argument else OriginKind.RESULT
        if sharding is not None:
            yield _Given(kind, value.op, value.index, sharding, shape_of(value))

    def _constraint(self, number: int, op: ir.Operation) -> Iterator[_Given]:
        sharding = attributes.get(op, "sharding")
        yield _Given(OriginKind.CONSTRAINT, number, 0, sharding, tuple(op.results[0].type.shape))

    # Facts -----------------------------------------------------------------------------------------

    def _is_function(self, number: int) -> bool:
        return self._program.ops[number].name == "func.func"

    def _unused(self, sharding: TensorSharding) -> list[str]:
        """Axes of the mesh that a sharding does not name."""
        return [name for name in self._sizes(sharding) if not sharding.binds(name)]

    def _sizes(self, sharding: TensorSharding) -> AxisSizes:
        mesh = self._meshes.of(sharding)
        assert mesh is not None, "shardings are verified to name meshes that exist"
        return mesh.axis_sizes
