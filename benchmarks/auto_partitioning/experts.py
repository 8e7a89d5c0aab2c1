"""What experts write down for each program: axes of arguments by their paths, and of what is between by its name.

In data parallelism all axes of a mesh hold parts of the batch. Where the model is split, it is over the last axis, and
the batch over the others. An axis that does not divide a dimension is left out, as its expert would.

The four of `SIMPLE` say how arguments lie, and propagation does the rest; the others also constrain what is between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from benchmarks.auto_partitioning.rules import (
    Axes,
    Dims,
    Layout,
    Rule,
    Sizes,
    also_over,
    batch_and_height,
    batch_over,
    last_name,
    tensor_parallel,
    with_batch,
)

SIMPLE = ("data parallel", "megatron", "fsdp", "megatron + fsdp")

_PLACES = {
    "query": 1, "key": 1, "value": 1, "out": 0, "gate": 1, "up": 1, "down": 0, "embedding": 0, "head": 1,
    "first": 1, "second": 0, "third": 1,
}  # fmt: skip
"""The dimension of heads, hidden units or vocabulary of a weight of that name."""

_STACKED = {name: place + (name not in ("embedding", "head")) for name, place in _PLACES.items()}
"""The same where the layers are one tensor."""

_EXPERTS = {"gate": 0, "up": 0, "down": 0}
"""The dimension of experts."""

_UNITS_OF_EXPERTS = {"gate": 2, "up": 2, "down": 1}


@dataclass(frozen=True)
class Expert:
    """How arguments lie, and what is said of values between."""

    rule: Rule
    inside: Mapping[str, Layout] = field(default_factory=dict)


class _Usual:
    """What is written down for any program: with weights split in the dimensions `places`, values `between`."""

    def __init__(self, mesh: Sizes, places: Mapping[str, int], between: tuple[str, ...] = ()) -> None:
        self.mesh, self.places = mesh, places
        self.every: Axes = tuple(mesh)
        self.rest, self.model = self.every[:-1], self.every[-1:]
        self.by_batch = batch_over(self.every)
        self.split = tensor_parallel(places, self.rest, self.model)
        self.both = self.also_over(self.split, self.rest)
        self.found = {
            "data parallel": Expert(self.by_batch),
            "megatron": Expert(self.split),
            "fsdp": Expert(self.also_over(self.by_batch, self.every)),
            "megatron + fsdp": Expert(self.both),
        }
        if between:
            said = dict.fromkeys(between, (self.every,))
            self.found["fsdp, constrained"] = Expert(self.also_over(self.by_batch, self.every), said)
            if self.rest:
                self.found["fsdp over the last axis"] = Expert(self.also_over(self.by_batch, self.model), said)

    def also_over(self, rule: Rule, axes: Axes) -> Rule:
        return also_over(rule, axes, self.mesh)


def experts_of(name: str, mesh: Sizes) -> dict[str, Expert]:
    """What experts would try for the program of that name."""
    family = name if name in _FAMILIES else name.split("_")[0]
    return _FAMILIES[family](mesh)


def _of_transformers(mesh: Sizes, places: Mapping[str, int] = _PLACES, over_all: bool = False) -> dict[str, Expert]:
    usual = _Usual(mesh, places, ("residual", "normed", "heads", "hidden"))
    every, rest, model = usual.every, usual.rest, usual.model
    inside: dict[str, Layout] = {
        "residual": (rest,),
        "normed": (rest,),
        "heads": (rest, (), model),
        "hidden": (rest, (), model),
    }
    by_sequence = {**inside, "residual": (rest, model)}
    found = usual.found | {
        "megatron + fsdp, constrained": Expert(usual.both, inside),
        "megatron + sp": Expert(usual.split, by_sequence),
        "megatron + sp + fsdp": Expert(usual.both, by_sequence),
    }
    if over_all:
        split_in_all: dict[str, Layout] = {
            "residual": ((), every),
            "normed": ((),),
            "heads": ((), (), every),
            "hidden": ((), (), every),
        }
        found["tensors over all + sp"] = Expert(tensor_parallel(places, (), every), split_in_all)
    return found


def _of_sequences(mesh: Sizes) -> dict[str, Expert]:
    return _Usual(mesh, _PLACES, ("residual", "normed", "heads", "hidden")).found


def _of_tables(mesh: Sizes) -> dict[str, Expert]:
    usual = _Usual(mesh, _PLACES, ("features",))

    def tables_in(layout: Layout) -> Rule:
        return lambda path, dims: layout if "'tables'" in path else usual.by_batch(path, dims)

    return usual.found | {
        "tables by rows": Expert(tables_in((usual.every,))),
        "tables by features": Expert(tables_in(((), usual.every))),
        "tables by both": Expert(tables_in((usual.rest, usual.model))),
    }


def _of_perceptrons(mesh: Sizes) -> dict[str, Expert]:
    usual = _Usual(mesh, _PLACES, ("narrow", "wide", "wider"))
    inside: dict[str, Layout] = {"narrow": (usual.rest,), "wide": (usual.rest, usual.model), "wider": (usual.rest,)}
    return usual.found | {
        "megatron + fsdp, constrained": Expert(usual.both, inside),
        "megatron + sp + fsdp": Expert(usual.both, {**inside, "wider": (usual.every,)}),
    }


def _of_masked_experts(mesh: Sizes) -> dict[str, Expert]:
    """Tokens of a group are by each other until they are sent to where their expert is."""
    usual = _Usual(mesh, _EXPERTS)
    every, rest, model = usual.every, usual.rest, usual.model
    grouped: dict[str, Layout] = {"groups": (every,), "grouped": ((), every)}
    exchanged: dict[str, Layout] = {**grouped, "dispatched": (model, rest)}
    everywhere: dict[str, Layout] = {**grouped, "dispatched": ((), every)}
    over_all: dict[str, Layout] = {**grouped, "dispatched": (every,)}
    return usual.found | {
        "fsdp, constrained": Expert(usual.also_over(usual.by_batch, every), everywhere),
        "experts + data parallel": Expert(with_batch(usual.split, every), exchanged),
        "experts + fsdp": Expert(with_batch(usual.both, every), exchanged),
        "experts over all": Expert(tensor_parallel(_EXPERTS, every, every), over_all),
    }


def _of_ragged_experts(mesh: Sizes) -> dict[str, Expert]:
    usual = _Usual(mesh, _UNITS_OF_EXPERTS, ("tokens", "rows", "hidden rows"))
    every, rest, model = usual.every, usual.rest, usual.model
    inside: dict[str, Layout] = {"tokens": (rest,), "rows": (rest,), "hidden rows": (rest, model)}
    over_all: dict[str, Layout] = {"tokens": (every,), "rows": (), "hidden rows": ((), every)}
    return usual.found | {
        "megatron + fsdp, constrained": Expert(usual.both, inside),
        "megatron + sp + fsdp": Expert(with_batch(usual.both, every), {**inside, "tokens": (every,)}),
        "experts + data parallel": Expert(tensor_parallel(_EXPERTS, rest, model), {"tokens": (rest,)}),
        "tensors over all": Expert(tensor_parallel(_UNITS_OF_EXPERTS, (), every), {"hidden rows": ((), every)}),
        "tensors over all + sp": Expert(tensor_parallel(_UNITS_OF_EXPERTS, every, every), over_all),
    }


def _of_images(mesh: Sizes) -> dict[str, Expert]:
    usual = _Usual(mesh, _PLACES, ("features", "heads"))
    by_height = Expert(batch_and_height(usual.rest, usual.model), {"features": (usual.rest, usual.model)})
    return usual.found | {
        "batch and height": by_height,
        "batch and height + fsdp": replace(by_height, rule=usual.also_over(by_height.rule, usual.every)),
    }


def _of_graphs(mesh: Sizes) -> dict[str, Expert]:
    usual = _Usual(mesh, {})
    every, rest, model = usual.every, usual.rest, usual.model

    def of_edges(path: str, dims: Dims) -> Layout:
        return (every,) if "senders" in path or "receivers" in path else ()

    def of_features(path: str, dims: Dims) -> Layout:
        if "[1]" in path[:3]:
            return (rest,)
        return ((), model) if last_name(path) in ("send", "receive", "enter", "update") else ()

    by_node: dict[str, Layout] = {"nodes": (every,), "read nodes": ((),), "edges": (every,)}
    by_feature: dict[str, Layout] = {"nodes": (rest, model), "read nodes": ((), model), "edges": (rest, model)}
    exchanged: dict[str, Layout] = {"nodes": (every,), "read nodes": ((), every), "edges": ((), every)}
    return usual.found | {
        "edges": Expert(of_edges, {"nodes": (), "read nodes": (), "edges": (every,)}),
        "edges and nodes": Expert(usual.by_batch, by_node),
        "edges and nodes + fsdp": Expert(usual.also_over(usual.by_batch, every), by_node),
        "nodes, read by feature": Expert(usual.by_batch, exchanged),
        "edges, nodes and features": Expert(of_features, by_feature),
        "edges and features": Expert(of_features, {**by_feature, "nodes": ((), model)}),
    }


def _of_decoding(mesh: Sizes) -> dict[str, Expert]:
    usual = _Usual(mesh, _PLACES)
    every, rest, model = usual.every, usual.rest, usual.model
    over_all = tensor_parallel(_PLACES, (), every)
    by_head: dict[str, Layout] = {"residual": (), "normed": (), "heads": ((), every), "hidden": ((), every)}
    by_both: dict[str, Layout] = {
        "residual": (rest,),
        "normed": (rest,),
        "heads": (rest, model),
        "hidden": (rest, model),
    }

    def of_texts(path: str, dims: Dims) -> Layout:
        return (every,) if "'cache'" in path else over_all(path, dims)

    def of_heads_and_texts(path: str, dims: Dims) -> Layout:
        return (rest, (), model) if "'cache'" in path else over_all(path, dims)

    return usual.found | {
        "batch and heads": Expert(usual.split, by_both),
        "heads over all": Expert(over_all, by_head),
        "tensors over all, cache by text": Expert(of_texts, {**by_head, "heads": (every,)}),
        "tensors over all, cache by both": Expert(of_heads_and_texts, {**by_head, "heads": (rest, model)}),
    }


_FAMILIES: Mapping[str, Callable[[Sizes], dict[str, Expert]]] = {
    "mlp": _of_perceptrons,
    "moe": _of_masked_experts,
    "moe_ragged": _of_ragged_experts,
    "cnn": _of_images,
    "resnet": _of_images,
    "unet": _of_images,
    "gnn": _of_graphs,
    "transformer": _of_transformers,
    "wide": lambda mesh: _of_transformers(mesh, over_all=True),
    "scan": lambda mesh: _of_transformers(mesh, _STACKED),
    "llama": _of_transformers,
    "decode": _of_decoding,
    "encoder_decoder": _of_sequences,
    "vision_transformer": _of_sequences,
    "state_space": _of_sequences,
    "recommender": _of_tables,
    "contrastive": lambda mesh: _Usual(mesh, _PLACES, ("narrow", "wide")).found,
}
