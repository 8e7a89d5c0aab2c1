"""Trace functions of `sdy.jax.jit` as `jax.jit` does, once for both.

JAX's two functions that trace are replaced by ones that call them and add three things. Traces inside and outside of
`partitioned` are the same. A function with our option (`compile_option`) may become part of a larger program. The
stages of a function of ours are of our own classes.
"""

from __future__ import annotations

import functools

import jax

from sdy.hidden_frames import hidden, hide
from sdy.jax.call_arguments import PyTree
from sdy.jax.compile_option import Carried, has_ours, partitioner_in
from sdy.jax.context import is_active, outside
from sdy.jax.stages import Traced
from sdy.jax_internals import pjit


def install_tracing() -> None:
    """Replace JAX's functions by ours. Raises `ImportError` for a JAX with others."""
    infer, trace = (getattr(pjit, name, None) for name in ("_infer_params", "jit_trace"))
    if infer is None or trace is None:
        raise ImportError(f"sdy.jax does not know how JAX {jax.__version__} traces; it knows JAX 0.10.2 to 0.12.0")

    @functools.wraps(infer)
    def _infer_params(*args: object, **named: object) -> tuple[pjit.PjitParams, list[jax.typing.ArrayLike]]:
        if is_active():
            with outside():
                inferred, flat = infer(*args, **named)
        else:
            inferred, flat = infer(*args, **named)
        # JAX keeps the parameters and hands them out again, so this is done once.
        options = inferred.params["compiler_options_kvs"]
        if options and has_ours(options):
            inferred.params["compiler_options_kvs"] = Carried(options)
        return inferred, flat

    @hidden
    @functools.wraps(trace)
    def jit_trace(function: jax.stages.Wrapped, /, *args: PyTree, **named: PyTree) -> jax.stages.Traced:
        traced = trace(function, *args, **named)
        partitioner = partitioner_in(traced._params["compiler_options_kvs"])
        return traced if partitioner is None else Traced.of(traced, partitioner)

    pjit._infer_params = _infer_params
    pjit.jit_trace = jit_trace
    hide()
