"""Builders of ops from a table: parameters are named and checked by the declarations.

A row is a signature and a docstring. A parameter is an operand or attribute of the op, under its declared name or a
shorter one, a function for a region, or the types of the results: `type`, `types`, `shape` (sizes, or a type),
`element_type`. `replica_groups` are rows of ids of processes that communicate, filled up with -1, or an attribute; a
`channel` is an id, of a channel between devices, or an id with a type: 1 between devices, 2 to the host, 3 from it.
`tools/generate_builders.py` writes the types of parameters to the stubs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import cached_property
from typing import Any

from sdy.mlir import ir
from sdy.stablehlo.declarations import Declaration, declaration_of
from sdy.stablehlo.ops.attribute_writers import GatherDimensionNumbers, ScatterDimensionNumbers
from sdy.stablehlo.ops.constants import ResultType, Shape, TypeLike, as_tensor_type
from sdy.stablehlo.ops.regions import combining, like, listed, one, region, scalars, several

STABLEHLO = """
abs(operand): The absolute value; of complex numbers, as a real one.
add(lhs, rhs): The sum; of truth values, or.
after_all(inputs=()): A token that waits for all of `inputs`.
all_gather(operands, all_gather_dim, replica_groups, *, channel=None, use_global_device_ids=False, types=None):
    The operands of a group, one after the other along a dimension.

    `operands` is a tensor or several; `types` are needed where the size of a group is not in the attribute.
all_reduce(operands, replica_groups, body, *, channel=None, use_global_device_ids=False, element_type=None):
    Combines the operands of a group element by element.

    `operands` is a tensor or several; `body` takes two scalars and returns one, as `ops.add` does. The scalars have
    `element_type`, by default the one of the first operand. With `use_global_device_ids`, ids are those of devices, not
    of replicas.
all_to_all(operands, split_dimension, concat_dimension, split_count, replica_groups, *, channel=None):
    Splits each operand, sends the parts to the processes of the group, and joins what arrives.

    `operands` is a tensor or several; `split_count` is the size of a group.
and_(lhs, rhs): Each bit, or truth value, that both have.
async_done(future): Waits for what `async_start` started, and gives its result.
async_start(operands, body):
    Starts an op and does not wait for it.

    `body` takes the operands and returns the result of one op, a collective one or a slice.
atan2(lhs, rhs): The angle of the point (rhs, lhs), in radians.
batch_norm_grad(operand, scale, mean, variance, grad_output, *, epsilon, feature_index):
    The gradients of operand, scale and offset, from that of the normalized operand.
batch_norm_inference(operand, scale, offset, mean, variance, *, epsilon, feature_index):
    The operand normalized by a given mean and variance.

    All but the operand have an element for each index of dimension `feature_index`; `epsilon` is added to the variance.
batch_norm_training(operand, scale, offset, *, epsilon, feature_index):
    The operand normalized by its own mean and variance, the mean and the variance.
bitcast_convert(operand, type): The bits of the elements as elements of another width, in a tensor of type `type`.
broadcast(operand, broadcast_sizes): Copies of the operand along new dimensions in front.
broadcast_in_dim(operand, shape, broadcast_dimensions=()):
    Copies of the operand along dimensions of size 1 and new ones.

    `broadcast_dimensions` has for each dimension of the operand the one of the result.
cbrt(operand, *, result_accuracy=None): The cube root.
ceil(operand): Rounds up to a whole number.
cholesky(a, lower=None): The Cholesky factor of each matrix in the last two dimensions, the upper one unless `lower`.
clamp(min, operand, max): The operand limited to `min` and `max`, tensors of its shape or scalars.
collective_broadcast(operands, replica_groups, *, channel=None, has_dynamic_root=False):
    Sends what the first process of a group has to all of it.

    With `has_dynamic_root`, of StableHLO 1.20, the last of several operands says which process it is.
collective_permute(operand, source_target_pairs, *, channel=None):
    Sends the operand of each source to its target; processes that are no target get zeros.

    The pairs are a list, an array with two columns, or an attribute.
