"""Data-flow edges: which values of an op must be sharded alike because the same tensor flows between them.

An edge of an op ties *sources* (operands, operands of terminators) to *targets* (results, block arguments). One target
is the *owner*; `sdy.data_flow_edge` takes it as its input and holds the sharding of them all. Spec: import-passes,
section 2; sharding-algebra, 8.

A dialect declares its own op with a subclass of `DataFlowOp`:

    @data_flow_op("mydialect.choice")
    class Choice(DataFlowOp):
        def sources(self, owner):
            return [self.returned(owner.result_number, region) for region in (0, 1)]
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, NamedTuple, TypeVar

from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import ShardingPerValue
from sdy.dialect.hlo_async.declarations import DONE, IN_SHARDINGS, START, UPDATE
from sdy.dialect.shardings.attribute_shardings import op_shardings, open_like, set_op_shardings
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.rewriting import replace, terminator
from sdy.mlir.search import ops_named
from sdy.mlir.users_code import declared

EDGE = "sdy.data_flow_edge"


class Use(NamedTuple):
    """One operand slot of an op, like MLIR's `OpOperand`."""

    owner: ir.Operation
    operand_number: int

    @property
    def value(self) -> ir.Value:
        return self.owner.operands[self.operand_number]


class DataFlowOp(ABC):
    """The edges of one op.

    This class describes an op whose owners are its results, with shardings kept in `sdy.sharding`; subclasses define
    the sources.
    """

    __slots__ = ("op",)

    requires_divisible: ClassVar[bool] = False
    """True if the shardings of owners must divide the dimensions."""

    passes_through_body: ClassVar[bool] = False
    """True if all owners are those of a body.

    Each operand flows to one block argument, each operand of the terminator to one result, in order.
    """

    def __init__(self, op: ir.Operation) -> None:
        self.op = op

    # Owners --------------------------------------------------------------------------------------

    def block_arg_owners(self) -> list[ir.BlockArgument]:
        """Owners that are block arguments, in order."""
        return []

    def result_owners(self) -> list[ir.Value]:
        """Owners that are results, in order."""
        return list(self.op.results)

    def owner_of_target(self, target: ir.Value) -> ir.Value | None:
        """The owner of the edge that a result or block argument of the op is a target of, None if it is of none."""
        return target

    def owner_of_use(self, use: Use) -> ir.Value | None:
        """Return the owner of the edge that has an operand of the op, or of a terminator in it, among its sources.

        Like the reference, this also counts the index of a `case` and the predicates of `if` and `while` as sources of
        the first edge. The only effect on propagation is one more visit of an edge.
        """
        results = self.op.results
        return results[use.operand_number] if use.operand_number < len(results) else None

    # Edges ---------------------------------------------------------------------------------------

    def operand(self, index: int) -> Use:
        """The operand of that number, as a source."""
        return Use(self.op, index)

    def returned(self, index: int, region: int = 0) -> Use:
        """Return the operand of a region's terminator with that number, as a source."""
        return Use(terminator(self.op.regions[region].blocks[0]), index)

    @abstractmethod
    def sources(self, owner: ir.Value) -> list[Use]:
        """Return the operand slots that the tensor of the edge of `owner` comes from, in order."""

    def other_targets(self, owner: ir.Value) -> list[ir.Value]:
        """The targets of the edge of `owner` besides the owner, in order."""
        return []

    def targets(self, owner: ir.Value) -> list[ir.Value]:
        """The owner, then the other targets of its edge."""
        return [owner, *self.other_targets(owner)]

    # Shardings of the owners ---------------------------------------------------------------------

    def block_arg_shardings(self) -> Sequence[TensorSharding] | None:
        """Shardings kept on the op for its block-argument owners, by argument number; None if none are kept."""
        return None

    def set_block_arg_shardings(self, shardings: Sequence[TensorSharding]) -> None:
        """Sets the shardings of the block-argument owners; does nothing for an op without such owners."""
        assert not shardings, (
            "an op with block-argument owners must define where their shardings are (see `data_flow_op`)"
        )

    def result_shardings(self) -> Sequence[TensorSharding] | None:
        """Shardings kept on the op for its result owners, by result number; None if none are kept."""
        return op_shardings(self.op)

    def set_result_shardings(self, shardings: Sequence[TensorSharding]) -> None:
        set_op_shardings(self.op, shardings)

    # The boundary --------------------------------------------------------------------------------

    @classmethod
    def has_boundary(cls) -> bool:
        """Return whether the sources of an edge may have another sharding than the edge."""
        return cls.at_sources is not DataFlowOp.at_sources or cls.at_edge is not DataFlowOp.at_edge

    def at_sources(self, owner: ir.Value, sharding: TensorSharding) -> TensorSharding:
        """The sharding of the edge of `owner` as its sources see it."""
        return sharding

    def at_edge(self, owner: ir.Value, sharding: TensorSharding) -> TensorSharding:
        """The inverse of `at_sources`: a sharding computed with the sources as it is kept on the edge."""
        return sharding


