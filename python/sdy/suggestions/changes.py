"""Changes that a user can make to the shardings of a program; ops are identified by number, parents first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Protocol

from sdy.dialect import builders
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING_RULE
from sdy.dialect.program_values import Program, ProgramValue, SelectorError, ValueKind, select
from sdy.dialect.shardings.attribute_shardings import set_arg_sharding, set_result_sharding
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import CLOSED, TensorSharding
from sdy.dialect.verification import verify_module
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.walk import pre_order
from sdy.passes.options import did_you_mean


@dataclass(frozen=True, slots=True)
class _OfValue:
    """A change to the value with number `index` of its kind of an op."""

    kind: ClassVar[ValueKind]
    op: int
    index: int

    def name(self, program: Program) -> str:
        return _named(program, program.value_at(self.op, self.kind, self.index))


@dataclass(frozen=True, slots=True)
class ShardArgument(_OfValue):
    """Another sharding of an argument of a function."""

    kind = ValueKind.ARGUMENT
    sharding: TensorSharding

    def apply(self, ops: Sequence[ir.Operation]) -> None:
        """Set the sharding of the argument; `ops` are those of the module, parents first."""
        set_arg_sharding(ops[self.op], self.index, self.sharding)

    def told(self, program: Program) -> str:
        """Describe the change to the user."""
        return f"shard {self.name(program)} as {dims_text(self.sharding)}"


@dataclass(frozen=True, slots=True)
class ShardResult(_OfValue):
    """Another sharding of a result of a function; None leaves it to propagation."""

    kind = ValueKind.OUTPUT
    sharding: TensorSharding | None

    def apply(self, ops: Sequence[ir.Operation]) -> None:
        """Set or remove the sharding of the result; `ops` are those of the module, parents first."""
        set_result_sharding(ops[self.op], self.index, self.sharding)

    def told(self, program: Program) -> str:
        """Describe the change to the user."""
        name = self.name(program)
        if self.sharding is None:
            return f"leave the sharding of {name} open"
        return f"shard {name} as {dims_text(self.sharding)}"


@dataclass(frozen=True, slots=True)
class Constrain(_OfValue):
    """A sharding constraint on a result of an op, for all of its users."""

    kind = ValueKind.RESULT
    sharding: TensorSharding

    def apply(self, ops: Sequence[ir.Operation]) -> None:
        """Insert a constraint after the op, for all users; `ops` are those of the module, parents first."""
        op = ops[self.op]
        value = op.results[self.index]
        users = [(use.owner.operation, use.operand_number) for use in value.uses]
        after = ir.InsertionPoint.after(op)
        constrained = builders.sharding_constraint(value, self.sharding, loc=op.location, ip=after)
        for user, operand in users:
            user.operands[operand] = constrained

    def told(self, program: Program) -> str:
        """Describe the change to the user."""
        return f"constrain {self.name(program)} to {dims_text(self.sharding)}"


@dataclass(frozen=True, slots=True)
class ConstrainOperand:
    """A sharding constraint on one operand of an op, for this use of the value alone."""

    op: int
    operand: int
    sharding: TensorSharding

    def apply(self, ops: Sequence[ir.Operation]) -> None:
        """Insert a constraint before the op, for the operand; `ops` are those of the module, parents first."""
        op = ops[self.op]
        before = ir.InsertionPoint(op)
        value = op.operands[self.operand]
        op.operands[self.operand] = builders.sharding_constraint(value, self.sharding, loc=op.location, ip=before)

    def told(self, program: Program) -> str:
        """Describe the change to the user."""
        op = program.ops[self.op]
        where = f"{op.name}, {program.location(self.op)}"
        return f"reshard operand {self.operand} of {where} to {dims_text(self.sharding)}"


@dataclass(frozen=True, slots=True)
class Reconstrain:
    """Another sharding in a sharding constraint of the program; None removes the constraint."""

    op: int
    sharding: TensorSharding | None

    def apply(self, ops: Sequence[ir.Operation]) -> None:
        """Change or remove the constraint; `ops` are those of the module, parents first."""
        op = ops[self.op]
        if self.sharding is None:
            op.results[0].replace_all_uses_with(op.operands[0])
            op.erase()
        else:
            attributes.put(op, "sharding", self.sharding)

    def told(self, program: Program) -> str:
        """Describe the change to the user."""
        value = program.value_at(self.op, ValueKind.RESULT, 0)
        if self.sharding is None:
            return f"remove the sharding constraint {_named(program, value)}"
        return f"change the sharding constraint {_named(program, value)} to {dims_text(self.sharding)}"


@dataclass(frozen=True, slots=True)
class DeclareRule:
    """Declares a sharding rule for an op without one, if it fits the op's semantics."""

    op: int
    rule: ShardingRule

    def apply(self, ops: Sequence[ir.Operation]) -> None:
        """Attach the rule to the op; `ops` are those of the module, parents first."""
        attributes.put(ops[self.op], SHARDING_RULE, self.rule)

    def told(self, program: Program) -> str:
        """Describe the change to the user."""
        op = program.ops[self.op]
        target = f" @{op.attributes['call_target_name'].value}" if "call_target_name" in op.attributes else ""
        rule = replace(self.rule, is_custom=False)
        where = program.location(self.op)
        return f"declare a sharding rule for {op.name}{target} ({where}), if it is elementwise: {rule}"


