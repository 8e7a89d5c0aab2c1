"""sdy-export-named-computations: Outline named computations into functions and calls.

    %0 = sdy.named_computation<"g">(%arg0) (%arg1: tensor<8xf32>) {
      sdy.return %arg1 : tensor<8xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
==> %0 = call @g(%arg0) : (tensor<8xf32>) -> tensor<8xf32>

    func.func private @g(%arg0: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "g"} {
      return %arg0 : tensor<8xf32>
    }
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import field

from sdy.dialect.data_flow import EDGE, edge_of_owner, erase_edges, filled_shardings, interface, sharding_of_edge
from sdy.dialect.definition.attributes import SHARDING, attr_of, text_of
from sdy.dialect.shardings.attribute_shardings import open_like, set_op_shardings
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import address, ir
from sdy.mlir.functions import ARGUMENTS, ORIGINAL_NAME, ModuleSymbols, new_function, put_entries, return_instead
from sdy.mlir.rewriting import before, replace, terminator
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_, step
from sdy.passes.steps import are_next

COMPUTATION = "sdy.named_computation"

Shardings = Sequence[TensorSharding] | None


@dataclass(slots=True)
class Computation:
    """A named computation with the shardings of its arguments and results, those on edges first.

    `holder` is the position of the enclosing computation, -1 if there is none. `returned` are the shardings of the
    values that its body returns, once the edges of all computations are gone.
    """

    op: ir.Operation
    name: str
    holder: int
    in_shardings: Shardings
    out_shardings: Shardings
    returned: tuple[TensorSharding | None, ...] = ()


def computations_in(module: ir.Operation) -> list[Computation] | None:
    """Return the computations, inner ones first.

    None if there are other calls or modules, or computations without results.
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
    """Return the position, by the address of its first result, of the computation around `op`; -1 if there is none."""
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


@dataclass(slots=True)
class PlannedComputation:
    """A computation, and its plan.

    `name` is that of its function, which exists if it `is_kept`. If it `is_called`, a call of `callee` replaces it;
    otherwise it is erased with the computation around it.
    """

    computation: Computation
    name: str
    callee: str = ""
    is_kept: bool = False
    is_called: bool = False
    children: list[int] = field(default_factory=list)
    """The positions of the computations directly in its body, in order."""


def plan_of_computations(
    module: ir.Operation, computations: Sequence[Computation], symbols: ModuleSymbols
) -> list[PlannedComputation]:
    """Plan the function of each computation, given the names of all candidates."""
    keys = _ComputationKeys(module)
    key_of = [keys.of(each) for each in computations]
    found = [PlannedComputation(each, symbols.reserve(each.name)) for each in computations]
    outermost: list[int] = []
    for position, each in enumerate(computations):
        siblings = outermost if each.holder < 0 else found[each.holder].children
        siblings.append(position)
    # Functions come in the order of `found`, behind what calls the outermost ones.
    chosen: dict[Hashable, PlannedComputation] = {}
    for siblings in (outermost, *(caller.children for caller in found)):
        for position in siblings:
            chosen.setdefault(key_of[position], found[position])
    pending = [outermost]
    while pending:
        for position in pending.pop():
            each, target = found[position], chosen[key_of[position]]
            each.is_called, each.callee = True, target.name
            if not target.is_kept:
                target.is_kept = True
                pending.append(target.children)
    return found


_NOTHING = 0
"""The number of shardings that are not there."""


class _ComputationKeys:
    """Keys of computations with one function: name, shardings of arguments and results.

    Two computations have the same key if `sdy.dialect.shardings.value_shardings.filled_arg_shardings` and
    `filled_result_shardings` agree for their functions.
    """

    def __init__(self, module: ir.Operation) -> None:
        self._meshes = MeshTable(module)
        self._arguments: dict[Hashable, int] = {}
        self._returned: dict[Hashable, int] = {}
        self._numbers: dict[Hashable, int] = {None: _NOTHING}

    def of(self, each: Computation) -> Hashable:
        return each.name, self._of_arguments(each), self._of_returned(each)

    def _of_arguments(self, each: Computation) -> int:
        if each.in_shardings is None:
            return _NOTHING
        key = tuple(each.in_shardings)
        number = self._arguments.get(key)
        if number is None:
            number = self._arguments[key] = self._fill(key, list)
        return number

    def _of_returned(self, each: Computation) -> int:
        number = self._returned.get(each.returned)
        if number is not None:
            return number
        # No function may return a value on a single device; `sdy-propagate-to-func-results` leaves it open.
        shardings = [None if self._meshes.is_on_single_device(sharding) else sharding for sharding in each.returned]
        number = self._fill(shardings, lambda: [value.type for value in terminator(_block(each.op)).operands])
        if number == _NOTHING or all(shardings):
            self._returned[each.returned] = number
        return number

    def _fill(self, shardings: Sequence[TensorSharding | None], types: Callable[[], Sequence[ir.Type]]) -> int:
        """Return a number for the shardings; missing ones are fully open on the mesh of the others."""
        mesh = self._meshes.first_non_maximal(shardings)
        if mesh is None:
            return _NOTHING
        if not all(shardings):
            pairs = zip(shardings, types(), strict=True)
            shardings = [given or open_like(mesh, type_) for given, type_ in pairs]
        return self._numbers.setdefault(tuple(shardings), len(self._numbers))


