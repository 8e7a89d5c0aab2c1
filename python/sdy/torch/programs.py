"""PyTorch programs from the module to eight devices: traced, sharded by names, partitioned or planned, run."""

# pyright: reportMissingImports=false

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import torch
from torch import nn
from torch._subclasses import FakeTensor
from torch.export import ExportedProgram
from torch.export.graph_signature import ConstantArgument, InputKind
from torch.fx import Node
from torch.utils import _pytree as pytree

import sdy
from sdy.auto.plan import Plan
from sdy.auto.planning import partition as auto_partition
from sdy.dialect import builders
from sdy.dialect.shardings import attribute_shardings, value_shardings
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.functions import main_function
from sdy.overlap import Overlap
from sdy.partitioned_module import PartitionedModule
from sdy.passes.costs.machine import Machine
from sdy.programs.parsing import Module
from sdy.torch.gradients import WithLoss, joint_graph, user_path
from sdy.torch.lowering import check_unchanged, decomposed, decompositions, load, lower
from sdy.torch.plans import MESH, NamedPlan, Plans, TorchMesh, placements, torch_mesh

if TYPE_CHECKING:
    import jax
    import numpy as np
    from torch.distributed.tensor.placement_types import Placement

    from sdy.running.placement import Devices

AnyTorch: TypeAlias = "nn.Module | ExportedProgram | str | os.PathLike[str] | TorchProgram"
"""A module, which is traced for its arguments; what `torch.export` makes of one, or a file of that; or a program traced
before."""


@dataclass(frozen=True)
class Results:
    """The structure of a module's return value; leaves of `tree` are results of `@main`, or in `fixed`."""

    tree: pytree.TreeSpec
    fixed: Mapping[int, Any]

    def of(self, arrays: Sequence[Any]) -> Any:
        """Return the module's return value, with `arrays` in place of tensors."""
        given = iter(arrays)
        leaves = [self.fixed[at] if at in self.fixed else next(given) for at in range(self.tree.num_leaves)]
        return pytree.tree_unflatten(leaves, self.tree)


