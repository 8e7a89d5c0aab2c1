"""Visits the shardings of a module, and writes many of them at once."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence

from sdy.dialect.data_flow import data_flow_names, interface, is_data_flow_op, owning_op
from sdy.dialect.definition import attributes
from sdy.dialect.definition.attributes import SHARDING, attr_of, value_of
from sdy.dialect.shardings.attribute_shardings import arg_shardings, open_like, result_shardings
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.shardings.value_shardings import (
    INHERENT_SHARDINGS,
    get_sharding,
    set_sharding,
    set_shardings,
    shardable_value,
)
from sdy.dialect.values.rule import ShardingPerValue
from sdy.dialect.values.sharding import MeshRef, TensorSharding
from sdy.mlir import address, ir
from sdy.mlir.pdl import NOTHING, Function, Patterns, PatternText, Signature, calling, few_ops
from sdy.mlir.per_context import PerContext, own_bound
from sdy.mlir.search import for_each_with, has_branches, ops_matching, ops_named
from sdy.mlir.walk import pre_order

Transform = Callable[[TensorSharding], TensorSharding]

_FUNCTION = "func.func"
_COMPUTATIONS = frozenset({"sdy.manual_computation", "sdy.named_computation"})


def transform_shardings(root: ir.Operation, transform: Transform) -> None:
    """Replaces every sharding in `root` and the ops below it by the result of `transform`.

    Ops are visited before their contents; per op: arguments before results, in shardings (with their manual axes)
    before out shardings. `transform` is called once per distinct sharding, in the order of first appearance, so it must
    depend on the sharding alone. Axis lists that are not shardings are skipped.
    """
    _Visitor(transform).visit_all(pre_order(root))


def transform_few_shardings(module: ir.Operation, transform: Transform) -> None:
    """Transform all shardings like `transform_shardings`, but in no particular order.

    Much cheaper where few ops have a sharding, as in a program that has not been propagated.
    """
    for_each_with(module, SHARDING, _transform_special(module, transform).visit)


RETURNS = ("func.return", "sdy.return")


def transform_special_shardings(module: ir.Operation, transform: Transform, also: Sequence[str] = ()) -> None:
    """Transform shardings like `transform_few_shardings`, except in `sdy.sharding` of ops that are not called `also`.

    For `RETURNS` those of the owners of returned values are transformed.
    """
    _transform_special(module, transform, also)


def _transform_special(module: ir.Operation, transform: Transform, also: Sequence[str] = ()) -> _Visitor:
    visitor = _Visitor(transform)
    for op in _special_ops(module, *also):
        if op.name in RETURNS:
            visitor.visit_all(value.owner.operation for value in op.operands if isinstance(value, ir.OpResult))
        else:
            visitor.visit(op)
    return visitor


def distinct_shardings(module: ir.Operation) -> list[TensorSharding]:
    """Return the shardings that `transform_few_shardings` would visit, in no particular order."""
    found: dict[TensorSharding, None] = {}

    def note(sharding: TensorSharding) -> TensorSharding:
        found[sharding] = None
        return sharding

    visitor = _Visitor(note)
    for op in _special_ops(module):
        visitor.visit(op)
    stored: set[ir.Attribute] = set()

    def collect(op: ir.Operation) -> None:
        stored.add(op.attributes[SHARDING])

    for_each_with(module, SHARDING, collect)
    found.update((sharding, None) for each in stored for sharding in attributes.value_of(each).shardings)
    return list(found)


def _special_ops(module: ir.Operation, *also: str) -> list[ir.Operation]:
    """The ops that keep shardings elsewhere than most do, and those called `also`."""
    names = (_FUNCTION, *_COMPUTATIONS, *INHERENT_SHARDINGS, *data_flow_names(), *also)
    return ops_named(module, *dict.fromkeys(names))


class _Visitor:
    """Caches the new attribute of each old one, so that equal attributes are transformed once."""

    def __init__(self, transform: Transform) -> None:
        self._transform = transform
        self._one: dict[TensorSharding, TensorSharding] = {}
        self._attributes: dict[int, ir.Attribute] = {}
        """By the address of the old attribute."""
        self._names: dict[str, tuple[str, ...]] = {}

    def visit_all(self, ops: Iterable[ir.Operation]) -> None:
        """Replaces the shardings of ops themselves."""
        new_of: dict[int, ir.Attribute | None] = {}
        """New attributes by address, like `_attributes`; None for those that stay."""
        ordinary: dict[str, bool] = {}
        for op in ops:
            op_name = op.name
            is_ordinary = ordinary.get(op_name)
            if is_ordinary is None:
                is_ordinary = ordinary[op_name] = _attribute_names(op_name) == (SHARDING,)
            if not is_ordinary:
                self.visit(op)
                continue
            # As `visit` does, which takes longer.
            stored = op.attributes
            old = stored.get(SHARDING)
            if old is None:
                continue
            key = address(old)
            if key not in new_of:
                new = self._attributes.get(key) or self._new_attribute(old)
                new_of[key] = None if address(new) == key else new
            new = new_of[key]
            if new is not None:
                stored[SHARDING] = new

    def visit(self, op: ir.Operation) -> None:
        """Replaces the shardings of `op` itself."""
        op_name = op.name
        names = self._names.get(op_name)
        if names is None:
            names = self._names[op_name] = _attribute_names(op_name)
        stored = op.attributes
        for name in names:
            if name in stored:
                old = stored[name]
                new = self._attributes.get(address(old)) or self._new_attribute(old)
                if address(new) != address(old):
                    stored[name] = new
        if not names:
            self._owners(op)

    def _new_attribute(self, old: ir.Attribute) -> ir.Attribute:
        """Transform a sharding, a list of them, or the attributes of all arguments or results."""
        if isinstance(old, ir.ArrayAttr):
            entries = list(old)
            changed = [self._dictionary(entry) for entry in entries]
            unchanged = all(after is before for after, before in zip(changed, entries, strict=True))
            new = old if unchanged else ir.ArrayAttr.get(changed)
        else:
            value = attributes.value_of(old)
            after = self._new_value(value)
            new = old if after == value else attributes.attr_of(after)
        self._attributes[address(old)] = new
        return new

    def _dictionary(self, old: ir.DictAttr) -> ir.Attribute:
        """Return the attributes of one argument or result; `old` itself if nothing changes."""
        if SHARDING not in old:
            return old
        sharding = old[SHARDING]
        after = self._attributes.get(address(sharding)) or self._new_attribute(sharding)
        if address(after) == address(sharding):
            return old
        new = self._attributes.get(address(old))
        if new is None:
            entries = {entry.name: entry.attr for entry in old}
            entries[SHARDING] = after
            new = self._attributes[address(old)] = ir.DictAttr.get(entries)
        return new

    def _new_value(self, value: TensorSharding | ShardingPerValue) -> TensorSharding | ShardingPerValue:
        if isinstance(value, TensorSharding):
            return self._new(value)
        return ShardingPerValue(tuple(map(self._new, value.shardings)))

    def _new(self, sharding: TensorSharding) -> TensorSharding:
        new = self._one.get(sharding)
        if new is None:
            new = self._one[sharding] = self._transform(sharding)
        return new

    def _owners(self, op: ir.Operation) -> None:
        """The owners' shardings of an op with edges, wherever it keeps them."""
        flow = interface(op)
        assert flow is not None
        block_args, results = flow.block_arg_shardings(), flow.result_shardings()
        if block_args is not None and (new := tuple(map(self._new, block_args))) != tuple(block_args):
            flow.set_block_arg_shardings(new)
        if results is not None and (new := tuple(map(self._new, results))) != tuple(results):
            flow.set_result_shardings(new)