Kind = TypeVar("Kind", bound=type[DataFlowOp])

_kinds: dict[str, type[DataFlowOp]] = {}


def data_flow_op(*names: str) -> Callable[[Kind], Kind]:
    """Declares the decorated subclass of `DataFlowOp` to describe the ops of the given names.

    Raises `TypeError` for a class that does not say where the tensors of its edges come from, or, if block arguments
    are owners, where their shardings are kept.
    """

    def register(kind: Kind) -> Kind:
        if kind.sources is DataFlowOp.sources:
            raise TypeError(f"{kind.__name__} has to define sources()")
        has_arguments = kind.block_arg_owners is not DataFlowOp.block_arg_owners
        if has_arguments and kind.set_block_arg_shardings is DataFlowOp.set_block_arg_shardings:
            raise TypeError(f"{kind.__name__} has block-argument owners and has to define set_block_arg_shardings()")
        _kinds.update(dict.fromkeys(names, kind))
        declared("data-flow op", names, kind)
        return kind

    return register


def interface(op: ir.Operation) -> DataFlowOp | None:
    """The edges of `op`; None if it has none."""
    kind = _kinds.get(op.name)
    return None if kind is None else kind(op)


def data_flow_ops(root: ir.Operation) -> list[DataFlowOp]:
    """All ops with edges below `root`, nested ones before the op that holds them."""
    return [_kinds[op.name](op) for op in ops_named(root, *_kinds)]


def data_flow_names() -> tuple[str, ...]:
    """Names of the ops that have edges."""
    return tuple(_kinds)


def is_data_flow_op(name: str) -> bool:
    """Return whether ops of that name have edges."""
    return name in _kinds


# Finding edges -----------------------------------------------------------------------------------


def edge_of_target(value: ir.Value) -> ir.Operation | None:
    """The `sdy.data_flow_edge` op that holds the sharding of a result or block argument."""
    op = owning_op(value)
    flow = None if op is None else interface(op)
    return None if flow is None else edge_of_owner(flow.owner_of_target(value))


def edge_of_owner(owner: ir.Value | None) -> ir.Operation | None:
    """The `sdy.data_flow_edge` op that is the only use of `owner`."""
    if owner is None:
        return None
    uses = owner.uses
    first = next(uses, None)
    if first is None or next(uses, None) is not None:
        return None
    user = first.owner.operation
    return user if user.name == EDGE else None


