"""An exported program of several meshes as a list of instructions: runs of fragments, moves between meshes, frees.

Values are slots, indices into one list per call of the program.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from sdy.dialect.definition.attributes import number_of, string_of, value_of
from sdy.dialect.mpmd.values import MeshTensor, Topology, UserOrigin
from sdy.dialect.surroundings import frontend_name
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import body, callee_name, is_return, main_function, top_level
from sdy.passes.mpmd.common.fragments import SPLIT_DROP, SPLIT_KEEP, STAGE

_COUNTERS = re.compile(r"_calls?(?P<first>\d+)(?:(?P<way>to|from)(?P<end>\d+))?$")
"""Pattern of the call counters in the name of a fragment's function."""

_USER_LINE = re.compile(r'"([^"]+\.py)":(\d+)')
"""The innermost line of Python in a location."""

_HALVES = {SPLIT_KEEP: "A", SPLIT_DROP: "W"}

_DONATED = ("tf.aliasing_output", "jax.buffer_donor")


@dataclass(frozen=True, slots=True)
class Run:
    """Runs a fragment on its mesh.

    Attributes:
      callee: the function of the fragment.
      mesh: name of its mesh.
      inputs, outputs: slots.
      donated: positions of inputs whose memory the outputs may take over.
      origins: the computations that it is made of; none for an inferred one.
      microbatch: its call counter.
      stage: its stage.
      half: "A" or "W" for the half of a split backward pass with the gradients of inputs, or of parameters.
      line: the user's line, or MLIR's location.
    """

    callee: str
    mesh: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    donated: tuple[int, ...] = ()
    origins: tuple[UserOrigin, ...] = ()
    microbatch: int | None = None
    line: str = ""
    stage: int | None = None
    half: str = ""

    @property
    def transpose_count(self) -> int | None:
        """Return the transpositions of its computations: 1 in a backward pass; None if they differ or are unknown."""
        counts = {origin.transpose_count for origin in self.origins}
        return counts.pop() if len(counts) == 1 else None

    @property
    def unit(self) -> str:
        """Return F3 for the forward of microbatch 3, B3 for its backward, A3 or W3 for a half, else the name."""
        kind = self.half or {0: "F", 1: "B"}.get(-1 if self.transpose_count is None else self.transpose_count)
        if kind is None or self.microbatch is None:
            return self.callee.partition(".")[0]
        return f"{kind}{self.microbatch}"

    def __str__(self) -> str:
        names = ", ".join(dict.fromkeys(origin.name for origin in self.origins)) or "inferred"
        batch = "" if self.microbatch is None else f", microbatch {self.microbatch}"
        return f"fragment {self.callee} ({names}) on mesh {self.mesh}{batch}"


@dataclass(frozen=True, slots=True)
class Move:
    """Moves values from one mesh to another, or to another kind of memory of the mesh."""

    source: str
    target: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    line: str = ""

    def __str__(self) -> str:
        return f"transfer of {len(self.inputs)} values from mesh {self.source} to mesh {self.target}"


@dataclass(frozen=True, slots=True)
class Free:
    """Drops values after their last use."""

    slots: tuple[int, ...]


Instruction: TypeAlias = "Run | Move | Free"


