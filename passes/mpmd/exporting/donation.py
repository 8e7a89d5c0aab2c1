"""Marks of fragments for buffers: donated operands, and bytes that other values hold (spec: mpmd, 7)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sdy.dialect.definition.attributes import number_of
from sdy.dialect.mpmd.declarations import sharded_type
from sdy.dialect.mpmd.values import Topology
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.functions import body
from sdy.mlir.rewriting import defining_op, has_no_use, terminator, users
from sdy.mlir.tensor_types import byte_size, i32_attr, i64_attr, with_shape
from sdy.passes.mpmd.common.fragments import (
    ARG_ATTRS,
    FRAGMENT,
    RES_ATTRS,
    TRANSFER,
    entries_of,
    in_host_memory,
    is_host_entry,
    is_mpmd_function,
    mesh_name_of,
    mesh_tensor_of,
    ops_in,
    put_entries,
    topology_of,
)
from sdy.passes.registry import pass_
from sdy.passes.steps import FUNCTION

DONOR = "jax.buffer_donor"
ALIAS = "tf.aliasing_output"
LAYOUT = "mhlo.layout_mode"
_DEFAULT_LAYOUT = '"default"'
RESERVED = "reserved_hbm_bytes"


class LastUses:
    """The last op of a function's block that uses a value."""

    def __init__(self, func: ir.Operation) -> None:
        self.ops = ops_in(func)
        self._last: dict[ir.Value, int] = {}
        for number, op in enumerate(self.ops):
            self._last.update(dict.fromkeys(op.operands, number))

    def number(self, value: ir.Value) -> int:
        """The number of the last op in the block that uses the value, -1 without any."""
        return self._last.get(value, -1)


@pass_("mpmd-mark-aliasing-and-donation", on=FUNCTION)
def mark_aliasing_and_donation(func: ir.Operation) -> None:
    """mpmd-mark-aliasing-and-donation: Mark operands of fragments whose buffers may be reused.

        %1 = mpmd.fragment<...> (%0) ...  // the last use of %0, of the type of %1
    ==> %1 = mpmd.fragment<...> (%0) {arg_attrs = [{tf.aliasing_output = 0 : i32}]} ...

    An argument of the function has to be marked by the user.

    Spec: mpmd, 7.
    """
    if not is_mpmd_function(func):
        return
    last, arguments = LastUses(func), entries_of(func, ARG_ATTRS)
    for number, fragment in enumerate(last.ops):
        if fragment.name == FRAGMENT:
            operands = {operand: index for index, operand in enumerate(fragment.operands)}
            dying = {index for operand, index in operands.items() if last.number(operand) == number}
            _mark(fragment, dying, arguments)


def _mark(fragment: ir.Operation, dying: Collection[int], arguments: Sequence[dict[str, ir.Attribute]]) -> None:
    """Mark the operands of a fragment; it is the last user of those numbered in `dying`."""
    entries = entries_of(fragment, ARG_ATTRS)
    results = entries_of(fragment, RES_ATTRS)
    taken: set[int] = set()
    between: list[int] = []
    for number, operand in enumerate(fragment.operands):
        is_free = number in dying and not _stays(operand, entries[number])
        if not is_free:
            continue
        if not isinstance(operand, ir.BlockArgument):
            between.append(number)
            continue
        marks = arguments[operand.arg_number]
        if ALIAS in marks:
            alias = _result_reaching(fragment, number_of(marks[ALIAS]))
            if alias is not None and _fits(fragment, number, alias, entries, results):
                taken.add(alias)
                entries[number][ALIAS] = i32_attr(alias)
            else:
                between.append(number)
        elif DONOR in marks:
            entries[number][DONOR] = ir.BoolAttr.get(True)
    for number in between:
        fitting = (
            index
            for index in range(len(fragment.results))
            if index not in taken and _fits(fragment, number, index, entries, results)
        )
        alias = next(fitting, None)
        if alias is None:
            entries[number][DONOR] = ir.BoolAttr.get(True)
        else:
            taken.add(alias)
            entries[number][ALIAS] = i32_attr(alias)
    if any(entries):
        put_entries(fragment, ARG_ATTRS, entries)


def _stays(operand: ir.Value, entry: dict[str, ir.Attribute]) -> bool:
    """Return whether a buffer is on the host or still being sent."""
    return is_host_entry(entry) or in_host_memory(operand) or any(user.name == TRANSFER for user in users(operand))


