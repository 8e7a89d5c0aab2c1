"""Reading sharding text, with tiles or with named axes (spec: interchange, 2)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

from sdy.dialect.sharding_text.device_order import DeviceOrder
from sdy.dialect.sharding_text.forms import (
    HloSharding,
    Kind,
    Leaf,
    Maximal,
    Named,
    Several,
    Tail,
    Tiles,
    Whole,
    canonical,
)
from sdy.dialect.sharding_text.lexer import Tokens, read_iota, read_listed, read_metadata
from sdy.dialect.values.axes import AxisList, AxisRef
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.dialect.values.sharding import DimensionSharding, Reduction, TensorSharding

T = TypeVar("T")


def read_named(tokens: Tokens) -> Named:
    """A sharding along named axes, up to and with its closing brace."""
    if tokens.accept("single_device"):
        return _single_device(tokens)
    mesh, order = _mesh(tokens)
    found = _for_all(tokens, mesh, order)
    if found is None:
        found = _by_dimension(tokens, mesh, order)
    tokens.expect("}")
    _check_axes(tokens, found)
    return found


def _single_device(tokens: Tokens) -> Named:
    tokens.expect("[")
    tokens.expect("device_id=")
    device = tokens.integer()
    tokens.expect("]")
    tokens.expect("}")
    if device < 0:
        raise tokens.wrong(f"device {device} is negative")
    mesh = Mesh((), (device,))
    return Named(mesh, TensorSharding(mesh))


def _mesh_axis(tokens: Tokens) -> MeshAxis:
    name = tokens.quoted()
    tokens.expect("=")
    return MeshAxis(name, tokens.integer())


def _mesh(tokens: Tokens) -> tuple[Mesh, DeviceOrder | None]:
    tokens.expect("mesh")
    tokens.expect("[")
    axes = _listed(tokens, "]", lambda: _mesh_axis(tokens))
    order: DeviceOrder | None = None
    tokens.accept(",")
    if tokens.accept("device_ids="):
        tokens.expect("(")
        order = read_iota(tokens) if tokens.is_next("[") else read_listed(tokens)
        tokens.expect(")")
        tokens.accept(",")
    try:
        mesh = Mesh(tuple(axes))
        if order is not None:
            mesh = Mesh(tuple(axes), tuple(order.ids.tolist()))
    except ValueError as error:
        raise tokens.wrong(str(error)) from None
    return mesh, order


def _for_all(tokens: Tokens, mesh: Mesh, order: DeviceOrder | None) -> Named | None:
    """A word that stands for every dimension."""
    kind, reduction = None, Reduction.SUM
    if tokens.accept("replicated"):
        kind = Kind.REPLICATED
    elif tokens.accept("manual"):
        kind = Kind.MANUAL
    elif tokens.accept("unreduced"):
        kind = Kind.UNREDUCED
    elif tokens.accept("unreduced="):
        kind, reduction = Kind.UNREDUCED, _reduction(tokens)
    if kind is None:
        return None
    while tokens.accept(","):
        tokens.expect("metadata=")
        read_metadata(tokens)
    return _normal(
        mesh, TensorSharding(mesh, reduction=reduction), _all(mesh) if kind is Kind.MANUAL else (), kind, order
    )


def _by_dimension(tokens: Tokens, mesh: Mesh, order: DeviceOrder | None) -> Named:
    dims = _dims(tokens, mesh)
    lists: dict[str, AxisList] = {"replicated=": (), "unreduced=": (), "manual=": ()}
    reduction = Reduction.SUM
    while tokens.accept(","):
        name = tokens.peek().text
        if tokens.accept("metadata="):
            read_metadata(tokens)
            continue
        if name not in lists:
            raise tokens.expected("one of " + ", ".join(lists))
        tokens.take()
        if name == "unreduced=" and not tokens.is_next("{"):
            reduction = _reduction(tokens)
        lists[name] += _axes(tokens, mesh)
    unreduced = lists["unreduced="]
    sharding = TensorSharding(mesh, dims, lists["replicated="], unreduced, reduction if unreduced else Reduction.SUM)
    return _normal(mesh, sharding, lists["manual="], None, order)


def _all(mesh: Mesh) -> AxisList:
    return tuple(AxisRef(axis.name) for axis in mesh.axes)


def _normal(
    mesh: Mesh, sharding: TensorSharding, manual: AxisList, kind: Kind | None, order: DeviceOrder | None
) -> Named:
    """Return the sharding with the word in place of equivalent lists of a value without dimensions."""
    if kind is None and not sharding.dims and not sharding.replicated:
        if not manual and not sharding.unreduced:
            kind = Kind.REPLICATED
        elif manual == _all(mesh):
            kind = Kind.MANUAL
        elif sharding.unreduced == _all(mesh):
            kind, sharding = Kind.UNREDUCED, sharding.with_unreduced(())
    return Named(mesh, sharding, manual, kind, order)


def _reduction(tokens: Tokens) -> Reduction:
    found = next((kind for kind in Reduction if tokens.accept(kind.keyword)), None)
    if found is None:
        raise tokens.expected("one of sum, max, min")
    return found


def _dims(tokens: Tokens, mesh: Mesh) -> tuple[DimensionSharding, ...]:
    tokens.expect("[")
    return tuple(_listed(tokens, "]", lambda: _dim(tokens, mesh)))


def _dim(tokens: Tokens, mesh: Mesh) -> DimensionSharding:
    tokens.expect("{")
    axes: list[AxisRef] = []
    is_open = False
    while not tokens.accept("}"):
        if axes:
            tokens.expect(",")
        if tokens.accept("?"):
            is_open = True
            tokens.expect("}")
            break
        axes.append(_axis(tokens, mesh))
    return DimensionSharding(tuple(axes), not is_open)


def _axes(tokens: Tokens, mesh: Mesh) -> AxisList:
    tokens.expect("{")
    return tuple(_listed(tokens, "}", lambda: _axis(tokens, mesh)))


def _listed(tokens: Tokens, closing: str, read: Callable[[], T]) -> list[T]:
    """Read a list up to and with its closing bracket."""
    found: list[T] = []
    while not tokens.accept(closing):
        if found:
            tokens.expect(",")
        found.append(read())
    return found


def _axis(tokens: Tokens, mesh: Mesh) -> AxisRef:
    place = tokens.expected("an axis of the mesh")
    name = tokens.quoted()
    if name not in mesh.axis_sizes:
        if not (name.isascii() and name.isdigit() and len(name) < 9 and int(name) < len(mesh.axes)):
            raise place
        name = mesh.axes[int(name)].name
    if not tokens.accept(":"):
        return AxisRef(name)
    tokens.expect("(")
    pre_size = tokens.integer()
    tokens.expect(")")
    size = tokens.integer()
    whole = mesh.axis_sizes[name]
    if pre_size < 1 or size < 2 or size == whole or whole % (pre_size * size):
        raise tokens.wrong(f"'{name}':({pre_size}){size} is not a part of an axis of size {whole}")
    return AxisRef.sub(name, pre_size, size)


def _check_axes(tokens: Tokens, found: Named) -> None:
    """Checks that each part of an axis occurs once, and that mergeable parts are merged."""
    lists: Sequence[AxisList] = (
        *found.sharding.dim_axes,
        found.sharding.replicated,
        found.sharding.unreduced,
        found.manual,
    )
    seen: list[AxisRef] = []
    for listed in lists:
        for index, axis in enumerate(listed):
            if any(axis.overlaps(other) for other in seen):
                raise tokens.wrong(f"axis '{axis.name}' occurs twice")
            if any(not axis.can_coexist(other) for other in seen):
                raise tokens.wrong(f"parts of axis '{axis.name}' do not fit together")
            if index and listed[index - 1].can_merge(axis):
                raise tokens.wrong(f"neighbouring parts of axis '{axis.name}' have to be one")
            seen.append(axis)
    for listed in lists[len(found.sharding.dims) :]:
        if list(listed) != sorted(listed, key=lambda axis: (found.mesh.order_key(axis)[0], axis.pre_size)):
            raise tokens.wrong("axes that are listed are not in the order of the mesh")


_WORDS = ("replicated", "manual", "unknown", "unreduced")


@lru_cache(maxsize=4096)
def read(text: str) -> HloSharding:
    """Return the sharding in `text`, tiles in canonical form.

    Raises:
      ShardingTextError: it says none, or one whose devices are not 0 to n-1, each once.
    """
    tokens = Tokens(text)
    tokens.expect("{")
    found: HloSharding = _several(tokens) if tokens.is_next("{") else _leaf(tokens)
    if tokens.peek().kind != "end":
        raise tokens.expected("the end of the sharding")
    return found


def _several(tokens: Tokens) -> Several:
    leaves: list[Leaf] = []
    while True:
        tokens.expect("{")
        if tokens.is_next("{") or tokens.is_next("}"):
            raise tokens.expected("the sharding of one value")
        leaves.append(_leaf(tokens))
        if not tokens.accept(","):
            tokens.expect("}")
            return Several(tuple(leaves))


def _leaf(tokens: Tokens) -> Leaf:
    """A sharding of one value, behind its opening brace."""
    if tokens.is_next("mesh") or tokens.is_next("single_device"):
        return read_named(tokens)
    if tokens.accept("}"):
        return Whole("")
    for word in _WORDS:
        if tokens.accept(word):
            return Whole(word, tail=_tail(tokens))
    if tokens.accept("maximal"):
        return _maximal(tokens)
    if tokens.accept("devices="):
        return _tiles(tokens)
    raise tokens.expected("a sharding")


def _maximal(tokens: Tokens) -> Maximal:
    tokens.expect("device=")
    device = tokens.integer()
    if device < 0:
        raise tokens.wrong(f"device {device} is negative")
    return Maximal(device, tail=_tail(tokens))


def _tiles(tokens: Tokens) -> Tiles | Whole:
    tokens.expect("[")
    dims = tokens.integers("]")
    if min(dims) < 1:
        raise tokens.wrong(f"number of tiles {min(dims)} is not positive")
    if math.prod(dims) >= 2**31:
        raise tokens.wrong("there are too many tiles")
    if math.prod(dims) == 1 and not tokens.is_next("<="):
        raise tokens.expected("'<='")
    devices = read_iota(tokens) if tokens.accept("<=") else read_listed(tokens)
    if devices.size != math.prod(dims):
        raise tokens.wrong(f"{devices.size} devices for {math.prod(dims)} tiles")
    parts = _Parts()
    while not tokens.accept("}"):
        parts.read(tokens)
    groups = parts.groups or ()
    if len(groups) > len(dims):
        raise tokens.wrong(f"{len(groups)} kinds of groups for {len(dims)} tile dimensions")
    return canonical(Tiles(dims, devices, groups, tail=parts.tail()))


class _Parts:
    """Parts after the devices, in any order, each once."""

    def __init__(self) -> None:
        self.groups: tuple[Kind, ...] | None = None
        self._shard_group = ""
        self._metadata = ""

    def read(self, tokens: Tokens) -> None:
        """Read one part."""
        if self.groups is None and tokens.accept("last_tile_dim_replicate"):
            self.groups = (Kind.REPLICATED,)
        elif self.groups is None and tokens.accept("last_tile_dims="):
            self.groups = _kinds(tokens)
        elif not self.read_tail(tokens):
            raise tokens.expected("'}'")

    def read_tail(self, tokens: Tokens) -> bool:
        """Read a group of values or metadata, if there is one; return whether there was."""
        word = tokens.peek().text
        if not self._shard_group and word in ("shard_as", "shard_like"):
            tokens.take()
            self._shard_group = f"{word} {tokens.integer()}"
        elif not self._metadata and tokens.accept("metadata="):
            self._metadata = f"metadata={read_metadata(tokens)}"
        else:
            return False
        return True

    def tail(self) -> Tail:
        return Tail(self._shard_group, self._metadata)


def _tail(tokens: Tokens) -> Tail:
    parts = _Parts()
    while not tokens.accept("}"):
        if not parts.read_tail(tokens):
            raise tokens.expected("'}'")
    return parts.tail()


def _kinds(tokens: Tokens) -> tuple[Kind, ...]:
    tokens.expect("{")
    kinds: list[Kind] = []
    while not tokens.accept("}"):
        if kinds:
            tokens.expect(",")
        kind = next((kind for kind in Kind if tokens.accept(kind.value)), None)
        if kind is None:
            raise tokens.expected("one of " + ", ".join(kind.value for kind in Kind))
        kinds.append(kind)
    return tuple(kinds)
