"""Exported programs of several meshes: instructions, and what they compute on sub-meshes."""

from __future__ import annotations

import functools
import json
import re
import threading
import time
import timeit
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh

import sdy
from sdy.dialect.mpmd.values import MeshTensor
from sdy.dialect.values.axes import AxisRef, SubAxis
from sdy.dialect.values.sharding import DimensionSharding, TensorSharding
from sdy.mpmd_running.dispatch import Dispatcher, FragmentError, MeshThreads, Slots, Step, sharding_of
from sdy.mpmd_running.executables import compile_fragments, partitioned_fragments
from sdy.mpmd_running.instructions import Free, Instruction, Move, PipelineProgram, Run
from sdy.mpmd_running.profiling import profile
from sdy.pipeline.tables import Schedule, held_values
from sdy.tools import sdy_opt, sdy_run

HEAD = """
!x0 = !mpmd.mesh_tensor<"m0", tensor<8x16xf32>, sharding=<@mesh, [{"data"}, {}]>>
!x1 = !mpmd.mesh_tensor<"m1", tensor<8x16xf32>, sharding=<@mesh, [{"data"}, {}]>>
!w0 = !mpmd.mesh_tensor<"m0", tensor<16x16xf32>>
!w1 = !mpmd.mesh_tensor<"m1", tensor<16x16xf32>>
module @jit_step {
  sdy.mesh @mesh = <["data"=2]>
"""

FORWARD = """
  func.func @p0_f_fwd_calls0to1.step(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
      %w: tensor<16x16xf32>) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>})
      attributes {mesh_shape = #sdy.mesh<["data"=2]>} {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
    %1 = stablehlo.tanh %0 : tensor<8x16xf32>
    return %1 : tensor<8x16xf32>
  }
  func.func @p1_g_fwd_calls0to1.step(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>,
      tf.aliasing_output = 0 : i32}, %w: tensor<16x16xf32>)
      -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>})
      attributes {mesh_shape = #sdy.mesh<["data"=2]>} {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}
"""

MAIN = """
  func.func public @main(%x: !x0, %y: !x0, %w: !w0, %v: !w1) -> (!x1, !x1)
      attributes {topology = #mpmd.topology<<"m0" : <["data"=2]>>, <"m1" : <["data"=2]>>>} {
    %0 = mpmd.fragment_call<mesh="m0", origin=["f"]> @p0_f_fwd_calls0to1.step(%x, %w) : (!x0, !w0) -> !x0
    %1 = mpmd.transfer %0 : (!x0) -> !x1
    %2 = mpmd.fragment_call<mesh="m1", origin=["g"]> @p1_g_fwd_calls0to1.step(%1, %v) : (!x1, !w1) -> !x1
    %3 = mpmd.fragment_call<mesh="m0", origin=["f"]> @p0_f_fwd_calls0to1.step(%y, %w) : (!x0, !w0) -> !x0
    %4 = mpmd.transfer %3 : (!x0) -> !x1
    %5 = mpmd.fragment_call<mesh="m1", origin=["g"]> @p1_g_fwd_calls0to1.step(%4, %v) : (!x1, !w1) -> !x1
    return %2, %5 : !x1, !x1
  }
"""

GPIPE = """
  func.func public @main(%x: !x0 {jax.buffer_donor = true}, %y: !x0, %w: !w0, %v: !w1) -> (!x1, !x1)
      attributes {topology = #mpmd.topology<<"m0" : <["data"=2]>>, <"m1" : <["data"=2]>>>} {
    %0 = mpmd.fragment_call<mesh="m0", origin=["f"]> @p0_f_fwd_calls0to1.step(%x, %w) : (!x0, !w0) -> !x0
    %3 = mpmd.fragment_call<mesh="m0", origin=["f"]> @p0_f_fwd_calls0to1.step(%y, %w) : (!x0, !w0) -> !x0
    %1 = mpmd.transfer %0 : (!x0) -> !x1
    %4 = mpmd.transfer %3 : (!x0) -> !x1
    %2 = mpmd.fragment_call<mesh="m1", origin=["g"]> @p1_g_fwd_calls0to1.step(%1, %v) : (!x1, !w1) -> !x1
    %5 = mpmd.fragment_call<mesh="m1", origin=["g"]> @p1_g_fwd_calls0to1.step(%4, %v) : (!x1, !w1) -> !x1
    return %2, %5 : !x1, !x1
  }
"""


