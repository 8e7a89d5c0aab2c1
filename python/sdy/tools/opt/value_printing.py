"""`--mlir-print-value-users` and `--mlir-print-unique-ssa-ids`: modules with other names for values, and their users.

Every op is printed with a location that says which it is. So its place in the text is known: what it is called is put
there, and who uses its results in place of the location.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sdy.dialect.assembly import PrintOptions, print_module
from sdy.mlir import ir
from sdy.mlir.walk import identity, pre_order
from sdy.tools.opt.value_naming import ValueNames

_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[()]')


@dataclass(frozen=True, slots=True)
class ValueOptions:
    """What is shown of values: who uses them, and numbers that count up over the whole module."""

    users: bool = False
    unique: bool = False

    def __bool__(self) -> bool:
        return self.users or self.unique


def print_with_values(module: ir.Module | ir.Operation, options: PrintOptions, values: ValueOptions) -> str:
    """The module as `print_module` prints it, with names and comments as `values` says; locations are spelled out."""
    module = module.operation
    names = ValueNames(module, are_unique=values.unique, ops_have_numbers=values.users)
    mark = _unused_mark(print_module(module, PrintOptions(generic=True, debug_info=True)))
    copy = module.clone().operation
    named = _mark(copy, names, mark)
    shown = replace(options, debug_info=True, pretty_debug_info=False, local_scope=True, name_loc_as_prefix=True)
    text = print_module(copy, shown)
    comments = _Comments(pre_order(module), names) if values.users else None
    text = _Text(text, mark, options.debug_info or options.pretty_debug_info).finished(comments)
    # The bindings print a value that has the same name as another one with a number behind it.
    return re.sub(rf"%{mark}(\d+)(?:_\d+)?\b", lambda found: f"%{named[int(found[1])]}", text)


def _unused_mark(text: str) -> str:
    mark = "sdyvalue"
    while mark in text:
        mark += "x"
    return mark


def _mark(module: ir.Operation, names: ValueNames, mark: str) -> dict[int, str]:
    """Gives ops and block arguments locations with a mark; returns the name of the values of each.

    An op has its position as its number; block arguments count on from there.
    """
    ops = pre_order(module)
    named = dict(names.of_op)
    by_name: dict[tuple[int, str], int] = {}
    for position, op in enumerate(ops):
        op.location = ir.Location.name(f"{mark}{position}", op.location, op.context)
        for region, each in enumerate(op.regions):
            for number, block in enumerate(each.blocks):
                for argument in block.arguments:
                    name = names.of_argument[position, region, number, argument.arg_number]
                    # Both regions of a loop have arguments of one name, which its list of arguments shows once.
                    marked = by_name.setdefault((position, name), len(ops) + len(by_name))
                    named[marked] = name
                    argument.set_location(ir.Location.name(f"{mark}{marked}", argument.location, op.context))
    return named


class _Comments:
    """What is said of the users of values."""

    def __init__(self, ops: Sequence[ir.Operation], names: ValueNames) -> None:
        self._ops, self._names = ops, names
        self._position = {identity(op): position for position, op in enumerate(ops)}

    def behind(self, position: int) -> str:
        """What stands behind an op."""
        op = self._ops[position]
        if not len(op.results):
            return f" // id: %{self._names.of_op[position]}" if len(op.operands) else ""
        users = {identity(use.owner.operation): use.owner.operation for one in op.results for use in one.uses}
        if not users:
            return " // unused"
        is_one = len(users) == 1 and sum(len(user.results) for user in users.values()) <= 1
        shown = [self._users(result) for result in op.results]
        return f" // {'user' if is_one else 'users'}: " + (
            ", ".join(f"({one})" for one in shown) if len(shown) > 1 else shown[0]
        )

    def before_blocks_of(self, position: int) -> Iterator[tuple[int, list[str]]]:
        """The first ops of the blocks of an op, by position, with what is said of the arguments of the block."""
        for region, each in enumerate(self._ops[position].regions):
            for number, block in enumerate(each.blocks):
                if len(block.arguments) and len(block.operations):
                    first = self._position[identity(block.operations[0].operation)]
                    yield first, [self._of_argument(position, region, number, one) for one in block.arguments]

    def _of_argument(self, position: int, region: int, block: int, argument: ir.BlockArgument) -> str:
        name = self._names.of_argument[position, region, block, argument.arg_number]
        users = f"used by {self._users(argument)}" if any(True for _ in argument.uses) else "unused"
        return f"// %{name} is {users}"

    def _users(self, value: ir.Value) -> str:
        users = {identity(use.owner.operation): use.owner.operation for use in value.uses}
        return ", ".join(name for user in users.values() for name in self._called(user)) or "unused"

    def _called(self, op: ir.Operation) -> list[str]:
        """The results of an op, or the op itself."""
        name = f"%{self._names.of_op[self._position[identity(op)]]}"
        return [f"{name}#{number}" for number in range(len(op.results))] if len(op.results) > 1 else [name]


class _Text:
    """A printed module whose ops have locations with marks."""

    def __init__(self, text: str, mark: str, shows_locations: bool) -> None:
        self._text, self._mark, self._shows_locations = text, mark, shows_locations
        self._location = re.compile(rf' ?loc\("{mark}(\d+)"')

    def finished(self, comments: _Comments | None) -> str:
        """The text with the locations that are wanted, and with comments."""
        out: list[str] = []
        starts: dict[int, int] = {}
        """By position of an op: the piece of `out` before which its line starts."""
        at = 0
        while found := self._location.search(self._text, at):
            end, inner = self._whole(found)
            out += self._text[at : found.start()].splitlines(keepends=True)
            out.append(f" loc({inner})" if self._shows_locations and inner else "")
            number = int(found[1])
            if comments is not None and number in comments._names.of_op:
                out.append(comments.behind(number))
                starts[number] = self._line_of(out, number)
            at = end
        out.append(self._text[at:])
        if comments is not None:
            self._insert(out, starts, comments)
        return "".join(out)

    def _whole(self, found: re.Match[str]) -> tuple[int, str]:
        """Where the location ends, and what it was before it was marked."""
        depth, start = 1, found.end()
        for piece in _PIECE.finditer(self._text, start):
            depth += {"(": 1, ")": -1}.get(piece[0], 0)
            if not depth:
                return piece.end(), self._text[start + 1 : piece.start() - 1]
        raise AssertionError("locations are printed whole")

    def _line_of(self, out: list[str], number: int) -> int:
        """The piece that begins the line on which an op stands: that of its results, or the last one."""
        start = re.compile(rf"\s*%{self._mark}{number}(?:_\d+)?(?::\d+)? = ")
        last = next(index for index in range(len(out) - 1, -1, -1) if not index or out[index - 1].endswith("\n"))
        return next((index for index in range(last, -1, -1) if start.match(out[index])), last)

    def _insert(self, out: list[str], starts: dict[int, int], comments: _Comments) -> None:
        lines = [
            (starts[first], said)
            for position in range(len(comments._ops))
            for first, said in comments.before_blocks_of(position)
            if first in starts
        ]
        for index, said in sorted(lines, reverse=True):
            indent = out[index][: len(out[index]) - len(out[index].lstrip(" "))]
            out[index:index] = [f"{indent}{one}\n" for one in said]
