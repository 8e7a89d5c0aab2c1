"""sdy-insert-func-call-reshards: a call gets the result shardings of its callee, and reshards to what it had before.

    %0 = call @g(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
==> %0 = call @g(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
    %1 = sdy.reshard %0 <@mesh, [{"y"}]> : tensor<8xf32>

where `@g` returns its result sharded on "x".
"""

from __future__ import annotations

from collections.abc import Sequence

from sdy.dialect import builders
from sdy.dialect.shardings.attribute_shardings import op_shardings, set_op_shardings
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import filled_result_shardings
from sdy.dialect.values.sharding import TensorSharding, is_equivalent
from sdy.mlir import ir
from sdy.mlir.functions import ModuleSymbols
from sdy.mlir.rewriting.insertion import after, redirect_other_uses
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_


@pass_("sdy-insert-func-call-reshards")
def insert_func_call_reshards(module: ir.Operation) -> None:
    """Makes calls agree with their callees; the operands are not looked at (spec: export-passes, 4.2)."""
    symbols, meshes = ModuleSymbols(module), MeshTable(module)
    for call in ops_named(module, "func.call"):
        old = op_shardings(call)
        wanted = filled_result_shardings(symbols.callee(call), meshes) or _replicated(old)
        if wanted is not None and len(call.results):
            shardings = [_result(call, i, sharding, old[i] if old else None) for i, sharding in enumerate(wanted)]
            set_op_shardings(call, shardings)


def _replicated(old: Sequence[TensorSharding] | None) -> list[TensorSharding] | None:
    """What a callee without result shardings returns, on the meshes of the call."""
    return None if old is None else [_closed_like(sharding) for sharding in old]


def _closed_like(sharding: TensorSharding) -> TensorSharding:
    return TensorSharding.closed(sharding.mesh_or_ref, sharding.rank)


def _result(call: ir.Operation, index: int, wanted: TensorSharding, old: TensorSharding | None) -> TensorSharding:
    """The sharding that result `index` gets, behind which a reshard leads back to `old` if need be.

    A result whose unreduced axes differ from the callee's is left as it is: no reshard could mend that.
    """
    if wanted.unreduced != (() if old is None else old.unreduced):
        return old or _closed_like(wanted)
    if not is_equivalent(wanted, old):
        value = call.results[index]
        moved = builders.reshard(value, old or _closed_like(wanted), loc=call.location, ip=after(call))
        redirect_other_uses(value, moved, moved.owner.operation)
    return wanted