def _attribute_names(op_name: str) -> tuple[str, ...]:
    """Return the attributes in which ops of that name keep shardings; none if `interface` handles them."""
    if op_name == _FUNCTION:
        return ("arg_attrs", "res_attrs")
    if op_name in _COMPUTATIONS:
        return ("in_shardings", "out_shardings")
    inherent = INHERENT_SHARDINGS.get(op_name)
    if inherent is not None:
        return (inherent,)
    return () if is_data_flow_op(op_name) else (SHARDING,)


_MANUAL = "sdy.manual_computation"


class ShardingWrites:
    """Reads and gives shardings of values, with lists of shardings written at the end.

    An op keeps the shardings of all its results in one list, and a function those of its arguments: n single changes
    would take n * n steps. The edges must not change while this is open. Shardings of manual computations are written
    at once, since they also constrain the operands.
    """

    def __init__(self) -> None:
        self._pending: dict[ir.Value, dict[ir.Value, TensorSharding]] = {}
        """The entries of each list, by the first value of the list."""
        self._meshes: dict[ir.Value, MeshRef] = {}
        """The mesh on which other entries of a list that is new are open: that of the first entry that was given."""

    def get(self, value: ir.Value) -> TensorSharding | None:
        """The sharding of `value`, None if it has none."""
        holder = shardable_value(value) if self._meshes or self._pending else None
        if holder is not None and (pending := self._pending.get(_first(holder), {}).get(holder)) is not None:
            return pending
        sharding = get_sharding(value)
        if sharding is None and holder is not None and (mesh := self._meshes.get(_first(holder))) is not None:
            return open_like(mesh, holder.type)
        return sharding

    def get_or_open(self, value: ir.Value, mesh: MeshRef) -> TensorSharding:
        """The sharding of `value`, or a fully open one on `mesh`."""
        return self.get(value) or open_like(mesh, value.type)

    def set(self, value: ir.Value, sharding: TensorSharding) -> None:
        """Sets the sharding of `value`; ignored for a value that cannot have one."""
        holder = shardable_value(value)
        op = None if holder is None else owning_op(holder)
        if holder is None or op is None:
            return
        if op.name != _MANUAL and (isinstance(holder, ir.BlockArgument) or len(op.results) > 1):
            self._put(holder, sharding, is_list=op.name != "func.func")
        else:
            set_sharding(holder, sharding)

    def _put(self, holder: ir.Value, sharding: TensorSharding, is_list: bool) -> None:
        first = _first(holder)
        moves = is_list and self._meshes.setdefault(first, sharding.mesh_or_ref) != sharding.mesh_or_ref
        if moves and holder in self._pending.get(first, ()):
            # What made the list may be about to go, but its mesh stays with the other entries.
            set_shardings(self._pending.pop(first))
        self._pending.setdefault(first, {})[holder] = sharding

    def write(self) -> None:
        """Writes all pending changes."""
        for shardings in self._pending.values():
            set_shardings(shardings)
        self._pending.clear()
        self._meshes.clear()


