"""Attributes of StableHLO and CHLO that have parts, as frozen values with the names of the specification."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from typing import Any, ClassVar, SupportsIndex

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir, stablehlo
from sdy.stablehlo.ops.making.constants import TypeLike, as_type

__all__ = ["ConvDimensionNumbers", "DotAlgorithm", "DotDimensionNumbers", "GatherDimensionNumbers"]
__all__ += ["RaggedDotDimensionNumbers", "ResultAccuracy", "ScatterDimensionNumbers"]


class Writable(ABC):
    """A value that an attribute can be made of."""

    __slots__ = ()

    @abstractmethod
    def attribute(self) -> ir.Attribute:
        """Return the attribute in the current context; raise TypeError or OverflowError for parts of other kinds."""


def int64s(numbers: Iterable[SupportsIndex]) -> list[int]:
    """Whole numbers of 64 bits."""
    if isinstance(numbers, (str, bytes)):
        raise TypeError("whole numbers are needed")
    values = [operator.index(number) for number in numbers]
    if values and (min(values) < -(1 << 63) or max(values) >= 1 << 63):
        raise OverflowError(f"one of {values} has more than 64 bits")
    return values


_WRITTEN: dict[str, Callable[[Any], object]] = {
    "Sequence[int]": int64s,
    "int": operator.index,
    "bool": bool,
    "TypeLike": as_type,
}
"""Conversions of a part for the bindings, by its annotation."""


class _Parts(Writable):
    """A value that its class in the bindings builds from the fields in order."""

    __slots__ = ()
    _made_by: ClassVar[Callable[..., ir.Attribute]]

    def attribute(self) -> ir.Attribute:
        parts: Any = self  # a data class, as all below are
        return self._made_by(*(_WRITTEN[str(each.type)](getattr(self, each.name)) for each in fields(parts)))


@dataclass(frozen=True, slots=True)
class DotDimensionNumbers(_Parts):
    _made_by = stablehlo.DotDimensionNumbers.get

    lhs_batching_dimensions: Sequence[int]
    rhs_batching_dimensions: Sequence[int]
    lhs_contracting_dimensions: Sequence[int]
    rhs_contracting_dimensions: Sequence[int]


@dataclass(frozen=True, slots=True)
class RaggedDotDimensionNumbers(Writable):
    lhs_batching_dimensions: Sequence[int]
    rhs_batching_dimensions: Sequence[int]
    lhs_contracting_dimensions: Sequence[int]
    rhs_contracting_dimensions: Sequence[int]
    lhs_ragged_dimensions: Sequence[int]
    rhs_group_dimensions: Sequence[int]

    def attribute(self) -> ir.Attribute:
        parts = ", ".join(f"{name} = {int64s(getattr(self, name))}" for name in self.__slots__)
        return ir.Attribute.parse(f"#chlo.ragged_dot<{parts}>")


@dataclass(frozen=True, slots=True)
class GatherDimensionNumbers(_Parts):
    _made_by = stablehlo.GatherDimensionNumbers.get

    offset_dims: Sequence[int]
    collapsed_slice_dims: Sequence[int]
    operand_batching_dims: Sequence[int]
    start_indices_batching_dims: Sequence[int]
    start_index_map: Sequence[int]
    index_vector_dim: int


@dataclass(frozen=True, slots=True)
class ScatterDimensionNumbers(_Parts):
    _made_by = stablehlo.ScatterDimensionNumbers.get

    update_window_dims: Sequence[int]
    inserted_window_dims: Sequence[int]
    input_batching_dims: Sequence[int]
    scatter_indices_batching_dims: Sequence[int]
    scatter_dims_to_operand_dims: Sequence[int]
    index_vector_dim: int


@dataclass(frozen=True, slots=True)
class ConvDimensionNumbers(_Parts):
    """Positions of batch, feature and spatial dimensions in input, kernel and output.

    `from_text("b01f", "01io", "b01f")` reads the usual short form: `b` batch, `f` features, `i` and `o` input and
    output features of the kernel, digits the spatial dimensions.
    """

    _made_by = stablehlo.ConvDimensionNumbers.get

    input_batch_dimension: int
    input_feature_dimension: int
    input_spatial_dimensions: Sequence[int]
    kernel_input_feature_dimension: int
    kernel_output_feature_dimension: int
    kernel_spatial_dimensions: Sequence[int]
    output_batch_dimension: int
    output_feature_dimension: int
    output_spatial_dimensions: Sequence[int]

    @staticmethod
    def from_text(input_: str, kernel: str, output: str) -> ConvDimensionNumbers:
        """Raises ValueError for a text with other letters, or with a gap between the digits."""
        return ConvDimensionNumbers(*_places(input_, "bf"), *_places(kernel, "io"), *_places(output, "bf"))


def _places(text: str, letters: str) -> tuple[int, int, list[int]]:
    digits = "".join(map(str, range(len(text) - 2)))
    if sorted(text) != sorted(letters + digits):
        raise ValueError(f"'{text}' must hold each of '{letters}{digits}' once")
    return text.index(letters[0]), text.index(letters[1]), [text.index(digit) for digit in digits]


@dataclass(frozen=True, slots=True)
class DotAlgorithm(_Parts):
    """Algorithm of a dot product; types are types of the bindings or their text, such as `tf32`."""

    _made_by = stablehlo.DotAlgorithm.get

    lhs_precision_type: TypeLike
    rhs_precision_type: TypeLike
    accumulation_type: TypeLike
    lhs_component_count: int = 1
    rhs_component_count: int = 1
    num_primitive_operations: int = 1
    allow_imprecise_accumulation: bool = False


@dataclass(frozen=True, slots=True)
class ResultAccuracy(Writable):
    """Required accuracy of the result of an elementary function.

    Attributes:
      mode: DEFAULT, HIGHEST, or TOLERANCE, for which the others count.
      atol, rtol: absolute and relative error.
      ulps: units in the last place.
    """

    mode: str = "TOLERANCE"
    atol: float = 0.0
    rtol: float = 0.0
    ulps: int = 0

    def attribute(self) -> ir.Attribute:
        if self.mode not in ("DEFAULT", "HIGHEST", "TOLERANCE"):
            raise ValueError("one of DEFAULT, HIGHEST, TOLERANCE is needed")
        return stablehlo.ResultAccuracyAttr.get(
            float(self.atol), float(self.rtol), operator.index(self.ulps), self.mode
        )
