"""Declarations, shape functions and verifiers of the ops, one file for each family.

The file of an op is loaded when it is asked for: a program has ops of few families.
"""

from functools import lru_cache
from importlib import import_module

_REST = {"stablehlo": "elementwise", "chlo": "clients.chlo"}
"""The family of those ops of a dialect that stand in no other."""

_OPS = {
    "batch_norm": "batch_norm_grad batch_norm_inference batch_norm_training",
    "broadcasting": "broadcast broadcast_in_dim reshape reverse transpose",
    "calls": "composite custom_call",
    "clients.ragged_dot": "chlo.ragged_dot",
    "clients.scan": "chlo.scan",
    "collectives": "all_gather all_to_all collective_broadcast collective_permute",
    "control_flow": "case if optimization_barrier return while",
    "conversions_of_bits": "bitcast_convert",
    "convolution": "convolution dynamic_conv",
    "dot": "dot dot_general",
    "dynamic_shapes": """
        dynamic_broadcast_in_dim dynamic_iota dynamic_pad dynamic_reshape get_dimension_size set_dimension_size
    """,
    "einsum": "einsum torch_index_select unary_einsum",
    "gather": "dynamic_gather gather",
    "linear_algebra": "cholesky fft triangular_solve",
    "reducing_collectives": "all_reduce collective_reduce reduce_scatter",
    "reduction": "map reduce reduce_window",
    "scatter": "scatter",
    "select_and_scatter": "select_and_scatter",
    "slicing": "concatenate dynamic_slice dynamic_update_slice pad real_dynamic_slice slice",
    "sorting": "sort",
    "sources": "constant iota rng rng_bit_generator",
    "tokens": """
        after_all async_done async_start create_token get_tuple_element infeed outfeed partition_id recv replica_id send
        tuple
    """,
}
"""The ops of each other family, without a dialect those of StableHLO."""

_FAMILIES = {
    name if "." in name else f"stablehlo.{name}": family for family, names in _OPS.items() for name in names.split()
}


def file_of(name: str) -> str | None:
    """The file with what the package knows of the op with that full name; None if it is of another dialect."""
    return _FAMILIES.get(name) or _REST.get(name.partition(".")[0])


@lru_cache(maxsize=1024)
def load_family_of(name: str) -> None:
    """Loads what the package knows of the op with that full name, and waits for it where another thread does."""
    file = file_of(name)
    if file is not None:
        import_module(f"{__name__}.{file}")


def load_all() -> None:
    """Loads what the package knows of all ops."""
    for file in (*_REST.values(), *_OPS):
        import_module(f"{__name__}.{file}")