def _first(holder: ir.Value) -> ir.Value:
    """The first of the values whose shardings are kept in one list."""
    return holder.owner.arguments[0] if isinstance(holder, ir.BlockArgument) else holder.owner.operation.results[0]


_FUNC = "func.func"
_OWN = ("sharding", "out_sharding", "in_shardings", "out_shardings")
_WITH_OWN = frozenset({*INHERENT_SHARDINGS, "sdy.named_computation", "sdy.manual_computation"})

_SAMPLE = 1000
"""Number of ops that are looked at one by one, which takes as long as making patterns for the others."""


def shardings_in(root: ir.Operation) -> list[TensorSharding]:
    """The distinct shardings of the arguments, results and ops of a function, or of all functions of a module."""
    survey = Survey()
    if not survey.take_first(root, _SAMPLE):
        for op in ops_matching(root, patterns_of_others(survey.lists()), keep=False):
            survey.note(op)
    return survey.shardings()


def is_plain(sharding: TensorSharding, meshes: MeshTable) -> bool:
    """Return whether it has no unreduced axes and is not on a single device."""
    return not sharding.unreduced and not meshes.is_on_single_device(sharding)


class Survey:
    """The distinct shardings that have been seen.

    A program has few distinct lists. So the lists on the first ops count as known, and others are searched for only
    among ops without them.
    """

    def __init__(self) -> None:
        self._lists: dict[int, ir.Attribute] = {}
        """The attributes `sdy.sharding` by their address."""
        self._found: dict[TensorSharding, None] = {}
        """Shardings that are kept elsewhere."""

    def shardings(self) -> list[TensorSharding]:
        found = dict(self._found)
        for attr in self._lists.values():
            found.update(dict.fromkeys(value_of(attr).shardings))
        return list(found)

    def lists(self) -> Iterable[ir.Attribute]:
        """The attributes `sdy.sharding` of ops."""
        return self._lists.values()

    def take_first(self, root: ir.Operation, limit: int) -> bool:
        """Notes the shardings of the first `limit` ops; whether these are all."""
        left = limit

        def visit(op: ir.Operation) -> ir.WalkResult:
            nonlocal left
            self.note(op)
            left -= 1
            return advance if left else interrupt

        advance, interrupt = ir.WalkResult.ADVANCE, ir.WalkResult.INTERRUPT
        root.walk(visit, ir.WalkOrder.PRE_ORDER)
        return left > 0

    def note_lists(self, attributes: Iterable[ir.Attribute]) -> None:
        """Notes attributes `sdy.sharding` of ops."""
        self._lists.update((address(attr), attr) for attr in attributes)

    def note(self, op: ir.Operation) -> None:
        """Notes the shardings of an op; for a function also those of its arguments and results."""
        name, stored = op.name, op.attributes
        attr = stored.get(SHARDING)
        if attr is not None:
            self._lists[address(attr)] = attr
        if name == _FUNC:
            listed = (*arg_shardings(op), *result_shardings(op))
            self._found.update((sharding, None) for sharding in listed if sharding is not None)
        elif name in _WITH_OWN:
            for own in (stored[each] for each in _OWN if each in stored):
                value = value_of(own)
                self._found.update(dict.fromkeys(value.shardings if isinstance(value, ShardingPerValue) else (value,)))


