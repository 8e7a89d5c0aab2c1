"""Related arguments and results of a program: weights of a kind in all layers, with their state."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from sdy.dialect.program_values import Program, ProgramValue, ValueKind
from sdy.dialect.shardings.attribute_shardings import arg_sharding, result_sharding
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.axes import AxisList, AxisRef
from sdy.dialect.values.sharding import TensorSharding
from sdy.lazy_dataclass import dataclass
from sdy.suggestions.changes import Change, Several, ShardArgument, ShardResult, single

_KEYS = re.compile(r"\['([^']+)'\]|\[(\d+)\]|\.(\w+)")


@dataclass(frozen=True, slots=True)
class Boundary:
    """An argument or a result of the main function, with its written sharding."""

    value: ProgramValue
    shape: tuple[int, ...]
    sharding: TensorSharding | None

    def changed(self, sharding: TensorSharding) -> Change:
        """Return the change to another sharding."""
        kind = ShardArgument if self.value.kind is ValueKind.ARGUMENT else ShardResult
        return kind(self.value.op, self.value.index, sharding)

    @property
    def key(self) -> str:
        """Return the last key of its frontend path, the name of a kind of weight; empty without one."""
        found = _KEYS.findall(self.value.called)
        return "".join(found[-1]) if found else ""

    @property
    def path(self) -> tuple[str, ...]:
        """Return the keys of its frontend path, without leading tuple indices."""
        keys = ["".join(found) for found in _KEYS.findall(self.value.called)]
        return tuple(itertools.dropwhile(str.isdecimal, keys))

    @property
    def pattern(self) -> str:
        """The name with ``*`` for each number."""
        return re.sub(r"\d+", "*", self.value.called or self.value.name)


class Boundaries:
    """The arguments and results of a program."""

    def __init__(self, program: Program) -> None:
        self._meshes = MeshTable(program.module)
        self._all: list[Boundary] = []
        for value in program.values:
            op = program.ops[value.op]
            if value.function == program.main and op.name == "func.func" and value.rank:
                of = arg_sharding if value.kind is ValueKind.ARGUMENT else result_sharding
                self._all.append(Boundary(value, shape_of(value), of(op, value.index)))

    @cached_property
    def _state(self) -> list[tuple[Boundary, Boundary]]:
        """Return arguments that a step returns updated under the same path, each with the result."""
        found: list[tuple[Boundary, Boundary]] = []
        kinds: dict[tuple[object, ...], tuple[list[Boundary], list[Boundary]]] = {}
        for one in self._all:
            ins, outs = kinds.setdefault((one.path, one.value.type), ([], []))
            (ins if one.value.kind is ValueKind.ARGUMENT else outs).append(one)
        for (path, _), (ins, outs) in kinds.items():
            found += zip(ins, outs, strict=True) if path and len(ins) == len(outs) else ()
        return found

    def keeps_state(self, changes: Iterable[Change]) -> bool:
        """Return whether all changed state is returned in the sharding that the next step takes."""
        wanted = {
            (each.kind, each.op, each.index): each.sharding
            for change in changes
            for each in single(change)
            if isinstance(each, (ShardArgument, ShardResult))
        }
        for pair in self._state if wanted else ():
            keys = [(one.value.kind, one.value.op, one.value.index) for one in pair]
            first, second = (wanted.get(key, one.sharding) for key, one in zip(keys, pair, strict=True))
            if not wanted.keys().isdisjoint(keys) and second not in (None, first):
                return False
        return True

    def swapped(self) -> Iterator[Change]:
        """Yield the program with two axes of the mesh swapped, for each pair."""
        axes = dict.fromkeys(axis.name for one in self._all if one.sharding for axis in one.sharding.axis_refs())
        for first, second in itertools.combinations(axes, 2):
            names = {first: second, second: first}
            yield from together(self._all, lambda one, names=names: self._renamed(one, names))

    def _renamed(self, one: Boundary, names: Mapping[str, str]) -> TensorSharding | None:
        if one.sharding is None or any(axis.sub_axis for axis in one.sharding.axis_refs()):
            return None
        lists = [[AxisRef(names.get(axis.name, axis.name)) for axis in dim] for dim in one.sharding.dim_axes]
        wanted = one.sharding.with_dim_axes(lists)
        return wanted if self.divides(wanted, one.shape) else one.sharding

    def rows(self) -> list[TensorSharding]:
        """Return the shardings of arguments along their first dimension alone; the most frequent first."""
        found: dict[TensorSharding, int] = {}
        for one in self._all:
            if one.value.kind is ValueKind.ARGUMENT and one.sharding is not None and is_of_rows(one.sharding):
                reduced = one.sharding.with_dims(one.sharding.dims[:1])
                found[reduced] = found.get(reduced, 0) + 1
        return sorted(found, key=lambda sharding: -found[sharding])

    def groups(self, change: ShardArgument | ShardResult) -> Iterator[Change]:
        """Yield a change of one value for all related values: by name, by sharding, by rows, by state."""
        wanted = change.sharding
        own = next((one for one in self._all if wanted is not None and one.changed(wanted) == change), None)
        if own is None or wanted is None:
            return
        alike = [one for one in self._all if one.shape == own.shape]
        named = [one for one in alike if own.key and one.key == own.key]
        equal = [one for one in alike if one.sharding == own.sharding]
        keys = {one.key for one in equal if one.key}
        for members in (named, equal, [one for one in alike if one.key in keys]):
            yield from together(members, lambda one: wanted)
        if is_of_rows(wanted) and own.sharding is not None and is_of_rows(own.sharding):
            first, rows = wanted.dim_axes[0], own.sharding.dim_axes[0]
            yield from together(self._all, lambda one: self._with_rows(one, rows, first))
        yield from together(self._all, self._as_its_kind)

    def _with_rows(self, one: Boundary, rows: AxisList, first: AxisList) -> TensorSharding | None:
        """Return the sharding with `first` in place of `rows` along the first dimension, if there is no other."""
        if one.sharding is None or not is_of_rows(one.sharding) or one.sharding.dim_axes[0] != rows:
            return None
        wanted = one.sharding.with_dim_axes([first, *one.sharding.dim_axes[1:]])
        return wanted if self.divides(wanted, one.shape) else None

    def _as_its_kind(self, one: Boundary) -> TensorSharding | None:
        """Return, for a replicated value, the sharding of others with its name and shape."""
        if not one.key or one.sharding is None or any(one.sharding.dim_axes):
            return None
        kind = (other.sharding for other in self._all if (other.key, other.shape) == (one.key, one.shape))
        return next((each for each in kind if each is not None and any(each.dim_axes)), None)

    def divides(self, sharding: TensorSharding, shape: tuple[int, ...]) -> bool:
        """Return whether a sharding divides a shape evenly."""
        mesh = self._meshes.of(sharding)
        return mesh is not None and sharding.divides(shape, mesh.axis_sizes)


def together(members: Sequence[Boundary], sharding_of: Callable[[Boundary], TensorSharding | None]) -> Iterator[Change]:
    """Yield the change that gives several members the shardings of `sharding_of`; open results stay open."""
    changed: list[Boundary] = []
    changes: list[Change] = []
    for one in members:
        wanted = sharding_of(one)
        is_open = one.sharding is None and one.value.kind is not ValueKind.ARGUMENT
        if wanted is not None and wanted != one.sharding and not is_open:
            changed.append(one)
            changes.append(one.changed(wanted))
    if len(changes) > 1:
        yield Several(tuple(changes), f"shard {_pattern(changed)}")


def is_of_rows(sharding: TensorSharding) -> bool:
    """Return whether a sharding has axes on the first dimension alone."""
    return bool(sharding.rank and sharding.dim_axes[0]) and not any(sharding.dim_axes[1:])


def _pattern(members: Iterable[Boundary]) -> str:
    """``params['layers'][*]['down'], opt['m'][*]['down'] (8 values)``."""
    listed = list(members)
    patterns = dict.fromkeys(one.pattern for one in listed)
    return f"{', '.join(patterns)}{f' ({len(listed)} values)' if len(listed) != len(patterns) else ''}"


def shape_of(value: ProgramValue) -> tuple[int, ...]:
    """Return the sizes of a value; 0 for an unknown one."""
    sizes = value.type.removeprefix("tensor<").split("x")[: value.rank]
    return tuple(int(size) if size.isdecimal() else 0 for size in sizes)
