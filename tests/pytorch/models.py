"""Small models with random weights, and plans for them. Tests that import this file are skipped without PyTorch."""

# pyright: reportMissingImports=false

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import sdy

torch = pytest.importorskip("torch", reason="needs PyTorch: pip install 'sdy[torch]'")

MESH = {"data": 2, "model": 4}
COLWISE, ROWWISE = "colwise", "rowwise"

_SIZES = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 8}
_TEXT = {**_SIZES, "vocab_size": 256, "max_position_embeddings": 64}
_NO_DROPOUT = {"hidden_dropout_prob": 0, "attention_probs_dropout_prob": 0}
_GPT2 = {"vocab_size": 256, "n_embd": 64, "n_layer": 2, "n_head": 8, "n_positions": 64, "bos_token_id": 0}
_GPT2 |= {"eos_token_id": 0, "resid_pdrop": 0, "embd_pdrop": 0, "attn_pdrop": 0}

HF = {
    "Llama": ("LlamaForCausalLM", {**_TEXT, "num_key_value_heads": 4}),
    "Qwen": ("Qwen3ForCausalLM", {**_TEXT, "num_key_value_heads": 4, "head_dim": 8}),
    "GPT2": ("GPT2LMHeadModel", _GPT2),
    "Bert": ("BertForMaskedLM", {**_TEXT, **_NO_DROPOUT}),
    "ViT": ("ViTForImageClassification", {**_SIZES, **_NO_DROPOUT, "image_size": 32, "patch_size": 8, "num_labels": 8}),
}
"""Class and configuration of models of Hugging Face, by family."""

_BESIDE = {
    "Llama": {"embed_tokens": ROWWISE, "lm_head": COLWISE},
    "Qwen": {"embed_tokens": ROWWISE, "lm_head": COLWISE},
    "GPT2": {"c_attn": COLWISE, "attn.c_proj": ROWWISE, "mlp.c_fc": COLWISE, "mlp.c_proj": ROWWISE},
    "Bert": {"[qkv]*": COLWISE, "intermediate.dense": COLWISE, "output.dense": ROWWISE},
    "ViT": {"[qkv]_proj": COLWISE, "o_proj": ROWWISE, "fc1": COLWISE, "fc2": ROWWISE},
}


@dataclass
class Case:
    """A model, its arguments, labels, and the plan of Megatron with the batch along ``data``."""

    model: Any
    inputs: dict[str, Any]
    labels: Any
    plan: dict[str, Any]


def hf(family: str, attention: str = "eager", **changes: Any) -> Case:
    """Makes a model of Hugging Face; its own plan counts where it has one."""
    transformers = pytest.importorskip("transformers", reason="needs transformers")
    torch.manual_seed(0)
    name, configuration = HF[family]
    kind = getattr(transformers, name)
    model = kind(kind.config_class(**configuration | changes, attn_implementation=attention)).eval()
    if family == "ViT":
        inputs = {"pixel_values": torch.randn(8, 3, 32, 32)}
    else:
        inputs = {"input_ids": torch.randint(0, 256, (8, 32))}
    labels = torch.randint(0, 8 if family == "ViT" else 256, (8,) if family == "ViT" else (8, 32))
    if family in ("Llama", "Qwen", "GPT2"):
        inputs["use_cache"] = False
    own = dict(getattr(model.config, "base_model_tp_plan", None) or {})
    return Case(model, inputs, labels, {**own, **_BESIDE[family], next(iter(inputs)): ("data",)})


def cross_entropy(outputs: Any, labels: Any) -> Any:
    """The loss of models of Hugging Face."""
    logits = outputs.logits
    return torch.nn.functional.cross_entropy(logits.reshape(-1, logits.shape[-1]), labels.reshape(-1))


class Mlp(torch.nn.Module):
    """Two layers, `up` and `down`, and a scale that is a buffer."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.up, self.down = torch.nn.Linear(16, 64), torch.nn.Linear(64, 16)
        self.register_buffer("scale", torch.full((16,), 0.5))

    def forward(self, x: Any) -> Any:
        """Of rows of 16 numbers."""
        return self.down(torch.nn.functional.gelu(self.up(x))) * self.scale


MLP_PLAN = {"up": COLWISE, "down": ROWWISE, "x": ("data",)}


def batch() -> Any:
    """Rows for `Mlp`."""
    torch.manual_seed(1)
    return torch.randn(8, 16)


def far(got: Any, wanted: Any) -> float:
    """The largest difference, relative to the largest entry of `wanted`."""
    wanted = wanted.detach().float().numpy()
    return float(np.abs(np.asarray(got, np.float32) - wanted).max() / np.abs(wanted).max())


def sent(step: Any) -> tuple[int, int]:
    """Collectives of a `Partitioned`, and the bytes that each device sends."""
    report = sdy.communication(step.partitioned)
    return report.ops, round(report.bytes_sent)