def _block(op: ir.Operation) -> ir.Block:
    return op.regions[0].blocks[0]


_MERGING = (step("sdy-propagate-to-func-results"), step("sdy-unflatten-call-graph"), step("symbol-dce"))
"""Passes that merge functions and drop the others."""

_THREAD = "execution_thread"
_INHERENT = ("name", "in_shardings", "out_shardings", _THREAD)


@pass_("sdy-export-named-computations")
def export_named_computations(module: ir.Operation) -> None:
    """Move every named computation to a private function at the end of the module (spec: export-passes, 4.1)."""
    if are_next(*_MERGING) and _export_different_ones(module):
        return
    symbols = ModuleSymbols(module)
    calls = [_export(op, symbols) for op in ops_named(module, "sdy.named_computation")]
    for call in calls:
        erase_edges(call.results)


def _export(op: ir.Operation, symbols: ModuleSymbols) -> ir.Operation:
    """Replaces the computation by a call of a new function, which is returned."""
    in_shardings, out_shardings = _ComputationReader().shardings(op)
    return _call(op, symbols.insert(_take_body(op, in_shardings)), out_shardings)


def _export_different_ones(module: ir.Operation) -> bool:
    """Exports computations, except those that `sdy-unflatten-call-graph` would merge with an earlier one.

    Returns whether it knew how; if not, it has left the module as it was. Without it propagating and partitioning
    transformer_24_functions takes 10 to 15 % longer.
    """
    computations = computations_in(module)
    if not computations:
        return False
    symbols = ModuleSymbols(module)
    calls: list[ir.Operation] = []
    for each in plan_of_computations(module, computations, symbols):
        computation = each.computation
        if each.is_kept:
            func = _take_body(computation.op, computation.in_shardings)
            func.attributes["sym_name"] = ir.StringAttr.get(each.name)
            symbols.insert_reserved(func)
        if each.is_called:
            calls.append(_call(computation.op, each.callee, computation.out_shardings))
    for call in calls:
        erase_edges(call.results)
    return True


def _take_body(op: ir.Operation, in_shardings: Sequence[TensorSharding] | None) -> ir.Operation:
    """A function, not in the module yet, that gets the body of a computation."""
    block = op.regions[0].blocks[0]
    erase_edges(block.arguments)
    func = _function(op, in_shardings)
    block.append_to(func.regions[0])
    return_instead(block, name="func.return")
    return func


def _function(op: ir.Operation, in_shardings: Sequence[TensorSharding] | None) -> ir.Operation:
    """A private function, without a body and not in the module yet, named after the computation."""
    name = op.attributes["name"]
    arguments = [argument.type for argument in op.regions[0].blocks[0].arguments]
    attributes = {ORIGINAL_NAME: name} | {key: op.attributes[key] for key in (_THREAD,) if key in op.attributes}
    types = [result.type for result in op.results]
    made = new_function(text_of(name), arguments, types, attributes, is_private=True, loc=op.location, ip=False)
    if in_shardings is not None:
        put_entries(made, ARGUMENTS, [{SHARDING: attr_of(sharding)} for sharding in in_shardings])
    return made


def _call(op: ir.Operation, callee: str, out_shardings: Sequence[TensorSharding] | None) -> ir.Operation:
    """Replaces the computation `op`, whose body is gone, by a call."""
    attributes = {name: attr for name, attr in op.attributes.items() if name not in _INHERENT}
    call = ir.Operation.create(
        "func.call",
        results=[result.type for result in op.results],
        operands=list(op.operands),
        attributes={"callee": ir.FlatSymbolRefAttr.get(callee), **attributes},
        loc=op.location,
        ip=before(op),
    )
    if out_shardings is not None:
        set_op_shardings(call, out_shardings)
    replace(op, list(call.results))
    return call
