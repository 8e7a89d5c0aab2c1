"""View of an op for shape functions and verifiers, and the error that they raise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, TypeVar, overload

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.stablehlo import attribute_readers as read
from sdy.stablehlo.types.value_types import Tensor, ValueType, read_types


class InferenceError(Exception):
    """Operands, attributes or regions that an op does not admit.

    Attributes:
      op_name: full name of the op, as in `stablehlo.slice`.
      constraint: the constraint that does not hold: short name of the op, then `c<N>` for a constraint and `i<N>` for
        an input of the specification, as in `slice_c3`; a word where the specification has no number.
      message: the problem.
      location: the place of the op in the program, if it is known.
    """

    def __init__(self, op_name: str, constraint: str, message: str, location: ir.Location | None = None) -> None:
        self.op_name = op_name
        self.constraint = constraint
        self.message = message
        self.location = location
        super().__init__(op_name, constraint, message)

    def __reduce__(self) -> tuple[type[InferenceError], tuple[str, str, str]]:
        """Pickle without the location, which belongs to a context of this process."""
        return InferenceError, (self.op_name, self.constraint, self.message)

    def __str__(self) -> str:
        return f"'{self.op_name}' op {self.message} ({self.constraint})"


def refusal(op_name: str, label: str, message: str) -> InferenceError:
    """The error that the constraint `label` (`c3`, `i2`, ...) of an op does not hold."""
    return InferenceError(op_name, f"{op_name.partition('.')[2] or op_name}_{label}", message)


Attributes = Mapping[str, ir.Attribute] | ir.OpAttributeMap
"""Attributes of the bindings by name."""

T = TypeVar("T")
Default = TypeVar("Default")


@dataclass(frozen=True, slots=True)
class Body:
    """The types that a region takes and returns; `is_empty` for one without a block.

    Attributes:
      arguments: types of the arguments of its first block.
      results: types that its last op returns.
      blocks: number of blocks.
      block: its first block, if the region is one of a program.
    """

    arguments: tuple[ValueType, ...] = ()
    results: tuple[ValueType, ...] = ()
    blocks: int = 1
    block: ir.Block | None = None

    @property
    def ops(self) -> list[ir.Operation]:
        """Return the ops of its first block, if the region is part of a program."""
        return [] if self.block is None else [view.operation for view in self.block.operations]

    @property
    def is_empty(self) -> bool:
        return self.blocks == 0


EMPTY_BODY = Body(blocks=0)


def read_body(region: ir.Region | Body) -> Body:
    """Return the body of a region of the bindings; a `Body` itself."""
    if isinstance(region, Body):
        return region
    blocks = region.blocks
    count = len(blocks)
    if not count:
        return EMPTY_BODY
    block = blocks[0]
    end = last_op(block)
    taken = list(block.arguments.types)
    types = tuple(read_types([*taken, *([] if end is None else [operand.type for operand in end.operands])]))
    return Body(types[: len(taken)], types[len(taken) :], count, block)


def last_op(block: ir.Block) -> ir.Operation | None:
    """The last op of a block; None if there is none."""
    operations = block.operations
    count = len(operations)
    return operations[count - 1].operation if count else None


@dataclass(slots=True, eq=False)
class OpFacts:
    """An existing op, or one to be made.

    Attributes:
      name: full name.
      operands: types of the operands.
      attributes: attributes of the bindings by name.
      regions: the regions, fewer than declared where they are empty.
      values: the operands as values of the bindings, None where only the type is known.
      constants: attributes of the constants that operands are, or their values, None for other operands, if they were
        looked up.
      types: types of the operands in the bindings, as far as they are known.
      results: declared types of the results; empty for an op that is not there yet.
      context: context of the bindings, for the types to be built.
      op: the op, if it exists.
      kept: results of readers, by attribute name.
    """

    name: str
    operands: Sequence[ValueType]
    attributes: Attributes
    regions: Sequence[ir.Region | Body] = ()
    values: Sequence[ir.Value | None] = ()
    types: Sequence[ir.Type | None] = ()
    results: Sequence[ValueType] = ()
    context: ir.Context | None = None
    op: ir.Operation | None = None
    constants: Sequence[ir.Attribute | read.DenseInts | None] | None = None
    kept: dict[str, object] = field(init=False, default_factory=dict)
    _bodies: dict[int, Body] = field(init=False, default_factory=dict)

    def error(self, constraint: str, message: str) -> InferenceError:
        """The error that `constraint` (`c3`, `i2`, ...) does not hold."""
        return refusal(self.name, constraint, message)

    # Types -------------------------------------------------------------------------------------------------------

    def tensor(self, index: int) -> Tensor:
        """Return the type of an operand that has to be a ranked tensor."""
        if index >= len(self.operands):
            raise self.error(f"i{index + 1}", f"operand {index} is missing")
        type_ = self.operands[index]
        if isinstance(type_, Tensor):
            return type_
        raise self.error(f"i{index + 1}", f"operand {index} must be a ranked tensor, not {type_}")

    def tensors(self) -> list[Tensor]:
        """The types of all operands, ranked tensors."""
        for index, type_ in enumerate(self.operands):
            if type(type_) is not Tensor:
                self.tensor(index)  # raises
        return list(self.operands)  # pyright: ignore[reportReturnType]

    def result(self, index: int) -> Tensor:
        """Return the declared type of a result that has to be a ranked tensor."""
        if index >= len(self.results):
            raise self.error("results", f"result {index} is missing")
        type_ = self.results[index]
        if isinstance(type_, Tensor):
            return type_
        raise self.error("results", f"result {index} must be a ranked tensor, not {type_}")

    def result_tensors(self) -> list[Tensor]:
        return [self.result(index) for index in range(len(self.results))]

    def segments(self, count: int) -> list[list[Tensor]]:
        """Return the operands in that many groups of equal length."""
        tensors = self.tensors()
        length, rest = divmod(len(tensors), count)
        if rest:
            raise self.error("i2", f"{len(tensors)} operands are no {count} groups of equal length")
        return [tensors[start * length : (start + 1) * length] for start in range(count)]

    def body(self, index: int = 0) -> Body:
        """A region; the empty one if it is missing."""
        if index not in self._bodies:
            self._bodies[index] = read_body(self.regions[index]) if index < len(self.regions) else EMPTY_BODY
        return self._bodies[index]

    def value(self, index: int) -> ir.Value | None:
        """Return an operand as value of the bindings; None if only its type is known."""
        return self.values[index] if index < len(self.values) else None

    # Attributes --------------------------------------------------------------------------------------------------

    def has(self, name: str) -> bool:
        return name in self.attributes

    def attribute(self, name: str, reader: Callable[[ir.Attribute], T | None], kind: str) -> T:
        """Return the value of a required attribute; the reader of a name is always the same."""
        kept: Any = self.kept.get(name)
        if kept is not None:
            return kept
        attribute = self.attributes.get(name)
        if attribute is None:
            raise self.error(name, f"needs the attribute '{name}'")
        value = reader(attribute)
        if value is None:
            raise self.error(name, f"attribute '{name}' must be {kind}, not {attribute}")
        self.kept[name] = value
        return value

    @overload
    def optional(self, name: str, reader: Callable[[ir.Attribute], T | None], kind: str) -> T | None: ...
    @overload
    def optional(
        self, name: str, reader: Callable[[ir.Attribute], T | None], kind: str, default: Default
    ) -> T | Default: ...
    def optional(
        self, name: str, reader: Callable[[ir.Attribute], T | None], kind: str, default: Default | None = None
    ) -> T | Default | None:
        """Return an optional attribute in its reader's form."""
        kept: Any = self.kept.get(name)
        if kept is not None:
            return kept
        return self.attribute(name, reader, kind) if name in self.attributes else default

    def ints(self, name: str) -> tuple[int, ...]:
        return self.attribute(name, read.read_ints, "an array of 64-bit integers")

    def optional_ints(self, name: str) -> tuple[int, ...] | None:
        return self.optional(name, read.read_ints, "an array of 64-bit integers")

    def integer(self, name: str, bits: int = 64) -> int:
        return self.attribute(name, lambda each: read.read_integer(each, bits), f"a {bits}-bit integer")

    def optional_integer(self, name: str, default: int, bits: int = 64) -> int:
        return self.integer(name, bits) if name in self.attributes else default

    def flag(self, name: str) -> bool:
        """A boolean attribute, False where it is missing, or a unit attribute."""
        attribute = self.attributes.get(name)
        if attribute is None:
            return False
        if isinstance(attribute, ir.BoolAttr):
            return attribute.value
        if isinstance(attribute, ir.UnitAttr):
            return True
        raise self.error(name, f"attribute '{name}' must be a boolean, not {attribute}")

    def dense(self, name: str) -> read.DenseInts:
        return self.attribute(name, read.read_dense_ints, "a dense tensor of 64-bit integers")

    def optional_dense(self, name: str) -> read.DenseInts | None:
        return self.optional(name, read.read_dense_ints, "a dense tensor of 64-bit integers")

    def text(self, name: str) -> str:
        attribute = self.attributes.get(name)
        if isinstance(attribute, ir.StringAttr):
            return attribute.value
        raise self.error(name, f"attribute '{name}' must be a string, not {attribute}")
