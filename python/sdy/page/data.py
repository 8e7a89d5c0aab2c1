"""The data of a page: plain JSON, from which the page is drawn; also usable alone.

>>> data = sdy.page.data(text, machine="h100")
>>> data["plans"][0]["bytes_sent"]
"""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import ExitStack
from dataclasses import replace

from sdy.dialect.context import exclusively
from sdy.dialect.program_values import Program
from sdy.dialect.values.mesh import Mesh
from sdy.lazy_dataclass import dataclass
from sdy.markup.drawing import mesh_drawing
from sdy.markup.layout import Colours
from sdy.mlir import ir
from sdy.mlir.diagnostics import collecting
from sdy.page.data_types import BarePlan, BareProgram, MeshData, NodeData, PageData
from sdy.page.folding import Folder, repeated
from sdy.page.plan_data import PlanReader
from sdy.page.plans import LARGE, MOST_EXPLAINED, AnyPlan, Parts, Plan, as_plans
from sdy.page.program_data import program_data, shorten
from sdy.page.scopes import Node, tree
from sdy.passes.costs.machine import Machine
from sdy.programs.given_modules import parsed, with_own_shardings

VERSION = 1
"""Of the form of the data."""

ALL = Parts()

UNNAMED = "program"
"""The title of a program without a name."""


def data(
    *plans: AnyPlan | Plan,
    machine: Machine | str | None = None,
    title: str = "",
    filename: str = "-",
    parts: Parts = ALL,
) -> PageData:
    """Return the data of a page as JSON. The same input gives the same data.

    Args:
      plans: one program or two to be compared: input of `sdy.communication`, a plan of `sdy.auto` or `sdy.jax`, whose
        decisions and costs the page shows, or a `Plan` of any of these.
      machine: the machine of the step (a `sdy.Machine`, or its text for `sdy.Machine.parse`), for times and memory; by
        default that for which a plan was found, if there is one.
      title: of the page; by default the name of the file, or of the function.
      filename: name in locations of a program from a text without a name.
      parts: the parts of the page.

    Raises:
      DiagnosticError, DiagnosticErrors: a program cannot be parsed or partitioned, or sends tensors of dynamic size;
        with a machine also at any other op with such tensors.
      ValueError: no plan, or more than two; a local program that runs on more devices than its mesh has.
      TypeError, OSError: an invalid argument; a file that cannot be read.
    """
    name = machine if isinstance(machine, str) else ""
    machine = Machine.parse(machine) if isinstance(machine, str) else machine
    if machine is not None and not isinstance(machine, Machine):
        raise TypeError(f"data() takes Machine as machine, not {type(machine).__name__}")
    listed = as_plans(plans, filename)
    if machine is None:
        machine = next((plan.found.machine for plan in listed if plan.found is not None), None)
    read = [_read(plan, parts, machine, name) for plan in listed]
    colours = Colours(mesh for one in read for mesh in one.reader.meshes.values())
    programs = [one for number, one in enumerate(read) if _program_of(read, number) == number]
    numbers = [programs.index(read[_program_of(read, number)]) for number in range(len(read))]
    trees = [
        _tree(one, [r for r, n in zip(read, numbers, strict=True) if n == number])
        for number, one in enumerate(programs)
    ]
    repeats = [frozenset(repeated(one.tree)) for one in programs]
    found: PageData = {
        "version": VERSION,
        "title": title or (filename if filename != "-" else _name(read[0].reader.original) or UNNAMED),
        "axes": [{"name": name, "colour": colours[name]} for name in colours.names],
        "meshes": [_mesh_data(name, mesh, colours) for name, mesh in _meshes(read).items()],
        "programs": [{**one.program, "tree": grown} for one, grown in zip(programs, trees, strict=True)],
        "plans": [
            {**one.plan_data(colours, repeats[number]), "program": number, "text": _own_text(one, programs[number])}
            for one, number in zip(read, numbers, strict=True)
        ],
        "notes": _notes(read, parts),
    }
    found["notes"] += shorten(found)
    return found


@dataclass
class _Read:
    """A plan that was read, and its program as data; the reader's module stays alive with its context."""

    reader: PlanReader
    program: BareProgram
    tree: list[Node]

    def plan_data(self, colours: Colours, repeats: frozenset[int]) -> BarePlan:
        with _inside(self.reader.original):
            return self.reader.data(colours, repeats if self.is_cut_short else frozenset())

    @property
    def is_cut_short(self) -> bool:
        """Return whether only the first of equal layers has reasons."""
        return self.reader.propagates and len(self.reader.program.ops) > MOST_EXPLAINED


