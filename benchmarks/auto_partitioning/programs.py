"""The programs of the benchmark by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from benchmarks.auto_partitioning.graphs import gnn
from benchmarks.auto_partitioning.images import cnn, resnet, unet
from benchmarks.auto_partitioning.perceptrons import contrastive, mlp, moe, moe_ragged, recommender
from benchmarks.auto_partitioning.program import Program
from benchmarks.auto_partitioning.sequences import encoder_decoder, state_space, vision_transformer
from benchmarks.auto_partitioning.transformers import decode, llama, transformer, transformer_scan, wide_transformer

PROGRAMS: dict[str, Callable[[], Program]] = {
    "mlp": mlp,
    "moe": moe,
    "moe_ragged": moe_ragged,
    "cnn": cnn,
    "resnet": resnet,
    "unet": unet,
    "gnn": gnn,
    "transformer_2": transformer,
    "transformer_12": partial(transformer, 12),
    "transformer_24": partial(transformer, 24),
    "transformer_48": partial(transformer, 48),
    "wide": wide_transformer,
    "scan_12": transformer_scan,
    "llama_32": llama,
    "decode_32": decode,
    "encoder_decoder": encoder_decoder,
    "vision_transformer": vision_transformer,
    "state_space": state_space,
    "recommender": recommender,
    "contrastive": contrastive,
}
