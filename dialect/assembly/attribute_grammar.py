"""The grammar of attribute bodies: from text to value objects (spec: dialect, 3).

The value objects print themselves by `str`. Each function reads the stripped form of one attribute.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sdy.dialect.assembly.foreign import Extent, check_kind, either
from sdy.dialect.assembly.reader import AssemblyError, Reader
from sdy.dialect.mpmd.values import (
    MeshesWithOrigins,
    MeshReduction,
    MeshWithOrigins,
    NamedMesh,
    Origin,
    ReductionKind,
    Topology,
    UserOrigin,
)
from sdy.dialect.values import rule as rule_values
from sdy.dialect.values.axes import AxisList, AxisRef, SubAxis
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.dialect.values.rule import DimMapping, ShardingRule, factor_symbol
from sdy.dialect.values.sharding import DimensionSharding, Reduction, TensorSharding
from sdy.lazy_dataclass import dataclass, lazy_pattern

T = TypeVar("T")

_REDUCTIONS = {kind.keyword: kind for kind in Reduction}
_EDGE_NODES = {node.name.lower(): node for node in rule_values.EdgeNode}
_PRIORITY = lazy_pattern(r"p(?:0|[1-9]\d*)$")
_LONGEST = 20
"""More characters than a priority or a factor has, whose number fits into 64 bits."""

_FACTOR = lazy_pattern(r"z_([1-9]\d*)|[i-z]")


def list_of(reader: Reader, opening: str, closing: str, element: Callable[[Reader], T]) -> tuple[T, ...]:
    """``opening [element (, element)*] closing``."""
    reader.expect(opening)
    if reader.accept(closing):
        return ()
    return _elements(reader, closing, element)


def _elements(reader: Reader, closing: str, element: Callable[[Reader], T]) -> tuple[T, ...]:
    """``element (, element)* closing``."""
    elements = [element(reader)]
    while reader.accept(","):
        elements.append(element(reader))
    if not reader.accept(closing):
        raise reader.wrong_token(f"expected ',' or '{closing}'")
    return tuple(elements)


def non_empty(reader: Reader, opening: str, closing: str, element: Callable[[Reader], T], what: str) -> tuple[T, ...]:
    reader.expect(opening)
    is_empty = reader.peek(closing)
    try:
        return _elements(reader, closing, element)
    except AssemblyError as error:
        if is_empty:
            error.message = f"expected at least one {what}"
        raise


# Meshes and axes -----------------------------------------------------------------------------------


def mesh_axis(reader: Reader) -> MeshAxis:
    start = reader.ahead()
    name = reader.string()
    reader.expect("=")
    size = reader.integer()
    if size < 1:
        raise reader.fail(f'axis "{name}" has size {size}, expected at least 1', start)
    return MeshAxis(name, size)


def mesh(reader: Reader) -> Mesh:
    start = reader.ahead()
    reader.expect("<")
    mesh_axes = list_of(reader, "[", "]", either(mesh_axis))
    ids: tuple[int, ...] = ()
    if reader.accept(","):
        if not reader.accept_word("device_ids"):
            raise reader.fail("expected 'device_ids'")
        reader.expect("=")
        ids = non_empty(reader, "[", "]", Reader.integer, "device id")
    reader.expect(">")
    try:
        return Mesh(mesh_axes, ids)
    except ValueError as error:
        raise reader.fail(str(error), start) from None


def sub_axis_info(reader: Reader) -> SubAxis:
    reader.expect("(")
    pre_size = reader.integer()
    reader.expect(")")
    return SubAxis(pre_size, reader.integer())


def axis_ref(reader: Reader) -> AxisRef:
    name = reader.string()
    return AxisRef(name, either(sub_axis_info)(reader) if reader.accept(":") else None)


def axis_ref_list(reader: Reader) -> rule_values.AxisRefList:
    return rule_values.AxisRefList(list_of(reader, "{", "}", either(axis_ref)))


def list_of_axis_ref_lists(reader: Reader) -> rule_values.ListOfAxisRefLists:
    lists = list_of(reader, "[", "]", either(axis_ref_list))
    return rule_values.ListOfAxisRefLists(tuple(each.axes for each in lists))


def manual_axes(reader: Reader) -> rule_values.ManualAxes:
    return rule_values.ManualAxes(list_of(reader, "{", "}", either(Reader.string)))


# Shardings -----------------------------------------------------------------------------------------


def dimension_sharding(reader: Reader) -> DimensionSharding:
    reader.expect("{")
    axis_list: list[AxisRef] = []
    is_closed = True
    if not reader.peek("}"):
        while True:
            if reader.accept("?"):
                is_closed = False
                break
            axis_list.append(axis_ref(reader))
            if not reader.accept(","):
                break
    if not reader.accept("}"):
        raise reader.wrong_token("expected '}' behind '?'" if not is_closed else "expected ',' or '}'")
    return DimensionSharding(tuple(axis_list), is_closed, _priority(reader))


def _priority(reader: Reader) -> int | None:
    word = reader.word()
    if word is None:
        return None
    if not _PRIORITY.match(word):
        raise reader.fail(f"expected a priority such as 'p1', got '{word}'")
    if len(word) > _LONGEST or int(word[1:]) >= 2**63:
        raise reader.fail(f"priority '{word}' does not fit into 64 bits")
    return int(word[1:])


def sharding(reader: Reader) -> TensorSharding:
    reader.expect("<")
    mesh_or_ref = either(mesh)(reader) if reader.accept_word("mesh") else _mesh_name(reader)
    reader.expect(",")
    dims = list_of(reader, "[", "]", either(dimension_sharding))
    groups: dict[str, AxisList] = {}
    reduction = Reduction.SUM
    while reader.accept(","):
        start = reader.ahead()
        name = reader.word()
        if name not in ("replicated", "unreduced"):
            raise reader.fail("expected 'replicated' or 'unreduced'", start)
        if name in groups:
            raise reader.fail(f"'{name}' occurs twice", start)
        if name == "replicated":
            reader.expect("=")
        elif reader.accept("=") and not reader.peek("{"):
            reduction = _reduction(reader)
        groups[name] = non_empty(reader, "{", "}", either(axis_ref), "axis")
    reader.expect(">")
    return TensorSharding(mesh_or_ref, dims, groups.get("replicated", ()), groups.get("unreduced", ()), reduction)


def _mesh_name(reader: Reader) -> str:
    following = reader.text[reader.ahead() : reader.ahead() + 1]
    if following == "#":
        return either(Reader.symbol)(reader)
    if following.isdigit() or following in tuple('"[{!-'):
        # There is an attribute, but another one.
        raise reader.fail("expected 'mesh' or the name of one")
    if following != "@":
        raise reader.wrong_token("expected 'mesh' or the name of one")
    return reader.symbol()


def _reduction(reader: Reader) -> Reduction:
    start = reader.ahead()
    word = reader.word()
    kind = _REDUCTIONS.get(word or "")
    if kind is None:
        raise reader.fail("expected 'sum', 'max' or 'min'", start)
    return kind


def sharding_per_value(reader: Reader) -> rule_values.ShardingPerValue:
    reader.expect("<")
    per_value = stripped_shardings(reader)
    reader.expect(">")
    return per_value


def stripped_shardings(reader: Reader) -> rule_values.ShardingPerValue:
    """``[<...>, <...>]``, as ops write it."""
    return rule_values.ShardingPerValue(list_of(reader, "[", "]", either(sharding)))


# Collectives ---------------------------------------------------------------------------------------


def all_to_all_param(reader: Reader) -> rule_values.AllToAllParam:
    axis_list = non_empty(reader, "{", "}", either(axis_ref), "axis")
    reader.expect(":")
    src = reader.integer()
    reader.expect("->")
    return rule_values.AllToAllParam(axis_list, src, reader.integer())


def all_to_all_param_list(reader: Reader) -> rule_values.AllToAllParamList:
    return rule_values.AllToAllParamList(list_of(reader, "[", "]", either(all_to_all_param)))


# Sharding rules ------------------------------------------------------------------------------------


def _factors(reader: Reader) -> DimMapping:
    """A run of factor symbols; an absent one is an empty mapping."""
    start = reader.ahead()
    word = reader.word() or ""
    factors: list[int] = []
    position = 0
    while position < len(word):
        factor, position = _factor(reader, word, position, start)
        factors.append(factor)
    return tuple(factors)


def _factor(reader: Reader, word: str, position: int, start: int) -> tuple[int, int]:
    """Return the factor at `position` in a word that was read from `start` on, and the end of its symbol."""
    found = _FACTOR.match(word, position)
    if found is None or (word.startswith("z_", position) and found[1] is None) or len(found[0]) > _LONGEST:
        raise reader.fail(f"'{word}' is not a factor symbol", start)
    return 17 + int(found[1]) if found[1] else ord(found[0]) - ord("i"), found.end()


def dim_mapping(reader: Reader) -> rule_values.DimMappingValue:
    return rule_values.DimMappingValue(_factors(reader))


def tensor_mapping(reader: Reader) -> rule_values.TensorMappingValue:
    return rule_values.TensorMappingValue(
        tuple(each.factors for each in list_of(reader, "[", "]", either(dim_mapping)))
    )


def op_sharding_rule(reader: Reader) -> ShardingRule:
    reader.expect("<")
    operands = non_empty(reader, "(", ")", either(tensor_mapping), "operand mapping")
    reader.expect("->")
    results = non_empty(reader, "(", ")", either(tensor_mapping), "result mapping")
    sizes: list[int] = []
    if reader.peek("{"):
        list_of(reader, "{", "}", lambda r: sizes.append(_factor_size(r, len(sizes))))
    groups = [_group(reader, name) for name in ("reduction", "need_replication", "permutation", "blocked_propagation")]
    is_custom = reader.accept(",")
    if is_custom and not reader.accept_word("custom"):
        raise reader.fail("expected 'custom'")
    reader.expect(">")
    mappings = tuple(each.dims for each in operands), tuple(each.dims for each in results)
    return ShardingRule(tuple(sizes), *mappings, *groups, is_custom=is_custom)


def _factor_size(reader: Reader, index: int) -> int:
    start = reader.ahead()
    if _factors(reader) != (index,):
        raise reader.fail(f"expected the size of factor '{factor_symbol(index)}'", start)
    reader.expect("=")
    return reader.integer()


def _group(reader: Reader, name: str) -> tuple[int, ...]:
    if not reader.accept_word(name):
        return ()
    reader.expect("=")
    return list_of(reader, "{", "}", _group_factor)


def _group_factor(reader: Reader) -> int:
    """Parse one factor; like the reference, ignore characters behind the first symbol of a word."""
    start = reader.ahead()
    word = reader.word()
    if word is None:
        raise reader.fail("expected a factor symbol", start)
    return _factor(reader, word, 0, start)[0]


# Propagation edges ---------------------------------------------------------------------------------


def edge_value_ref(reader: Reader) -> rule_values.EdgeValueRef:
    start = reader.ahead()
    node = _EDGE_NODES.get(reader.word() or "")
    if node is None:
        raise reader.fail("expected 'operand-N' or 'result-N'", start)
    reader.expect("-")
    return rule_values.EdgeValueRef(node, reader.integer())


def axis_to_propagation_details(reader: Reader) -> rule_values.AxisToPropagationDetails:
    reader.expect("{")
    axis = either(axis_ref)(reader)
    reader.expect("=")
    source = either(edge_value_ref)(reader)
    reader.expect("->")
    targets = non_empty(reader, "[", "]", either(edge_value_ref), "target")
    reader.expect("}")
    return rule_values.AxisToPropagationDetails(axis, source, targets)


def propagation_one_step(reader: Reader) -> rule_values.PropagationOneStep:
    reader.expect("{")
    if not reader.accept_word("step"):
        raise reader.fail("expected 'step-N'")
    reader.expect("-")
    step = reader.integer()
    reader.expect("=")
    entries = non_empty(reader, "[", "]", either(axis_to_propagation_details), "axis entry")
    reader.expect("}")
    return rule_values.PropagationOneStep(step, entries)


def propagation_edges(reader: Reader) -> rule_values.PropagationEdges:
    start = reader.ahead()
    reader.expect("<")
    steps = non_empty(reader, "[", "]", either(propagation_one_step), "step")
    reader.expect(">")
    problem = _edges_problem(steps)
    if problem:
        raise reader.fail(problem, start)
    return rule_values.PropagationEdges(steps)


def _edges_problem(steps: tuple[rule_values.PropagationOneStep, ...]) -> str | None:
    indices = [step.step_index for step in steps]
    if min(indices) < 0:
        return f"step index {min(indices)} is negative"
    if len(set(indices)) != len(indices):
        return "a step index occurs twice"
    for step in steps:
        for entry in step.axis_entries:
            if entry.source in entry.targets:
                return f"{entry.source} is both source and target of axis {entry.axis}"
            if len(set(entry.targets)) != len(entry.targets):
                return f"a target of axis {entry.axis} occurs twice"
    return None


GRAMMAR: dict[str, Callable[[Reader], Any]] = {
    function.__name__: function
    for function in (
        mesh_axis,
        mesh,
        sub_axis_info,
        axis_ref,
        dimension_sharding,
        sharding,
        sharding_per_value,
        dim_mapping,
        tensor_mapping,
        op_sharding_rule,
        manual_axes,
        axis_ref_list,
        list_of_axis_ref_lists,
        all_to_all_param,
        all_to_all_param_list,
        edge_value_ref,
        axis_to_propagation_details,
        propagation_one_step,
        propagation_edges,
    )
}
"""Reads the stripped form of an attribute, by mnemonic."""


def read_rule(text: str) -> ShardingRule:
    """A sharding rule from its stripped text.

    Raises:
      ValueError: the text is not a rule.
    """
    reader = Reader(text)
    try:
        rule = op_sharding_rule(reader)
        if reader.skip() != len(text):
            raise reader.fail("unexpected text behind the rule")
    except AssemblyError as error:
        raise ValueError(f"{error.message} at offset {error.offset} of {text!r}") from None
    return rule


_MESH_REDUCTIONS = {kind.keyword: kind for kind in ReductionKind}


def named_mesh(reader: Reader) -> NamedMesh:
    reader.expect("<")
    name = reader.string()
    reader.expect(":")
    found = NamedMesh(name, either(mesh)(reader))
    reader.expect(">")
    return found


def topology(reader: Reader) -> Topology:
    start = reader.ahead()
    meshes = non_empty(reader, "<", ">", either(named_mesh), "mesh")
    names = [each.name for each in meshes]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise reader.fail(f"mesh '{twice}' occurs twice in the topology", start)
    return Topology(meshes)


def stripped_origin(reader: Reader) -> UserOrigin:
    """``"f"(1)``, as ops write it."""
    name, count = reader.string(), 0
    if reader.accept("("):
        count = reader.integer()
        reader.expect(")")
    return UserOrigin(name, count)


def user_origin(reader: Reader) -> UserOrigin:
    reader.expect("<")
    found = stripped_origin(reader)
    reader.expect(">")
    return found


def origin_list(reader: Reader) -> tuple[UserOrigin, ...]:
    """``["f", "g"(1)]``, as fragments write it."""
    return list_of(reader, "[", "]", _origin_or_whole)


def _origin_or_whole(reader: Reader) -> UserOrigin:
    return either(user_origin)(reader) if reader.peek("#") else stripped_origin(reader)


def origin(reader: Reader) -> Origin:
    return Origin(reader.string())


def mesh_with_origins(reader: Reader) -> MeshWithOrigins:
    name = reader.string()
    return MeshWithOrigins(name, non_empty(reader, "[", "]", either(origin), "origin") if reader.peek("[") else ())


def meshes_with_origins(reader: Reader) -> MeshesWithOrigins:
    return MeshesWithOrigins(list_of(reader, "<", ">", either(mesh_with_origins)))


def reduction(reader: Reader) -> MeshReduction:
    reader.expect("<")
    start = reader.ahead()
    kind = _MESH_REDUCTIONS.get(reader.word() or "")
    if kind is None:
        raise reader.fail(f"expected one of {', '.join(_MESH_REDUCTIONS)}", start)
    reader.expect(">")
    return MeshReduction(kind)


@dataclass(frozen=True, slots=True)
class WrittenMeshTensor:
    """A mesh tensor's type as it is written: where the tensor type in it stands, and what follows."""

    tensor: Extent
    sharding: TensorSharding | None
    memory_kind: str | None
    is_irdl: bool
    """True if it has the parameters that IRDL gives it, and nothing is to be done."""


def mesh_tensor(reader: Reader) -> WrittenMeshTensor:
    reader.expect("<")
    reader.string()
    reader.expect(",")
    tensor = reader.type()
    check_kind(reader.text, tensor, "ranked")
    found_sharding, memory_kind = None, None
    has_more = reader.accept(",")
    if has_more and (reader.peek_word() == "unit" or reader.peek("#sdy.sharding")):
        return WrittenMeshTensor(tensor, None, None, is_irdl=True)
    if has_more and reader.accept_word("sharding"):
        reader.expect("=")
        found_sharding = either(sharding)(reader)
        has_more = reader.accept(",")
    if has_more:
        if not reader.accept_word("memory_kind"):
            raise reader.fail("expected 'memory_kind'" if found_sharding else "expected 'sharding' or 'memory_kind'")
        reader.expect("=")
        memory_kind = reader.string()
    reader.expect(">")
    return WrittenMeshTensor(tensor, found_sharding, memory_kind, is_irdl=False)


GRAMMAR.update(
    {
        function.__name__: function
        for function in (
            named_mesh,
            topology,
            user_origin,
            origin,
            mesh_with_origins,
            meshes_with_origins,
            reduction,
        )
    }
)
