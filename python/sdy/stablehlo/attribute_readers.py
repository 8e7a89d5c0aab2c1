"""Attributes of StableHLO and CHLO as plain values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir, stablehlo
from sdy.stablehlo.types.sizes import DYNAMIC, ConvNumbers, DotNumbers, GatherNumbers, ScatterNumbers

View = TypeVar("View", bound=ir.Attribute)
Item = TypeVar("Item", int, bool)
Made = TypeVar("Made")
Parts = TypeVar("Parts", DotNumbers, GatherNumbers, ScatterNumbers, ConvNumbers)


def _array(
    kind: type[ir.DenseI64ArrayAttr | ir.DenseI32ArrayAttr | ir.DenseBoolArrayAttr], item: type[Item]
) -> Callable[[ir.Attribute], tuple[Item, ...] | None]:
    """Read a dense array; iterating over one ends with an exception of C++, and takes up to fifty times longer."""

    def read(attribute: ir.Attribute) -> tuple[Item, ...] | None:
        values: Any = attribute
        return tuple([values[index] for index in range(len(values))]) if type(attribute) is kind else None

    return read


read_ints = _array(ir.DenseI64ArrayAttr, int)
read_bools = _array(ir.DenseBoolArrayAttr, bool)
read_segments = _array(ir.DenseI32ArrayAttr, int)
"""Sizes of groups of operands or results."""


def read_integer(attribute: ir.Attribute, bits: int) -> int | None:
    """A signless integer of that width."""
    if type(attribute) is not ir.IntegerAttr:
        return None
    type_ = attribute.type
    if not isinstance(type_, ir.IntegerType) or type_.width != bits or not type_.is_signless:
        return None
    return attribute.value


def read_float(attribute: ir.Attribute) -> float | None:
    """A 32-bit float."""
    if type(attribute) is not ir.FloatAttr or not isinstance(attribute.type, ir.F32Type):
        return None
    return attribute.value


def read_array(attribute: ir.Attribute) -> list[ir.Attribute] | None:
    return list(attribute) if type(attribute) is ir.ArrayAttr else None


@dataclass(frozen=True, eq=False)
class DenseInts:
    """A dense integer tensor attribute: shape, and values in row-major order, as an array where there are many."""

    shape: tuple[int, ...]
    numbers: tuple[int, ...] | np.ndarray

    @cached_property
    def values(self) -> tuple[int, ...]:
        return self.numbers if isinstance(self.numbers, tuple) else tuple(self.numbers.tolist())

    @property
    def least(self) -> int:
        """The smallest of the values; 0 without any."""
        return min(self.numbers, default=0) if isinstance(self.numbers, tuple) else int(self.numbers.min(initial=0))

    def repeats(self, start: int, step: int) -> bool:
        """Return whether any value occurs twice among every `step`-th one from `start` on."""
        chosen = self.numbers[start::step]
        if isinstance(chosen, tuple):
            return len(set(chosen)) != len(chosen)
        chosen = np.sort(chosen)
        return bool((chosen[1:] == chosen[:-1]).any())

    def rows(self) -> list[tuple[int, ...]]:
        """The rows of a matrix."""
        width = self.shape[1] if len(self.shape) > 1 else 1
        return [self.values[start : start + width] for start in range(0, len(self.values), max(width, 1))]

    @property
    def is_pairs(self) -> bool:
        return len(self.shape) == 2 and self.shape[1] == 2


MOST_INTEGERS = 1 << 24
"""More than any op is described by; a text may say as many as it likes of the same."""


def read_dense_ints(attribute: ir.Attribute | None, *, any_width: bool = False) -> DenseInts | None:
    """Read a dense tensor of 64-bit integers, or of any integers; none of more than `MOST_INTEGERS`."""
    if type(attribute) is ir.DenseElementsAttr and isinstance(attribute.type.element_type, ir.IntegerType):
        # What the constructor for arrays returns is of the base class.
        attribute = ir.DenseIntElementsAttr(attribute)
    if type(attribute) is not ir.DenseIntElementsAttr:
        return None
    type_ = attribute.type
    element = type_.element_type
    is_i64 = isinstance(element, ir.IntegerType) and element.width == 64 and element.is_signless
    if (not any_width and not is_i64) or len(attribute) > MOST_INTEGERS:
        return None
    count = len(attribute)
    if is_i64 and count > _FEW:
        numbers = np.array(attribute).ravel()
        return DenseInts(tuple(type_.shape), numbers if count > _MANY else tuple(numbers.tolist()))
    return DenseInts(tuple(type_.shape), tuple([int(attribute[index]) for index in range(count)]))


_FEW = 8
"""Number of integers up to which reading them one by one is faster than making an array."""

_MANY = 256
"""Number of integers from which an array answers questions about all of them faster."""


# StableHLO's own -----------------------------------------------------------------------------------------------------


def _reader(view: type[View]) -> Callable[[ir.Attribute | None], View | None]:
    def read(attribute: ir.Attribute | None) -> View | None:
        if type(attribute) is not ir.Attribute:
            # What the bindings' constructors return is of the class itself, what comes out of an op is not.
            return attribute if type(attribute) is view else None
        try:
            return view(attribute)
        except ValueError:
            return None

    read.__name__ = f"read_{view.__name__}"
    return read


def _made(view: type[View], make: Callable[[View], Made]) -> Callable[[ir.Attribute], Made | None]:
    """Return a reader that applies `make` to an attribute's view."""
    read_view = _reader(view)

    def read(attribute: ir.Attribute) -> Made | None:
        found = read_view(attribute)
        return None if found is None else make(found)

    read.__name__ = read_view.__name__
    return read


