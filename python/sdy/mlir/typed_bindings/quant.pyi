# The types of the dialect quant.

from collections.abc import Sequence
from typing import Self

from .ir import AnyType, Type

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

class _Uniform(QuantizedType):
    # After these, scale and zero point, or scales, zero points and their dimension; then the limits of what is stored.
    @classmethod
    def get(cls, flags: int, storage_type: Type, expressed_type: Type, *how: float | Sequence[float]) -> Self: ...

class UniformQuantizedType(_Uniform):
    @property
    def scale(self) -> float: ...
    @property
    def zero_point(self) -> int: ...

class UniformQuantizedPerAxisType(_Uniform):
    @property
    def quantized_dimension(self) -> int: ...
    @property
    def scales(self) -> list[float]: ...
    @property
    def zero_points(self) -> list[int]: ...
