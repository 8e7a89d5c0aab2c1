"""`mpmd.auto`: the config of the fastest pipeline of a function, by a model of the machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from sdy.hidden_frames import hidden
from sdy.jax.call_arguments import PyTree
from sdy.jax.mpmd.config import Config, make_config
from sdy.jax.mpmd.jitted import jit
from sdy.jax.mpmd.lowered import Lowered
from sdy.jax.mpmd.table_schedules import schedule
from sdy.mpmd_running.instructions import PipelineProgram, Run
from sdy.passes.costs.machine import Machine
from sdy.pipeline.search import REMAT, SEARCHED, Candidate, ChainUnit, FoundPipeline, Limits, search
from sdy.pipeline.tables import Kind, unit_of
from sdy.pipeline.timeline import STAGE
from sdy.pipeline.transfer_report import local_bytes


@hidden
def auto(
    fn: Callable,
    *args: PyTree,
    devices: Sequence[Any] | None = None,
    machine: Machine | str = "h100",
    in_specs: PyTree = None,
    axis: str = "data",
    meshes: Iterable[int] | None = None,
    chunks: Iterable[int] = (1, 2),
    memory: float | None = None,
    optimizer: float = 4.0,
) -> Config:
    """Return the config of the fastest pipeline that was found for a function; its `found` says why.

    >>> config = mpmd.auto(step, params, xs, targets, machine="h100", in_specs=(P(), P("data"), P("data")))
    >>> print(config.found)

    The named computations of the function are a chain, each of which sends its values to the next. The machine's model
    times each of them alone, on each size of meshes; then stages, chunks and schedules are searched. Microbatches are
    those of the function. The result is the same in each process.

    Args:
      fn: a function as `mpmd.jit` takes it, with a `call` for each microbatch and gradients within.
      *args: its arguments, or values of `jax.ShapeDtypeStruct`.
      devices: all devices of the pipeline, by default all there are.
      machine: as `sdy.timeline` takes it; `bandwidth.stage` and `latency.stage` are those between meshes.
      in_specs: a `PartitionSpec` over `axis` for each argument, or a prefix of their tree.
      axis: name of the axis of each mesh.
      meshes: numbers of meshes to try, by default all that divide the devices, from 2 on.
      chunks: numbers of stages per mesh to try.
      memory: bytes on each device, by default those of the machine.
      optimizer: ratio of the bytes of parameters, gradients and optimizer state to those of parameters.

    Raises:
      ValueError: the computations do not form a chain, or are fewer than meshes; devices do not make as many meshes;
        nothing fits into memory.
    """
    machine = Machine.given(machine, "auto")
    listed = list(jax.devices() if devices is None else devices)
    counts = [n for n in range(2, len(listed) + 1) if len(listed) % n == 0] if meshes is None else sorted(meshes)
    for count in counts or [2]:
        if count < 2 or len(listed) % count:
            raise ValueError(f"{len(listed)} devices cannot form {count} meshes of one size")
    chains: dict[int, list[ChainUnit]] = {}
    longest = microbatches = 0
    for count in counts:
        mesh = Mesh(np.array(listed[: len(listed) // count]), (axis,))
        lowered = _alone(fn, args, mesh, in_specs)
        chain, microbatches = _chain(lowered, machine)
        longest = len(chain)
        if longest >= count:
            chains[count] = chain
    if not chains:
        raise ValueError(f"{longest} named computations are too few for {min(counts)} meshes")
    bandwidth, latency = machine.link([STAGE])
    limits = Limits(machine.memory if memory is None else memory, optimizer, bandwidth, latency)
    found = search(chains, microbatches, chunks, limits)
    return _config(found, np.array(listed), axis)


def _alone(fn: Callable, args: tuple[PyTree, ...], mesh: Mesh, in_specs: PyTree) -> Lowered:
    """Return the function lowered with a separate mesh of the same devices for each computation."""
    nowhere = Config({"all": mesh}, {})
    shardings = None
    if in_specs is not None:
        shardings = jax.tree.map(
            lambda spec: NamedSharding(mesh, spec), in_specs, is_leaf=lambda each: isinstance(each, PartitionSpec)
        )
    lowered = jit(fn, nowhere, in_shardings=shardings).lower(*args)
    names = lowered.names()
    options = {"mpmd_infer_transfers": True, "mpmd_split_bwd_fragments": True, "mpmd_pipeline_schedule": "None"}
    topology = {f"u{number}": mesh for number in range(len(names))}
    places = dict(zip(names, topology, strict=True))
    stages = {name: number for number, name in enumerate(names)}
    return lowered.with_config(Config(topology, places, stages, partitioning_options=options))


def _chain(lowered: Lowered, machine: Machine) -> tuple[list[ChainUnit], int]:
    """Return the computations in order with their figures, and the number of microbatches.

    Raises:
      ValueError: the function has no microbatches, or a value goes back in a forward pass.
    """
    program = lowered.program
    seconds = {name: each.total for name, each in lowered.timeline(machine).fragments.items()}
    passes = [(unit, run) for run in program.runs if (unit := unit_of(run)) is not None]
    count = 1 + max((unit.microbatch for unit, _ in passes), default=-1)
    if not count:
        raise ValueError("the function has no microbatches: wrap each in `mpmd.call` with its number")
    number = min(1, count - 1)  # the first and the last one start and end sums
    names = list(lowered.config.name_to_mesh_assignment)
    by_stage = [
        {unit.kind: run for unit, run in passes if unit.microbatch == number and unit.stage == stage}
        for stage in range(len(names))
    ]
    reader = _Figures(program, number)
    return [
        reader.unit(name, stage, runs, seconds) for stage, (name, runs) in enumerate(zip(names, by_stage, strict=True))
    ], count


class _Figures:
    """Bytes of a program with a mesh for each computation, of one microbatch."""

    def __init__(self, program: PipelineProgram, number: int) -> None:
        meshes = {mesh.name: mesh.mesh for mesh in program.topology.meshes}
        self.sizes = [local_bytes(type_, meshes[type_.mesh_name]) for type_ in program.slots]
        self.meshes = [type_.mesh_name for type_ in program.slots]
        self.program = program
        uses: dict[int, set[int | None]] = {}
        for run in program.runs:
            for slot in run.inputs:
                uses.setdefault(slot, set()).add(run.microbatch)
        # What each microbatch uses is there in the whole step.
        self.parameters = {slot for slot in range(program.num_arguments) if len(uses.get(slot, ())) > 1 or number == 0}
        self.sources = {
            target: source for move in program.moves for source, target in zip(move.inputs, move.outputs, strict=True)
        }
        self.makers = {slot: run for run in program.runs for slot in run.outputs}

    def unit(self, name: str, stage: int, runs: dict[Kind, Run], seconds: dict[str, float]) -> ChainUnit:
        """Return the figures of a computation."""
        mesh = f"u{stage}"
        if Kind.FORWARD not in runs:
            raise ValueError(f"{name!r} has no forward pass of its own in each microbatch")
        forward, backward = runs[Kind.FORWARD], [run for kind, run in runs.items() if kind is not Kind.FORWARD]
        halves = {kind: seconds[runs[kind].callee] if kind in runs else 0.0 for kind in Kind}
        whole = halves[Kind.BACKWARD] or halves[Kind.INPUTS] + halves[Kind.PARAMETERS]
        if Kind.BACKWARD in runs:  # such as that of the first computation, which has no inputs to derive by
            halves[Kind.INPUTS] = halves[Kind.PARAMETERS] = whole / 2
        halves[Kind.BACKWARD] = whole
        needed = {slot for run in backward for slot in run.inputs}
        left = needed & ({*forward.inputs} | {*forward.outputs}) - self.parameters
        sent: set[int] = set()
        for move in self.program.moves:
            own = [slot for slot in move.inputs if move.source == mesh and self._is_forward(slot, forward.microbatch)]
            if own and int(move.target[1:]) < stage:
                raise ValueError(f"the computations are no chain: {name!r} sends a value of its forward pass back")
            sent |= {*own}
        own = [slot for slot in self.parameters if self.meshes[slot] == mesh]
        return ChainUnit(
            name,
            halves,
            sum(self.sizes[slot] for slot in own),
            sum(self.sizes[slot] for slot in left),
            sum(self.sizes[slot] for slot in sent),
        )

    def _is_forward(self, slot: int, microbatch: int | None) -> bool:
        """Return whether a value comes from a forward pass of a microbatch, through any transfers."""
        while slot in self.sources:
            slot = self.sources[slot]
        run = self.makers.get(slot)
        return run is not None and run.transpose_count == 0 and run.microbatch == microbatch


def _config(found: FoundPipeline, devices: np.ndarray, axis: str) -> Config:
    """Return the config of the best candidate."""
    best: Candidate = found.best
    rows = devices.reshape(len(best.placement), -1)
    topology = {mesh: Mesh(row, (axis,)) for mesh, row in zip(best.placement, rows, strict=True)}
    meshes = {stage: mesh for mesh, stages in best.placement.items() for stage in stages}
    stages = {name: number for number, names in enumerate(best.stages) for name in names}
    options: dict[str, bool | str] = {"mpmd_infer_transfers": True}
    if best.schedule == REMAT:
        options["mpmd_fragment_remat"] = True
    order = schedule(best.table.orders) if best.schedule == SEARCHED else best.schedule
    config = make_config(
        topology,
        {name: meshes[stage] for name, stage in stages.items()},
        name_to_stage_assignment=stages,
        partitioning_options=options,
        pipeline_schedule="TABLE_GPIPE" if best.schedule == REMAT else order,
    )
    return replace(config, found=found)
