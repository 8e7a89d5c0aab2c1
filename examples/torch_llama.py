"""Runs a small Llama of Hugging Face on devices of the CPU: forward, gradients, a plan, and a report as a page.

    pip install 'sdy[torch]' transformers
    python examples/torch_llama.py [--devices data:2,model:4] [--machine cpu] [--page llama.html]

Weights are random. The model is sharded as its own plan of tensor parallelism says, the batch along the first axis.
Logits and gradients have to be those of PyTorch.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

import argparse
from typing import Any

import jax
import numpy as np
import torch
from transformers import LlamaConfig, LlamaForCausalLM

import sdy
import sdy.torch
from sdy.passes.auto.auto_options import read_mesh

TOLERANCE = 1e-5
"""Largest difference, relative to the largest entry; sums are added up in different orders."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--devices", default="data:2,model:4", help="the mesh: an axis for the batch, one for the model"
    )
    parser.add_argument("--machine", default="cpu", help="the machine to plan for")
    parser.add_argument("--page", help="write a page about the training step")
    options = parser.parse_args()
    mesh = read_mesh(options.devices)
    jax.config.update("jax_num_cpu_devices", mesh.size)
    print("largest relative difference:", run(mesh, options.machine, options.page))


def model() -> Any:
    """Two layers with random weights."""
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=256,
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=8,
        num_key_value_heads=4,
    )
    return LlamaForCausalLM(config).eval()


def cross_entropy(outputs: Any, labels: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.cross_entropy(outputs.logits.flatten(0, 1), labels.flatten())


def run(mesh: sdy.Mesh, machine: str, page: str | None) -> float:
    """Runs, plans and reports; returns the largest relative difference to PyTorch."""
    llama, batch = model(), mesh.axes[0].name
    ids = torch.randint(0, 256, (8, 32))
    labels = ids.roll(-1, 1)
    inputs = {"input_ids": ids, "use_cache": False}
    plan = {**llama.config.base_model_tp_plan, "embed_tokens": "rowwise", "lm_head": "colwise", "input_ids": (batch,)}

    forward = sdy.torch.partition(llama, (), mesh, plan, kwargs=inputs)
    differences = [_difference(forward(**inputs).logits, llama(**inputs).logits)]
    print(sdy.communication(forward.partitioned))

    program = sdy.torch.value_and_grad(llama, cross_entropy, (labels,), inputs)
    training = program.partition(mesh, {**plan, "labels": (batch,)})
    loss, gradients = training(labels, **inputs)
    expected = cross_entropy(llama(**inputs), labels)
    expected.backward()
    differences += [_difference(loss, expected)]
    differences += [_difference(gradients[name], one.grad) for name, one in llama.named_parameters()]
    print(f"\nloss {float(loss):.4f}, {len(gradients)} gradients")
    if page is not None:
        sdy.page.save(page, training.partitioned, title="a training step of Llama")

    found = program.plan(mesh, machine)
    print(f"\n{found}\n\nas DTensor has it:")
    for name, placements in [*found.placements.items()][:4]:
        print(f"  {name}: {placements}")
    worst = max(differences)
    assert worst < TOLERANCE, worst
    return worst


def _difference(got: Any, wanted: torch.Tensor) -> float:
    expected = wanted.detach().numpy()
    return float(np.abs(np.asarray(got) - expected).max() / np.abs(expected).max())


if __name__ == "__main__":
    main()
