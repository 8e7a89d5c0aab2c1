"""Functions of ours inside of a larger program: named computations are lowered as such.

Those of `sdy.jax.jit` inside of a program that XLA partitions are partitioned by XLA, too, which the user is told.
"""

from __future__ import annotations

import weakref
from typing import Any

from jax._src import pjit
from jax.interpreters import mlir

from sdy.hidden_frames import warn
from sdy.jax.compile_option import computation_in, partitioner_in
from sdy.jax.named_computations import lower_computation

_names: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()
"""By module that JAX lowered: the name of a function in it that `sdy.jax.jit` made."""


def warn_of_inner_functions(module: Any) -> None:
    """Warns, at the user's line, if there is a function of ours in a module that is left to XLA."""
    name = _names.get(module)
    if name is not None:
        warn(
            f"{name} becomes part of a program that XLA partitions; use sdy.jax.jit or sdy.jax.partitioned() "
            "for the outermost program"
        )


def _lower(context: Any, *arguments: Any, **params: Any) -> Any:
    name = computation_in(params["compiler_options_kvs"])
    # What is exported goes through passes of XLA, which know none.
    if name is not None and not context.module_context.lowering_parameters.for_export:
        return lower_computation(context, name, params["jaxpr"], arguments)
    if partitioner_in(params["compiler_options_kvs"]) is not None and not _is_local(
        context.module_context.axis_context
    ):
        _names.setdefault(context.module_context.module, params["name"])
    return pjit._pjit_lowering(context, *arguments, **params)


def _is_local(axes: Any) -> bool:
    """Whether what is lowered is the program of one device already, as inside of `jax.shard_map`."""
    return isinstance(axes, mlir.SPMDAxisContext) and axes.manual_axes == frozenset(axes.mesh.axis_names)


mlir.register_lowering(pjit.jit_p, _lower, cacheable=False)
