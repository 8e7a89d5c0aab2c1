"""What a shape function says about one result, with open parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ShapedTypeComponents:
    """Dimensions, element type and encoding of a result.

    Attributes:
      dims: sizes, `ir.ShapedType.get_dynamic_size()` where not known.
      element_type: the type of the elements; None where it does not follow from the operands.
      attribute: the encoding; None without one.
    """

    dims: tuple[int, ...]
    element_type: Any = None
    attribute: Any = None
