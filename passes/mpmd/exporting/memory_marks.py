"""Marks of operands and results of fragments that are in the memory of hosts, or have a layout (spec: mpmd, 7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sdy.dialect.mpmd.values import MeshTensor
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, warning
from sdy.mlir.functions import ModuleSymbols, body
from sdy.mlir.rewriting import defining_op, terminator
from sdy.passes.mpmd.common.fragments import (
    ARG_ATTRS,
    FRAGMENT,
    MEMORY_KIND,
    RES_ATTRS,
    TRANSFER,
    Entries,
    entries_of,
    fragments_in,
    is_entry_point,
    is_host_entry,
    is_on_host,
    mesh_tensor_of,
    put_entries,
    returned,
)
from sdy.passes.registry import pass_
from sdy.passes.steps import FUNCTION
from sdy.stablehlo.idioms.loops import WHILE

LAYOUT = "mhlo.layout_mode"
_DEFAULT, _AUTO = "default", "auto"
_FRONTEND = "mhlo.frontend_attributes"
_PINNED_HOST = "pinned_host"


class _Marks:
    """The attributes of operands and results of all fragments of a function, written back at the end."""

    def __init__(self, func: ir.Operation) -> None:
        self.func = func
        self.fragments = fragments_in(func)
        self.arguments = entries_of(func, ARG_ATTRS)
        self.results = entries_of(func, RES_ATTRS)
        self._number = {result: index for index, op in enumerate(self.fragments) for result in op.results}
        self.operands_of: list[Entries] = [entries_of(op, ARG_ATTRS) for op in self.fragments]
        self.results_of: list[Entries] = [entries_of(op, RES_ATTRS) for op in self.fragments]
        self._place = {op.regions[0].blocks[0]: index for index, op in enumerate(self.fragments)}

    def of_result(self, result: ir.OpResult) -> dict[str, ir.Attribute]:
        return self.results_of[self._number[result]][result.result_number]

    def of_operand(self, use: ir.OpOperand) -> dict[str, ir.Attribute]:
        block = use.owner.operation.regions[0].blocks[0]
        return self.operands_of[self._place[block]][use.operand_number]

    def write(self, *, even_empty: bool) -> None:
        """Write the marks, and lists for no operands or results if `even_empty`."""
        for op, operands, results in zip(self.fragments, self.operands_of, self.results_of, strict=True):
            for kind, entries in ((ARG_ATTRS, operands), (RES_ATTRS, results)):
                if entries or even_empty:
                    put_entries(op, kind, entries)


def _uses(value: ir.Value, name: str) -> list[ir.OpOperand]:
    return [use for use in value.uses if use.owner.operation.name == name]


@pass_("mpmd-mark-offloaded-input-output", on=FUNCTION)
def mark_offloaded_input_output(func: ir.Operation) -> None:
    """mpmd-mark-offloaded-input-output: Mark operands and results of fragments that are in the memory of the host.

        %1 = mpmd.fragment<...> (%arg0) ...  // and %arg0 has mhlo.memory_kind = "pinned_host"
    ==> %1 = mpmd.fragment<...> (%arg0) {arg_attrs = [{mhlo.memory_kind = "pinned_host"}], res_attrs = [{}]} ...

    Spec: mpmd, 7.
    """
    if not is_entry_point(func):
        return
    marks, host = _Marks(func), _HostValues(func)
    kind = ir.StringAttr.get(_PINNED_HOST)
    for op in marks.fragments:
        for result, value in zip(op.results, returned(op), strict=True):
            if host.is_on_host(value):
                marks.of_result(result)[MEMORY_KIND] = kind
                for use in _uses(result, FRAGMENT):
                    marks.of_operand(use)[MEMORY_KIND] = kind
    for argument, entry in zip(body(func).arguments, marks.arguments, strict=True):
        if is_host_entry(entry):
            for use in _uses(argument, FRAGMENT):
                marks.of_operand(use)[MEMORY_KIND] = kind
    _check_boundary(marks)
    marks.write(even_empty=True)


def _check_boundary(marks: _Marks) -> None:
    """Raises unless the function agrees with its results on where they are."""
    end = terminator(body(marks.func))
    for number, (value, entry) in enumerate(zip(end.operands, marks.results, strict=True)):
        op = defining_op(value)
        if op is None or op.name != FRAGMENT or MEMORY_KIND not in entry:
            continue
        if is_host_entry(entry) != is_host_entry(marks.of_result(ir.OpResult(value))):
            raise DiagnosticError(end, f"result #{number} is not in the memory where the function has it")


class _HostValues:
    """Find the values inside of fragments that are in host memory."""

    def __init__(self, func: ir.Operation) -> None:
        self._symbols = ModuleSymbols(func.parent.operation)

    def is_on_host(self, value: ir.Value) -> bool:
        op = defining_op(value)
        if op is None:
            return False
        if _frontend(op, "_xla_compute_type") == "host":
            return True
        if op.name == "stablehlo.custom_call" and _target(op) == "annotate_device_placement":
            return _frontend(op, "_xla_buffer_placement") == _PINNED_HOST
        source = self._source(op, ir.OpResult(value).result_number)
        return source is not None and self.is_on_host(source)

    def _source(self, op: ir.Operation, number: int) -> ir.Value | None:
        """The value that a result has the memory of."""
        if op.name == "stablehlo.optimization_barrier":
            return op.operands[number]
        if op.name == WHILE:
            return terminator(op.regions[1].blocks[0]).operands[number]
        if op.name == "stablehlo.dynamic_update_slice":
            return op.operands[1]
        if op.name == "func.call":
            return terminator(body(self._symbols.callee(op))).operands[number]
        passes = op.name in ("stablehlo.reshape", "stablehlo.broadcast_in_dim") and _keeps_elements(op)
        is_sharding = op.name == "stablehlo.custom_call" and _target(op) == "Sharding"
        return op.operands[0] if passes or is_sharding else None


def _keeps_elements(op: ir.Operation) -> bool:
    """Return whether operand and result have the same sizes, except for sizes of 1."""
    sizes = [[size for size in ir.ShapedType(each.type).shape if size != 1] for each in (op.operands[0], op.results[0])]
    return sizes[0] == sizes[1]


def _target(op: ir.Operation) -> str:
    return ir.StringAttr(op.attributes["call_target_name"]).value


def _frontend(op: ir.Operation, name: str) -> str | None:
    stored = op.attributes.get(_FRONTEND)
    if stored is None or name not in ir.DictAttr(stored):
        return None
    return ir.StringAttr(ir.DictAttr(stored)[name]).value


# Layouts -----------------------------------------------------------------------------------------


@pass_("mpmd-mark-input-output-with-layouts", on=FUNCTION)
def mark_input_output_with_layouts(func: ir.Operation) -> None:
    """mpmd-mark-input-output-with-layouts: Give operands and results of fragments the layouts of the function's.

        %1 = mpmd.fragment<...> (%arg0) ...  // and %arg0 has mhlo.layout_mode = "auto"
    ==> %1 = mpmd.fragment<...> (%arg0) {arg_attrs = [{mhlo.layout_mode = "auto"}], res_attrs = [{}]} ...

    Spec: mpmd, 7.
    """
    if not is_entry_point(func):
        return
    marks = _Marks(func)
    for number, argument in enumerate(body(func).arguments):
        _mark_argument(marks, number, argument)
    for op in marks.fragments:
        for result in op.results:
            _mark_result(marks, result)
    marks.write(even_empty=False)
    put_entries(func, ARG_ATTRS, marks.arguments)
    put_entries(func, RES_ATTRS, marks.results)


def _mark_argument(marks: _Marks, number: int, argument: ir.BlockArgument) -> None:
    own = _layout(marks.arguments[number])
    outputs, direct = _outputs(argument), [use.operand_number for use in _uses(argument, "func.return")]
    layout = _common(marks, [own, *(_layout(marks.results[output]) for output in direct)])
    if _goes_to_host(argument, layout, marks.func):
        layout = _DEFAULT
    using = [*_uses(argument, FRAGMENT), *_uses(argument, TRANSFER)]
    if layout == _AUTO and len(using) > 1:
        layout = _DEFAULT
    _set(marks.arguments[number], layout)
    _set_on_uses(marks, argument, outputs, layout)


def _mark_result(marks: _Marks, result: ir.OpResult) -> None:
    outputs = _outputs(result)
    using = [*_uses(result, FRAGMENT), *_uses(result, TRANSFER)]
    if not outputs and not using:
        _set(marks.of_result(result), _AUTO)
        return
    layout = _common(marks, [_layout(marks.results[output]) for output in outputs])
    if _goes_to_host(result, layout, marks.func) or (layout == _AUTO and using):
        layout = _DEFAULT
    _set(marks.of_result(result), layout)
    _set_on_uses(marks, result, outputs, layout)


def _set_on_uses(marks: _Marks, value: ir.Value, outputs: Iterable[int], layout: str) -> None:
    for output in outputs:
        _set(marks.results[output], layout)
    for use in _operands_through_transfers(value):
        _set(marks.of_operand(use), layout)


def _operands_through_transfers(value: ir.Value) -> Iterator[ir.OpOperand]:
    yield from _uses(value, FRAGMENT)
    for use in _uses(value, TRANSFER):
        yield from _operands_through_transfers(use.owner.operation.results[0])


def _outputs(value: ir.Value) -> list[int]:
    """The numbers of the function's results that a value is, directly or through transfers."""
    found = [use.operand_number for use in _uses(value, "func.return")]
    for use in _uses(value, TRANSFER):
        found += _outputs(use.owner.operation.results[0])
    return sorted(found)


