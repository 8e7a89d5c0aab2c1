"""Passes that order and merge fragments by rules of users (spec: mpmd, 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sdy.dialect.definition.attributes import attr_of
from sdy.dialect.mpmd.values import UserOrigin
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError, warning
from sdy.mlir.rewriting import remade
from sdy.mlir.tensor_types import i64_attr, ui32_attr
from sdy.passes.mpmd.common.fragment_editing import replace_results
from sdy.passes.mpmd.common.fragments import (
    CALL_COUNTER,
    FRAGMENT,
    SPLIT_DROP,
    SPLIT_KEEP,
    STAGE,
    FragmentInfo,
    SplitFragmentType,
    fragments_in,
    info_of,
    is_mpmd_function,
    is_user_fragment,
    mesh_name_of,
)
from sdy.passes.mpmd.common.merging import CONTROL_START, data_operands, merge
from sdy.passes.mpmd.common.order import Dependencies
from sdy.passes.mpmd.common.rules import (
    FragmentMergeRule,
    read_merge_rules,
    read_schedule_rules,
)
from sdy.passes.options import option
from sdy.passes.registry import pass_
from sdy.passes.steps import FUNCTION

_REMOVE = (True, "remove the operands that only order execution")


@dataclass(frozen=True)
class ScheduleOptions:
    """Options under upstream's names."""

    rules: str = option("", "FragmentScheduleRule(ordered_fragments=[A->B]), several separated by commas")
    remove_control_dependencies: bool = option(*_REMOVE)

    def __post_init__(self) -> None:
        """Raises `ValueError` for text that does not parse as rules."""
        read_schedule_rules(self.rules)


@pass_("mpmd-rule-based-schedule", on=FUNCTION, options=ScheduleOptions)
def rule_based_schedule(func: ir.Operation, options: ScheduleOptions) -> None:
    """mpmd-rule-based-schedule: Order fragments of a mesh by rules.

        %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) ...
        %2 = mpmd.fragment<mesh="m1", origin=["g"]> (%0) ...
    ==> %2 = mpmd.fragment<mesh="m1", origin=["g"]> (%0) ...  // with rules of g -> f
        %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) ...

    Spec: mpmd, 5.
    """
    rules = read_schedule_rules(options.rules)
    if not is_mpmd_function(func) or not rules:
        return
    order = Dependencies(func)
    numbers = _numbers_by_info(func, order)
    added = [edge for rule in rules for edge in _add_rule(func, rule.ordered_fragments, order, numbers)]
    if not order.sort():
        warning(func, "has rules of schedules that contradict one another")
    if not options.remove_control_dependencies:
        _add_control_operands([(order.ops[first], order.ops[second]) for first, second in added])


def _numbers_by_info(func: ir.Operation, order: Dependencies) -> dict[FragmentInfo, int]:
    """The numbers of the user fragments by their identity."""
    numbers: dict[FragmentInfo, int] = {}
    for number, op in enumerate(order.ops):
        if op.name != FRAGMENT or not is_user_fragment(op):
            continue
        info = info_of(op)
        if info in numbers:
            other = order.ops[numbers[info]]
            raise DiagnosticError(op, f"is a second fragment with {info}", [(other, "here is the first")])
        numbers[info] = number
    return numbers


def _add_rule(
    func: ir.Operation, rule: Sequence[FragmentInfo], order: Dependencies, numbers: Mapping[FragmentInfo, int]
) -> list[tuple[int, int]]:
    """Add the dependencies of a rule; return those that are new."""
    added = []
    last: int | None = None
    for info in rule:
        number = numbers.get(info)
        if number is None:
            warning(func, f"has no fragment with {info}, which a rule of the schedule names")
            continue
        if last is not None and _is_added(func, order, last, number):
            added.append((last, number))
        last = number
    return added


def _is_added(func: ir.Operation, order: Dependencies, first: int, second: int) -> bool:
    ops = order.ops[first], order.ops[second]
    if mesh_name_of(ops[0]) != mesh_name_of(ops[1]):
        warning(func, f"has a rule of the schedule across meshes: {info_of(ops[0])} -> {info_of(ops[1])}")
        return False
    if order.is_before(second, first):
        path = [order.ops[number] for number in order.path(second, first)]
        shown = " -> ".join(str(info_of(each)) for each in path if each.name == FRAGMENT)
        rule = f"{info_of(ops[0])} -> {info_of(ops[1])}"
        warning(func, f"has a rule of the schedule against data flow: {rule}; values go {shown}")
        return False
    if order.is_before(first, second):
        return False
    order.add(first, second)
    return True


