"""Which named computations need functions of their own: of those that are called the same and sharded alike, one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from sdy.dialect.attributes import text_of
from sdy.dialect.data_flow import EDGE, edge_of_owner, interface
from sdy.dialect.functions import ModuleSymbols
from sdy.dialect.meshes import MeshTable
from sdy.dialect.op_properties import rank
from sdy.dialect.search import ops_named
from sdy.dialect.sharding import TensorSharding
from sdy.dialect.stored import open_like
from sdy.dialect.values import get_sharding
from sdy.mlir import ir
from sdy.passes.exporting.edges import shardings_on_edges
from sdy.passes.exporting.insertion import terminator

_COMPUTATION = "sdy.named_computation"

Shardings = Sequence[TensorSharding] | None


def outer_shardings(op: ir.Operation) -> tuple[Shardings, Shardings]:
    """The shardings of a computation's arguments and results, those on edges first."""
    flow = interface(op)
    assert flow is not None
    return (
        shardings_on_edges(flow.block_arg_owners()) or flow.block_arg_shardings(),
        shardings_on_edges(flow.result_owners()) or flow.result_shardings(),
    )


@dataclass(slots=True)
class Planned:
    """A computation, and what becomes of it.

    `name` is that of its function, which there is if it `is_kept`. If it `is_called`, a call of `callee` takes its
    place; if not, it goes with the computation that it is in.
    """

    op: ir.Operation
    in_shardings: Shardings
    out_shardings: Shardings
    name: str = ""
    callee: str = ""
    is_kept: bool = False
    is_called: bool = False
    children: list[Planned] = field(default_factory=list)
    """The computations directly in its body, in order."""


def plan_of_computations(module: ir.Operation, symbols: ModuleSymbols) -> list[Planned] | None:
    """The computations, nested ones first, with what becomes of them; takes the names of all functions they could be.

    None if that would not be known to be what is left of exporting all of them: calls there are already have a say in
    which functions stay.
    """
    ops = ops_named(module, _COMPUTATION)
    if not ops or ops_named(module, "func.call", "builtin.module") or any(not len(op.results) for op in ops):
        return None
    found = [Planned(op, *outer_shardings(op)) for op in ops]
    by_result = {hash(op.results[0]): each for op, each in zip(ops, found, strict=True)}
    outermost: list[Planned] = []
    for each in found:
        holder = _computation_around(each.op)
        (outermost if holder is None else by_result[hash(holder.results[0])].children).append(each)
    keys_of = _Keys(module, by_result)
    keys = {id(each): keys_of.of(each) for each in found}
    # Functions come in the order of `found`, behind what calls the outermost ones.
    chosen: dict[Hashable, Planned] = {}
    for each in (*outermost, *(child for caller in found for child in caller.children)):
        chosen.setdefault(keys[id(each)], each)
    for each in found:
        each.name = symbols.reserve(text_of(each.op.attributes["name"]))
    pending = [outermost]
    while pending:
        for each in pending.pop():
            target = chosen[keys[id(each)]]
            each.is_called, each.callee = True, target.name
            if not target.is_kept:
                target.is_kept = True
                pending.append(target.children)
    return found


def _computation_around(op: ir.Operation) -> ir.Operation | None:
    parent = op.parent.operation
    while parent.name != _COMPUTATION:
        if parent.name == "builtin.module":
            return None
        parent = parent.parent.operation
    return parent


class _Keys:
    """What computations agree in whose functions are merged: name, and shardings of arguments and results."""

    def __init__(self, module: ir.Operation, by_result: dict[int, Planned]) -> None:
        self._meshes = MeshTable(module)
        self._by_result = by_result
        self._filled: dict[Hashable, Hashable] = {}

    def of(self, each: Planned) -> Hashable:
        block = each.op.regions[0].blocks[0]
        returned = terminator(block).operands
        arguments = self._fill(each.in_shardings, block.arguments)
        results = self._fill([self._sharding(value, each) for value in returned], returned)
        return hash(each.op.attributes["name"]), arguments, results

    def _fill(self, shardings: Sequence[TensorSharding | None] | None, values: Sequence[ir.Value]) -> Hashable:
        """The shardings as `sdy.dialect.values.filled_arg_shardings` has them."""
        if shardings is None:
            return None
        key = tuple(shardings)
        if None in key:
            key += tuple([rank(value.type) for value in values])
        if key not in self._filled:
            mesh = self._meshes.first_non_maximal(shardings)
            pairs = zip(shardings, values, strict=True)
            self._filled[key] = (
                None if mesh is None else tuple(given or open_like(mesh, to.type) for given, to in pairs)
            )
        return self._filled[key]

    def _sharding(self, returned: ir.Value, each: Planned) -> TensorSharding | None:
        """What `sdy-propagate-to-func-results` will find, when the edges of the computations are gone."""
        value = returned
        if isinstance(value, ir.OpResult) and value.owner.operation.name == EDGE:
            source = value.owner.operation.operands[0]
            if edge_of_owner(source) is not None:
                value = source
        sharding = self._kept_on_computation(value, each, returned)
        mesh = None if sharding is None else self._meshes.of(sharding)
        return None if mesh is not None and mesh.is_maximal else sharding

    def _kept_on_computation(self, value: ir.Value, each: Planned, returned: ir.Value) -> TensorSharding | None:
        if isinstance(value, ir.BlockArgument):
            given = each.in_shardings
            return None if given is None else given[value.arg_number]
        op = value.owner.operation
        if op.name != _COMPUTATION:
            return get_sharding(returned)
        given = self._by_result[hash(op.results[0])].out_shardings
        return None if given is None else given[ir.OpResult(value).result_number]
