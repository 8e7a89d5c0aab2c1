"""Declarations, shape functions and verifiers of the ops, one file for each family.

The file of an op is loaded at its first use, since a program has ops of few families.
"""

from functools import lru_cache
from importlib import import_module

_REST = {"stablehlo": "elementwise", "chlo": "chlo"}
"""The family of those ops of a dialect that stand in no other."""

_OPS = {
    "broadcasting": "bitcast_convert broadcast broadcast_in_dim reshape reverse transpose",
    "calls": "case composite custom_call if optimization_barrier return while",
    "collectives": """
        all_gather all_reduce all_to_all collective_broadcast collective_permute collective_reduce reduce_scatter
    """,
    "convolution": "convolution dynamic_conv",
    "dot": "dot dot_general",
    "dynamic_shapes": """
        dynamic_broadcast_in_dim dynamic_iota dynamic_pad dynamic_reshape get_dimension_size set_dimension_size
    """,
    "linear_algebra": """
        batch_norm_grad batch_norm_inference batch_norm_training cholesky einsum fft torch_index_select triangular_solve
        unary_einsum
    """,
    "reduction": "map reduce reduce_window select_and_scatter sort",
    "scatter": "dynamic_gather gather scatter",
    "slicing": "concatenate dynamic_slice dynamic_update_slice pad real_dynamic_slice slice",
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
    """Return the module that registers the op with that full name; None for another dialect."""
    return _FAMILIES.get(name) or _REST.get(name.partition(".")[0])


@lru_cache(maxsize=1024)
def load_family_of(name: str) -> None:
    """Load the package's knowledge of the op with that full name; wait if another thread is loading it."""
    file = file_of(name)
    if file is not None:
        import_module(f"{__name__}.{file}")


def load_all() -> None:
    """Load the package's knowledge of all ops."""
    for file in (*_REST.values(), *_OPS):
        import_module(f"{__name__}.{file}")
