"""sdy-distinguish-named-computations: a named computation has a name that no function and no other one has.

    %0 = sdy.named_computation<"f">(%arg0) ...
    %1 = sdy.named_computation<"f">(%0) ...
==> %0 = sdy.named_computation<"f">(%arg0) ...
    %1 = sdy.named_computation<"f_0">(%0) ...

Calls become named computations for propagation and calls again behind it. What has the name of the same function and is
sharded alike is taken for copies of it then, of which one stays; computations of the program may be anything.
"""

from __future__ import annotations

from itertools import count

from sdy.mlir import ir
from sdy.mlir.functions import funcs, symbol_name
from sdy.mlir.search import ops_named
from sdy.passes.registry import pass_


@pass_("sdy-distinguish-named-computations")
def distinguish_named_computations(module: ir.Operation) -> None:
    computations = ops_named(module, "sdy.named_computation")
    if not computations:
        return
    taken = {symbol_name(func) for func in funcs(module)}
    for op in computations:
        name = ir.StringAttr(op.attributes["name"]).value
        if name in taken:
            name = next(other for other in (f"{name}_{number}" for number in count()) if other not in taken)
            op.attributes["name"] = ir.StringAttr.get(name)
        taken.add(name)
