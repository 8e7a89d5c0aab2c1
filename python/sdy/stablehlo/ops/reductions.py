"""Ops whose region combines elements: reductions, scatters, sorts; reductions across processes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import numpy as np

from sdy.mlir import ir
from sdy.mlir.rewriting import At
from sdy.stablehlo.ops.making.constants import TypeLike
from sdy.stablehlo.ops.making.structured_attributes import ScatterDimensionNumbers
from sdy.stablehlo.ops.regions import Body, combining, region, scalars
from sdy.stablehlo.ops.values import Group, Value, like, listed, one, several

__all__ = ["all_reduce", "async_start", "collective_reduce", "map", "reduce", "reduce_scatter", "reduce_window"]
__all__ += ["scatter", "select_and_scatter", "sort"]


def reduce(
    inputs: Group,
    init_values: Group,
    dimensions: Sequence[int],
    body: Body,
    *,
    element_type: TypeLike | None = None,
    **at: Unpack[At],
) -> Group:
    """Combines the elements along dimensions, which the result does not have.

        ops.reduce(x, zero, [0], lambda a, b: a + b)
        ops.reduce(x, zero, [0], ops.add)

    Args:
      inputs: a tensor, or several of one shape.
      init_values: as many scalars.
      dimensions: dimensions that are reduced.
      body: takes a scalar for each input, then as many again, and returns as many.
      element_type: that of the body's arguments, by default those of the initial values.
    """
    inits = listed(init_values)
    operands, attributes = [*listed(inputs), *inits], {"dimensions": dimensions}
    regions = combining(inits, element_type, body)
    return like(inputs, several("stablehlo.reduce", operands, attributes, regions=regions, **at))


def reduce_window(
    inputs: Group,
    init_values: Group,
    window_dimensions: Sequence[int],
    body: Body,
    *,
    window_strides: Sequence[int] | None = None,
    base_dilations: Sequence[int] | None = None,
    window_dilations: Sequence[int] | None = None,
    padding: Sequence[tuple[int, int]] | None = None,
    element_type: TypeLike | None = None,
    **at: Unpack[At],
) -> Group:
    """Combines the elements in each window.

    Args:
      inputs: a tensor, or several of one shape.
      init_values: as many scalars.
      window_dimensions: sizes of a window, one for each dimension.
      body: takes a scalar for each input, then as many again, and returns as many.
      window_strides: distance of neighbouring windows; 1 if missing.
      base_dilations, window_dilations: distance of neighbouring elements of input and window; 1 if missing.
      padding: initial values before and after each dimension; none if missing.
      element_type: that of the body's arguments, by default those of the initial values.
    """
    attributes = {
        "window_dimensions": window_dimensions,
        "window_strides": window_strides,
        "base_dilations": base_dilations,
        "window_dilations": window_dilations,
        "padding": padding,
    }
    inits = listed(init_values)
    operands, regions = [*listed(inputs), *inits], combining(inits, element_type, body)
    return like(inputs, several("stablehlo.reduce_window", operands, attributes, regions=regions, **at))


def map(inputs: Sequence[ir.Value], dimensions: Sequence[int], body: Body, **at: Unpack[At]) -> Value:
    """The body's result for each element.

    Args:
      inputs: tensors of one shape.
      dimensions: all of their dimensions.
      body: takes a scalar for each input and returns one.
    """
    values = listed(inputs)
    plans = lambda: [region(scalars(values), body)]  # noqa: E731
    return one("stablehlo.map", values, {"dimensions": dimensions}, regions=plans, **at)


def sort(
    inputs: Group, comparator: Body, dimension: int = -1, is_stable: bool | None = None, **at: Unpack[At]
) -> Group:
    """Sorts along a dimension.

        ops.sort(x, lambda a, b: a < b)

    Args:
      inputs: a tensor, or several of one shape that are sorted together.
      comparator: takes two scalars of the first input, then two of the second and so on; returns whether the first
        ones come before the second ones.
      dimension: along which elements move.
      is_stable: whether equal elements keep their order.
    """
    values = listed(inputs)
    results = several(
        "stablehlo.sort",
        values,
        {"dimension": dimension, "is_stable": is_stable},
        regions=lambda: [region(scalars([value for value in values for _ in range(2)]), comparator)],
        **at,
    )
    return like(inputs, results)


def scatter(
    inputs: Group,
    scatter_indices: ir.Value,
    updates: Group,
    body: Body,
    *,
    update_window_dims: Sequence[int] = (),
    inserted_window_dims: Sequence[int] = (),
    input_batching_dims: Sequence[int] = (),
    scatter_indices_batching_dims: Sequence[int] = (),
    scatter_dims_to_operand_dims: Sequence[int] = (),
    index_vector_dim: int,
    indices_are_sorted: bool | None = None,
    unique_indices: bool | None = None,
    element_type: TypeLike | None = None,
    **at: Unpack[At],
) -> Group:
    """Combines slices of the inputs, one for each index, with updates.

    Args:
      inputs: a tensor, or several of one shape.
      scatter_indices: integers, with vectors of indices along `index_vector_dim`.
      updates: as many tensors as there are inputs.
      body: takes an element of each input, then one of each update, and returns as many.
      update_window_dims: dimensions of the updates that are those of a slice.
      inserted_window_dims: dimensions of size 1 of a slice that the updates do not have.
      input_batching_dims, scatter_indices_batching_dims: dimensions that go together.
      scatter_dims_to_operand_dims: for each entry of a vector of indices the dimension of the inputs.
      index_vector_dim: as above; the rank of the indices if each of them is a scalar.
      indices_are_sorted, unique_indices: promises.
      element_type: that of the body's arguments, by default those of the inputs.
    """
    attributes = {
        "scatter_dimension_numbers": ScatterDimensionNumbers(
            update_window_dims,
            inserted_window_dims,
            input_batching_dims,
            scatter_indices_batching_dims,
            scatter_dims_to_operand_dims,
            index_vector_dim,
        ),
        "indices_are_sorted": indices_are_sorted,
        "unique_indices": unique_indices,
    }
    values = listed(inputs)
    operands, regions = [*values, scatter_indices, *listed(updates)], combining(values, element_type, body)
    return like(inputs, several("stablehlo.scatter", operands, attributes, regions=regions, **at))


def select_and_scatter(
    operand: ir.Value,
    source: ir.Value,
    init_value: ir.Value,
    select: Body,
    scatter: Body,
    *,
    window_dimensions: Sequence[int] | None = None,
    window_strides: Sequence[int] | None = None,
    padding: Sequence[tuple[int, int]] | None = None,
    **at: Unpack[At],
) -> Value:
    """Adds each element of `source` to where the selected element of its window is.

    Args:
      operand: where elements are selected.
      source: one element for each window.
      init_value: a scalar, what the result holds elsewhere.
      select: takes two scalars and returns whether the first one is selected.
      scatter: takes two scalars and returns what they become together.
      window_dimensions: sizes of a window, one for each dimension.
      window_strides: distance of neighbouring windows; 1 if missing.
      padding: elements before and after each dimension; none if missing.
    """
    attributes = {"window_dimensions": window_dimensions, "window_strides": window_strides, "padding": padding}
    return one(
        "stablehlo.select_and_scatter",
        (operand, source, init_value),
        attributes,
        regions=lambda: [region(scalars([operand]) * 2, select), region(scalars([source]) * 2, scatter)],
        **at,
    )


# Across processes ----------------------------------------------------------------------------------------------------

Groups = Sequence[Sequence[int]] | np.ndarray | ir.Attribute
"""Rows of ids of processes that communicate, filled up with -1; or an attribute, which may say it by mesh axes."""

Channel = int | tuple[int, int] | None
"""An id, for a channel between devices, or an id with a type: 1 between devices, 2 to the host, 3 from it."""


def _among(replica_groups: Groups, channel: Channel, use_global_device_ids: bool | None = None) -> dict[str, object]:
    """The attributes that say who communicates; None for ids where an op does not say of what they are."""
    return {
        "replica_groups": replica_groups,
        "channel_handle": channel,
        "use_global_device_ids": use_global_device_ids,
    }


def all_reduce(
    operands: Group,
    replica_groups: Groups,
    body: Body,
    *,
    channel: Channel = None,
    use_global_device_ids: bool = False,
    element_type: TypeLike | None = None,
    **at: Unpack[At],
) -> Group:
    """Combines the operands of a group element by element.

    Args:
      operands: a tensor, or several.
      replica_groups, channel: who communicates, see `Groups` and `Channel`.
      body: takes two scalars and returns one, as `ops.add` does.
      use_global_device_ids: ids are those of devices, not of replicas.
      element_type: that of the body's arguments, by default the one of the first operand.
    """
    attributes = _among(replica_groups, channel, use_global_device_ids)
    values = listed(operands)
    regions = combining(values[:1], element_type, body)
    return like(operands, several("stablehlo.all_reduce", values, attributes, regions=regions, **at))


def collective_reduce(
    operands: Group,
    replica_groups: Groups,
    body: Body,
    *,
    channel: Channel = None,
    use_global_device_ids: bool = False,
    has_dynamic_root: bool = False,
    element_type: TypeLike | None = None,
    **at: Unpack[At],
) -> Group:
    """Combines the operands of a group in its first process; see `all_reduce` and `collective_broadcast`."""
    attributes = {
        **_among(replica_groups, channel, use_global_device_ids),
        "has_dynamic_root": has_dynamic_root,
    }
    values = listed(operands)
    regions = combining(values[:1], element_type, body)
    return like(operands, several("stablehlo.collective_reduce", values, attributes, regions=regions, **at))


def reduce_scatter(
    operand: ir.Value,
    scatter_dimension: int,
    replica_groups: Groups,
    body: Body,
    *,
    channel: Channel = None,
    use_global_device_ids: bool = False,
    type: TypeLike | None = None,
    element_type: TypeLike | None = None,
    **at: Unpack[At],
) -> Value:
    """Combines the operands of a group and gives each process its part along a dimension.

    Args:
      operand: a tensor.
      scatter_dimension: the dimension.
      replica_groups, channel: who communicates, see `Groups` and `Channel`.
      body: takes two scalars and returns one, as `ops.add` does.
      use_global_device_ids: ids are those of devices, not of replicas.
      type: of the result, needed where the size of a group is not in the attribute.
      element_type: that of the body's arguments, by default the one of the operand.
    """
    attributes = {
        "scatter_dimension": scatter_dimension,
        **_among(replica_groups, channel, use_global_device_ids),
    }
    return one(
        "stablehlo.reduce_scatter",
        (operand,),
        attributes,
        types=None if type is None else [type],
        regions=combining([operand], element_type, body),
        **at,
    )


def async_start(operands: Sequence[ir.Value], body: Body, **at: Unpack[At]) -> Value:
    """Starts an op and does not wait for it.

    Args:
      operands: its operands.
      body: takes them and returns the result of one op, a collective one or a slice.
    """
    values = listed(operands)
    plans = lambda: [region([value.type for value in values], body)]  # noqa: E731
    return one("stablehlo.async_start", values, regions=plans, **at)
