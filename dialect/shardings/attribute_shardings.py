"""Shardings in the attributes of ops and functions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING, ShardingPerValue
from sdy.dialect.op_properties import rank
from sdy.dialect.values.axes import AxisList
from sdy.dialect.values.sharding import MeshRef, TensorSharding
from sdy.mlir import address, ir
from sdy.mlir.functions import ARGUMENTS, RESULTS, entries_of, map_entries, put_entries
from sdy.mlir.per_context import PerContext


def op_shardings(op: ir.Operation) -> tuple[TensorSharding, ...] | None:
    """The entries of the op attribute `sdy.sharding`: one per result, a single one on an op without results."""
    stored = attributes.get(op, SHARDING)
    return None if stored is None else stored.shardings


def set_op_shardings(op: ir.Operation, shardings: Sequence[TensorSharding] | None) -> None:
    """Replaces the op attribute `sdy.sharding`; None removes it."""
    if shardings is not None:
        attributes.put(op, SHARDING, ShardingPerValue(tuple(shardings)))
    elif SHARDING in op.attributes:
        del op.attributes[SHARDING]


def open_like(mesh: MeshRef, type_: ir.Type) -> TensorSharding:
    """The fully open sharding of a value of that type; rank 0 for a token."""
    return TensorSharding.open(mesh, rank(type_))


def with_entry(
    shardings: Sequence[TensorSharding] | None, index: int, sharding: TensorSharding, types: Sequence[ir.Type]
) -> tuple[TensorSharding, ...]:
    """`shardings` with another entry at `index`; see `with_entries`."""
    return with_entries(shardings, {index: sharding}, types)


def with_entries(
    shardings: Sequence[TensorSharding] | None, new: Mapping[int, TensorSharding], types: Sequence[ir.Type]
) -> tuple[TensorSharding, ...]:
    """Return `shardings` with the given entries replaced, by index.

    Without a list, make one entry per type: all others fully open on the mesh of the first new one.
    """
    if shardings is None:
        mesh = next(iter(new.values())).mesh_or_ref
        return tuple(new.get(index) or open_like(mesh, type_) for index, type_ in enumerate(types))
    entries = list(shardings)
    for index, sharding in new.items():
        entries[index] = sharding
    return tuple(entries)


# Functions ---------------------------------------------------------------------------------------


def num_arguments(func: ir.Operation) -> int:
    return len(_function_type(func).inputs)


def num_results(func: ir.Operation) -> int:
    return len(_function_type(func).results)


def arg_sharding(func: ir.Operation, index: int) -> TensorSharding | None:
    """The `sdy.sharding` of a function argument."""
    return _entry(func, "arg_attrs", index)


def set_arg_sharding(func: ir.Operation, index: int, sharding: TensorSharding | None) -> None:
    set_arg_shardings(func, {index: sharding})


def set_arg_shardings(func: ir.Operation, shardings: Mapping[int, TensorSharding | None]) -> None:
    """Replaces the `sdy.sharding` of several function arguments, given by their number."""
    _set_entries(func, ARGUMENTS, shardings)


def result_sharding(func: ir.Operation, index: int) -> TensorSharding | None:
    """The `sdy.sharding` of a function result."""
    return _entry(func, "res_attrs", index)


def set_result_sharding(func: ir.Operation, index: int, sharding: TensorSharding | None) -> None:
    set_result_shardings(func, {index: sharding})


def set_result_shardings(func: ir.Operation, shardings: Mapping[int, TensorSharding | None]) -> None:
    """Replaces the `sdy.sharding` of several function results, given by their number."""
    _set_entries(func, RESULTS, shardings)


def arg_shardings(func: ir.Operation) -> list[TensorSharding | None]:
    """The `sdy.sharding` of every argument."""
    return _entries(func, "arg_attrs", num_arguments)


def result_shardings(func: ir.Operation) -> list[TensorSharding | None]:
    """The `sdy.sharding` of every result."""
    return _entries(func, "res_attrs", num_results)


def _function_type(func: ir.Operation) -> ir.FunctionType:
    return func.attributes["function_type"].value


def _entry(func: ir.Operation, name: str, index: int) -> TensorSharding | None:
    stored = func.attributes
    if name not in stored:
        return None
    entry = stored[name][index]
    return attributes.value_of(entry[SHARDING]) if SHARDING in entry else None


def _entries(func: ir.Operation, name: str, count: Callable[[ir.Operation], int]) -> list[TensorSharding | None]:
    attr = func.attributes.get(name)
    if attr is None:
        return [None] * count(func)
    known = _lists.of(attr.context)
    found = known.get(address(attr))
    if found is None:
        found = tuple(attributes.value_of(entry[SHARDING]) if SHARDING in entry else None for entry in attr)
        known[address(attr)] = found
    return list(found)


_lists: PerContext[dict[int, tuple[TensorSharding | None, ...]]] = PerContext(dict)
"""The shardings in lists of attributes, by the addresses of these, which are never freed before their context."""


def _set_entries(func: ir.Operation, kind: str, shardings: Mapping[int, TensorSharding | None]) -> None:
    entries = entries_of(func, kind)
    for index, sharding in shardings.items():
        entries[index].pop(SHARDING, None)
        if sharding is not None:
            entries[index][SHARDING] = attributes.attr_of(sharding)
    put_entries(func, kind, entries)


def summed_axes(op: ir.Operation) -> AxisList:
    """Return the axes along which an `sdy.all_reduce` or `sdy.reduce_scatter` sums."""
    if op.name == "sdy.all_reduce":
        return attributes.get(op, "reduction_axes").axes
    return tuple(axis for axes in attributes.get(op, "reduce_scatter_axes").lists for axis in axes)


def remove_sdy_attributes(op: ir.Operation, *, but: Collection[str] = ()) -> None:
    """Removes the attributes of the dialect from an op, and from the arguments and results of a function."""
    for name in list(op.attributes):
        if name.startswith("sdy.") and name not in but:
            del op.attributes[name]
    map_entries(op, lambda entries: {name: attr for name, attr in entries.items() if not name.startswith("sdy.")})
