"""Training steps of networks on images, which are split over `data` by image and over `model` by rows."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from tests.data.programs.networks import lowered, train_step
from tests.data.programs.registry import DATA_MODEL, mesh, program, shape

NUMBERS = ("NHWC", "HWIO", "NHWC")


@program("unet")
def unet() -> jax.stages.Lowered:
    """Down by a strided convolution, up by a transposed one, with group norms and a skip connection."""

    def convolved(x: jax.Array, kernel: jax.Array, stride: int = 1) -> jax.Array:
        return jax.lax.conv_general_dilated(x, kernel, (stride, stride), "SAME", dimension_numbers=NUMBERS)

    def normalized(x: jax.Array) -> jax.Array:
        groups = x.reshape(*x.shape[:3], 4, -1)
        mean = groups.mean((1, 2, 4), keepdims=True)
        variance = ((groups - mean) ** 2).mean((1, 2, 4), keepdims=True)
        return jax.nn.silu((groups - mean) * jax.lax.rsqrt(variance + 1e-5)).reshape(x.shape)

    def loss(kernels: dict[str, jax.Array], images: jax.Array, noise: jax.Array) -> jax.Array:
        fine = convolved(images + noise, kernels["first"])
        fine = fine + convolved(normalized(fine), kernels["fine"])
        coarse = convolved(fine, kernels["down"], stride=2)
        coarse = coarse + convolved(normalized(coarse), kernels["coarse"])
        raised = jax.lax.conv_transpose(coarse, kernels["up"], (2, 2), "SAME", dimension_numbers=NUMBERS)
        found = convolved(normalized(jnp.concatenate([raised, fine], axis=-1)), kernels["last"])
        return ((found - noise) ** 2).mean()

    kernels = {
        "first": shape(3, 3, 3, 16),
        "fine": shape(3, 3, 16, 16),
        "down": shape(3, 3, 16, 32),
        "coarse": shape(3, 3, 32, 32),
        "up": shape(2, 2, 32, 16),
        "last": shape(3, 3, 32, 3),
    }
    batch = [(shape(16, 32, 32, 3), P("data", "model"))] * 2
    return lowered(train_step(loss), mesh(**DATA_MODEL), kernels, dict.fromkeys(kernels, P()), *batch)


@program("vision_transformer", 2)
def vision_transformer(count: int) -> jax.stages.Lowered:
    """Patches by a convolution, two blocks of attention and perceptrons, and a classifier of their mean."""
    width, heads, classes, patch = 64, 4, 10, 4

    def normalized(x: jax.Array) -> jax.Array:
        mean = x.mean(axis=-1, keepdims=True)
        return (x - mean) * jax.lax.rsqrt(x.var(axis=-1, keepdims=True) + 1e-6)

    def attended(x: jax.Array, layer: dict[str, jax.Array]) -> jax.Array:
        q, k, v = (jnp.einsum("btw,whd->bthd", x, layer[name]) for name in ("query", "key", "value"))
        weights = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(width // heads))
        return jnp.einsum("bhqk,bkhd,hdw->bqw", weights, v, layer["out"])

    def loss(parameters: Any, images: jax.Array, labels: jax.Array) -> jax.Array:
        patches = jax.lax.conv_general_dilated(
            images, parameters["patch"], (patch, patch), "VALID", dimension_numbers=NUMBERS
        )
        x = patches.reshape(patches.shape[0], -1, width) + parameters["position"]
        for layer in parameters["layers"]:
            x = x + attended(normalized(x), layer)
            x = x + jax.nn.gelu(normalized(x) @ layer["up"]) @ layer["down"]
        scores = jax.nn.log_softmax(normalized(x).mean(axis=1) @ parameters["classify"])
        return -jnp.take_along_axis(scores, labels[:, None], axis=-1).mean()

    split = {"query": 1, "key": 1, "value": 1, "out": 0, "up": 1, "down": 0}
    shapes = {
        **{name: shape(width, heads, width // heads) for name in ("query", "key", "value")},
        "out": shape(heads, width // heads, width),
        "up": shape(width, 4 * width),
        "down": shape(4 * width, width),
    }
    layer_specs = {name: P(*[None] * dim, "model") for name, dim in split.items()}
    rest = {
        "patch": shape(patch, patch, 3, width),
        "position": shape((32 // patch) ** 2, width),
        "classify": shape(width, classes),
    }
    parameters = {**rest, "layers": [shapes] * count}
    specs = {**dict.fromkeys(rest, P()), "layers": [layer_specs] * count}
    batch = [(shape(16, 32, 32, 3), P("data", "model")), (shape(16, dtype=jnp.int32), P("data"))]
    return lowered(train_step(loss), mesh(**DATA_MODEL), parameters, specs, *batch)
