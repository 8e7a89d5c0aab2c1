"""mpmd-lower-to-fragment-calls: Make a function of the body of each fragment, and calls of the fragments.

    %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) (%a: T) { ... mpmd.return %b : T } : (!m1) -> !m1
==> %1 = mpmd.fragment_call<mesh="m1", origin=["f"]> @p0_f.main(%0) : (!m1) -> !m1
    func.func @p0_f.main(%a: T) -> T attributes {mesh_shape = #sdy.mesh<["x"=2]>} { ... return %b : T }

Fragments with equal bodies, marks and shardings on one mesh share a function.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from sdy.dialect.definition.attributes import attr_of, number_of
from sdy.dialect.mpmd import mpmd_builders
from sdy.dialect.mpmd.values import UserOrigin
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, remark
from sdy.mlir.functions import funcs, module_body, new_function, return_instead, symbol_name
from sdy.mlir.rewriting import before, replace, terminator
from sdy.mlir.tensor_types import i64_attr
from sdy.passes.mpmd.common.fragments import (
    ARG_ATTRS,
    CALL_COUNTER,
    REMAT,
    RES_ATTRS,
    SPLIT_DROP,
    SPLIT_KEEP,
    STAGE,
    block_of,
    call_counter,
    entries_of,
    fragments_in,
    is_mpmd_function,
    mesh_name_of,
    mesh_tensor_of,
    origins_of,
    stage_of,
    topology_of,
)
from sdy.passes.options import option
from sdy.passes.registry import pass_

_LONGEST = 200
_CUT = "<...>"


def function_name(index: int, sites: Sequence[ir.Operation], *, is_forward: bool, module_name: str) -> str:
    """The name of the function for a group of fragments.

    Args:
      index: number of the group.
      sites: the fragments of the group, in program order.
      is_forward: no fragment of the module is of a backward pass.
      module_name: name of the module without `jit_`.
    """
    bases = [_base(site, is_forward=is_forward) for site in sites]
    suffix = _calls([call_counter(site) for site in sites]) if len(set(bases)) == 1 else ""
    name = f"p{index}_{bases[0]}{suffix}"
    if len(name) > _LONGEST:
        name = name[: _LONGEST - len(_CUT)] + _CUT
    return f"{name}.{module_name}"


def module_name_of(module: ir.Operation) -> str:
    """The name of a module without `jit_`; `main` if it has none."""
    return symbol_name(module).removeprefix("jit_") if "sym_name" in module.attributes else "main"


def _base(fragment: ir.Operation, *, is_forward: bool) -> str:
    origins = origins_of(fragment)
    if not origins:
        return "inferred"
    stage = stage_of(fragment)
    name = _origin_name(origins) if stage is None else f"stage{stage}"
    if is_forward:
        return name
    counts = sorted({origin.transpose_count for origin in origins})
    return name + "".join(map(_direction, counts))


def _direction(transpose_count: int) -> str:
    return {0: "_fwd", 1: "_bwd"}.get(transpose_count, f"_transpose{transpose_count}")


def _origin_name(origins: Sequence[UserOrigin]) -> str:
    """The most frequent name among those without numbers, with the range of its numbers."""
    split = [_split(origin.name) for origin in origins]
    counts = Counter(name for name, _ in split)
    most = min(counts, key=lambda name: (-counts[name], name))
    numbers = [number for name, number in split if name == most and number is not None]
    others = "..." if len(counts) > 1 else ""
    if not numbers:
        return most + others
    low, high = min(numbers), max(numbers)
    if low == high:
        return f"{most}_{low}{others}"
    is_backward = all(origin.transpose_count == 1 for origin in origins)
    return f"{most}_{high}:{low}{others}" if is_backward else f"{most}_{low}:{high}{others}"


def _split(name: str) -> tuple[str, int | None]:
    found = re.fullmatch(r"(.*)_(\d+)", name, re.DOTALL)
    return (name, None) if found is None else (found[1], int(found[2]))


def _calls(counters: Sequence[int | None]) -> str:
    """The range of microbatches if they ascend or descend without gaps."""
    numbers = [number for number in counters if number is not None]
    if not numbers or len(numbers) < len(counters):
        return ""
    first, last = numbers[0], numbers[-1]
    if len(numbers) == 1:
        return f"_call{first}"
    if numbers == list(range(first, last + 1)):
        return f"_calls{first}to{last}"
    return f"_calls{first}from{last}" if numbers == list(range(first, last - 1, -1)) else ""


_OF_UNITS = (CALL_COUNTER, STAGE, SPLIT_DROP, SPLIT_KEEP)
"""Attributes that say which pass of which microbatch a fragment is."""

_RESERVED = "reserved_hbm_bytes"
_SHARDING = "sdy.sharding"


@dataclass(frozen=True)
class Options:
    """Options under upstream's names."""

    verbose_logging: bool = option(False, "report how many fragments share each function")
    keep_call_counters: bool = option(False, "record microbatch, stage and pass on each call")


