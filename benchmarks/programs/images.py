"""Programs on images that are split over devices along their height, or by image."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from benchmarks.programs.registry import program
from tests.data.programs.networks import lowered, train_step
from tests.data.programs.registry import DATA_MODEL, mesh, placed, shape

NUMBERS = ("NHWC", "HWIO", "NHWC")
HEIGHT = P(None, "data", None, None)


def _convolved(x: jax.Array, kernel: jax.Array, stride: int = 1) -> jax.Array:
    return jax.lax.conv_general_dilated(x, kernel, (stride, stride), "SAME", dimension_numbers=NUMBERS)


@program("pointwise_convolution")
def pointwise_convolution() -> jax.stages.Lowered:
    """A 1x1 convolution of images that are split along their height, with its gradients."""

    def loss(kernel: jax.Array, images: jax.Array) -> jax.Array:
        return (_convolved(images, kernel) ** 2).sum()

    images = shape(4, 64, 64, 16)
    return lowered(jax.grad(loss, (0, 1)), mesh(data=8), shape(1, 1, 16, 32), P(), (images, HEIGHT))


@program("pointwise_convolution_1d")
def pointwise_convolution_1d() -> jax.stages.Lowered:
    """A convolution by a kernel of one element along a sequence that is split."""

    def loss(kernel: jax.Array, x: jax.Array) -> jax.Array:
        numbers = ("NWC", "WIO", "NWC")
        return (jax.lax.conv_general_dilated(x, kernel, (1,), "SAME", dimension_numbers=numbers) ** 2).sum()

    x = shape(4, 256, 16)
    return lowered(jax.grad(loss, (0, 1)), mesh(data=8), shape(1, 16, 32), P(), (x, P(None, "data", None)))


@program("kernel_gradient_of_few_rows")
def kernel_gradient_of_few_rows() -> jax.stages.Lowered:
    """The gradient of a 3x3 kernel over images of eight rows, four on each device."""

    def loss(kernel: jax.Array, images: jax.Array) -> jax.Array:
        return (_convolved(images, kernel) ** 2).sum()

    images = (shape(4, 8, 8, 16), P("data", "model", None, None))
    return lowered(train_step(loss), mesh(**DATA_MODEL), shape(3, 3, 16, 16), P(), images)


@program("unet_along_height", devices={"data": 8}, at=HEIGHT)
@program("unet_along_height_4x2", devices=DATA_MODEL, at=P("data", "model", None, None))
def unet_along_height(*, devices: dict[str, int], at: P) -> jax.stages.Lowered:
    """Two levels with residual blocks whose channels are changed by 1x1 convolutions, trained."""

    def normalized(x: jax.Array) -> jax.Array:
        groups = x.reshape(*x.shape[:3], 4, -1)
        mean, variance = (f(groups, axis=(1, 2, 4), keepdims=True) for f in (jnp.mean, jnp.var))
        return jax.nn.silu((groups - mean) * jax.lax.rsqrt(variance + 1e-5)).reshape(x.shape)

    def block(x: jax.Array, p: dict[str, jax.Array]) -> jax.Array:
        h = _convolved(normalized(x), p["first"])
        return _convolved(normalized(h), p["second"]) + _convolved(x, p["skip"])

    def loss(p: Any, images: jax.Array, noise: jax.Array) -> jax.Array:
        x = _convolved(images + noise, p["enter"])
        fine = block(x, p["fine"])
        coarse = block(_convolved(fine, p["down"], stride=2), p["coarse"])
        raised = jax.lax.conv_transpose(coarse, p["up"], (2, 2), "SAME", dimension_numbers=NUMBERS)
        x = block(jnp.concatenate([raised, fine], axis=-1), p["joined"])
        return ((_convolved(normalized(x), p["leave"]) - noise) ** 2).mean()

    def of_block(a: int, b: int) -> dict[str, Any]:
        return {"first": shape(3, 3, a, b), "second": shape(3, 3, b, b), "skip": shape(1, 1, a, b)}

    parameters = {
        "enter": shape(3, 3, 4, 16),
        "fine": of_block(16, 16),
        "down": shape(3, 3, 16, 32),
        "coarse": of_block(32, 32),
        "up": shape(2, 2, 32, 16),
        "joined": of_block(32, 16),
        "leave": shape(3, 3, 16, 4),
    }
    specs = jax.tree.map(lambda _: P(), parameters)
    batch = [(shape(4, 64, 32, 4), at)] * 2
    return lowered(train_step(loss), mesh(**devices), parameters, specs, *batch)


@program("resnet", at=P("data"))
@program("resnet_along_height", at=HEIGHT)
def resnet(*, at: P) -> jax.stages.Lowered:
    """Bottleneck blocks with batch norms behind a strided convolution and a pooling, and a classifier, trained."""

    def normalized(x: jax.Array) -> jax.Array:
        mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
        return (x - mean) * jax.lax.rsqrt(variance + 1e-5)

    def block(x: jax.Array, p: dict[str, jax.Array], stride: int) -> jax.Array:
        h = jax.nn.relu(normalized(_convolved(x, p["narrow"])))
        h = jax.nn.relu(normalized(_convolved(h, p["middle"], stride)))
        return jax.nn.relu(normalized(_convolved(h, p["widen"])) + normalized(_convolved(x, p["skip"], stride)))

    def loss(p: Any, images: jax.Array, labels: jax.Array) -> jax.Array:
        x = jax.nn.relu(normalized(_convolved(images, p["enter"], stride=2)))
        x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
        for number, layer in enumerate(p["blocks"]):
            x = block(x, layer, 1 + number % 2)
        scores = jax.nn.log_softmax(x.mean((1, 2)) @ p["classify"])
        return -jnp.take_along_axis(scores, labels[:, None], axis=-1).mean()

    def of_block(a: int, b: int) -> dict[str, Any]:
        return {
            "narrow": shape(1, 1, a, b // 4),
            "middle": shape(3, 3, b // 4, b // 4),
            "widen": shape(1, 1, b // 4, b),
            "skip": shape(1, 1, a, b),
        }

    parameters = {
        "enter": shape(7, 7, 3, 16),
        "blocks": [of_block(16, 32), of_block(32, 64)],
        "classify": shape(64, 10),
    }
    specs = jax.tree.map(lambda _: P(), parameters)
    labels = (shape(8, dtype=jnp.int32), P("data") if at == P("data") else P())
    return lowered(train_step(loss), mesh(data=8), parameters, specs, (shape(8, 64, 64, 3), at), labels)


@program("average_pooling", size=2)
@program("overlapping_average_pooling", size=3)
def average_pooling(*, size: int) -> jax.stages.Lowered:
    """The gradient of an image that is pooled along its height and width."""

    def loss(scale: jax.Array, images: jax.Array) -> jax.Array:
        window, strides = (1, size, size, 1), (1, 2, 2, 1)
        return (jax.lax.reduce_window(images * scale, 0.0, jax.lax.add, window, strides, "SAME") ** 2).sum()

    return lowered(jax.grad(loss, (0, 1)), mesh(data=8), shape(16), P(), (shape(4, 32, 32, 16), HEIGHT))


@program("nearest_upsampling")
def nearest_upsampling() -> jax.stages.Lowered:
    """Images that are enlarged by their nearest points and convolved, as in diffusion models, trained."""
    on = mesh(data=8)

    def loss(kernel: jax.Array, images: jax.Array) -> jax.Array:
        made = jax.image.resize(images, (4, 64, 64, 16), "nearest")
        return (_convolved(jax.lax.with_sharding_constraint(made, placed(on, HEIGHT)), kernel) ** 2).sum()

    return lowered(train_step(loss), on, shape(3, 3, 16, 16), P(), (shape(4, 32, 32, 16), HEIGHT))
