"""The passes that propagate shardings."""

from __future__ import annotations

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.ops.notation import check_rule
from sdy.dialect.ops.rules import rule_of
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.walk import pre_order
from sdy.passes.options import option
from sdy.passes.propagation.engine.session import Session, bring_in, set_aside
from sdy.passes.propagation.engine.strategy import PropagationStrategy
from sdy.passes.propagation.propagation_options import AggressivePropagateOptions, OpPriorityOptions, PropagationOptions
from sdy.passes.registry import pass_


@pass_("sdy-basic-propagate", on="builtin.module", options=PropagationOptions)
def basic_propagate(module: ir.Operation, options: PropagationOptions) -> None:
    """sdy-basic-propagate: Propagate shardings between the tensors of each op, up to the first conflict.

        func.func @f(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}, %y: tensor<8x8xf32>) {
          %0 = stablehlo.add %x, %y : tensor<8x8xf32>
    ==> func.func @f(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>},
                     %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?}]>}) {
          %0 = stablehlo.add %x, %y
              {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>]>} : tensor<8x8xf32>

    Axes move along the factors of each op's sharding rule, forward and backward. Where tensors disagree, their common
    prefix is taken.

    Spec: propagation, 1. Raises `DiagnosticError` for a module that `Session` refuses.
    """
    session = Session(module, options)
    session.propagate(PropagationStrategy.BASIC)
    session.finish()


@pass_("sdy-aggressive-propagate", on="builtin.module", options=AggressivePropagateOptions)
def aggressive_propagate(module: ir.Operation, options: AggressivePropagateOptions) -> None:
    """sdy-aggressive-propagate: Propagate like sdy-basic-propagate, and resolve conflicts between tensors.

        %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]      // x is 16x8 and [{"a", ?}, {?}],
            : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>        // y is 8x4 and [{?}, {"a", ?}]
    ==> %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
            {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>]>}
            : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>

    Each tensor takes the axes that fit it; where two factors need the same axis, the one from the larger tensor gets
    it.

    Spec: propagation, 1. Raises `DiagnosticError` for a module that `Session` refuses.
    """
    session = Session(module, options)
    session.propagate(options.propagation_strategy)
    session.finish()


@pass_("sdy-op-priority-propagate", on="builtin.module", options=OpPriorityOptions)
def op_priority_propagate(module: ir.Operation, options: OpPriorityOptions) -> None:
    """sdy-op-priority-propagate: Propagate like sdy-aggressive-propagate, pass-through ops first.

        %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]      // x is [{"a", ?}, {?}]
        %1 = stablehlo.add %0, %y                                            // y is [{?}, {"a", ?}]
    ==> %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]      // [{?}, {"a", ?}], and so is w
        %1 = stablehlo.add %0, %y                                            // [{?}, {"a", ?}]

    The add shards its operand before the dot sees it. There are five levels: elementwise ops, reshapes and transposes
    whose operands have no other use; these ops in any case; factors that pass through any other op; factors that an op
    reduces, permutes or needs replicated; broadcasts forward.

    Spec: propagation, 12. Raises `DiagnosticError` for a module that `Session` refuses.
    """
    session = Session(module, options)
    session.propagate(options.propagation_strategy, by_op_priority=options.run_op_priority_propagation)
    session.finish()


@pass_("sdy-user-priority-propagate", on="builtin.module", options=OpPriorityOptions)
def user_priority_propagate(module: ir.Operation, options: OpPriorityOptions) -> None:
    """sdy-user-priority-propagate: Propagate like sdy-op-priority-propagate, once for each priority that the user gave.

        %0 = stablehlo.add %x, %y                   // x is [{"a", ?}p1, {?}], y is [{"b", ?}, {?}]
    ==> %0 = stablehlo.add %x, %y                   // [{"b", ?}, {?}], and x is [{"a", ?}, {?}]

    Priority 0, the default of dimensions, comes first. A dimension of lower priority counts as replicated until its
    turn, so that nothing else takes its axes.

    Spec: propagation, 13. Raises `DiagnosticError` for a module that `Session` refuses.
    """
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


@dataclass(frozen=True)
class PopulateOpShardingRulesOptions:
    conservative_propagation: bool = option(
        False, "keep axes that do not divide a dimension from passing through an op"
    )


@pass_("sdy-populate-op-sharding-rules", on="func.func", options=PopulateOpShardingRulesOptions)
def populate_op_sharding_rules(func: ir.Operation, options: PopulateOpShardingRulesOptions) -> None:
    """sdy-populate-op-sharding-rules: Attach to every op the sharding rule that propagation uses.

        %0 = stablehlo.slice %a [0:9, 1:3] : (tensor<9x6xf32>) -> tensor<9x2xf32>
    ==> %0 = stablehlo.slice %a [0:9, 1:3]
            {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=9, j=6} permutation={j}>}
            : (tensor<9x6xf32>) -> tensor<9x2xf32>

    Meant for tests and for inspecting rules. An existing rule stays (spec: sharding-rules, 10.1).
    """
    for op in pre_order(func):
        if SHARDING_RULE in op.attributes:
            continue
        rule = rule_of(op, options.conservative_propagation)
        if rule is not None:
            check_rule(op, rule)
            attributes.put(op, SHARDING_RULE, rule)
