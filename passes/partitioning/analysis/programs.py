"""Questions about whole programs: shardings of all results, asynchronous ops, meshes, users that read bits."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sdy.dialect import builders as sdy_ops
from sdy.dialect.definition.attributes import SHARDING, ShardingPerValueAttr, value_of
from sdy.dialect.ops.model import is_contraction
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.sharding import MeshRef, TensorSharding
from sdy.mlir import address, ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import ModuleSymbols, module_body
from sdy.mlir.rewriting import terminator
from sdy.mlir.search import ops_named
from sdy.mlir.walk import for_each
from sdy.stablehlo import views
from sdy.stablehlo.idioms.loops import WHILE, combining_ops


def all_results(module: ir.Operation, holds: Callable[[ir.Type, TensorSharding], bool]) -> bool:
    """Return whether `holds` for the types of all results, given the attribute `sdy.sharding` of each op."""
    found: dict[tuple[int, ...], tuple[ir.Attribute, tuple[ir.Type, ...]]] = {}

    def note(op: ir.Operation) -> None:
        attribute = op.attributes.get(SHARDING)
        if attribute is None:
            return
        types = op.results.types
        key = (address(attribute), *map(address, types))
        # In a module that is not verified it may be anything.
        if key not in found and isinstance(attribute.maybe_downcast(), ShardingPerValueAttr):
            found[key] = attribute, tuple(types)

    for_each(module, note)
    return all(
        holds(type_, sharding)
        for attribute, types in found.values()
        for type_, sharding in zip(types, value_of(attribute).shardings, strict=False)
    )


ASYNC_START = "stablehlo.async_start"


def check_asynchronous(module: ir.Operation) -> None:
    """Raises `DiagnosticError` at an asynchronous op that a pass has put further ops into."""
    for op in ops_named(module, ASYNC_START):
        if len(op.regions[0].blocks[0].operations) > 2:
            raise DiagnosticError(
                op,
                "may hold only one op, but moving sharded values adds others; "
                "'sdy-convert-async=to=marked' makes it synchronous during partitioning",
            )


class ModuleMeshes:
    """Finds and makes meshes, all of which are in `table`."""

    def __init__(self, module: ir.Operation) -> None:
        self._module = module
        self._symbols: ModuleSymbols | None = None
        self.table = MeshTable(module)

    def named_like(self, mesh: Mesh, ref: MeshRef, suffix: str) -> MeshRef:
        """Return a reference to `mesh`: by name if `ref` is one; a missing mesh is declared with `suffix`."""
        if isinstance(ref, Mesh):
            return mesh
        return self.name_of(mesh, ref + suffix)

    def name_of(self, mesh: Mesh, name: str) -> str:
        """The name of `mesh` in the module; a new mesh is declared at the start, as `name` if that is free."""
        for known, other in self.table.by_name.items():
            if other == mesh:
                return known
        if self._symbols is None:
            self._symbols = ModuleSymbols(self._module)
        start = ir.InsertionPoint.at_block_begin(module_body(self._module))
        unique = self._symbols.insert(sdy_ops.mesh(name, mesh, loc=self._module.location, ip=start))
        self.table.by_name[unique] = mesh
        return unique


def _stablehlo(names: str) -> frozenset[str]:
    return frozenset(f"stablehlo.{name}" for name in names.split())


_TAKE_EITHER = _stablehlo("add cosine exponential is_finite log logistic subtract")
"""Ops that give the same for both, or sums in which a zero's sign does not survive."""

_KEEP = frozenset({"sdy.all_gather", "sdy.all_slice", "sdy.all_to_all", "sdy.collective_permute", "sdy.reshard"}) | (
    _stablehlo(
        "broadcast_in_dim concatenate dynamic_slice dynamic_update_slice gather pad reshape reverse slice transpose"
    )
    | _stablehlo("abs convert maximum minimum multiply negate select tanh")
)
"""Ops with results of which the same can be asked."""

_KEEP_FIRST = _stablehlo("divide scatter")
"""Ops of which the same can be asked of the first operand."""

_REDUCING = _stablehlo("reduce reduce_window scatter")


def bits_matter(value: ir.Value) -> bool:
    """Return whether some user distinguishes numbers that are equal in arithmetic."""
    waiting, seen = [value], {value}
    while waiting:
        for use in waiting.pop().uses:
            op, number = use.owner.operation, use.operand_number
            if op.name in _TAKE_EITHER or is_contraction(op) or _compares(op) or _adds_up(op, number):
                continue
            found = list(_results(op, number))
            if not found:
                return True
            waiting += [each for each in found if each not in seen]
            seen.update(found)
    return False


def _compares(op: ir.Operation) -> bool:
    """Return whether an op compares numbers by their value, not in a total order of their bits."""
    compare = views.Compare.match(op)
    return compare is not None and compare.compare_type != "TOTALORDER"


def _adds_up(op: ir.Operation, number: int) -> bool:
    """Return whether operand `number` is added to others; the target of a scatter may keep its zeros."""
    is_added = op.name in _REDUCING and (number > 0 or op.name != "stablehlo.scatter")
    return is_added and combining_ops(op.regions[0]) == ["stablehlo.add"]


def _results(op: ir.Operation, number: int) -> Iterator[ir.Value]:
    """Return the values that operand `number` becomes; none if unknown."""
    if op.name == "stablehlo.return":
        yield from _carried(op, number)
    elif op.name == WHILE:
        yield op.results[number]
        for region in op.regions:
            yield region.blocks[0].arguments[number]
    elif op.name == "stablehlo.optimization_barrier":
        yield op.results[number]
    elif op.name in _KEEP or (op.name in _KEEP_FIRST and not number):
        yield op.results[0]


def _carried(end: ir.Operation, number: int) -> Iterator[ir.Value]:
    """Yield the loop values that carry operand `number` of the terminator of a loop body."""
    loop = None if end.parent is None else views.While.match(end.parent.operation)
    if loop is not None and terminator(loop.body) == end:
        yield loop.results[number]
        yield loop.body.arguments[number]
