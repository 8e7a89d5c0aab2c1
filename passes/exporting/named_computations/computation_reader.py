"""The named computations of a module, with what their functions will be told apart by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sdy.dialect.data_flow import EDGE, edge_of_owner, interface
from sdy.dialect.definition.attributes import text_of
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import address, ir
from sdy.mlir.rewriting.insertion import terminator
from sdy.mlir.search import ops_named
from sdy.passes.exporting.sinking import filled_shardings, sharding_of_edge

COMPUTATION = "sdy.named_computation"

Shardings = Sequence[TensorSharding] | None


@dataclass(slots=True)
class Computation:
    """A named computation with the shardings of its arguments and results, those on edges first.

    `holder` is the position of the computation that it is directly in, -1 where there is none. `returned` are the
    shardings of what its body returns, as they will be when the edges of all computations are gone.
    """

    op: ir.Operation
    name: str
    holder: int
    in_shardings: Shardings
    out_shardings: Shardings
    returned: tuple[TensorSharding | None, ...] = ()


def outer_shardings(op: ir.Operation) -> tuple[Shardings, Shardings]:
    """The shardings of a computation's arguments and results, those on edges first."""
    return _ComputationReader().shardings(op)


def computations_in(module: ir.Operation) -> list[Computation] | None:
    """The computations, nested ones before those that they are in.

    None if there are calls or modules besides, or computations without results.
    """
    ops = ops_named(module, COMPUTATION)
    results = [op.results for op in ops]
    if not all(map(len, results)) or ops_named(module, "func.call", "builtin.module"):
        return None
    positions = {address(of_op[0]): position for position, of_op in enumerate(results)}
    reader = _ComputationReader()
    found = [Computation(op, reader.name(op), _holder(op, positions), *reader.shardings(op)) for op in ops]
    for each in found:
        block = each.op.regions[0].blocks[0]
        each.returned = tuple([reader.returned(value) for value in terminator(block).operands])
    return found


def _holder(op: ir.Operation, positions: dict[int, int]) -> int:
    """The position, by the address of its first result, of the computation that `op` is in; -1 if there is none."""
    holder = op.parent.operation
    while (name := holder.name) != COMPUTATION:
        if name == "builtin.module":
            return -1
        holder = holder.parent.operation
    return positions[address(holder.results[0])]


class _ComputationReader:
    """Reads names and shardings.

    `_owners` has the shardings of arguments and results that have been read, by address; `_with_edges` the addresses of
    owners that have an edge.
    """

    def __init__(self) -> None:
        self._owners: dict[int, TensorSharding | None] = {}
        self._with_edges: set[int] = set()
        self._names: dict[int, str] = {}
        """By the address of the attribute."""

    def name(self, op: ir.Operation) -> str:
        attr = op.attributes["name"]
        name = self._names.get(address(attr))
        if name is None:
            name = self._names[address(attr)] = text_of(attr)
        return name

    def shardings(self, op: ir.Operation) -> tuple[Shardings, Shardings]:
        flow = interface(op)
        assert flow is not None
        arguments, results = flow.block_arg_owners(), flow.result_owners()
        inside = self._on_edges(arguments, flow.block_arg_shardings)
        return inside, self._on_edges(results, flow.result_shardings)

    def _on_edges(self, owners: Sequence[ir.Value], stored: Callable[[], Shardings]) -> Shardings:
        found = []
        hashes = [address(owner) for owner in owners]
        for owner, key in zip(owners, hashes, strict=True):
            edge = edge_of_owner(owner)
            found.append(sharding_of_edge(edge))
            if edge is not None:
                self._with_edges.add(key)
        shardings = filled_shardings(owners, found)
        if shardings is None:
            shardings = stored()
        self._owners.update(zip(hashes, found if shardings is None else shardings, strict=True))
        return shardings

    def returned(self, returned: ir.Value) -> TensorSharding | None:
        known, value = self._owners, address(returned)
        if value not in known and isinstance(returned, ir.OpResult):
            op = returned.owner.operation
            if op.name == EDGE and (source := address(op.operands[0])) in self._with_edges:
                value = source
        return known[value] if value in known else get_sharding(returned)
