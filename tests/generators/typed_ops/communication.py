"""Collectives, transfers, tokens, asynchronous ops."""

from __future__ import annotations

from random import Random

from tests.generators.typed_ops.case import Case, cases
from tests.generators.typed_ops.drawing import element, i64, matrix, relaxed, scalar_body, shape, tensor

_CHANNEL = "#stablehlo.channel_handle<handle = 1, type = 1>"


def _groups(rng: Random, size: int, count: int | None = None) -> str:
    count = count or rng.choice([1, 2])
    ids = rng.sample(range(size * count), size * count)
    return matrix([ids[start : start + size] for start in range(0, len(ids), size)])


def _channel(rng: Random, attributes: dict[str, str], *, has_flag: bool = True) -> dict[str, str]:
    """Perhaps a channel, and then perhaps global ids."""
    if rng.random() < 0.5:
        attributes["channel_handle"] = _CHANNEL
        if has_flag and rng.random() < 0.5:
            attributes["use_global_device_ids"] = "unit"
    return attributes


@cases("all_gather")
def all_gather(rng: Random, name: str) -> Case:
    type_, size = element(rng, "Any"), rng.choice([1, 2, 4])
    shapes = [shape(rng, 1) for _ in range(rng.choice([1, 1, 2]))]
    dim = rng.randrange(min(map(len, shapes)))
    results = [[extent * size if place == dim else extent for place, extent in enumerate(dims)] for dims in shapes]
    attributes = _channel(rng, {"all_gather_dim": i64(dim), "replica_groups": _groups(rng, size)})
    operands = tuple(relaxed(rng, dims, type_, 0.15) for dims in shapes)
    return Case(name, operands, attributes, results=tuple(tensor(dims, type_) for dims in results))


@cases("all_to_all")
def all_to_all(rng: Random, name: str) -> Case:
    type_, count = element(rng, "Any"), rng.choice([1, 2, 4])
    dims = shape(rng, 1)
    split, concat = rng.randrange(len(dims)), rng.randrange(len(dims))
    dims[split] *= count
    attributes = {
        "split_dimension": i64(split),
        "concat_dimension": i64(concat),
        "split_count": i64(count),
        "replica_groups": _groups(rng, count),
    }
    operands = tuple(relaxed(rng, dims, type_) for _ in range(rng.choice([1, 1, 2])))
    return Case(name, operands, _channel(rng, attributes, has_flag=False))


@cases("all_reduce collective_reduce")
def all_reduce(rng: Random, name: str) -> Case:
    type_ = element(rng, "F|I|C")
    attributes = _channel(rng, {"replica_groups": _groups(rng, rng.choice([1, 2, 4]))})
    operands = [relaxed(rng, shape(rng), type_) for _ in range(rng.choice([1, 1, 2]))]
    if name.endswith("collective_reduce") and rng.random() < 0.3:
        attributes["has_dynamic_root"] = "unit"
        operands.append(tensor([len(operands)], "i32"))
    return Case(name, tuple(operands), attributes, (scalar_body(type_),))


@cases("reduce_scatter")
def reduce_scatter(rng: Random, name: str) -> Case:
    type_, size = element(rng, "F|I|C"), rng.choice([1, 2, 4])
    result = shape(rng, 1)
    dim = rng.randrange(len(result))
    operand = [extent * size if place == dim else extent for place, extent in enumerate(result)]
    attributes = _channel(rng, {"scatter_dimension": i64(dim), "replica_groups": _groups(rng, size)})
    body = (scalar_body(type_),)
    return Case(name, (relaxed(rng, operand, type_, 0.15),), attributes, body, (tensor(result, type_),))


@cases("collective_broadcast")
def collective_broadcast(rng: Random, name: str) -> Case:
    attributes = _channel(rng, {"replica_groups": _groups(rng, 2)}, has_flag=False)
    return Case(name, (relaxed(rng, shape(rng), element(rng, "Any")),), attributes)


@cases("collective_permute")
def collective_permute(rng: Random, name: str) -> Case:
    count = rng.choice([1, 2, 3])
    pairs = list(zip(rng.sample(range(4), count), rng.sample(range(4), count), strict=True))
    attributes = _channel(rng, {"source_target_pairs": matrix(pairs)}, has_flag=False)
    return Case(name, (relaxed(rng, shape(rng), element(rng, "Any")),), attributes)


@cases("cross-replica-sum")
def cross_replica_sum(rng: Random, name: str) -> Case:
    return Case(name, (relaxed(rng, shape(rng), element(rng, "Any")),), {"replica_groups": _groups(rng, 2)})


# Tokens and transfers ------------------------------------------------------------------------------------------------

_TOKEN = "!stablehlo.token"


@cases("after_all create_token partition_id replica_id")
def fixed(rng: Random, name: str) -> Case:
    return Case(name, (_TOKEN,) * rng.choice([0, 1, 2]) if name.endswith("after_all") else ())


@cases("infeed")
def infeed(rng: Random, name: str) -> Case:
    results = [tensor(shape(rng), element(rng, "Any")) for _ in range(rng.choice([0, 1, 2]))]
    attributes = {"infeed_config": '"a"'}
    if rng.random() < 0.4:
        attributes["layout"] = f"[{', '.join('[0, 1]' for _ in results)}]"
    return Case(name, (_TOKEN,), attributes, results=(*results, _TOKEN))


@cases("outfeed")
def outfeed(rng: Random, name: str) -> Case:
    inputs = [relaxed(rng, shape(rng), element(rng, "Any")) for _ in range(rng.choice([0, 1, 2]))]
    return Case(name, (*inputs, _TOKEN), {"outfeed_config": '"a"'})


@cases("send recv")
def transfer(rng: Random, name: str) -> Case:
    is_host = rng.random() < 0.5
    is_send = name.endswith("send")
    kind = (2 if is_send else 3) if is_host else 1
    attributes = {
        "channel_handle": f"#stablehlo.channel_handle<handle = 1, type = {kind}>",
        "is_host_transfer": str(is_host).lower(),
    }
    data = [tensor(shape(rng), element(rng, "Any")) for _ in range(rng.choice([0, 1, 2]))]
    if is_send:
        return Case(name, (*data, _TOKEN), attributes)
    return Case(name, (_TOKEN,), attributes, results=(*data, _TOKEN))


@cases("async_start")
def async_start(rng: Random, name: str) -> Case:
    operand = tensor(shape(rng), "f32")
    inner = rng.choice(["stablehlo.slice", "stablehlo.all_reduce", "test.other"])
    results = (f"!stablehlo.future<{operand}>",)
    return Case(name, (operand,), {}, (((operand,), (operand,)),), results, inner=inner)


@cases("async_done")
def async_done(rng: Random, name: str) -> Case:
    return Case(name, (f"!stablehlo.future<{relaxed(rng, shape(rng), element(rng, 'Any'))}>",))
