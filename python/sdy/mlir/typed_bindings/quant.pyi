# The types of the dialect quant.

from collections.abc import Sequence

from .ir_context import Context
from .ir_types import AnyType, Type

class QuantizedType(Type):
    FLAG_SIGNED: int
    @property
    def is_signed(self) -> bool: ...
    @property
    def storage_type(self) -> AnyType: ...
    @property
    def storage_type_min(self) -> int: ...
    @property
    def storage_type_max(self) -> int: ...
    @property
    def storage_type_integral_width(self) -> int: ...
    @property
    def expressed_type(self) -> AnyType: ...

class UniformQuantizedType(QuantizedType):
    @classmethod
    def get(
        cls,
        flags: int,
        storage_type: Type,
        expressed_type: Type,
        scale: float,
        zero_point: int,
        storage_type_min: int,
        storage_type_max: int,
        context: Context | None = None,
    ) -> UniformQuantizedType: ...
    @property
    def scale(self) -> float: ...
    @property
    def zero_point(self) -> int: ...

class UniformQuantizedPerAxisType(QuantizedType):
    @classmethod
    def get(
        cls,
        flags: int,
        storage_type: Type,
        expressed_type: Type,
        scales: Sequence[float],
        zero_points: Sequence[int],
        quantized_dimension: int,
        storage_type_min: int,
        storage_type_max: int,
        context: Context | None = None,
    ) -> UniformQuantizedPerAxisType: ...
    @property
    def quantized_dimension(self) -> int: ...
    @property
    def scales(self) -> list[float]: ...
    @property
    def zero_points(self) -> list[int]: ...
