"""Shardings of values, function edges and parts of programs, as users of JAX write them.

Shardings with all features of the dialect, the functions that take them, and the primitives by which JAX traces and
lowers them. `sdy.jax.context` and `sdy.jax.partitioner` process the lowered program.
"""