def owning_op(value: ir.Value) -> ir.Operation | None:
    """The op that defines `value`, or that holds the block of which it is an argument."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        owner = owner.owner
    return None if owner is None else owner.operation


# The ops that have edges -------------------------------------------------------------------------


def _index(value: ir.Value) -> int:
    return value.arg_number if isinstance(value, ir.BlockArgument) else ir.OpResult(value).result_number


@data_flow_op("stablehlo.while")
class _While(DataFlowOp):
    """Operand, body result, loop variable in condition and body, and result are the same tensor."""

    __slots__ = ()

    def owner_of_target(self, target: ir.Value) -> ir.Value:
        return self.op.results[_index(target)]

    def sources(self, owner: ir.Value) -> list[Use]:
        index = _index(owner)
        return [self.operand(index), self.returned(index, region=1)]

    def other_targets(self, owner: ir.Value) -> list[ir.Value]:
        return [region.blocks[0].arguments[_index(owner)] for region in self.op.regions]


@data_flow_op("stablehlo.case", "stablehlo.if")
class _Branches(DataFlowOp):
    """A result is what any of the branches returns."""

    __slots__ = ()

    def sources(self, owner: ir.Value) -> list[Use]:
        return [self.returned(_index(owner), region) for region in range(len(self.op.regions))]


@data_flow_op("stablehlo.optimization_barrier")
class _OptimizationBarrier(DataFlowOp):
    """Operands pass through."""

    __slots__ = ()

    def sources(self, owner: ir.Value) -> list[Use]:
        return [self.operand(_index(owner))]


@data_flow_op("sdy.named_computation")
class _NamedComputation(DataFlowOp):
    """Operands flow to block arguments, returned values to results; the two families of edges are independent."""

    __slots__ = ()

    passes_through_body: ClassVar[bool] = True

    def block_arg_owners(self) -> list[ir.BlockArgument]:
        return list(self.op.regions[0].blocks[0].arguments)

    def owner_of_use(self, use: Use) -> ir.Value | None:
        return None if use.owner == self.op else self.op.results[use.operand_number]

    def sources(self, owner: ir.Value) -> list[Use]:
        index = _index(owner)
        return [self.operand(index) if isinstance(owner, ir.BlockArgument) else self.returned(index)]

    def block_arg_shardings(self) -> Sequence[TensorSharding] | None:
        return self._stored("in_shardings")

    def set_block_arg_shardings(self, shardings: Sequence[TensorSharding]) -> None:
        attributes.put(self.op, "in_shardings", ShardingPerValue(tuple(shardings)))

    def result_shardings(self) -> Sequence[TensorSharding] | None:
        return self._stored("out_shardings")

    def set_result_shardings(self, shardings: Sequence[TensorSharding]) -> None:
        attributes.put(self.op, "out_shardings", ShardingPerValue(tuple(shardings)))

    def _stored(self, name: str) -> tuple[TensorSharding, ...] | None:
        stored = attributes.get(self.op, name)
        return None if stored is None else stored.shardings


@data_flow_op("mpmd.fragment")
class _Fragment(_NamedComputation):
    """A named computation on one mesh; operands and results have types of it, the body has global types."""

    __slots__ = ()

    requires_divisible: ClassVar[bool] = True


@data_flow_op("mpmd.for")
class _FixedLoop(DataFlowOp):
    """Operand, body result, loop variable and result are the same tensor; the index has no edge."""

    __slots__ = ()

    def owner_of_target(self, target: ir.Value) -> ir.Value | None:
        index = _index(target)
        return self.op.results[index] if index < len(self.op.results) else None

    def sources(self, owner: ir.Value) -> list[Use]:
        return [self.operand(_index(owner)), self.returned(_index(owner))]

    def other_targets(self, owner: ir.Value) -> list[ir.Value]:
        return [self.op.regions[0].blocks[0].arguments[_index(owner)]]


@data_flow_op("sdy.manual_computation")
class _ManualComputation(_NamedComputation):
    """A named computation whose body does not see the manual axes.

    The edge of a block argument holds the sharding inside the body, that of a result the sharding outside.
    """

    __slots__ = ()

    requires_divisible: ClassVar[bool] = True

    def block_arg_shardings(self) -> Sequence[TensorSharding] | None:
        manual = self._manual_axes()
        return [sharding.erase_manual_axes(manual) for sharding in self._outer("in_shardings")]

    def set_block_arg_shardings(self, shardings: Sequence[TensorSharding]) -> None:
        manual = self._manual_axes()
        pairs = zip(self._outer("in_shardings"), shardings, strict=True)
        super().set_block_arg_shardings([outer.add_manual_axes(inner, manual) for outer, inner in pairs])

    def at_sources(self, owner: ir.Value, sharding: TensorSharding) -> TensorSharding:
        if isinstance(owner, ir.BlockArgument):
            return self._outer("in_shardings")[_index(owner)].add_manual_axes(sharding, self._manual_axes())
        return sharding.erase_manual_axes(self._manual_axes())

    def at_edge(self, owner: ir.Value, sharding: TensorSharding) -> TensorSharding:
        if isinstance(owner, ir.BlockArgument):
            return sharding.erase_manual_axes(self._manual_axes())
        return self._outer("out_shardings")[_index(owner)].add_manual_axes(sharding, self._manual_axes())

    def _manual_axes(self) -> tuple[str, ...]:
        return attributes.get(self.op, "manual_axes").names

    def _outer(self, name: str) -> tuple[TensorSharding, ...]:
        return attributes.get(self.op, name).shardings


@data_flow_op(START)
class _AsyncStart(DataFlowOp):
    """Operands flow to the arguments of the body.

    The bundle is not a tensor; the values in flight leave at the done.
    """

    __slots__ = ()

    def block_arg_owners(self) -> list[ir.BlockArgument]:
        return list(self.op.regions[0].blocks[0].arguments)

    def result_owners(self) -> list[ir.Value]:
        return []

    def owner_of_use(self, use: Use) -> ir.Value | None:
        """Return the owner of a use: values that the body returns leave by the done."""
        if use.owner == self.op:
            return self.op.regions[0].blocks[0].arguments[use.operand_number]
        done = self.op
        while done.name != DONE:
            done = next(iter(done.results[0].uses)).owner.operation
        return done.results[use.operand_number]

    def sources(self, owner: ir.Value) -> list[Use]:
        return [self.operand(_index(owner))]

    def block_arg_shardings(self) -> Sequence[TensorSharding] | None:
        stored = attributes.get(self.op, IN_SHARDINGS)
        return None if stored is None else stored.shardings

    def set_block_arg_shardings(self, shardings: Sequence[TensorSharding]) -> None:
        attributes.put(self.op, IN_SHARDINGS, ShardingPerValue(tuple(shardings)))


@data_flow_op(DONE)
class _AsyncDone(DataFlowOp):
    """A result is what the body of the start returns."""

    __slots__ = ()

    def owner_of_use(self, use: Use) -> ir.Value | None:
        return None

    def sources(self, owner: ir.Value) -> list[Use]:
        start = self.op.operands[0].owner.operation
        while start.name == UPDATE:
            start = start.operands[0].owner.operation
        return [Use(terminator(start.regions[0].blocks[0]), _index(owner))]


def shardings_on_edges(owners: Sequence[ir.Value]) -> Sequence[TensorSharding] | None:
    """Return the shardings of the `sdy.data_flow_edge` ops of `owners`; None if no edge has one.

    An owner without a sharding on an edge counts as fully open on the mesh of the first one that has a sharding.
    """
    return filled_shardings(owners, [sharding_of_edge(edge_of_owner(owner)) for owner in owners])


def sharding_of_edge(edge: ir.Operation | None) -> TensorSharding | None:
    """Return the sharding of an edge; None without an edge or sharding."""
    return None if edge is None else attributes.get(edge, "sharding")


def filled_shardings(
    owners: Sequence[ir.Value], found: Sequence[TensorSharding | None]
) -> Sequence[TensorSharding] | None:
    """Fill the shardings that were `found` on the owners' edges, like `shardings_on_edges`."""
    given = [sharding for sharding in found if sharding is not None]
    if not given or len(given) == len(found):
        return given or None
    mesh = given[0].mesh_or_ref
    return [sharding or open_like(mesh, owner.type) for sharding, owner in zip(found, owners, strict=True)]


def erase_edges(owners: Iterable[ir.Value]) -> None:
    """Replaces the edge ops of `owners`, where they have one, by the owners."""
    for owner in list(owners):
        edge = edge_of_owner(owner)
        if edge is not None:
            erase_forwarding(edge)


def erase_forwarding(op: ir.Operation) -> None:
    """Replaces the result of `op` by its operand, and erases it."""
    replace(op, [op.operands[0]])
