"""Graphs of torch.export as modules of StableHLO, by torch-mlir: names of inputs, modules and lines as locations."""

# pyright: reportMissingImports=false

from __future__ import annotations

import io
import logging
import math
import os
import re
import warnings
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import OutputKind
from torch.fx import Graph, GraphModule, Node
from torch_mlir import fx
from torch_mlir import ir as bindings
from torch_mlir.compiler_utils import TorchMlirCompilerError
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.extras.fx_importer import ContextCache, FxImporter

from sdy.mlir import ir
from sdy.mlir.diagnostics import UNKNOWN, DiagnosticError, Position
from sdy.mlir.walk import pre_order
from sdy.programs.parsing import Module, parse

torch_ir: Any = bindings
_ATEN = torch.ops.aten

_WHOLE = (_ATEN.matmul.default, _ATEN.linear.default)
"""Ops that are not decomposed: `bmm` merges batch and heads, and shardings of heads are lost."""

_DIALECTS = ("builtin", "func", "stablehlo", "chlo")

_FRAME = re.compile(r'File "([^"]+)", line (\d+)')
_HIDDEN = tuple(os.path.join(folder, "") for folder in (torch.__path__[0], os.path.dirname(__file__)))
"""Folders of frames that are no lines of the user: torch's, and those around a loss."""


def _attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    mask: torch.Tensor | None = None,
    dropout: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> torch.Tensor:
    """Attention by products, laid out as attention of torch lays it out: views of its result stay views."""
    if enable_gqa:
        times = query.shape[-3] // key.shape[-3]
        key, value = key.repeat_interleave(times, -3), value.repeat_interleave(times, -3)
    softmax = torch.softmax if mask is None else _ATEN._safe_softmax.default  # of rows that are masked as a whole
    if is_causal:
        mask = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool, device=query.device).tril()
    if mask is not None and mask.dtype is torch.bool:
        mask = torch.zeros(mask.shape, dtype=query.dtype, device=query.device).masked_fill(~mask, -math.inf)
    scores = torch.matmul(query, key.transpose(-2, -1)) * (query.shape[-1] ** -0.5 if scale is None else scale)
    wide = torch.promote_types(query.dtype, torch.float32)
    weights = softmax((scores if mask is None else scores + mask).to(wide), -1).to(query.dtype)
    found = torch.matmul(torch.dropout(weights, dropout, dropout > 0), value)
    return found.transpose(1, 2).contiguous().transpose(1, 2) if found.ndim == 4 else found


ATTENTION = {_ATEN.scaled_dot_product_attention.default: _attention}


def decompositions() -> dict[Any, Any]:
    """Return the decompositions for torch-mlir, except those that merge dimensions."""
    return {op: rule for op, rule in fx.get_decomposition_table().items() if op not in _WHOLE} | ATTENTION


class _NamedLocations(ContextCache):
    """Gives ops the path of their module as name, and the lines of the user's code as position."""

    __slots__ = ()

    def get_node_location(self, node: Node) -> Any:
        """Return ``"path.of.module/op"`` around a call stack without frames of torch."""
        lines = frames(node)
        files = [torch_ir.Location.file(file, line, 0, context=self._c) for file, line in lines]
        place = files[-1] if files else torch_ir.Location.unknown(self._c)
        if len(files) > 1:
            place = torch_ir.Location.callsite(place, files[-2::-1], context=self._c)
        return torch_ir.Location.name(_path(node), place, context=self._c)


def frames(node: Node) -> list[tuple[str, int]]:
    """Return files and lines in which `node` was called, the outermost first, without torch's own."""
    found = _FRAME.findall(node.meta.get("stack_trace") or "")
    return [(file, int(line)) for file, line in found if not file.startswith(_HIDDEN)]


def _path(node: Node) -> str:
    """Return the module that `node` is computed in, and its op; with ``backward`` between for a gradient."""
    stack = node.meta.get("nn_module_stack") or node.meta.get("fwd_nn_module_stack") or {}
    module = [*stack.values()][-1][0] if stack else ""
    direction = "backward" if node.meta.get("partitioner_tag") == "is_backward" else ""
    packet = getattr(node.target, "overloadpacket", node.target)
    return "/".join(filter(None, (module, direction, getattr(packet, "__name__", str(packet)))))


