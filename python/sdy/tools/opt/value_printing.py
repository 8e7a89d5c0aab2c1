"""`--mlir-print-value-users` and `--mlir-print-unique-ssa-ids`: modules with other names for values, and their users.

Every op is printed with a location that identifies it and its position in the text. Names are inserted there, and users
of its results replace the location.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field, replace

from sdy.dialect.assembly import PrintOptions, print_module
from sdy.dialect.program_values import printed_names
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.walk import identity, pre_order

_NUMBERED = re.compile(r"%\d+(#\d+)?")
_ARGUMENT = re.compile(r"%arg\d+")
_CONFLICT = re.compile(r"_\d+$")


@dataclass(slots=True)
class _Counters:
    """The next numbers: of values, of arguments of entry blocks, of names that are taken."""

    value: int = 0
    argument: int = 0
    conflict: int = 0

    def copy(self) -> _Counters:
        return _Counters(self.value, self.argument, self.conflict)


@dataclass(slots=True)
class _Scope:
    """The names in use in a region and around it."""

    around: _Scope | None = None
    names: set[str] = field(default_factory=set)

    def has(self, name: str) -> bool:
        return name in self.names or (self.around is not None and self.around.has(name))


class ValueNames:
    """The names of the values of a module, and the numbers of its ops without results.

    Ops are identified by their position in the module, parents first. `of_op` is the common name of an op's results, or
    the number of one without results; `of_argument` are the names of block arguments, by the op around, the region, the
    block, and their number.
    """

    def __init__(self, module: ir.Operation, *, are_unique: bool, ops_have_numbers: bool) -> None:
        self.of_op: dict[int, str] = {}
        self.of_argument: dict[tuple[int, int, int, int], str] = {}
        ops = pre_order(module)
        self._position = {identity(op): position for position, op in enumerate(ops)}
        self._state = printed_names(module)
        self._are_unique, self._ops_have_numbers = are_unique, ops_have_numbers
        self._counters = _Counters()
        self._scope = _Scope()
        self._name_all(module)
        self._share_loop_arguments(ops)

    def _name_all(self, module: ir.Operation) -> None:
        pending = [(module, number, self._counters.copy(), self._scope) for number in range(len(module.regions))]
        self._name_op(module)
        while pending:
            owner, number, counters, scope = pending.pop()
            self._counters = self._counters if self._are_unique else counters
            self._scope = _Scope(scope)
            region = owner.regions[number]
            for position, block in enumerate(region.blocks):
                self._name_block(owner, number, position, block)
            for op in (each.operation for block in region.blocks for each in block.operations):
                pending += [(op, each, self._counters.copy(), self._scope) for each in range(len(op.regions))]

    def _name_block(self, owner: ir.Operation, region: int, block_number: int, block: ir.Block) -> None:
        for argument in block.arguments:
            shown = argument.get_name(self._state)
            if _ARGUMENT.fullmatch(shown):
                name = self._free(f"arg{self._counters.argument}")
                self._counters.argument += 1
            else:
                name = self._given_or_next(shown)
            self.of_argument[self._position[identity(owner)], region, block_number, argument.arg_number] = name
        for op in block.operations:
            self._name_op(op.operation)

    def _name_op(self, op: ir.Operation) -> None:
        if len(op.results):
            self.of_op[self._position[identity(op)]] = self._given_or_next(
                op.results[0].get_name(self._state).partition("#")[0]
            )
        elif self._ops_have_numbers:
            self.of_op[self._position[identity(op)]] = self._next()

    def _given_or_next(self, shown: str) -> str:
        """Return the name that an op gives a value, numbered if it is in use; or else a number."""
        return self._next() if _NUMBERED.fullmatch(shown) else self._free(_CONFLICT.sub("", shown[1:]))

    def _next(self) -> str:
        self._counters.value += 1
        return str(self._counters.value - 1)

    def _free(self, name: str) -> str:
        found = name
        while self._scope.has(found):
            found = f"{name}_{self._counters.conflict}"
            self._counters.conflict += 1
        self._scope.names.add(found)
        return found

    def _share_loop_arguments(self, ops: list[ir.Operation]) -> None:
        """Print the two regions of a loop with the body's list of arguments."""
        for position, op in enumerate(ops):
            if op.name == "stablehlo.while":
                for number in range(len(op.operands)):
                    self.of_argument[position, 0, 0, number] = self.of_argument[position, 1, 0, number]


_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[()]')


@dataclass(frozen=True, slots=True)
class ValueOptions:
    """Options for printing values: their users, and numbers unique over the whole module."""

    users: bool = False
    unique: bool = False

    def __bool__(self) -> bool:
        return self.users or self.unique


def print_with_values(module: ir.Module | ir.Operation, options: PrintOptions, values: ValueOptions) -> str:
    """Return the text of `print_module` with names and comments by `values`, and full locations."""
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
    """Comments on the users of values."""

    def __init__(self, ops: Sequence[ir.Operation], names: ValueNames) -> None:
        self._ops, self._names = ops, names
        self._position = {identity(op): position for position, op in enumerate(ops)}

    def behind(self, position: int) -> str:
        """Return the comment after an op."""
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
        """Return the first ops of an op's blocks, by position, with the comments on the block's arguments."""
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
        """Return the end of the location, and its text before it was marked."""
        depth, start = 1, found.end()
        for piece in _PIECE.finditer(self._text, start):
            depth += {"(": 1, ")": -1}.get(piece[0], 0)
            if not depth:
                return piece.end(), self._text[start + 1 : piece.start() - 1]
        raise AssertionError("locations are printed whole")

    def _line_of(self, out: list[str], number: int) -> int:
        """Return the piece that begins the line of an op: that of its results, or the last one."""
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
