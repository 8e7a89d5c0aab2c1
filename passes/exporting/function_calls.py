"""Calls and their functions behind propagation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from sdy.dialect import builders
from sdy.dialect.shardings.attribute_shardings import (
    op_shardings,
    result_sharding,
    result_shardings,
    set_op_shardings,
    set_result_sharding,
)
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import filled_arg_shardings, filled_result_shardings, get_sharding
from sdy.dialect.values.sharding import TensorSharding, is_equivalent
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.functions import (
    ORIGINAL_NAME,
    ModuleSymbols,
    calls_in,
    funcs,
    has_body,
    is_return,
    main_function,
    original_name,
    set_callee,
    symbol_name,
)
from sdy.mlir.rewriting import after, redirect_other_uses, terminator
from sdy.mlir.search import ops_named
from sdy.passes.options import option
from sdy.passes.registry import pass_


@pass_("sdy-propagate-to-func-results")
def propagate_to_func_results(module: ir.Operation) -> None:
    """sdy-propagate-to-func-results: Give function results the shardings of the returned values.

        func.func private @g(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
          return %arg0 : tensor<8xf32>
        }
    ==> func.func private @g(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
            -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
          return %arg0 : tensor<8xf32>
        }

    Spec: export-passes, 4.3. The main function keeps the result shardings that it has.

    A value on a single device counts as unsharded, because no function may return it.
    """
    defined = [func for func in funcs(module) if has_body(func)]
    if not defined:
        return
    main = main_function(module)
    meshes = MeshTable(module)
    for func in defined:
        returned = _returned_shardings(func, meshes)[: len(result_shardings(func))]
        for index, sharding in enumerate(returned):
            if func != main or (sharding is not None and result_sharding(func, index) is None):
                set_result_sharding(func, index, sharding)


def _returned_shardings(func: ir.Operation, meshes: MeshTable) -> list[TensorSharding | None]:
    """Return the shardings of the values that `func` returns.

    Returns none for a result whose returns have different shardings.
    """
    terminators = [terminator(block) for block in func.regions[0].blocks]
    returned = [[_sharding(value, meshes) for value in last.operands] for last in terminators if is_return(last)]
    # Only an op of an unknown dialect may return more or fewer values than the function.
    return [each[0] if each.count(each[0]) == len(each) else None for each in zip(*returned, strict=False)]


def _sharding(value: ir.Value, meshes: MeshTable) -> TensorSharding | None:
    sharding = get_sharding(value)
    mesh = None if sharding is None else meshes.of(sharding)
    return None if mesh is not None and mesh.is_maximal else sharding


_MANUAL_AXES = "sdy.func_manual_axes"


@dataclass(frozen=True)
class Options:
    dedup_functions_fully: bool = option(
        False, "ignore shardings when deciding whether two functions are the same; the most called one wins"
    )


@dataclass(frozen=True, slots=True)
class _FunctionKeys:
    """Keys of equal functions, without and with shardings."""

    short: Hashable
    full: Hashable


@pass_("sdy-unflatten-call-graph", options=Options)
def unflatten_call_graph(module: ir.Operation, options: Options) -> None:
    """sdy-unflatten-call-graph: Merge equal clones of a function.

        %0 = call @g(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
        %1 = call @g_0(%0) : (tensor<8xf32>) -> tensor<8xf32>
    ==> %0 = call @g(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
        %1 = call @g(%0) : (tensor<8xf32>) -> tensor<8xf32>

    Here `@g_0` is a clone of `@g` with equal shardings of arguments and results.

    Spec: export-passes, 4.4. Functions without remaining calls stay in the module.
    """
    symbols, meshes = ModuleSymbols(module), MeshTable(module)
    keys: dict[str, _FunctionKeys] = {}
    callees = []
    calls = calls_in(module)
    for call in calls:
        callee = symbols.callee(call)
        name = symbol_name(callee)
        callees.append(name)
        if name not in keys:
            keys[name] = _keys(callee, meshes)
    chosen = _most_called(callees, keys) if options.dedup_functions_fully else _first_called(callees, keys)
    for call, name in zip(calls, callees, strict=True):
        key = keys[name]
        set_callee(call, chosen[key.short if options.dedup_functions_fully else key.full])
    for func in funcs(module):
        for attribute in (ORIGINAL_NAME, _MANUAL_AXES):
            if attribute in func.attributes:
                del func.attributes[attribute]


def _keys(func: ir.Operation, meshes: MeshTable) -> _FunctionKeys:
    short = (original_name(func), func.attributes.get(_MANUAL_AXES))
    shardings = (filled_arg_shardings(func, meshes), filled_result_shardings(func, meshes))
    return _FunctionKeys(short, (short, *(None if each is None else tuple(each) for each in shardings)))


def _first_called(callees: list[str], keys: dict[str, _FunctionKeys]) -> dict[Hashable, str]:
    """Choose from identical functions the one that is called first."""
    chosen: dict[Hashable, str] = {}
    for name in callees:
        chosen.setdefault(keys[name].full, name)
    return chosen


def _most_called(callees: list[str], keys: dict[str, _FunctionKeys]) -> dict[Hashable, str]:
    """Choose among functions that differ only in shardings: the first one to reach the highest count in call order."""
    chosen: dict[Hashable, str] = {}
    for name in callees:
        chosen.setdefault(keys[name].short, name)
    counts: Counter[Hashable] = Counter()
    for name in callees:
        key = keys[name]
        counts[key.full] += 1
        if counts[key.full] > counts[keys[chosen[key.short]].full]:
            chosen[key.short] = name
    return chosen


@pass_("sdy-insert-func-call-reshards")
def insert_func_call_reshards(module: ir.Operation) -> None:
    """sdy-insert-func-call-reshards: Give calls the result shardings of the callee, and reshard to the previous ones.

        %0 = call @g(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>}
            : (tensor<8xf32>) -> tensor<8xf32>
    ==> %0 = call @g(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
            : (tensor<8xf32>) -> tensor<8xf32>
        %1 = sdy.reshard %0 <@mesh, [{"y"}]> : tensor<8xf32>

    where `@g` returns its result sharded on "x".

    Spec: export-passes, 4.2. Makes calls agree with their callees; the operands are not looked at.
    """
    symbols, meshes = ModuleSymbols(module), MeshTable(module)
    for call in ops_named(module, "func.call"):
        old = op_shardings(call)
        wanted = filled_result_shardings(symbols.callee(call), meshes) or _replicated(old)
        if wanted is not None and len(call.results):
            shardings = [_result(call, i, sharding, old[i] if old else None) for i, sharding in enumerate(wanted)]
            set_op_shardings(call, shardings)


def _replicated(old: Sequence[TensorSharding] | None) -> list[TensorSharding] | None:
    """Return replicated shardings for a callee without result shardings, on the meshes of the call."""
    return None if old is None else [_closed_like(sharding) for sharding in old]


def _closed_like(sharding: TensorSharding) -> TensorSharding:
    return TensorSharding.closed(sharding.mesh_or_ref, sharding.rank)


def _result(call: ir.Operation, index: int, wanted: TensorSharding, old: TensorSharding | None) -> TensorSharding:
    """Return the new sharding of result `index`; a reshard behind it leads back to `old` if they differ.

    A result whose unreduced axes differ from the callee's stays, since a reshard could not correct it.
    """
    if wanted.unreduced != (() if old is None else old.unreduced):
        return old or _closed_like(wanted)
    if not is_equivalent(wanted, old):
        value = call.results[index]
        moved = builders.reshard(value, old or _closed_like(wanted), loc=call.location, ip=after(call))
        redirect_other_uses(value, moved, moved.owner.operation)
    return wanted
