"""Random modules of asynchronous chains, half of them with a defect (spec: async, 18, A3)."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

A, B, K = "f32[8]", "f32[2,4]", "s32[]"


@dataclass(frozen=True)
class Op:
    """What may be wrapped: an opcode with the shapes of its operands and result."""

    opcode: str
    operands: tuple[str, ...]
    result: str
    attributes: str = ""


OPS = (
    Op("negate", (A,), A),
    Op("abs", (B,), B),
    Op("add", (A, A), A),
    Op("subtract", (B, B), B),
    Op("select", ("pred[8]", A, A), A),
    Op("clamp", (A, A, A), A),
    Op("compare", (A, A), "pred[8]", ", direction=LT"),
    Op("convert", (A,), "bf16[8]"),
    Op("reshape", (A,), B),
    Op("transpose", (B,), "f32[4,2]", ", dimensions={1,0}"),
    Op("broadcast", (A,), "f32[3,8]", ", dimensions={1}"),
    Op("concatenate", (A, A), "f32[16]", ", dimensions={0}"),
    Op("slice", (A,), "f32[4]", ", slice={[0:8:2]}"),
    Op("dynamic-slice", (A, K), "f32[4]", ", dynamic_slice_sizes={4}"),
    Op("dynamic-update-slice", (A, "f32[4]", K), A),
    Op("dot", (B, "f32[4,2]"), "f32[2,2]", ", lhs_contracting_dims={1}, rhs_contracting_dims={0}"),
    Op("reduce", (A, "f32[]"), "f32[]", ", dimensions={0}, to_apply=%sum"),
    Op("reduce-scatter", (A,), "f32[4]", ", replica_groups={{0,1}}, dimensions={0}, to_apply=%sum"),
    Op("all-to-all", (A,), A, ", replica_groups={{0,1}}, dimensions={0}"),
    Op("custom-call", (A, K), f"({A}, {B})", ', custom_call_target="two"'),
    Op("tuple", (A, B), f"({A}, {B})"),
    Op("iota", (), A, ", iota_dimension=0"),
)

DEFECTS = (
    "no done",
    "two dones",
    "shape of the done",
    "operand in the bundle",
    "result in the bundle",
    "two operations",
    "root is a parameter",
    "called elsewhere",
    "send",
    "update that branches",
    "shape of an update",
    "other done",
    "unknown attribute",
    "unknown opcode",
    "one operand too few",
    "given to a custom call",
    "two threads",
)

LIBERTIES = ("", "", "", "tuple", "copy", "read", "context", "late", "part", "done with more", "shared")
"""What XLA accepts beyond the document; nothing more often than each of these."""

_SUM = "%sum {\n  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n  ROOT %z = f32[] add(%x, %y)\n}\n"


class _Writer:
    """One module."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.computations = [_SUM]
        self.parameters: list[str] = []
        self.chains: list[list[str]] = []
        self.results: list[str] = []
        self.defect = self.random.choice(DEFECTS) if self.random.random() < 0.5 else ""

    def text(self) -> str:
        count = self.random.randint(1, 4)
        broken = self.random.randrange(count) if self.defect else -1
        for number in range(count):
            self._chain(number, self.defect if number == broken else "")
        body = self._interleaved()
        results = []
        for name, shape in self._shapes:
            if shape.startswith("("):  # a result of the program is no tuple in a tuple
                body.append(f"  {name}.0 = {A} get-tuple-element({name}), index=0")
                name, shape = f"{name}.0", A
            results.append((name, shape))
        results *= 2 if len(results) == 1 else 1  # nor a tuple of one
        shapes = ", ".join(shape for _, shape in results)
        root = f"  ROOT %root = ({shapes}) tuple({', '.join(name for name, _ in results)})"
        scheduled = ", is_scheduled=true" if self.random.random() < 0.5 else ""
        lines = "\n".join([*self.parameters, *body, root])
        return f"HloModule m{scheduled}\n\n" + "\n".join(self.computations) + f"\nENTRY %e {{\n{lines}\n}}\n"

    @property
    def _shapes(self) -> list[tuple[str, str]]:
        return [(each.partition(" ")[0], each.partition(" ")[2]) for each in self.results] or [("%p0", "f32[]")]

    def _interleaved(self) -> list[str]:
        """The chains side by side, each in its order."""
        if not self.results:
            self.parameters.append(f"  %p0 = f32[] parameter({len(self.parameters)})")
        left = [list(chain) for chain in self.chains if chain]
        found = []
        while left:
            chain = self.random.choice(left)
            found.append("  " + chain.pop(0))
            left = [each for each in left if each]
        return found

    def _parameter(self, shape: str) -> str:
        name = f"%a{len(self.parameters)}"
        self.parameters.append(f"  {name} = {shape} parameter({len(self.parameters)})")
        return name

    def _chain(self, number: int, defect: str) -> None:
        pick = self.random
        op = pick.choice(OPS)
        if defect in ("root is a parameter", "one operand too few"):
            op = pick.choice([each for each in OPS if each.operands])
        liberty = "" if defect else pick.choice(LIBERTIES)
        operands = [self._parameter(shape) for shape in op.operands]
        thread = pick.choice(["", "", ', async_execution_thread="side"'])
        computation = self._computation(number, op, defect)
        context = pick.choice([", s32[]", ", s32[]", "", ", u32[]", ", (s32[], u32[])"])
        given, late = list(operands), []
        if liberty == "late" and operands:
            late = [given.pop()]
        if defect == "one operand too few":
            given.pop()
        shapes = list(op.operands[: len(given)])
        result = op.result
        if liberty == "part":
            result = "()" if not op.result.startswith("(") else f"({A})"
        if defect == "operand in the bundle":
            shapes = [*shapes[:-1], "f32[99]"]
        if defect == "result in the bundle":
            result = "f32[99]"
        bundle = f"(({', '.join(shapes)}), {result}{context})"
        lines = [f"%st{number} = {bundle} async-start({', '.join(given)}), calls={computation}{thread}"]
        last = f"%st{number}"
        last, bundle = self._updates(lines, number, last, bundle, (op, context, late, liberty, defect, result))
        last, bundle = self._detour(lines, number, last, bundle, liberty)
        self._end(lines, number, last, bundle, op, liberty, defect)
        if liberty == "shared" or defect == "two threads":
            again = "" if liberty else ', async_execution_thread="other"'
            lines.append(
                f"%again{number} = {bundle} async-start({', '.join(given)}), calls={computation}{again or thread}"
            )
            lines.append(f"%f{number} = {op.result} async-done(%again{number})")
            self.results.append(f"%f{number} {op.result}")
        if defect == "called elsewhere":
            lines.append(f"%f{number} = {op.result} call({', '.join(operands)}), to_apply={computation}")
            self.results.append(f"%f{number} {op.result}")
        self.chains.append(lines)

    def _computation(self, number: int, op: Op, defect: str) -> str:
        name = f"%w{number}"
        names = [f"%p{position}" for position in range(len(op.operands))]
        lines = [
            f"{each} = {shape} parameter({n})" for n, (each, shape) in enumerate(zip(names, op.operands, strict=True))
        ]
        opcode = "frobnicate" if defect == "unknown opcode" else op.opcode
        attributes = op.attributes + (", replica_gruops={}" if defect == "unknown attribute" else "")
        root = f"ROOT %r = {op.result} {opcode}({', '.join(names)}){attributes}"
        if defect == "root is a parameter":
            lines[0] = "ROOT " + lines[0]
            root = ""
        elif defect == "two operations":
            root = root.replace("ROOT %r", "%q") + f"\n  ROOT %r = {op.result} copy(%q)"
        elif defect == "send":
            lines = [f"%p0 = {A} parameter(0)", "%p1 = token[] after-all()"]
            root = f"ROOT %r = ({A}, u32[], token[]) send(%p0, %p1), channel_id=1"
        self.computations.append("\n  ".join([f"{name} {{", *lines, root]) + "\n}\n")
        return name

    def _updates(
        self, lines: list[str], number: int, last: str, bundle: str, about: tuple[Op, str, list[str], str, str, str]
    ) -> tuple[str, str]:
        op, context, late, liberty, defect, result = about
        count = self.random.randint(0, 3)
        if late or defect in ("shape of an update", "update that branches"):
            count = max(count, 1)
        for step in range(count):
            added = late if step == count - 1 else []
            given = op.operands if added else None
            if added:
                bundle = f"(({', '.join(given or ())}), {result}{context})"
            if liberty == "context":
                bundle, context = f"{bundle.removesuffix(f'{context})')}, u32[])", ", u32[]"
            if defect == "shape of an update":
                bundle = f"(({', '.join(op.operands)}), f32[77]{context})"
            names = ", ".join([last, *added])
            lines.append(f"%up{number}.{step} = {bundle} async-update({names})")
            if defect == "update that branches" and step == 0:
                lines.append(f"%v{number} = {bundle} async-update({last})")
                lines.append(f"%g{number} = {op.result} async-done(%v{number})")
                self.results.append(f"%g{number} {op.result}")
            last = f"%up{number}.{step}"
        return last, bundle

    def _detour(self, lines: list[str], number: int, last: str, bundle: str, liberty: str) -> tuple[str, str]:
        if liberty == "tuple":
            lines.append(f"%tu{number} = ({bundle}, {bundle}) tuple({last}, {last})")
            lines.append(f"%ge{number} = {bundle} get-tuple-element(%tu{number}), index=1")
            return f"%ge{number}", bundle
        if liberty == "copy":
            lines.append(f"%ge{number} = {bundle} {self.random.choice(['copy', 'opt-barrier'])}({last})")
            return f"%ge{number}", bundle
        return last, bundle

    def _end(self, lines: list[str], number: int, last: str, bundle: str, op: Op, liberty: str, defect: str) -> None:
        shape = "f32[55]" if defect == "shape of the done" else op.result
        if defect == "given to a custom call":
            lines.append(f'%cc{number} = f32[] custom-call({last}), custom_call_target="takes"')
            self.results.append(f"%cc{number} f32[]")
        if liberty == "read" and op.result == A:
            lines.append(f"%re{number} = {op.result} get-tuple-element({last}), index=1")
            self.results.append(f"%re{number} {op.result}")
        if defect == "no done":
            return
        more = f", {last}" if liberty == "done with more" else ""
        done = "abs-done" if defect == "other done" and op.opcode != "abs" else "async-done"
        lines.append(f"%d{number} = {shape} {done}({last}{more})")
        self.results.append(f"%d{number} {shape}")
        if defect == "two dones" or (defect == "other done" and done == "async-done"):
            lines.append(f"%dd{number} = {shape} async-done({last})")
            self.results.append(f"%dd{number} {shape}")


def random_module(seed: int) -> str:
    """The text of a module, the same for the same seed."""
    return _Writer(seed).text()


def defect(seed: int) -> str:
    """What is wrong with it; nothing if that is empty."""
    return _Writer(seed).defect


def merged_modules(seeds: Sequence[int]) -> str:
    """The text of one module that does what the modules of all these seeds do, which is valid if all of them are."""
    computations, body, shapes, names = [], [], [], []
    number = count()
    for seed in seeds:
        text = re.sub(r"%(?=\w)", f"%m{seed}.", random_module(seed))
        called, _, entry = text.partition("\n\n")[2].partition("ENTRY ")
        *lines, root = entry.splitlines()[1:-1]
        computations.append(called)
        body += [re.sub(r"parameter\(\d+\)", lambda _: f"parameter({next(number)})", line) for line in lines]
        ends = re.fullmatch(r"  ROOT \S+ = \((.*)\) tuple\((.*)\)", root)
        assert ends is not None
        shapes.append(ends[1])
        names.append(ends[2])
    root = f"  ROOT %root = ({', '.join(shapes)}) tuple({', '.join(names)})"
    return "\n".join(["HloModule merged\n", *computations, "ENTRY %e {", *body, root, "}\n"])
