"""sdy-user-priority-propagate: as sdy-op-priority-propagate, once for each priority that the user gave.

    %0 = stablehlo.add %x, %y                   // x is [{"a", ?}p1, {?}], y is [{"b", ?}, {?}]
==> %0 = stablehlo.add %x, %y                   // [{"b", ?}, {?}], and x is [{"a", ?}, {?}]

Priority 0, which is that of dimensions without one, goes first. Until its turn a dimension of lower priority is
replicated, so that nothing else takes its axes.
"""

from __future__ import annotations

from sdy.mlir import ir
from sdy.passes.propagation.engine.session import Session
from sdy.passes.propagation.engine.user_priorities import bring_in, set_aside
from sdy.passes.propagation.op_priority_options import OpPriorityOptions
from sdy.passes.registry import pass_


@pass_("sdy-user-priority-propagate", on="builtin.module", options=OpPriorityOptions)
def user_priority_propagate(module: ir.Operation, options: OpPriorityOptions) -> None:
    """Spec: propagation, 13. Raises `DiagnosticError` for a module that `Session` refuses."""
    session = Session(module, options)
    waiting = set_aside(session.store, session.driver, session.mesh_of)
    session.propagate(options.propagation_strategy, by_op_priority=options.run_op_priority_propagation)
    done = 0
    for priority in waiting:
        session.dump(f"propagation_after_user_priority_{done}")
        bring_in(session.store, session.driver, priority, waiting)
        session.propagate(options.propagation_strategy, by_op_priority=options.run_op_priority_propagation)
        done = priority
    session.finish()
