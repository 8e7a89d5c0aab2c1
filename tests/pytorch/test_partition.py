"""Modules of PyTorch on eight devices: the numbers of torch, the names and lines of the model, what is refused."""

# pyright: reportMissingImports=false

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sdy
import sdy.torch
from tests.pytorch.models import HF, MESH, MLP_PLAN, Mlp, batch, cross_entropy, far, hf, sent, torch

FORWARD = {
    "Llama": (8, 208_896),
    "Qwen": (8, 208_896),
    "GPT2": (10, 204_800),
    "Bert": (6, 172_032),
    "ViT": (4, 104_448),
}
"""Collectives and bytes per device of a forward pass; an all-reduce of the stream, of which Megatron has two in each of
two layers, is 49,152 bytes, of ViT 26,112. A part of it, and what is left for later, is sent as all-to-all."""


@pytest.mark.parametrize("family", HF)
def test_hf_models(family: str) -> None:
    case = hf(family, "sdpa")
    step = sdy.torch.partition(case.model, (), MESH, case.plan, kwargs=case.inputs)
    with torch.no_grad():
        wanted = case.model(**case.inputs)
    got = step(**case.inputs)
    assert type(got) is type(wanted)
    assert far(got.logits, wanted.logits) < 1e-5
    assert sent(step) == FORWARD[family]


def test_eager_attention_sends_as_much() -> None:
    case = hf("Llama", "eager")
    step = sdy.torch.partition(case.model, (), MESH, case.plan, kwargs=case.inputs)
    with torch.no_grad():
        assert far(step(**case.inputs).logits, case.model(**case.inputs).logits) < 1e-5
    assert sent(step) == FORWARD["Llama"]


def test_bfloat16() -> None:
    case = hf("Llama")
    model = case.model.to(torch.bfloat16)
    step = sdy.torch.partition(model, (), MESH, case.plan, kwargs=case.inputs)
    with torch.no_grad():
        assert far(step(**case.inputs).logits, model(**case.inputs).logits) < 0.02


def test_encoder_layer() -> None:
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(64, 8, 128, dropout=0.0, batch_first=True).eval()
    x = torch.randn(8, 16, 64)
    plan = {"linear1": "colwise", "linear2": "rowwise", "src": ("data",), "in_proj_weight": ("model",)}
    assert far(sdy.torch.partition(layer, (x,), MESH, plan)(x), layer(x)) < 1e-5


_NO_ROW = torch.ones(8, 8, dtype=torch.bool).index_fill(0, torch.tensor(3), False)
"""A mask of attention that hides everything from row 3, whose result is 0."""


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"is_causal": True, "scale": 0.3},
        {"attn_mask": torch.randn(8, 8)},
        {"attn_mask": _NO_ROW},
        {"enable_gqa": True},
    ],
    ids=["plain", "causal", "added", "hidden row", "grouped"],
)
def test_attention(options: dict[str, Any]) -> None:
    class Attention(torch.nn.Module):
        def forward(self, q: Any, k: Any, v: Any) -> Any:
            return torch.nn.functional.scaled_dot_product_attention(q, k, v, **options)

    torch.manual_seed(0)
    heads = 2 if "enable_gqa" in options else 4
    q, k, v = torch.randn(2, 4, 8, 4), torch.randn(2, heads, 8, 4), torch.randn(2, heads, 8, 4)
    step = sdy.torch.partition(Attention(), (q, k, v), {"x": 2}, {"[qkv]": (None, "x")})
    assert far(step(q, k, v), Attention()(q, k, v)) < 1e-5
    assert not step.partitioned.collectives


