"""The cause of a collective, and changes that would remove it.

>>> print(sdy.why(text, "c3"))                   # an id that `sdy.communication` shows
>>> found = sdy.why(lowered, "c3", machine="h100")
>>> found.cures[0].bytes_saved

Cures are changes of shardings that a user can make, evaluated one by one on a copy of the program, with the same
partitioner passes. Their figures hold for the whole program, not for the collective alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from sdy.dialect.context import exclusively
from sdy.dialect.ops.rules import rule_of
from sdy.dialect.program_values import Program, SelectorError, ValueKind
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.rule import factor_symbol, to_factors
from sdy.dialect.values.sharding import axis_set
from sdy.lazy_dataclass import dataclass
from sdy.markup.fragments import Cell, fragment, preformatted, table
from sdy.mlir import ir
from sdy.mlir.diagnostics import collecting
from sdy.passes.costs.machine import Machine
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.programs.bytecode import exact_copy
from sdy.programs.given_modules import GivenProgram, compiled, parsed, with_own_shardings
from sdy.programs.partitioning import Partitioning
from sdy.report.communication_report import transfers_of_changed
from sdy.report.explanation import AxisOrigin, Explainer, collectives_text, explainer_of
from sdy.report.localizing import is_local
from sdy.report.transfers import Transfer
from sdy.suggestions.candidates import Around
from sdy.suggestions.changes import Change, apply
from sdy.suggestions.program_candidates import ProgramCandidates
from sdy.suggestions.trials import USUAL_MACHINE, Measured, Saving, Trials

MOST_TRIED = 32
"""Number of changes to try for one collective."""


@dataclass(frozen=True, slots=True)
class Cure:
    """A change that removes a collective, and the costs of the whole program with it.

    `bytes_saved` and `ops_saved` are per device in one run, negative if more is sent; `seconds_saved` is the shortening
    of a step, if a machine was given. `costs` describe what becomes worse: memory, FLOPs, and time, predicted for a
    typical machine if none was given. `text` describes the change; `apply` makes it.
    """

    change: Change
    text: str
    bytes_saved: float
    ops_saved: int
    seconds_saved: float | None = None
    costs: tuple[str, ...] = ()

    @property
    def is_cheaper(self) -> bool:
        """Return whether the program sends less with it, or is faster where times are known."""
        return self.bytes_saved > 0 if self.seconds_saved is None else self.seconds_saved > 0

    def apply(self, module: ir.Module | ir.Operation) -> None:
        """Apply the change to a module of the program, in place.

        Foreign shardings must be imported already: see `sdy-import-foreign-shardings`.
        """
        with module.context, ir.Location.unknown():
            apply(self.change, module)

    def __str__(self) -> str:
        seconds = "" if self.seconds_saved is None else f", {-1e6 * self.seconds_saved:+,.1f} us"
        costs = f", {', '.join(self.costs)}" if self.costs else ""
        return f"{0 - self.bytes_saved:+,.0f} bytes{seconds}{costs}: {self.text}"


@dataclass(frozen=True, slots=True)
class Cause:
    """The reason for a collective.

    Attributes:
      transfer: the collective.
      factors: the sharded factors of the op that it serves, one line each: what each is and where it is sharded.
      around: operands and results of the op, each with its explanation.
      cures: changes that remove it, those that save most first; of these the ones that cost memory, FLOPs or time last.
      tried: how many changes were tried.
      bytes_sent: bytes that each device sends in one run of the unchanged program.
      is_local: whether the program is that of one device, of whose shardings nothing is left.
    """

    transfer: Transfer
    factors: tuple[str, ...]
    around: tuple[Around, ...]
    cures: tuple[Cure, ...]
    tried: int
    bytes_sent: float
    is_local: bool = False

    def __str__(self) -> str:
        return self.text()

    def text(self, most_cures: int | None = None) -> str:
        """Return the cause and its cures, or a number of the cheaper ones; None for all cures."""
        one = self.transfer
        where = " ".join(filter(None, (one.value, one.location, one.position if one.position != one.location else "")))
        lines = [
            f"{one.id}: {one.kind} over {one.axes_text}, {one.bytes_sent:,.0f} bytes sent by each device",
            f"  for {one.serves}: {where}",
        ]
        lines += [] if one.reshard is None else [f"  which needs {one.reshard}"]
        lines += [f"  {line}" for line in self.factors]
        lines += ["  origins of the axes:"] if any(each.explanation.axes for each in self.around) else []
        for each in self.around:
            origins = [line for origin in self._told(each) for line in origin.in_short().splitlines()]
            lines += [f"    {each.role}, {each.explanation.name}:"] if origins else []
            lines += [f"      {line}" for line in origins]
        if self.is_chosen:
            lines.append("  the partitioner chose these axes: no operand or result of the op has them by propagation")
        return "\n".join([*lines, *self._cure_lines(most_cures)])

    def _repr_html_(self) -> str:
        """Return cause, origins of axes and cures as HTML, for notebooks."""
        first, *lines = str(self).splitlines()
        end = next((number for number, line in enumerate(lines) if "changes that remove it" in line), len(lines))
        rows = [
            [
                Cell(f"{0 - each.bytes_saved:+,.0f}", is_number=True),
                Cell("" if each.seconds_saved is None else f"{-1e6 * each.seconds_saved:+,.1f} us", is_number=True),
                Cell(each.text),
            ]
            for each in self.cures
        ]
        cures = table(("bytes", "time", "change"), rows, lines[end].strip()) if rows else ""
        return fragment(str(self), preformatted(first, lines[:end] if rows else lines), cures)

    @property
    def is_chosen(self) -> bool:
        """Return whether the collective reshards along axes that no value around it has after propagation."""
        return self.transfer.reshard is not None and bool(self._names and self.around) and not self._has_origin

    @property
    def _has_origin(self) -> bool:
        names = self._names
        return any(origin.axis.name in names for each in self.around for origin in each.explanation.axes)

    @property
    def _names(self) -> set[str]:
        return {axis.name for axis in self.transfer.axes or ()}

    def _told(self, one: Around) -> list[AxisOrigin]:
        """Return the origins of the collective's axes; of all axes if none of these has one."""
        if not self._has_origin:
            return list(one.explanation.axes)
        return [origin for origin in one.explanation.axes if origin.axis.name in self._names]

    def _cure_lines(self, most: int | None) -> Iterator[str]:
        if self.is_local:
            yield "  the program is local to one device: ask the program before partitioning for cures"
            return
        cheaper = [each for each in self.cures if each.is_cheaper]
        sent = f"{self.bytes_sent:,.0f} bytes of the program"
        yield f"  changes that remove it, of {self.tried} tried, and the {sent}:"
        yield from (f"    {each}" for each in cheaper[:most])
        if not cheaper:
            yield "    nothing cheaper was found"
        if most is None:
            yield from (f"    {each}" for each in self.cures if not each.is_cheaper)