@dataclass(frozen=True, slots=True)
class _Group:
    """A function and the fragments with its body; the blocks of all but the first are redundant."""

    function: ir.Operation
    sites: list[ir.Operation]


@pass_("mpmd-lower-to-fragment-calls", options=Options)
def lower_to_fragment_calls(module: ir.Operation, options: Options) -> None:
    """Spec: mpmd, 7."""
    functions = [func for func in funcs(module) if is_mpmd_function(func)]
    groups: dict[tuple[str, str], _Group] = {}
    is_forward = True
    for func in functions:
        for fragment in fragments_in(func):
            is_forward &= all(origin.transpose_count == 0 for origin in origins_of(fragment))
            function = _function_of(func, fragment)
            key = mesh_name_of(fragment), str(function)
            groups.setdefault(key, _Group(function, [])).sites.append(fragment)
    name = module_name_of(module)
    for index, group in enumerate(groups.values()):
        called = function_name(index, group.sites, is_forward=is_forward, module_name=name)
        group.function.attributes["sym_name"] = ir.StringAttr.get(called)
        _keep_reserved_bytes(group)
        module_body(module).append(group.function)
        if options.verbose_logging:
            remark(group.function, f"{called} is the body of {len(group.sites)} fragments")
        for site in group.sites:
            _replace_by_call(site, called, (REMAT, *_OF_UNITS) if options.keep_call_counters else (REMAT,))


def _function_of(func: ir.Operation, fragment: ir.Operation) -> ir.Operation:
    """Return a function outside of any module that takes the body of a fragment."""
    block = block_of(fragment)
    inputs, results = ([value.type for value in each] for each in (block.arguments, terminator(block).operands))
    topology = topology_of(func)
    mesh = None if topology is None else topology.find(mesh_name_of(fragment))
    if mesh is None:
        raise DiagnosticError(fragment, f"is on mesh '{mesh_name_of(fragment)}', which its function's topology lacks")
    attributes = {
        "mesh_shape": attr_of(mesh),
        ARG_ATTRS: _entries(fragment, ARG_ATTRS, list(fragment.operands)),
        RES_ATTRS: _entries(fragment, RES_ATTRS, list(fragment.results)),
    }
    new = new_function("fragment", inputs, results, attributes, loc=fragment.location, ip=False)
    block.append_to(new.regions[0])
    return_instead(block, name="func.return")
    return new


def _entries(fragment: ir.Operation, kind: str, values: list[ir.Value]) -> ir.Attribute:
    """The marks of operands or results together with their shardings."""
    entries = entries_of(fragment, kind)
    for entry, value in zip(entries, values, strict=True):
        found = mesh_tensor_of(value)
        if found is not None and found.sharding is not None:
            entry[_SHARDING] = attr_of(found.sharding)
    return ir.ArrayAttr.get([ir.DictAttr.get(entry) for entry in entries])


def _keep_reserved_bytes(group: _Group) -> None:
    """Give the function the greatest number of reserved bytes."""
    numbers = [number_of(site.attributes[_RESERVED]) for site in group.sites if _RESERVED in site.attributes]
    if numbers:
        group.function.attributes[_RESERVED] = i64_attr(max(numbers))


def _replace_by_call(fragment: ir.Operation, callee: str, kept: tuple[str, ...]) -> None:
    """Calls the function in place of a fragment; the call has the `kept` attributes that the fragment has."""
    call = mpmd_builders.fragment_call(
        mesh_name_of(fragment),
        origins_of(fragment),
        callee,
        list(fragment.operands),
        [result.type for result in fragment.results],
        loc=fragment.location,
        ip=before(fragment),
    )
    for name in kept:
        if name in fragment.attributes:
            call.attributes[name] = fragment.attributes[name]
    replace(fragment, list(call.results))
