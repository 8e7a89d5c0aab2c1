"""Loss and gradients of a module as one graph; the only file that knows private functions of torch's autograd."""

# pyright: reportMissingImports=false

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import torch
from torch import nn
from torch._decomp import core_aten_decompositions
from torch._functorch import aot_autograd
from torch._functorch._aot_autograd import descriptors
from torch.export import ExportedProgram
from torch.fx import GraphModule, Node
from torch.fx.traceback import preserve_node_meta
from torch.utils import _pytree as pytree

from sdy.lazy_dataclass import dataclass
from sdy.torch.lowering import ATTENTION, check_unchanged, decomposed, decompositions

_ATEN = torch.ops.aten


class WithLoss(nn.Module):
    """A module with its loss: of its output and the last argument, or the output itself.

    The module's own signature names the inputs; the paths of its parameters begin with ``module.``.
    """

    def __init__(self, module: nn.Module, loss: Callable[..., Any] | None) -> None:
        super().__init__()
        self.module, self._loss = module, loss

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Return the loss, a tensor without dimensions."""
        if self._loss is None:
            return self.module(*args, **kwargs)
        *inputs, target = args
        return self._loss(self.module(*inputs, **kwargs), target)

    def input_names(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[str]:
        """Return the name of each tensor of the arguments."""
        inputs = args if self._loss is None else args[:-1]
        bound = inspect.signature(self.module.forward).bind(*inputs, **kwargs).arguments
        given: list[tuple[str, Any]] = [(name, bound[name]) for name in bound if name not in kwargs]
        if self._loss is not None:
            given.append((_second_parameter(self._loss), args[-1]))
        names: list[str] = []
        for name, value in (*given, *kwargs.items()):
            count = len(pytree.tree_leaves(value))
            names += [name] if count == 1 else [f"{name}_{number}" for number in range(count)]
        return names


def _second_parameter(loss: Callable[..., Any]) -> str:
    names = [*inspect.signature(loss).parameters]
    return names[1] if len(names) > 1 else "target"


@dataclass(frozen=True)
class JointGraph:
    """A graph that returns the loss, then gradients.

    Attributes:
      graph: of tensors alone, in ops that torch-mlir lowers.
      names: names of the placeholders: paths of parameters and buffers, names of inputs.
      gradients: for each result behind the loss, the parameter that it is the gradient of.
    """

    graph: GraphModule
    names: tuple[str, ...]
    gradients: tuple[str, ...]


def joint_graph(exported: ExportedProgram, args: Any, kwargs: Any, inputs: Sequence[str]) -> JointGraph:
    """Differentiates an exported `WithLoss`.

    Args:
      exported: the module and its loss.
      args: positional arguments, as it was exported with.
      kwargs: keyword arguments.
      inputs: name of each tensor among them.

    Raises:
      ValueError: the result is not a loss, or a buffer is changed.
    """
    functional = decomposed(exported, ATTENTION)
    check_unchanged(functional)
    with ExitStack() as stack, preserve_node_meta():
        joint = aot_autograd.aot_export_joint_with_descriptors(
            stack, _with_buffers(functional.module()), args, kwargs, decompositions=_decompositions()
        )
        module = joint.graph_module
    graph = module.graph
    for node in graph.find_nodes(op="placeholder"):
        if isinstance(node.meta["desc"], descriptors.TangentAOTInput):
            _replace_by_one(node)
        elif not isinstance(node.meta.get("val"), torch.Tensor):
            graph.erase_node(node)  # a value that was specialised
    names = [_input_name(node.meta["desc"], inputs) for node in graph.find_nodes(op="placeholder")]
    (output,) = graph.find_nodes(op="output")
    pairs = [pair for pair in zip(output.args[0], output.meta["desc"], strict=True) if isinstance(pair[0], Node)]
    gradients = [(node, _parameter(desc)) for node, desc in pairs if isinstance(desc, descriptors.GradAOTOutput)]
    others = [node for node, desc in pairs if not isinstance(desc, descriptors.GradAOTOutput)]
    if len(others) != 1 or others[0].meta["val"].ndim:
        shapes = [tuple(node.meta["val"].shape) for node in others]
        raise ValueError(f"the loss is one number, a tensor without dimensions, not tensors of shapes {shapes}")
    gradients = [pair for pair in gradients if pair[1]]
    for node in graph.nodes:
        _name_for_the_user(node)
    output.args = ((*others, *(node for node, _ in gradients)),)
    graph.eliminate_dead_code()
    return JointGraph(module, tuple(names), tuple(name for _, name in gradients))


def _with_buffers(module: GraphModule) -> GraphModule:
    """Make constants of an exported module buffers, which autograd accepts as inputs."""
    known = {name for name, _ in (*module.named_parameters(), *module.named_buffers())}
    for node in module.graph.find_nodes(op="get_attr"):
        path, _, name = str(node.target).rpartition(".")
        owner = module.get_submodule(path)
        value = getattr(owner, name)
        if isinstance(value, torch.Tensor) and node.target not in known:
            known.add(node.target)
            delattr(owner, name)
            owner.register_buffer(name, value)
    return module


def _replace_by_one(tangent: Node) -> None:
    """The gradient of the loss by itself."""
    with tangent.graph.inserting_before(tangent):
        value = tangent.meta["val"]
        one = tangent.graph.call_function(_ATEN.full.default, ([*value.shape], 1.0), {"dtype": value.dtype})
    one.meta["val"] = value
    tangent.replace_all_uses_with(one)
    tangent.graph.erase_node(tangent)


def _name_for_the_user(node: Node) -> None:
    """Remove `WithLoss` from the paths of modules; ops of the loss are in ``loss``."""
    for key in ("nn_module_stack", "fwd_nn_module_stack"):
        stack = node.meta.get(key) or {}
        node.meta[key] = {at: (user_path(path) if path else "loss", kind) for at, (path, kind) in stack.items()}


def _input_name(desc: Any, inputs: Sequence[str]) -> str:
    if isinstance(desc, descriptors.PlainAOTInput):
        return inputs[int(desc.idx)]
    return user_path(desc.target)


def _parameter(desc: Any) -> str:
    """Return the path of the parameter that a gradient is of; empty for an input."""
    return user_path(getattr(desc.grad_of, "target", ""))


def user_path(path: str) -> str:
    """Return a path in `WithLoss` as a path in the user's module."""
    return path.removeprefix("module").lstrip(".") if path.startswith("module") else path