collective_reduce(operands, replica_groups, body, *, channel=None, use_global_device_ids=False,\
 has_dynamic_root=False, element_type=None):
    Combines the operands of a group in its first process; see `all_reduce` and `collective_broadcast`.
compare(lhs, rhs, direction, compare_type=None): Compares element by element.

    `direction` is EQ, NE, GE, GT, LE or LT; `compare_type` is FLOAT, TOTALORDER, SIGNED, UNSIGNED or NOTYPE, and
    follows from the elements if it is missing.
complex(lhs, rhs): Complex numbers from real and imaginary parts.
composite(inputs, name, decomposition, *, composite_attributes=None, version=None):
    An op of a higher level, `namespace.op`, which does what the function `decomposition` of the module does.
concatenate(inputs, dimension): Tensors one after the other along a dimension.
convert(operand, element_type): The elements as values of another type.
convolution(lhs, rhs, dimension_numbers, *, padding=None, window_strides=None, lhs_dilation=None, rhs_dilation=None,\
 window_reversal=None, feature_group_count=1, batch_group_count=1, precision=None, element_type=None):
    A kernel `rhs` applied at each window of an image `lhs`.

    `dimension_numbers` are the roles of the dimensions, as in `ConvDimensionNumbers.from_text("b01f", "01io", "b01f")`;
    `padding` has the zeros before and after each spatial dimension. Strides and dilations are distances of neighbouring
    windows and elements, 1 if missing. `element_type` is that of the result, by default the one of `lhs`.
cosine(operand, *, result_accuracy=None): The cosine of an angle in radians.
count_leading_zeros(operand): How many zero bits come first.
create_token(): A token that waits for nothing.
cross_replica_sum(operand, replica_groups): The sum of the operands of a group.
custom_call(inputs, call_target_name, types, *, has_side_effect=None, backend_config=None, api_version=None,\
 called_computations=None, operand_layouts=None, result_layouts=None, output_operand_aliases=None, result_tilings=None):
    Calls what the implementation knows by the name `call_target_name`; `types` are those of the results.

    `has_side_effect` lets it run even if no result is used. `backend_config` is text, or a dictionary with
    `api_version` 4. `called_computations` are names of functions. Layouts are orders of dimensions, minor ones first,
    one for each operand or result. An alias is indices into the result, the number of an operand, and indices into it.
divide(lhs, rhs): The quotient; of integers, rounded towards zero.
dot(lhs, rhs, *, precision=None, element_type=None):
    The product of matrices or vectors; `element_type` is that of the result, by default the one of `lhs`.
dynamic_broadcast_in_dim(operand, output_dimensions, shape, broadcast_dimensions=(), known_expanding_dimensions=None,\
 known_nonexpanding_dimensions=None):
    A `broadcast_in_dim` to the sizes in `output_dimensions`, of which `shape` (or a type) says what is known.

    The known dimensions are those of the operand that are, or are not, of size 1 and copied.
dynamic_conv(lhs, rhs, padding, dimension_numbers, *, window_strides=None, lhs_dilation=None, rhs_dilation=None,\
 window_reversal=None, feature_group_count=1, batch_group_count=1, precision=None, element_type=None):
    A `convolution` whose padding is a value, a tensor with a pair for each spatial dimension.
dynamic_gather(operand, start_indices, slice_sizes, dimension_numbers, indices_are_sorted=None):
    A gather whose `slice_sizes` are a value, a tensor with one dimension.
dynamic_iota(output_shape, iota_dimension, type):
    Counts from 0 along a dimension of a tensor whose sizes are in `output_shape`; `type` is that of the result.
dynamic_pad(operand, padding_value, low, high, interior, type):
    A `pad` whose sizes are values, tensors with one dimension; `type` says what is known of the result.
dynamic_reshape(operand, output_shape, shape):
    A reshape to the sizes in `output_shape`, of which `shape` (or a type) says what is known.
dynamic_slice(operand, start_indices, slice_sizes):
    `slice_sizes` elements from `start_indices`, one scalar for each dimension, clamped to what is there.
dynamic_update_slice(operand, update, start_indices):
    The operand with `update` in place of what is at `start_indices`, one scalar for each dimension.
