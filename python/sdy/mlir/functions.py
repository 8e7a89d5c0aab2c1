"""Functions, their bodies, calls, arguments and results."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Literal

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.search import ops_named
from sdy.mlir.walk import pre_order

ORIGINAL_NAME = "sdy.original_func_name"


def symbol_name(op: ir.Operation) -> str:
    return ir.StringAttr(op.attributes["sym_name"]).value


def original_name(func: ir.Operation) -> str:
    """Return the name of the function that `func` was cloned from; its own name if it is not a clone."""
    if ORIGINAL_NAME in func.attributes:
        return ir.StringAttr(func.attributes[ORIGINAL_NAME]).value
    return symbol_name(func)


def callee_name(call: ir.Operation) -> str:
    """The name of the function that a `func.call` calls."""
    return ir.FlatSymbolRefAttr(call.attributes["callee"]).value


def set_callee(call: ir.Operation, name: str) -> None:
    call.attributes["callee"] = ir.FlatSymbolRefAttr.get(name)


def has_body(func: ir.Operation) -> bool:
    """Return whether `func` is a definition, not a declaration."""
    return len(func.regions[0].blocks) > 0


def is_private(func: ir.Operation) -> bool:
    """Return whether a function's visibility restricts callers to its module."""
    return "sym_visibility" in func.attributes and func.attributes["sym_visibility"].value == "private"


def body(func: ir.Operation) -> ir.Block:
    """The entry block of a function definition."""
    return func.regions[0].blocks[0]


def module_body(module: ir.Operation) -> ir.Block:
    return module.regions[0].blocks[0]


def top_level(module: ir.Module | ir.Operation) -> list[ir.Operation]:
    """The ops of the module's body."""
    return [op.operation for op in module_body(module.operation).operations]


def funcs(module: ir.Module | ir.Operation) -> list[ir.Operation]:
    """Return the functions of the module, declarations included, in order."""
    return [op for op in top_level(module) if op.name == "func.func"]


def funcs_in_modules(module: ir.Operation) -> list[ir.Operation]:
    """The functions of the module and of the modules in it, declarations included, in order."""
    found: list[ir.Operation] = []
    for op in top_level(module):
        if op.name == "func.func":
            found.append(op)
        elif op.name == "builtin.module":
            found += funcs_in_modules(op)
    return found


def calls_in(op: ir.Operation) -> list[ir.Operation]:
    """The `func.call` ops below `op` in textual order."""
    return ops_named(op, "func.call")


def calls_by_callee(module: ir.Operation) -> dict[str, list[ir.Operation]]:
    """The calls of each called function, by its name."""
    found: dict[str, list[ir.Operation]] = {}
    for call in calls_in(module):
        found.setdefault(callee_name(call), []).append(call)
    return found


def enclosing_function(op: ir.Operation) -> ir.Operation:
    """Return the top-level op of the module that `op` is, or is nested in."""
    parent = op.parent.operation
    while parent.name != "builtin.module":
        op, parent = parent, parent.parent.operation
    return op


def main_function(module: ir.Operation) -> ir.Operation:
    """Return the only function of the module, or the one named `main` if there are several.

    Raises `DiagnosticError` at the module if there is neither.
    """
    candidates = funcs(module)
    if len(candidates) == 1:
        return candidates[0]
    for func in candidates:
        if symbol_name(func) == "main":
            return func
    raise DiagnosticError(module, "expected a function named 'main', or exactly one function")


def check_defined(function: ir.Operation) -> None:
    """Raises `DiagnosticError` at a function that is only declared."""
    if not len(function.regions[0].blocks):
        raise DiagnosticError(function, "is declared, and has no body")


def is_return(last: ir.Operation) -> bool:
    """Return whether the terminator of a function returns its operands; terminators of unknown dialects count."""
    return last.name == "func.return" or not last.context.is_registered_operation(last.name)


# Symbols -----------------------------------------------------------------------------------------


class ModuleSymbols:
    """The symbols of a module by name, for a pass that inserts new ones.

    A used name gets the suffix `_k`, where k counts all attempts of this object.
    """

    def __init__(self, module: ir.Operation) -> None:
        self._module = module
        self._ops = {symbol_name(op): op for op in top_level(module) if "sym_name" in op.attributes}
        self._attempts = 0

    def __contains__(self, name: str) -> bool:
        return name in self._ops

    def get(self, name: str) -> ir.Operation | None:
        return self._ops.get(name)

    def callee(self, call: ir.Operation) -> ir.Operation:
        """Return the callee of a `func.call`. Raises `DiagnosticError` at the call if there is none."""
        func = self._ops.get(callee_name(call))
        if func is None or func.name != "func.func":
            raise DiagnosticError(call, f"calls '{callee_name(call)}', which is not a function of the module")
        return func

    def reserve(self, name: str) -> str:
        """Reserve a unique name like `name` for an op that is inserted later, and return it."""
        unique = self._unique(name)
        self._ops[unique] = self._module
        return unique

    def insert_reserved(self, op: ir.Operation) -> None:
        """Insert an op with a reserved name at the end of the module."""
        self._ops[symbol_name(op)] = op
        module_body(self._module).append(op)

    def _unique(self, name: str) -> str:
        """Return `name`, or its first free variant."""
        unique = name
        while unique in self._ops:
            unique = f"{name}_{self._attempts}"
            self._attempts += 1
        return unique

    def insert(self, op: ir.Operation) -> str:
        """Insert `op` under a unique name, which is returned; at the end of the module if it has no parent."""
        name = symbol_name(op)
        unique = self._unique(name)
        if unique != name:
            op.attributes["sym_name"] = ir.StringAttr.get(unique)
        self._ops[unique] = op
        if not op.attached:
            module_body(self._module).append(op)
        return unique

    def erase(self, op: ir.Operation) -> None:
        """Erases a symbol op; its name becomes free."""
        del self._ops[symbol_name(op)]
        op.erase()


