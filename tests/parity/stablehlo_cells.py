"""Where our inference and verification differ from the registered dialect on purpose.

Each cell is a row of docs/differences.md. A difference that no cell describes fails the comparison.
"""

from __future__ import annotations

import re

_BODIES = (
    "(reduce_c6|reduce_window_c13|all_reduce_c5|reduce_scatter_c7|collective_reduce_c4|scatter_c23|"
    "select_and_scatter_c10)"
)

REFUSED: dict[str, str] = {
    r"broadcast_\w+_(c2|i\d|results)": "operands that cannot be broadcast: the dialect gives types without rank",
    r"(polygamma|zeta|next_after|constant_like|top_k)_i\d": "CHLO's ops on tensors without a rank",
    r"add_c3|dot_general_c17|convolution_c31": "signed and unsigned integers are different storage types",
    r"all_gather_c6|reduce_scatter_c[189]": "the factor is the size of the groups",
    r"(all_gather_c5|all_reduce_c4|reduce_scatter_c6|collective_reduce_channel)": "global ids need a channel",
    r"batch_norm_\w+_c[357]": "all operands with one dimension fit the feature dimension",
    r"bitcast_convert_c1": "types of equal width have one shape",
    r"compare_c3": "the kind of comparison fits the element type",
    r"dot_general_c(11|13)|convolution_c24|dot_i3": "element types are equal; precisions are two or none",
    r"dynamic_broadcast_in_dim_c[67]|dynamic_iota_c[12]": "the shape operand has one entry per dimension",
    r"dynamic_broadcast_in_dim_c5|dynamic_pad_c4": "sizes that are known are compared also where others are not",
    r"dynamic_conv_\w+": "windows and result shape are checked also where the padding is not known",
    r"(reduce|reduce_window|scatter)_i1": "as many initial values or updates as inputs",
    rf"{_BODIES}: .* is not promotable to .*": "floats are promoted to wider ones only, booleans to booleans",
    rf"{_BODIES}: its body takes numbers of .*": "the body takes what it returns",
    r"scatter_c6|select_and_scatter_c[139]": "one element type, of one precision",
    r"dynamic_(broadcast_in_dim|reshape)_c1": "quantized element types are compared as well",
    r"reduce_c2|reduce_window_c3": "initial values have the element types of the inputs",
    r"(send|recv)_c[1-4]": "pairs of processes have sources and targets once each",
    r"ragged_dot_c16": "a size that only rhs has is that of the result",
    r"top_k_c2": "a negative number of elements",
    r"rng_bit_generator_c[12]": "states of one type, of the size that the algorithm has",
    r"(unary_)?einsum_c[1-5]|torch_index_select_c[1-5]": "the dialect checks nothing; what XLA refuses or gives",
    r"rng_c3": "a negative size",
    r"scan_c[3-6]": "bounds of the inputs, element types of carried values and results, arguments without a rank",
}
"""Constraints that we check and the dialect does not, some only with what they say of it, and why."""

ADMITTED: dict[str, str] = {
    r"'stablehlo.collective_broadcast' op (expected 1 operand|requires (a single|one) (operand|result))": "1.20",
    r"'chlo.scan' op operand and body argument \d+ are incompatible": "bounds of a slice are those of its dimensions",
    r"group_sizes is expected to have shape .*-9223372036854775808": "a size that is not known fits any",
}
"""What the dialect says where it refuses what we admit, and why we do."""

OTHER_TYPES: dict[str, str] = {
    r"chlo\.broadcast_\w+": "bounds are kept, and static sizes merge with bounded ones",
    r"stablehlo\.transpose": "the axis of a quantized type moves along",
}
"""Ops that we infer other types for, and why."""


def is_recorded_refusal(error: str) -> bool:
    """Whether an error of ours, the constraint and what is said of it, is one that the dialect does not make."""
    constraint = error.partition(":")[0]
    return any(re.fullmatch(pattern, error if ": " in pattern else constraint) for pattern in REFUSED)


def is_recorded_admission(message: str) -> bool:
    return any(re.search(pattern, message) for pattern in ADMITTED)


_BOUNDS_OF_NOTHING = re.compile(r"tensor<(?![?\d])[^,]*, #stablehlo\.bounds")


def has_recorded_types(name: str, theirs: str) -> bool:
    """Whether other types than theirs are recorded; scalars that keep the bounds of indices are no valid types."""
    is_gather = name.endswith("gather") and _BOUNDS_OF_NOTHING.search(theirs) is not None
    return is_gather or any(re.fullmatch(pattern, name) for pattern in OTHER_TYPES)
