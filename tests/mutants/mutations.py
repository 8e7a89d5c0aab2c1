"""The mutations of a file, and the sample of all of them that is run."""

from __future__ import annotations

import ast
import copy
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from tests.mutants.probe import ROOMS, ROOT

SAMPLE = {
    "dialect": 52,
    "importing": 36,
    "propagation": 52,
    "exporting": 46,
    "partitioning": 60,
    "python/sdy": 54,
}
"""Mutants of each room; those of `passes/` that are in none of these folders count as `python/sdy`: they serve it."""


@dataclass(frozen=True)
class Mutation:
    """One change of one expression or statement.

    Attributes:
      path: the file, from the root of the checkout.
      function: the qualified name of the function that it is in.
      original, mutated: the expression or statement before and after.
      occurrence: which one it is of those that read the same in this function.
      lines: where it stands.
      span: the bytes that `mutated` replaces.
    """

    path: str
    function: str
    original: str
    mutated: str
    occurrence: int
    lines: range
    span: tuple[int, int]
    replacement: str

    @property
    def room(self) -> str:
        parts = self.path.split("/")
        name = parts[1] if parts[0] == "passes" else parts[0]
        return name if name in SAMPLE else "python/sdy"

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """What names it for as long as its function stays as it is."""
        return (self.path, self.function, self.original, self.mutated, self.occurrence)

    @cached_property
    def rank(self) -> str:
        """A random number that does not depend on the file, nor on what else there is."""
        described = "\n".join([self.function, self.original, self.mutated, str(self.occurrence)])
        return hashlib.sha256(described.encode()).hexdigest()

    def __str__(self) -> str:
        more = f" (occurrence {self.occurrence})" if self.occurrence else ""
        return f"{self.path}:{self.lines.start} {self.function}: {self.original} => {self.mutated}{more}"

    def source(self) -> str:
        """The file with the mutation."""
        text = (ROOT / self.path).read_bytes()
        return (text[: self.span[0]] + self.replacement.encode() + text[self.span[1] :]).decode()


def sample(candidates: Iterable[Mutation]) -> list[Mutation]:
    """The mutants that are run: of each room as many as `SAMPLE` says, the same for as long as they exist."""
    chosen: list[Mutation] = []
    by_room: dict[str, list[Mutation]] = {room: [] for room in SAMPLE}
    for one in candidates:
        by_room[one.room].append(one)
    for room, count in SAMPLE.items():
        chosen += sorted(by_room[room], key=lambda one: one.rank)[:count]
    return chosen


def every() -> Iterator[Mutation]:
    """All mutations of all files."""
    for room in ROOMS:
        for file in sorted((ROOT / room).rglob("*.py")):
            relative = file.relative_to(ROOT)
            if not any((ROOT / folder).is_symlink() for folder in relative.parents):
                yield from mutations(file.relative_to(ROOT).as_posix(), file.read_bytes())