einsum(lhs, rhs, einsum_config, *, element_type=None): Sums of products in Einstein's notation, as in `ij,jk->ik`.
exponential(operand, *, result_accuracy=None): e to the power of the operand.
exponential_minus_one(operand, *, result_accuracy=None): `exp(x) - 1`, exact near 0.
fft(operand, fft_type, fft_length):
    The Fourier transform FFT, IFFT, RFFT or IRFFT over the last dimensions, of which `fft_length` has the sizes.
floor(operand): Rounds down to a whole number.
gather(operand, start_indices, slice_sizes, *, offset_dims=(), collapsed_slice_dims=(), operand_batching_dims=(),\
 start_indices_batching_dims=(), start_index_map=(), index_vector_dim, indices_are_sorted=None):
    A slice of the operand for each index, of `slice_sizes`, one for each dimension of the operand.

    `start_indices` has vectors of indices along `index_vector_dim`, which is its rank if each index is a scalar;
    `start_index_map` has for each entry of a vector the dimension of the operand. `offset_dims` are dimensions of the
    result that are those of a slice, `collapsed_slice_dims` those of size 1 that the result does not have; batching
    dimensions go together. `indices_are_sorted` is a promise.
get_dimension_size(operand, dimension): The size of a dimension, as an `i32` scalar.
get_tuple_element(operand, index): One value of a tuple.
imag(operand): The imaginary part; zeros if the operand is real.
infeed(token, types, infeed_config=None, layout=None):
    Data of these static tensor types from the host after a token, and a token.

    `layout` has an order of dimensions for each of the types.
iota(type, iota_dimension): Counts from 0 along a dimension; `type` is the static tensor type of the result.
is_finite(operand): Whether a number is neither infinite nor NaN.
log(operand, *, result_accuracy=None): The natural logarithm.
log_plus_one(operand, *, result_accuracy=None): `log(x + 1)`, exact near 0.
logistic(operand, *, result_accuracy=None): `1 / (1 + exp(-x))`.
map(inputs, dimensions, body):
    The body's result for each element of tensors of one shape.

    `dimensions` are all of theirs; `body` takes a scalar for each input and returns one.
maximum(lhs, rhs): The larger of two numbers; NaN if one is NaN.
minimum(lhs, rhs): The smaller of two numbers; NaN if one is NaN.
multiply(lhs, rhs): The product; of truth values, and.
negate(operand): The number with the other sign.
not_(operand): Each bit, or truth value, inverted.
optimization_barrier(operands): The operands, all of which are computed before any of the results is used.
or_(lhs, rhs): Each bit, or truth value, that one has.
outfeed(inputs, token, outfeed_config=None): Sends data to the host after a token; gives a token.
pad(operand, padding_value, low, high, interior=None): Puts copies of a scalar around and between the elements.

    `low` and `high` are how many come before and after each dimension, where negative ones take elements away,
    `interior` is how many come between neighbours, none if missing.
partition_id(): The id of the partition that runs the program.
popcnt(operand): How many bits are set.
power(lhs, rhs): `lhs` to the power of `rhs`.
real(operand): The real part; the operand itself if it is real.
real_dynamic_slice(operand, start_indices, limit_indices, strides, type):
    A slice whose limits are values, tensors with one dimension; `type` says what is known of the result.
recv(token, channel, types, *, is_host_transfer=None, source_target_pairs=None):
    Data of these static tensor types from a channel, whose type is 3 from the host, and a token.
reduce(inputs, init_values, dimensions, body, *, element_type=None):
    Combines the elements along dimensions, which the result does not have.

        ops.reduce(x, zero, [0], lambda a, b: a + b)
        ops.reduce(x, zero, [0], ops.add)

    `inputs` is a tensor, or several of one shape, `init_values` as many scalars. `body` takes a scalar for each input,
    then as many again, and returns as many; they have `element_type`, by default those of the initial values.
reduce_precision(operand, exponent_bits, mantissa_bits):
    Rounds to a float format with fewer bits, without changing the type.