def _devices() -> dict[str, Mesh]:
    devices = np.array(jax.devices()[:4]).reshape(2, 2)
    return {f"m{number}": Mesh(row, ("data",)) for number, row in enumerate(devices)}


@functools.cache
def _dispatcher(main: str, dispatch: Literal["order", "meshes"]) -> Dispatcher:
    module = sdy.parse(HEAD + main + FORWARD)
    program = PipelineProgram.of(module)
    devices = _devices()
    partitioned = partitioned_fragments(module, {run.callee: 2 for run in program.runs})
    return Dispatcher(program, compile_fragments(partitioned, program.runs, devices), devices, dispatch)


def _arguments(dispatcher: Dispatcher) -> list[jax.Array]:
    rng = np.random.default_rng(0)
    shapes = [(8, 16), (8, 16), (16, 16), (16, 16)]
    pairs = zip(shapes, dispatcher.shardings, strict=False)
    return [jax.device_put(rng.standard_normal(shape).astype(np.float32), sharding) for shape, sharding in pairs]


def _expected(x: np.ndarray, y: np.ndarray, w: np.ndarray, v: np.ndarray) -> Sequence[np.ndarray]:
    return [np.asarray(jnp.tanh(each @ w) @ v) for each in (x, y)]


def test_instructions_of_a_program() -> None:
    program = PipelineProgram.of(sdy.parse(HEAD + MAIN + FORWARD))
    assert [type(each) for each in program.instructions] == [Run, Move, Free, Run, Free] * 2
    assert [str(run) for run in program.runs][2:] == [
        "fragment p0_f_fwd_calls0to1.step (f) on mesh m0, microbatch 1",
        "fragment p1_g_fwd_calls0to1.step (g) on mesh m1, microbatch 1",
    ]
    assert [run.donated for run in program.runs] == [(), (0,)] * 2
    assert str(Schedule.of(program)) == "m0  F0 F1  (holds 0)\nm1  F0 F1  (holds 0)"
    assert held_values(program) == {"m0": 4, "m1": 4}


def test_reserved_bytes_stay_in_the_exported_module() -> None:
    reserved = FORWARD.replace("attributes {", "attributes {reserved_hbm_bytes = 64 : i64, ")
    module = sdy.parse(HEAD + MAIN + reserved)
    assert "reserved_hbm_bytes = 64" in sdy.print_module(module)
    partitioned = partitioned_fragments(module, {run.callee: 2 for run in PipelineProgram.of(module).runs})
    assert partitioned
    assert not any("reserved_hbm_bytes" in each.text for each in partitioned.values())


def test_neighbouring_transfers_are_one_move() -> None:
    program = PipelineProgram.of(sdy.parse(HEAD + GPIPE + FORWARD))
    assert [len(move.inputs) for move in program.moves] == [2]
    assert str(program.moves[0]) == "transfer of 2 values from mesh m0 to mesh m1"
    assert program.donated == (0,)


@pytest.mark.parametrize("dispatch", ["order", "meshes"])
def test_values_are_those_of_one_device(dispatch: Literal["order", "meshes"]) -> None:
    dispatcher = _dispatcher(MAIN, dispatch)
    arguments = _arguments(dispatcher)
    results = dispatcher(arguments)
    for result, expected in zip(results, _expected(*map(np.asarray, arguments)), strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)
        assert set(result.devices()) == {*_devices()["m1"].devices.flat}


def test_schedules_give_equal_bits() -> None:
    first, second = _dispatcher(MAIN, "order"), _dispatcher(GPIPE, "order")
    ones, others = first(_arguments(first)), second(_arguments(second))
    for one, other in zip(ones, others, strict=True):
        np.testing.assert_array_equal(one, other)


