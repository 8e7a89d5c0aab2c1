"""Functions that move data: shapes, slices, pads, gathers and scatters."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tests.numerics.jax_functions.registry import add, add_moving, add_whole, distinct, flags, imaginary, real, whole

for name in "ravel transpose flip fliplr flipud rot90 triu tril atleast_3d diagonal squeeze".split():
    add_moving(f"jnp.{name}", getattr(jnp, name), real(8, 6))
for shape in ((6, 8), (2, 4, 6), (8, 2, 3), (48,), (3, 16), (4, 12), (1, 8, 1, 6), (2, 2, 2, 6)):
    add_moving(f"jnp.reshape:{'x'.join(map(str, shape))}", lambda x, s=shape: x.reshape(s), real(8, 6))
add_moving("jnp.reshape:uneven", lambda x: x.reshape(7, 2, 5).reshape(70).reshape(5, 14), real(14, 5))
add_moving("jnp.reshape:column_major", lambda x: x.reshape(6, 8, order="F"), real(8, 6))
for order in ((2, 0, 1), (1, 0, 2), (2, 1, 0)):
    add_moving(f"jnp.transpose:{order[0]}{order[1]}{order[2]}", lambda x, o=order: x.transpose(o), real(8, 6, 5))
add_moving("jnp.moveaxis", lambda x: jnp.moveaxis(x, 0, -1), real(8, 6, 4))
add_moving("jnp.swapaxes", lambda x: jnp.swapaxes(x, 0, 2), real(8, 6, 4))
add_moving("jnp.expand_dims", lambda x: jnp.expand_dims(x, (0, 2)), real(8, 6))
add_moving("jnp.broadcast_to", lambda x: jnp.broadcast_to(x, (4, 8, 6)), real(8, 1))
add_moving("jnp.broadcast_arrays", jnp.broadcast_arrays, real(8, 1), real(1, 6))
add_moving("jnp.meshgrid", lambda a, b: jnp.meshgrid(a, b, indexing="ij"), real(8), real(6))
for name in "concatenate stack hstack vstack dstack column_stack block".split():
    function = getattr(jnp, name)
    add_moving(f"jnp.{name}", lambda a, b, f=function: f([a, b]), real(8, 6), real(8, 6))
add_moving("jnp.concatenate:uneven", lambda a, b, c: jnp.concatenate([a, b, c], 1), real(8, 3), real(8, 6), real(8, 4))
add_moving("jnp.append", jnp.append, real(8, 6), real(5))
add_moving("jnp.split", lambda x: jnp.split(x, [1, 5], axis=0), real(8, 6))
add_moving("jnp.array_split", lambda x: jnp.array_split(x, 3), real(8, 6))
add_moving("jnp.tile", lambda x: jnp.tile(x, (2, 3)), real(8, 3))
add_moving("jnp.repeat", lambda x: (jnp.repeat(x, 3, axis=0), jnp.repeat(x, 2)), real(8, 3))
add_moving("jnp.repeat:counts", lambda x, n: jnp.repeat(x, n, axis=0, total_repeat_length=16), real(8, 3), whole(4, 8))
add_moving("jnp.roll", lambda x: (jnp.roll(x, 3, 0), jnp.roll(x, -1, 1), jnp.roll(x, 7)), real(8, 6))
add_moving("jnp.roll:both", lambda x: jnp.roll(x, (2, 5), (0, 1)), real(8, 6))
add_moving("jnp.roll:dynamic", lambda x, n: jnp.roll(x, n, 0), real(8, 6), whole(20, low=-20))
for mode in "constant edge reflect symmetric wrap maximum mean linear_ramp".split():
    add(f"jnp.pad:{mode}", lambda x, m=mode: jnp.pad(x, ((2, 3), (1, 0)), mode=m), distinct(8, 6))
add_moving("lax.pad:interior", lambda x: lax.pad(x, 1.5, ((1, 2, 1), (-1, 0, 2))), real(8, 6))
add_moving("lax.pad:cropped", lambda x: lax.pad(x, 0.0, ((-2, -1, 0), (3, -2, 0))), real(8, 6))
add_moving("jnp.resize", lambda x: jnp.resize(x, (5, 7)), real(8, 6))
add_moving("jnp.diag", lambda x: (jnp.diag(x[0]), jnp.diag(x, 1)), real(8, 6))
add("jnp.trace", jnp.trace, real(8, 6))
add("jnp.kron", jnp.kron, real(4, 2), real(2, 4))
add("jnp.vander", lambda x: jnp.vander(x, 4), real(8))
add_moving("lax.rev", lambda x: lax.rev(x, (0, 1)), real(8, 6))
add_moving("lax.collapse", lambda x: lax.collapse(x, 0, 2), real(8, 3, 4))
add_moving("lax.broadcast", lambda x: lax.broadcast(x, (2, 4)), real(8))
add_moving("lax.broadcasted_iota", lambda x: x + lax.broadcasted_iota(x.dtype, (8, 6), 1), real(8, 6))
add_moving("jnp.eye", lambda x: x + jnp.eye(8, 6, 1), real(8, 6))
add_moving("jnp.tri", lambda x: x * jnp.tri(8, 6), real(8, 6))
add_moving("jnp.zeros_like", lambda x: (jnp.zeros_like(x), jnp.full_like(x, 2), jnp.ones((3, 8))), real(8, 6))
add_moving("complex.moves", lambda x: (x.T, x[::-1, 1:4], jnp.pad(x, 1)), imaginary(8, 6), differentiable=False)
add_moving("flags.moves", lambda x: (x.T, x[::-1, 1:4], jnp.pad(x, 1), jnp.roll(x, 3, 0)), flags(8, 6))
add_moving("empty", lambda x: (x[:0], jnp.concatenate([x, x[:0]]), jnp.sum(x[:0]), jnp.zeros((0, 8)) + 1), real(8, 6))

# Indices ---------------------------------------------------------------------------------------------

for text in ("x[2]", "x[:, -1]", "x[1:7:2]", "x[::3, ::-1]", "x[5:2:-1, 1:]", "x[..., None, 2]", "x[3:4]", "x[6:, :3]"):
    add_moving(text, eval(f"lambda x: {text}"), real(8, 6))
add_moving("x[i]", lambda x, i: x[i], real(8, 6), whole(8, 5, low=-8))
add_moving("x[:, i]", lambda x, i: x[:, i], real(8, 6), whole(6, 4))
add_moving("x[i, j]", lambda x, i, j: x[i, j], real(8, 6), whole(8, 5), whole(6, 5))
add_moving("x[i, :, j]", lambda x, i, j: x[i, :, j], real(8, 6, 4), whole(8, 2, 3), whole(4, 3))
add_moving("x[arange, i]", lambda x, i: x[jnp.arange(8), i], real(8, 6), whole(6, 8, low=-6))
add_moving("x[i, arange]", lambda x, i: x[i, jnp.arange(6)], real(8, 6), whole(8, 6))
add_moving(
    "x[arange, arange, i]", lambda x, i: x[jnp.arange(8)[:, None], jnp.arange(6), i], real(8, 6, 4), whole(4, 8, 6)
)
add_moving("x[arange, i]:fill", lambda x, i: x.at[jnp.arange(8), i].get(mode="fill"), real(8, 6), whole(9, 8))
add_moving("x[arange, :, i]", lambda x, i: x[jnp.arange(8), :, i], real(8, 6, 4), whole(4, 8))
add_moving("x[arange, arange]", lambda x: x[jnp.arange(6), jnp.arange(6)], real(6, 6))
add_moving("x[ij]", lambda x, i: x[i], real(8, 6), whole(8, 4, 2))
add_moving("x[mask]", lambda x, m: jnp.where(m, x, 0)[jnp.nonzero(m, size=9)], real(8, 6), flags(8, 6))
add_moving("x[scalar]", lambda x, i: x[i, 1:4], real(8, 6), whole(8))
for mode in ("clip", "wrap", "fill"):
    add_moving(
        f"jnp.take:{mode}",
        lambda x, i, m=mode: jnp.take(x, i, axis=0, mode=m, fill_value=7),
        real(8, 6),
        whole(12, 4, low=-12),
    )
add_moving("jnp.take:1", lambda x, i: jnp.take(x, i, axis=1), real(8, 6), whole(6, 3, 2))
for axis in (0, 1):
    add_moving(
        f"jnp.take_along_axis:{axis}", lambda x, i, d=axis: jnp.take_along_axis(x, i, d), real(8, 6), whole(6, 8, 6)
    )
add_moving("jnp.choose", lambda i, x: jnp.choose(i, [x, 2 * x, -x], mode="clip"), whole(3, 8, 6), real(8, 6))
add_moving("jnp.compress", lambda m, x: jnp.compress(m, x, axis=0, size=5), flags(8), real(8, 6))
add_moving("jnp.extract", lambda m, x: jnp.extract(m, x, size=20), flags(8, 6), real(8, 6))
add_moving("jnp.delete", lambda x: jnp.delete(x, np.array([1, 5]), axis=0), real(8, 6))
add_moving("jnp.insert", lambda x: jnp.insert(x, 3, 9.0, axis=0), real(8, 6))
add_moving("jnp.tril_indices", lambda x: x[jnp.tril_indices(6)], real(8, 6))
add_moving("lax.dynamic_slice", lambda x, i, j: lax.dynamic_slice(x, (i, j), (3, 6)), real(8, 6), whole(8), whole(6))
add_moving("lax.dynamic_index", lambda x, i: lax.dynamic_index_in_dim(x, i, 1), real(8, 6), whole(6))
add_moving(
    "lax.dynamic_update_slice", lambda x, u, i: lax.dynamic_update_slice(x, u, (i, i)), real(8, 6), real(3, 2), whole(8)
)
add_moving(
    "lax.dynamic_update_slice:rows",
    lambda x, u, i: lax.dynamic_update_slice(x, u, (i, 0)),
    real(8, 6),
    real(1, 6),
    whole(8),
)
for rows in (1, 2):
    add_moving(
        f"lax.dynamic_update_slice:batch{rows}",
        jax.vmap(lambda x, u, i: lax.dynamic_update_slice(x, u, (i, 0))),
        real(4, 8, 6),
        real(4, rows, 6),
        whole(9, 4, low=-9),
    )
add_moving("lax.slice_in_dim", lambda x: lax.slice_in_dim(x, 1, 8, 3), real(8, 6))

for operation in "set add multiply min max".split():
    linear = operation in ("set", "add")
    add(
        f"at.{operation}:rows",
        lambda x, i, u, o=operation: getattr(x.at[i], o)(u, unique_indices=True),
        distinct(8, 6),
        lambda rng: rng.permutation(8)[:5].astype("int32"),
        real(5, 6),
        differentiable=linear,
    )
    add(
        f"at.{operation}:slice",
        lambda x, u, o=operation: getattr(x.at[1:7:2, 2:5], o)(u),
        distinct(8, 6),
        real(3),
        differentiable=linear,
    )
add("at.add:repeated", lambda x, i, u: x.at[i].add(u), real(8, 6), whole(8, 12), real(12, 6))
add("at.add:columns", lambda x, i, u: x.at[:, i].add(u), real(8, 6), whole(6, 12), real(8, 12))
add("at.add:counted", lambda x, i, u: x.at[jnp.arange(8), i].add(u), real(8, 6), whole(6, 8), real(8))
add("at.set:counted", lambda x, i, u: x.at[jnp.arange(8), i].set(u), real(8, 6, 4), whole(9, 8), real(8, 4))
add("at.add:pairs", lambda x, i, j, u: x.at[i, j].add(u), real(8, 6), whole(8, 12), whole(6, 12), real(12))
add("at.add:dropped", lambda x, i, u: x.at[i].add(u, mode="drop"), real(8, 6), whole(16, 12), real(12, 6))
add("at.get:fill", lambda x, i: x.at[i].get(mode="fill", fill_value=0), real(8, 6), whole(16, 12))
add_whole("at.max:repeated", lambda x, i, u: x.at[i].max(u), real(8, 6), whole(8, 12), real(12, 6))
add_whole("at.min:repeated", lambda x, i, u: x.at[:, i].min(u), real(8, 6), whole(6, 12), real(8, 12))
add_whole("at.mul:repeated", lambda x, i, u: x.at[i].mul(u), real(8, 6), whole(8, 12), real(12, 6))
add_whole("at.apply", lambda x, i: x.at[i].apply(jnp.sin), real(8, 6), whole(8, 3))
add(
    "jnp.put_along_axis",
    lambda x, u: jnp.put_along_axis(x, jnp.argmax(x, 1, keepdims=True), u, 1, inplace=False),
    distinct(8, 6),
    real(8, 1),
)
add("ops.segment_sum", lambda x, i: jax.ops.segment_sum(x, i, 5), real(24, 3), whole(5, 24))
for name in "segment_max segment_min segment_prod".split():
    function = getattr(jax.ops, name)
    add_whole(f"ops.{name}", lambda x, i, f=function: f(x, i, 4), real(24, 3), whole(4, 24))
add_whole("nn.one_hot", lambda i: jax.nn.one_hot(i, 6), whole(6, 8, 2))