def _name(view: type[stablehlo.Enumerator]) -> Callable[[ir.Attribute], str | None]:
    """Return a reader of an attribute with one of several names as value."""
    return _made(view, lambda found: found.value)


def _parts(view: type[ir.Attribute], made: type[Parts]) -> Callable[[ir.Attribute], Parts | None]:
    """Reads a structured attribute as a tuple of its parts, numbers and tuples of numbers, by their names."""

    def make(found: ir.Attribute) -> Parts:
        listed = (getattr(found, name) for name in made._fields)
        return made._make(part if isinstance(part, int) else tuple(part) for part in listed)

    return _made(view, make)


class Accuracy(NamedTuple):
    """Required accuracy of a result: tolerances, and the name of the mode."""

    atol: float
    rtol: float
    ulps: int
    mode: str


read_dot_dimensions = _parts(stablehlo.DotDimensionNumbers, DotNumbers)
read_gather_dimensions = _parts(stablehlo.GatherDimensionNumbers, GatherNumbers)
read_scatter_dimensions = _parts(stablehlo.ScatterDimensionNumbers, ScatterNumbers)
read_conv_dimensions = _parts(stablehlo.ConvDimensionNumbers, ConvNumbers)
read_channel_handle = _reader(stablehlo.ChannelHandle)
read_comparison_direction = _name(stablehlo.ComparisonDirectionAttr)
read_comparison_type = _name(stablehlo.ComparisonTypeAttr)
read_precision = _name(stablehlo.PrecisionAttr)
read_algorithm = _reader(stablehlo.DotAlgorithm)
read_fft_type = _name(stablehlo.FftTypeAttr)
read_transpose = _name(stablehlo.TransposeAttr)
read_rng_distribution = _name(stablehlo.RngDistributionAttr)
read_rng_algorithm = _name(stablehlo.RngAlgorithmAttr)
read_result_accuracy = _made(
    stablehlo.ResultAccuracyAttr, lambda found: Accuracy(found.atol, found.rtol, found.ulps, str(found.mode))
)
read_alias = _reader(stablehlo.OutputOperandAlias)
read_mesh_axes = _reader(stablehlo.ReplicaGroupMeshAxesAttr)


def read_precisions(attribute: ir.Attribute) -> tuple[str, ...] | None:
    """The names of the precisions of operands, StableHLO's or CHLO's."""
    elements = read_array(attribute)
    names = [] if elements is None else [read_precision(each) or _chlo_precision(each) for each in elements]
    return None if elements is None or None in names else tuple(filter(None, names))