reduce_scatter(operand, scatter_dimension, replica_groups, body, *, channel=None, use_global_device_ids=False,\
 type=None, element_type=None):
    Combines the operands of a group and gives each process its part along a dimension; see `all_reduce`.

    `type` of the result is needed where the size of a group is not in the attribute.
reduce_window(inputs, init_values, window_dimensions, body, *, window_strides=None, base_dilations=None,\
 window_dilations=None, padding=None, element_type=None):
    Combines the elements in each window; see `reduce`.

    `window_dimensions` are the sizes of a window, one for each dimension; strides and dilations are distances of
    neighbouring windows and elements, 1 if missing; `padding` has the initial values before and after each dimension.
remainder(lhs, rhs): The remainder, with the sign of `lhs`.
replica_id(): The id of the replica that runs the program.
reshape(operand, shape): The same elements, in row-major order, in another shape.

    `shape` are the new sizes, or a type, which bounded sizes and axes of quantization need.
reverse(operand, dimensions): The elements in reverse order along these dimensions.
rng(a, b, shape, rng_distribution):
    Random numbers UNIFORM or NORMAL, where `a` and `b` are the limits, or mean and standard deviation.

    `shape` has the sizes of the result, a tensor with one dimension.
round_nearest_afz(operand): Rounds to the nearest whole number, halves away from zero.
round_nearest_even(operand): Rounds to the nearest number, halves to the even one.
rsqrt(operand, *, result_accuracy=None): One over the square root.
scatter(inputs, scatter_indices, updates, body, *, update_window_dims=(), inserted_window_dims=(),\
 input_batching_dims=(), scatter_indices_batching_dims=(), scatter_dims_to_operand_dims=(), index_vector_dim,\
 indices_are_sorted=None, unique_indices=None, element_type=None):
    Combines slices of the inputs, one for each index, with updates.

    `inputs` is a tensor, or several of one shape, `updates` as many. `body` takes an element of each input, then one of
    each update, and returns as many; they have `element_type`, by default those of the inputs. `scatter_indices` has
    vectors of indices along `index_vector_dim`, which is its rank if each index is a scalar, and
    `scatter_dims_to_operand_dims` for each entry of a vector the dimension of the inputs. `update_window_dims` are
    dimensions of the updates that are those of a slice, `inserted_window_dims` those of size 1 that the updates do not
    have; batching dimensions go together. `indices_are_sorted` and `unique_indices` are promises.
select(pred, on_true, on_false):
    Elements of `on_true` where `pred`, a tensor of that shape or a scalar, is true, else of `on_false`.
select_and_scatter(operand, source, init_value, select, scatter, *, window_dimensions=None, window_strides=None,\
 padding=None):
    Adds each element of `source`, one for each window, to where the selected element of its window is.

    `init_value` is what the result holds elsewhere. `select` takes two scalars and returns whether the first one is
    selected, `scatter` takes two and returns what they become together. `window_dimensions` are the sizes of a window,
    `window_strides` distances of neighbouring windows, 1 if missing; `padding` has the elements before and after each
    dimension.
send(inputs, token, channel, *, is_host_transfer=None, source_target_pairs=None):
    Sends data over a channel, whose type is 2 to the host, after a token; gives a token.
set_dimension_size(operand, size, dimension):
    The first `size` (an `i32` scalar) elements along a dimension, whose size so far becomes its bound.
shift_left(lhs, rhs): `lhs` shifted left by `rhs` bits.
shift_right_arithmetic(lhs, rhs): `lhs` shifted right by `rhs` bits; its sign stays.
shift_right_logical(lhs, rhs): `lhs` shifted right by `rhs` bits; zeros move in.
sign(operand): -1, 0 or 1; of complex numbers, `x / abs(x)`.
sine(operand, *, result_accuracy=None): The sine of an angle in radians.
slice(operand, start_indices, limit_indices, strides=None):
    Every `strides[i]`-th element from `start_indices[i]` to before `limit_indices[i]`; strides are 1 if missing.
sort(inputs, comparator, dimension=-1, is_stable=None):
    Sorts a tensor, or several of one shape together, along a dimension.

        ops.sort(x, lambda a, b: a < b)

    `comparator` takes two scalars of the first input, then two of the second and so on, and returns whether the first
    ones come before the second ones; with `is_stable` equal elements keep their order.
