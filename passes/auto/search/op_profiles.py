"""Inputs of the strategies of the ops of one program: rules, tensors, work.

Ops with equal inputs share one profile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from sdy.dialect.lowering.local_op import rule_of_devices
from sdy.dialect.ops.rules import extension_rule, reduction_of, rule_of
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ShardingRule
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.tensor_types import bits
from sdy.passes.auto.search.reshard_prices import NOT_OF_OP, exchanged_factors, text_of_op
from sdy.passes.auto.search.strategies import CollectiveWork, Profile, TensorSize
from sdy.passes.costs.op_cost import FREE, Fusion, op_work
from sdy.passes.costs.program_collectives import collective, kind_of
from sdy.passes.exporting.explicit_reshards.sharding_matcher import reduction_kind
from sdy.passes.propagation.engine.snapshot import Snapshot, TypeInfo
from sdy.stablehlo.idioms.loops import Execution

_WITH_BODY = ("stablehlo.reduce", "stablehlo.scatter")


@dataclass(slots=True)
class OpProfiles:
    """The profiles of one program. `free` are values made at each use, which are not read from memory."""

    snapshot: Snapshot
    free: set[int] = field(default_factory=set)
    _profiles: dict[Profile, Profile] = field(default_factory=dict)
    _tensors: dict[TypeInfo, TensorSize] = field(default_factory=dict)
    _texts: dict[tuple[str, tuple[TypeInfo, ...], tuple[tuple[str, str], ...]], str] = field(default_factory=dict)
    _fusion: Fusion = field(default_factory=Fusion)

    def of(self, op: int, mesh: Mesh | None) -> tuple[Profile, bool]:
        """Return the profile of an op and whether it has a rule.

        A collective sends along `mesh` if manual axes are around it.
        """
        snapshot, view = self.snapshot, self.snapshot.ops[op]
        operands = tuple(self.operand(value) for value in snapshot.operands[op])
        results = tuple(map(self.tensor, snapshot.results[op]))
        known = rule_of(view) or extension_rule(view)
        rule = rule_of_devices(view, known or _everywhere(operands, results))
        exchanged = exchanged_factors(view, rule)
        text = self._text(op, view) if exchanged else ""
        sends = self._sends(view, mesh)
        work = op_work(view, self._fusion) if sends is None else FREE
        profile = Profile(rule, operands, results, work, _can_reduce(view, rule), exchanged, text, sends=sends)
        return self._profiles.setdefault(profile, profile), known is not None

    def identity(self, value: int) -> Profile:
        """Return the profile of a tensor without computation."""
        return self.identity_of(self.tensor(value))

    def identity_of(self, tensor: TensorSize) -> Profile:
        """Return the profile of a tensor of that size without computation."""
        rule = ShardingRule.identity(tensor.shape)
        profile = Profile(rule, (tensor,), (tensor,), FREE, can_reduce=False)
        return self._profiles.setdefault(profile, profile)

    def replicated(self, operands: Sequence[int], results: Sequence[int]) -> Profile:
        """Return the profile of an op that needs replicated operands."""
        read, made = (tuple(map(self.tensor, values)) for values in (operands, results))
        return Profile(_everywhere(read, made), read, made, FREE, can_reduce=False)

    def tensor(self, value: int) -> TensorSize:
        """Return a value as prices need it; no dimensions and no bytes if it is not a tensor.

        Raises `DiagnosticError` at tensors of dynamic size.
        """
        info = self.snapshot.types[value]
        found = self._tensors.get(info)
        if found is None:
            found = self._tensors[info] = self._read_tensor(value)
        return found

    def operand(self, value: int) -> TensorSize:
        """Return the size of an operand, which may be fused."""
        tensor = self.tensor(value)
        if value not in self.free and self._fusion.is_in_memory(self.snapshot.value(value)):
            return tensor
        return TensorSize(tensor.shape, tensor.element_bytes, is_in_memory=False)

    def _text(self, op: int, view: ir.Operation) -> str:
        """Return the text of the op alone, written once for equal ops; ops with regions are not compared."""
        if len(view.regions):
            return text_of_op(view)
        types = tuple(self.snapshot.types[value] for value in (*self.snapshot.operands[op], *self.snapshot.results[op]))
        said = tuple((name, str(one)) for name, one in view.attributes.items() if name not in NOT_OF_OP)
        key = (view.name, types, said)
        if key not in self._texts:
            self._texts[key] = text_of_op(view)
        return self._texts[key]

    def _sends(self, view: ir.Operation, mesh: Mesh | None) -> CollectiveWork | None:
        if mesh is None or kind_of(view) is None:
            return None
        sent = collective(Execution(view), mesh)
        return CollectiveWork(sent.kind, sent.group_size, tuple(axis.name for axis in sent.axes or ()))

    def _read_tensor(self, value: int) -> TensorSize:
        type_ = self.snapshot.value(value).type
        if isinstance(type_, ir.RankedTensorType) and type_.has_static_shape:
            return TensorSize(tuple(type_.shape), bits(type_.element_type) / 8)
        if isinstance(type_, ir.ShapedType):
            at = self.snapshot.ops[self.snapshot.holder_of(value)]
            raise DiagnosticError(at, "has tensors of dynamic size, which cannot be partitioned automatically")
        return TensorSize((), 0.0)


def _can_reduce(view: ir.Operation, rule: ShardingRule) -> bool:
    """Return whether partial results may be added up."""
    if not rule.reduction:
        return False
    return (reduction_kind(view) if view.name in _WITH_BODY else reduction_of(view)) is not None


def _everywhere(operands: Sequence[TensorSize], results: Sequence[TensorSize]) -> ShardingRule:
    """Return the rule of an unknown op: no dimension has a factor that may be sharded."""
    sizes = tuple(size for tensor in (*operands, *results) for size in tensor.shape)
    numbers: Iterator[int] = iter(range(len(sizes)))
    mappings = [tuple((next(numbers),) for _ in tensor.shape) for tensor in (*operands, *results)]
    count = len(operands)
    return ShardingRule(
        sizes, tuple(mappings[:count]), tuple(mappings[count:]), need_replication=tuple(range(len(sizes)))
    )
