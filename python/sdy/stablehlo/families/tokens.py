"""Tokens, tuples, and values that come from and go to elsewhere; process ids; asynchronous computations."""

from __future__ import annotations

from sdy.mlir import ir
from sdy.stablehlo.attribute_readers import read_array, read_channel_handle
from sdy.stablehlo.declarations import declare
from sdy.stablehlo.families.collectives import check_pairs
from sdy.stablehlo.op_facts import OpFacts
from sdy.stablehlo.registry import infers, verifies
from sdy.stablehlo.types.elements import UI32
from sdy.stablehlo.types.value_types import TOKEN, Plain, Tensor, ValueType, scalar

_ELEMENT = "Any|QA|token|tuple|buffer"
_CHANNEL = "channel_handle:channel is_host_transfer?:bool=i4 source_target_pairs?:dense"

declare("after_all", "inputs*:token", "token")
declare("create_token", "", "token")
declare("partition_id replica_id", "", "ui32")
declare("tuple", f"val*:{_ELEMENT}", "tuple")
declare("get_tuple_element", "operand:tuple", _ELEMENT, "index:i32>=0")
declare("infeed", "token:token", "results*:static/Any+|token", "infeed_config?:string layout?:array")
declare("outfeed", "inputs*:Any+ token:token", "token", "outfeed_config?:string")
declare("recv", "token:token", "results*:static/Any+|token", _CHANNEL)
declare("send", "inputs*:Any+ token:token", "token", _CHANNEL)
declare("async_start", "operands*:Any", "future", regions=1)
declare("async_done", "future:future", "Any")

_DEVICE_TO_DEVICE, _DEVICE_TO_HOST, _HOST_TO_DEVICE = 1, 2, 3


@infers("after_all create_token outfeed", "c1")
def infer_token(op: OpFacts) -> list[ValueType]:
    return [TOKEN]


@infers("partition_id replica_id", "c1")
def infer_process_id(op: OpFacts) -> list[ValueType]:
    return [scalar(UI32)]


@infers("tuple", "c1")
def infer_tuple(op: OpFacts) -> list[ValueType]:
    """Infer the tuple of exactly these types, because tuples are compatible only with equal ones."""
    return [Plain("tuple", tuple(op.operands))]


@infers("get_tuple_element", "c2")
def infer_get_tuple_element(op: OpFacts) -> list[ValueType]:
    operand, index = op.operands[0], op.integer("index", 32)
    if not isinstance(operand, Plain) or operand.kind != "tuple":
        raise op.error("i1", f"operand must be a tuple, not {operand}")
    if not 0 <= index < len(operand.parts):
        raise op.error("c1", f"the tuple has no element {index}")
    return [operand.parts[index]]


# To and from elsewhere -----------------------------------------------------------------------------------------------


@verifies("infeed")
def verify_infeed(op: OpFacts) -> None:
    tensors = _results_before_token(op, ("c1", "c2", "c3"))
    layout = op.optional("layout", read_array, "an array")
    if layout is None:
        return
    if len(layout) != tensors:
        raise op.error("layout", f"needs a layout for each of {tensors} results")
    for each in layout:
        entries = read_array(each)
        if entries is None or not all(isinstance(entry, ir.IntegerAttr) for entry in entries):
            raise op.error("layout", f"a layout must be an array of integers, not {each}")


def _results_before_token(op: OpFacts, labels: tuple[str, str, str]) -> int:
    """The number of tensors before the token that comes last."""
    least, tensors, token = labels
    if not op.results:
        raise op.error(least, "needs a result")
    *data, last = op.results
    if not all(isinstance(type_, Tensor) for type_ in data):
        raise op.error(tensors, "all results but the last must be tensors")
    if last != TOKEN:
        raise op.error(token, "the last result must be a token")
    return len(data)


@verifies("recv")
def verify_recv(op: OpFacts) -> None:
    _check_channel_type(op, _HOST_TO_DEVICE)
    _results_before_token(op, ("c6", "c7", "c8"))


@infers("send", "c6")
def infer_send(op: OpFacts) -> list[ValueType]:
    _check_channel_type(op, _DEVICE_TO_HOST)
    return [TOKEN]


def _check_channel_type(op: OpFacts, host: int) -> None:
    channel = op.attribute("channel_handle", read_channel_handle, "a channel handle")
    needed = host if op.flag("is_host_transfer") else _DEVICE_TO_DEVICE
    if channel.channel_type != needed:
        raise op.error("c5", f"the channel must be of type {needed}, not {channel.channel_type}")
    if op.has("source_target_pairs"):
        check_pairs(op, ("c1", "c2", "c3", "c4"))


# Asynchronous computations -------------------------------------------------------------------------------------------

_ASYNCHRONOUS = frozenset(
    f"stablehlo.{name}"
    for name in (
        "all_gather all_reduce all_to_all collective_broadcast collective_permute collective_reduce dynamic_slice "
        "dynamic_update_slice reduce_scatter slice"
    ).split()
)


@infers("async_start", "c4")
def infer_async_start(op: OpFacts) -> list[ValueType]:
    """Return a future of the region's results: the region has one op and its return."""
    body = op.body()
    if body.is_empty:
        raise op.error("i2", "needs a region")
    if body.ops and len(body.ops) != 2:
        raise op.error("c1", "its region must hold one op and a return")
    if body.ops and body.ops[0].name not in _ASYNCHRONOUS:
        raise op.error("c2", f"'{body.ops[0].name}' cannot be asynchronous")
    if tuple(op.operands) != body.arguments:
        raise op.error("c3", "its region must take the types of the operands")
    if len(body.results) != 1:
        raise op.error("c3", "its region must return one value")
    return [Plain("future", body.results)]


@infers("async_done", "c1")
def infer_async_done(op: OpFacts) -> list[ValueType]:
    future = op.operands[0]
    if not isinstance(future, Plain) or len(future.parts) != 1:
        raise op.error("c1", f"takes a future of one value, not {future}")
    return [future.parts[0]]
