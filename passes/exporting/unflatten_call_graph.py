"""sdy-unflatten-call-graph: calls of equal clones go to one of them again.

    %0 = call @g(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = call @g_0(%0) : (tensor<8xf32>) -> tensor<8xf32>
==> %0 = call @g(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = call @g(%0) : (tensor<8xf32>) -> tensor<8xf32>

where `@g_0` is a clone of `@g` whose arguments and results are sharded alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass

from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import filled_arg_shardings, filled_result_shardings
from sdy.mlir import ir
from sdy.mlir.functions import ORIGINAL_NAME, ModuleSymbols, calls_in, funcs, original_name, set_callee, symbol_name
from sdy.passes.options import option
from sdy.passes.registry import pass_

_MANUAL_AXES = "sdy.func_manual_axes"


@dataclass(frozen=True)
class Options:
    dedup_functions_fully: bool = option(
        False, "ignore shardings when deciding whether two functions are the same; the most called one wins"
    )


@dataclass(frozen=True, slots=True)
class _FunctionKeys:
    """What functions that count as equal agree in, without and with shardings."""

    short: Hashable
    full: Hashable


@pass_("sdy-unflatten-call-graph", options=Options)
def unflatten_call_graph(module: ir.Operation, options: Options) -> None:
    """Functions that nothing calls any more stay in the module (spec: export-passes, 4.4)."""
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
    """Of functions that agree in everything the one that is called first."""
    chosen: dict[Hashable, str] = {}
    for name in callees:
        chosen.setdefault(keys[name].full, name)
    return chosen


def _most_called(callees: list[str], keys: dict[str, _FunctionKeys]) -> dict[Hashable, str]:
    """Of functions that agree but for shardings one with the shardings that get ahead most often in call order."""
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
