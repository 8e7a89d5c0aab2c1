"""Which named computations need functions of their own: of those that are called the same and sharded alike, one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
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
from sdy.passes.exporting.edges import filled_shardings, sharding_of_edge
from sdy.passes.exporting.insertion import terminator

_COMPUTATION = "sdy.named_computation"

Shardings = Sequence[TensorSharding] | None


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


def outer_shardings(op: ir.Operation) -> tuple[Shardings, Shardings]:
    """The shardings of a computation's arguments and results, those on edges first."""
    return _Reader().shardings(op)


def plan_of_computations(module: ir.Operation, symbols: ModuleSymbols) -> list[Planned] | None:
    """The computations, nested ones first, with what becomes of them; takes the names of all functions they could be.

    None if that would not be known to be what is left of exporting all of them: calls there are already have a say in
    which functions stay.
    """
    ops = ops_named(module, _COMPUTATION)
    if not ops or ops_named(module, "func.call", "builtin.module"):
        return None
    results = [op.results for op in ops]
    if not all(map(len, results)):
        return None
    reader = _Reader()
    found = [Planned(op, *reader.shardings(op)) for op in ops]
    keys = _Keys(module, reader)
    key_of = {id(each): keys.of(each) for each in found}
    outermost = _nest(found, {hash(of_op[0]): each for of_op, each in zip(results, found, strict=True)})
    # Functions come in the order of `found`, behind what calls the outermost ones.
    chosen: dict[Hashable, Planned] = {}
    for each in (*outermost, *(child for caller in found for child in caller.children)):
        chosen.setdefault(key_of[id(each)], each)
    for each in found:
        each.name = symbols.reserve(keys.name(each.op))
    pending = [outermost]
    while pending:
        for each in pending.pop():
            target = chosen[key_of[id(each)]]
            each.is_called, each.callee = True, target.name
            if not target.is_kept:
                target.is_kept = True
                pending.append(target.children)
    return found


def _nest(found: list[Planned], by_result: dict[int, Planned]) -> list[Planned]:
    """Finds the children of each computation; returns those that are in none. The keys are hashes of first results."""
    outermost: list[Planned] = []
    for each in found:
        holder = each.op.parent.operation
        while (name := holder.name) != _COMPUTATION and name != "builtin.module":
            holder = holder.parent.operation
        siblings = outermost if name != _COMPUTATION else by_result[hash(holder.results[0])].children
        siblings.append(each)
    return outermost


class _Reader:
    """Reads the shardings of computations.

    `of_owner` has those of arguments and results that have been read, by hash; `with_edges` the hashes of owners that
    have an edge.
    """

    def __init__(self) -> None:
        self.of_owner: dict[int, TensorSharding | None] = {}
        self.with_edges: set[int] = set()

    def shardings(self, op: ir.Operation) -> tuple[Shardings, Shardings]:
        flow = interface(op)
        assert flow is not None
        arguments, results = flow.block_arg_owners(), flow.result_owners()
        inside = self._on_edges(arguments, flow.block_arg_shardings)
        return inside, self._on_edges(results, flow.result_shardings)

    def _on_edges(self, owners: Sequence[ir.Value], stored: Callable[[], Shardings]) -> Shardings:
        found = []
        hashes = [hash(owner) for owner in owners]
        for owner, key in zip(owners, hashes, strict=True):
            edge = edge_of_owner(owner)
            found.append(sharding_of_edge(edge))
            if edge is not None:
                self.with_edges.add(key)
        shardings = filled_shardings(owners, found)
        if shardings is None:
            shardings = stored()
        self.of_owner.update(zip(hashes, found if shardings is None else shardings, strict=True))
        return shardings


_NOTHING = 0
"""The number of shardings that are not there."""


class _Keys:
    """What computations agree in whose functions are merged: name, and shardings of arguments and results."""

    def __init__(self, module: ir.Operation, reader: _Reader) -> None:
        self._meshes = MeshTable(module)
        self._reader = reader
        self._names: dict[int, str] = {}
        """By the hash of the attribute, which is its address."""
        self._filled: dict[Hashable, int] = {}
        self._numbers: dict[Hashable, int] = {None: _NOTHING}

    def name(self, op: ir.Operation) -> str:
        attr = op.attributes["name"]
        name = self._names.get(hash(attr))
        if name is None:
            name = self._names[hash(attr)] = text_of(attr)
        return name

    def of(self, each: Planned) -> Hashable:
        block = each.op.regions[0].blocks[0]
        returned = list(terminator(block).operands)
        arguments = _NOTHING if each.in_shardings is None else self._fill(each.in_shardings, block.arguments)
        return self.name(each.op), arguments, self._fill([self._sharding(value) for value in returned], returned)

    def _fill(self, shardings: Sequence[TensorSharding | None], values: Sequence[ir.Value]) -> int:
        """A number for the shardings as `sdy.dialect.values.filled_arg_shardings` has them."""
        key = tuple(shardings)
        if not all(shardings):
            key += tuple([rank(value.type) for value in values])
        number = self._filled.get(key)
        if number is None:
            mesh = self._meshes.first_non_maximal(shardings)
            pairs = zip(shardings, values, strict=True)
            filled = None if mesh is None else tuple(given or open_like(mesh, to.type) for given, to in pairs)
            number = self._filled[key] = self._numbers.setdefault(filled, len(self._numbers))
        return number

    def _sharding(self, returned: ir.Value) -> TensorSharding | None:
        """What `sdy-propagate-to-func-results` will find, when the edges of the computations are gone."""
        known, value = self._reader.of_owner, hash(returned)
        if value not in known and isinstance(returned, ir.OpResult):
            op = returned.owner.operation
            if op.name == EDGE and (source := hash(op.operands[0])) in self._reader.with_edges:
                value = source
        sharding = known[value] if value in known else get_sharding(returned)
        return None if sharding is not None and self._meshes.is_on_single_device(sharding) else sharding