sqrt(operand, *, result_accuracy=None): The square root.
subtract(lhs, rhs): The difference.
tan(operand, *, result_accuracy=None): The tangent of an angle in radians.
tanh(operand, *, result_accuracy=None): The hyperbolic tangent.
torch_index_select(operand, index, dim, batch_dims=0):
    The slices along `dim` whose numbers are in `index`, for each of `batch_dims` dimensions in front.
transpose(operand, permutation): Dimension i of the result is dimension `permutation[i]` of the operand.
triangular_solve(a, b, *, left_side, lower, unit_diagonal=False, transpose_a='NO_TRANSPOSE'):
    Solves `a x = b` (or `x a = b` unless `left_side`) with triangular matrices in the last two dimensions of `a`.

    `lower` says which triangle counts, `unit_diagonal` takes the diagonal for ones, `transpose_a` is NO_TRANSPOSE,
    TRANSPOSE or ADJOINT.
tuple(values): Several values as one.
unary_einsum(operand, einsum_config): Sums in Einstein's notation, as in `ij->i`.
uniform_dequantize(operand): Quantized elements as the floats that they stand for.
uniform_quantize(operand, element_type): The elements as values of a quantized type.
while_(init, cond, body):
    Applies `body` as long as `cond` holds.

        ops.while_(ops.constant(0), lambda i: i < 10, lambda i: i + 1)

    `init` is the first value, or several; `cond` takes the values and returns a boolean scalar, `body` takes them and
    returns the next ones.
xor(lhs, rhs): Each bit, or truth value, that just one has.
"""

CHLO = """
_asin_acos_kernel(operand): What asin and acos of complex numbers have in common.
acos(operand): The inverse cosine, in radians.
acosh(operand): The inverse hyperbolic cosine.
asin(operand): The inverse sine, in radians.
asinh(operand): The inverse hyperbolic sine.
atan(operand): The inverse tangent, in radians.
atanh(operand): The inverse hyperbolic tangent.
bessel_i1e(operand): The exponentially scaled modified Bessel function of order 1.
broadcast_select(pred, on_true, on_false):
    Elements of `on_true` where `pred` is true, else of `on_false`, all broadcast to one shape.
conj(operand): The complex conjugate.
cosh(operand): The hyperbolic cosine.
digamma(operand): The derivative of the logarithm of the gamma function.
erf(operand): The error function.
erf_inv(operand): The inverse of the error function.
erfc(operand): One minus the error function.
is_inf(operand): Whether a number is infinite.
is_neg_inf(operand): Whether a number is minus infinity.
is_pos_inf(operand): Whether a number is plus infinity.
lgamma(operand): The logarithm of the absolute value of the gamma function.
mulhi(lhs, rhs): The upper half of the product of two integers.
next_after(lhs, rhs): The number next to `lhs` in the direction of `rhs`.
polygamma(lhs, rhs): The polygamma function of order `lhs`.
ragged_dot(lhs, rhs, group_sizes, dimension_numbers, *, precision=None, element_type=None):
    A product of matrices in which groups of rows, columns or batches have matrices of their own.

    `group_sizes` are sizes of the groups along the ragged dimension; `element_type` is that of the result, by default
    the one of `lhs`.
