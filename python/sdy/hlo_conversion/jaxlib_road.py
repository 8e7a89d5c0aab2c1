"""The conversions that jaxlib has, of modules without asynchronous operations."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

from sdy.dialect.symbol_uses import used_symbols
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.hlo_text import HloModule, HloRuleError, Instruction, TupleShape
from sdy.mlir import ir
from sdy.mlir.functions import funcs, is_private
from sdy.programs.isolated import Died, isolated

_LINES = 3
"""Number of lines of a jaxlib error that are repeated; the rest are its notes."""

_MHLO_OP = re.compile(r"(?:^|=)\s*mhlo\.\w", re.MULTILINE)


class ConversionError(HloRuleError):
    """Error of jaxlib about a module that it cannot convert; it has no position."""


def stablehlo_to_hlo(text: str, *, isolate: bool) -> str:
    """A module of StableHLO with a function `main` as HLO text.

    With `isolate` the conversion runs in its own process, since some ops end jaxlib's process.

    Raises:
      ConversionError: jaxlib refuses it.
      ImportError: jaxlib is not installed.
    """
    return _converted(_to_hlo, text, isolate)


def hlo_to_stablehlo(text: str, *, isolate: bool) -> str:
    """Convert HLO text to a module of StableHLO, with ops of MHLO where StableHLO has none.

    With `isolate` the conversion runs in its own process, since the text is unverified.

    Raises:
      ConversionError: jaxlib refuses it.
      ImportError: jaxlib is not installed.
    """
    return _converted(_to_stablehlo, text, isolate)


def _converted(convert: Callable[[str], str], text: str, isolate: bool) -> str:
    _bindings()
    try:
        return isolated(convert, text) if isolate else convert(text)
    except Died:
        raise ConversionError("jaxlib does not survive the conversion") from None
    except (RuntimeError, ValueError) as error:
        raise ConversionError(_message(error)) from None


def _to_hlo(text: str) -> str:
    made = _bindings().mlir_module_to_xla_computation(text, use_tuple_args=False, return_tuple=False)
    return made.as_hlo_text(True)


def _to_stablehlo(text: str) -> str:
    from jax.extend.mlir import ir
    from jax.interpreters import mlir

    hlo: Any = import_module("jaxlib._hlo")
    proto = hlo.hlo_module_from_text(text).as_serialized_hlo_module_proto()
    with mlir.make_ir_context():
        try:
            module = ir.Module.parse(_bindings().hlo_to_stablehlo(proto))
        except ir.MLIRError as error:
            # That of the bindings says things of its context, and cannot be handed to another process.
            raise ValueError(str(error)) from None
        found = str(module)
        # Ops of a dialect that the reader does not know are read in generic form only.
        return str(module.operation.get_asm(print_generic_op_form=True)) if _MHLO_OP.search(found) else found


def _bindings() -> ModuleType:
    try:
        return import_module("jaxlib._jax").mlir
    except ImportError:
        raise ImportError("conversion from and to HLO needs jaxlib, as pip install jax brings it") from None


def _message(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(lines[:_LINES]) or type(error).__name__


def remove_dead_functions(module: ir.Operation) -> None:
    """Remove dead functions; unlike symbol-dce, admits ops of unknown dialects."""
    while True:
        used = set(used_symbols(module))
        dead = [func for func in funcs(module) if is_private(func) and func.attributes["sym_name"].value not in used]
        if not dead:
            return
        for func in dead:
            func.erase()


_BY_AXES = re.compile(r"mesh\[([^\]]*)\]\s*\{([^}]*)\}")
_SIZE = re.compile(r"'([^']*)'=(\d+)")
_AXIS = re.compile(r"'([^']*)'(?::\((\d+)\)(\d+))?")


def with_listed_groups(module: HloModule) -> HloModule:
    """The module with the devices of each group listed in every all-to-all of several parts."""
    computations = {}
    for each in module.computations:
        if any(_has_parts(one) for one in each.instructions):
            instructions = tuple(_listed(one) if _has_parts(one) else one for one in each.instructions)
            computations[each.name] = dataclasses.replace(each, instructions=instructions)
    return module.with_computations(computations) if computations else module


def _has_parts(instruction: Instruction) -> bool:
    return instruction.opcode == "all-to-all" and isinstance(instruction.shape, TupleShape)


def _listed(instruction: Instruction) -> Instruction:
    found = _BY_AXES.fullmatch(instruction.attribute("replica_groups") or "")
    if found is None:
        return instruction
    mesh = Mesh(tuple(MeshAxis(name, int(size)) for name, size in _SIZE.findall(found[1])))
    axes = [
        AxisRef.sub(name, int(pre), int(size)) if pre else AxisRef(name) for name, pre, size in _AXIS.findall(found[2])
    ]
    groups = ",".join("{" + ",".join(map(str, group)) + "}" for group in mesh.replica_groups(axes).tolist())
    attributes = ((key, f"{{{groups}}}" if key == "replica_groups" else value) for key, value in instruction.attributes)
    return dataclasses.replace(instruction, attributes=tuple(attributes))