@dataclass(frozen=True)
class PipelineProgram:
    """The instructions of a program in the order in which they are dispatched.

    Attributes:
      topology: the meshes, in the order of the pipeline.
      slots: type of the value in each slot; those of arguments come first.
      results: slots of the results.
      donated: numbers of the arguments whose memory the program may take over.
      names: of arguments, as the user calls them; empty without a name.
    """

    topology: Topology
    instructions: tuple[Instruction, ...]
    slots: tuple[MeshTensor, ...]
    num_arguments: int
    results: tuple[int, ...]
    donated: tuple[int, ...]
    names: tuple[str, ...] = ()

    @property
    def runs(self) -> tuple[Run, ...]:
        """The runs of fragments, in order."""
        return tuple(each for each in self.instructions if isinstance(each, Run))

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves between meshes, in order."""
        return tuple(each for each in self.instructions if isinstance(each, Move))

    def order(self) -> dict[str, tuple[Run, ...]]:
        """By name of a mesh: its runs, in order."""
        return {mesh.name: tuple(run for run in self.runs if run.mesh == mesh.name) for mesh in self.topology.meshes}

    @staticmethod
    def of(module: ir.Module) -> PipelineProgram:
        """Return the instructions of an exported module, which is not changed.

        Raises:
          DiagnosticError: the main function has no topology, or an op that no runtime knows.
        """
        with module.context:
            main = main_function(module.operation)
            if "topology" not in main.attributes:
                raise DiagnosticError(main, "is not a program of several meshes: it has no topology")
            return _Reading(module, main).program()


def is_exported(module: ir.Module) -> bool:
    """Return whether the main function of a module calls fragments on meshes of a topology."""
    with module.context:
        functions = [op for op in top_level(module) if op.name == "func.func" and "topology" in op.attributes]
        return any(view.operation.name == "mpmd.fragment_call" for op in functions for view in body(op).operations)


class _Reading:
    """State of a module while its main function is read."""

    def __init__(self, module: ir.Module, main: ir.Operation) -> None:
        self.main = main
        self.functions = {op.attributes["sym_name"].value: op for op in top_level(module) if op.name == "func.func"}
        self.numbers: dict[ir.Value, int] = {}
        self.types: list[MeshTensor] = []
        self.calls: Counter[str] = Counter()

    def program(self) -> PipelineProgram:
        block = body(self.main)
        for argument in block.arguments:
            self.number(argument)
        steps: list[Run | Move] = []
        results: tuple[int, ...] = ()
        for view in block.operations:
            op = view.operation
            if is_return(op):
                results = self.slots(op.operands)
            elif op.name == "mpmd.transfer":
                steps.append(self.move(op))
            elif op.name == "mpmd.fragment_call":
                steps.append(self.run(op))
            else:
                raise DiagnosticError(op, "is not exported: only fragment calls and transfers can be run")
        count = len(block.arguments)
        donated = [number for number in range(count) if _is_donated(self.main, number)]
        return PipelineProgram(
            value_of(self.main.attributes["topology"]),
            tuple(_with_frees(_merged(steps), {*range(count)} - {*donated}, results)),
            tuple(self.types),
            count,
            results,
            tuple(donated),
            tuple(frontend_name(argument.location) for argument in block.arguments),
        )

    def number(self, value: ir.Value) -> int:
        """Return the slot of a value, a new one if it has none yet."""
        if value not in self.numbers:
            self.numbers[value] = len(self.types)
            self.types.append(value_of(value.type))
        return self.numbers[value]

    def slots(self, values: Iterable[ir.Value]) -> tuple[int, ...]:
        return tuple(self.number(each) for each in values)

    def move(self, op: ir.Operation) -> Move:
        source, target = (value_of(value.type).mesh_name for value in (op.operands[0], op.results[0]))
        return Move(source, target, self.slots(op.operands), self.slots(op.results), _line(op))

    def run(self, op: ir.Operation) -> Run:
        callee = callee_name(op)
        function = self.functions[callee]
        inputs = self.slots(op.operands)
        donated = tuple(number for number in range(len(inputs)) if _is_donated(function, number))
        return Run(
            callee,
            string_of(op.attributes["mesh_name"]),
            inputs,
            self.slots(op.results),
            donated,
            tuple(value_of(each) for each in ir.ArrayAttr(op.attributes["origin"])),
            self.microbatch(op),
            _line(op),
            number_of(op.attributes[STAGE]) if STAGE in op.attributes else None,
            next((half for name, half in _HALVES.items() if name in op.attributes), ""),
        )

    def microbatch(self, op: ir.Operation) -> int | None:
        """Return the call counter of a fragment: its attribute, or else the index among its function's calls."""
        counter = op.attributes.get("call_counter")
        if counter is not None:
            return number_of(counter)
        callee = callee_name(op)
        before = self.calls[callee]
        self.calls[callee] += 1
        found = _COUNTERS.search(callee.partition(".")[0])
        if found is None:
            return None
        first, end = int(found["first"]), int(found["end"] or found["first"])
        return first + before if found["way"] != "from" else max(first, end) - before


def _line(op: ir.Operation) -> str:
    text = str(op.location)
    found = _USER_LINE.search(text)
    return f"{found[1]}:{found[2]}" if found else text.removeprefix("loc(").removesuffix(")")


def _is_donated(function: ir.Operation, number: int) -> bool:
    """Return whether the memory of an argument may be taken over."""
    stored = function.attributes.get("arg_attrs")
    return stored is not None and any(name in ir.DictAttr(ir.ArrayAttr(stored)[number]) for name in _DONATED)


def _merged(steps: Sequence[Run | Move]) -> list[Run | Move]:
    """Merge neighbouring moves of one pair of meshes."""
    merged: list[Run | Move] = []
    for step in steps:
        last = merged[-1] if merged else None
        if (
            isinstance(step, Move)
            and isinstance(last, Move)
            and (step.source, step.target) == (last.source, last.target)
            and not {*step.inputs} & {*last.outputs}
        ):
            merged[-1] = Move(
                last.source, last.target, last.inputs + step.inputs, last.outputs + step.outputs, last.line
            )
        else:
            merged.append(step)
    return merged


def _with_frees(steps: Sequence[Run | Move], kept: set[int], results: Iterable[int]) -> list[Instruction]:
    """The steps, with values dropped behind their last use; `kept` and `results` are never."""
    last: dict[int, int] = {}
    for place, step in enumerate(steps):
        for slot in (*step.inputs, *step.outputs):
            last[slot] = place
    for slot in (*kept, *results):
        last.pop(slot, None)
    instructions: list[Instruction] = []
    for place, step in enumerate(steps):
        instructions.append(step)
        dropped = tuple(dict.fromkeys(s for s in (*step.inputs, *step.outputs) if last.get(s) == place))
        if dropped:
            instructions.append(Free(dropped))
    return instructions