def lower(graph: GraphModule, names: Sequence[str]) -> Module:
    """Lowers a graph of tensors.

    Args:
      graph: its placeholders and results are tensors of static shape.
      names: those of its placeholders, which become locations of the arguments.

    Raises:
      DiagnosticError: a dynamic shape, an op that torch-mlir cannot lower.
    """
    _check(graph.graph, names)
    context = torch_ir.Context()
    torch_dialect.register_dialect(context)
    importer = FxImporter(context=context)
    importer._cc = _NamedLocations(context, py_attr_tracker=importer._py_attr_tracker)  # no public hook for locations
    reported: list[tuple[str, str]] = []
    context.attach_diagnostic_handler(lambda one: not reported.append((str(one.location), one.message)))
    try:
        lowered = fx.stateless_fx_import(graph, output_type="stablehlo", fx_importer=importer)
    except (TorchMlirCompilerError, NotImplementedError, RuntimeError) as error:
        raise _refusal(graph.graph, *(reported[0] if reported else ("", str(error)))) from error
    module = parse(_with_dense_constants(lowered.operation.get_asm(enable_debug_info=True)))
    for op in pre_order(module.operation):
        if op.name.partition(".")[0] not in _DIALECTS and op.name != "arith.constant":
            raise DiagnosticError(op, "has no lowering in torch-mlir, such as a number taken from a tensor by item()")
    with module.context:
        arguments = module.body.operations[0].regions[0].blocks[0].arguments
        for argument, name in zip(arguments, names, strict=True):
            argument.set_location(ir.Location.name(name))
    return module


_RESOURCE = re.compile(r'^\s*([\w.]+): "0x[0-9A-F]{8}([0-9A-F]*)"', re.MULTILINE)
"""Name and elements of a constant that is kept apart; in front of them stands their alignment."""


def _with_dense_constants(text: str) -> str:
    """Return the text of a module with inline constants, which XLA requires."""
    body, apart, resources = text.partition("{-#")
    for name, elements in _RESOURCE.findall(resources):
        body = body.replace(f"dense_resource<{name}>", f'dense<"0x{elements}">')
    return body if "dense_resource<" not in body else body + apart + resources


def _check(graph: Graph, names: Sequence[str]) -> None:
    for node, name in zip(graph.find_nodes(op="placeholder"), names, strict=True):
        shape = node.meta["val"].shape
        if not all(isinstance(size, int) for size in shape):
            text = ", ".join(map(str, shape))
            raise DiagnosticError(UNKNOWN, f"'{name}' has the dynamic shape [{text}]; export it with static shapes")
    for node in graph.nodes:
        if torch.Tag.nondeterministic_seeded in getattr(node.target, "tags", ()):
            reason = "draws random numbers, whose state would be lost; eval() mode switches dropout off"
            raise DiagnosticError(_position(node), f"'{_path(node)}' {reason}")


def _position(node: Node) -> Position:
    """Return the innermost line of the user."""
    lines = frames(node)
    return Position(*lines[-1], 1) if lines else UNKNOWN


def _refusal(graph: Graph, location: str, message: str) -> DiagnosticError:
    """Return torch-mlir's error at the user's line; without one, at an op of a gradient."""
    place = re.search(r'"([^"]+)":(\d+):', location)
    operator = re.search(r'name = "torch\.([^"]+)"', message)
    reason = f"it has no lowering of {operator[1]}" if operator else message.partition(":")[0].split("\n")[0]
    at = Position(place[1], int(place[2]), 1) if place else UNKNOWN
    rare = [node for node in graph.nodes if place is None and "backward" in str(node.target)]
    if rare:
        at, reason = _position(rare[0]), f"{reason}, perhaps of {rare[0].target}"
    return DiagnosticError(at, f"torch-mlir cannot lower the program: {reason}")


def decomposed(program: ExportedProgram, rules: dict[Any, Any]) -> ExportedProgram:
    """Return an exported program without ops that are keys of `rules`, and without in-place changes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # torch warns of its own code
        return program.run_decompositions(rules)


def check_unchanged(program: ExportedProgram) -> None:
    """Raises `ValueError` for a program in ops without side effects that changes a buffer or an input."""
    for spec in program.graph_signature.output_specs:
        if spec.target is not None and spec.kind is not OutputKind.USER_OUTPUT:
            reason = "put the module into eval() mode, or change a copy"
            raise ValueError(f"the module changes '{spec.target}', as batch norm does in training: {reason}")
        if spec.kind is OutputKind.TOKEN:
            raise ValueError("the module has effects, such as checks of linear algebra while it runs")


def load(path: str | os.PathLike[str]) -> ExportedProgram:
    """Read a program that `torch.export.save` has written.

    Raises:
      OSError: the file cannot be read.
      DiagnosticError: it is not such a file.
    """
    data = io.BytesIO(Path(path).read_bytes())
    log = logging.getLogger("torch.export")
    level = log.level
    try:
        if not zipfile.is_zipfile(data):
            raise ValueError("it is not an archive")
        data.seek(0)
        log.setLevel(logging.CRITICAL)  # the error says it
        return torch.export.load(data)
    except Exception as error:  # noqa: BLE001  (of a damaged file torch raises errors of many kinds)
        reason = str(error).strip().split("\n")[0] or type(error).__name__
        raise DiagnosticError(Position.start(os.fspath(path)), f"is not a program of torch.export: {reason}") from None
    finally:
        log.setLevel(level)