sinh(operand): The hyperbolic sine.
square(operand): The product with itself.
tan(operand): The tangent of an angle in radians.
top_k(operand, k): The `k` largest elements in the last dimension, and their indices.
zeta(lhs, rhs): The Hurwitz zeta function.
"""

_BROADCASTING = """
add and atan2 complex divide maximum minimum multiply next_after or polygamma power remainder shift_left
shift_right_arithmetic shift_right_logical subtract xor zeta
"""
"""Ops of CHLO that broadcast both operands, and otherwise are the op without `broadcast_` in front."""

_SHORT = {
    "channel": "channel_handle",
    "dimension_numbers": "ragged_dot_dimension_numbers",
    "direction": "comparison_direction",
    "high": "edge_padding_high",
    "init": "operand",
    "interior": "interior_padding",
    "low": "edge_padding_low",
    "operand": "x",
    "operands": "operand",
    "precision": "precision_config",
    "values": "val",
}
"""Declared names of parameters that an op does not declare by their own name."""

_WITH_TOKEN = ("stablehlo.infeed", "stablehlo.recv")
"""Ops that give a token behind the values whose types are given."""

_LIKE = {
    **dict.fromkeys("all_gather all_reduce all_to_all collective_broadcast collective_reduce".split(), "operands"),
    **dict.fromkeys("reduce reduce_window scatter sort".split(), "inputs"),
    "while_": "init",
}
"""Builders that give one result for one operand, and several for several, and the parameter that these are."""

_BODIES = {
    **dict.fromkeys(("all_reduce", "collective_reduce"), "combining(listed(operands)[:1], element_type, body)"),
    **dict.fromkeys(("reduce", "reduce_window"), "combining(listed(init_values), element_type, body)"),
    "reduce_scatter": "combining([operand], element_type, body)",
    "scatter": "combining(listed(inputs), element_type, body)",
    "map": "lambda: [region(scalars(listed(inputs)), body)]",
    "sort": "lambda: [region(scalars([each for each in listed(inputs) for _ in range(2)]), comparator)]",
    "select_and_scatter": ("lambda: [region(scalars([operand]) * 2, select), region(scalars([source]) * 2, scatter)]"),
    "async_start": "lambda: [region(types_of(operands), body)]",
    "while_": "lambda: [region(types_of(init), cond), region(types_of(init), body)]",
}
"""Regions of the ops that have some; their bodies are planned once the operands are known to be values."""

_PARTS: dict[str, tuple[str, type[Any]]] = {
    "gather": ("dimension_numbers", GatherDimensionNumbers),
    "scatter": ("scatter_dimension_numbers", ScatterDimensionNumbers),
}
"""Attributes whose parts are parameters."""


class Row:
    """A builder of the table.

    Attributes:
      name: of the builder.
      op_name: full name of the op.
      text: parameters of the builder, without location and insertion point.
      doc: of the builder.
    """

    def __init__(self, dialect: str, name: str, text: str, doc: str) -> None:
        self.name = name
        self.op_name = f"{dialect}.{_OP_NAMES.get(name, name)}"
        self.text = text
        self.doc = doc

    @cached_property
    def parameters(self) -> list[str]:
        return [each.partition("=")[0] for each in self.text.split(", ") if each not in ("", "*")]

    @cached_property
    def declaration(self) -> Declaration:
        found = declaration_of(self.op_name)
        assert found is not None, self.op_name
        return found

    @cached_property
    def attributes(self) -> dict[str, str]:
        """Return the names of parameters that are attributes, with the attribute names."""
        named = self.declaration.attribute_named
        pairs = [(name, name if name in named else _SHORT.get(name, "")) for name in self.parameters]
        return {name: declared for name, declared in pairs if declared in named and name not in self.operands}

    @cached_property
    def operands(self) -> dict[str, bool]:
        """Return the names of parameters that are operands, and whether each is a list."""
        declared = {each.name: each.is_variadic for each in self.declaration.operands}
        pairs = [(name, name if name in declared else _SHORT.get(name, "")) for name in self.parameters]
        return {name: declared[one] for name, one in pairs if one in declared}

    @cached_property
    def like(self) -> str:
        """Return the parameter that decides between one result and several; empty if the op decides."""
        return _LIKE.get(self.name, "")

    @cached_property
    def bodies(self) -> list[str]:
        """Names of parameters that are bodies of regions."""
        return [name for name in self.parameters if name in ("body", "comparator", "cond", "select", "scatter")]

    @cached_property
    def parts(self) -> dict[str, str]:
        """Names of parameters that are parts of an attribute, with their types."""
        part_of = _PARTS.get(self.name)
        return {} if part_of is None else {each.name: str(each.type) for each in fields(part_of[1])}

    @cached_property
    def result_count(self) -> int:
        """Number of results; 0 for any number."""
        results = self.declaration.results
        return 0 if any(each.is_variadic for each in results) else len(results)

    @cached_property
    def source(self) -> str:
        """Python source of the builder."""
        operands = "".join(f"*listed({name}), " if is_list else f"{name}, " for name, is_list in self.operands.items())
        attributes = [f'"{declared}": {_VALUES.get(name, name)}' for name, declared in self.attributes.items()]
        if self.parts:
            attribute, kind = _PARTS[self.name]
            attributes.append(f'"{attribute}": {kind.__name__}({", ".join(self.parts)})')
        regions = f"regions={_BODIES[self.name]}, " if self.name in _BODIES else ""
        call = f'"{self.op_name}", ({operands}), {{{", ".join(attributes)}}}, {self._types()}{regions}**at'
        made = f"one({call})" if self.result_count == 1 else f"several({call})"
        made = f"like({self.like}, {made})" if self.like else made
        return f"def {self.name}({self.text}{', ' if self.text else ''}**at):\n    return {made}\n"

    def _types(self) -> str:
        given = [name for name in self.parameters if name in _TYPES and name not in self.operands]
        if self.op_name in _WITH_TOKEN:
            return 'types=[*listed(types), "!stablehlo.token"], '
        if self.name in _BODIES:  # the element type is that of what a body takes
            return "types=None if type is None else [type], " if "type" in given else ""
        return f"{_TYPES[given[0]]}, " if given else ""


_OP_NAMES = {"and_": "and", "cross_replica_sum": "cross-replica-sum", "not_": "not", "or_": "or", "while_": "while"}
"""Names of ops that no function can have."""

_TYPES = {
    "type": "types=[type]",
    "types": "types=types",
    "shape": "types=[shaped(operand, shape)]",
    "element_type": "element=element_type",
}
"""Arguments of `create` for the parameters that give result types."""

_VALUES = {"strides": "filled(strides, 1, start_indices)", "interior": "filled(interior, 0, low)"}
"""Values of attributes that are other than what is given."""


def filled(numbers: Sequence[int] | None, default: int, other: object) -> Sequence[int] | None:
    """Return the numbers; if missing, the default repeated as often as the others."""
    return [default] * len(other) if numbers is None and isinstance(other, Sequence) else numbers


def shaped(operand: ir.Value, shape: Shape | TypeLike) -> ResultType:
    """Return a type, or one with the operand's elements once there is a context."""
    if isinstance(shape, (str, ir.Type)) or not isinstance(getattr(operand, "type", None), ir.ShapedType):
        return shape
    return lambda: as_tensor_type(shape, operand.type.element_type)


