"""Fragments remade with other operands and results, dead code in them, calls, and clones of ops elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import ShardingPerValue
from sdy.dialect.mpmd import mpmd_builders
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import callee_name, funcs, has_body, return_instead, symbol_name
from sdy.mlir.rewriting import before, clone_with, has_no_use, is_unused, remade, terminator, values_from_above
from sdy.mlir.search import ops_named
from sdy.passes.mpmd.common.fragments import ARG_ATTRS, INFERRED_BY, RES_ATTRS, block_of


def operands_and_captured(op: ir.Operation) -> list[ir.Value]:
    """Return the values that an op needs, each once: its operands, then outer values of its regions."""
    return list(dict.fromkeys([*op.operands, *values_from_above(op)]))


def wrap_in_fragment(
    op: ir.Operation, mesh_name: str, inferred_by: str, types: Collection[ir.Type] | None = None
) -> ir.Operation:
    """Build an inferred fragment in front of an op that computes the op on a mesh; return it.

    The values that the op needs are assigned to the mesh in front of the fragment.

    Args:
      op: stays as it is.
      mesh_name: the mesh.
      inferred_by: name of who makes the fragment.
      types: those of the fragment's results, if they are not just the op's on the mesh.
    """
    where = {"loc": op.location, "ip": before(op)}
    needed = operands_and_captured(op)

    def on_mesh(value: ir.Value) -> ir.Type:
        return mpmd_builders.mesh_tensor(mesh_name, value.type)

    assigned = [mpmd_builders.assign(value, on_mesh(value), **where) for value in needed]
    results = list(map(on_mesh, op.results)) if types is None else list(types)
    fragment = mpmd_builders.fragment(mesh_name, [], assigned, results, **where)
    fragment.attributes[INFERRED_BY] = ir.ArrayAttr.get([ir.StringAttr.get(inferred_by)])
    block = block_of(fragment)
    end = block.operations[0].operation
    clone = clone_with(op, dict(zip(needed, block.arguments, strict=True)), before(end))
    mpmd_builders.return_(list(clone.results), loc=op.location, ip=before(end))
    end.erase()
    return fragment


IN_SHARDINGS = "in_shardings"
OUT_SHARDINGS = "out_shardings"


def set_returned(fragment: ir.Operation, values: Sequence[ir.Value]) -> None:
    """Make the block of a fragment return `values`."""
    return_instead(block_of(fragment), values)


def keep_results(fragment: ir.Operation, is_kept: Callable[[ir.OpResult], bool]) -> ir.Operation:
    """Drop the other results, which have no uses; return the fragment, a new one if a result was dropped."""
    kept = [index for index, result in enumerate(fragment.results) if is_kept(result)]
    if len(kept) == len(fragment.results):
        return fragment
    old = list(fragment.results)
    new = remade(fragment, list(fragment.operands), [old[index].type for index in kept], with_blocks=True)
    values = list(terminator(block_of(new)).operands)
    set_returned(new, [values[index] for index in kept])
    _keep_entries(new, kept, RES_ATTRS, OUT_SHARDINGS)
    for index, result in zip(kept, new.results, strict=True):
        old[index].replace_all_uses_with(result)
    fragment.erase()
    return new


def keep_operands(fragment: ir.Operation, kept: Collection[int]) -> ir.Operation:
    """Drop the operands of other numbers, whose block arguments have no uses; return the fragment, which may be new."""
    numbers = [number for number in range(len(fragment.operands)) if number in kept]
    if len(numbers) == len(fragment.operands):
        return fragment
    operands = list(fragment.operands)
    types = [result.type for result in fragment.results]
    new = remade(fragment, [operands[number] for number in numbers], types, with_blocks=True)
    for number in reversed(range(len(operands))):
        if number not in kept:
            block_of(new).erase_argument(number)
    _keep_entries(new, numbers, ARG_ATTRS, IN_SHARDINGS)
    replace_results(fragment, new)
    return new


def replace_results(fragment: ir.Operation, new: ir.Operation) -> None:
    """Replace the results of a fragment by those of another, which has at least as many, and erase it."""
    for result, replacement in zip(fragment.results, new.results, strict=False):
        result.replace_all_uses_with(replacement)
    fragment.erase()


def _keep_entries(fragment: ir.Operation, kept: Sequence[int], dictionaries: str, shardings: str) -> None:
    """Keep the entries of these numbers in a fragment's lists per operand or result."""
    if dictionaries in fragment.attributes:
        entries = ir.ArrayAttr(fragment.attributes[dictionaries])
        fragment.attributes[dictionaries] = ir.ArrayAttr.get([entries[number] for number in kept])
    if shardings in fragment.attributes:
        old = attributes.get(fragment, shardings).shardings
        attributes.put(fragment, shardings, ShardingPerValue(tuple(old[number] for number in kept)))


def used_arguments(fragment: ir.Operation) -> list[int]:
    """The numbers of the operands whose block arguments are used."""
    arguments = block_of(fragment).arguments
    return [argument.arg_number for argument in arguments if not has_no_use(argument)]


def add_result(fragment: ir.Operation, values: Sequence[ir.Value], types: Sequence[ir.Type]) -> ir.Operation:
    """Rebuild a fragment with further results, which its block returns."""
    kept = [result.type for result in fragment.results]
    new = remade(fragment, list(fragment.operands), [*kept, *types], with_blocks=True)
    set_returned(new, [*terminator(block_of(new)).operands, *values])
    replace_results(fragment, new)
    return new


CALL = "mpmd.call"


def functions(module: ir.Operation) -> dict[str, ir.Operation]:
    """The functions of a module with a body, by name."""
    return {symbol_name(func): func for func in funcs(module) if has_body(func)}


def callee_of(call: ir.Operation, functions: Mapping[str, ir.Operation]) -> ir.Operation:
    """The function that an `mpmd.call` calls.

    Raises:
      DiagnosticError: there is no such function with a body.
    """
    name = callee_name(call)
    if name not in functions:
        raise DiagnosticError(call, f"calls '{name}', which is not a function of the module with a body")
    return functions[name]


def calls_by_callee(module: ir.Operation) -> dict[str, list[ir.Operation]]:
    """Return the calls of each called function, in textual order; calls without used results are left out."""
    found: dict[str, list[ir.Operation]] = {}
    for call in ops_named(module, CALL):
        if not is_unused(call):
            found.setdefault(callee_name(call), []).append(call)
    return found


def calls_of(module: ir.Operation, name: str) -> list[ir.Operation]:
    """All calls of a function, in textual order."""
    return [call for call in ops_named(module, CALL) if callee_name(call) == name]
