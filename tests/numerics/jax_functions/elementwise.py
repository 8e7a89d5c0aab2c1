"""Functions of single elements, with broadcasting."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import jax.scipy.special as special
import numpy as np
from jax import lax

from tests.numerics.jax_functions.registry import (
    add,
    add_moving,
    add_whole,
    cast,
    flags,
    imaginary,
    positive,
    real,
    unit,
    whole,
)

for name in (
    "abs arctan arcsinh cbrt cos deg2rad exp exp2 expm1 fabs nan_to_num negative positive sin sinc sinh square tan "
    "tanh rad2deg"
).split():
    add(f"jnp.{name}", getattr(jnp, name), real(8, 6))

for name in "log log10 log1p log2 reciprocal sqrt arccosh".split():
    function = getattr(jnp, name)
    add(f"jnp.{name}", lambda x, f=function: f(x + 1.0), positive(6, 8))

for name in "arccos arcsin arctanh".split():
    add(f"jnp.{name}", getattr(jnp, name), unit(8, 6))

for name in "ceil floor rint round sign signbit trunc isfinite isnan isinf logical_not".split():
    add_whole(f"jnp.{name}", getattr(jnp, name), real(8, 6))

for name in "add subtract multiply maximum minimum arctan2 copysign fmax fmin hypot logaddexp logaddexp2".split():
    add(f"jnp.{name}", getattr(jnp, name), real(8, 6), real(6))

for name in "equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor".split():
    add_whole(f"jnp.{name}", getattr(jnp, name), whole(3, 8, 1), whole(3, 1, 6))

for name in "bitwise_and bitwise_or bitwise_xor gcd lcm left_shift right_shift floor_divide mod fmod".split():
    add_whole(f"jnp.{name}", getattr(jnp, name), whole(90, 8, 6), whole(9, 8, 1, low=1))

for name in "float_power power divide".split():
    add(f"jnp.{name}", getattr(jnp, name), positive(8, 6), positive(8, 1))

for name in "add sub mul max min".split():
    for dtype in (np.int8, np.uint8, np.int16, np.uint32, jnp.int4):
        add_whole(f"lax.{name}:{np.dtype(dtype)}", getattr(lax, name), *[whole(8, 8, 6, dtype=dtype)] * 2)

for dtype in (jnp.bfloat16, np.float16, jnp.float8_e4m3fn, jnp.float8_e5m2):
    add_whole(f"astype:{np.dtype(dtype)}", lambda x, t=dtype: x.astype(t).astype(jnp.float32), real(8, 6), tolerance=0)
    add_moving(f"transpose:{np.dtype(dtype)}", lambda x: x.T[::-1], cast(dtype, 8, 6), differentiable=False)
for dtype in (jnp.bfloat16, np.float16):
    add(f"softmax:{np.dtype(dtype)}", jax.nn.softmax, cast(dtype, 8, 6), tolerance=0.02)
    add(f"matmul:{np.dtype(dtype)}", jnp.matmul, cast(dtype, 8, 6), cast(dtype, 6, 8), tolerance=0.02)

for name in "conj real imag angle abs exp sin sqrt log square".split():
    add(f"complex.{name}", getattr(jnp, name), imaginary(8, 6))
add("complex.multiply", lambda x, y: x * y / (1 + jnp.abs(y)), imaginary(8, 6), imaginary(6))
add_moving("lax.complex", lax.complex, real(8, 6), real(8, 6))

add("jnp.clip", lambda x: jnp.clip(x, -0.5, 0.5), real(8, 6))
add_whole("jnp.divmod", jnp.divmod, whole(90, 8, 6), whole(9, 6, low=1))
add_whole("jnp.frexp", jnp.frexp, real(8, 6))
add("jnp.modf", jnp.modf, real(8, 6))
add_whole("jnp.heaviside", jnp.heaviside, real(8, 6), real(6))
add("jnp.ldexp", jnp.ldexp, real(8, 6), whole(5, 6))
add_whole("jnp.nextafter", jnp.nextafter, real(8, 6), real(6))
add_whole("jnp.isclose", jnp.isclose, real(8, 6), real(6))
add_moving("jnp.where", jnp.where, flags(8, 1), real(8, 6), real(6))
add_moving("jnp.select", lambda a, b, x, y: jnp.select([a, b], [x, y], 3), flags(8, 6), flags(6), real(8, 6), real(6))
add("jnp.piecewise", lambda x: jnp.piecewise(x, [x < 0, x > 1], [jnp.sin, jnp.cos, jnp.exp]), real(8, 6))
add("jnp.unwrap", lambda x: jnp.unwrap(3 * x), real(8, 6))
add("jnp.i0", jnp.i0, real(8, 6))
add("jnp.vectorize", jnp.vectorize(jnp.dot, signature="(n),(n)->()"), real(8, 6), real(6))
add_whole("jnp.bitwise_count", jnp.bitwise_count, whole(999, 8, 6))
add_whole("lax.clz", lax.clz, whole(999, 8, 6))
add_whole("lax.population_count", lax.population_count, whole(250, 8, 6, dtype=np.uint8))
add_moving(
    "lax.bitcast_convert_type", lambda x: lax.bitcast_convert_type(x, jnp.int32), real(8, 6), differentiable=False
)
add_moving("lax.bitcast:narrow", lambda x: lax.bitcast_convert_type(x, jnp.int8), real(8, 6), differentiable=False)
add_moving("lax.bitcast:wide", lambda x: lax.bitcast_convert_type(x, jnp.int32), whole(99, 8, 6, 4, dtype=np.int8))
add_whole("lax.reduce_precision", lambda x: lax.reduce_precision(x, 5, 7), real(8, 6), tolerance=0)
add("lax.integer_pow", lambda x: lax.integer_pow(x, 3), real(8, 6))
add("lax.rsqrt", lax.rsqrt, positive(8, 6))
add_whole("lax.round", lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN), real(8, 6))
add_whole("lax.clamp", lambda low, x: lax.clamp(low, x, 0.5), real(), real(8, 6))
add("lax.optimization_barrier", lambda x, y: lax.optimization_barrier((x * 2, y + 1)), real(8, 6), real(6))

# Special functions -----------------------------------------------------------------------------------

for name in "digamma gammaln erf erfc expit entr i0e i1 i1e ndtr log_ndtr gamma exp1".split():
    if hasattr(special, name):
        add(f"special.{name}", getattr(special, name), positive(8, 6))
for name in "erfinv logit ndtri".split():
    add(f"special.{name}", getattr(special, name), unit(8, 6))
for name in "betaln gammainc gammaincc kl_div rel_entr xlogy xlog1py beta".split():
    add(f"special.{name}", getattr(special, name), positive(8, 6), positive(6))
add_whole("special.betainc", special.betainc, positive(8, 6), positive(6), unit(8, 1))
add("special.zeta", lambda x: special.zeta(x + 1.5, 2.0), positive(8, 6), tolerance=1e-4)
add("special.polygamma", lambda x: special.polygamma(2, x), positive(8, 6), tolerance=1e-4)
add_whole("special.multigammaln", lambda x: special.multigammaln(x + 3, 2), positive(8, 6))
add_whole("special.expi", special.expi, positive(8, 6))
add_whole("special.spence", special.spence, positive(8, 6))

# Activations -----------------------------------------------------------------------------------------

for name in (
    "relu relu6 sigmoid softplus soft_sign silu log_sigmoid leaky_relu elu celu selu gelu hard_tanh hard_sigmoid "
    "hard_silu squareplus mish sparse_plus"
).split():
    add(f"nn.{name}", getattr(jax.nn, name), real(8, 6))
add("nn.gelu:exact", lambda x: jax.nn.gelu(x, approximate=False), real(8, 6))
add("nn.glu", jax.nn.glu, real(8, 6))
