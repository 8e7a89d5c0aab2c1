"""The tree of a program: ops below the scopes that their names say, in program order.

A scope is a run of neighbours: the JAX name ``jit(step)/jvp(layer0)/attention/dot_general`` is in ``layer0``, in the
forward pass, and there in ``attention``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from sdy.dialect.op_properties import is_constant, is_terminator
from sdy.dialect.surroundings import frontend_name
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.functions import symbol_name
from sdy.page.data_types import NodeData

_FORWARD = re.compile(r"jvp\((.*)\)")
_BACKWARD = re.compile(r"transpose\(jvp\((.*)\)\)")
_OF_REGIONS = frozenset(
    {"while", "body", "cond", "eval_jaxpr", "closed_call", "cond_branch", "branch_0_fun", "branch_1_fun"}
)


@dataclass(slots=True)
class Node:
    """A function, scope, fold of equal neighbours, stretch that repeats, or op.

    `kind` is "func", "scope", "fold", "repeat" or "op"; `op` the number of the op in the program, -1 for other nodes;
    `phase` "fwd" or "bwd" in differentiated code.
    """

    kind: str
    label: str
    op: int = -1
    phase: str = ""
    full: str = ""
    children: list[Node] = field(default_factory=list)

    def data(self) -> NodeData:
        """Return the node as data of the page."""
        found: NodeData = {"k": self.kind, "l": self.label}
        if self.op >= 0:
            found["op"] = self.op
        if self.phase:
            found["phase"] = self.phase
        if self.full and self.full != self.label:
            found["full"] = self.full
        if self.children:
            found["c"] = [child.data() for child in self.children]
        return found


def tree(module: ir.Operation, main: str | None) -> list[Node]:
    """Return the functions of a module, the main one first, and other ops of the module that have regions."""
    numbers = iter(range(1, 1 << 62))
    found = [node for node in (_top(op, numbers) for op in _ops(module)) if node is not None]
    return sorted(found, key=lambda node: node.label != f"@{main}")


def _ops(op: ir.Operation) -> Iterator[ir.Operation]:
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield inner.operation


def _top(op: ir.Operation, numbers: Iterator[int]) -> Node | None:
    number = next(numbers)
    if op.name != "func.func":
        _skip(op, numbers)
        return None
    node = Node("func", f"@{symbol_name(op)}", number)
    _fill(node, op, numbers, ())
    return node


def _skip(op: ir.Operation, numbers: Iterator[int]) -> None:
    for inner in _ops(op):
        next(numbers)
        _skip(inner, numbers)


@dataclass(slots=True)
class _Member:
    """An op of a block and its scopes; a constant without scopes gets those of the next op."""

    node: Node
    path: tuple[str, ...]
    is_loose: bool


def _fill(node: Node, op: ir.Operation, numbers: Iterator[int], around: tuple[str, ...]) -> None:
    members = [_member(inner, numbers, around) for inner in _ops(op)]
    path: tuple[str, ...] = ()
    for member in reversed(members):
        if member.is_loose:
            member.path = path
        path = member.path
    for child in _scoped(node, members):
        node.children.append(child)


def _member(op: ir.Operation, numbers: Iterator[int], around: tuple[str, ...]) -> _Member:
    number, name = next(numbers), frontend_name(op.location)
    parts = tuple(name.split("/")) if name else ()
    path = _below(parts[1:-1], around)
    node = Node("op", op.name.removeprefix("stablehlo."), number)
    inside = [sum(1 for _ in _ops_of(region)) for region in op.regions]
    if sum(inside) > 2 * len(inside):
        _fill(node, op, numbers, parts[1:])
    else:
        # The body of a reduction or a scatter, one op and what returns it, says no more than the op itself.
        _skip(op, numbers)
    return _Member(node, path, (is_constant(op) or is_terminator(op)) and len(parts) < 3)


def _ops_of(region: ir.Region) -> Iterator[ir.OpView]:
    for block in region.blocks:
        yield from block.operations


def _below(path: Sequence[str], around: tuple[str, ...]) -> tuple[str, ...]:
    """Return the scopes within an op with regions, whose own name its ops repeat."""
    shared = 0
    for mine, outer in zip(path, around, strict=False):
        if mine != outer:
            break
        shared += 1
    inner = path[shared:]
    return tuple(part for part in inner if part not in _OF_REGIONS) if around else tuple(inner)


def _scoped(node: Node, members: Iterable[_Member]) -> list[Node]:
    """Group the members into runs of equal scope, recursively."""
    top = Node("scope", "")
    stack, open_path = [top], ()
    for member in members:
        path = tuple(part for part in member.path if _named(part)[0])
        if not path and not member.node.phase:
            # JAX differentiates what has no scope of its own in one without a name.
            member.node.phase = next((phase for _, phase in map(_named, member.path) if phase), "")
        shared = 0
        while shared < min(len(path), len(open_path)) and path[shared] == open_path[shared]:
            shared += 1
        del stack[shared + 1 :]
        for part in path[shared:]:
            label, phase = _named(part)
            scope = Node("scope", label, phase=phase, full=part)
            stack[-1].children.append(scope)
            stack.append(scope)
        stack[-1].children.append(member.node)
        open_path = path
    return [_plain(child) for child in top.children]


def _named(part: str) -> tuple[str, str]:
    """Return the scope's name without the transformations around it, and their phase."""
    if found := _BACKWARD.fullmatch(part):
        return found[1], "bwd"
    if found := _FORWARD.fullmatch(part):
        return found[1], "fwd"
    return part, ""


def _plain(node: Node) -> Node:
    """A scope with one child is that child."""
    node.children = [_plain(child) for child in node.children] if node.kind == "scope" else node.children
    if node.kind == "scope" and len(node.children) == 1:
        only = node.children[0]
        only.phase = only.phase or node.phase
        return only
    return node
