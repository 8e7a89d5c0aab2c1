"""Shardings of values, function edges and parts of programs, as users of JAX write them.

Shardings with all that the dialect has, the functions that take them, and the primitives by which JAX traces and lowers
them. What becomes of a lowered program is above (`sdy.jax.context`, `sdy.jax.partitioner`).
"""