def why(
    module: GivenProgram,
    collective: str,
    *,
    machine: Machine | str | None = None,
    filename: str = "-",
    context: ir.Context | None = None,
    options: PartitionOptions | None = None,
) -> Cause:
    """Explain a collective of a program, and which changes of shardings would remove it.

    Args:
      module: input of `sdy.parse`, or an `ir.Module` (not changed), with shardings; or what `sdy.partition`
        returns, for the original program. For a local program alone only the purpose of a collective is known.
      collective: its id, as `sdy.communication` of the same program shows it: ``c3``.
      machine: the machine of the step, to say how much shorter it becomes.
      filename: name in locations of a module from a text without a name.
      context: the MLIR context to parse a text into.
      options: of the partitioner; None for those of the compiled program.

    Returns:
      A `Cause`: the purpose of the collective, the origins of its axes, and its cures, best first.

    Raises:
      SelectorError (a ValueError): there is no such collective.
      DiagnosticError, DiagnosticErrors: the program cannot be partitioned.
      TypeError, ValueError, OSError: an invalid argument.
    """
    machine = Machine.parse(machine) if isinstance(machine, str) else machine
    own = compiled(module, options, filename=filename)
    original = parsed(own.program, filename, own.context or context)
    with original.context, exclusively(original.context), ir.Location.unknown(), collecting(lambda diagnostic: None):
        original = with_own_shardings(original, own.partitioning.options)
        return Attribution(original, Program(original.operation, filename), machine, own.partitioning).of(collective)


