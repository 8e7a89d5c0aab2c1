"""Linear algebra, normalization, Fourier transform and random bits."""

from __future__ import annotations

from random import Random

from tests.generators.op_families.draw import shape, size
from tests.generators.op_instances import OpInstance, array, generator, tensor


@generator("stablehlo.cholesky")
def cholesky(rng: Random, kind: str) -> OpInstance:
    order = size(rng)
    type_ = tensor([*shape(rng, 0, 2), order, order])
    return OpInstance(kind, [type_], [type_], "lower = true")


@generator("stablehlo.triangular_solve")
def triangular_solve(rng: Random, kind: str) -> OpInstance:
    batch, order, other = shape(rng, 0, 2), size(rng), size(rng)
    left = rng.random() < 0.5
    b = tensor([*batch, order, other] if left else [*batch, other, order])
    transpose = rng.choice(["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
    attributes = (
        f"left_side = {str(left).lower()}, lower = true, unit_diagonal = false, "
        f"transpose_a = #stablehlo<transpose {transpose}>"
    )
    return OpInstance(kind, [tensor([*batch, order, order]), b], [b], attributes)


@generator("stablehlo.batch_norm_inference")
def batch_norm_inference(rng: Random, kind: str) -> OpInstance:
    sizes = shape(rng, 1)
    feature = rng.randrange(len(sizes))
    attributes = f"epsilon = 0.1 : f32, feature_index = {feature} : i64"
    return OpInstance(kind, [tensor(sizes), *[tensor([sizes[feature]])] * 4], [tensor(sizes)], attributes)


@generator("stablehlo.fft")
def fft(rng: Random, kind: str) -> OpInstance:
    sizes = [extent or 1 for extent in shape(rng, 1)]
    count = rng.randint(1, min(3, len(sizes)))
    halved = [*sizes[:-1], sizes[-1] // 2 + 1]
    form = rng.choice(["FFT", "IFFT", "RFFT", "IRFFT"])
    operand, result = {
        "RFFT": (tensor(sizes), tensor(halved, "complex<f32>")),
        "IRFFT": (tensor(halved, "complex<f32>"), tensor(sizes)),
    }.get(form, (tensor(sizes, "complex<f32>"),) * 2)
    attributes = f"fft_type = #stablehlo<fft_type {form}>, fft_length = {array(sizes[-count:])}"
    return OpInstance(kind, [operand], [result], attributes)


@generator("stablehlo.rng_bit_generator")
def rng_bit_generator(rng: Random, kind: str) -> OpInstance:
    state = tensor([rng.choice([2, 3])], "ui64")
    attributes = "rng_algorithm = #stablehlo<rng_algorithm DEFAULT>"
    return OpInstance(kind, [state], [state, tensor(shape(rng), "ui32")], attributes)
