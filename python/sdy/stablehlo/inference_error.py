"""The error of type inference and verification."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sdy.mlir import ir


class InferenceError(Exception):
    """Operands, attributes or regions that an op does not admit.

    Attributes:
      op_name: full name of the op, as in `stablehlo.slice`.
      constraint: the constraint that does not hold: short name of the op, then `c<N>` for a constraint and `i<N>` for
        an input of the specification, as in `slice_c3`; a word where the specification has no number.
      message: what is wrong.
      location: the place of the op in the program, if it is known.
    """

    def __init__(self, op_name: str, constraint: str, message: str, location: ir.Location | None = None) -> None:
        self.op_name = op_name
        self.constraint = constraint
        self.message = message
        self.location = location
        super().__init__(op_name, constraint, message)

    def __reduce__(self) -> tuple[type[InferenceError], tuple[str, str, str]]:
        """Without the location, which belongs to a context of this process."""
        return InferenceError, (self.op_name, self.constraint, self.message)

    def __str__(self) -> str:
        return f"'{self.op_name}' op {self.message} ({self.constraint})"