class Attribution:
    """Answers `why` for the collectives of a program, a module with its own shardings, in its context.

    `explainer` and `transfers`, the program's communication, are reused if given.
    """

    def __init__(
        self,
        original: ir.Module | ir.Operation,
        program: Program,
        machine: Machine | None,
        partitioning: Partitioning,
        explainer: Explainer | None = None,
        transfers: tuple[Transfer, ...] | None = None,
    ) -> None:
        self._original, self._program = original, program
        self._machine = machine
        self.trials = Trials(original, machine or Machine.parse(USUAL_MACHINE), partitioning)
        if transfers is None:
            transfers = transfers_of_changed(exact_copy(original).operation, partitioning, lambda copy: None)
        self.transfers = transfers
        self.explainer = explainer or explainer_of(original, program, partitioning)
        self.candidates = ProgramCandidates(program)

    def of(self, collective: str, most_tried: int = MOST_TRIED) -> Cause:
        """Return the explanation of the collective with that id; at most that many changes are evaluated."""
        found = next((one for one in self.transfers if one.id == collective), None)
        if found is None:
            raise SelectorError(f"the program has no collective '{collective}'; {collectives_text(self.transfers)}")
        values = tuple(around(self._program, self.explainer, found))
        changes = self.candidates.of_one(found, values)[:most_tried] if most_tried else []
        cures = [cure for change in changes if (cure := self._cure(change, found)) is not None]
        cures.sort(key=_rank)
        bytes_sent = sum(one.bytes_sent for one in self.transfers)
        factors = tuple(_factors(self._program, found, values))
        return Cause(found, factors, values, tuple(cures), len(changes), bytes_sent, is_local(self._original.operation))

    def _cure(self, change: Change, transfer: Transfer) -> Cure | None:
        """Return the evaluated change; None if it changes nothing, or leaves the collective."""
        now = _like(transfer, self.transfers)
        before, after = self._before, self.trials.measured((change,), lambda sent: _like(transfer, sent) < now)
        if before is None or after is None:
            return None
        saving = Saving.of(before, after)
        seconds = None if self._machine is None else saving.step
        text = change.told(self._program)
        return Cure(change, text, saving.bytes_sent, saving.ops, seconds, saving.costs)

    @cached_property
    def _before(self) -> Measured | None:
        return self.trials.measured()


def _like(transfer: Transfer, transfers: tuple[Transfer, ...]) -> int:
    """Count the collectives of one's kind that serve the same value."""
    served = (transfer.op, transfer.serves, transfer.kind)
    return sum((each.op, each.serves, each.kind) == served for each in transfers)


def _rank(cure: Cure) -> tuple[bool, bool, float]:
    """Order cures: those that save first, those without costs first among them, then by savings."""
    saved = cure.bytes_saved if cure.seconds_saved is None else cure.seconds_saved
    return not cure.is_cheaper, bool(cure.costs), -saved


def around(program: Program, explainer: Explainer, transfer: Transfer) -> Iterator[Around]:
    """Yield the operands and results of the op that a collective serves."""
    if transfer.op is None:
        return
    op = program.ops[transfer.op]
    values = [(f"operand {number}", program.value_of(value)) for number, value in enumerate(op.operands)]
    is_only = len(op.results) == 1
    values += [
        ("result" if is_only else f"result {number}", program.value_of(value))
        for number, value in enumerate(op.results)
    ]
    if op.name == "func.return":
        function = program.number_of_op(op.parent.operation)
        outputs = (program.value_at(function, ValueKind.OUTPUT, index) for index in range(len(op.operands)))
        values += [(f"result {one.index}", one) for one in outputs]
    if len(op.regions) and transfer.serves.startswith("result "):
        # Of a loop or a branch: what its results of one number are, and not all that it carries.
        number = transfer.serves.split()[1]
        values = [(role, value) for role, value in values if role.endswith(f" {number}")] or values
    for role, value in values:
        for explanation in explainer.explanations(value)[:1]:
            yield Around(role, value, explanation)


def _factors(program: Program, transfer: Transfer, around: tuple[Around, ...]) -> Iterator[str]:
    """Return the sharded factors of the op, and their axes in each of its tensors."""
    op = None if transfer.op is None else program.ops[transfer.op]
    rule = None if op is None else rule_of(op)
    if op is None or rule is None:
        return
    meshes, tensors = MeshTable(program.module), {one.role: one.explanation.sharding for one in around}
    yield f"its sharding rule: {rule}"
    names = [f"operand {number}" for number in range(len(op.operands))]
    names += ["result"] if len(op.results) == 1 else [f"result {number}" for number in range(len(op.results))]
    where: dict[int, list[str]] = {}
    for name, mapping in zip(names, rule.tensors, strict=True):
        sharding = tensors.get(name)
        mesh = None if sharding is None else meshes.of(sharding)
        if sharding is None or mesh is None:
            continue
        for factor, found in enumerate(to_factors(sharding, mapping, rule.factor_sizes, mesh.axis_sizes)):
            if found is not None:
                dim = next(number for number, factors in enumerate(mapping) if factor in factors)
                axes = axis_set(found.all_axes) if found.all_axes else "nothing"
                where.setdefault(factor, []).append(f"{axes} in dimension {dim} of {name}")
    for factor, lines in sorted(where.items()):
        if any(not line.startswith("nothing") for line in lines):
            kind = ", reduced" if factor in rule.reduction else ""
            yield f"  factor {factor_symbol(factor)} ({rule.factor_sizes[factor]}{kind}) is on {'; '.join(lines)}"
