"""Conversion of asynchronous instructions of all spellings to generic ones (spec: async, 9.2, 9.3)."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping

from sdy.hlo_text.chains import is_native_start
from sdy.hlo_text.flow import Flow
from sdy.hlo_text.model import Attributes, Computation, Instruction, Names
from sdy.hlo_text.opcodes import (
    ALIASING,
    ASYNC,
    ATTRIBUTES,
    CALLING,
    COMMON,
    GO_BETWEENS,
    MAIN_THREAD,
    NATIVE_DONES,
    NATIVE_STARTS,
    REQUIRED,
    SHARED,
    THREAD,
    UNWRAPPABLE,
    start_only,
)
from sdy.hlo_text.printer import HloModule
from sdy.hlo_text.reading.raw_reader import RawAttribute, RawComputation, RawInstruction
from sdy.hlo_text.reading.scanning import Scanner
from sdy.hlo_text.shape import Shape, TupleShape, same
from sdy.lazy_dataclass import dataclass

_CARRIERS = frozenset({*GO_BETWEENS, "parameter"})
_SUGAR = re.compile(r"(.+)-(start|update|done)")


@dataclass(frozen=True, slots=True)
class _Link:
    """Properties of a start that later links have to match: opcode, computation, thread, shapes, attributes."""

    opcode: str
    computation: str
    thread: str
    written: Shape
    canonical: Shape
    root: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Far:
    """An update or done in sugar whose operand is not an update or start."""

    computation: str
    instruction: str
    opcode: str
    offset: int


class AsyncReader:
    """Reads the asynchronous instructions of one module, computation by computation."""

    def __init__(self, computations: Iterable[RawComputation], scanner: Scanner) -> None:
        computations = list(computations)
        self._by_name = {each.name: each for each in computations}
        self._scanner = scanner
        self._names = Names(self._by_name)
        self._instruction_names: Names | None = None
        self._made: list[Computation] = []
        self._links: dict[str, _Link] = {}
        self._opcodes: dict[str, str] = {}
        self._computation = ""
        self._far: list[_Far] = []

    def enter(self, computation: str) -> None:
        """Enter another computation and forget the chains of the last one."""
        self._links = {}
        self._opcodes = {}
        self._computation = computation

    def take_made(self) -> list[Computation]:
        """The computations made since the last call, for starts written as sugar."""
        made, self._made = self._made, []
        return made

    def read(self, raw: RawInstruction, shapes: Mapping[str, Shape]) -> Instruction | None:
        """Return the instruction, or None unless it is asynchronous in generic form or sugar."""
        self._opcodes[raw.name] = raw.opcode
        match = _SUGAR.fullmatch(raw.opcode)
        if match is None:
            return None
        wrapped, step = match[1], match[2]
        generic = raw.opcode in ASYNC
        link = self._links.get(raw.operands[0].name) if raw.operands else None
        if not generic:
            if step == "start":
                operands = [shapes[each.name] for each in raw.operands]
                if raw.opcode in NATIVE_STARTS and is_native_start(raw.opcode, operands, raw.shape):
                    return None
                if raw.opcode in NATIVE_STARTS and not _is_bundle_of(raw.shape, operands):
                    return None
            elif raw.opcode in NATIVE_DONES and (link is None or link.opcode != wrapped):
                return None
            if wrapped in UNWRAPPABLE:
                raise self._scanner.error(f"'{wrapped}' cannot be wrapped", raw.offset)
        if step == "start":
            return self._generic_start(raw, shapes) if generic else self._sugared_start(raw, wrapped, shapes)
        return self._later(raw, step, None if generic else wrapped, link, shapes)

    def confirm(self, module: HloModule) -> None:
        """Check that updates and dones in sugar match their start, also where the bundle was moved.

        Raises:
          HloSyntaxError: one does not.
        """
        if not self._far:
            return
        wrapped: dict[tuple[str, str], set[str]] = {}
        for journey in Flow(module).journeys():
            start = module.by_name[journey.start.computation].by_name[journey.start.instruction]
            opcode = module.by_name[start.called[0]].root.opcode if start.opcode == "async-start" else start.opcode
            for use in (*journey.updates, *journey.dones):
                wrapped.setdefault((use.place.computation, use.user.name), set()).add(opcode)
        for far in self._far:
            found = wrapped.get((far.computation, far.instruction), set())
            if found != {far.opcode}:
                what = f"wraps '{min(found)}'" if found else "is started nowhere"
                raise self._scanner.error(
                    f"'{far.opcode}' is not continued here: what this continues {what}", far.offset
                )

    # Starts --------------------------------------------------------------------------------------

    def _generic_start(self, raw: RawInstruction, shapes: Mapping[str, Shape]) -> Instruction:
        calls = raw.attribute("calls")
        if calls is None or len(calls.computations or ()) != 1:
            raise self._scanner.error(
                "async-start names the computation that it wraps, as in 'calls=%name'", raw.offset
            )
        name = str((calls.computations or [""])[0])
        thread = self._thread(raw)
        shape = self._bundle(raw, [shapes[each.name] for each in raw.operands])
        root = self._by_name[name].root
        own = tuple((each.key, each.value) for each in raw.attributes if each.key not in (THREAD, "calls"))
        self._links[raw.name] = _Link(
            root.opcode, name, thread or self._own_thread(name), raw.shape, shape, _bare(root.attributes)
        )
        return self._instruction(raw, "async-start", shape, (*_thread_attribute(thread), ("calls", f"%{name}"), *own))

    def _own_thread(self, computation: str) -> str:
        for each in self._by_name[computation].attributes:
            if each.key == "execution_thread":
                return each.value.strip('"')
        return ""

    def _sugared_start(self, raw: RawInstruction, opcode: str, shapes: Mapping[str, Shape]) -> Instruction:
        self._check_attributes(raw, opcode)
        operands = [shapes[each.name] for each in raw.operands]
        shape = self._bundle(raw, operands)
        result = shape.at((1,))
        if result is None:
            message = f"the shape of {raw.opcode} is a tuple of operands, result and context, not {raw.shape}"
            raise self._scanner.error(message, raw.offset)
        thread, of_start = self._thread(raw), start_only(opcode)
        wrapped = tuple((each.key, each.value) for each in raw.attributes if each.key not in of_start)
        own = tuple(
            (each.key, each.value)
            for each in raw.attributes
            if each.key in SHARED or (each.key in of_start and each.key != THREAD)
        )
        name = self._make(opcode, operands, result, wrapped, thread, raw)
        self._links[raw.name] = _Link(opcode, name, thread, raw.shape, shape, _bare(raw.attributes))
        attributes = (*_thread_attribute(thread), ("calls", f"%{name}"), *own)
        return self._instruction(raw, "async-start", shape, attributes, sugared=True)

    def _check_attributes(self, raw: RawInstruction, opcode: str) -> None:
        """Reject unknown and missing attributes of an opcode, on which XLA's parser crashes."""
        known = ATTRIBUTES.get(opcode)
        for each in raw.attributes:
            if each.key in COMMON or each.key in start_only(opcode):
                continue
            if each.key not in known if known is not None else each.key == "calls":
                raise self._scanner.error(f"'{opcode}' has no attribute '{each.key}'", each.offset)
        for key in sorted(REQUIRED.get(opcode, ())):
            if raw.attribute(key) is None:
                raise self._scanner.error(f"'{opcode}' needs the attribute '{key}'", raw.offset)

    def _make(
        self,
        opcode: str,
        operands: list[Shape],
        result: Shape,
        attributes: Attributes,
        thread: str,
        raw: RawInstruction,
    ) -> str:
        """Build the computation behind sugar; return its name."""
        if self._instruction_names is None:
            used = (each.name for computation in self._by_name.values() for each in computation.instructions)
            self._instruction_names = Names(used)
        new, position = self._instruction_names.new, self._scanner.position(raw.offset)
        parameters = [
            Instruction(new("async_param"), shape, "parameter", literal=str(number), position=position)
            for number, shape in enumerate(operands)
        ]
        inputs = tuple(each.name for each in parameters)
        root = Instruction(new(opcode), result, opcode, inputs, attributes, is_root=True, position=position)
        name = self._names.new("async_wrapped")
        instructions = (*parameters, root)
        self._made.append(Computation(name, instructions, thread or MAIN_THREAD, position=position))
        return name

    # Updates and dones ---------------------------------------------------------------------------

    def _later(
        self, raw: RawInstruction, step: str, wrapped: str | None, link: _Link | None, shapes: Mapping[str, Shape]
    ) -> Instruction:
        if wrapped is not None:
            self._check_wraps(raw, wrapped, link)
        if not raw.operands:
            raise self._scanner.error(f"{raw.opcode} has one operand, the operation it continues", raw.offset)
        shape = raw.shape
        if link and step == "update":
            if same(shape, link.written):
                shape = link.canonical
            operands = [shapes[each.name] for each in raw.operands[1:]]
            if not operands and shape is raw.shape and isinstance(link.canonical, TupleShape):
                shape = _nested_as(shape, link.canonical)
        own = tuple(
            (each.key, each.value) for each in raw.attributes if self._is_own(each, step, wrapped is not None, link)
        )
        if link and step == "update":
            self._links[raw.name] = link
        return self._instruction(raw, f"async-{step}", shape, own)

    def _check_wraps(self, raw: RawInstruction, wrapped: str, link: _Link | None) -> None:
        if link is None and raw.operands and self._opcodes[raw.operands[0].name] in _CARRIERS:
            self._far.append(_Far(self._computation, raw.name, wrapped, raw.offset))
            return
        if link is None:
            message = f"the operand of {raw.opcode} is not a start or update of an asynchronous operation"
            raise self._scanner.error(message, raw.offset)
        if link.opcode != wrapped:
            message = f"{raw.opcode} does not continue its operand, which wraps '{link.opcode}'"
            raise self._scanner.error(message, raw.offset)

    def _is_own(self, attribute: RawAttribute, step: str, sugared: bool, link: _Link | None) -> bool:
        """Return whether an update or done keeps an attribute; a repeated attribute must equal the start's."""
        key = attribute.key
        if key == THREAD:
            expected = (link.thread if link else "") or MAIN_THREAD
            written = attribute.value.strip('"') or MAIN_THREAD
            if link and written != expected:
                message = f"the operation was started in thread '{expected}', not '{written}'"
                raise self._scanner.error(message, attribute.offset)
            return False
        if key == "calls" and not sugared:
            if link and attribute.computations != [link.computation]:
                raise self._scanner.error(f"the start wraps %{link.computation}", attribute.offset)
            return False
        if key in COMMON or (key == ALIASING and step == "update" and not sugared):
            return True
        value = link.root.get(key) if link else None
        if value is not None and value == "".join(attribute.value.split()):
            return False
        if value is not None:
            raise self._scanner.error(f"attribute '{key}' differs from that of the start", attribute.offset)
        if sugared or key in CALLING:
            raise self._scanner.error(f"attribute '{key}' is missing at the start", attribute.offset)
        return True

    # All of them ---------------------------------------------------------------------------------

    def _bundle(self, raw: RawInstruction, operands: list[Shape]) -> Shape:
        """Return the shape with element 0 as a tuple, made from the shape of the only operand."""
        shape = raw.shape
        if not isinstance(shape, TupleShape) or len(operands) != 1 or len(shape.elements) < 2:
            return shape
        first = shape.elements[0]
        nested = isinstance(first, TupleShape) and len(first.elements) == 1 and same(first.elements[0], operands[0])
        if nested or not same(first, operands[0]):
            return shape
        return TupleShape((TupleShape((first,)), *shape.elements[1:]))

    def _thread(self, raw: RawInstruction) -> str:
        """Return the thread that a start names, unless it is the main one."""
        attribute = raw.attribute(THREAD)
        if attribute is None:
            return ""
        name = attribute.value
        if len(name) < 2 or name[0] != '"' or name[-1] != '"':
            raise self._scanner.error("the name of a thread stands in quotes", attribute.offset)
        return "" if name[1:-1] == MAIN_THREAD else name[1:-1]

    def _instruction(
        self, raw: RawInstruction, opcode: str, shape: Shape, attributes: Attributes, sugared: bool = False
    ) -> Instruction:
        return Instruction(
            raw.name,
            shape,
            opcode,
            tuple(each.name for each in raw.operands),
            attributes,
            raw.is_root,
            position=self._scanner.position(raw.offset),
            sugared=sugared,
        )


