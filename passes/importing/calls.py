"""Import of functions, calls and named computations for propagation, and of their data-flow edges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count
from typing import TypeVar

from sdy.dialect import builders
from sdy.dialect.data_flow import DataFlowOp, data_flow_ops, edge_of_owner, interface
from sdy.dialect.definition.attributes import SHARDING
from sdy.dialect.mpmd.declarations import sharded_type
from sdy.dialect.op_properties import is_static_shaped
from sdy.dialect.shardings.attribute_shardings import arg_shardings, op_shardings, set_op_shardings
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import filled_arg_shardings, filled_result_shardings
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, warn_once
from sdy.mlir.functions import (
    CallGraph,
    ModuleSymbols,
    body,
    callee_name,
    calls_in,
    clone_recursively,
    funcs,
    funcs_in_modules,
    has_body,
    main_function,
    module_body,
    original_name,
    set_callee,
    symbol_name,
    top_level,
)
from sdy.mlir.rewriting import replace, terminator
from sdy.mlir.search import ops_named
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_, step
from sdy.passes.steps import are_next, has_run


def add_edges(flow: DataFlowOp) -> None:
    """Add an edge per owner of static shape with the op's sharding: arguments first, then results.

    Argument edges stand at the start of their block, result edges behind the op. All other uses of an owner go to its
    edge (spec: import-passes, 4.7).
    """
    _add_argument_edges(flow)
    _add_result_edges(flow)


def _add_argument_edges(flow: DataFlowOp) -> None:
    by_block: dict[ir.Block, ir.InsertionPoint] = {}
    for argument, sharding in _owners(flow.block_arg_owners(), flow.block_arg_shardings()):
        block = argument.owner
        if block not in by_block:
            by_block[block] = ir.InsertionPoint.at_block_begin(block)
        _add_edge(argument, sharding, by_block[block])


def _add_result_edges(flow: DataFlowOp) -> None:
    behind = ir.InsertionPoint.after(flow.op)
    for result, sharding in _owners(flow.result_owners(), flow.result_shardings()):
        _add_edge(result, sharding, behind)


_Owner = TypeVar("_Owner", bound=ir.Value)


def _owners(
    owners: Sequence[_Owner], shardings: Sequence[TensorSharding] | None
) -> list[tuple[_Owner, TensorSharding | None]]:
    """The owners that get an edge, with their shardings."""
    listed = [None] * len(owners) if shardings is None else shardings
    pairs = zip(owners, listed, strict=True)
    return [(owner, sharding) for owner, sharding in pairs if is_static_shaped(sharded_type(owner.type))]


def _add_edge(owner: ir.Value, sharding: TensorSharding | None, ip: ir.InsertionPoint) -> None:
    edge = builders.data_flow_edge(owner, sharding, loc=owner.location, ip=ip)
    owner.replace_all_uses_except(edge, [edge.owner.operation])


@pass_("sdy-propagate-sharding-from-func-to-call", on="builtin.module")
def propagate_sharding_from_func_to_call(module: ir.Operation) -> None:
    """sdy-propagate-sharding-from-func-to-call: Give calls without shardings the result shardings of the callee.

        %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
        func.func private @f(tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>})
    ==> %0 = call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>}
            : (tensor<8xf32>) -> tensor<8xf32>

    Spec: import-passes, 4.3.
    """
    symbols, meshes = ModuleSymbols(module), MeshTable(module)
    of_function: dict[str, list[TensorSharding] | None] = {}
    for call in calls_in(module):
        if SHARDING in call.attributes:
            continue
        callee = symbols.callee(call)
        name = symbol_name(callee)
        if name not in of_function:
            of_function[name] = filled_result_shardings(callee, meshes)
        if of_function[name] is not None:
            set_op_shardings(call, of_function[name])


@pass_("sdy-distinguish-named-computations")
def distinguish_named_computations(module: ir.Operation) -> None:
    """sdy-distinguish-named-computations: Give each named computation a unique name.

        %0 = sdy.named_computation<"f">(%arg0) ...
        %1 = sdy.named_computation<"f">(%0) ...
    ==> %0 = sdy.named_computation<"f">(%arg0) ...
        %1 = sdy.named_computation<"f_0">(%0) ...

    Calls become named computations for propagation and calls again behind it. Then computations with the same function
    name and shardings count as copies and are merged; computations of the program itself may differ.
    """
    computations = ops_named(module, "sdy.named_computation")
    if not computations:
        return
    taken = {symbol_name(func) for func in funcs(module)}
    for op in computations:
        name = ir.StringAttr(op.attributes["name"]).value
        if name in taken:
            name = next(other for other in (f"{name}_{number}" for number in count()) if other not in taken)
            op.attributes["name"] = ir.StringAttr.get(name)
        taken.add(name)


@pass_("sdy-add-data-flow-edges", on="builtin.module")
def add_data_flow_edges(module: ir.Operation) -> None:
    """sdy-add-data-flow-edges: Insert an sdy.data_flow_edge for each group of values that hold the same tensor.

        %0 = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
        return %0 : tensor<8xf32>
    ==> %0 = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
        %1 = sdy.data_flow_edge %0 : tensor<8xf32>
        return %1 : tensor<8xf32>

    Spec: import-passes, 4.7. No owner may have an edge yet.
    """
    for flow in data_flow_ops(module):
        add_edges(flow)


@pass_("sdy-add-func-data-flow-edges", on="builtin.module")
def add_func_data_flow_edges(module: ir.Operation) -> None:
    """sdy-add-func-data-flow-edges: Insert an sdy.func_data_flow_edge for each function argument and call result.

        %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
        return %0 : tensor<8xf32>
    ==> %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
        %1 = sdy.func_data_flow_edge %0 : tensor<8xf32>
        return %1 : tensor<8xf32>

    Spec: import-passes, 5.2. Arguments of the main function get no edges.
    """
    main = main_function(module)
    for func in ops_named(module, "func.func"):  # those of nested modules, too
        if func != main and has_body(func):
            block = body(func)
            _add_edges(list(block.arguments), arg_shardings(func), ir.InsertionPoint.at_block_begin(block))
    for call in calls_in(module):
        results = list(call.results)
        if results:
            _add_edges(results, op_shardings(call) or [None] * len(results), ir.InsertionPoint.after(call))


def _add_edges(values: Sequence[ir.Value], shardings: Sequence[TensorSharding | None], ip: ir.InsertionPoint) -> None:
    for value, sharding in zip(values, shardings, strict=True):
        if is_static_shaped(sharded_type(value.type)):
            edge = builders.func_data_flow_edge(value, loc=value.location, ip=ip)
            op = edge.owner.operation
            value.replace_all_uses_except(edge, [op])
            if sharding is not None:
                set_op_shardings(op, [sharding])


_FLATTEN = "sdy-flatten-call-graph"
_CLEANUP = step("symbol-dce")
_UNTIL_CALLS_ARE_IMPORTED = (
    step("sdy-add-func-data-flow-edges"),
    step("sdy-apply-sharding-constraints", debug_sharding_origins=False, debug_propagation_edge_sharding=False),
    step("sdy-sink-func-data-flow-edges", on_func=True),
    step("sdy-sharding-group-import"),
    step("sdy-import-func-calls", add_data_flow_edges_on_named_computations=True),
)
"""Steps behind which it does not show whether functions were cloned before them or by the last of them."""


@pass_(_FLATTEN, on="builtin.module")
def flatten_call_graph(module: ir.Operation) -> object:
    """sdy-flatten-call-graph: Clone functions until each is called at most once.

        func.func @main() { call @f() : () -> ()  call @f() : () -> ()  return }
    ==> func.func @main() { call @f() : () -> ()  call @f_0() : () -> ()  return }
        func.func private @f_0() attributes {sdy.original_func_name = "f"} { ... }

    Spec: import-passes, 5.1. Raises `DiagnosticError` at a recursive call, and where clones would be too many.
    """
    graph = CallGraph(module)
    graph.check_acyclic()
    graph.check_growth()
    until_imported = any(are_next(*first, *_UNTIL_CALLS_ARE_IMPORTED) for first in ((), (_CLEANUP,)))
    if until_imported and is_cloned_alike_when_imported(module, graph):
        return UNCHANGED
    symbols = ModuleSymbols(module)
    called: set[str] = set()
    for call in graph.all_calls():
        name = callee_name(call)
        if name in called:
            set_callee(call, symbols.insert(clone_recursively(symbols.callee(call), symbols)))
        called.add(name)
    return None


_COMPUTATIONS = ("sdy.named_computation", "sdy.func_data_flow_edge")
_DEMANDS = ("sdy.sharding_constraint", "sdy.manual_computation", "sdy.sharding_group")
_OF_COMPUTATIONS = ("name", "in_shardings", "out_shardings")


def is_cloned_alike_when_imported(module: ir.Operation, graph: CallGraph) -> bool:
    """Return whether functions may be cloned as finished computations, instead of before the passes that finish them.

    Each pass then works on a function once, not on all clones of it: see benchmarks/README.md, "Faster paths". A clone
    lists the uses of a value backwards. Edges on arguments and results, and computations in place of calls, change that
    order unless there is one use. Constraints and groups move shardings between values: functions that contain them are
    cloned first.
    """
    cloned = _cloned(graph) if _is_closed(module, graph) else set()
    if not cloned or ops_named(module, *_COMPUTATIONS):
        return False
    return all(_is_cloned_alike(func, graph) for func in graph.callee_first if symbol_name(func) in cloned)


def _is_closed(module: ir.Operation, graph: CallGraph) -> bool:
    """Return whether the module has all called functions and no nested module, and calls all removable functions."""
    if any(op.name == "builtin.module" for op in top_level(module)):
        return False
    called = {callee_name(call) for call in graph.all_calls()}
    removable = {symbol_name(func) for func in graph.callee_first if _is_hidden(func)}
    return removable <= called <= set(graph.calls)


def _is_hidden(func: ir.Operation) -> bool:
    """Return whether `symbol-dce` removes `func` if nothing calls it."""
    return "sym_visibility" in func.attributes and func.attributes["sym_visibility"].value != "public"


def _cloned(graph: CallGraph) -> set[str]:
    """Clone functions that several calls share, and the functions that they call."""
    counts = Counter(callee_name(call) for call in graph.all_calls())
    found = {name for name, count in counts.items() if count > 1}
    pending = list(found)
    while pending:
        callees = {callee_name(call) for call in graph.calls[pending.pop()]}
        pending += callees - found
        found |= callees
    return found


def _is_cloned_alike(func: ir.Operation, graph: CallGraph) -> bool:
    if len(func.regions[0].blocks) != 1 or ops_named(func, *_DEMANDS):
        return False
    values = list(body(func).arguments)
    for call in graph.calls[symbol_name(func)]:
        if any(name in call.attributes for name in _OF_COMPUTATIONS):
            return False
        values += [*call.operands, *call.results]
    return not any(_has_several_uses(value) for value in values)


def _has_several_uses(value: ir.Value) -> bool:
    uses = value.uses
    return next(uses, None) is not None and next(uses, None) is not None


_COMPUTATION = "sdy.named_computation"
_EXECUTION_THREAD = "execution_thread"
_OF_A_CALL = frozenset({"callee", "no_inline", "arg_attrs", "res_attrs", SHARDING})


@dataclass(frozen=True)
class ImportFuncCallsOptions:
    add_data_flow_edges_on_named_computations: bool = option(True, "insert data-flow edges on all named computations")


@pass_("sdy-import-func-calls", on="builtin.module", options=ImportFuncCallsOptions)
def import_func_calls(module: ir.Operation, options: ImportFuncCallsOptions) -> None:
    """sdy-import-func-calls: Replace each call by a named computation with the body of the callee.

        %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    ==> %0 = sdy.named_computation<"f">(%arg0) (%arg1: tensor<8xf32>) {
          %2 = sdy.data_flow_edge %arg1 : tensor<8xf32>
          sdy.return %2 : tensor<8xf32>
        } : (tensor<8xf32>) -> tensor<8xf32>
        %1 = sdy.data_flow_edge %0 : tensor<8xf32>

    Spec: import-passes, 5.3.

    Raises `DiagnosticError` at a recursive call, at one of a function whose body is not one block, and where copies of
    bodies would be too many.
    """
    graph = CallGraph(module)
    graph.check_acyclic()
    graph.check_growth()
    names = [callee_name(call) for call in graph.all_calls()]
    importer = _CallImporter(module)
    if has_run(_FLATTEN) and len(set(names)) < len(names):
        _import_finished(importer, graph)
        return
    # Computations of the program itself got their edges from sdy-add-data-flow-edges.
    may_have_edges = bool(ops_named(module, _COMPUTATION))
    called: set[str] = set()
    for call, name in zip(graph.all_calls(), names, strict=True):
        if name in called:
            _warn(call, name)
        called.add(name)
        importer.import_call(call)
    importer.erase_callees()
    if options.add_data_flow_edges_on_named_computations:
        for op in ops_named(module, _COMPUTATION):
            flow = _flow(op)
            if not (may_have_edges and _has_edges(flow)):
                add_edges(flow)


def _import_finished(importer: _CallImporter, graph: CallGraph) -> None:
    """Import calls of the callees first, so that a computation is cloned with the edges in it."""
    cloned: set[str] = set()
    for func in graph.callee_first:
        computations: list[ir.Operation] = []
        for call in graph.calls[symbol_name(func)]:
            name = callee_name(call)
            computations.append(importer.import_call(call))
            if name not in cloned:
                cloned.add(name)
                _add_argument_edges(_flow(computations[-1]))
        for computation in computations:
            _add_result_edges(_flow(computation))
    importer.erase_callees()


def _flow(computation: ir.Operation) -> DataFlowOp:
    flow = interface(computation)
    assert flow is not None
    return flow


def _has_edges(flow: DataFlowOp) -> bool:
    return any(edge_of_owner(owner) is not None for owner in [*flow.block_arg_owners(), *flow.result_owners()])


@dataclass(slots=True)
class _Imported:
    """An imported function, the computation that got its body, and its attributes at every call."""

    func: ir.Operation
    computation: ir.Operation
    attributes: dict[str, ir.Attribute]


class _CallImporter:
    """Replaces calls by computations."""

    def __init__(self, module: ir.Operation) -> None:
        self._symbols = ModuleSymbols(module)
        self._meshes = MeshTable(module)
        self._imported: dict[str, _Imported] = {}

    def import_call(self, call: ir.Operation) -> ir.Operation:
        """Replace a call by a computation and return that."""
        name = callee_name(call)
        imported = self._imported.get(name)
        if imported is None:
            computation = self._import_first(call, name)
        else:
            computation = imported.computation.clone(ip=ir.InsertionPoint(call)).operation
            for index, operand in enumerate(call.operands):
                computation.operands[index] = operand
            computation.location = call.location
            _set_attributes(computation, call, imported)
        replace(call, list(computation.results))
        return computation

    def erase_callees(self) -> None:
        for imported in self._imported.values():
            self._symbols.erase(imported.func)

    def _import_first(self, call: ir.Operation, name: str) -> ir.Operation:
        """Make a computation in front of `call` with the body of the function `name`, which becomes empty."""
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
        imported = _Imported(func, computation, dict(stored.items()))
        _set_attributes(computation, call, imported)
        self._imported[name] = imported
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
    """Set the attributes of the computation that replaces `call`; the callee's thread has precedence."""
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


@pass_("sdy-pre-order-funcs", on="builtin.module")
def pre_order_funcs(module: ir.Operation) -> None:
    """sdy-pre-order-funcs: Put callers before callees.

        func.func private @f() { return }
        func.func @main() { call @f() : () -> ()  return }
    ==> func.func @main() { call @f() : () -> ()  return }
        func.func private @f() { return }

    Functions of a module in the module are moved out of it.

    Spec: import-passes, 5.4. Everything except functions with a body moves to the front.

    Raises `DiagnosticError` at a function that has the name of another one, in another module.
    """
    _check_names(module)
    block = module_body(module)
    for func in CallGraph(module, nested=True).caller_first:
        block.append(func)


def _check_names(module: ir.Operation) -> None:
    taken = {symbol_name(op) for op in top_level(module) if "sym_name" in op.attributes}
    for func in funcs_in_modules(module):
        if func.parent.operation == module or not has_body(func):
            continue
        name = symbol_name(func)
        if name in taken:
            raise DiagnosticError(func, f"cannot be moved out of its module, where there is another '{name}'")
        taken.add(name)