OTHER, SOUGHT = "collect", "sought"
"""The functions that patterns hand ops to."""


def patterns_of_others(lists: Iterable[ir.Attribute], sought: Container[ir.Attribute] = ()) -> str:
    """Return patterns that find ops which have, or may have, shardings outside of the attribute `sdy.sharding` here.

    They are passed to `OTHER`; ops with one of the `sought` lists are passed to `SOUGHT`.
    """
    text = PatternText()
    for name in sorted({_FUNC, *_WITH_OWN}):
        text.add(Signature(name), 3, calling(OTHER))
    for attr in lists:
        text.add(Signature(attributes=((SHARDING, attr),)), 2, calling(SOUGHT) if attr in sought else NOTHING)
    text.add(Signature(attributes=((SHARDING, None),)), 1, calling(OTHER))
    return str(text)


_FIRST = 300
"""Number of ops that are looked at before patterns are made."""

_MANY = 50
"""Number of ops with other shardings from which compiling patterns anew pays off."""

_MOST = 100
"""Limit of the lists of shardings with patterns, because many patterns take long to compile."""


def occurs(root: ir.Operation, is_wanted: Callable[[TensorSharding], object]) -> bool:
    """Return whether `is_wanted` holds for the sharding of anything in a function or module."""
    if has_branches(root):
        return any(map(is_wanted, shardings_in(root)))
    return _frequent.of(root.context).has(root, is_wanted)


class _Frequent:
    """The shardings that ops of a context often have, in lists as attributes hold them."""

    def __init__(self) -> None:
        self._lists: dict[ShardingPerValue, None] = {}
        self._patterns: dict[tuple[int, ...], Patterns] = {}
        """Since `_lists` changed last, by the numbers of those that are wanted."""

    def has(self, root: ir.Operation, is_wanted: Callable[[TensorSharding], object]) -> bool:
        """Return whether `root`, whose functions have one block each, has a sharding that the patterns find."""
        survey = Survey()
        if not self._lists:
            is_all = survey.take_first(root, _FIRST)
            self._learn(survey)
            if is_all:
                return any(map(is_wanted, survey.shardings()))
        survey.note(root)  # which patterns are not applied to
        wanted = tuple(i for i, each in enumerate(self._lists) if any(map(is_wanted, each.shardings)))
        patterns = self._patterns.get(wanted)
        few = few_ops(root, f"shardings {wanted}") if patterns is None else None
        if few is not None:
            for op in few:
                survey.note(op)
            return any(map(is_wanted, survey.shardings()))
        if patterns is None:
            patterns = self._patterns[wanted] = self._new_patterns(root.context, wanted)
        others, with_wanted = _found(patterns, root)
        for op in others:
            survey.note(op)
        if sum(SHARDING in op.attributes for op in others) > _MANY:
            self._learn(survey)
        return bool(with_wanted) or any(map(is_wanted, survey.shardings()))

    def _learn(self, survey: Survey) -> None:
        """Add the lists that have been seen to the frequent ones.

        Other attributes in place of a list, in an unverified module, are left to the verifier.
        """
        new = {each: None for each in map(value_of, survey.lists()) if isinstance(each, ShardingPerValue)}
        self._lists = new if len(new) + len(self._lists) > _MOST else self._lists | new
        self._patterns = {}

    def _new_patterns(self, context: ir.Context, wanted: Container[int]) -> Patterns:
        attributes = [attr_of(each, context) for each in self._lists]
        sought = {attribute for number, attribute in enumerate(attributes) if number in wanted}
        return Patterns(context, patterns_of_others(attributes, sought), [OTHER, SOUGHT])


def _found(patterns: Patterns, root: ir.Operation) -> tuple[list[ir.Operation], list[ir.Operation]]:
    """Return the ops with rare lists, the ops with shardings elsewhere, and the ops with a wanted list."""
    others: list[ir.Operation] = []
    with_sought: list[ir.Operation] = []
    functions: dict[str, Function] = {
        OTHER: lambda _rewriter, _results, ops: others.extend(ops),
        SOUGHT: lambda _rewriter, _results, ops: with_sought.extend(ops),
    }
    patterns.apply(root, functions)
    return others, with_sought


_frequent: PerContext[_Frequent] = PerContext(_Frequent, size=own_bound)