# The call graph ----------------------------------------------------------------------------------


MOST_COPIED = 1 << 20
"""Ops that copies of functions, one for each call, may have together: some minutes and gigabytes."""


@dataclass(slots=True)
class CallGraph:
    """Call graph of functions with a body, taken when the object is made.

    `calls[name]` lists the `func.call` ops of a function in textual order; `callee_first` lists the functions in the
    post-order of a depth-first search from all functions, in module order. With `nested`, functions of nested modules
    are included; no two may have one name.
    """

    module: ir.Operation
    nested: bool = False
    calls: dict[str, list[ir.Operation]] = field(init=False)
    callee_first: list[ir.Operation] = field(init=False)
    _names: list[str] = field(init=False)
    """Names of `callee_first`."""
    _position: dict[str, int] = field(init=False)
    """Indices in `callee_first`, by name."""

    def __post_init__(self) -> None:
        found = funcs_in_modules(self.module) if self.nested else funcs(self.module)
        nodes = {symbol_name(func): func for func in found if has_body(func)}
        self.calls = {name: [] for name in nodes}
        for call in calls_in(self.module):
            caller = symbol_name(enclosing_function(call))
            if caller in self.calls:
                self.calls[caller].append(call)
        self._names = self._leaving_order()
        self._position = {name: index for index, name in enumerate(self._names)}
        self.callee_first = [nodes[name] for name in self._names]

    @property
    def caller_first(self) -> list[ir.Operation]:
        """`callee_first` reversed."""
        return self.callee_first[::-1]

    def all_calls(self) -> list[ir.Operation]:
        """Return all calls, function by function in callee-first order."""
        return [call for name in self._names for call in self.calls[name]]

    def check_acyclic(self) -> None:
        """Raise `DiagnosticError` at a call by which a function calls itself, directly or indirectly."""
        for index, name in enumerate(self._names):
            for call in self.calls[name]:
                # The search leaves a caller before its callee only where the call closes a cycle.
                if self._position.get(callee_name(call), -1) >= index:
                    raise DiagnosticError(call, f"recursive call of '{callee_name(call)}' is not supported")

    def check_growth(self) -> None:
        """Raises `DiagnosticError` at a call if a copy of each callee for each call makes more than `MOST_COPIED` ops.

        Calls that close a cycle do not count: whoever copies refuses or keeps them.
        """
        copies = dict.fromkeys(self.calls, 0)
        called: dict[str, ir.Operation] = {}
        copied = 0
        for name in reversed(self._names):
            count = max(1, copies[name])
            if count > 1:
                copied += (count - 1) * len(pre_order(self.callee_first[self._position[name]]))
                if copied > MOST_COPIED:
                    message = (
                        f"is one of {count} ways to '{name}': a copy for each call makes more than {MOST_COPIED} ops"
                    )
                    raise DiagnosticError(called[name], message)
            for call in self.calls[name]:
                callee = callee_name(call)
                if self._position.get(callee, len(copies)) < self._position[name]:
                    copies[callee] += count
                    called[callee] = call

    def _leaving_order(self) -> list[str]:
        left: list[str] = []
        seen: set[str] = set()
        for root in self.calls:
            if root in seen:
                continue
            seen.add(root)
            path = [(root, iter(self.calls[root]))]
            while path:
                name, rest = path[-1]
                for call in rest:
                    callee = callee_name(call)
                    if callee in self.calls and callee not in seen:
                        seen.add(callee)
                        path.append((callee, iter(self.calls[callee])))
                        break
                else:
                    left.append(name)
                    path.pop()
        return left


# Cloning -----------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Frame:
    """A clone whose calls are being redirected."""

    source: str
    clone: ir.Operation
    calls: Iterator[ir.Operation]
    call: ir.Operation | None = None


def clone_recursively(func: ir.Operation, symbols: ModuleSymbols) -> ir.Operation:
    """Clone `func`, outside of the module; its calls go to inserted clones of their own.

    Raises `DiagnosticError` at a recursive call.
    """
    path = [_frame(func)]
    active = {path[0].source}
    while True:
        frame = path[-1]
        frame.call = next(frame.calls, None)
        if frame.call is not None:
            callee = symbols.callee(frame.call)
            if symbol_name(callee) in active:
                raise DiagnosticError(frame.call, f"recursive call of '{symbol_name(callee)}' is not supported")
            path.append(_frame(callee))
            active.add(path[-1].source)
            continue
        path.pop()
        active.remove(frame.source)
        if not path:
            return frame.clone
        caller = path[-1].call
        assert caller is not None
        set_callee(caller, symbols.insert(frame.clone))