def _chlo_precision(attribute: ir.Attribute) -> str | None:
    """Return the name of a CHLO precision, for which the bindings have no class."""
    found = re.fullmatch(r"#chlo<precision (DEFAULT|HIGH|HIGHEST)>", str(attribute))
    return None if found is None else found[1]


def read_ragged_dimensions(attribute: ir.Attribute) -> dict[str, tuple[int, ...]] | None:
    """The lists in dimension numbers of CHLO's ragged dot, read from their text: the bindings have no class for it."""
    text = str(attribute)
    if not text.startswith("#chlo.ragged_dot<"):
        return None
    lists = re.findall(r"(\w+) = \[([-\d, ]*)\]", text)
    return {name: tuple(map(int, values.replace(",", " ").split())) for name, values in lists}


def _same(test: Callable[[ir.Attribute], bool]) -> Callable[[ir.Attribute], ir.Attribute | None]:
    """Return a reader of an attribute of that kind as it is."""
    return lambda attribute: attribute if test(attribute) else None


def _is(cls: type[ir.Attribute] | tuple[type[ir.Attribute], ...]) -> Callable[[ir.Attribute], ir.Attribute | None]:
    return _same(lambda attribute: isinstance(attribute, cls))


def _array_of(*readers: Callable[[ir.Attribute], object]) -> Callable[[ir.Attribute], list[ir.Attribute] | None]:
    def read(attribute: ir.Attribute) -> list[ir.Attribute] | None:
        elements = read_array(attribute)
        if elements is None:
            return None
        return elements if all(any(each(element) is not None for each in readers) for element in elements) else None

    return read


def _integer(bits: int, least: int = DYNAMIC) -> Callable[[ir.Attribute], int | None]:
    def read(attribute: ir.Attribute) -> int | None:
        value = read_integer(attribute, bits)
        return None if value is None or value < least else value

    return read


def _is_elements(attribute: ir.Attribute) -> bool:
    if isinstance(attribute, (ir.DenseElementsAttr, ir.DenseIntElementsAttr, ir.DenseFPElementsAttr)):
        return True
    return str(attribute).startswith(("dense_resource<", "sparse<"))


def _read_layout(attribute: ir.Attribute) -> ir.DenseIntElementsAttr | None:
    """A one-dimensional tensor of indices."""
    if type(attribute) is not ir.DenseIntElementsAttr or len(attribute.type.shape) != 1:
        return None
    return attribute if isinstance(attribute.type.element_type, ir.IndexType) else None


def read_layouts(attribute: ir.Attribute) -> list[ir.DenseIntElementsAttr] | None:
    """Orders of dimensions."""
    elements = read_array(attribute)
    if elements is None:
        return None
    layouts = [layout for each in elements if (layout := _read_layout(each)) is not None]
    return layouts if len(layouts) == len(elements) else None


def _read_groups(attribute: ir.Attribute) -> DenseInts | stablehlo.ReplicaGroupMeshAxesAttr | None:
    """Replica groups in either form."""
    dense = read_dense_ints(attribute)
    return dense if dense is not None else read_mesh_axes(attribute)


KINDS: dict[str, Callable[[ir.Attribute], object]] = {
    "ragged_dimensions": read_ragged_dimensions,
    "i64s": read_ints,
    "bools": read_bools,
    "segments": read_segments,
    "i64": _integer(64),
    "i64>=0": _integer(64, 0),
    "i64>0": _integer(64, 1),
    "i32": _integer(32),
    "i32>=0": _integer(32, 0),
    "i32>0": _integer(32, 1),
    "f32": read_float,
    "dense": read_dense_ints,
    "bool": _is(ir.BoolAttr),
    "unit": _is(ir.UnitAttr),
    "string": _is(ir.StringAttr),
    "symbol": _is(ir.FlatSymbolRefAttr),
    "symbols": _array_of(_is(ir.FlatSymbolRefAttr)),
    "array": read_array,
    "dict": _is(ir.DictAttr),
    "any": _same(lambda attribute: True),
    "elements": _same(_is_elements),
    "layouts": read_layouts,
    "dot_dimensions": read_dot_dimensions,
    "gather_dimensions": read_gather_dimensions,
    "scatter_dimensions": read_scatter_dimensions,
    "conv_dimensions": read_conv_dimensions,
    "channel": read_channel_handle,
    "direction": read_comparison_direction,
    "comparison": read_comparison_type,
    "precisions": read_precisions,
    "algorithm": read_algorithm,
    "fft_type": read_fft_type,
    "transpose": read_transpose,
    "distribution": read_rng_distribution,
    "rng_algorithm": read_rng_algorithm,
    "accuracy": read_result_accuracy,
    "aliases": _array_of(read_alias),
    "groups": _read_groups,
    "string|dict": _is((ir.StringAttr, ir.DictAttr)),
}
"""Readers of the kinds that declarations name."""


