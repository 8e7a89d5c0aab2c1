"""A program as variables, one for each op that has a choice, and edges from what makes a value to what uses it.

Arguments are variables, too, and what loops carry is one, whose states are layouts. A result that takes the buffer of
an argument has to come back in its layout. Constants, and what is computed of them alone, are made where they are
needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sdy.dialect.definition import attributes
from sdy.dialect.op_properties import is_constant, is_elementwise_name, is_terminator
from sdy.dialect.rules.extension_rules import extension_rule
from sdy.dialect.rules.registry import reduction_of, rule_of
from sdy.dialect.shardings.attribute_shardings import arg_shardings, op_shardings, result_shardings
from sdy.dialect.shardings.meshes import mesh_of
from sdy.dialect.shardings.value_shardings import get_sharding
from sdy.dialect.values.rule import ShardingRule
from sdy.dialect.values.sharding import TensorSharding
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.tensor_bytes import bits
from sdy.passes.auto.search.exchanges import NOT_OF_OP, exchanged_factors, text_of_op
from sdy.passes.auto.search.strategies import FREE, OpWork, Profile, TensorSize
from sdy.passes.costs.durations import is_free
from sdy.passes.costs.fused_durations import PARTS, UPDATES
from sdy.passes.costs.fusion import Fusion, renames
from sdy.passes.costs.live_memory import aliases
from sdy.passes.costs.products import product_operations
from sdy.passes.exporting.explicit_reshards.reduction_kind import reduction_kind
from sdy.passes.partitioning.facts.convolution_factors import without_trivial_windows
from sdy.passes.propagation.engine.snapshot import Snapshot
from sdy.passes.propagation.engine.type_info import TypeInfo
from sdy.stablehlo.idioms.trip_count import trip_count

UNKNOWN_ROUNDS = 10
"""How often a loop is taken to run of which that is not known."""

NOWHERE = -1
"""The place of an operand that is none: of a copy which several ops share, of a result that is as the user says."""

GIVEN = ("sdy.sharding_constraint", "sdy.reshard")
"""Ops whose result is their operand as the user wants it."""

GROUP = "sdy.sharding_group"
"""The op that says that its operand is sharded like others."""

_WITH_BODY = ("stablehlo.reduce", "stablehlo.scatter")
_NAMES = ("sdy.data_flow_edge", "sdy.propagation_barrier")
_MANUAL = "sdy.manual_computation"
_CALL = "stablehlo.custom_call"
_SHAPES = frozenset(f"stablehlo.{name}" for name in "broadcast_in_dim convert iota reshape transpose".split())


@dataclass(slots=True)
class Variable:
    """What has a choice: an op, or a tensor that nothing is computed of.

    `given` is a sharding that the user has asked for, whose open dimensions may get further axes. `times` is how often
    it runs. `op` is the number of the op in the snapshot, None for arguments.
    """

    profile: Profile
    times: int = 1
    given: TensorSharding | None = None
    op: int | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Use:
    """An edge: result number `result` of variable `source` is operand number `operand` of variable `target`.

    `tensor` says what moves if the layouts differ, and whether it is in memory if they do not; `times` how often it
    moves. `op` and `place` are the operand in the program, `last` is the op behind which a copy is not needed any more.
    What `is_tied` has to be laid out alike. The part `hidden` of the time in which the tensor is sent costs nothing.
    It is `of_sum` if the source is a copy of what may be added up.
    """

    source: int
    result: int
    target: int
    operand: int
    tensor: TensorSize
    times: int
    op: int
    place: int
    last: int
    is_tied: bool = False
    hidden: float = 0.0
    of_sum: bool = False


@dataclass(slots=True)
class ProgramGraph:
    """Variables and uses of one program; `values` are the variables, with the number of the result, by value.

    `arguments` are the variables of the arguments of the main function; `taken` says which result takes the buffer of
    which argument, and so is laid out like it; `asked` are the variables of the results of which the user says how they
    are sharded; `copies` are the variables of values that several ops use, which may be
    moved once for all of them, with the variable and result that they are copies of. `without_rule` names the ops that
    have no rule and so need everything everywhere, `manual` the manual computations, with how often they run.
    """

    snapshot: Snapshot
    variables: list[Variable] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    values: dict[int, tuple[int, int]] = field(default_factory=dict)
    arguments: list[int] = field(default_factory=list)
    taken: dict[int, int] = field(default_factory=dict)
    asked: dict[int, int] = field(default_factory=dict)
    copies: dict[int, tuple[int, int]] = field(default_factory=dict)
    without_rule: list[int] = field(default_factory=list)
    manual: list[tuple[int, int]] = field(default_factory=list)
    is_exact: bool = True


def read_program(module: ir.Operation) -> ProgramGraph:
    """The graph of the main function of a module without calls.

    Raises `DiagnosticError` at what cannot be partitioned automatically: dynamic shapes, calls, values with unreduced
    axes.
    """
    reader = _Reader(Snapshot(module))
    reader.read()
    return reader.graph


class _Reader:
    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.graph = ProgramGraph(snapshot)
        self._profiles: dict[Any, Profile] = {}
        self._tensors: dict[Any, TensorSize] = {}
        self._texts: dict[tuple[str, tuple[TypeInfo, ...], tuple[tuple[str, str], ...]], str] = {}
        self._free: set[int] = set()
        self._fusion = Fusion()
        self._seen: set[tuple[int, int, int, Any]] = set()
        self._groups: dict[int, list[tuple[int, int]]] = {}

    def read(self) -> None:
        snapshot, graph = self.snapshot, self.graph
        main = snapshot.main_function
        function = snapshot.ops[main]
        given = arg_shardings(function)
        for place, value in enumerate(snapshot.entry_arguments(main)):
            variable = self._tensor_variable(value, given[place], 1, None)
            graph.arguments.append(variable)
        self._read_ops(snapshot.regions[main][0], 1)
        self._read_results(main, function)
        self._share_copies()
        self._tie_groups()

    def _share_copies(self) -> None:
        """Lets uses that run equally often share one copy: a variable between the value and them."""
        graph = self.graph
        groups: dict[tuple[int, int, int], list[int]] = {}
        for number, use in enumerate(graph.uses):
            if use.times:
                groups.setdefault((use.source, use.result, use.times), []).append(number)
        for (source, result, times), numbers in groups.items():
            if len({graph.uses[number].target for number in numbers}) < 2:
                continue
            first = graph.uses[numbers[0]]
            profile = self._identity_of(replace(first.tensor, is_in_memory=True))
            copy = self._add(Variable(profile, times, None, first.op))
            graph.copies[copy] = (source, result)
            last = max(graph.uses[number].op for number in numbers)
            of_sum = graph.variables[source].profile.can_reduce
            for number in numbers:
                graph.uses[number] = replace(graph.uses[number], source=copy, result=0, of_sum=of_sum)
            graph.uses.append(Use(source, result, copy, 0, first.tensor, times, first.op, NOWHERE, last))

    def _tie_groups(self) -> None:
        """What is to be sharded alike is, as far as the user has not said otherwise of single values."""
        for members in self._groups.values():
            tensor = self._tensor(members[0][0])
            said = [(value, op, get_sharding(self.snapshot.value(value))) for value, op in members]
            given = next((sharding for _, _, sharding in said if sharding is not None), None)
            group = self._add(Variable(self._identity_of(tensor), 1, given, members[0][1]))
            for value, op, sharding in said:
                if value in self.graph.values and sharding in (None, given) and self._tensor(value) == tensor:
                    place = self.graph.values[value]
                    self.graph.uses.append(Use(*place, group, 0, tensor, 1, op, NOWHERE, op, is_tied=True))

    def _read_results(self, main: int, function: ir.Operation) -> None:
        """Results take buffers of arguments, or are as the user asked, or stay as they are."""
        given, taken = result_shardings(function), aliases(function)
        terminator = self.snapshot.regions[main][0][-1]
        for place, value in enumerate(self.snapshot.returned(main)):
            asked = given[place] if place < len(given) else None
            if place in taken and (asked is None or asked.is_fully_open):
                self._use(value, self.graph.arguments[taken[place]], 0, 1, terminator, place)
                self.graph.taken[place] = taken[place]
            elif asked is not None:
                self.graph.asked[place] = self._constrain(value, asked, 1, terminator, place)

    # Ops -----------------------------------------------------------------------------------------

    def _read_ops(self, members: Sequence[int], times: int) -> None:
        snapshot = self.snapshot
        for op in members:
            name = snapshot.names[op]
            if name == _MANUAL:
                self._read_manual(op, times)
            elif name in snapshot.data_flow_names:
                self._read_data_flow(op, times)
            elif name == "func.call":
                raise DiagnosticError(
                    snapshot.ops[op], "is not inlined, and what it calls cannot be partitioned with it"
                )
            elif name in _NAMES:
                self._read_name(op)
            elif name in GIVEN:
                self._read_given(op, times)
            elif name == GROUP:
                number = ir.IntegerAttr(snapshot.ops[op].attributes["group_id"]).value
                self._groups.setdefault(number, []).append((snapshot.operands[op][0], op))
            elif not is_terminator(snapshot.ops[op]):
                self._read_op(op, name, times)

    def _read_op(self, op: int, name: str, times: int) -> None:
        snapshot = self.snapshot
        view, operands = snapshot.ops[op], snapshot.operands[op]
        if not len(snapshot.results[op]):
            self._read_effect(op, operands, times)
            return
        is_made_anywhere = name in _SHAPES or is_elementwise_name(name)
        if is_constant(view) or (is_made_anywhere and all(value in self._free for value in operands)):
            self._free.update(snapshot.results[op])
            return
        if not any(snapshot.num_uses[value] for value in snapshot.results[op]):
            self._free.update(snapshot.results[op])
            return
        profile = self._profile(op, view)
        variable = self._add(Variable(profile, times, None, op))
        for place, value in enumerate(operands):
            self._use(value, variable, place, times, op, place)
        for place, value in enumerate(snapshot.results[op]):
            self.graph.values[value] = (variable, place)
        self._keep_given(op, view, times)

    def _read_effect(self, op: int, operands: Sequence[int], times: int) -> None:
        """What has no results needs its operands everywhere."""
        for place, value in enumerate(operands):
            if value in self.graph.values and self._tensor(value).shape:
                fixed = self._add(Variable(self._replicated([value], []), times, None, op))
                self._use(value, fixed, 0, times, op, place)

    def _keep_given(self, op: int, view: ir.Operation, times: int) -> None:
        """What the user says of results stands behind the op, which may do as it likes."""
        shardings = op_shardings(view)
        for place, sharding in enumerate(shardings or ()):
            value = self.snapshot.results[op][place]
            if view.name == _CALL and self._is_on_one_device(sharding, op):
                continue  # a callback: it runs on one device, and all get what it returns
            if not sharding.is_fully_open and self._tensor(value).shape:
                self.graph.values[value] = (self._constrain(value, sharding, times, op, NOWHERE), 0)

    def _constrain(self, value: int, sharding: TensorSharding, times: int, op: int, place: int) -> int:
        variable = self._add(Variable(self._identity(value), times, self._checked(sharding, op), op))
        self._use(value, variable, 0, times, op, place)
        return variable

    def _read_given(self, op: int, times: int) -> None:
        result, operand = self.snapshot.results[op][0], self.snapshot.operands[op][0]
        sharding = get_sharding(self.snapshot.ops[op].results[0])
        assert sharding is not None, "the op holds one"
        variable = self._add(Variable(self._identity(result), times, self._checked(sharding, op), op))
        self._use(operand, variable, 0, times, op, 0)
        self.graph.values[result] = (variable, 0)

    def _read_name(self, op: int) -> None:
        """What propagation has put there: the result is the operand."""
        result, operand = self.snapshot.results[op][0], self.snapshot.operands[op][0]
        if operand in self.graph.values:
            self.graph.values[result] = self.graph.values[operand]
        else:
            self._free.add(result)

    def _checked(self, sharding: TensorSharding, op: int | None) -> TensorSharding:
        at = self.snapshot.ops[self.snapshot.main_function if op is None else op]
        if sharding.unreduced:
            raise DiagnosticError(at, "has a sharding with unreduced axes, which automatic partitioning does not take")
        if self._is_on_one_device(sharding, op):
            raise DiagnosticError(at, "is on a single device, which automatic partitioning does not take")
        return sharding

    def _is_on_one_device(self, sharding: TensorSharding, op: int | None) -> bool:
        at = self.snapshot.ops[self.snapshot.main_function if op is None else op]
        mesh = mesh_of(sharding.mesh_or_ref, at)
        return mesh is not None and mesh.is_maximal

    # Regions -------------------------------------------------------------------------------------

    def _read_data_flow(self, op: int, times: int) -> None:
        """Loops, branches and barriers: each tensor that flows is one variable."""
        snapshot = self.snapshot
        info, view = snapshot.data_flow_ops[op], snapshot.ops[op]
        inner = self._rounds(snapshot.names[op], view) * times
        variables = {}
        for owner in info.owners:
            given = get_sharding(snapshot.value(owner))
            variable = self._tensor_variable(owner, given, inner if snapshot.definers[owner] < 0 else times, op)
            variables[owner] = variable
        for target, owner in info.owner_of.items():
            self.graph.values[target] = (variables[owner], 0)
        for members in snapshot.regions.get(op, ()):
            self._read_ops(members, inner)
        for owner, variable in variables.items():
            for user, place in info.sources[owner]:
                value = snapshot.operands[user][place]
                self._use(value, variable, 0, times if user == op else inner, user, place)

    def _rounds(self, name: str, view: ir.Operation) -> int:
        if name != "stablehlo.while":
            return 1
        rounds = trip_count(view)
        self.graph.is_exact &= rounds is not None
        return UNKNOWN_ROUNDS if rounds is None else rounds

    def _read_manual(self, op: int, times: int) -> None:
        """A manual computation is as the user wrote it; what goes in and comes out has to be so, too."""
        snapshot, view = self.snapshot, self.snapshot.ops[op]
        self.graph.manual.append((op, times))
        for place, (value, sharding) in enumerate(
            zip(snapshot.operands[op], attributes.get(view, "in_shardings").shardings, strict=True)
        ):
            self._constrain(value, sharding, times, op, place)
        for value, sharding in zip(snapshot.results[op], attributes.get(view, "out_shardings").shardings, strict=True):
            self._tensor_variable(value, sharding, times, op)

    # Variables and uses --------------------------------------------------------------------------

    def _add(self, variable: Variable) -> int:
        self.graph.variables.append(variable)
        return len(self.graph.variables) - 1

    def _tensor_variable(self, value: int, given: TensorSharding | None, times: int, op: int | None) -> int:
        if given is not None:
            given = self._checked(given, op)
        number = self._add(Variable(self._identity(value), times, given, op))
        self.graph.values[value] = (number, 0)
        return number

    def _use(self, value: int, target: int, operand: int, times: int, op: int, place: int) -> None:
        """What is needed twice in the same way by one variable is moved once."""
        if value not in self.graph.values:
            return
        source, result = self.graph.values[value]
        tensor = self._operand(value)
        if not tensor.shape or source == target:
            return
        mapping = self.graph.variables[target].profile.rule.operands[operand]
        key = (source, result, target, mapping)
        repeated = key in self._seen
        self._seen.add(key)
        self.graph.uses.append(Use(source, result, target, operand, tensor, 0 if repeated else times, op, place, op))

    # Profiles ------------------------------------------------------------------------------------

    def _profile(self, op: int, view: ir.Operation) -> Profile:
        snapshot = self.snapshot
        operands = tuple(self._operand(value) for value in snapshot.operands[op])
        results = tuple(map(self._tensor, snapshot.results[op]))
        rule = rule_of(view) or extension_rule(view)
        if rule is None:
            self.graph.without_rule.append(op)
            rule = _everywhere(operands, results)
        rule = without_trivial_windows(view, rule)
        exchanged = exchanged_factors(view, rule)
        text = self._text(op, view) if exchanged else ""
        profile = Profile(rule, operands, results, self._work(view), self._can_reduce(view, rule), exchanged, text)
        return self._profiles.setdefault(profile, profile)

    def _text(self, op: int, view: ir.Operation) -> str:
        """The op by itself, written once for all that are alike; those with regions are not compared."""
        if len(view.regions):
            return text_of_op(view)
        types = tuple(self.snapshot.types[value] for value in (*self.snapshot.operands[op], *self.snapshot.results[op]))
        said = tuple((name, str(one)) for name, one in view.attributes.items() if name not in NOT_OF_OP)
        key = (view.name, types, said)
        if key not in self._texts:
            self._texts[key] = text_of_op(view)
        return self._texts[key]

    def _can_reduce(self, view: ir.Operation, rule: ShardingRule) -> bool:
        if not rule.reduction:
            return False
        return (reduction_kind(view) if view.name in _WITH_BODY else reduction_of(view)) is not None

    def _work(self, view: ir.Operation) -> OpWork:
        name = view.name
        if renames(view) or (is_free(view) and name not in PARTS):
            return FREE
        operations = product_operations(view) if len(view.operands) else None
        element = str(view.operands[0].type.element_type) if operations is not None else ""
        return OpWork(operations, element, self._fusion.is_fused(view), False, name in PARTS, name in UPDATES)

    def _identity(self, value: int) -> Profile:
        return self._identity_of(self._tensor(value))

    def _identity_of(self, tensor: TensorSize) -> Profile:
        rule = ShardingRule.identity(tensor.shape)
        profile = Profile(rule, (tensor,), (tensor,), FREE, can_reduce=False)
        return self._profiles.setdefault(profile, profile)

    def _replicated(self, operands: Sequence[int], results: Sequence[int]) -> Profile:
        read, made = (tuple(map(self._tensor, values)) for values in (operands, results))
        return Profile(_everywhere(read, made), read, made, FREE, can_reduce=False)

    def _tensor(self, value: int) -> TensorSize:
        info = self.snapshot.types[value]
        found = self._tensors.get(info)
        if found is None:
            found = self._tensors[info] = self._read_tensor(value)
        return found

    def _read_tensor(self, value: int) -> TensorSize:
        type_ = self.snapshot.value(value).type
        if isinstance(type_, ir.RankedTensorType) and type_.has_static_shape:
            return TensorSize(tuple(type_.shape), bits(type_.element_type) / 8)
        if isinstance(type_, ir.ShapedType):
            at = self.snapshot.ops[self.snapshot.holder_of(value)]
            raise DiagnosticError(at, "has tensors of dynamic size, which cannot be partitioned automatically")
        return TensorSize((), 0.0)

    def _operand(self, value: int) -> TensorSize:
        tensor = self._tensor(value)
        is_free_value = value in self._free
        if not is_free_value and self._fusion.is_in_memory(self.snapshot.value(value)):
            return tensor
        return TensorSize(tensor.shape, tensor.element_bytes, is_in_memory=False)


def _everywhere(operands: Sequence[TensorSize], results: Sequence[TensorSize]) -> ShardingRule:
    """The rule of an op of which nothing is known: no dimension has a factor that may be sharded."""
    sizes = tuple(size for tensor in (*operands, *results) for size in tensor.shape)
    numbers: Iterator[int] = iter(range(len(sizes)))
    mappings = [tuple((next(numbers),) for _ in tensor.shape) for tensor in (*operands, *results)]
    count = len(operands)
    return ShardingRule(
        sizes, tuple(mappings[:count]), tuple(mappings[count:]), need_replication=tuple(range(len(sizes)))
    )