class _Convolutions(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.stem, self.bn = torch.nn.Conv2d(3, 8, 7, 2, 3, bias=False), torch.nn.BatchNorm2d(8)
        self.next = torch.nn.Conv2d(8, 8, 3, 1, 1)

    def forward(self, x: Any) -> Any:
        x = torch.nn.functional.max_pool2d(torch.relu(self.bn(self.stem(x))), 3, 2, 1)
        return torch.nn.functional.adaptive_avg_pool2d(self.next(x), 1).flatten(1)


def test_images_along_their_height() -> None:
    model, x = _Convolutions().eval(), torch.randn(2, 3, 32, 32)
    step = sdy.torch.partition(model, (x,), {"y": 4}, {"x": (None, None, "y")})
    assert far(step(x), model(x)) < 1e-5
    assert {one.kind for one in step.partitioned.collectives} == {"collective_permute", "all_reduce"}


def test_modules_and_lines_of_the_model() -> None:
    step = sdy.torch.partition(Mlp(), (batch(),), MESH, MLP_PLAN)
    (row,) = [row for row in sdy.communication(step.partitioned).transfers if row.kind == "all_reduce"]
    assert row.location == "down/linear"
    file, line, _ = row.position.split(":")
    assert Path(file).name == "models.py"
    assert "return self.down" in Path(file).read_text().splitlines()[int(line) - 1]
    assert '"down.weight"' in str(sdy.explain(step.partitioned, "down.weight"))


def test_constants_stand_in_the_program() -> None:
    class Strided(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return x.as_strided((8, 4), (16, 3))

    step = sdy.torch.partition(Strided(), (batch(),), {"x": 2}, {"x": ("x",)})
    assert far(step(batch()), Strided()(batch())) == 0


def test_results_keep_their_structure() -> None:
    class Pair(torch.nn.Module):
        def forward(self, x: Any, scale: float, *, flag: bool) -> Any:
            return {"twice": x * 2, "nothing": None, "pair": (x + 1, scale)} if flag else x

    x = batch()
    step = sdy.torch.partition(Pair(), (x, 3.0), {"x": 2}, {"x": ("x",)}, kwargs={"flag": True})
    got = step(x, 3.0, flag=True)
    assert far(got["twice"], x * 2) == 0
    assert far(got["pair"][0], x + 1) == 0
    assert (got["nothing"], got["pair"][1]) == (None, 3.0)
    with pytest.raises(ValueError, match=r"the program was traced with 3.0, not with 4.0"):
        step(x, 4.0, flag=True)
    with pytest.raises(ValueError, match=r"the keyword arguments it was traced with: flag"):
        step(x, 3.0)


def test_other_parameters() -> None:
    model, other, x = Mlp(), Mlp(), batch()
    with torch.no_grad():
        other.up.weight *= 2
    step = sdy.torch.partition(model, (x,), MESH, MLP_PLAN)
    state = {**step.state, "up.weight": other.up.weight}
    with pytest.raises(ValueError, match=r"the program takes 1 tensors \(x\), not 2"):
        step(x, x)
    assert set(step.state) == {*dict(model.named_parameters()), "scale"}
    assert far(step.apply(state, x), other(x)) < 1e-5


def test_tied_parameters_are_one() -> None:
    case = hf("GPT2")
    program = sdy.torch.trace(case.model, kwargs=case.inputs)
    assert "lm_head.weight" not in program.names
    assert program.aliases == {"transformer.wte.weight": ("lm_head.weight",)}
    # Whichever name a pattern fits.
    module = program.sharded(MESH, {"lm_head": "colwise"})
    (wte,) = [one for one in sdy.funcs(module)[0].regions[0].blocks[0].arguments if "wte" in str(one.location)]
    assert str(sdy.get_sharding(wte)).endswith('[{"model"}, {}]>')


# Refused -----------------------------------------------------------------------------------------


def test_dynamic_shapes_are_refused() -> None:
    size = torch.export.Dim("size", min=2)
    program = torch.export.export(Mlp(), (batch(),), dynamic_shapes=({0: size},))
    with pytest.raises(sdy.DiagnosticError, match=r"'x' has the dynamic shape \[s\d+, 16\]"):
        sdy.torch.trace(program)


def test_changed_buffers_are_refused() -> None:
    with pytest.raises(
        ValueError,
        match=r"changes 'bn.running_mean', as batch norm does in training: put the module into eval\(\) mode",
    ):
        sdy.torch.trace(_Convolutions().train(), (torch.randn(2, 3, 32, 32),))


def test_dropout_is_refused() -> None:
    class Dropped(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return torch.nn.functional.dropout(x, 0.5)

    with pytest.raises(sdy.DiagnosticError, match=r"test_partition.py.*: .*random numbers"):
        sdy.torch.trace(Dropped(), (batch(),))


def test_ops_that_torch_mlir_lacks_are_refused() -> None:
    class Values(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return torch.linalg.svd(x)[1]

    with pytest.raises(sdy.DiagnosticError, match=r"test_partition.py:\d+:.*torch-mlir cannot lower"):
        sdy.torch.trace(Values(), (batch(),))


def test_numbers_of_tensors_are_refused() -> None:
    class Scaled(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return x * x.sum().item()

    with pytest.raises(
        sdy.DiagnosticError, match=r"test_partition.py:\d+:1: error: 'tensor.extract' op has no lowering"
    ):
        sdy.torch.trace(Scaled(), (batch(),))


def test_effects_are_refused() -> None:
    class Inverse(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return torch.linalg.inv(x[:, :8])

    with pytest.raises(ValueError, match="the module has effects"):
        sdy.torch.trace(Inverse(), (batch(),))


def test_one_name_for_two_values_is_refused() -> None:
    class Scaled(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.x = torch.nn.Parameter(torch.ones(16))

        def forward(self, x: Any) -> Any:
            return self.x * x

    with pytest.raises(ValueError, match="an argument has the name 'x' of a parameter"):
        sdy.torch.trace(Scaled(), (batch(),))
    with pytest.raises(ValueError, match="an argument has the name 'x' of a parameter"):
        sdy.torch.value_and_grad(Scaled(), torch.nn.functional.mse_loss, (batch(), batch()))
    with pytest.raises(ValueError, match="or of another argument: rename it"):
        sdy.torch.value_and_grad(Mlp(), lambda out, x: (out - x).square().mean(), (batch(), batch()))


def test_what_is_no_module_is_refused() -> None:
    with pytest.raises(TypeError, match=r"expected a torch.nn.Module or a program of torch.export, not function"):
        sdy.torch.trace(cross_entropy, ())  # pyright: ignore[reportArgumentType]
