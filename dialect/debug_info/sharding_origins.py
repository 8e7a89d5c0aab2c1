"""Where the axes of each value's sharding come from, for debugging (spec: propagation, 15.1; import-passes, 4.8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sdy.dialect.data_flow import EDGE, edge_of_owner, owning_op
from sdy.dialect.definition import attributes
from sdy.dialect.shardings.value_shardings import arg_shardings, get_sharding, result_shardings, shardable_value
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.function_entries import set_entry
from sdy.mlir.functions import body, funcs, has_body, is_return
from sdy.mlir.rewriting.insertion import terminator
from sdy.mlir.search import ops_named

ORIGINS = "sdy.sharding_origins"
ORIGIN_NAME = "sdy.sharding_origin_name"
SELF = "self"

_CONSTRAINT = "sdy.sharding_constraint"
_MANUAL = "sdy.manual_computation"


class ShardingOrigins:
    """The origin of each axis of each value: the constraint, argument or result that introduced it.

    Made before shardings are propagated, it names the constraints and manual computations of the module and records
    what they, and the functions, introduce. The first origin of an axis on a value stays.
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
        """Drops what is known about values that are about to be erased."""
        for value in values:
            self._origins.pop(value, None)

    def write(self) -> None:
        """Attaches what is known as `sdy.sharding_origins`; an origin that names its own place is called `self`."""
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
    """Attaches the origins to the function result that the first use, in use-list order, makes of the value."""
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
    """What the manual computation that an edge belongs to introduces there."""
    owner = edge.operands[0]
    op = owning_op(owner)
    name = _origin_name(op) if op is not None and op.name == _MANUAL else None
    if name is None:
        return None
    if isinstance(owner, ir.BlockArgument):
        return f"{name}_input: {owner.arg_number}"
    return f"{name}_output: {ir.OpResult(owner).result_number}"