def _fits(
    fragment: ir.Operation,
    number: int,
    index: int,
    entries: Sequence[dict[str, ir.Attribute]],
    results: Sequence[dict[str, ir.Attribute]],
) -> bool:
    """Return whether a result can take the buffer of an operand."""
    result = fragment.results[index]
    if result.type != fragment.operands[number].type or is_host_entry(results[index]):
        return False
    layouts = [str(entry.get(LAYOUT, _DEFAULT_LAYOUT)) for entry in (entries[number], results[index])]
    return layouts[0] == layouts[1]


def _result_reaching(fragment: ir.Operation, output: int) -> int | None:
    """Return the number of the fragment's result that becomes a result of the function through ops of one operand."""
    value = terminator(fragment.block).operands[output]
    op = defining_op(value)
    while op is not None and op != fragment and len(op.operands) == 1:
        value = op.operands[0]
        op = defining_op(value)
    return ir.OpResult(value).result_number if op is not None and op == fragment else None


# Memory that others hold -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Sizes:
    """Local bytes of mesh tensors."""

    topology: Topology

    def of(self, value: ir.Value) -> int:
        """Return the bytes of a value's part on one device; 0 unless it is a mesh tensor."""
        found = mesh_tensor_of(value)
        if found is None:
            return 0
        tensor = ir.RankedTensorType(sharded_type(value.type))
        shape = tuple(tensor.shape)
        mesh = self.topology.find(found.mesh_name)
        if found.sharding is not None and mesh is not None:
            shape = found.sharding.local_shape(shape, mesh.axis_sizes)
        return byte_size(with_shape(tensor, shape))


@pass_("mpmd-mark-fragment-reserved-memory", on=FUNCTION)
def mark_fragment_reserved_memory(func: ir.Operation) -> None:
    """mpmd-mark-fragment-reserved-memory: Note the bytes that other values hold on the mesh while a fragment runs.

        %1 = mpmd.fragment<...> (%0) ...
    ==> %1 = mpmd.fragment<...> (%0) {reserved_hbm_bytes = 3328 : i64} ...

    Spec: mpmd, 7.
    """
    topology = topology_of(func)
    if topology is None or not is_mpmd_function(func):
        return
    live = _Live(func, topology)
    for number, op in enumerate(live.ops):
        if op.name == FRAGMENT:
            bytes_ = live.bytes_on(mesh_name_of(op)) - live.bytes_of(dict.fromkeys(op.operands))
            op.attributes[RESERVED] = i64_attr(max(bytes_, 0))
        live.pass_by(number, op)


class _Live:
    """Bytes alive on each mesh, op by op."""

    def __init__(self, func: ir.Operation, topology: Topology) -> None:
        self._last = LastUses(func)
        self._sizes = _Sizes(topology)
        self._on: dict[str, int] = {}
        self._alive: set[ir.Value] = set()
        self._staying: set[ir.Value] = set()
        entries = entries_of(func, ARG_ATTRS)
        for argument, entry in zip(body(func).arguments, entries, strict=True):
            is_donated = DONOR in entry
            if is_host_entry(entry) or in_host_memory(argument):
                continue
            if is_donated and has_no_use(argument):
                continue
            if not is_donated:
                self._staying.add(argument)
            self._add(argument, 1)

    @property
    def ops(self) -> list[ir.Operation]:
        return self._last.ops

    def _add(self, value: ir.Value, factor: int) -> None:
        found = mesh_tensor_of(value)
        if found is None:
            return
        if factor > 0:
            self._alive.add(value)
        else:
            self._alive.discard(value)
        self._on[found.mesh_name] = self._on.get(found.mesh_name, 0) + factor * self._sizes.of(value)

    def bytes_on(self, mesh: str) -> int:
        return self._on.get(mesh, 0)

    def bytes_of(self, values: dict[ir.Value, None]) -> int:
        return sum(self._sizes.of(value) for value in values if value in self._alive)

    def pass_by(self, number: int, op: ir.Operation) -> None:
        """Add the results of an op to the live values, and remove operands at their last use."""
        results = entries_of(op, RES_ATTRS) if op.name == FRAGMENT else [{}] * len(op.results)
        for result, entry in zip(op.results, results, strict=True):
            if not has_no_use(result) and not is_host_entry(entry) and not in_host_memory(result):
                self._add(result, 1)
        for value in dict.fromkeys(op.operands):
            if self._last.number(value) == number and value in self._alive and value not in self._staying:
                self._add(value, -1)
