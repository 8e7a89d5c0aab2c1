"""Plans by names: axes, placements of DTensor, styles; meshes of all kinds; plans that are found, for DTensor."""

# pyright: reportMissingImports=false

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import sdy
import sdy.torch
from tests.pytorch.models import MESH, MLP_PLAN, Mlp, batch, hf, torch

distributed = torch.distributed
tensor, parallel = map(import_module, ("torch.distributed.tensor", "torch.distributed.tensor.parallel"))


RANK = 6
"""Second along ``data``, third along ``model``."""


@pytest.fixture(scope="module")
def fake_devices() -> Iterator[Any]:
    """Eight devices of a process group that sends nothing, as a DeviceMesh."""
    from torch.testing._internal.distributed.fake_pg import FakeStore

    distributed.init_process_group("fake", store=FakeStore(), rank=RANK, world_size=8)
    yield distributed.device_mesh.init_device_mesh("cpu", (2, 4), mesh_dim_names=("data", "model"))
    distributed.destroy_process_group()


def _shardings(mesh: Any, plan: Any, **options: Any) -> list[str]:
    module = sdy.torch.trace(Mlp(), (batch(),)).sharded(mesh, plan, **options)
    return [str(sdy.get_sharding(one)) for one in sdy.funcs(module)[0].regions[0].blocks[0].arguments]


def test_forms_of_a_plan_are_one() -> None:
    split, whole, batched = tensor.Shard, tensor.Replicate(), (tensor.Shard(0), tensor.Replicate())
    wanted = _shardings(MESH, MLP_PLAN)
    assert wanted[0].endswith('[{"model"}, {}]>')
    styles = {"up": parallel.ColwiseParallel(), "down": parallel.RowwiseParallel(), "x": batched}
    placements = {"up.weight": (whole, split(0)), "up.bias": (whole, split(0)), "down.weight": (whole, split(1))}
    placements |= {"down.bias": (whole, whole)}
    axes = {"up.*": ("model",), "down.weight": (None, "model"), "down.bias": (), "x": (("data",), None)}
    for plan in (styles, {**placements, "x": batched}, axes, {"*up": "colwise", **MLP_PLAN}):
        assert _shardings(MESH, plan) == wanted


def test_forms_of_a_mesh_are_one(fake_devices: Any) -> None:
    import jax

    mesh = jax.make_mesh((2, 4), ("data", "model"))
    assert _shardings(MESH, MLP_PLAN) == _shardings(mesh, MLP_PLAN) == _shardings(fake_devices, MLP_PLAN)
    assert _shardings("data:2,model:4", MLP_PLAN) == _shardings(MESH, MLP_PLAN)
    assert _shardings({"model": 4, "data": 2}, MLP_PLAN, axis="model")[0].endswith('[{"model"}, {}]>')
    nameless = distributed.device_mesh.init_device_mesh("cpu", (8,))
    with pytest.raises(ValueError, match="give it mesh_dim_names"):
        _shardings(nameless, MLP_PLAN)


def test_devices_of_a_mesh_are_those_that_run() -> None:
    import jax

    devices = np.array(jax.devices()[7:3:-1])
    step = sdy.torch.partition(Mlp(), (batch(),), jax.sharding.Mesh(devices, ("data",)), {"x": ("data",)})
    shards = step(batch()).addressable_shards
    assert {shard.device.id: shard.index[0].start for shard in shards} == {7: 0, 6: 2, 5: 4, 4: 6}