@dataclass(frozen=True)
class TorchProgram:
    """A program of PyTorch as StableHLO.

    Attributes:
      text: the module; locations are paths and lines of the model.
      names: of the arguments of `@main`: paths of parameters, buffers and constants, and names of inputs.
      state: tensors of the parameters, buffers and constants, by path.
      kinds: class of each module, by its path.
      aliases: further names of tied parameters, by the first one.
      results: structure of the module's return value.
      keywords: names of the keyword arguments, in the order in which it was traced with them.
      constants: values of the arguments that are no tensors, by their number among all arguments.
      gradients: parameters that results are gradients of, by the number of the result.
    """

    text: str
    names: tuple[str, ...]
    state: Mapping[str, torch.Tensor]
    kinds: Mapping[str, str]
    aliases: Mapping[str, tuple[str, ...]]
    results: Results
    keywords: tuple[str, ...]
    constants: Mapping[int, Any]
    gradients: Mapping[int, str]

    @property
    def module(self) -> Module:
        """Return a separate module without shardings."""
        return sdy.parse(self.text)

    def sharded(self, mesh: TorchMesh, plan: NamedPlan, *, axis: str | None = None) -> Module:
        """Return a module of its own with the shardings of a plan; see `partition`."""
        on, module = torch_mesh(mesh), self.module
        main = main_function(module.operation)
        arguments = dict(zip(self.names, main.regions[0].blocks[0].arguments, strict=True))
        with module.context, ir.Location.unknown(), ir.InsertionPoint.at_block_begin(module.body):
            builders.mesh(MESH, on)
        plans = Plans(plan, on, axis or on.axes[-1].name, self.kinds, self.aliases)
        found = plans.shardings({name: len(argument.type.shape) for name, argument in arguments.items()})
        with module.context:
            for name, sharding in found.items():
                value_shardings.set_sharding(arguments[name], sharding)
            wanted = {number: found[name] for number, name in self.gradients.items() if name in found}
            attribute_shardings.set_result_shardings(main, wanted)
        return module

    def tensors(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """Return the tensors of a call; raise `ValueError` for arguments unlike the traced ones."""
        if set(kwargs) != set(self.keywords):
            names = ", ".join(self.keywords) or "none"
            raise ValueError(f"the program takes the keyword arguments it was traced with: {names}")
        leaves = [*enumerate(pytree.tree_leaves((tuple(args), {name: kwargs[name] for name in self.keywords})))]
        for number, leaf in leaves:
            if number in self.constants and leaf != self.constants[number]:
                raise ValueError(f"the program was traced with {self.constants[number]!r}, not with {leaf!r}")
        return [leaf for number, leaf in leaves if number not in self.constants]

    def partition(
        self, mesh: TorchMesh, plan: NamedPlan, *, axis: str | None = None, overlap: Overlap | None = None
    ) -> Partitioned:
        """Shards by a plan and partitions; see `partition`."""
        jax: Any = sys.modules.get("jax")
        devices: Any = mesh if jax is not None and isinstance(mesh, jax.sharding.Mesh) else None
        return Partitioned(self, sdy.partition(self.sharded(mesh, plan, axis=axis), overlap=overlap), devices)

    def plan(self, mesh: TorchMesh | None = None, machine: Machine | str = "generic", **options: Any) -> TorchPlan:
        """Finds a plan; see `plan`."""
        on = mesh if mesh is None or isinstance(mesh, int) else torch_mesh(mesh)
        return TorchPlan(self, auto_partition(self.text, on, machine, **options))


@dataclass(frozen=True)
class Partitioned:
    """A program on several devices, called as the module.

    Attributes:
      program: before it was partitioned.
      partitioned: the program of each device, for `sdy.communication`, `sdy.explain`, `sdy.why` and others.
      devices: those that run it, see `sdy.execution.compile`; None for all.
    """

    program: TorchProgram
    partitioned: PartitionedModule
    devices: Devices = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run with the parameters at the time of tracing; return the module's return value with `jax.Array`s."""
        return self.apply(self.state, *args, **kwargs)

    def apply(self, state: Mapping[str, Any], *args: Any, **kwargs: Any) -> Any:
        """Run with other parameters: arrays or tensors by the names of `state`."""
        import jax

        inputs, names = self.program.tensors(args, kwargs), self.program.names
        wanted = [name for name in names if name not in self.program.state]
        if len(inputs) != len(wanted):
            raise ValueError(f"the program takes {len(wanted)} tensors ({', '.join(wanted)}), not {len(inputs)}")
        given = map(array, inputs)
        with jax.enable_x64(True):  # indices are int64
            values = [array(state[name]) if name in self.program.state else next(given) for name in names]
            return self.program.results.of(self._run(*values))

    @cached_property
    def state(self) -> dict[str, jax.Array]:
        """Parameters, buffers and constants, sharded as the program takes them, by name."""
        import jax

        from sdy.running.placement import Placement

        on, shardings = Placement.of(self.partitioned, self.devices), self.partitioned.in_shardings
        pairs = [pair for pair in zip(self.program.names, shardings, strict=True) if pair[0] in self.program.state]
        with jax.enable_x64(True):
            return {name: jax.device_put(array(self.program.state[name]), on.named(one)) for name, one in pairs}

    @cached_property
    def _run(self) -> Callable[..., tuple[jax.Array, ...]]:
        import sdy.execution

        return sdy.execution.compile(self.partitioned, self.devices)


@dataclass(frozen=True)
class TorchPlan:
    """A plan of `sdy.auto` for a program of PyTorch.

    Attributes:
      program: the program.
      plan: its plan, with costs and reports.
    """

    program: TorchProgram
    plan: Plan

    @cached_property
    def placements(self) -> dict[str, tuple[Placement, ...]]:
        """Return DTensor placements of parameters, buffers and inputs by name, one per axis of the plan's mesh.

        Raises `ValueError` for a sharding that DTensor has no placement for.
        """
        arguments = zip(self.program.names, self.plan.arguments, strict=True)
        mesh = self.plan.mesh
        return {name: placements(one.sharding, mesh) for name, one in arguments}

    def partition(self, *, overlap: Overlap | None = None) -> Partitioned:
        """Partition the program as planned."""
        return Partitioned(self.program, sdy.partition(self.plan.text, overlap=overlap))

    def __str__(self) -> str:
        return str(self.plan)


def trace(program: AnyTorch, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None) -> TorchProgram:
    """A program as StableHLO, with parameters as arguments.

    Args:
      program: a module; or, without `args`, a result of `torch.export.export`, or a ``.pt2`` file of it.
      args: positional arguments, of the shapes that it is partitioned for.
      kwargs: keyword arguments.

    Raises:
      DiagnosticError: dynamic shapes, or an op that torch-mlir cannot lower.
      ValueError: a module that changes its buffers.
      OSError: the file cannot be read.
      TypeError: `program` is something else.
    """
    if isinstance(program, TorchProgram):
        return program
    if isinstance(program, (str, os.PathLike)):
        program = load(program)
    if isinstance(program, nn.Module):
        program = torch.export.export(program, tuple(args), dict(kwargs or {}), strict=False)
    if not isinstance(program, ExportedProgram):
        raise TypeError(f"expected a torch.nn.Module or a program of torch.export, not {type(program).__name__}")
    return _traced(decomposed(program, decompositions()))


def _traced(program: Any) -> TorchProgram:
    """A program in ops that torch-mlir lowers."""
    check_unchanged(program)
    signature, graph = program.graph_signature, program.graph_module.graph
    known = {**program.state_dict, **program.constants}
    tied = _tied(known)
    _check_names(known, signature.user_inputs)
    kept: dict[str, Node] = {}
    for node, spec in zip(graph.find_nodes(op="placeholder"), signature.input_specs, strict=True):
        name = spec.arg.name if spec.kind is InputKind.USER_INPUT else tied[str(spec.target)]
        if isinstance(node.meta.get("val"), torch.Tensor) and kept.setdefault(name, node) is node:
            continue
        node.replace_all_uses_with(kept.get(name, node))  # one of tied parameters, or a value that was specialised
        graph.erase_node(node)
    arguments = [spec.arg for spec in signature.input_specs if spec.kind is InputKind.USER_INPUT]
    (output,) = graph.find_nodes(op="output")
    leaves = output.args[0]
    output.args = (tuple(leaf for leaf in leaves if isinstance(leaf, Node)),)
    fixed = {number: leaf for number, leaf in enumerate(leaves) if not isinstance(leaf, Node)}
    return TorchProgram(
        _text(lower(program.graph_module, [*kept])),
        tuple(kept),
        {name: known[name] for name in kept if name in known},
        _kinds(program),
        _aliases(tied),
        Results(program.call_spec.out_spec, fixed),
        tuple(program.example_inputs[1]) if program.example_inputs else (),
        {number: arg.value for number, arg in enumerate(arguments) if isinstance(arg, ConstantArgument)},
        {},
    )


def value_and_grad(
    module: nn.Module,
    loss: Callable[..., torch.Tensor] | None,
    args: Sequence[Any],
    kwargs: Mapping[str, Any] | None = None,
) -> TorchProgram:
    """The program that returns the loss of a module, and gradients by the names of its parameters.

    Args:
      module: it may not change its buffers, and has no dropout.
      loss: of the output of the module and the last of `args`; None for a module that returns its loss.
      args: positional arguments, followed by the argument of the loss.
      kwargs: keyword arguments of the module.

    Raises:
      DiagnosticError: dynamic shapes, or an op that torch-mlir cannot lower.
      ValueError: its result is not a loss, or it changes its buffers.
    """
    args, kwargs, whole = tuple(args), dict(kwargs or {}), WithLoss(module, loss)
    program = torch.export.export(whole, args, kwargs, strict=False)
    inputs, leaves = whole.input_names(args, kwargs), pytree.tree_leaves((args, kwargs))
    joint = joint_graph(program, args, kwargs, inputs)
    known = {user_path(name): value for name, value in {**program.state_dict, **program.constants}.items()}
    tied = _tied(known)
    _check_names(known, inputs)
    names = tuple(tied.get(name, name) for name in joint.names)
    gradients = [tied[name] for name in joint.gradients]
    tree = pytree.tree_structure((0, dict.fromkeys(gradients, 0)))
    return TorchProgram(
        _text(lower(joint.graph, names)),
        names,
        {name: known[name] for name in names if name in known},
        {user_path(path): kind for path, kind in _kinds(program).items()},
        _aliases(tied),
        Results(tree, {}),
        tuple(kwargs),
        {number: leaf for number, leaf in enumerate(leaves) if not isinstance(leaf, torch.Tensor)},
        dict(enumerate(gradients, 1)),
    )


def partition(
    program: AnyTorch,
    args: Sequence[Any],
    mesh: TorchMesh,
    plan: NamedPlan,
    *,
    kwargs: Mapping[str, Any] | None = None,
    axis: str | None = None,
    overlap: Overlap | None = None,
) -> Partitioned:
    """A program of PyTorch on several devices.

    Args:
      program: input of `trace`.
      args: positional arguments of the module.
      mesh: sizes by names of axes, a `jax.sharding.Mesh`, a `DeviceMesh` of torch, or another mesh for
        `sdy.auto.partition`.
      plan: shardings by patterns of names, see `NamedPlan`; all else follows from them.
      kwargs: keyword arguments of the module.
      axis: the axis that "colwise" and "rowwise" shard along; the last of the mesh by default.
      overlap: how collectives overlap with computation.

    Raises:
      DiagnosticError: the errors of `trace` and `sdy.partition`.
      ValueError: a plan that does not fit the program or the mesh.
    """
    return trace(program, args, kwargs).partition(mesh, plan, axis=axis, overlap=overlap)


def plan(
    program: AnyTorch,
    args: Sequence[Any],
    mesh: TorchMesh | None = None,
    machine: Machine | str = "generic",
    *,
    kwargs: Mapping[str, Any] | None = None,
    **options: Any,
) -> TorchPlan:
    """Return the fastest shardings of a program; a program of fake tensors needs no memory for weights.

    Args:
      program: input of `trace`.
      args: positional arguments of the module.
      mesh: input of `partition`, or a number of devices, for which the mesh is chosen, too.
      machine: the machine to plan for, such as "h100".
      kwargs: keyword arguments of the module.
      options: further ones of `sdy.auto.partition`.

    Raises the errors of `trace` and `sdy.auto.partition`.
    """
    return trace(program, args, kwargs).plan(mesh, machine, **options)


def array(value: Any) -> Any:
    """Return the NumPy array of a tensor, bfloat16 included; other objects unchanged.

    Raises `ValueError` for a tensor without data.
    """
    if not isinstance(value, torch.Tensor):
        return value
    if isinstance(value, FakeTensor) or value.is_meta:
        raise ValueError("the program was traced without weights: it can be planned and explained, not run")
    value = value.detach().cpu().contiguous()
    if value.dtype is not torch.bfloat16:
        return value.numpy()
    import ml_dtypes

    found: np.ndarray = value.view(torch.int16).numpy()
    return found.view(ml_dtypes.bfloat16)


def _text(module: Module) -> str:
    return module.operation.get_asm(enable_debug_info=True)


def _kinds(program: ExportedProgram) -> dict[str, str]:
    """Return the class of each module that computes something, by its path."""
    stacks = [node.meta.get("nn_module_stack") or {} for node in program.graph.nodes]
    return {path: str(kind) for stack in stacks for path, kind in stack.values()}


def _check_names(state: Mapping[str, Any], inputs: Iterable[Any]) -> None:
    seen = set(state)
    for name in inputs:
        if isinstance(name, str) and name in seen:
            raise ValueError(f"an argument has the name '{name}' of a parameter, or of another argument: rename it")
        seen.add(name)


def _tied(state: Mapping[str, torch.Tensor]) -> dict[str, str]:
    """Return the first name of each tensor: that of the tensor it shares storage with, or its own."""
    first: dict[Any, str] = {}
    return {
        name: first.setdefault((one.untyped_storage()._cdata, one.storage_offset(), one.shape, one.stride()), name)
        for name, one in state.items()
        if isinstance(one, torch.Tensor)
    }


def _aliases(tied: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, first in tied.items():
        if name != first:
            found[first] = (*found.get(first, ()), name)
    return found
