"""sdy-op-priority-propagate: as sdy-aggressive-propagate, but ops that only pass shardings on go first.

    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]      // x is [{"a", ?}, {?}]
    %1 = stablehlo.add %0, %y                                            // y is [{?}, {"a", ?}]
==> %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]      // [{?}, {"a", ?}], and so is w
    %1 = stablehlo.add %0, %y                                            // [{?}, {"a", ?}]

The add shards its operand before the dot sees it. There are five levels: elementwise ops, reshapes and transposes whose
operands have no other use; these ops in any case; factors that pass through any other op; factors that an op reduces,
permutes or needs replicated; broadcasts forward.
"""

from __future__ import annotations

from sdy.mlir import ir
from sdy.passes.propagation.engine.session import Session
from sdy.passes.propagation.op_priority_options import OpPriorityOptions
from sdy.passes.registry import pass_


@pass_("sdy-op-priority-propagate", on="builtin.module", options=OpPriorityOptions)
def op_priority_propagate(module: ir.Operation, options: OpPriorityOptions) -> None:
    """Spec: propagation, 12. Raises `DiagnosticError` for a module that `Session` refuses."""
    session = Session(module, options)
    session.propagate(options.propagation_strategy, by_op_priority=options.run_op_priority_propagation)
    session.finish()
