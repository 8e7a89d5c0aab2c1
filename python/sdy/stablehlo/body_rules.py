"""Rules of bodies that combine elements, and of windows."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir, stablehlo
from sdy.mlir.walk import enclosing
from sdy.stablehlo.attribute_readers import (
    DenseInts,
    of_length,
    read_array,
    read_channel_handle,
    read_dense_ints,
    read_mesh_axes,
)
from sdy.stablehlo.op_facts import Body, OpFacts
from sdy.stablehlo.types.elements import Element, is_promotable
from sdy.stablehlo.types.sizes import DYNAMIC, compatible_shapes, compatible_sizes, is_unknown, largest
from sdy.stablehlo.types.value_types import Tensor, ValueType


def find_symbol(op: OpFacts, name: ir.Attribute | None) -> ir.Operation | None:
    """Return the op of that name in the module around `op`, or around its operands; None if there is none.

    Args:
      op: an op in the module, or to be made there.
      name: the reference to the symbol; only a flat reference finds one.
    """
    module = _module(op)
    if module is None or not isinstance(name, ir.FlatSymbolRefAttr):
        return None
    for inner in module.regions[0].blocks[0].operations:
        operation = inner.operation
        symbol = operation.attributes.get("sym_name")
        if isinstance(symbol, ir.StringAttr) and symbol.value == name.value:
            return operation
    return None


def _module(op: OpFacts) -> ir.Operation | None:
    owners = [op.op] if op.op is not None else [_owner(value) for value in op.values if value is not None]
    current = next((owner for owner in owners if owner is not None), None)
    if current is None or current.name == "builtin.module":
        return current
    return enclosing(current, "builtin.module")


def _owner(value: ir.Value) -> ir.Operation | None:
    owner = value.owner
    owner = owner.owner if isinstance(owner, ir.Block) else owner
    return owner.operation if owner is not None else None


MeshReader = Callable[[ir.Operation], Mapping[str, int]]
"""Sizes of the axes of a mesh by their names."""

_readers: dict[str, MeshReader] = {}


def mesh_op(name: str) -> Callable[[MeshReader], MeshReader]:
    """Make the decorated function the reader of mesh ops with that name, whose symbols groups may refer to."""

    def register(reader: MeshReader) -> MeshReader:
        _readers[name] = reader
        return reader

    return register


def axis_sizes(op: OpFacts, groups: stablehlo.ReplicaGroupMeshAxesAttr) -> list[int] | None:
    """Return the sizes of the axes that span a group; None if the mesh cannot be found."""
    sizes = _mesh(op, groups.mesh)
    if sizes is None:
        return None
    found: list[int] = []
    for attribute in groups.axes:
        axis = stablehlo.AxisRefAttr(attribute)
        info = axis.sub_axis_info
        if axis.name not in sizes:
            raise op.error("replica_groups", f"the mesh of its groups has no axis '{axis.name}'")
        found.append(_sub_axis_size(info) if info is not None else sizes[axis.name])
    return found


def has_overlap(groups: stablehlo.ReplicaGroupMeshAxesAttr) -> bool:
    """Return whether two axes of the groups overlap, which would put a process into a group twice."""
    axes = [_extent(stablehlo.AxisRefAttr(attribute)) for attribute in groups.axes]
    return any(_overlap(first, second) for number, first in enumerate(axes) for second in axes[:number])


def _extent(axis: stablehlo.AxisRefAttr) -> tuple[str, int, int | None]:
    """Return name, pre-size and end of an axis; the end is None for a full axis."""
    info = axis.sub_axis_info
    if info is None:
        return axis.name, 1, None
    info = _sub_axis(info)
    return axis.name, info.pre_size, info.pre_size * info.size


def _overlap(first: tuple[str, int, int | None], second: tuple[str, int, int | None]) -> bool:
    (name, start, end), (other, other_start, other_end) = first, second
    if name != other:
        return False
    return end is None or other_end is None or (start < other_end and other_start < end)


def _mesh(op: OpFacts, mesh: ir.Attribute) -> Mapping[str, int] | None:
    try:
        written = stablehlo.MeshAttr(mesh)
    except (ValueError, TypeError):
        declared = find_symbol(op, mesh)
        if declared is None:
            return None
        reader = _readers.get(declared.name)
        return None if reader is None else reader(declared)
    return {axis.name: axis.size for axis in map(stablehlo.MeshAxisAttr, written.axes)}


def _sub_axis_size(info: ir.Attribute) -> int:
    return _sub_axis(info).size


def _sub_axis(info: ir.Attribute) -> stablehlo.SubAxisInfoAttr:
    return info if isinstance(info, stablehlo.SubAxisInfoAttr) else stablehlo.SubAxisInfoAttr(info)


GROUPS = "replica_groups"


def check_replica_groups(
    op: OpFacts, unique: str, in_range: str, *, padded: bool = False, size: int | None = None, sized: str = ""
) -> None:
    """Check H8 for dense groups; for groups by mesh axes only that no axis occurs twice.

    Args:
      op: an op with the attribute `replica_groups`.
      unique: the constraint that an id occurs once.
      in_range: the constraint that the ids are 0, 1, ... without gaps.
      padded: whether -1 may fill up short groups.
      size: the required size of groups.
      sized: the constraint on the size.
    """
    groups = dense_groups(op)
    if groups is None:
        check_mesh_axes(op, unique)
        return
    if len(groups.shape) != 2:
        raise op.error(in_range, "replica_groups must have two dimensions")
    if op.has("use_global_device_ids") and not groups.values:
        raise op.error(in_range, "replica_groups must not be empty with use_global_device_ids")
    ids = [each for each in groups.values if each != -1] if padded else list(groups.values)
    if any(each < 0 for each in ids):
        raise op.error(in_range, "replica_groups has a negative id")
    if len(set(ids)) != len(ids):
        raise op.error(unique, "an id occurs twice in replica_groups")
    if set(ids) != set(range(len(ids))):
        raise op.error(in_range, f"replica_groups must hold the ids 0 to {len(ids) - 1}")
    if size is not None and groups.shape[1] != size:
        raise op.error(sized, f"groups must be of size {size}, not {groups.shape[1]}")


def dense_groups(op: OpFacts) -> DenseInts | None:
    """The groups if they are in dense form."""
    kept = op.kept.get(GROUPS)
    return kept if isinstance(kept, DenseInts) else read_dense_ints(op.attributes.get(GROUPS))


def check_mesh_axes(op: OpFacts, unique: str) -> None:
    """Check that groups along mesh axes name no sub-axis twice."""
    axes = read_mesh_axes(op.attributes.get(GROUPS))
    if axes is not None and has_overlap(axes):
        raise op.error(unique, "an axis occurs twice in replica_groups")


def check_channel(op: OpFacts, constraint: str) -> None:
    """Check that global device ids come with a channel."""
    if op.flag("use_global_device_ids") and channel_id(op) <= 0:
        raise op.error(constraint, "use_global_device_ids needs a channel with a positive id")


def channel_id(op: OpFacts) -> int:
    """The id of the channel; 0 without one."""
    channel = op.optional("channel_handle", read_channel_handle, "a channel handle")
    return 0 if channel is None else channel.handle


def group_size(op: OpFacts) -> int | None:
    """Return the number of processes in a group; None if it does not follow from the op alone."""
    groups = dense_groups(op)
    if groups is not None:
        return _dense_group_size(groups)
    axes = read_mesh_axes(op.attributes.get(GROUPS))
    return None if axes is None else _mesh_group_size(op, axes)


def _dense_group_size(groups: DenseInts) -> int | None:
    # No groups at all stand for one of all processes, whose number is not known here.
    return groups.shape[1] if len(groups.shape) == 2 and groups.values else None


def _mesh_group_size(op: OpFacts, axes: stablehlo.ReplicaGroupMeshAxesAttr) -> int | None:
    sizes = axis_sizes(op, axes)
    return None if sizes is None else math.prod(sizes)


__all__ = ["GROUPS", "channel_id", "check_channel", "check_replica_groups", "group_size", "read_array"]


def check_reduction_body(
    op: OpFacts, label: str, body: Body, inputs: Sequence[Element], inits: Sequence[Tensor], allowed: Sequence[int] = ()
) -> None:
    """Check H9: the body combines two values of each input to one; inputs and initial values are promotable to it.

    Args:
      op: the op, for errors.
      label: the constraint.
      body: the region.
      inputs: element types of the inputs.
      inits: types of the initial values.
      allowed: sizes that the second arguments can have, in this order; none for scalars.
    """
    count = len(inputs)
    if body.is_empty or len(body.arguments) != 2 * count:
        raise op.error(label, f"its body must take {2 * count} arguments, not {len(body.arguments)}")
    if not body.results or len(body.results) != count:
        raise op.error(label, f"its body must return {count} values, not {len(body.results)}")
    for index, (input_, init) in enumerate(zip(inputs, inits, strict=True)):
        result = _tensor(op, label, body.results[index])
        first = _tensor(op, label, body.arguments[index])
        second = _tensor(op, label, body.arguments[count + index])
        _check_types(op, label, result, first, second)
        _check_promotion(op, label, result, second, input_, init)
        if not _is_subsequence(second.dims, allowed):
            raise op.error(label, f"argument {count + index} of its body has dimensions that are not reduced to")


def _tensor(op: OpFacts, label: str, type_: ValueType) -> Tensor:
    if not isinstance(type_, Tensor):
        raise op.error(label, f"its body takes or returns {type_}")
    return type_


def _check_types(op: OpFacts, label: str, result: Tensor, first: Tensor, second: Tensor) -> None:
    if not compatible_shapes(first.dims, result.dims) or first.element != result.element:
        raise op.error(label, f"its body takes {first} but returns {result}")
    if not compatible_shapes(second.dims, result.dims):
        raise op.error(label, f"its body takes {second} but returns {result}")
    if second.element != result.element:
        raise op.error(label, f"its body takes numbers of type {second.element} but returns {result.element}")


def _check_promotion(op: OpFacts, label: str, result: Tensor, second: Tensor, input_: Element, init: Tensor) -> None:
    if not compatible_shapes(result.dims, init.dims):
        raise op.error(label, f"its body returns {result}, but the initial value is {init}")
    if not is_promotable(init.known_element, result.known_element):
        raise op.error(label, f"{init.element} is not promotable to {result.element}")
    if not is_promotable(input_, second.known_element):
        raise op.error(label, f"{input_} is not promotable to {second.element}")


def _is_subsequence(dims: Sequence[int], allowed: Sequence[int]) -> bool:
    rest = iter(allowed)
    return all(any(compatible_sizes(size, other) for other in rest) for size in dims)


def returned_elements(op: OpFacts, label: str, body: Body, count: int) -> list[Element] | None:
    """Return the element types that a body returns, one for each of `count` results; None for an empty region."""
    if body.is_empty:
        return None
    if len(body.results) < count:
        raise op.error(label, f"its body returns {len(body.results)} values, but {count} are needed")
    return [_tensor(op, label, type_).known_element for type_ in body.results[:count]]


def check_scalar_body(op: OpFacts, label: str, body: Body, arguments: Sequence[Element]) -> None:
    """Check that the body takes scalars of exactly these element types and returns one boolean scalar."""
    taken = [type_ for type_ in body.arguments if isinstance(type_, Tensor) and not type_.dims]
    if len(body.arguments) != len(arguments) or [type_.element for type_ in taken] != list(arguments):
        raise op.error(label, f"its body must take scalars of {', '.join(map(str, arguments))}")
    if not returns_predicate(body):
        raise op.error(label, "its body must return one boolean scalar")


def returns_predicate(body: Body) -> bool:
    """Return whether the body returns a single `tensor<i1>`."""
    if len(body.results) != 1:
        return False
    result = body.results[0]
    return isinstance(result, Tensor) and not result.dims and result.known_element.name == "i1"


class WindowDimension(NamedTuple):
    """Dimension of a window."""

    size: int
    stride: int = 1
    base_dilation: int = 1
    window_dilation: int = 1
    low: int = 0
    high: int = 0

    def positions(self, extent: int) -> int:
        """H7: number of positions in a dimension of size `extent`; unknown if either size is."""
        size, stride, base, dilation, low, high = self
        if is_unknown(extent) or is_unknown(size):
            return DYNAMIC
        padded = low + (extent if base == 1 else _dilated(extent, base)) + high
        span = size if dilation == 1 else _dilated(size, dilation)
        return 0 if padded <= 0 else largest(padded - span + stride, 0) // stride


def _dilated(size: int, dilation: int) -> int:
    return largest((size - 1) * dilation + 1, 0)


@dataclass(frozen=True, slots=True)
class WindowLabels:
    """Constraints of an op on its window attributes: on their lengths (`..._length`) and on their values."""

    padding: str
    stride_length: str
    stride: str
    size: str = ""
    base_length: str = ""
    base: str = ""
    dilation_length: str = ""
    dilation: str = ""


def check_padding(op: OpFacts, padding: DenseInts | None, rank: int, label: str) -> None:
    """An optional padding is of shape rank x 2."""
    if padding is not None and padding.shape != (rank, 2):
        raise op.error(label, f"padding must be of shape {rank}x2, not {padding.shape}")


def read_windows(
    op: OpFacts,
    labels: WindowLabels,
    sizes: Sequence[int],
    padding: DenseInts | None,
    *,
    dilations: tuple[str, str] | None = None,
) -> list[WindowDimension]:
    """The dimensions of a window, with all its attributes checked.

    `dilations` are the names of the attributes with the dilations of base and window.
    """
    rank, strides = len(sizes), op.optional_ints("window_strides")
    base, window = map(op.optional_ints, dilations) if dilations else (None, None)
    listed = (
        (strides, labels.stride_length, "strides"),
        (base, labels.base_length, "base dilations"),
        (window, labels.dilation_length, "window dilations"),
    )
    for values, label, what in listed:
        if not of_length(values, rank):
            raise op.error(label, f"needs {rank} {what}")
    ones, paddings = [1] * rank, padding.values if padding is not None else (0, 0) * rank
    positive = sizes, strides or ones, base or ones, window or ones
    dims = list(map(WindowDimension, *positive, paddings[::2], paddings[1::2]))
    if rank and min(map(min, positive)) <= 0:
        for number, dim in enumerate(dims):
            _check_positive(op, dim, labels, number)
    return dims


def _check_positive(op: OpFacts, dim: WindowDimension, labels: WindowLabels, number: int) -> None:
    listed = (
        (dim.size, labels.size, "window size"),
        (dim.stride, labels.stride, "stride"),
        (dim.base_dilation, labels.base, "base dilation"),
        (dim.window_dilation, labels.dilation, "window dilation"),
    )
    for value, label, what in listed:
        if label and value != DYNAMIC and value <= 0:
            raise op.error(label, f"{what} {value} of dimension {number} must be positive")
