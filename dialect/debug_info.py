"""Debugging attributes of propagation: which axes moved along which edges, and where each axis comes from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sdy.dialect.data_flow import EDGE, edge_of_owner, owning_op
from sdy.dialect.definition import attributes
from sdy.dialect.shardings.attribute_shardings import arg_shardings, result_shardings
from sdy.dialect.shardings.value_shardings import get_sharding, shardable_value
from sdy.dialect.values.axes import AxisList, AxisRef, AxisSizes, is_strict_prefix
from sdy.dialect.values.rule import (
    AxisToPropagationDetails,
    DimMapping,
    EdgeNode,
    EdgeValueRef,
    FactorSharding,
    PropagationEdges,
    PropagationOneStep,
    ShardingRule,
    TensorFactors,
)
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir
from sdy.mlir.functions import body, funcs, has_body, is_return, set_entry
from sdy.mlir.rewriting import terminator
from sdy.mlir.search import ops_named
from sdy.mlir.walk import pre_order


@dataclass(frozen=True, slots=True)
class AxisMovement:
    """`axis` is new on tensor `target` and came from tensor `source`; operands count from 0, results follow."""

    axis: AxisRef
    source: int
    target: int


def axis_movements(
    rule: ShardingRule, before: Sequence[TensorFactors], after: Sequence[TensorFactors], sizes: AxisSizes
) -> list[AxisMovement]:
    """The new axes of every tensor.

    Args:
      rule: the op's rule.
      before: the factor shardings of each of its tensors before the step.
      after: those after the step.
      sizes: sizes of the axes of the mesh.
    """
    movements = []
    for target, mapping in enumerate(rule.tensors):
        sources: dict[AxisRef, int] = {}
        for dim in mapping:
            _record_dim(dim, before, after, target, sizes, sources)
        movements += [AxisMovement(axis, source, target) for axis, source in sources.items()]
    return movements


def _record_dim(
    dim: DimMapping,
    before: Sequence[TensorFactors],
    after: Sequence[TensorFactors],
    target: int,
    sizes: AxisSizes,
    sources: dict[AxisRef, int],
) -> None:
    """Adds the new axes of one dimension to `sources`; parts of an axis in neighbouring factors count as one."""
    previous: AxisRef | None = None
    for factor in dim:
        old, new = _axes(before[target][factor]), _axes(after[target][factor])
        if new == old or not new:
            continue
        last = new[-1]
        if previous is not None and previous.can_merge(last):
            sources.pop(previous, None)
            last = previous.merge(last, sizes)
        previous = new[-1]
        source = _source(factor, new, before)
        if source is None:
            continue
        listed = (*new[:-1], last)
        first = len(old) - 1 if old and old[-1] != listed[len(old) - 1] else len(old)
        for axis in listed[first:]:
            sources.setdefault(axis, source)


def _source(factor: int, axes: AxisList, before: Sequence[TensorFactors]) -> int | None:
    """Return the first tensor that had `axes`, perhaps among more, on the factor."""
    for tensor, factors in enumerate(before):
        had = _axes(factors[factor])
        if had == axes or is_strict_prefix(axes, had):
            return tensor
    return None


def _axes(sharding: FactorSharding | None) -> AxisList:
    return () if sharding is None else sharding.axes


EDGES = "sdy.propagation_edges"


class PropagationRecords:
    """The movements of each op by step. Steps count on from those that the module already holds."""

    def __init__(self, module: ir.Operation) -> None:
        found = (attributes.get(op, EDGES) for op in pre_order(module))
        self._step = 1 + max((step.step_index for edges in found if edges is not None for step in edges), default=-1)
        self._records: dict[int, tuple[ir.Operation, dict[tuple[AxisMovement, int], int]]] = {}

    def record(self, op: ir.Operation, movements: Iterable[AxisMovement], num_operands: int) -> None:
        """Record one step: movements across `op`, which has `num_operands` tensor operands.

        An empty step counts, too.
        """
        _, records = self._records.setdefault(_identity(op), (op, {}))
        for movement in movements:
            records.setdefault((movement, num_operands), self._step)
        self._step += 1

    def forget(self, ops: Iterable[ir.Operation]) -> None:
        """Drops the records of ops that are about to be erased."""
        for op in ops:
            self._records.pop(_identity(op), None)

    def write(self) -> None:
        """Attaches the records as `sdy.propagation_edges`, in place of older ones.

        Records of a function describe its results; the first result carries them.
        """
        for op, records in self._records.values():
            if records and op.name == "func.func":
                set_entry(op, "res_attrs", 0, EDGES, attributes.attr_of(_edges(records)))
            elif records:
                attributes.put(op, EDGES, _edges(records))


def _identity(op: ir.Operation) -> int:
    """A number of an op that stays when its attributes change. The hash of the op does not."""
    return address(op.results[0] if len(op.results) else op.attributes["sym_name"])


def _edges(records: dict[tuple[AxisMovement, int], int]) -> PropagationEdges:
    by_step: dict[int, dict[tuple, list[EdgeValueRef]]] = {}
    for (movement, num_operands), step in records.items():
        source = _reference(movement.source, num_operands)
        targets = by_step.setdefault(step, {}).setdefault((movement.axis, source), [])
        targets.append(_reference(movement.target, num_operands))
    return PropagationEdges(tuple(PropagationOneStep(step, _entries(by_step[step])) for step in sorted(by_step)))


def _entries(moved: dict[tuple, list[EdgeValueRef]]) -> tuple[AxisToPropagationDetails, ...]:
    entries = [
        AxisToPropagationDetails(axis, source, tuple(sorted(targets, key=_position)))
        for (axis, source), targets in moved.items()
    ]
    return tuple(sorted(entries, key=lambda entry: (entry.axis.name_key, _position(entry.source))))


def _reference(tensor: int, num_operands: int) -> EdgeValueRef:
    if tensor < num_operands:
        return EdgeValueRef(EdgeNode.OPERAND, tensor)
    return EdgeValueRef(EdgeNode.RESULT, tensor - num_operands)


def _position(reference: EdgeValueRef) -> tuple[int, int]:
    return (reference.node.value, reference.index)


ORIGINS = "sdy.sharding_origins"
ORIGIN_NAME = "sdy.sharding_origin_name"
SELF = "self"

_CONSTRAINT = "sdy.sharding_constraint"
_MANUAL = "sdy.manual_computation"


class ShardingOrigins:
    """The origin of each axis of each value: the constraint, argument or result that introduced it.

    Create it before propagation: it names the constraints and manual computations of the module and records the axes
    that they and the functions introduce. The first origin of an axis on a value stays.
    """

    def __init__(self, module: ir.Operation) -> None:
        self._origins: dict[ir.Value, dict[AxisRef, str]] = {}
        for number, op in enumerate(ops_named(module, _CONSTRAINT)):
            self._introduce_constraint(op, _named(op, f"constraint_{number}"))
        for number, op in enumerate(ops_named(module, _MANUAL)):
            self._introduce_manual(op, _named(op, f"mc_{number}"))
        for func in funcs(module):
            if has_body(func):
                self._introduce_function(func)

    def record(self, value: ir.Value, axis: AxisRef, origin: str) -> None:
        """`axis` came to `value`, taken as its shardable value, from `origin`; ignored if its origin is known."""
        holder = shardable_value(value)
        if holder is not None:
            self._origins.setdefault(holder, {}).setdefault(axis, origin)

    def inherit(self, target: ir.Value, axis: AxisRef, source: ir.Value) -> None:
        """`axis` came to `target` from `source`: it has the origin of the same, or an overlapping, axis there."""
        holder = shardable_value(source)
        known: Mapping[AxisRef, str] = {} if holder is None else self._origins.get(holder, {})
        origin = known.get(axis)
        if origin is None:
            related = (at for other, at in known.items() if other.contains(axis) or axis.contains(other))
            origin = next(related, None)
        if origin is not None:
            self.record(target, axis, origin)

    def forget(self, values: Iterable[ir.Value]) -> None:
        """Drops the records of values that are about to be erased."""
        for value in values:
            self._origins.pop(value, None)

    def write(self) -> None:
        """Attaches the records as `sdy.sharding_origins`; an origin that names its own place is called `self`."""
        for value, origins in self._origins.items():
            _write(value, origins)
            _write_returned(value, origins)

    # What introduces axes ------------------------------------------------------------------------

    def _introduce(self, value: ir.Value, sharding: TensorSharding | None, origin: str) -> None:
        if sharding is not None:
            for axes in sharding.dim_axes:
                for axis in axes:
                    self.record(value, axis, origin)

    def _introduce_constraint(self, op: ir.Operation, name: str) -> None:
        self._introduce(op.results[0], attributes.get(op, "sharding"), name)
        self._introduce(op.operands[0], get_sharding(op.operands[0]), name)

    def _introduce_manual(self, op: ir.Operation, name: str) -> None:
        """Records on the edges; values without an edge, such as tokens, have no axes."""
        in_shardings = attributes.get(op, "in_shardings").shardings
        for index, argument in enumerate(op.regions[0].blocks[0].arguments):
            if edge_of_owner(argument) is not None:
                origin, operand = f"{name}_input: {index}", op.operands[index]
                self._introduce(argument, in_shardings[index], origin)
                self._introduce(operand, get_sharding(operand), origin)
        out_shardings = attributes.get(op, "out_shardings").shardings
        for index, result in enumerate(op.results):
            if edge_of_owner(result) is not None:
                self._introduce(result, out_shardings[index], f"{name}_output: {index}")

    def _introduce_function(self, func: ir.Operation) -> None:
        block = body(func)
        for index, sharding in enumerate(arg_shardings(func)):
            self._introduce(block.arguments[index], sharding, f"input: {index}")
        returned = terminator(block).operands
        # An op of an unknown dialect may return fewer values than the function has results.
        for index, (value, sharding) in enumerate(zip(returned, result_shardings(func), strict=False)):
            self._introduce(value, sharding, f"output: {index}")


def _named(op: ir.Operation, name: str) -> str:
    op.attributes[ORIGIN_NAME] = ir.StringAttr.get(name)
    return name


# Attributes --------------------------------------------------------------------------------------


def _dictionary(origins: Mapping[AxisRef, str], own: str | None) -> ir.DictAttr:
    """Axes as keys without quotes."""
    entries = {str(axis).replace('"', ""): SELF if at == own else at for axis, at in origins.items()}
    return ir.DictAttr.get({axis: ir.StringAttr.get(at) for axis, at in entries.items()})


def _write(value: ir.Value, origins: Mapping[AxisRef, str]) -> None:
    op = owning_op(value)
    if op is None:
        return
    if op.name == "func.func":
        number = ir.BlockArgument(value).arg_number
        set_entry(op, "arg_attrs", number, ORIGINS, _dictionary(origins, f"input: {number}"))
    elif op.name == _CONSTRAINT:
        op.attributes[ORIGINS] = _dictionary(origins, _origin_name(op))
    elif op.name == EDGE:
        op.attributes[ORIGINS] = _dictionary(origins, _own_origin_of_edge(op))
    else:
        stored = op.attributes
        entries = list(stored[ORIGINS]) if ORIGINS in stored else [ir.DictAttr.get({})] * len(op.results)
        # A block argument without an edge has no place of its own; as in the reference the list is there all the same.
        if not isinstance(value, ir.BlockArgument):
            entries[ir.OpResult(value).result_number] = _dictionary(origins, None)
        stored[ORIGINS] = ir.ArrayAttr.get(entries)


def _write_returned(value: ir.Value, origins: Mapping[AxisRef, str]) -> None:
    """Attaches the origins to the function result of the value's first use, in use-list order."""
    for use in value.uses:
        user, number = use.owner.operation, use.operand_number
        func = user.parent.operation
        if func.name == "func.func" and _ends_block(user) and is_return(user) and number < len(result_shardings(func)):
            set_entry(func, "res_attrs", number, ORIGINS, _dictionary(origins, f"output: {number}"))
            return


def _ends_block(op: ir.Operation) -> bool:
    return terminator(op.block) == op


def _origin_name(op: ir.Operation) -> str | None:
    return ir.StringAttr(op.attributes[ORIGIN_NAME]).value if ORIGIN_NAME in op.attributes else None


def _own_origin_of_edge(edge: ir.Operation) -> str | None:
    """Return the origin that the manual computation of an edge introduces."""
    owner = edge.operands[0]
    op = owning_op(owner)
    name = _origin_name(op) if op is not None and op.name == _MANUAL else None
    if name is None:
        return None
    if isinstance(owner, ir.BlockArgument):
        return f"{name}_input: {owner.arg_number}"
    return f"{name}_output: {ir.OpResult(owner).result_number}"