def _frame(func: ir.Operation) -> _Frame:
    clone = func.clone(ip=False).operation
    clone.attributes[ORIGINAL_NAME] = ir.StringAttr.get(original_name(func))
    return _Frame(symbol_name(func), clone, iter(calls_in(clone)))


ARGUMENTS, RESULTS = "arg_attrs", "res_attrs"

Entries = dict[str, ir.Attribute]


def boundary_types(func: ir.Operation, kind: str) -> list[ir.Type]:
    """The types of the arguments or the results of a function."""
    type_ = func.attributes["function_type"].value
    return list(type_.inputs if kind == ARGUMENTS else type_.results)


def entries_of(func: ir.Operation, kind: str) -> list[Entries]:
    """The attributes of each argument or result of a function; empty ones if there are none."""
    stored = func.attributes
    if kind not in stored:
        return [{} for _ in boundary_types(func, kind)]
    return [{each.name: each.attr for each in entries} for entries in stored[kind]]


def put_entries(func: ir.Operation, kind: str, entries: Sequence[Mapping[str, ir.Attribute]]) -> None:
    """Replace the attributes of all arguments or results of a function."""
    if any(entries):
        func.attributes[kind] = ir.ArrayAttr.get([ir.DictAttr.get(dict(each)) for each in entries])
    elif kind in func.attributes:
        del func.attributes[kind]


def map_entries(func: ir.Operation, update: Callable[[Entries], Entries]) -> None:
    """Replace the attributes of every argument and result of `func` that has some by the result of `update`."""
    for kind in (ARGUMENTS, RESULTS):
        if kind in func.attributes:
            put_entries(func, kind, list(map(update, entries_of(func, kind))))


def _function_type(inputs: Iterable[ir.Type], results: Iterable[ir.Type]) -> ir.Attribute:
    return ir.TypeAttr.get(ir.FunctionType.get(list(inputs), list(results)))


def new_function(
    name: str,
    inputs: Iterable[ir.Type],
    results: Iterable[ir.Type],
    attributes: Mapping[str, ir.Attribute] | None = None,
    *,
    is_private: bool = False,
    loc: ir.Location | None = None,
    ip: ir.InsertionPoint | Literal[False] | None = None,
) -> ir.Operation:
    """Build a function without a block; `loc` and `ip` are those of `ir.Operation.create`."""
    given = {"sym_name": ir.StringAttr.get(name), "function_type": _function_type(inputs, results)}
    if is_private:
        given["sym_visibility"] = ir.StringAttr.get("private")
    return ir.Operation.create("func.func", attributes=given | dict(attributes or {}), regions=1, loc=loc, ip=ip)


def set_boundary_types(func: ir.Operation, inputs: Sequence[ir.Type], results: Sequence[ir.Type]) -> None:
    """Set the types of the arguments and the results of a function, which may have a body."""
    if has_body(func):
        for argument, type_ in zip(body(func).arguments, inputs, strict=True):
            argument.set_type(type_)
    func.attributes["function_type"] = _function_type(inputs, results)


def return_instead(block: ir.Block, values: Sequence[ir.Value] | None = None, name: str | None = None) -> None:
    """Replace the op that ends a block by one of that name, which returns `values`; by default they stay."""
    last = block.operations[len(block.operations) - 1].operation
    returned = list(last.operands) if values is None else list(values)
    ir.Operation.create(name or last.name, operands=returned, loc=last.location, ip=ir.InsertionPoint(last))
    last.erase()


def update_function_type(func: ir.Operation) -> None:
    """Set the type of a function of one block from its arguments and its return."""
    block = body(func)
    returned = block.operations[len(block.operations) - 1].operation.operands
    lists = ([value.type for value in values] for values in (block.arguments, returned))
    func.attributes["function_type"] = _function_type(*lists)


def drop_arguments_and_results(func: ir.Operation, arguments: Collection[int], results: Collection[int]) -> None:
    """Remove arguments without uses, and results, of a function of one block, with their attributes."""
    block = body(func)
    if results:
        returned = block.operations[len(block.operations) - 1].operation.operands
        return_instead(block, [operand for number, operand in enumerate(returned) if number not in results])
    for number in sorted(arguments, reverse=True):
        block.erase_argument(number)
    update_function_type(func)
    for kind, dropped in ((ARGUMENTS, arguments), (RESULTS, results)):
        if kind in func.attributes:
            entries = enumerate(entries_of(func, kind))
            put_entries(func, kind, [each for number, each in entries if number not in dropped])


def set_entry(func: ir.Operation, kind: str, index: int, name: str, attr: ir.Attribute) -> None:
    """Sets attribute `name` of an argument (`kind` arg_attrs) or result (res_attrs) of a function."""
    entries = entries_of(func, kind)
    entries[index][name] = attr
    put_entries(func, kind, entries)