def _name(module: ir.Module | ir.Operation) -> str:
    """Return the name of a module without JAX's prefix; empty without a name."""
    attributes = module.operation.attributes
    return ir.StringAttr(attributes["sym_name"]).value.removeprefix("jit_") if "sym_name" in attributes else ""


def _inside(module: ir.Module | ir.Operation) -> ExitStack:
    stack = ExitStack()
    stack.enter_context(module.context)
    stack.enter_context(exclusively(module.context))
    stack.enter_context(ir.Location.unknown())
    stack.enter_context(collecting(lambda diagnostic: None))
    return stack


def _read(plan: Plan, parts: Parts, machine: Machine | None, machine_name: str) -> _Read:
    own = plan.compiled()
    original = parsed(own.program, plan.filename, own.context)
    with _inside(original):
        original = with_own_shardings(original, own.partitioning.options)
        program = Program(original.operation, plan.filename)
        reader = PlanReader(plan, replace(own, program=original), original, program, parts, machine, machine_name)
        told = program_data(program, reader.sources)
        return _Read(reader, told, tree(original.operation, program.main))


# Two plans -------------------------------------------------------------------------------------------


def _program_of(read: list[_Read], number: int) -> int:
    """Return the plan with the program of a plan: the first with the same ops between the same values."""
    return next(other for other, one in enumerate(read) if _shape(one) == _shape(read[number]))


def _shape(one: _Read) -> tuple[object, ...]:
    program = one.program
    ops, types = program["ops"], program["values"]["type"]
    columns = (ops["name"], ops["parent"], ops["operands"], ops["location"])
    return (program["op_names"], program["types"], columns, types)


def _own_text(one: _Read, program: _Read) -> str | None:
    """Return the text of a plan that shares its program, if their shardings differ."""
    text = one.program["text"]
    return None if text == program.program["text"] else text


def _tree(program: _Read, plans: list[_Read]) -> list[NodeData]:
    """The tree, folded where ops are equal in all plans."""
    facts = [one.reader.facts() for one in plans]
    ops = program.reader.program.ops
    names = [op.name for op in ops]

    def fact(number: int) -> Hashable:
        return names[number], *(each[number] for each in facts)

    folder = Folder(fact, lambda number: names[number])
    for node in program.tree:
        folder.fold(node)
    return [node.data() for node in program.tree]


# Meshes and notes ------------------------------------------------------------------------------------


def _meshes(read: list[_Read]) -> dict[str, Mesh]:
    """Return the meshes by name; plans that differ in a mesh have the plan's name in it."""
    found: dict[str, Mesh] = {}
    for one in read:
        for name, mesh in one.reader.meshes.items():
            if found.setdefault(name, mesh) != mesh:
                found[f"{name} of {one.reader.plan.name}"] = mesh
    return found


def _mesh_data(name: str, mesh: Mesh, colours: Colours) -> MeshData:
    return {
        "name": name,
        "axes": [{"name": axis.name, "size": axis.size, "colour": colours[axis.name]} for axis in mesh.axes],
        "devices": mesh.size,
        "device_ids": list(mesh.device_ids) if mesh.device_ids != tuple(range(len(mesh.device_ids))) else None,
        "drawing": mesh_drawing(mesh, colours),
    }


def _notes(read: list[_Read], parts: Parts) -> list[str]:
    notes = []
    for one in read:
        name = f"{one.reader.plan.name}: " if len(read) > 1 else ""
        if one.reader.is_local:
            notes.append(f"{name}the program is already local to one device: it has no shardings any more.")
        elif not one.reader.propagates:
            notes.append(f"{name}the shardings are those that are written in the program; it is propagated already.")
        if parts.reasons and one.reader.propagates and len(one.reader.program.ops) > LARGE and parts.cures is None:
            notes.append(f"{name}cures were not tried, since the program is large: ask for them with --cures N.")
        if parts.reasons and one.is_cut_short:
            notes.append(
                f"{name}origins of shardings are given for the first of equal layers only, since the program is large."
            )
        if one.reader.is_folded:
            notes.append(
                f"{name}equal collectives of all layers are merged, since there are {one.reader.report.ops:,}."
            )
        if not one.reader.report.is_exact:
            notes.append(
                f"{name}bytes are a bound: a loop of unknown length counts as one round, and a "
                "collective in a branch counts as taken."
            )
    return notes