@dataclass(frozen=True, slots=True)
class Several:
    """Related changes, such as those of all weights of a kind; `what` names them."""

    changes: tuple[Change, ...]
    what: str

    def apply(self, ops: Sequence[ir.Operation]) -> None:
        """Make all changes, removals of ops last; `ops` are those of the module, parents first."""
        for each in sorted(single(self), key=lambda each: isinstance(each, Reconstrain) and each.sharding is None):
            each.apply(ops)

    def told(self, program: Program) -> str:
        """Describe the changes to the user."""
        if not self.what:
            return "; ".join(each.told(program) for each in self.changes)
        shardings = (getattr(each, "sharding", None) for each in self.changes)
        wanted = dict.fromkeys(dims_text(each) for each in shardings if isinstance(each, TensorSharding))
        return f"{self.what} as {' or '.join(wanted)}" if wanted else self.what


SingleChange = ShardArgument | ShardResult | Constrain | ConstrainOperand | Reconstrain | DeclareRule
Change = SingleChange | Several


def single(change: Change) -> Iterator[SingleChange]:
    """Yield the changes that a change consists of."""
    if isinstance(change, Several):
        for each in change.changes:
            yield from single(each)
    else:
        yield change


def apply(change: Change, module: ir.Module | ir.Operation) -> None:
    """Apply a change to a module with the same ops as the program; its context is the current one."""
    change.apply(pre_order(module.operation))


def dims_text(sharding: TensorSharding) -> str:
    """Return the sharding without its mesh, which is usually common to all."""
    return f"[{', '.join(map(str, sharding.dims))}]"


def _named(program: Program, value: ProgramValue) -> str:
    """``%3 (stablehlo.add, "jit(f)/add" f.py:3:4)``, or ``argument 0 of @main ("w" ...)``."""
    name = program.name(value)
    head = value.what.what if value.kind is ValueKind.ARGUMENT else name
    what = f"{value.what.what}, " if value.kind is ValueKind.RESULT else ""
    return f"{head} ({what}{value.what.location})"


Dims = Iterable[str | Sequence[str] | None]
"""The mesh axes of each dimension, as in a `jax.sharding.PartitionSpec`."""


class Spec(Protocol):
    """A `jax.sharding.NamedSharding`."""

    @property
    def spec(self) -> Iterable[str | Sequence[str] | None]:
        """Mesh axes of each dimension."""
        ...


class Value(Protocol):
    """A `sdy.jax.Sharding`."""

    @property
    def value(self) -> TensorSharding:
        """Sharding as a value of the dialect."""
        ...


Given = TensorSharding | Dims | Spec | Value

Wanted = Mapping[str, Given | None]
"""Shardings by what selects the values; None leaves that of a result open."""


def shard(copy: ir.Module | ir.Operation, module: ir.Module | ir.Operation, program: Program, wanted: Wanted) -> None:
    """Set the `wanted` shardings on values of `copy`; `program` belongs to `module`, which was copied.

    Raises:
      SelectorError (a ValueError): a selector that means no value, or none that can be sharded.
      DiagnosticError, DiagnosticErrors: a sharding that does not fit.
      ValueError: axes without a mesh for a program that has none, or several.
    """
    changes = [each for selector, given in wanted.items() for each in _changes(module, program, selector, given)]
    apply(Several(tuple(changes), ""), copy)
    verify_module(copy)


def _changes(module: ir.Module | ir.Operation, program: Program, selector: str, given: Given | None) -> list[Change]:
    values = select(program, selector)
    return [_change(value, _sharding(module, given, value.rank, selector), selector) for value in values]


def _change(value: ProgramValue, sharding: TensorSharding | None, selector: str) -> Change:
    if value.kind is ValueKind.OUTPUT:
        return ShardResult(value.op, value.index, sharding)
    if sharding is None:
        raise SelectorError(f"'{selector}' is not a result of a function, so its sharding cannot be left open")
    if value.kind is ValueKind.RESULT:
        return Constrain(value.op, value.index, sharding)
    if value.what.what.startswith("argument"):
        return ShardArgument(value.op, value.index, sharding)
    raise SelectorError(f"'{selector}' is an argument of a region, so it has the sharding of its source")


def _sharding(module: ir.Module | ir.Operation, given: Given | None, rank: int, selector: str) -> TensorSharding | None:
    """Missing dimensions are closed, as in JAX. Errors name the value by its selector."""
    if given is None or isinstance(given, TensorSharding):
        return given
    meshes = MeshTable(module.operation).by_name
    value = getattr(given, "value", None)
    if isinstance(value, TensorSharding):
        name = next((name for name, mesh in meshes.items() if mesh == value.mesh_or_ref), None)
        if name is None:
            raise ValueError(f"the program has no mesh {value.mesh_or_ref}")
        return value.with_mesh(name).with_dims((*value.dims, *(CLOSED,) * (rank - value.rank)))
    # JAX declares a mesh without axes beside the one of a program.
    names = [name for name, mesh in meshes.items() if mesh.axes] or list(meshes)
    if len(names) != 1:
        raise ValueError(f"the program has {len(names)} meshes: give a TensorSharding, which names one")
    listed = getattr(given, "spec", given)
    if isinstance(listed, str) or not isinstance(listed, Iterable):
        raise TypeError(f"a sharding is a TensorSharding or the mesh axes of each dimension, not {listed!r}")
    dims = [() if each is None else (each,) if isinstance(each, str) else tuple(each) for each in listed]
    axes = [axis.name for axis in meshes[names[0]].axes]
    for axis in (axis for each in dims for axis in each if axis not in axes):
        listed_axes = ", ".join(axes) or "no axes"
        raise ValueError(f"'{selector}': the mesh has no axis '{axis}'{did_you_mean(axis, axes)}; it has {listed_axes}")
    dims += [()] * (rank - len(dims))
    return TensorSharding.from_axes(names[0], [[AxisRef(axis) for axis in each] for each in dims])
