"""sdy-insert-explicit-reshards: inserts the reshards and all-reduces that let every op run on its shards alone.

The tensors of an op get common axes on each factor of its sharding rule; an axis on a reduction factor leaves partial
results, which are all-reduced. Values are resharded where they enter a loop, a branch, a computation or a call, and
where a function returns them. Around asynchronous operations, before the start or behind the done, data is moved for
the op that they hold.

    %0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : tensor<8xf32>
==> %0 = sdy.reshard %arg0 <@mesh, [{"y"}]> : tensor<8xf32>
    %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : tensor<8xf32>

where `%arg0` is sharded on "x".
"""

from __future__ import annotations

from dataclasses import dataclass

from sdy.dialect.shardings.attribute_shardings import arg_shardings, result_shardings
from sdy.dialect.shardings.meshes import MeshTable, of_module
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import ModuleSymbols, has_body
from sdy.mlir.rewriting import before
from sdy.passes.exporting.around_asynchronous import AsynchronousOps, has_starts
from sdy.passes.exporting.explicit_reshards.known_shardings import Kind, KnownShardings, kind_of
from sdy.passes.exporting.explicit_reshards.op_reshards import OpResharder, match_call, match_data_flow, match_returns
from sdy.passes.exporting.explicit_reshards.plan_cache import Treatment
from sdy.passes.exporting.explicit_reshards.sharding_matcher import ShardingMatcher
from sdy.passes.exporting.explicit_reshards.worklist import WorklistFor
from sdy.passes.options import option
from sdy.passes.registry import UNCHANGED, pass_


@dataclass(frozen=True)
class Options:
    enable_full_version: bool = option(
        False, "reshard all ops; otherwise most ops only get all-reduces of unreduced axes"
    )
    mark_partial_result_with_unreduced_axes: bool = option(
        False, "give results that are all-reduced the reduced axes as unreduced axes"
    )
    reshard_custom_rule_ops: bool = option(
        False, "treat ops with a custom sharding rule like any other op instead of leaving them alone"
    )


@pass_("sdy-insert-explicit-reshards", on="func.func", options=Options)
def insert_explicit_reshards(func: ir.Operation, options: Options) -> object:
    """Spec: export-passes, section 5.

    Expects closed shardings, and no data-flow edges or sharding constraints.
    """
    if not has_body(func):
        return UNCHANGED
    matcher = ShardingMatcher(KnownShardings(func), of_module(MeshTable, func))
    _check_boundary(func, matcher)
    treatment = Treatment(
        full=options.enable_full_version,
        mark_partial=options.mark_partial_result_with_unreduced_axes,
        custom_rules=options.reshard_custom_rule_ops,
    )
    work = of_module(WorklistFor(treatment), func)
    plain = work.is_plain(func)
    resharder = OpResharder(matcher, work.plans, plain=plain)
    asynchronous = AsynchronousOps(func) if of_module(has_starts, func) else None
    symbols: ModuleSymbols | None = None
    kinds: dict[str, Kind] = {}
    for op, plan in work.of(func, is_plain=plain):
        if plan is not None:
            resharder.follow(plan, op)
            continue
        name = op.name
        kind = kinds.get(name) or kinds.setdefault(name, kind_of(op))
        if kind is Kind.ORDINARY:
            resharder.visit(op)
        elif kind is Kind.DATA_FLOW:
            match_data_flow(op, matcher, full=options.enable_full_version)
        elif kind is Kind.CALL:
            symbols = symbols or of_module(ModuleSymbols, func)
            match_call(op, symbols.callee(op), matcher)
        elif kind is Kind.RESHARD and not _make_unreduced(op, matcher):
            resharder.visit(op)
    match_returns(func, matcher, full=options.enable_full_version)
    if asynchronous is not None and matcher.has_changed:
        asynchronous.leave_alone(matcher, full=options.enable_full_version)
    return None if matcher.has_changed else UNCHANGED


def _check_boundary(func: ir.Operation, matcher: ShardingMatcher) -> None:
    """Refuses arguments and results that live on a single device."""
    for what, shardings in (("argument", arg_shardings(func)), ("result", result_shardings(func))):
        for index, sharding in enumerate(shardings):
            if matcher.is_on_single_device(sharding):
                raise DiagnosticError(func, f"{what} {index} is sharded to a single device, which is not supported")


def _make_unreduced(op: ir.Operation, matcher: ShardingMatcher) -> bool:
    """Replaces a reshard to further unreduced axes by ops that create them; False if it is none."""
    value = op.results[0]
    target = matcher.known.of(value)
    if target is None or not target.unreduced:
        return False
    new = matcher.made_unreduced(op.operands[0], target, before(op))
    if new is None:
        return False
    matcher.known.forget(value)
    value.replace_all_uses_with(new)
    op.erase()
    return True
