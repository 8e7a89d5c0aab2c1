"""Element types as plain values: kind, width, quantization (spec: type-inference, 2.2 and H10)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from enum import Enum
from functools import lru_cache, partial

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir, quant


class Kind(Enum):
    """Coarse kind of an element type; `INTEGER` holds all integers, booleans included."""

    INTEGER = "integer"
    FLOAT = "float"
    COMPLEX = "complex"
    QUANTIZED = "quantized"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Element:
    """An element type.

    Attributes:
      name: its text, as in `f32` or `complex<f32>`.
      category: what declarations of operands ask for: the name; for quantized types `QT` (per tensor), `QA` (per axis)
        or nothing if StableHLO does not admit it.
      bits: width; of both parts for a complex type, of the storage for a quantized one.
      part: element type of the parts of a complex type.
      is_plain: whether there are tensors of it of any shape.
    """

    name: str
    category: str
    kind: Kind
    bits: int
    part: Element | None = None
    is_plain: bool = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_plain", self.kind not in (Kind.QUANTIZED, Kind.OTHER))

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Storage:
    """Storage type and range of the numbers of a quantized type."""

    type: str
    is_signed: bool
    minimum: int
    maximum: int


@dataclass(frozen=True, slots=True)
class Quantized(Element):
    """A quantized element type: `expressed = (stored - zero_point) * scale`, per tensor or per index of an axis.

    Attributes:
      axis: the dimension that scales and zero points belong to; None per tensor, with one scale and one zero point.
    """

    storage: Storage = Storage("i8", True, -128, 127)
    expressed: Element = Element("f32", "f32", Kind.FLOAT, 32)
    scales: tuple[float, ...] = ()
    zero_points: tuple[int, ...] = ()
    axis: int | None = None

    @property
    def parameters(self) -> tuple[tuple[float, ...], tuple[int, ...]]:
        return self.scales, self.zero_points

    def with_axis(self, axis: int) -> Quantized:
        """Return the type with another quantization axis."""
        return _quantized(self.storage, self.expressed, self.scales, self.zero_points, axis)


def is_per_axis(element: Element | None) -> bool:
    return isinstance(element, Quantized) and element.axis is not None


def is_per_tensor(element: Element | None) -> bool:
    return isinstance(element, Quantized) and element.axis is None


# Known types ---------------------------------------------------------------------------------------------------------

_FLOATS = {
    "Float4E2M1FNType": ("f4E2M1FN", 4),
    "Float6E2M3FNType": ("f6E2M3FN", 6),
    "Float6E3M2FNType": ("f6E3M2FN", 6),
    "Float8E3M4Type": ("f8E3M4", 8),
    "Float8E4M3Type": ("f8E4M3", 8),
    "Float8E4M3FNType": ("f8E4M3FN", 8),
    "Float8E4M3FNUZType": ("f8E4M3FNUZ", 8),
    "Float8E4M3B11FNUZType": ("f8E4M3B11FNUZ", 8),
    "Float8E5M2Type": ("f8E5M2", 8),
    "Float8E5M2FNUZType": ("f8E5M2FNUZ", 8),
    "Float8E8M0FNUType": ("f8E8M0FNU", 8),
    "F16Type": ("f16", 16),
    "BF16Type": ("bf16", 16),
    "F32Type": ("f32", 32),
    "F64Type": ("f64", 64),
}

_BY_CLASS = {getattr(ir, cls): Element(name, name, Kind.FLOAT, bits) for cls, (name, bits) in _FLOATS.items()}
_BY_NAME = {element.name: element for element in _BY_CLASS.values()}
_PER_TENSOR, _PER_AXIS = quant.UniformQuantizedType, quant.UniformQuantizedPerAxisType

_WRITERS: dict[str, Callable[[ir.Context], ir.Type]] = {element.name: cls.get for cls, element in _BY_CLASS.items()}
_WRITERS |= {f"i{bits}": partial(ir.IntegerType.get_signless, bits) for bits in (1, 2, 4, 8, 16, 32, 64)}
"""Constructors of the commonest element types, by name."""

INDEX = Element("index", "index", Kind.OTHER, 64)
FLOAT_NAMES = tuple(name for name, _ in _FLOATS.values())


@lru_cache(maxsize=256)
def integer_element(bits: int, sign: str = "") -> Element:
    """An integer type; `sign` is nothing, `u` or `s`."""
    name = f"{sign}i{bits}"
    return Element(name, name, Kind.INTEGER, bits)


def float_element(name: str) -> Element:
    """A float type by its name."""
    return _BY_NAME[name]


@lru_cache(maxsize=256)
def complex_element(part: Element) -> Element:
    """The complex type with these parts."""
    name = f"complex<{part.name}>"
    return Element(name, name, Kind.COMPLEX, 2 * part.bits, part)


BOOL = integer_element(1)
I32 = integer_element(32)
UI32 = integer_element(32, "u")

_STORAGE_WIDTHS = frozenset((2, 4, 8, 16, 32))


def _quantized(
    storage: Storage, expressed: Element, scales: tuple[float, ...], zero_points: tuple[int, ...], axis: int | None
) -> Quantized:
    bits = int(storage.type.lstrip("sui"))
    fits = all(storage.minimum <= point <= storage.maximum for point in zero_points)
    # Only what can be a scale of StableHLO's: the parser of the type admits any expressed float.
    known = storage.type.startswith("i") and bits in _STORAGE_WIDTHS and fits
    category = ("QT" if axis is None else "QA") if known else ""
    sign = "" if storage.is_signed else "u"
    name = f"quantized<{sign}{storage.type}:{expressed.name}>"
    return Quantized(
        name,
        category,
        Kind.QUANTIZED,
        bits,
        storage=storage,
        expressed=expressed,
        scales=scales,
        zero_points=zero_points,
        axis=axis,
    )


# From and to the bindings --------------------------------------------------------------------------------------------


def read_element(type_: ir.Type) -> Element:
    """Read an element type of the bindings; types unknown to StableHLO become `OTHER`."""
    found = _BY_CLASS.get(type(type_))
    if found is not None:
        return found
    if isinstance(type_, ir.IntegerType):
        sign = "" if type_.is_signless else "u" if type_.is_unsigned else "s"
        return integer_element(type_.width, sign)
    if isinstance(type_, ir.ComplexType):
        return complex_element(read_element(type_.element_type))
    if isinstance(type_, _PER_TENSOR):
        return _quantized(_storage(type_), _expressed(type_), (type_.scale,), (type_.zero_point,), None)
    if isinstance(type_, _PER_AXIS):
        axis = type_.quantized_dimension
        return _quantized(_storage(type_), _expressed(type_), tuple(type_.scales), tuple(type_.zero_points), axis)
    if isinstance(type_, ir.IndexType):
        return INDEX
    return Element(str(type_), "", Kind.OTHER, 0)


def _storage(type_: quant.QuantizedType) -> Storage:
    text = str(type_.storage_type)
    return Storage(text, type_.is_signed, type_.storage_type_min, type_.storage_type_max)


def _expressed(type_: quant.QuantizedType) -> Element:
    return read_element(type_.expressed_type)


def write_element(element: Element, context: ir.Context) -> ir.Type:
    """The element type in the bindings."""
    write = _WRITERS.get(element.name)
    if write is not None:
        return write(context)
    if element.kind is Kind.INTEGER:
        return _write_integer(element, context)
    if isinstance(element, Quantized):
        return _write_quantized(element, context)
    if element.kind is Kind.COMPLEX and element.part is not None:
        return ir.ComplexType.get(write_element(element.part, context))
    return ir.Type.parse(element.name, context)


def _write_integer(element: Element, context: ir.Context) -> ir.IntegerType:
    if element.name[0] == "i":
        return ir.IntegerType.get_signless(element.bits, context)
    get = ir.IntegerType.get_unsigned if element.name[0] == "u" else ir.IntegerType.get_signed
    return get(element.bits, context)


def _write_quantized(element: Quantized, context: ir.Context) -> quant.QuantizedType:
    storage = element.storage
    flags = _PER_TENSOR.FLAG_SIGNED if storage.is_signed else 0
    types = ir.Type.parse(storage.type, context), write_element(element.expressed, context)
    if element.axis is None:
        parameters = element.scales[0], element.zero_points[0]
        return _PER_TENSOR.get(flags, *types, *parameters, storage.minimum, storage.maximum)
    lists = list(element.scales), list(element.zero_points)
    return _PER_AXIS.get(flags, *types, *lists, element.axis, storage.minimum, storage.maximum)


# Questions -----------------------------------------------------------------------------------------------------------


def is_float(element: Element) -> bool:
    return element.kind is Kind.FLOAT


def is_promotable(source: Element, target: Element) -> bool:
    """Return whether numbers of `source` can be widened to `target` without changing their kind (H10)."""
    if source.kind is not target.kind or source.kind is Kind.OTHER or (source == BOOL) != (target == BOOL):
        return False
    if isinstance(source, Quantized) and isinstance(target, Quantized) and source.expressed != target.expressed:
        return False
    return source.bits <= target.bits


def same_baseline(first: Element, second: Element) -> bool:
    """Check H2 for element types: equal, or quantized with equal storage, expressed type and granularity."""
    if first is second:
        return True
    if isinstance(first, Quantized) and isinstance(second, Quantized):
        return (
            first.storage == second.storage
            and first.expressed == second.expressed
            and (first.axis is None) == (second.axis is None)
        )
    return first == second
