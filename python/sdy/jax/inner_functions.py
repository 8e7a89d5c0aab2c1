"""sdy functions inside a larger program: named computations are lowered as such.

Inside of a program that XLA partitions, functions of `sdy.jax.jit` are partitioned by XLA, too, with a warning.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict, Unpack

from jax.interpreters import mlir

from sdy.hidden_frames import warn
from sdy.jax.annotations.named_computations import lower_computation
from sdy.jax.compile_option import Options, computation_in, partitioner_in
from sdy.jax_internals import pjit

if TYPE_CHECKING:
    from jax.extend.core import Jaxpr
    from jax.extend.mlir import ir

    from sdy.jax_internals import IrValues


class _More(TypedDict):
    """Other parameters of an inner function, passed on unchanged."""

    in_shardings: object
    out_shardings: object
    in_layouts: object
    out_layouts: object
    donated_invars: object
    ctx_mesh: object
    keep_unused: bool
    inline: object


_names: weakref.WeakKeyDictionary[ir.Module, str] = weakref.WeakKeyDictionary()
"""By module that JAX lowered: the name of a function in it that `sdy.jax.jit` made."""


def warn_of_inner_functions(module: ir.Module) -> None:
    """Warns, at the user's line, about a function of ours in a module that XLA partitions."""
    name = _names.get(module)
    if name is not None:
        warn(
            f"{name} becomes part of a program that XLA partitions; use sdy.jax.jit or sdy.jax.partitioned() "
            "for the outermost program"
        )


def lower_inner_function(
    context: mlir.LoweringRuleContext,
    *arguments: ir.Value,
    name: str,
    jaxpr: Jaxpr,
    compiler_options_kvs: Options,
    **more: Unpack[_More],
) -> Sequence[IrValues]:
    """Lower a jitted function inside of a program: a named computation as such, any other as JAX does."""
    computation = computation_in(compiler_options_kvs)
    # What is exported goes through passes of XLA, which know none.
    if computation is not None and not context.module_context.lowering_parameters.for_export:
        return lower_computation(context, computation, jaxpr, arguments)
    if partitioner_in(compiler_options_kvs) is not None and not _is_local(context.module_context.axis_context):
        _names.setdefault(context.module_context.module, name)
    return pjit._pjit_lowering(
        context, *arguments, name=name, jaxpr=jaxpr, compiler_options_kvs=compiler_options_kvs, **more
    )


def _is_local(axes: object) -> bool:
    """Return whether the program of one device is being lowered, as inside `jax.shard_map`."""
    return isinstance(axes, mlir.SPMDAxisContext) and axes.manual_axes == frozenset(axes.mesh.axis_names)


mlir.register_lowering(pjit.jit_p, lower_inner_function, cacheable=False)