def _layout(entry: dict[str, ir.Attribute]) -> str:
    stored = entry.get(LAYOUT)
    return ir.StringAttr(stored).value if stored is not None else _DEFAULT


def _set(entry: dict[str, ir.Attribute], layout: str) -> None:
    if layout == _DEFAULT:
        entry.pop(LAYOUT, None)
    else:
        entry[LAYOUT] = ir.StringAttr.get(layout)


def _common(marks: _Marks, layouts: Sequence[str]) -> str:
    """Return the common layout; `auto` gives way to any other. Raises if layouts differ."""
    wanted = sorted({layout for layout in layouts if layout != _AUTO})
    if len(wanted) > 1:
        raise DiagnosticError(marks.func, f"a value needs incompatible layouts: {', '.join(wanted)}")
    return wanted[0] if wanted else (_AUTO if layouts else _DEFAULT)


def _goes_to_host(value: ir.Value, layout: str, func: ir.Operation) -> bool:
    """Return whether a transfer brings a value to a mesh of hosts, which only take the default layout."""
    targets: list[MeshTensor | None] = [
        mesh_tensor_of(use.owner.operation.results[0]) for use in _uses(value, TRANSFER)
    ]
    if not any(target is not None and is_on_host(target.mesh_name) for target in targets):
        return False
    if layout not in (_DEFAULT, _AUTO):
        warning(func, f"layout '{layout}' of a value that goes to a mesh of hosts becomes the default one")
    return True
