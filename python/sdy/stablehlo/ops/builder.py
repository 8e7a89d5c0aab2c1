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
    calls,
    collectives,
    elementwise,
    products,
    reductions,
    regions,
    shapes,
    slicing,
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

    batch_norm_grad = _placed(products.batch_norm_grad)
    batch_norm_inference = _placed(products.batch_norm_inference)
    batch_norm_training = _placed(products.batch_norm_training)

    add = _placed(elementwise.add)
    and_ = _placed(elementwise.and_)
    atan2 = _placed(elementwise.atan2)
    clamp = _placed(elementwise.clamp)
    compare = _placed(elementwise.compare)
    complex = _placed(elementwise.complex)
    divide = _placed(elementwise.divide)
    maximum = _placed(elementwise.maximum)
    minimum = _placed(elementwise.minimum)
    multiply = _placed(elementwise.multiply)
    or_ = _placed(elementwise.or_)
    power = _placed(elementwise.power)
    remainder = _placed(elementwise.remainder)
    select = _placed(elementwise.select)
    shift_left = _placed(elementwise.shift_left)
    shift_right_arithmetic = _placed(elementwise.shift_right_arithmetic)
    shift_right_logical = _placed(elementwise.shift_right_logical)
    subtract = _placed(elementwise.subtract)
    xor = _placed(elementwise.xor)

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

    case = _placed(regions.case)
    if_ = _placed(regions.if_)
    return_ = _placed(regions.return_)
    while_ = _placed(regions.while_)

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

    constant = _placed(shapes.constant)
    dynamic_iota = _placed(shapes.dynamic_iota)
    iota = _placed(shapes.iota)
    partition_id = _placed(shapes.partition_id)
    replica_id = _placed(shapes.replica_id)
    rng = _placed(shapes.rng)
    rng_bit_generator = _placed(shapes.rng_bit_generator)

    after_all = _placed(calls.after_all)
    create_token = _placed(calls.create_token)
    get_tuple_element = _placed(calls.get_tuple_element)
    infeed = _placed(calls.infeed)
    outfeed = _placed(calls.outfeed)
    recv = _placed(calls.recv)
    send = _placed(calls.send)
    tuple = _placed(calls.tuple)

    abs = _placed(elementwise.abs)
    cbrt = _placed(elementwise.cbrt)
    ceil = _placed(elementwise.ceil)
    cosine = _placed(elementwise.cosine)
    count_leading_zeros = _placed(elementwise.count_leading_zeros)
    exponential = _placed(elementwise.exponential)
    exponential_minus_one = _placed(elementwise.exponential_minus_one)
    floor = _placed(elementwise.floor)
    imag = _placed(elementwise.imag)
    is_finite = _placed(elementwise.is_finite)
    log = _placed(elementwise.log)
    log_plus_one = _placed(elementwise.log_plus_one)
    logistic = _placed(elementwise.logistic)
    negate = _placed(elementwise.negate)
    not_ = _placed(elementwise.not_)
    popcnt = _placed(elementwise.popcnt)
    real = _placed(elementwise.real)
    reduce_precision = _placed(elementwise.reduce_precision)
    round_nearest_afz = _placed(elementwise.round_nearest_afz)
    round_nearest_even = _placed(elementwise.round_nearest_even)
    rsqrt = _placed(elementwise.rsqrt)
    sign = _placed(elementwise.sign)
    sine = _placed(elementwise.sine)
    sqrt = _placed(elementwise.sqrt)
    tan = _placed(elementwise.tan)
    tanh = _placed(elementwise.tanh)
