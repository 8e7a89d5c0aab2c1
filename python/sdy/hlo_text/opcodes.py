"""What XLA's parser knows of opcodes: their attributes, and which have asynchronous forms of their own.

No table is needed to read or print HLO. These say what is no sugar, which sugar XLA's parser would crash on, and what
XLA rejects (spec: async, 2.2, 2.5, 3).
"""

from __future__ import annotations

COMMON = frozenset(
    "backend_config control-predecessors frontend_attributes metadata origin parameter_replication sharding "
    "statistics".split()
)
"""Attributes that any instruction may have."""

START_ONLY = frozenset("async_execution_thread control-predecessors parameter_replication sharding".split())
"""Attributes in sugar that are those of the start alone."""

SHARED = frozenset("backend_config frontend_attributes metadata origin statistics".split())
"""Attributes in sugar that both the start and the wrapped instruction have."""

CALLING = frozenset(
    "calls to_apply body condition branch_computations true_computation false_computation called_computations select "
    "scatter".split()
)
"""Attributes whose value names computations."""

CONTROL = "control-predecessors"
"""The attribute whose value names instructions."""

THREAD = "async_execution_thread"
ALIASING = "output_to_operand_aliasing"
"""In sugar an attribute of the start, unless the wrapped opcode has it. XLA prints it so, and does not read it."""

MAIN_THREAD = "main"

LITERAL_OPCODES = frozenset({"constant", "parameter"})
"""Opcodes with something else than operands in their parentheses."""

ASYNC = frozenset({"async-start", "async-update", "async-done"})

NATIVE_STARTS = {
    "all-gather-start": "all-gather-done",
    "all-reduce-start": "all-reduce-done",
    "collective-permute-start": "collective-permute-done",
    "copy-start": "copy-done",
    "send": "send-done",
    "recv": "recv-done",
}
"""Starts with forms of their own, and the dones that belong to them."""

NATIVE_DONES = {done: start for start, done in NATIVE_STARTS.items()}

NATIVELY_ASYNC = frozenset({"all-gather", "all-reduce", "collective-permute", "copy", "send", "recv"})
"""What those forms make asynchronous: XLA's verifier is not to find them wrapped (seed, S23)."""

UNWRAPPABLE = frozenset({*ASYNC, *NATIVE_STARTS, *NATIVE_DONES, "parameter", "constant"} - {"send", "recv"})
"""What sugar cannot wrap: no operation, or one that is asynchronous already."""

GO_BETWEENS = frozenset({"tuple", "get-tuple-element", "copy", "opt-barrier", "while"})
"""What XLA lets a bundle pass on its way from start to done."""

_REQUIRED = {
    "all-gather": "dimensions",
    "all-reduce": "to_apply",
    "batch-norm-grad": "epsilon feature_index",
    "batch-norm-inference": "epsilon feature_index",
    "batch-norm-training": "epsilon feature_index",
    "broadcast": "dimensions",
    "call": "to_apply",
    "collective-permute": "source_target_pairs",
    "compare": "direction",
    "concatenate": "dimensions",
    "convolution": "dim_labels",
    "custom-call": "custom_call_target",
    "domain": "domain",
    "dynamic-slice": "dynamic_slice_sizes",
    "fft": "fft_type fft_length",
    "fusion": "calls kind",
    "gather": "offset_dims collapsed_slice_dims start_index_map index_vector_dim slice_sizes",
    "get-dimension-size": "dimensions",
    "get-tuple-element": "index",
    "iota": "iota_dimension",
    "map": "to_apply",
    "pad": "padding",
    "reduce": "to_apply dimensions",
    "reduce-precision": "exponent_bits mantissa_bits",
    "reduce-scatter": "to_apply dimensions",
    "reduce-window": "to_apply",
    "reverse": "dimensions",
    "rng": "distribution",
    "rng-bit-generator": "algorithm",
    "rng-get-and-update-state": "delta",
    "scan": "to_apply dimensions",
    "scatter": "to_apply update_window_dims inserted_window_dims scatter_dims_to_operand_dims index_vector_dim",
    "select-and-scatter": "select scatter",
    "set-dimension-size": "dimensions",
    "slice": "slice",
    "sort": "dimensions to_apply",
    "topk": "k",
    "transpose": "dimensions",
    "while": "condition body",
}