def mutations(path: str, text: bytes) -> Iterator[Mutation]:
    """All mutations of a file."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    counts: Counter[tuple[str, str, str]] = Counter()
    for function, node, parent, new in _changes(ast.parse(text)):
        assert node.end_lineno is not None and node.end_col_offset is not None
        span = (starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset)
        original, mutated = _before_and_after(node, new, parent)
        key = (function, original, mutated)
        replacement = ast.unparse(new)
        lines = range(node.lineno, node.end_lineno + 1)
        yield Mutation(
            path,
            function,
            original,
            mutated,
            counts[key],
            lines,
            span,
            replacement if isinstance(new, ast.stmt) else f"({replacement})",
        )
        counts[key] += 1


def _before_and_after(node: ast.AST, new: ast.AST, parent: ast.AST) -> tuple[str, str]:
    """Text that shows the change; constants together with what they are in."""
    if not isinstance(node, ast.Constant) or hasattr(parent, "body"):
        return ast.unparse(node), ast.unparse(new)
    changed = copy.copy(parent)
    for field, value in ast.iter_fields(parent):
        if value is node:
            setattr(changed, field, new)
        elif isinstance(value, list):
            setattr(changed, field, [new if child is node else child for child in value])
    return ast.unparse(parent), ast.unparse(changed)


# What is changed, and into what -----------------------------------------------------------------

_COMPARISONS: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.Lt: ast.LtE(),
    ast.LtE: ast.Lt(),
    ast.Gt: ast.GtE(),
    ast.GtE: ast.Gt(),
    ast.In: ast.NotIn(),
    ast.NotIn: ast.In(),
    ast.Is: ast.IsNot(),
    ast.IsNot: ast.Is(),
}
_OPERATORS: dict[type[ast.operator], ast.operator] = {
    ast.Add: ast.Sub(),
    ast.Sub: ast.Add(),
    ast.Mult: ast.FloorDiv(),
    ast.FloorDiv: ast.Mult(),
    ast.Mod: ast.FloorDiv(),
    ast.BitOr: ast.BitAnd(),
    ast.BitAnd: ast.BitOr(),
}
_FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}
_NEGATED_ELSEWHERE = (ast.Compare, ast.UnaryOp, ast.Constant)

_BODY = "()"
"""Stands for the body of a function among the names around an expression."""

_TEXTS = (ast.Constant, ast.JoinedStr, ast.List, ast.ListComp, ast.Tuple)


def _changes(tree: ast.Module) -> Iterator[tuple[str, ast.expr | ast.stmt, ast.AST, ast.expr | ast.stmt]]:
    """Function, expression or statement, what it stands in, and what may take its place."""
    for function, node, parent in _inside_functions(tree, (), tree):
        for new in _replacements(node, parent):
            yield function, node, parent, new


def _inside_functions(
    node: ast.AST, names: tuple[str, ...], parent: ast.AST
) -> Iterator[tuple[str, ast.expr | ast.stmt, ast.AST]]:
    """Expressions and statements of functions with the name of the function; no annotations, no assertions, no text."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        inner = (*names, node.name)
        is_function = not isinstance(node, ast.ClassDef)
        for child in node.body:
            yield from _inside_functions(child, (*inner, _BODY) if is_function else inner, node)
        return
    if isinstance(node, ast.Assert | ast.JoinedStr) or (isinstance(node, ast.keyword) and node.arg == "strict"):
        return
    if _BODY in names and isinstance(node, ast.expr | ast.stmt):
        yield ".".join(name for name in names if name != _BODY), node, parent
    for field, value in ast.iter_fields(node):
        if field == "annotation":
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _inside_functions(child, names, node)


def _replacements(node: ast.expr | ast.stmt, parent: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    match node:
        case ast.Compare(left=left, ops=ops, comparators=right):
            for number, op in enumerate(ops):
                yield ast.Compare(left, [*ops[:number], _COMPARISONS[type(op)], *ops[number + 1 :]], right)
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.BinOp(left=left, op=op, right=right):
            if type(op) in _OPERATORS and not (_is_text(left) or _is_text(right)):
                yield ast.BinOp(left, _OPERATORS[type(op)], right)
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)) if not isinstance(parent, ast.UnaryOp):
            yield ast.Constant(0 if value == 1 else value + 1)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords) if name in _FUNCTIONS:
            kept = [] if name == "sorted" else keywords
            yield ast.Call(ast.Name(_FUNCTIONS[name]), args, kept)
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Continue():
            yield ast.Pass()
        case _:
            pass
    if isinstance(node, ast.expr) and _is_condition(node, parent) and not isinstance(node, _NEGATED_ELSEWHERE):
        yield ast.UnaryOp(ast.Not(), node)


def _is_text(node: ast.expr) -> bool:
    """Whether there is no other operator that could stand beside it."""
    return isinstance(node, _TEXTS) and not (isinstance(node, ast.Constant) and not isinstance(node.value, str))


def _is_condition(node: ast.AST, parent: ast.AST) -> bool:
    match parent:
        case ast.If(test=test) | ast.IfExp(test=test):
            return node is test
        case ast.comprehension(ifs=conditions):
            return any(node is condition for condition in conditions)
    return False
