"""sdy-import-func-calls: replaces each call by a named computation that holds the body of the callee.

    %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
==> %0 = sdy.named_computation<"f">(%arg0) (%arg1: tensor<8xf32>) {
      %2 = sdy.data_flow_edge %arg1 : tensor<8xf32>
      sdy.return %2 : tensor<8xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    %1 = sdy.data_flow_edge %0 : tensor<8xf32>
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sdy.dialect import builders
from sdy.dialect.data_flow import DataFlowOp, edge_of_owner, interface
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import filled_arg_shardings
from sdy.mlir import address, ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import CallGraph, ModuleSymbols, body, callee_name, original_name, symbol_name
from sdy.mlir.rewriting.insertion import terminator
from sdy.mlir.search import ops_named
from sdy.mlir.warn_once import warn_once
from sdy.passes import analyses
from sdy.passes.clones import ClonedComputations, ClonedShare
from sdy.passes.importing.cloned_functions import is_cloned_alike_when_finished
from sdy.passes.importing.data_flow_edges import add_argument_edges, add_edges, add_result_edges
from sdy.passes.options import option
from sdy.passes.registry import Parts, pass_, shortcut, step

_COMPUTATION = "sdy.named_computation"
_EXECUTION_THREAD = "execution_thread"
_OF_A_CALL = frozenset({"callee", "no_inline", "arg_attrs", "res_attrs", SHARDING})


@dataclass(frozen=True)
class Options:
    add_data_flow_edges_on_named_computations: bool = option(True, "insert data-flow edges on all named computations")


@pass_("sdy-import-func-calls", on="builtin.module", options=Options)
def import_func_calls(module: ir.Operation, options: Options) -> None:
    """Spec: import-passes, 5.3.

    Raises `DiagnosticError` at a recursive call, at one of a function whose body is not one block, and where copies of
    bodies would be too many.
    """
    graph = CallGraph(module)
    graph.check_acyclic()
    graph.check_growth()
    # Computations of the program itself got their edges from sdy-add-data-flow-edges.
    may_have_edges = bool(ops_named(module, _COMPUTATION))
    importer = _CallImporter(module)
    for call in graph.all_calls():
        importer.import_call(call)
    importer.erase_callees()
    if options.add_data_flow_edges_on_named_computations:
        for op in ops_named(module, _COMPUTATION):
            flow = _flow(op)
            if not (may_have_edges and _has_edges(flow)):
                add_edges(flow)


@shortcut(
    step("sdy-flatten-call-graph"),
    step("symbol-dce"),
    step("sdy-add-func-data-flow-edges"),
    step("sdy-apply-sharding-constraints", debug_sharding_origins=False, debug_propagation_edge_sharding=False),
    step("sdy-sink-func-data-flow-edges", on_func=True),
    step("sdy-sharding-group-import"),
    step("sdy-import-func-calls", add_data_flow_edges_on_named_computations=True),
)
def _import_finished_bodies(module: ir.Operation, parts: Parts) -> bool:
    """Clones functions not before they are finished computations, with all that they call, edges included."""
    if not is_cloned_alike_when_finished(module):
        return False
    for part in parts[1:-1]:
        part()
    graph = CallGraph(module)
    graph.check_growth()
    importer = _CallImporter(module, finish=lambda func: _finish(computations.pop(symbol_name(func))))
    computations: dict[str, list[ir.Operation]] = {}
    share = ClonedShare()
    for func in graph.callee_first:
        name = symbol_name(func)
        calls = graph.calls[name]
        share.add(name, sum(len(block.operations) for block in func.regions[0].blocks), [*map(callee_name, calls)])
        computations[name] = [importer.import_call(call) for call in calls]
    importer.erase_callees()
    for left in computations.values():
        _finish(left)
    # What reads clones from what they are clones of goes through everything once more.
    if share.is_large:
        analyses.leave(ClonedComputations(importer.kinds))
    return True


def _finish(computations: Iterable[ir.Operation]) -> None:
    """Adds the edges that belong to where computations stand, not to them."""
    for computation in computations:
        add_result_edges(_flow(computation))


def _flow(computation: ir.Operation) -> DataFlowOp:
    flow = interface(computation)
    assert flow is not None
    return flow


def _has_edges(flow: DataFlowOp) -> bool:
    return any(edge_of_owner(owner) is not None for owner in [*flow.block_arg_owners(), *flow.result_owners()])


@dataclass(slots=True)
class _Imported:
    """A function that was called, the computation that got its body, and what its attributes are at every call."""

    func: ir.Operation
    computation: ir.Operation
    attributes: dict[str, ir.Attribute]
    number: int


class _CallImporter:
    """Replaces calls by computations.

    With `finish`, which adds what is missing in the body of a function that a computation has taken, its arguments get
    their edges, too, before it is cloned; and nothing is said of clones.
    """

    def __init__(self, module: ir.Operation, finish: Callable[[ir.Operation], None] | None = None) -> None:
        self._finish = finish
        self._symbols = ModuleSymbols(module)
        self._meshes = MeshTable(module)
        self._imported: dict[str, _Imported] = {}
        self.kinds: dict[int, int] = {}
        """As `ClonedComputations` has them."""

    def import_call(self, call: ir.Operation) -> ir.Operation:
        """Puts a computation, which is returned, in the place of `call`."""
        name = callee_name(call)
        imported = self._imported.get(name)
        if imported is None:
            computation = self._import_first(call, name)
        else:
            if self._finish is None:
                _warn(call, name)
            computation = imported.computation.clone(ip=ir.InsertionPoint(call)).operation
            for index, operand in enumerate(call.operands):
                computation.operands[index] = operand
            computation.location = call.location
            _set_attributes(computation, call, imported)
        for old, new in zip(call.results, computation.results, strict=True):
            old.replace_all_uses_with(new)
        call.erase()
        if len(computation.results):
            self.kinds[address(computation.results[0])] = self._imported[name].number
        return computation

    def erase_callees(self) -> None:
        for imported in self._imported.values():
            self._symbols.erase(imported.func)

    def _import_first(self, call: ir.Operation, name: str) -> ir.Operation:
        """A computation in front of `call` that takes the body of the function `name` away."""
        func = self._symbols.callee(call)
        if len(func.regions[0].blocks) != 1:
            raise DiagnosticError(call, f"calls '{name}', which has no body of one block to import")
        computation = builders.named_computation(
            original_name(func),
            list(call.operands),
            [result.type for result in call.results],
            filled_arg_shardings(func, self._meshes),
            loc=call.location,
            ip=ir.InsertionPoint(call),
        ).operation
        region = computation.regions[0]
        empty = region.blocks[0]
        body(func).append_to(region)
        empty.append_to(func.regions[0])
        _to_sdy_return(computation)
        stored = computation.attributes
        imported = _Imported(func, computation, dict(stored.items()), len(self._imported))
        _set_attributes(computation, call, imported)
        self._imported[name] = imported
        if self._finish is not None:
            self._finish(func)
            add_argument_edges(_flow(computation))
        return computation


def _warn(call: ir.Operation, name: str) -> None:
    message = f"@{name} is called from several places, each of which gets a copy of its body"
    warn_once("cloned function", call.location, message)


def _to_sdy_return(computation: ir.Operation) -> None:
    block = computation.regions[0].blocks[0]
    old = terminator(block)
    builders.return_(list(old.operands), loc=old.location, ip=ir.InsertionPoint(old))
    old.erase()


def _set_attributes(computation: ir.Operation, call: ir.Operation, imported: _Imported) -> None:
    """All attributes of the computation that takes the place of `call`; the callee's thread wins over the call's."""
    of_call = dict(call.attributes.items())
    new = {name: attr for name, attr in of_call.items() if name not in _OF_A_CALL}
    if SHARDING in of_call:
        new["out_shardings"] = of_call[SHARDING]
    new |= imported.attributes
    if _EXECUTION_THREAD in imported.func.attributes:
        new[_EXECUTION_THREAD] = imported.func.attributes[_EXECUTION_THREAD]
    stored = computation.attributes
    old = dict(stored.items())
    for name in old:
        if name not in new:
            del stored[name]
    for name, attr in new.items():
        if name not in old or old[name] != attr:
            stored[name] = attr
