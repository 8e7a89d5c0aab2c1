"""Public functions whose arguments cannot be found by trying: how they are called, or why they are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

Shaped = jax.ShapeDtypeStruct

MATRIX, ROW = Shaped((8, 8), jnp.float32), Shaped((8,), jnp.float32)
COUNTS, INDICES = Shaped((8,), jnp.int32), Shaped((8, 1), jnp.int32)
IMAGES, KERNEL = Shaped((4, 4, 8, 8), jnp.float32), Shaped((8, 4, 3, 3), jnp.float32)
KEY = Shaped((), jax.random.key(0).dtype)

_ROWS = lax.ScatterDimensionNumbers((1,), (0,), (0,))
_TAKEN = lax.GatherDimensionNumbers((1,), (0,), (0,))

WRITTEN: dict[str, tuple[Callable[..., Any], tuple[Shaped, ...]]] = {
    "jax.numpy.apply_over_axes": (lambda x: jnp.apply_over_axes(jnp.sum, x, (0,)), (MATRIX,)),
    "jax.numpy.apply_along_axis": (lambda x: jnp.apply_along_axis(jnp.sort, 0, x), (MATRIX,)),
    "jax.numpy.fill_diagonal": (lambda x: jnp.fill_diagonal(x, 0.0, inplace=False), (MATRIX,)),
    "jax.numpy.flatnonzero": (lambda x: jnp.flatnonzero(x, size=8), (MATRIX,)),
    "jax.numpy.fromfunction": (lambda x: jnp.fromfunction(lambda i, j: x[0, 0] + i * j, (8, 8)), (MATRIX,)),
    "jax.numpy.frompyfunc": (lambda x: jnp.frompyfunc(jnp.add, 2, 1, identity=0).reduce(x), (MATRIX,)),
    "jax.numpy.intersect1d": (lambda x, y: jnp.intersect1d(x, y, size=8), (COUNTS, COUNTS)),
    "jax.numpy.place": (lambda x, y: jnp.place(x, x > 0, y, inplace=False), (MATRIX, ROW)),
    "jax.numpy.put": (lambda x, i, y: jnp.put(x, i, y, inplace=False), (MATRIX, COUNTS, ROW)),
    "jax.numpy.ravel_multi_index": (lambda i: jnp.ravel_multi_index((i, i), (8, 8), mode="clip"), (COUNTS,)),
    "jax.numpy.setdiff1d": (lambda x, y: jnp.setdiff1d(x, y, size=8), (COUNTS, COUNTS)),
    "jax.numpy.setxor1d": (lambda x, y: jnp.setxor1d(x, y, size=8), (COUNTS, COUNTS)),
    **{
        f"jax.numpy.unique_{name}": (lambda x, f=name: getattr(jnp, f"unique_{f}")(x, size=8), (COUNTS,))
        for name in ("all", "counts", "inverse", "values")
    },
    "jax.lax.conv": (lambda x, k: lax.conv(x, k, (1, 1), "SAME"), (IMAGES, KERNEL)),
    "jax.lax.conv_general_dilated": (lambda x, k: lax.conv_general_dilated(x, k, (2, 1), "SAME"), (IMAGES, KERNEL)),
    "jax.lax.conv_general_dilated_local": (
        lambda x, k: lax.conv_general_dilated_local(x, k, (1, 1), "SAME", (3, 3)),
        (IMAGES, Shaped((8, 36, 8, 8), jnp.float32)),
    ),
    "jax.lax.conv_general_dilated_patches": (
        lambda x: lax.conv_general_dilated_patches(x, (3, 3), (1, 1), "SAME"),
        (IMAGES,),
    ),
    "jax.lax.conv_transpose": (
        lambda x, k: lax.conv_transpose(x, k, (2, 2), "SAME", dimension_numbers=("NCHW", "OIHW", "NCHW")),
        (IMAGES, KERNEL),
    ),
    "jax.lax.conv_with_general_padding": (
        lambda x, k: lax.conv_with_general_padding(x, k, (1, 1), ((1, 1), (1, 1)), (1, 1), (1, 1)),
        (IMAGES, KERNEL),
    ),
    "jax.lax.dot_general": (lambda x, y: lax.dot_general(x, y, (((1,), (0,)), ((), ()))), (MATRIX, MATRIX)),
    "jax.lax.full_like": (lambda x: lax.full_like(x, 2.0) + x, (MATRIX,)),
    "jax.lax.gather": (lambda x, i: lax.gather(x, i, _TAKEN, (1, 8)), (MATRIX, INDICES)),
    "jax.lax.index_take": (lambda x, i: lax.index_take(x, i[None], (0,)), (MATRIX, COUNTS)),
    "jax.lax.ragged_dot_general": (
        lambda x, y, s: lax.ragged_dot_general(
            x, y, s, lax.RaggedDotDimensionNumbers((((0,), (0,)), ((), ())), [0], [])
        ),
        (MATRIX, MATRIX, COUNTS),
    ),
    **{
        f"jax.lax.scatter{name}": (
            lambda x, i, y, f=name: getattr(lax, f"scatter{f}")(x, i, y, _ROWS),
            (MATRIX, INDICES, MATRIX),
        )
        for name in ("", "_add", "_max", "_min", "_mul", "_sub")
    },
    "jax.lax.scatter_apply": (
        lambda x, i: lax.scatter_apply(x, i, jnp.sin, _ROWS, update_shape=(8, 8)),
        (MATRIX, INDICES),
    ),
    "jax.lax.rng_bit_generator": (
        lambda k: lax.rng_bit_generator(k, (8, 8)),
        (Shaped((4,), jnp.uint32),),
    ),
    "jax.lax.squeeze": (lambda x: lax.squeeze(x[None], (0,)), (MATRIX,)),
    "jax.lax.platform_dependent": (lambda x: lax.platform_dependent(x, default=jnp.sin), (MATRIX,)),
    "jax.nn.scaled_dot_general": (lambda x, y: jax.nn.scaled_dot_general(x, y, (((2,), (2,)), ((0,), (0,)))), ()),
    "jax.numpy.linalg.tensorinv": (lambda x: jnp.linalg.tensorinv(x, ind=1), (Shaped((8, 2, 4), jnp.float32),)),
    "jax.random.fold_in": (lambda k, i: jax.random.fold_in(k, i[0]), (KEY, COUNTS)),
    "jax.random.generalized_normal": (lambda k, x: jax.random.generalized_normal(k, 2.0, (8, 8)) + x, (KEY, MATRIX)),
}

_SHAPES = "computes shapes, types or settings, not arrays"
_CONSTANT = "makes constants"
_FILES = "reads or writes files, or what is no array"
_MANUAL = "takes the name of an axis: in manual computations, which are not partitioned"

NOT_CALLED: dict[str, str] = {
    **dict.fromkeys(
        (
            f"jax.numpy.{name}"
            for name in (
                "array_repr array_str broadcast_shapes can_cast einsum_path get_printoptions printoptions "
                "promote_types result_type set_printoptions mask_indices vectorize "
                "iscomplexobj isdtype isscalar issubdtype"
            ).split()
        ),
        _SHAPES,
    ),
    **dict.fromkeys(
        (
            f"jax.lax.{name}"
            for name in (
                "axis_size broadcast_shapes conv_dimension_numbers conv_general_permutations conv_general_shape_tuple "
                "conv_shape_tuple conv_transpose_shape_tuple dtype padtype_to_pads reduce_window_shape_tuple pcast "
                "with_sharding_constraint"
            ).split()
        ),
        _SHAPES,
    ),
    "jax.nn.get_scaled_dot_general_config": _SHAPES,
    "jax.nn.scaled_dot_general": "needs a kernel of cuDNN",
    **dict.fromkeys(
        (f"jax.random.{name}" for name in "PRNGKey key key_dtype key_impl wrap_key_data".split()), _CONSTANT
    ),
    **dict.fromkeys(
        (f"jax.numpy.{name}" for name in "arange bartlett blackman hamming hanning kaiser trim_zeros".split()),
        _CONSTANT,
    ),
    **dict.fromkeys((f"jax.lax.{name}" for name in "full iota rng_uniform".split()), _CONSTANT),
    **dict.fromkeys(
        (f"jax.numpy.{name}" for name in "from_dlpack frombuffer fromfile fromiter fromstring load save savez".split()),
        _FILES,
    ),
    **dict.fromkeys(
        (
            f"jax.lax.{name}"
            for name in (
                "all_gather all_to_all axis_index pbroadcast pmax pmean pmin ppermute pshuffle psum psum_scatter "
                "psum_scatter_start pswapaxes ragged_all_to_all all_gather_start all_to_all_start ppermute_start "
                "psum_start all_gather_done"
            ).split()
        ),
        _MANUAL,
    ),
    **dict.fromkeys(
        (f"jax.lax.{name}" for name in "after_all composite custom_linear_solve custom_root dce_sink".split()),
        "what it lowers to is what the functions it is given do",
    ),
}
