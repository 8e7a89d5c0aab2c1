"""Passes that refuse unrequested transfers and fragments (spec: mpmd, 7)."""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect.definition.attributes import text_of
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, Faults, location_parts, warning
from sdy.mlir.functions import ModuleSymbols, body, callee_name
from sdy.mlir.rewriting import users
from sdy.passes.mpmd.common.fragments import (
    INFERRED_BY,
    TRANSFER,
    fragments_in,
    is_entry_point,
    is_mpmd_function,
    is_user_fragment,
    mesh_name_of,
    mesh_tensor_of,
    ops_in,
    origins_of,
)
from sdy.passes.mpmd.common.order import chain_key
from sdy.passes.options import option
from sdy.passes.registry import pass_
from sdy.passes.steps import FUNCTION

_CALL = "mpmd.fragment_call"


def _complain(op: ir.Operation, message: str, *, fails: bool, faults: Faults) -> None:
    """Report an error, or only a warning."""
    if not fails:
        warning(op, message)
        return
    with faults.one():
        raise DiagnosticError(op, message)


@dataclass(frozen=True)
class ParamTransferOptions:
    """Options under upstream's names."""

    fail_on_param_transfers: bool = option(False, "make it an error")
    param_pattern: str = option("params['transformer", "text in the names of parameters")


@pass_("mpmd-validate-no-param-transfers", on=FUNCTION, options=ParamTransferOptions)
def validate_no_param_transfers(func: ir.Operation, options: ParamTransferOptions) -> None:
    """mpmd-validate-no-param-transfers: Report transfers of parameters between meshes, found by names in locations.

        %1 = mpmd.transfer %arg0 : (!m1) -> !m2 loc("params['transformer']['w']")
    ==> the same, and a warning

    Spec: mpmd, 7.
    """
    with Faults() as faults:
        for op in ops_in(func, TRANSFER) if is_mpmd_function(func) else []:
            source, target = mesh_tensor_of(op.operands[0]), mesh_tensor_of(op.results[0])
            if source is None or target is None or source.mesh_name == target.mesh_name:
                continue
            names = [_outermost_name(op.location), _outermost_name(op.operands[0].location)]
            name = next((name for name in names if options.param_pattern in name), None)
            if name is not None:
                message = f"transfers the parameter {name} from {source.mesh_name} to {target.mesh_name}"
                _complain(op, message, fails=options.fail_on_param_transfers, faults=faults)


def _outermost_name(location: object) -> str:
    first = next(iter(location_parts(location)), "")
    return first if isinstance(first, str) else ""


_HARMLESS = {
    "uniquify",
    "infer_mesh_wrap_meshless_ops",
    "extract_reshards",
    "infer_mesh_wrap_resultless_ops",
    "infer_mesh_convert_reduce_ops",
    "introduce_transfers",
}


@dataclass(frozen=True)
class InferredFragmentOptions:
    """Options under upstream's names."""

    fail_on_inferred_fragments: bool = option(True, "make it an error, except for transfers known to be harmless")


@pass_("mpmd-validate-no-inferred-fragments", on=FUNCTION, options=InferredFragmentOptions)
def validate_no_inferred_fragments(func: ir.Operation, options: InferredFragmentOptions) -> None:
    """mpmd-validate-no-inferred-fragments: Report fragments without a named computation.

        %1 = mpmd.fragment<mesh="m1", origin=[]> (%0) {mpmd.inferred_by = ["uniquify"]} ...
    ==> the same, and a warning

    Spec: mpmd, 7.
    """
    with Faults() as faults:
        for op in fragments_in(func) if is_mpmd_function(func) else []:
            if is_user_fragment(op):
                continue
            if INFERRED_BY not in op.attributes:
                _complain(op, "is inferred by no known pass", fails=True, faults=faults)
                continue
            names = [text_of(each) for each in ir.ArrayAttr(op.attributes[INFERRED_BY])]
            fails = options.fail_on_inferred_fragments and not _HARMLESS & set(names)
            inside = [view.operation.name for view in op.regions[0].blocks[0].operations][:-1]
            found = ", ".join(inside) or "nothing"
            message = f"on mesh {mesh_name_of(op)} was inferred by {', '.join(names)} and holds {found}"
            _complain(op, message, fails=fails, faults=faults)


@dataclass(frozen=True)
class ReshardOptions:
    """Options under upstream's names."""

    fail_on_reshard_only_fragments: bool = option(False, "make it an error")


@pass_("mpmd-validate-no-reshards", on=FUNCTION, options=ReshardOptions)
def validate_no_reshards(func: ir.Operation, options: ReshardOptions) -> None:
    """mpmd-validate-no-reshards: Report fragment calls whose function only returns its arguments.

        %1 = mpmd.fragment_call<mesh="m1", origin=[]> @p0_inferred.main(%0) ...
    ==> the same, and a warning

    Spec: mpmd, 7.
    """
    calls = ops_in(func, _CALL) if is_entry_point(func) else []
    symbols = ModuleSymbols(func.parent.operation) if calls else None
    with Faults() as faults:
        for op in calls:
            assert symbols is not None
            if len(body(symbols.callee(op)).operations) > 1:
                continue
            if len(ir.ArrayAttr(op.attributes["origin"])):
                _complain(op, "belongs to a named computation that computes nothing", fails=True, faults=faults)
                continue
            message = f"{callee_name(op)} does nothing but change shardings"
            _complain(op, message, fails=options.fail_on_reshard_only_fragments, faults=faults)


@dataclass(frozen=True)
class BackwardDepOptions:
    """Options under upstream's names."""

    fail_on_backward_deps: bool = option(False, "make it an error")


@pass_("mpmd-validate-no-backward-deps", on=FUNCTION, options=BackwardDepOptions)
def validate_no_backward_deps(func: ir.Operation, options: BackwardDepOptions) -> None:
    """mpmd-validate-no-backward-deps: Report values that go to an earlier mesh in a program of forward passes.

        %1 = mpmd.fragment_call<mesh="m2", origin=["f"]> @p0_f.main(%0) ...
        %2 = mpmd.transfer %1 : (!m2) -> !m1
    ==> the same, and a warning

    Spec: mpmd, 7.
    """
    calls = ops_in(func, _CALL) if is_entry_point(func) else []
    if any(origin.transpose_count for op in calls for origin in origins_of(op)):
        if options.fail_on_backward_deps:
            raise DiagnosticError(func, "has backward passes, whose values go to earlier meshes")
        return
    with Faults() as faults:
        for op in calls:
            for target in _earlier_meshes(op):
                message = f"gives a value on mesh {mesh_name_of(op)} to the earlier mesh {target}"
                _complain(op, message, fails=options.fail_on_backward_deps, faults=faults)


def _earlier_meshes(call: ir.Operation) -> Sequence[str]:
    """Return the meshes before that of a call to which its values are transferred."""
    own, found = chain_key(mesh_name_of(call)), list[str]()
    pending = list(call.results)
    while pending:
        for user in users(pending.pop()):
            target = mesh_tensor_of(user.results[0]) if user.name == TRANSFER else None
            if target is None:
                continue
            pending.append(user.results[0])
            if chain_key(target.mesh_name) < own:
                found.append(target.mesh_name)
    return list(dict.fromkeys(found))