def _rows(dialect: str, table: str) -> dict[str, Row]:
    heads = re.split(r"^(\w+)\((.*)\):", table, flags=re.MULTILINE)[1:]
    return {
        name: Row(dialect, name, text, re.sub("^    ", "", doc.strip(), flags=re.MULTILINE))
        for name, text, doc in zip(heads[::3], heads[1::3], heads[2::3], strict=True)
    }


_BROADCAST = """
broadcast_{0}(lhs, rhs, broadcast_dimensions=None): `{0}` of operands broadcast to one shape.

    `broadcast_dimensions` are the dimensions of the result that those of the operand of lower rank are; the last ones
    if missing.
"""

ROWS = {
    "stablehlo": _rows("stablehlo", STABLEHLO),
    "chlo": _rows("chlo", CHLO + "".join(map(_BROADCAST.format, _BROADCASTING.split()))),
}
"""The builders of the table by dialect and name."""


def types_of(values: ir.Value | Sequence[ir.Value]) -> list[ir.Type]:
    return [value.type for value in listed(values)]


_USED = (
    *(combining, filled, like, listed, one, region, scalars, several, shaped, types_of),
    *(GatherDimensionNumbers, ScatterDimensionNumbers),
)
"""Functions that the source of builders refers to."""


def builder(dialect: str, name: str) -> Callable[..., Any]:
    """The builder of a row."""
    row = ROWS[dialect][name]
    scope: dict[str, Any] = {each.__name__: each for each in _USED}
    exec(compile(row.source, f"{__file__}:{name}", "exec"), scope)
    made = scope[name]
    made.__module__, made.__doc__ = __name__, row.doc
    return made