_OPCODES: tuple[tuple[str, str], ...] = (
    (
        "abs add add-dependency after-all all-gather-done all-reduce-done and atan2 bitcast bitcast-convert ceil "
        "clamp collective-permute-done complex constant convert copy copy-done count-leading-zeros divide "
        "dynamic-reshape dynamic-update-slice floor imag is-finite maximum minimum multiply negate not "
        "opt-barrier or parameter partition-id popcnt power real remainder replica-id round-nearest-afz "
        "round-nearest-even select shift-left shift-right-arithmetic shift-right-logical sign stochastic-convert "
        "subtract tuple xor",
        "",
    ),
    (
        "rng-bit-generator",
        "algorithm",
    ),
    (
        "copy-start",
        "cross_program_prefetch_index",
    ),
    (
        "rng-get-and-update-state",
        "delta",
    ),
    (
        "broadcast concatenate get-dimension-size reverse set-dimension-size transpose",
        "dimensions",
    ),
    (
        "rng",
        "distribution",
    ),
    (
        "domain",
        "domain",
    ),
    (
        "dynamic-slice",
        "dynamic_slice_sizes",
    ),
    (
        "get-tuple-element",
        "index",
    ),
    (
        "infeed",
        "infeed_config",
    ),
    (
        "reshape",
        "inferred_dimension",
    ),
    (
        "iota",
        "iota_dimension",
    ),
    (
        "cholesky",
        "lower",
    ),
    (
        "pad",
        "padding",
    ),
    (
        "acos acosh asin asinh atanh cbrt cosh cosine erf exp2 exponential exponential-minus-one log log-plus-one "
        "log2 logistic rsqrt sine sinh sqrt tan tanh",
        "result_accuracy",
    ),
    (
        "slice",
        "slice",
    ),
    (
        "while",
        "body condition",
    ),
    (
        "recv recv-done send send-done",
        "channel_id is_host_transfer",
    ),
    (
        "map reduce",
        "dimensions to_apply",
    ),
    (
        "batch-norm-grad batch-norm-inference batch-norm-training",
        "epsilon feature_index",
    ),
    (
        "reduce-precision",
        "exponent_bits mantissa_bits",
    ),
    (
        "fft",
        "fft_length fft_type",
    ),
    (
        "call",
        "is_composite to_apply",
    ),
    (
        "outfeed",
        "outfeed_config outfeed_shape",
    ),
    (
        "reduce-window",
        "to_apply window",
    ),
    (
        "conditional",
        "branch_computations false_computation true_computation",
    ),
    (
        "fusion",
        "calls kind output_to_operand_aliasing",
    ),
    (
        "ragged-all-to-all",
        "channel_id dimensions replica_groups",
    ),
    (
        "collective-broadcast",
        "channel_id has_dynamic_root replica_groups",
    ),
    (
        "collective-permute collective-permute-start",
        "channel_id slice_sizes source_target_pairs",
    ),
    (
        "sort",
        "dimensions is_stable to_apply",
    ),
    (
        "compare",
        "direction order type",
    ),
    (
        "topk",
        "is_stable k largest",
    ),
    (
        "select-and-scatter",
        "scatter select window",
    ),
    (
        "all-to-all",
        "channel_id constrain_layout dimensions replica_groups",
    ),
    (
        "triangular-solve",
        "left_side lower transpose_a unit_diagonal",
    ),
    (
        "all-gather all-gather-start",
        "channel_id constrain_layout dimensions replica_groups use_global_device_ids",
    ),
    (
        "scan",
        "dimensions is_associative is_reverse num_carries to_apply",
    ),
    (
        "scaled-dot",
        "algorithm lhs_batch_dims lhs_contracting_dims operand_precision rhs_batch_dims rhs_contracting_dims",
    ),
    (
        "all-reduce all-reduce-start",
        "channel_id constrain_layout mode replica_groups to_apply use_global_device_ids",
    ),
    (
        "reduce-scatter",
        "channel_id constrain_layout dimensions mode replica_groups to_apply use_global_device_ids",
    ),
    (
        "ragged-dot",
        "lhs_batch_dims lhs_contracting_dims lhs_ragged_dims operand_precision rhs_batch_dims "
        "rhs_contracting_dims rhs_group_dims",
    ),
    (
        "dot",
        "algorithm block_scaling_config lhs_batch_dims lhs_contracting_dims operand_precision rhs_batch_dims "
        "rhs_contracting_dims sparsity_config",
    ),
    (
        "gather",
        "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims operand_batching_dims slice_sizes "
        "start_index_map start_indices_batching_dims",
    ),
    (
        "convolution",
        "algorithm batch_group_count block_scaling_config convolution_kind dim_labels feature_group_count "
        "operand_precision sparsity_config window",
    ),
    (
        "scatter",
        "index_vector_dim indices_are_sorted input_batching_dims inserted_window_dims "
        "scatter_dims_to_operand_dims scatter_indices_batching_dims to_apply unique_indices update_window_dims",
    ),
    (
        "custom-call",
        "api_version batch_group_count called_computations custom_call_has_side_effect custom_call_target "
        "dim_labels feature_group_count literal operand_layout_constraints operand_precision "
        "output_to_operand_aliasing padding_type schedule to_apply window",
    ),
)

ATTRIBUTES: dict[str, frozenset[str]] = {
    opcode: frozenset(attributes.split()) for opcodes, attributes in _OPCODES for opcode in opcodes.split()
}
"""The opcodes of XLA, asynchronous ones aside, and the attributes that each may have besides the common ones."""

REQUIRED: dict[str, frozenset[str]] = {opcode: frozenset(names.split()) for opcode, names in _REQUIRED.items()}
"""Attributes without which XLA does not read an instruction."""


def start_only(opcode: str) -> frozenset[str]:
    """Attributes in the sugar of an opcode that are those of the start alone."""
    return START_ONLY if ALIASING in ATTRIBUTES.get(opcode, ()) else START_ONLY | {ALIASING}