def test_donated_arguments_are_gone_others_stay() -> None:
    dispatcher = _dispatcher(GPIPE, "order")
    arguments = _arguments(dispatcher)
    jax.block_until_ready(dispatcher(arguments))
    assert [each.is_deleted() for each in arguments] == [True, False, False, False]


def test_values_are_dropped_after_their_last_use() -> None:
    dispatcher = _dispatcher(MAIN, "order")
    most = 0

    def observe(instruction: Instruction, slots: Slots) -> None:
        nonlocal most
        if isinstance(instruction, Free):
            most = max(most, sum(each is not None for each in slots))

    dispatcher(_arguments(dispatcher), observe)
    assert most == 6  # four arguments, two results


@pytest.mark.parametrize("dispatch", ["order", "meshes"])
def test_failing_fragments_are_named(dispatch: Literal["order", "meshes"]) -> None:
    dispatcher = _dispatcher(MAIN, dispatch)
    arguments = _arguments(dispatcher)
    arguments[3].delete()
    with pytest.raises(FragmentError, match=r"p1_g_fwd_calls0to1.step \(g\) on mesh m1, microbatch 0 failed, at "):
        dispatcher(arguments)


def test_each_mesh_has_a_thread() -> None:
    dispatcher = _dispatcher(MAIN, "meshes")
    seen: dict[str, set[str]] = {"m0": set(), "m1": set()}

    def observe(instruction: Instruction, slots: Slots) -> None:
        if isinstance(instruction, Run):
            seen[instruction.mesh].add(threading.current_thread().name)

    dispatcher(_arguments(dispatcher), observe)
    assert [len(names) for names in seen.values()] == [1, 1]
    assert not seen["m0"] & seen["m1"]


def test_parts_of_axes_are_axes_of_the_devices() -> None:
    mesh = Mesh(np.array(jax.devices()[:4]), ("x",))
    half = TensorSharding("mesh", (DimensionSharding((AxisRef("x", SubAxis(2, 2)),)),))
    sharding = sharding_of(MeshTensor("m0", "tensor<8xf32>", half), {"m0": mesh})
    assert [index[0].indices(8)[0] for index in sharding.devices_indices_map((8,)).values()] == [0, 4, 0, 4]


def test_programs_that_are_not_exported_are_refused() -> None:
    text = """
    func.func @main(%x: !mpmd.mesh_tensor<"m0", tensor<8xf32>>) -> tensor<8xf32>
        attributes {topology = #mpmd.topology<<"m0" : <["data"=2]>>>} {
      %0 = mpmd.unassign %x : (!mpmd.mesh_tensor<"m0", tensor<8xf32>>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }"""
    with pytest.raises(sdy.DiagnosticError, match="only fragment calls and transfers can be run"):
        PipelineProgram.of(sdy.parse(text))
    with pytest.raises(sdy.DiagnosticError, match="it has no topology"):
        PipelineProgram.of(sdy.parse("func.func @main() { return }"))


def test_profiles_say_what_is_held() -> None:
    dispatcher = _dispatcher(MAIN, "order")
    results, measured = profile(dispatcher, _arguments(dispatcher))
    assert len(results) == 2
    assert measured.instructions == 6
    assert measured.peak_bytes == {"m0": 2 * 256 + 1024 + 256, "m1": 1024 + 3 * 256 - 256}
    assert measured.held["m0"] == 1  # dropped once it is transferred
    assert "m1: 2 forward passes, " in str(measured)


def test_starting_an_instruction_takes_little_python() -> None:
    module = sdy.parse(HEAD + MAIN + FORWARD)
    whole = PipelineProgram.of(module)
    runs = tuple(each for each in whole.instructions if not isinstance(each, Move))
    program = replace(whole, instructions=runs * 20)
    given: Any = {run.callee: lambda *inputs: [None] for run in program.runs}
    dispatcher = Dispatcher(replace(program, results=()), given, _devices(), "order")
    arguments = _arguments(dispatcher)
    seconds = min(timeit.repeat(lambda: dispatcher(arguments), number=1, repeat=20))
    assert seconds / len(program.runs) < 60e-6


