"""Losses and gradients of modules of PyTorch on eight devices, beside those of autograd."""

# pyright: reportMissingImports=false

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sdy
import sdy.torch
from tests.pytorch.models import HF, MESH, MLP_PLAN, Mlp, batch, cross_entropy, hf, sent, torch

SENT = {"Llama": 564_751, "Qwen": 564_975, "GPT2": 610_700, "Bert": 530_828, "ViT": 333_868}
"""Bytes per device of loss and gradients, with the batch along ``data``."""


def _worst(model: Any, gradients: dict[str, Any]) -> float:
    """The largest difference to what autograd has left in the parameters, relative to the largest gradient."""
    wanted = {name: one.grad.numpy() for name, one in model.named_parameters() if one.grad is not None}
    assert set(gradients) == set(wanted)
    largest = max(float(np.abs(one).max()) for one in wanted.values())
    return max(float(np.abs(np.asarray(gradients[name]) - one).max()) for name, one in wanted.items()) / largest


@pytest.mark.parametrize("family", HF)
def test_hf_models(family: str) -> None:
    case = hf(family, "sdpa")
    program = sdy.torch.value_and_grad(case.model, cross_entropy, (case.labels,), case.inputs)
    step = program.partition(MESH, {**case.plan, "labels": ("data",)})
    loss, gradients = step(case.labels, **case.inputs)
    wanted = cross_entropy(case.model(**case.inputs), case.labels)
    wanted.backward()
    assert float(loss) == pytest.approx(float(wanted.detach()), rel=1e-5)
    assert _worst(case.model, gradients) < 1e-5
    assert sent(step)[1] == SENT[family]


def test_fsdp() -> None:
    case = hf("Llama")
    everywhere = (("data", "model"),)
    program = sdy.torch.value_and_grad(case.model, cross_entropy, (case.labels,), case.inputs)
    step = program.partition(MESH, {"*.weight": everywhere, "input_ids": everywhere, "labels": everywhere})
    _, gradients = step(case.labels, **case.inputs)
    cross_entropy(case.model(**case.inputs), case.labels).backward()
    assert _worst(case.model, gradients) < 1e-5
    assert sent(step) == (53, 687_925)
    # Gradients lie as their parameters do.
    assert all(one.sharding == step.state[name].sharding for name, one in gradients.items())


def test_training() -> None:
    model, x, wanted = Mlp(), batch(), batch() ** 2
    program = sdy.torch.value_and_grad(model, torch.nn.functional.mse_loss, (x, wanted))
    assert program.names[-2:] == ("x", "target")
    step = program.partition(MESH, {**MLP_PLAN, "target": ("data",)})
    state, optimizer = step.state, torch.optim.SGD(model.parameters(), 0.1)
    for _ in range(3):
        loss, gradients = step.apply(state, x, wanted)
        state = {name: one - 0.1 * gradients[name] if name in gradients else one for name, one in state.items()}
        optimizer.zero_grad()
        expected = torch.nn.functional.mse_loss(model(x), wanted)
        expected.backward()
        optimizer.step()
        assert float(loss) == pytest.approx(float(expected.detach()), rel=1e-5)


def test_modules_and_lines_of_the_model() -> None:
    program = sdy.torch.value_and_grad(Mlp(), torch.nn.functional.mse_loss, (batch(), batch()))
    step = program.partition(MESH, {**MLP_PLAN, "target": ("data",)})
    where = {one.location: one.position for one in sdy.communication(step.partitioned).transfers}
    assert {"down/mm", "up/backward/mm", "loss/mean"} <= set(where)
    assert "/models.py:" in where["up/backward/mm"]
    assert not [place for place in where.values() if "/sdy/torch/" in place or "/torch/nn/" in place]


def test_a_module_that_returns_its_loss() -> None:
    class Loss(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = Mlp()

        def forward(self, x: Any) -> Any:
            return self.inner(x).square().mean()

    model = Loss()
    step = sdy.torch.value_and_grad(model, None, (batch(),)).partition(MESH, {"x": ("data",)})
    loss, gradients = step(batch())
    expected = model(batch())
    expected.backward()
    assert float(loss) == pytest.approx(float(expected.detach()), rel=1e-5)
    assert _worst(model, gradients) < 1e-5


@pytest.mark.parametrize(
    "part", [slice(1, -2), slice(None, None, 2), slice(1, 7, 3), slice(-3, None), torch.tensor([1, 1, 5])], ids=str
)
def test_parts_of_a_tensor(part: Any) -> None:
    class Part(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = Mlp()

        def forward(self, x: Any) -> Any:
            return self.inner(x)[part].square().mean()

    model = Part()
    _, gradients = sdy.torch.value_and_grad(model, None, (batch(),)).partition(MESH, {"x": ("data",)})(batch())
    model(batch()).backward()
    assert _worst(model, gradients) < 1e-5


def test_what_is_no_loss_is_refused() -> None:
    with pytest.raises(ValueError, match=r"the loss is one number, .* not tensors of shapes \[\(8, 16\)\]"):
        sdy.torch.value_and_grad(Mlp(), None, (batch(),))


def test_changed_buffers_are_refused() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(16, 8), torch.nn.BatchNorm1d(8)).train()
    with pytest.raises(ValueError, match=r"changes '.*running_mean', .*: put the module into eval\(\) mode"):
        sdy.torch.value_and_grad(model, lambda out, _: out.square().mean(), (batch(), batch()))


def test_images_along_their_height() -> None:
    class Convolutions(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            torch.manual_seed(0)
            self.first, self.norm = torch.nn.Conv2d(3, 8, 3, 2, 1), torch.nn.BatchNorm2d(8)
            self.second = torch.nn.Conv2d(8, 4, 3, 1, 1, bias=False)

        def forward(self, x: Any) -> Any:
            x = self.second(torch.relu(self.norm(self.first(x))))
            return torch.nn.functional.adaptive_avg_pool2d(x, 1).square().mean()

    model, x = Convolutions().eval(), torch.randn(4, 3, 16, 16)
    step = sdy.torch.value_and_grad(model, None, (x,)).partition({"y": 4}, {"x": (None, None, "y")})
    _, gradients = step(x)
    model(x).backward()
    assert _worst(model, gradients) < 1e-5
    assert "collective_permute" in {one.kind for one in step.partitioned.collectives}


@pytest.mark.parametrize("pool", ["max_pool2d", "avg_pool2d"])
def test_gradients_of_pools_are_refused(pool: str) -> None:
    class Pooled(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = torch.nn.Conv2d(3, 4, 3)

        def forward(self, x: Any) -> Any:
            return getattr(torch.nn.functional, pool)(self.inner(x), 2).mean()

    with pytest.raises(
        sdy.DiagnosticError, match=rf"test_gradients.py:\d+:1: .*torch-mlir cannot lower.*(reduce|{pool})"
    ):
        sdy.torch.value_and_grad(Pooled(), None, (torch.randn(2, 3, 9, 9),))
