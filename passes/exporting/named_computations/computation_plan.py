"""Which named computations need functions of their own: of those that are called the same and sharded alike, one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

from sdy.dialect.shardings.attribute_shardings import open_like
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.functions import ModuleSymbols
from sdy.mlir.rewriting.insertion import terminator
from sdy.passes.exporting.named_computations.computation_reader import Computation


@dataclass(slots=True)
class PlannedComputation:
    """A computation, and what becomes of it.

    `name` is that of its function, which there is if it `is_kept`. If it `is_called`, a call of `callee` takes its
    place; if not, it goes with the computation that it is in.
    """

    computation: Computation
    name: str
    callee: str = ""
    is_kept: bool = False
    is_called: bool = False
    children: list[int] = field(default_factory=list)
    """The positions of the computations directly in its body, in order."""


def plan_of_computations(
    module: ir.Operation, computations: Sequence[Computation], symbols: ModuleSymbols
) -> list[PlannedComputation]:
    """What becomes of each computation; takes the names of all functions they could be."""
    keys = _ComputationKeys(module)
    key_of = [keys.of(each) for each in computations]
    found = [PlannedComputation(each, symbols.reserve(each.name)) for each in computations]
    outermost: list[int] = []
    for position, each in enumerate(computations):
        siblings = outermost if each.holder < 0 else found[each.holder].children
        siblings.append(position)
    # Functions come in the order of `found`, behind what calls the outermost ones.
    chosen: dict[Hashable, PlannedComputation] = {}
    for siblings in (outermost, *(caller.children for caller in found)):
        for position in siblings:
            chosen.setdefault(key_of[position], found[position])
    pending = [outermost]
    while pending:
        for position in pending.pop():
            each, target = found[position], chosen[key_of[position]]
            each.is_called, each.callee = True, target.name
            if not target.is_kept:
                target.is_kept = True
                pending.append(target.children)
    return found


_NOTHING = 0
"""The number of shardings that are not there."""


class _ComputationKeys:
    """What computations agree in whose functions are merged: name, and shardings of arguments and results.

    A computation has the same key as another one if `sdy.dialect.shardings.value_shardings.filled_arg_shardings` and
    `filled_result_shardings` are the same for their functions.
    """

    def __init__(self, module: ir.Operation) -> None:
        self._meshes = MeshTable(module)
        self._arguments: dict[Hashable, int] = {}
        self._returned: dict[Hashable, int] = {}
        self._numbers: dict[Hashable, int] = {None: _NOTHING}

    def of(self, each: Computation) -> Hashable:
        return each.name, self._of_arguments(each), self._of_returned(each)

    def _of_arguments(self, each: Computation) -> int:
        if each.in_shardings is None:
            return _NOTHING
        key = tuple(each.in_shardings)
        number = self._arguments.get(key)
        if number is None:
            number = self._arguments[key] = self._fill(key, list)
        return number

    def _of_returned(self, each: Computation) -> int:
        number = self._returned.get(each.returned)
        if number is not None:
            return number
        # No function may return a value on a single device; `sdy-propagate-to-func-results` leaves it open.
        shardings = [None if self._meshes.is_on_single_device(sharding) else sharding for sharding in each.returned]
        number = self._fill(shardings, lambda: [value.type for value in terminator(_block(each.op)).operands])
        if number == _NOTHING or all(shardings):
            self._returned[each.returned] = number
        return number

    def _fill(self, shardings: Sequence[TensorSharding | None], types: Callable[[], Sequence[ir.Type]]) -> int:
        """A number for the shardings, with those that are not there fully open on the mesh of the others."""
        mesh = self._meshes.first_non_maximal(shardings)
        if mesh is None:
            return _NOTHING
        if not all(shardings):
            pairs = zip(shardings, types(), strict=True)
            shardings = [given or open_like(mesh, type_) for given, type_ in pairs]
        return self._numbers.setdefault(tuple(shardings), len(self._numbers))


def _block(op: ir.Operation) -> ir.Block:
    return op.regions[0].blocks[0]
