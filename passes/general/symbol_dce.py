"""symbol-dce: removes symbols that are not used and that nobody outside of the module can use, meshes included.

    sdy.mesh @unused = <["a"=2]> {sym_visibility = "private"}
    func.func private @unused_too() { return }
==>
"""

from __future__ import annotations

from sdy.dialect.definition.attributes import text_of
from sdy.dialect.symbol_uses import ops_directly_in, used_symbols
from sdy.mlir import ir
from sdy.mlir.functions import CallGraph, callee_name, calls_in
from sdy.passes.manager import run_upstream
from sdy.passes.registry import pass_

_MODULE = "builtin.module"
_VISIBILITY = "sym_visibility"


@pass_("symbol-dce", on=_MODULE)
def symbol_dce(module: ir.Operation) -> None:
    """Upstream does not know that meshes are symbols; they name no other symbols, so they can go last."""
    if not _all_are_called(module):
        run_upstream(f"{_MODULE}(symbol-dce)", module)
    _remove_meshes(module)


def _all_are_called(module: ir.Operation) -> bool:
    """Whether the private symbols are functions that public ones call, or their callees: nothing can go then.

    This is seen much faster than by upstream, which looks at all attributes of all ops.
    """
    ops = ops_directly_in(module)
    if any(op.name == _MODULE for op in ops):
        return False
    private = {text_of(op.attributes["sym_name"]) for op in ops if op.name != "sdy.mesh" and _is_private(op)}
    if not private:
        return True
    if len(private) > len({callee_name(call) for call in calls_in(module)}):
        return False
    calls = CallGraph(module).calls
    pending = [name for name in calls if name not in private]
    while pending:
        for call in calls.get(pending.pop(), ()):
            callee = callee_name(call)
            if callee in private:
                private.remove(callee)
                pending.append(callee)
    return not private


def _is_private(op: ir.Operation) -> bool:
    return _VISIBILITY in op.attributes and text_of(op.attributes[_VISIBILITY]) != "public"


def _remove_meshes(table: ir.Operation) -> None:
    """Removes unused meshes from `table` and the modules in it. Nothing outside of the outermost one sees any of it."""
    candidates: dict[str, ir.Operation] = {}
    for op in ops_directly_in(table):
        if op.name == _MODULE:
            _remove_meshes(op)
        elif op.name == "sdy.mesh" and _is_private(op):
            candidates[text_of(op.attributes["sym_name"])] = op
    if candidates:
        for name in used_symbols(table):
            candidates.pop(name, None)
    for mesh in candidates.values():
        mesh.erase()