FRAGMENTS = """
!x0 = !mpmd.mesh_tensor<"m0", tensor<8x16xf32>, sharding=<@mesh, [{"data"}, {}]>>
!x1 = !mpmd.mesh_tensor<"m1", tensor<8x16xf32>, sharding=<@mesh, [{"data"}, {}]>>
sdy.mesh @mesh = <["data"=2]>
func.func public @main(%x: !x0) -> !x1
    attributes {topology = #mpmd.topology<<"m0" : <["data"=2]>>, <"m1" : <["data"=2]>>>} {
  %0 = mpmd.fragment<mesh="m0", origin=["f"]> (%x) (%a: tensor<8x16xf32>) {
    %2 = stablehlo.sine %a : tensor<8x16xf32>
    mpmd.return %2 : tensor<8x16xf32>
  } : (!x0) -> !x0
  %1 = mpmd.transfer %0 : (!x0) -> !x1
  return %1 : !x1
}
"""


@pytest.mark.parametrize("text", [HEAD + GPIPE + FORWARD, FRAGMENTS], ids=["exported", "fragments"])
def test_the_tool_runs_modules_beside_one_program(text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sdy_run, "_devices", lambda count: jax.devices()[:count])
    told: list[str] = []
    monkeypatch.setattr("builtins.print", lambda *values, **_: told.append(" ".join(map(str, values))))
    (tmp_path / "module.mlir").write_text(text)
    assert sdy_run.main([str(tmp_path / "module.mlir"), "--save", str(tmp_path / "results.npz")]) == 0
    assert any("bytes between meshes in a step" in each for each in told)
    assert re.search(r"\n +0 +\S+ +\S+", told[-1])
    with np.load(tmp_path / "results.npz") as found:
        assert {each.shape for each in found.values()} == {(8, 16)}
    assert sdy_run.main([str(tmp_path / "module.mlir"), "--overlap"]) != 0
    assert "--overlap: programs of several meshes do not take it" in told[-1]


def test_the_tool_tells_of_order_and_transfers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "module.mlir").write_text(HEAD + GPIPE + FORWARD)
    flags = ["--mpmd-report-schedule", "--sdy-report-communication", "-o", str(tmp_path / "out.mlir")]
    assert sdy_opt.main([str(tmp_path / "module.mlir"), *flags]) == 0
    told = capsys.readouterr().err
    assert told.startswith("m0  F0 F1  (holds 0)\nm1  F0 F1  (holds 0)\n")
    assert told.endswith("1,024 bytes between meshes in a step\n")
    flags[1] = "--sdy-report-communication=json"
    assert sdy_opt.main([str(tmp_path / "module.mlir"), *flags[1:]]) == 0
    assert json.loads(capsys.readouterr().err)["transfers"][0]["count"] == 2


def test_two_runs_at_once_do_not_wait_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each mesh has one thread; if two runs took one each, neither would get its other mesh."""
    there, back = Move("m0", "m1", (0,), (1,)), Move("m1", "m0", (1,), (2,))
    instructions = [(there, "m0"), (back, "m1"), (Run("f", "m0", (2,), (3,)), "m0")]
    program: Any = None
    threads = MeshThreads([Step(each, mesh, lambda slots: None) for each, mesh in instructions], program)
    submit = threads._pool.submit

    def slow(*arguments: Any) -> Any:
        future = submit(*arguments)
        time.sleep(0.05)
        return future

    monkeypatch.setattr(threads._pool, "submit", slow)
    failures: list[object] = []
    runs = [threading.Thread(target=lambda: failures.append(threads.run([], None)), daemon=True) for _ in range(2)]
    for run in runs:
        run.start()
    for run in runs:
        run.join(20)
    assert failures == [None, None]
