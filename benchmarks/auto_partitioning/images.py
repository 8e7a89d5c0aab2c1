"""Networks on images: a few convolutions, ResNet-50, and the U-Net of a diffusion model."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from benchmarks.auto_partitioning.program import Program, Put, shape, training


def _convolved(x: jax.Array, kernel: jax.Array, stride: int = 1) -> jax.Array:
    numbers = ("NHWC", "HWIO", "NHWC")
    return jax.lax.conv_general_dilated(x, kernel, (stride, stride), "SAME", dimension_numbers=numbers)


def _loss_of(logits: jax.Array, targets: jax.Array) -> jax.Array:
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * jax.nn.one_hot(targets, 1000), axis=-1))


def cnn(batch: int = 256, size: int = 64, channels: tuple[int, ...] = (3, 64, 128, 256)) -> Program:
    def loss(parameters: Any, data: Any, put: Put) -> jax.Array:
        x = put("features", data["inputs"])
        for kernel in parameters["kernels"]:
            x = put("features", jax.nn.relu(_convolved(x, kernel, 2)))
        return _loss_of(jnp.mean(x, axis=(1, 2)) @ parameters["head"], data["targets"])

    kernels = [shape(3, 3, a, b) for a, b in zip(channels, channels[1:], strict=False)]
    data = {"inputs": shape(batch, size, size, channels[0]), "targets": shape(batch, dtype=jnp.int32)}
    return training("cnn", loss, {"kernels": kernels, "head": shape(channels[-1], 1000)}, data)


def resnet(batch: int = 256, size: int = 224, blocks: tuple[int, ...] = (3, 4, 6, 3)) -> Program:
    """ResNet-50: bottlenecks with batch norms of the whole batch."""

    def normed(x: jax.Array, scale: jax.Array, offset: jax.Array) -> jax.Array:
        mean = jnp.mean(x, axis=(0, 1, 2))
        variance = jnp.mean(x * x, axis=(0, 1, 2)) - mean * mean
        return (x - mean) * (jax.lax.rsqrt(variance + 1e-5) * scale) + offset

    def layer_of(x: jax.Array, p: Any, stride: int = 1) -> jax.Array:
        return normed(_convolved(x, p["kernel"], stride), p["scale"], p["offset"])

    def block(x: jax.Array, p: Any, stride: int) -> jax.Array:
        h = jax.nn.relu(layer_of(x, p["narrow"]))
        h = jax.nn.relu(layer_of(h, p["middle"], stride))
        skipped = layer_of(x, p["skip"], stride) if "skip" in p else x
        return jax.nn.relu(layer_of(h, p["widen"]) + skipped)

    def loss(parameters: Any, data: Any, put: Put) -> jax.Array:
        x = put("features", jax.nn.relu(layer_of(put("features", data["inputs"]), parameters["enter"], 2)))
        x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
        for stage, layers in enumerate(parameters["stages"]):
            for number, layer in enumerate(layers):
                x = put("features", block(x, layer, 2 if stage and not number else 1))
        return _loss_of(jnp.mean(x, axis=(1, 2)) @ parameters["head"], data["targets"])

    def layer(kernel: int, a: int, b: int) -> dict[str, Any]:
        return {"kernel": shape(kernel, kernel, a, b), "scale": shape(b), "offset": shape(b)}

    def bottleneck(a: int, b: int, first: bool) -> dict[str, Any]:
        found = {"narrow": layer(1, a, b // 4), "middle": layer(3, b // 4, b // 4), "widen": layer(1, b // 4, b)}
        return {**found, "skip": layer(1, a, b)} if first else found

    stages, width = [], 64
    for stage, count in enumerate(blocks):
        out = 256 * 2**stage
        stages.append([bottleneck(width if not number else out, out, not number) for number in range(count)])
        width = out
    parameters = {"enter": layer(7, 3, 64), "stages": stages, "head": shape(width, 1000)}
    data = {"inputs": shape(batch, size, size, 3), "targets": shape(batch, dtype=jnp.int32)}
    return training("resnet", loss, parameters, data)


def unet(batch: int = 32, size: int = 128, channels: tuple[int, ...] = (128, 256, 512)) -> Program:
    """Residual blocks with group norms on each level, attention on the coarsest, and skip connections."""
    heads = 8

    def normed(x: jax.Array, scale: jax.Array) -> jax.Array:
        groups = x.reshape(*x.shape[:3], 32, -1)
        mean = jnp.mean(groups, axis=(1, 2, 4), keepdims=True)
        variance = jnp.mean(groups * groups, axis=(1, 2, 4), keepdims=True) - mean * mean
        return ((groups - mean) * jax.lax.rsqrt(variance + 1e-5)).reshape(x.shape) * scale

    def block(x: jax.Array, p: Any, put: Put) -> jax.Array:
        h = _convolved(jax.nn.silu(normed(x, p["norm1"])), p["first"])
        h = _convolved(jax.nn.silu(normed(put("features", h), p["norm2"])), p["second"])
        return put("features", h + _convolved(x, p["skip"]))

    def attended(x: jax.Array, p: Any, put: Put) -> jax.Array:
        h = normed(x, p["norm"]).reshape(x.shape[0], -1, x.shape[-1])
        q, k, v = (put("heads", jnp.einsum("bsm,mhd->bshd", h, p[name])) for name in ("query", "key", "value"))
        weights = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(q.shape[-1]), axis=-1)
        found = jnp.einsum("bqhd,hdm->bqm", jnp.einsum("bhqk,bkhd->bqhd", weights, v), p["out"])
        return put("features", x + found.reshape(x.shape))

    def loss(parameters: Any, data: Any, put: Put) -> jax.Array:
        x = put("features", _convolved(put("features", data["inputs"] + data["noise"]), parameters["enter"]))
        kept = []
        for level in parameters["down"]:
            x = block(x, level["block"], put)
            kept.append(x)
            x = put("features", _convolved(x, level["halve"], 2))
        x = block(attended(block(x, parameters["before"], put), parameters["attention"], put), parameters["after"], put)
        for level, skipped in zip(parameters["up"], reversed(kept), strict=True):
            numbers = ("NHWC", "HWIO", "NHWC")
            x = jax.lax.conv_transpose(x, level["double"], (2, 2), "SAME", dimension_numbers=numbers)
            x = block(jnp.concatenate([put("features", x), skipped], axis=-1), level["block"], put)
        found = _convolved(jax.nn.silu(normed(x, parameters["norm"])), parameters["leave"])
        return jnp.mean((found - data["noise"]) ** 2)

    def of_block(a: int, b: int) -> dict[str, Any]:
        kernels = {"first": shape(3, 3, a, b), "second": shape(3, 3, b, b), "skip": shape(1, 1, a, b)}
        return {**kernels, "norm1": shape(a), "norm2": shape(b)}

    deepest = channels[-1]
    pairs = list(zip(channels, channels[1:], strict=False))
    parameters = {
        "enter": shape(3, 3, 3, channels[0]),
        "down": [{"block": of_block(a, a), "halve": shape(3, 3, a, b)} for a, b in pairs],
        "before": of_block(deepest, deepest),
        "attention": {
            **{name: shape(deepest, heads, deepest // heads) for name in ("query", "key", "value")},
            "out": shape(heads, deepest // heads, deepest),
            "norm": shape(deepest),
        },
        "after": of_block(deepest, deepest),
        "up": [{"double": shape(2, 2, b, a), "block": of_block(2 * a, a)} for a, b in reversed(pairs)],
        "norm": shape(channels[0]),
        "leave": shape(3, 3, channels[0], 3),
    }
    images = shape(batch, size, size, 3)
    return training("unet", loss, parameters, {"inputs": images, "noise": images})
