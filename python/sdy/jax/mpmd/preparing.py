"""Preparation of a module lowered by JAX for the passes: topology, donated arguments, tokens, names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence

from sdy.dialect.definition.attributes import attr_of, string_of, value_of
from sdy.dialect.mpmd.values import NamedMesh, Topology
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.hidden_frames import warn
from sdy.jax.mpmd.config import Config
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, Faults
from sdy.mlir.functions import (
    body,
    callee_name,
    drop_arguments_and_results,
    funcs,
    is_return,
    main_function,
    set_entry,
    symbol_name,
)
from sdy.mlir.search import ops_named
from sdy.mpmd_running.executables import keep_callback_devices
from sdy.stablehlo.ops import Builder

_COMPUTATION = "mpmd.named_computation"
_CALLS = ("mpmd.call", "func.call")
_KEPT = (_COMPUTATION, *_CALLS, "stablehlo.create_token")
"""Ops between computations that may hold tokens: nothing is left of these after import."""


def prepare(module: ir.Module, config: Config, donated: Sequence[int]) -> None:
    """Mark meshes and donated arguments in a module lowered by JAX; warn of unknown assigned names.

    Args:
      module: changed in place.
      config: of the program.
      donated: numbers of arguments whose memory the program may take over.

    Raises:
      DiagnosticError: an op outside of named computations has ordered effects.
    """
    with module.context, ir.Location.unknown():
        main = main_function(module.operation)
        _check_effects(module)
        _drop_tokens(main)
        keep_callback_devices(module.operation)
        warn_of_unknown_names(module, config.name_to_mesh_assignment)
        main.attributes["topology"] = attr_of(_topology(config))
        _mark_donated(main, donated)


def warn_of_unknown_names(module: ir.Module, assigned: Iterable[str]) -> None:
    """Warn, at the user's line, of assigned names without a computation or tensor."""
    tensors = [string_of(op.attributes["name"]) for op in ops_named(module.operation, "mpmd.named_tensor")]
    known = dict.fromkeys(names_of_computations(module) + tensors)
    for name in assigned:
        if name not in known:
            close = difflib.get_close_matches(name, [*known], 1)
            hint = f"did you mean {close[0]!r}?" if close else f"it has {', '.join(map(repr, known)) or 'no names'}"
            warn(f"{name!r} is assigned to a mesh, but nothing in the program has this name: {hint}")


def names_of_computations(module: ir.Module) -> list[str]:
    """Return the names of computations in textual order, each once."""
    origins = [value_of(op.attributes["origin"]) for op in ops_named(module.operation, _COMPUTATION)]
    return list(dict.fromkeys(origin.name for origin in origins))


def _check_effects(module: ir.Module) -> None:
    """Refuse ordered effects outside of computations, since no mesh could order them."""
    with Faults() as faults:
        for op in _ops_between_computations(module):
            values = *op.operands, *op.results
            if any(str(value.type) == "!stablehlo.token" for value in values):
                with faults.one():
                    raise DiagnosticError(op, "has an ordered effect, but no named computation that would order it")


def _ops_between_computations(module: ir.Module) -> Iterator[ir.Operation]:
    """Return the ops of the main function and its callees that are in no computation."""
    functions = {symbol_name(each): each for each in funcs(module)}
    reached = [main_function(module.operation)]
    for function in reached:
        for view in body(function).operations:
            op = view.operation
            if op.name in _CALLS and (callee := functions[callee_name(op)]) not in reached:
                reached.append(callee)
            if op.name not in _KEPT and not is_return(op):
                yield op


def _drop_tokens(main: ir.Operation) -> None:
    """Create the main function's token arguments inside of it, and drop its token results."""
    block = body(main)
    last = block.operations[len(block.operations) - 1].operation
    taken, returned = (
        [number for number, value in enumerate(values) if str(value.type) == "!stablehlo.token"]
        for values in (block.arguments, last.operands)
    )
    if taken:
        b = Builder(ir.InsertionPoint.at_block_begin(block), main.location)
        for number in taken:
            argument = block.arguments[number]
            argument.replace_all_uses_with(b.create("stablehlo.create_token", [], [argument.type]).results[0])
    if taken or returned:
        drop_arguments_and_results(main, taken, returned)


def _mark_donated(main: ir.Operation, arguments: Sequence[int]) -> None:
    """Mark arguments that may be donated, also where JAX found no result for them."""
    stored = main.attributes.get("arg_attrs")
    for number in arguments:
        entries = ir.DictAttr(ir.ArrayAttr(stored)[number]) if stored is not None else {}
        if "tf.aliasing_output" not in entries and "jax.buffer_donor" not in entries:
            set_entry(main, "arg_attrs", number, "jax.buffer_donor", ir.BoolAttr.get(True))


def _topology(config: Config) -> Topology:
    return Topology(
        tuple(
            NamedMesh(name, Mesh(tuple(MeshAxis(axis, size) for axis, size in mesh.shape.items())))
            for name, mesh in config.topology.items()
        )
    )