# Decompositions ----------------------------------------------------------------------------------


def _decompositions() -> dict[Any, Callable[..., Any]]:
    own = {_ATEN.empty_permuted.default: _zeros, _ATEN.slice_backward.default: _slice_backward}
    return {**core_aten_decompositions(), **decompositions(), **own}


def _zeros(size: list[int], _layout: list[int], **options: Any) -> torch.Tensor:
    """Return zeros for memory that is written before it is read."""
    return torch.zeros(size, dtype=options.get("dtype"), device=options.get("device"))


def _slice_backward(
    gradient: torch.Tensor, sizes: list[int], dim: int, start: int, end: int, step: int
) -> torch.Tensor:
    """Return a pad in place of `slice_scatter`, at which torch-mlir ends with `std::bad_alloc`."""
    dim, size = dim % len(sizes), sizes[dim]
    first = min(max(start + size if start < 0 else start, 0), size)
    if step > 1:  # what the slice leaves out is padded as a dimension of its own
        apart = _padded(gradient.unsqueeze(dim + 1), dim + 1, 0, step - 1).flatten(dim, dim + 1)
        gradient = apart.narrow(dim, 0, min(apart.shape[dim], size - first))
    return _padded(gradient, dim, first, size - first - gradient.shape[dim])


def _padded(value: torch.Tensor, dim: int, low: int, high: int) -> torch.Tensor:
    pads = [0] * (2 * value.ndim)
    at = 2 * (value.ndim - 1 - dim)
    pads[at], pads[at + 1] = low, high
    return torch.constant_pad_nd(value, pads)