def read_elements(attribute: ir.Attribute) -> ir.Attribute | None:
    """Return an attribute that holds the elements of a tensor unchanged; None for any other."""
    return attribute if _is_elements(attribute) else None


def of_length(values: Sequence[object] | None, length: int) -> bool:
    """Return whether an optional array is absent, empty or has `length` entries."""
    return not values or len(values) == length


@dataclass(frozen=True, slots=True)
class RaggedDims:
    """Dimension numbers of a ragged dot: batching, contracting, ragged and group dimensions.

    The groups divide the ragged dimension; the group dimension of the right operand has one entry per group.

    The ragged dimension belongs to the left operand: a free, contracting or batch dimension.
    """

    lhs_batching: tuple[int, ...]
    rhs_batching: tuple[int, ...]
    lhs_contracting: tuple[int, ...]
    rhs_contracting: tuple[int, ...]
    ragged: int
    rhs_group: tuple[int, ...]

    @staticmethod
    def of(attribute: ir.Attribute) -> RaggedDims:
        """Read the numbers; raise `ValueError` unless there is one ragged dimension."""
        return RaggedDims.of_lists(read_ragged_dimensions(attribute) or {})

    @staticmethod
    def of_lists(lists: Mapping[str, tuple[int, ...]]) -> RaggedDims:
        """Build the numbers from the lists in the attribute, by name."""

        def listed(name: str) -> tuple[int, ...]:
            return lists.get(f"{name}_dimensions", ())

        ragged = listed("lhs_ragged")
        if len(ragged) != 1:
            raise ValueError(f"there has to be one ragged dimension, not {list(ragged)}")
        lhs, rhs = ((listed(f"{side}_batching"), listed(f"{side}_contracting")) for side in ("lhs", "rhs"))
        return RaggedDims(lhs[0], rhs[0], lhs[1], rhs[1], ragged[0], listed("rhs_group"))

    @property
    def contracts_groups(self) -> bool:
        """Return whether each group is contracted on its own; the result then has a leading dimension of groups."""
        return self.ragged in self.lhs_contracting

    @property
    def rhs_ragged(self) -> int | None:
        """Return the dimension of the right operand that the groups divide as well."""
        for left, right in ((self.lhs_contracting, self.rhs_contracting), (self.lhs_batching, self.rhs_batching)):
            if self.ragged in left:
                return right[left.index(self.ragged)]
        return None

    def lhs_free(self, rank: int) -> tuple[int, ...]:
        """Return the dimensions of the left operand that only the result has."""
        return tuple(dim for dim in range(rank) if dim not in (*self.lhs_batching, *self.lhs_contracting))

    def rhs_free(self, rank: int) -> tuple[int, ...]:
        """The dimensions of the right operand that only the result has."""
        taken = (*self.rhs_batching, *self.rhs_contracting, *self.rhs_group)
        return tuple(dim for dim in range(rank) if dim not in taken)

    def prefix(self, rank: int) -> tuple[int, ...]:
        """Return the dimensions of the left operand in front of the ragged one; group sizes may differ along these."""
        if self.ragged in self.lhs_batching:
            return self.lhs_batching[: self.lhs_batching.index(self.ragged)]
        others = self.lhs_contracting if self.contracts_groups else self.lhs_free(rank)
        return (*self.lhs_batching, *others[: others.index(self.ragged)])

    def of_result(self, lhs_rank: int) -> int | None:
        """Return the dimension of the result that the groups divide; None if they are contracted."""
        if self.contracts_groups:
            return None
        return (*self.lhs_batching, *self.lhs_free(lhs_rank)).index(self.ragged)
