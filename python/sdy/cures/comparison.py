"""Several ways to shard or to partition one program, side by side.

>>> print(sdy.compare(text, {"rows": {"argument:1": ("data", None)}, "columns": {"argument:1": (None, "model")}}))
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sdy.auto.step_estimate import estimate, size_text
from sdy.cures.changes import Change, Constrain, ShardArgument, ShardResult, apply
from sdy.dialect.context import exclusively
from sdy.dialect.program_values import Program, ProgramValue, SelectorError, ValueKind, select
from sdy.dialect.shardings.meshes import MeshTable
from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.sharding import TensorSharding
from sdy.dialect.verification import verify_module
from sdy.mlir import ir
from sdy.passes.costs.machine import Machine
from sdy.passes.partitioning.partition_options import PartitionOptions
from sdy.programs.exact_copy import exact_copy
from sdy.programs.given_modules import parsed, with_own_shardings
from sdy.report.text_table import columns

Dims = Sequence[str | Sequence[str] | None]
"""The mesh axes of each dimension, as in a `jax.sharding.PartitionSpec`."""

_DEFAULT = PartitionOptions()
_FOR_MEMORY = Machine.parse("fast-links")
"""What is in memory when does not depend on the machine."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way: what each device sends and holds in one run, in bytes, how many collectives run, and for how long.

    `step` is in seconds, None if no machine was asked for.
    """

    name: str
    collectives: int
    bytes_sent: float
    memory: int
    step: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The alternatives, in the order in which they were given."""

    alternatives: tuple[Alternative, ...]

    def __getitem__(self, name: str) -> Alternative:
        return next(one for one in self.alternatives if one.name == name)

    def __str__(self) -> str:
        is_timed = any(one.step is not None for one in self.alternatives)
        rows = [("", "collectives", "bytes per device", "memory", *(("step",) if is_timed else ()))]
        for one in self.alternatives:
            step = () if one.step is None else (f"{1e6 * one.step:,.1f} us",)
            rows.append((one.name, str(one.collectives), f"{one.bytes_sent:,.0f}", size_text(one.memory), *step))
        return columns(rows)

    def to_json(self, indent: int | None = 2) -> str:
        """The alternatives as a JSON list."""
        return json.dumps([asdict(one) for one in self.alternatives], indent=indent)


def compare(
    module: Any,
    alternatives: Mapping[str, Mapping[str, TensorSharding | Dims | None] | PartitionOptions],
    *,
    machine: Machine | str | None = None,
    filename: str = "-",
    context: ir.Context | None = None,
) -> Comparison:
    """What a program communicates, holds in memory and takes with other shardings or options.

    Args:
      module: what `sdy.parse` takes, or an `ir.Module` (which is not changed), not partitioned yet.
      alternatives: by name, the shardings of values (by what selects them for `sdy.explain`): a `TensorSharding`, the
        axes of each dimension, or None for a result whose sharding is left open; or options of the partitioner. An
        empty mapping is the program as it is.
      machine: what the step runs on, to say how long it takes.
      filename: what locations call a module that was parsed from a text without a name.
      context: the MLIR context to parse a text into.

    Raises:
      SelectorError (a ValueError): a selector that means no value, or none that can be sharded.
      DiagnosticError, DiagnosticErrors: a sharding that does not fit, a program that cannot be partitioned.
      TypeError, ValueError, OSError: an argument that is none of these.
    """
    machine = Machine.parse(machine) if isinstance(machine, str) else machine
    original = parsed(module, filename, context)
    found = []
    with original.context, exclusively(original.context), ir.Location.unknown():
        original = with_own_shardings(original)
        program = Program(original.operation, filename)
        for name, wanted in alternatives.items():
            copy = exact_copy(original)
            options = wanted if isinstance(wanted, PartitionOptions) else _DEFAULT
            if not isinstance(wanted, PartitionOptions):
                changes = [
                    each for selector, given in wanted.items() for each in _changes(original, program, selector, given)
                ]
                # Later ops first: a constraint that is put in moves the numbers of those behind it.
                for change in sorted(changes, key=lambda each: -each.op):
                    apply(change, copy)
                verify_module(copy)
            one = estimate(copy, machine or _FOR_MEMORY, options=options)
            ops = sum(each.ops for each in one.collectives)
            step = None if machine is None else one.step
            found.append(Alternative(name, ops, one.bytes_sent, one.memory.peak, step))
    return Comparison(tuple(found))


def _changes(module: Any, program: Program, selector: str, given: TensorSharding | Dims | None) -> list[Change]:
    return [_change(value, _sharding(module, given), selector) for value in select(program, selector)]


def _change(value: ProgramValue, sharding: TensorSharding | None, selector: str) -> Change:
    if value.kind is ValueKind.OUTPUT:
        return ShardResult(value.op, value.index, sharding)
    if sharding is None:
        raise SelectorError(f"'{selector}' is no result of a function, whose sharding could be left open")
    if value.kind is ValueKind.RESULT:
        return Constrain(value.op, value.index, sharding)
    if value.what.startswith("argument"):
        return ShardArgument(value.op, value.index, sharding)
    raise SelectorError(f"'{selector}' is an argument of a region, which is sharded as what it comes from")


def _sharding(module: Any, given: TensorSharding | Dims | None) -> TensorSharding | None:
    if given is None or isinstance(given, TensorSharding):
        return given
    names = list(MeshTable(module.operation).by_name)
    if len(names) != 1:
        raise ValueError(f"the program has {len(names)} meshes: give a TensorSharding, which says on which it is")
    dims = [() if each is None else (each,) if isinstance(each, str) else each for each in given]
    return TensorSharding.from_axes(names[0], [[AxisRef(axis) for axis in each] for each in dims])
