"""Makes ops at one place.

    b = ops.Builder.before(op)
    product = b.multiply(b.broadcast_in_dim(x, [2, 3]), y)

The functions of `sdy.stablehlo.ops` as methods that say neither where to nor which location: who makes many ops at one
place states that once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Concatenate, ParamSpec, TypeVar

from sdy.mlir import ir
from sdy.stablehlo.ops import (
    batch_norm,
    binary,
    calls,
    collectives,
    control_flow,
    products,
    reductions,
    shapes,
    slicing,
    sources,
    tokens,
    unary,
    values,
)

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


def _placed(function: Callable[_Parameters, _Result]) -> Callable[Concatenate[Builder, _Parameters], _Result]:
    """The method that calls `function` with the place of the builder."""
    make: Any = function

    @functools.wraps(function)
    def method(builder: Builder, *args: _Parameters.args, **options: _Parameters.kwargs) -> _Result:
        return make(*args, loc=builder.location, ip=builder.ip, **options)

    return method


class Builder:
    """Inserts ops at `ip`, one after the other, all with `location`."""

    __slots__ = ("ip", "location")

    def __init__(self, ip: ir.InsertionPoint, location: ir.Location) -> None:
        self.ip = ip
        self.location = location

    @staticmethod
    def before(op: ir.Operation) -> Builder:
        """In front of `op`, with its location."""
        return Builder(ir.InsertionPoint(op), op.location)

    @staticmethod
    def after(op: ir.Operation) -> Builder:
        """Behind `op`, with its location."""
        return Builder(ir.InsertionPoint.after(op), op.location)

    @staticmethod
    def at_end(block: ir.Block, location: ir.Location) -> Builder:
        return Builder(ir.InsertionPoint(block), location)

    def create(
        self,
        name: str,
        operands: Sequence[ir.Value],
        types: Sequence[ir.Type],
        attributes: Mapping[str, ir.Attribute] | None = None,
        regions: int = 0,
    ) -> ir.Operation:
        """An op of any dialect as it is told: nothing follows from anything, and nothing is checked."""
        return ir.Operation.create(
            name,
            list(types),
            list(operands),
            dict(attributes) if attributes else None,
            None,
            regions,
            self.location,
            self.ip,
        )

    one = _placed(values.one)
    """The only result of the op with a full name: for ops of which only the name is known."""

    batch_norm_grad = _placed(batch_norm.batch_norm_grad)
    batch_norm_inference = _placed(batch_norm.batch_norm_inference)
    batch_norm_training = _placed(batch_norm.batch_norm_training)

    add = _placed(binary.add)
    and_ = _placed(binary.and_)
    atan2 = _placed(binary.atan2)
    clamp = _placed(binary.clamp)
    compare = _placed(binary.compare)
    complex = _placed(binary.complex)
    divide = _placed(binary.divide)
    maximum = _placed(binary.maximum)
    minimum = _placed(binary.minimum)
    multiply = _placed(binary.multiply)
    or_ = _placed(binary.or_)
    power = _placed(binary.power)
    remainder = _placed(binary.remainder)
    select = _placed(binary.select)
    shift_left = _placed(binary.shift_left)
    shift_right_arithmetic = _placed(binary.shift_right_arithmetic)
    shift_right_logical = _placed(binary.shift_right_logical)
    subtract = _placed(binary.subtract)
    xor = _placed(binary.xor)

    composite = _placed(calls.composite)
    custom_call = _placed(calls.custom_call)

    all_gather = _placed(collectives.all_gather)
    all_reduce = _placed(collectives.all_reduce)
    all_to_all = _placed(collectives.all_to_all)
    async_done = _placed(collectives.async_done)
    async_start = _placed(collectives.async_start)
    collective_broadcast = _placed(collectives.collective_broadcast)
    collective_permute = _placed(collectives.collective_permute)
    collective_reduce = _placed(collectives.collective_reduce)
    cross_replica_sum = _placed(collectives.cross_replica_sum)
    reduce_scatter = _placed(collectives.reduce_scatter)

    case = _placed(control_flow.case)
    if_ = _placed(control_flow.if_)
    return_ = _placed(control_flow.return_)
    while_ = _placed(control_flow.while_)

    cholesky = _placed(products.cholesky)
    convolution = _placed(products.convolution)
    dot = _placed(products.dot)
    dot_general = _placed(products.dot_general)
    dynamic_conv = _placed(products.dynamic_conv)
    einsum = _placed(products.einsum)
    fft = _placed(products.fft)
    triangular_solve = _placed(products.triangular_solve)
    unary_einsum = _placed(products.unary_einsum)

    map = _placed(reductions.map)
    reduce = _placed(reductions.reduce)
    reduce_window = _placed(reductions.reduce_window)
    scatter = _placed(reductions.scatter)
    select_and_scatter = _placed(reductions.select_and_scatter)
    sort = _placed(reductions.sort)

    bitcast_convert = _placed(shapes.bitcast_convert)
    broadcast = _placed(shapes.broadcast)
    broadcast_in_dim = _placed(shapes.broadcast_in_dim)
    convert = _placed(shapes.convert)
    dynamic_broadcast_in_dim = _placed(shapes.dynamic_broadcast_in_dim)
    dynamic_reshape = _placed(shapes.dynamic_reshape)
    get_dimension_size = _placed(shapes.get_dimension_size)
    optimization_barrier = _placed(shapes.optimization_barrier)
    reshape = _placed(shapes.reshape)
    reverse = _placed(shapes.reverse)
    set_dimension_size = _placed(shapes.set_dimension_size)
    transpose = _placed(shapes.transpose)
    uniform_dequantize = _placed(shapes.uniform_dequantize)
    uniform_quantize = _placed(shapes.uniform_quantize)

    concatenate = _placed(slicing.concatenate)
    dynamic_gather = _placed(slicing.dynamic_gather)
    dynamic_pad = _placed(slicing.dynamic_pad)
    dynamic_slice = _placed(slicing.dynamic_slice)
    dynamic_update_slice = _placed(slicing.dynamic_update_slice)
    gather = _placed(slicing.gather)
    pad = _placed(slicing.pad)
    real_dynamic_slice = _placed(slicing.real_dynamic_slice)
    slice = _placed(slicing.slice)
    torch_index_select = _placed(slicing.torch_index_select)

    constant = _placed(sources.constant)
    dynamic_iota = _placed(sources.dynamic_iota)
    iota = _placed(sources.iota)
    partition_id = _placed(sources.partition_id)
    replica_id = _placed(sources.replica_id)
    rng = _placed(sources.rng)
    rng_bit_generator = _placed(sources.rng_bit_generator)

    after_all = _placed(tokens.after_all)
    create_token = _placed(tokens.create_token)
    get_tuple_element = _placed(tokens.get_tuple_element)
    infeed = _placed(tokens.infeed)
    outfeed = _placed(tokens.outfeed)
    recv = _placed(tokens.recv)
    send = _placed(tokens.send)
    tuple = _placed(tokens.tuple)

    abs = _placed(unary.abs)
    cbrt = _placed(unary.cbrt)
    ceil = _placed(unary.ceil)
    cosine = _placed(unary.cosine)
    count_leading_zeros = _placed(unary.count_leading_zeros)
    exponential = _placed(unary.exponential)
    exponential_minus_one = _placed(unary.exponential_minus_one)
    floor = _placed(unary.floor)
    imag = _placed(unary.imag)
    is_finite = _placed(unary.is_finite)
    log = _placed(unary.log)
    log_plus_one = _placed(unary.log_plus_one)
    logistic = _placed(unary.logistic)
    negate = _placed(unary.negate)
    not_ = _placed(unary.not_)
    popcnt = _placed(unary.popcnt)
    real = _placed(unary.real)
    reduce_precision = _placed(unary.reduce_precision)
    round_nearest_afz = _placed(unary.round_nearest_afz)
    round_nearest_even = _placed(unary.round_nearest_even)
    rsqrt = _placed(unary.rsqrt)
    sign = _placed(unary.sign)
    sine = _placed(unary.sine)
    sqrt = _placed(unary.sqrt)
    tan = _placed(unary.tan)
    tanh = _placed(unary.tanh)
