"""Custom calls by the name of their target (spec: sharding-rules, 6)."""

from __future__ import annotations

from sdy.dialect.lowering.sharded_op import ShardedOp
from sdy.dialect.ops.elementwise import Pointwise
from sdy.dialect.ops.model import CUSTOM_CALL, LayoutOf, OpModel, any_model, op_model
from sdy.dialect.ops.op_signature import NEED_REPLICATION, OpSignature, RuleBuilder, pointwise, pointwise_of_one_shape
from sdy.dialect.values.rule import FactorType, ShardingRule
from sdy.mlir import ir
from sdy.stablehlo import views

UNINITIALIZED = "AllocateBuffer"

_ON_PARTS = "xla_ffi_partitioned_python_"


def callbacks(root: ir.Operation) -> list[ir.Operation]:
    """The calls back to Python below `root` in textual order."""
    calls = [(call.op, call.call_target_name) for call in views.CustomCall.all_in(root)]
    return [op for op, target in calls if "python" in target and "callback" in target]


def is_made_on_parts(op: ir.Operation) -> bool:
    """Return whether every device makes a custom call with its parts of the operands."""
    return views.CustomCall(op).call_target_name.startswith(_ON_PARTS)


@op_model(CUSTOM_CALL)
class CustomCall(OpModel):
    """A call follows its rule, or is computed replicated; a partitioned callback gets parts."""

    def unshardable_factors(self, op: ir.Operation, rule: ShardingRule) -> frozenset[int]:
        """Factors that either operands or results lack.

        Every device makes the call with its parts. A reduction gives partial results.

        JAX's rules of decompositions give each matrix factors of its own.
        """
        if op.attributes["call_target_name"].value.startswith("_SPMDInternalOp_"):
            return frozenset(range(rule.num_factors))
        taken, made = (
            {factor for mapping in mappings for factors in mapping for factor in factors}
            for mappings in (rule.operands, rule.results)
        )
        return frozenset(factor for factor in taken ^ made if rule.factor_types[factor] is FactorType.PASS_THROUGH)

    def groups_to_gather(self, op: ir.Operation, rule: ShardingRule, layout_of: LayoutOf | None) -> frozenset[int]:
        """Add the factors that a target needs replicated and the reference leaves sharded."""
        return frozenset() if layout_of is None else any_model(op, "unshardable_factors").unshardable_factors(op, rule)

    def keeps_parts(self, op: ShardedOp) -> bool:
        return is_made_on_parts(op.op)

    def grows(self, op: ShardedOp) -> bool:
        return is_made_on_parts(op.op)


@op_model(
    custom_call=(
        "annotate_device_placement",
        "InspectSharding",
        "LayoutConstraint",
        "mhlo.erf",
        "MoveToDevice",
        "MoveToHost",
        "X64SplitHigh",
        "X64SplitLow",
        "xla.megascale.provide_metadata",
        "_SPMDInternalOp_MultiPad",
        "_SPMDInternalOp_MultiRotate",
        "_SPMDInternalOp_MultiSlice",
        "_SPMDInternalOp_RotateRight",
        "_SPMDInternalOp_Wrap",
    )
)
class PointwiseCall(Pointwise):
    """Model of a custom call through which every dimension passes."""


@op_model(
    custom_call=(
        "sdy_testonly",
        "tpu_custom_call",
        "xla_python_cpu_callback",
        "xla_python_gpu_callback",
        "xla_ffi_python_cpu_callback",
        "xla_ffi_python_gpu_callback",
        "xla_ffi_partitioned_python_cpu_callback",
        "xla_ffi_partitioned_python_gpu_callback",
        "xla.debug.Log",
    )
)
class OpaqueCall(OpModel):
    """An unknown custom call; it has no rule and gives no warning."""

    def rule(self, op: OpSignature) -> None:
        del op


@op_model(custom_call=UNINITIALIZED)
class UninitializedCall(OpModel):
    """A call by which JAX makes uninitialized arrays; its sharding follows its users."""

    def rule(self, op: OpSignature) -> None:
        del op

    def extension_rule(self, op: OpSignature) -> ShardingRule:
        """Return the rule for elements without a defined value: each device has its own."""
        rule = RuleBuilder(op)
        for dim, size in enumerate(op.result(0)):
            rule.factor(size, {}, {0: dim})
        return rule.build()

    def unshardable_factors(self, op: ir.Operation, rule: ShardingRule) -> frozenset[int]:
        del op, rule
        return frozenset()

    grows_alike = True


@op_model(custom_call="X64Combine")
class X64Combine(OpModel):
    """Pointwise; the state of a random number generator is replicated and blocked."""

    def rule(self, op: OpSignature) -> ShardingRule | None:
        if not op.look(_is_random_state):
            return pointwise(op)
        rule = RuleBuilder(op)
        rule.align(0, op.result(0)[0], NEED_REPLICATION, blocked=True)
        return rule.build()


@op_model(custom_call=("cu_threefry2x32_ffi", "hip_threefry2x32_ffi"))
class ThreefryCall(OpModel):
    """Model of a custom call through which every dimension passes."""

    def extension_rule(self, op: OpSignature) -> ShardingRule | None:
        return pointwise_of_one_shape(op)


def _is_random_state(op: ir.Operation) -> bool:
    users = (use.owner.operation for result in op.results for use in result.uses)
    return any(user.name == "stablehlo.rng_bit_generator" for user in users)