def _thread_attribute(thread: str) -> Attributes:
    return ((THREAD, f'"{thread}"'),) if thread else ()


def _bare(attributes: Iterable[RawAttribute]) -> dict[str, str]:
    return {each.key: "".join(each.value.split()) for each in attributes}


def _is_bundle_of(shape: Shape, operands: list[Shape]) -> bool:
    first = shape.at((0,))
    return isinstance(first, TupleShape) and same(first, TupleShape(tuple(operands)))


def _nested_as(shape: Shape, canonical: TupleShape) -> Shape:
    """Return the flat bundle of an update in nested form, like that of its start."""
    first = canonical.elements[0] if canonical.elements else None
    if not isinstance(first, TupleShape) or len(first.elements) != 1:
        return shape
    if isinstance(shape, TupleShape) and len(shape.elements) > 1 and same(shape.elements[0], first.elements[0]):
        return TupleShape((first, *shape.elements[1:]))
    return shape


def settle_threads(module: HloModule) -> HloModule:
    """The module with each wrapped computation in the thread of its starts.

    A thread named only by the computation is copied to the starts, since XLA would lose it.
    """
    changed = _changed(module)
    return module.with_computations(changed) if changed else module


def _changed(module: HloModule) -> dict[str, Computation]:
    wrapped: dict[str, list[Instruction]] = {}
    for computation in module.computations:
        for each in computation.instructions:
            if each.opcode == "async-start":
                for name in each.called:
                    wrapped.setdefault(name, []).append(each)
    changed: dict[str, Computation] = {}
    for name, starts in wrapped.items():
        computation = changed.get(name) or module.by_name[name]
        threads = [each.thread for each in starts if each.thread != MAIN_THREAD]
        if threads and computation.thread != threads[0]:
            changed[name] = dataclasses.replace(computation, thread=threads[0])
        elif not threads and computation.thread != MAIN_THREAD:
            for caller, start in module.callers[name]:
                if start.opcode == "async-start":
                    current = changed.get(caller.name, caller)
                    changed[caller.name] = _with_thread(current, start.name, computation.thread)
    return changed


def _with_thread(computation: Computation, start: str, thread: str) -> Computation:
    return dataclasses.replace(
        computation,
        instructions=tuple(
            dataclasses.replace(each, attributes=((THREAD, f'"{thread}"'), *each.attributes))
            if each.name == start
            else each
            for each in computation.instructions
        ),
    )
