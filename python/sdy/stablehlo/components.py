"""What a shape function says about one result, with open parts."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sdy.mlir import ir


@dataclass(frozen=True, slots=True, init=False)
class ShapedTypeComponents:
    """Dimensions, element type and encoding of a result.

    Attributes:
      dims: sizes, `ir.ShapedType.get_dynamic_size()` where not known.
      element_type: the type of the elements; None where it does not follow from the operands.
      attribute: the encoding; None without one.
    """

    dims: tuple[int, ...]
    element_type: ir.Type | None = None
    attribute: ir.Attribute | None = None

    def __init__(
        self, dims: tuple[int, ...], element_type: ir.Type | None = None, attribute: ir.Attribute | None = None
    ) -> None:
        # Half of the time that the constructor of a frozen dataclass takes, which looks up each field by its name.
        _set_dims(self, dims)
        _set_element_type(self, element_type)
        _set_attribute(self, attribute)


_set_dims, _set_element_type, _set_attribute = (
    vars(ShapedTypeComponents)[each.name].__set__ for each in fields(ShapedTypeComponents)
)