def test_embeddings_keep_their_output_last() -> None:
    model = torch.nn.Sequential(torch.nn.Embedding(32, 16), torch.nn.Linear(16, 8))
    program = sdy.torch.trace(model, (torch.zeros(4, dtype=torch.int64),))
    for style, wanted in {"colwise": '[{}, {"x"}]>', "rowwise": '[{"x"}, {}]>'}.items():
        module = program.sharded({"x": 2}, {"0": style})
        assert str(sdy.get_sharding(sdy.funcs(module)[0].regions[0].blocks[0].arguments[0])).endswith(wanted)


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ({"upp": "colwise"}, "'upp' of the plan fits no parameter and no input; the nearest is 'up'"),
        ({"up": "sequence_parallel"}, "has the style 'sequence_parallel': give colwise, rowwise, or axes"),
        ({"up": parallel.SequenceParallel()}, "has the style 'SequenceParallel'"),
        ({"x": ("dta",)}, "'x' of the plan names the axis 'dta', the mesh has data, model"),
        ({"up.bias": (None, "model")}, "'up.bias' of the plan shards 2 dimensions, 'up.bias' has 1"),
        ({"x": (tensor.Shard(0),)}, "'x' of the plan has 1 placements, the mesh 2 axes"),
        ({"x": (tensor.Partial(), tensor.Replicate())}, "give Shard"),
    ],
)
def test_plans_that_do_not_fit_are_refused(plan: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _shardings(MESH, plan)


# Found plans -------------------------------------------------------------------------------------


def test_a_plan_as_placements_of_dtensor(fake_devices: Any) -> None:
    """Applied to the parameters, a device has the part of each that the program of one device takes."""
    torch.manual_seed(0)
    whole = torch.nn.Sequential(torch.nn.Linear(128, 512), torch.nn.Tanh(), torch.nn.Linear(512, 128))
    model, x = deepcopy(whole), torch.randn(32, 128)
    found = sdy.torch.plan(model, (x,), fake_devices, "h100", memory_limit="128KiB")
    step = found.partition()

    def shard(path: str, module: Any, mesh: Any) -> None:
        for name, one in [*module.named_parameters(recurse=False)]:
            where = found.placements[f"{path}.{name}"]
            placed = tensor.distribute_tensor(one, mesh, where, src_data_rank=None)
            module.register_parameter(name, torch.nn.Parameter(placed))

    tensor.distribute_module(model, fake_devices, shard)
    for path, one in model.named_parameters():
        assert tuple(one.placements) == found.placements[path]
        assert torch.equal(one.to_local(), _part(step.state[path], whole.get_parameter(path)))
    assert sum(one.to_local().numel() for one in model.parameters()) <= 32_768
    with torch.no_grad():
        assert np.abs(np.asarray(step(x)) - whole(x).numpy()).max() < 1e-5


def _part(array: Any, whole: Any) -> Any:
    """The part of the device of this process, of a tensor that is sharded as `array`."""
    (shard,) = [shard for shard in array.addressable_shards if shard.device.id == RANK]
    return whole[shard.index]


@pytest.mark.parametrize("axes", [("data",), ("model",), ("data", "model"), ("model", "data")])
def test_parts_of_a_dimension(fake_devices: Any, axes: tuple[str, ...]) -> None:
    """Along axes in any order, as FSDP2 on top of tensor parallelism has them."""
    mesh, plan = sdy.Mesh.of(**MESH), {"x": (axes,)}
    module = sdy.torch.trace(Mlp(), (batch(),)).sharded(MESH, plan)
    argument = sdy.funcs(module)[0].regions[0].blocks[0].arguments[5]
    found = sdy.torch.placements(sdy.get_sharding(argument), mesh)
    local = tensor.distribute_tensor(batch(), fake_devices, found, src_data_rank=None).to_local()
    state = sdy.torch.trace(torch.nn.Linear(16, 8), (batch(),)).partition(MESH, {"weight": (axes,)}).state
    assert torch.equal(local, _part(state["weight"], batch()))


def test_placements_that_dtensor_lacks_are_refused() -> None:
    mesh = sdy.Mesh.of(x=2, y=4)
    part = sdy.TensorSharding.from_axes(mesh, [[sdy.AxisRef.sub("y", 1, 2)]])
    with pytest.raises(ValueError, match=r"DTensor has no placement for .*: it shards along whole axes"):
        sdy.torch.placements(part, mesh)
    assert sdy.torch.placements(None, mesh) == (tensor.Replicate(), tensor.Replicate())


def test_without_weights() -> None:
    from torch._subclasses import FakeTensorMode

    with FakeTensorMode(allow_non_fake_inputs=True):
        case = hf("Llama", hidden_size=512, num_hidden_layers=1)
        program = sdy.torch.trace(case.model, kwargs=case.inputs)
    found = program.plan(MESH, "h100")
    assert set(found.placements) == {*program.names}
    assert "model.layers.0.mlp.up_proj.weight" in str(found)
    step = program.partition(MESH, case.plan)
    assert sdy.communication(step.partitioned).ops > 0
    with pytest.raises(ValueError, match="traced without weights"):
        step(**case.inputs)
