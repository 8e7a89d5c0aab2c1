"""Opcodes in XLA's parser: their attributes, and native asynchronous forms.

Reading and printing HLO need no table. These tables list opcodes that are not sugar, sugar that crashes XLA's parser,
and forms that XLA rejects (spec: async, 2.2, 2.5, 3).
"""

from __future__ import annotations

import re

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
"""Opcodes with native asynchronous forms: XLA's verifier rejects them wrapped (seed, S23)."""

UNWRAPPABLE = frozenset({*ASYNC, *NATIVE_STARTS, *NATIVE_DONES, "parameter", "constant"} - {"send", "recv"})
"""Opcodes that sugar cannot wrap: no operations, or asynchronous ones."""

GO_BETWEENS = frozenset({"tuple", "get-tuple-element", "copy", "opt-barrier", "while"})
"""Opcodes that XLA admits on the way of a bundle from start to done."""

_OPCODES = """
abs add add-dependency after-all all-gather-done all-reduce-done and atan2 bitcast bitcast-convert ceil clamp
    collective-permute-done complex constant convert copy copy-done count-leading-zeros divide dynamic-reshape
    dynamic-update-slice floor imag is-finite maximum minimum multiply negate not opt-barrier or parameter
    partition-id popcnt power real remainder replica-id round-nearest-afz round-nearest-even select shift-left
    shift-right-arithmetic shift-right-logical sign stochastic-convert subtract tuple xor:
acos acosh asin asinh atanh cbrt cosh cosine erf exp2 exponential exponential-minus-one log log-plus-one log2 logistic
    rsqrt sine sinh sqrt tan tanh: result_accuracy
all-gather: channel_id constrain_layout dimensions! replica_groups use_global_device_ids
all-gather-start: channel_id constrain_layout dimensions replica_groups use_global_device_ids
all-reduce: channel_id constrain_layout mode replica_groups to_apply! use_global_device_ids
all-reduce-start: channel_id constrain_layout mode replica_groups to_apply use_global_device_ids
all-to-all: channel_id constrain_layout dimensions replica_groups
batch-norm-grad batch-norm-inference batch-norm-training: epsilon! feature_index!
broadcast concatenate get-dimension-size reverse set-dimension-size transpose: dimensions!
call: is_composite to_apply!
cholesky: lower
collective-broadcast: channel_id has_dynamic_root replica_groups
collective-permute: channel_id slice_sizes source_target_pairs!
collective-permute-start: channel_id slice_sizes source_target_pairs
compare: direction! order type
conditional: branch_computations false_computation true_computation
convolution: algorithm batch_group_count block_scaling_config convolution_kind dim_labels! feature_group_count
    operand_precision sparsity_config window
copy-start: cross_program_prefetch_index
custom-call: api_version batch_group_count called_computations custom_call_has_side_effect custom_call_target!
    dim_labels feature_group_count literal operand_layout_constraints operand_precision output_to_operand_aliasing
    padding_type schedule to_apply window
domain: domain!
dot: algorithm block_scaling_config lhs_batch_dims lhs_contracting_dims operand_precision rhs_batch_dims
    rhs_contracting_dims sparsity_config
dynamic-slice: dynamic_slice_sizes!
fft: fft_length! fft_type!
fusion: calls! kind! output_to_operand_aliasing
gather: collapsed_slice_dims! index_vector_dim! indices_are_sorted offset_dims! operand_batching_dims slice_sizes!
    start_index_map! start_indices_batching_dims
get-tuple-element: index!
infeed: infeed_config
iota: iota_dimension!
map: dimensions to_apply!
outfeed: outfeed_config outfeed_shape
pad: padding!
ragged-all-to-all: channel_id dimensions replica_groups
ragged-dot: lhs_batch_dims lhs_contracting_dims lhs_ragged_dims operand_precision rhs_batch_dims rhs_contracting_dims
    rhs_group_dims
recv recv-done send send-done: channel_id is_host_transfer
reduce: dimensions! to_apply!
reduce-precision: exponent_bits! mantissa_bits!
reduce-scatter: channel_id constrain_layout dimensions! mode replica_groups to_apply! use_global_device_ids
reduce-window: to_apply! window
reshape: inferred_dimension
rng: distribution!
rng-bit-generator: algorithm!
rng-get-and-update-state: delta!
scaled-dot: algorithm lhs_batch_dims lhs_contracting_dims operand_precision rhs_batch_dims rhs_contracting_dims
scan: dimensions! is_associative is_reverse num_carries to_apply!
scatter: index_vector_dim! indices_are_sorted input_batching_dims inserted_window_dims! scatter_dims_to_operand_dims!
    scatter_indices_batching_dims to_apply! unique_indices update_window_dims!
select-and-scatter: scatter! select! window
slice: slice!
sort: dimensions! is_stable to_apply!
topk: is_stable k! largest
triangular-solve: left_side lower transpose_a unit_diagonal
while: body! condition!
"""
"""Opcodes and the attributes that they may have besides the common ones; those with `!` are required."""

_ROWS = [
    (opcode, names.split())
    for opcodes, _, names in (row.partition(":") for row in re.split(r"\n(?! )", _OPCODES.strip()))
    for opcode in opcodes.split()
]

ATTRIBUTES = {opcode: frozenset(name.rstrip("!") for name in names) for opcode, names in _ROWS}
"""The opcodes of XLA, asynchronous ones aside, and the attributes that each may have besides the common ones."""

REQUIRED = {opcode: frozenset(name.rstrip("!") for name in names if name.endswith("!")) for opcode, names in _ROWS}
"""Attributes without which XLA does not read an instruction."""


def start_only(opcode: str) -> frozenset[str]:
    """Attributes in an opcode's sugar that only the start has."""
    return START_ONLY if ALIASING in ATTRIBUTES.get(opcode, ()) else START_ONLY | {ALIASING}
