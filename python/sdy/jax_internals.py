"""All of JAX's private modules (`jax._src`) that the package uses, and nothing else.

JAX may change these names in any version. `NEEDED` lists the used names of each module, with their parameters;
`tests/unit/jax/test_jax_internals.py` checks it against the installed JAX, so a new version that moves a name fails
there, by name. All other modules of the package import from here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax._src import (
    compilation_cache,
    compiler,
    config,
    custom_partitioning,
    dispatch,
    distributed,
    effects,
    pjit,
    sharding_impls,
    source_info_util,
    traceback_util,
)
from jax._src.core import Primitive
from jax._src.interpreters import ad, mlir
from jax._src.interpreters.mlir import LoweringParameters
from jax._src.lru_cache import LRUCache
from jax._src.stages import SourceInfo
from jax._src.util import register_cache

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax._src.interpreters.batching import AxisData
    from jax._src.interpreters.mlir import IrValues

__all__ = [
    "NEEDED",
    "NEEDED_ITSELF",
    "NEEDED_OF_CACHES",
    "AxisData",
    "IrValues",
    "LRUCache",
    "LoweringParameters",
    "Primitive",
    "SourceInfo",
    "compilation_cache",
    "compiler",
    "config",
    "custom_partitioning",
    "dispatch",
    "distributed",
    "effects",
    "mlir",
    "pjit",
    "register_cache",
    "sharding_impls",
    "source_info_util",
    "traceback_util",
    "transpose_rules_of_jit",
]

NEEDED: dict[str, dict[str, tuple[str, ...]]] = {
    "compilation_cache": {"CacheVerificationError": (), "is_cache_used": ("backend",)},
    "compiler": {
        "compile_or_get_cached": ("backend", "computation", "devices", "compile_options", "host_callbacks"),
    },
    "config": {
        "compilation_cache_check_contents": (),
        "compilation_cache_dir": (),
        "compilation_cache_include_metadata_in_key": (),
        "compilation_cache_max_size": (),
        "enable_compilation_cache": (),
        "persistent_cache_min_compile_time_secs": (),
        "persistent_cache_min_entry_size_bytes": (),
        "raise_persistent_cache_errors": (),
        "use_shardy_partitioner": (),
    },
    "custom_partitioning": {
        "_custom_partitioning_partition": (
            "arg_shapes",
            "arg_shardings",
            "result_shape",
            "result_sharding",
            "backend_string",
        ),
    },
    "dispatch": {"get_intermediate_shardings": ()},
    "distributed": {"global_state": ()},
    "effects": {"ordered_effects": ()},
    "mlir": {
        "IrValues": (),
        "LoweringRuleContext": (),
        "TokenSet": (),
        "ir_consts": ("consts", "avals"),
        "jaxpr_subcomp": ("ctx", "jaxpr", "name_stack", "tokens", "consts_for_constvars", "args", "dim_var_values"),
        "lower_with_sharding_in_types": ("ctx", "op", "aval"),
    },
    "pjit": {
        "PjitParams": (),
        "_infer_params": ("fun", "ji", "args", "kwargs"),
        "_pjit_lowering": ("ctx", "args", "name", "jaxpr"),
        "jit_p": (),
        "jit_trace": ("jit_func", "args", "kwargs"),
    },
    "sharding_impls": {"parse_flatten_op_sharding": ("hlo_sharding", "mesh")},
    "source_info_util": {"register_exclusion": ("path",)},
    "traceback_util": {"api_boundary": ("fun",), "include_frame": ("f",), "register_exclusion": ("path",)},
}
"""By imported module: the attributes in use, each with the parameters that its signature begins with."""

NEEDED_ITSELF: dict[str, tuple[str, ...]] = {
    "LRUCache": ("path", "max_size", "lock_timeout_secs"),
    "LoweringParameters": ("override_lowering_rules",),
    "Primitive": ("name",),
    "SourceInfo": ("source_info", "eqn_name"),
    "register_cache": ("cache", "for_what"),
}
"""By imported class or function: the parameters that its signature begins with."""

NEEDED_OF_CACHES = ("eviction_enabled", "lock", "lock_timeout_secs", "max_size", "path", "_evict_if_needed")
"""Attributes of an `LRUCache` that its subclass uses."""


def transpose_rules_of_jit() -> tuple[dict[Primitive, Callable], Primitive]:
    """Return JAX's table with the rule for transposing jitted functions, and their primitive.

    Raises:
      ImportError: no table has one.
    """
    for name in ("fancy_transposes", "primitive_transposes"):
        rules = getattr(ad, name, {})
        if pjit.jit_p in rules:
            return rules, pjit.jit_p
    raise ImportError("this JAX has no rule that transposes jitted functions")