def _add_control_operands(edges: Sequence[tuple[ir.Operation, ir.Operation]]) -> None:
    """Give fragments the first results of their predecessors, behind their own operands."""
    fragments = list(dict.fromkeys(id(op) for edge in edges for op in edge))
    ops = {id(op): op for edge in edges for op in edge}
    places = {key: place for place, key in enumerate(fragments)}
    before: dict[int, list[int]] = {}
    for first, second in edges:
        before.setdefault(places[id(second)], []).append(places[id(first)])
    current = [ops[key] for key in fragments]
    for place, sources in before.items():
        old = current[place]
        values = [current[source].results[0] for source in sources if len(current[source].results)]
        if not values:
            continue
        operands = [*old.operands, *values]
        new = remade(old, operands, [result.type for result in old.results], with_blocks=True)
        if CONTROL_START not in new.attributes:
            new.attributes[CONTROL_START] = i64_attr(len(old.operands))
        replace_results(old, new)
        current[place] = new


def remove_control_operands(func: ir.Operation) -> None:
    """Drop the operands of fragments that only order execution."""
    for op in fragments_in(func):
        if CONTROL_START in op.attributes:
            new = remade(op, data_operands(op), [result.type for result in op.results], with_blocks=True)
            del new.attributes[CONTROL_START]
            replace_results(op, new)


@dataclass(frozen=True)
class MergeOptions:
    """Options under upstream's names."""

    rules: str = option("", "FragmentMergeRule(sources=[A,B],target=T), several separated by commas")
    remove_control_dependencies: bool = option(*_REMOVE)

    def __post_init__(self) -> None:
        """Raises `ValueError` for text that does not parse as rules."""
        read_merge_rules(self.rules)


@pass_("mpmd-rule-based-merge", on=FUNCTION, options=MergeOptions)
def rule_based_merge(func: ir.Operation, options: MergeOptions) -> None:
    """mpmd-rule-based-merge: Merge fragments of a mesh by rules.

        %1 = mpmd.fragment<mesh="m1", origin=["f"]> (%0) ...
        %2 = mpmd.fragment<mesh="m1", origin=["g"]> (%0) ...
    ==> %1:2 = mpmd.fragment<mesh="m1", origin=["h"]> (%0) ...  // with rules of f, g to h

    Spec: mpmd, 5.
    """
    rules = read_merge_rules(options.rules)
    if not is_mpmd_function(func):
        return
    if rules:
        _merge_all(func, rules)
    if not Dependencies(func).sort():
        raise DiagnosticError(func, "has fragments that depend on one another in a circle once they are merged")
    if options.remove_control_dependencies:
        remove_control_operands(func)


def _merge_all(func: ir.Operation, rules: Sequence[FragmentMergeRule]) -> None:
    rule_of: dict[FragmentInfo, FragmentMergeRule] = {}
    for rule in rules:
        for source in rule.sources:
            if rule_of.setdefault(source, rule) is not rule:
                raise DiagnosticError(func, f"has two rules that merge {source}")
    order = Dependencies(func)
    groups: dict[tuple[str, int], list[int]] = {}
    for number, op in enumerate(order.ops):
        if op.name == FRAGMENT and is_user_fragment(op):
            rule = rule_of.get(info_of(op))
            if rule is not None:
                groups.setdefault((mesh_name_of(op), rules.index(rule)), []).append(number)
    for (_, index), numbers in groups.items():
        if len(numbers) > 1:
            _merge_group(rules[index], [order.ops[number] for number in _sorted(order, numbers)])


def _sorted(order: Dependencies, numbers: Sequence[int]) -> list[int]:
    """Return the numbers in an order in which each follows its dependencies."""
    left, found = list(numbers), list[int]()
    while left:
        ready = next((each for each in left if not any(order.is_before(other, each) for other in left)), left[0])
        left.remove(ready)
        found.append(ready)
    return found


def _merge_group(rule: FragmentMergeRule, ops: Sequence[ir.Operation]) -> None:
    """Merge fragments in order, at the position of the first, and give the result the identity of the rule."""
    merged = ops[0]
    for op in ops[1:]:
        merged = merge(merged, op, merged)
    target, stored = rule.target, merged.attributes
    stored["origin"] = ir.ArrayAttr.get(
        [attr_of(UserOrigin(each.computation_name, each.transpose_count)) for each in target.origins]
    )
    wanted = {
        STAGE: None if target.stage_id is None else i64_attr(target.stage_id),
        CALL_COUNTER: None if target.call_counter is None else ui32_attr(target.call_counter),
        SPLIT_KEEP: ir.UnitAttr.get() if target.split_type is SplitFragmentType.KEEP_TRANSFERRED else None,
        SPLIT_DROP: ir.UnitAttr.get() if target.split_type is SplitFragmentType.DROP_TRANSFERRED else None,
    }
    for name, attr in wanted.items():
        if attr is not None:
            stored[name] = attr
        elif name in stored:
            del stored[name]
