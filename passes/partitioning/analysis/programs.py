"""Shardings of op results: thousands of ops have few distinct ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from sdy.dialect import builders as sdy_ops
from sdy.dialect.data_flow import data_flow_names
from sdy.dialect.definition.attributes import SHARDING, ShardingPerValueAttr, attr_of, value_of
from sdy.dialect.ops.model import is_contraction
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.mesh import Mesh
from sdy.dialect.values.rule import ShardingPerValue
from sdy.dialect.values.sharding import MeshRef, TensorSharding
from sdy.mlir import address, ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import ModuleSymbols, module_body
from sdy.mlir.pdl import NOTHING, Patterns, PatternText, Signature, calling, few_ops, sample
from sdy.mlir.per_context import PerContext, own_bound
from sdy.mlir.rewriting import terminator
from sdy.mlir.search import has_branches, ops_named
from sdy.mlir.walk import for_each
from sdy.stablehlo import views
from sdy.stablehlo.idioms.loops import WHILE, combining_ops

_MANY = 50
"""Number of ops with other shardings from which compiling patterns anew pays off."""

_MOST = 200
"""Limit of the kinds of results with patterns, because many patterns take long to compile."""

Question = Callable[[ir.Type, TensorSharding], bool]


def all_results(module: ir.Operation, holds: Question) -> bool:
    """Return whether `holds` for the types of all results, given the attribute `sdy.sharding` of each op.

    Types seen before in the context are recognized without a call to Python.
    """
    if not has_branches(module):
        known = _known.of(module.context)
        if not known.others_in(module).all(holds):
            return False
        if known.all(holds):
            return True
    # It does not for one that has been seen before, which need not occur here.
    listed = _Listed()
    for_each(module, listed.note)
    return listed.all(holds)


class _Listed:
    """Attributes `sdy.sharding` with the types of the results of ops that have them."""

    def __init__(self) -> None:
        self.found: dict[tuple[int, ...], tuple[ir.Attribute, tuple[ir.Type, ...]]] = {}
        """By the hashes of the attribute and of the types, which are their addresses."""

    def note(self, op: ir.Operation) -> None:
        attribute = op.attributes.get(SHARDING)
        if attribute is None:
            return
        types = op.results.types
        key = (address(attribute), *map(address, types))
        # In a module that is not verified it may be anything.
        if key not in self.found and isinstance(attribute.maybe_downcast(), ShardingPerValueAttr):
            self.found[key] = attribute, tuple(types)

    def all(self, holds: Question) -> bool:
        return all(_holds(holds, value_of(attribute), types) for attribute, types in self.found.values())


def _holds(holds: Question, shardings: ShardingPerValue, types: Iterable[ir.Type]) -> bool:
    return all(holds(type_, sharding) for type_, sharding in zip(types, shardings.shardings, strict=False))


class _KnownResults:
    """Seen types of a context, as patterns that do not keep the context alive."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[int, ...], tuple[ShardingPerValue, tuple[object, ...]]] = {}
        """Kinds as in `_Listed`, with capsules for types."""
        self._patterns: Patterns | None = None

    def others_in(self, module: ir.Operation) -> _Listed:
        """Return the ops of the module with unseen types, and maybe some others."""
        others = _Listed()
        patterns = self._patterns
        few = few_ops(module, "results") if patterns is None else None
        if few is not None:
            for op in few:
                others.note(op)
            return others
        if patterns is None:
            for op in sample(ops_named(module, "func.func", *data_flow_names())):
                others.note(op)
            patterns = self._learn(others, module.context)
        ops: list[ir.Operation] = []
        patterns.apply(module, {"collect": lambda _rewriter, _results, found: ops.extend(found)})
        for op in ops:
            others.note(op)
        if len(ops) > _MANY:
            self._learn(others, module.context)
        return others

    def all(self, holds: Question) -> bool:
        """Return whether `holds` for all that was seen.

        Not if a mesh of that name lacks an axis, as it may elsewhere.
        """
        try:
            return all(_holds(holds, shardings, _types(capsules)) for shardings, capsules in self._kinds.values())
        except DiagnosticError:
            return False

    def _learn(self, new: _Listed, context: ir.Context) -> Patterns:
        kinds = {
            key: (value_of(attribute), tuple(type_._CAPIPtr for type_ in types))
            for key, (attribute, types) in new.found.items()
        }
        self._kinds = kinds if len(kinds) + len(self._kinds) > _MOST else self._kinds | kinds
        text = PatternText()
        for shardings, capsules in self._kinds.values():
            signature = Signature(
                attributes=((SHARDING, attr_of(shardings, context)),), results=tuple(_types(capsules))
            )
            text.add(signature, 2, NOTHING)
        text.add(Signature(attributes=((SHARDING, None),)), 1, calling("collect"))
        self._patterns = Patterns(context, str(text), ["collect"])
        return self._patterns


def _types(capsules: Iterable[object]) -> Iterator[ir.Type]:
    return (ir.Type._CAPICreate(capsule).maybe_downcast() for capsule in capsules)


_known: PerContext[_KnownResults] = PerContext(_KnownResults, size=own_bound)


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
