"""Upstream's cleanup passes, with the additional steps that the dialect needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from enum import Enum

from sdy.dialect.canonicalization import LABELS, canonicalize
from sdy.dialect.definition.attributes import text_of
from sdy.dialect.hlo_async.declarations import START
from sdy.dialect.symbol_uses import ops_directly_in, used_symbols
from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir
from sdy.mlir.diagnostics import DiagnosticError
from sdy.mlir.functions import CallGraph, callee_name, calls_in, symbol_name
from sdy.mlir.rewriting import inline_call
from sdy.passes.manager import PlannedStep, plan, run_upstream
from sdy.passes.options import option
from sdy.passes.registry import pass_
from sdy.passes.steps import ANY, FUNCTION, MODULE


class RegionSimplification(Enum):
    """Levels of region simplification; the values are upstream's."""

    DISABLED = "disabled"
    NORMAL = "normal"
    AGGRESSIVE = "aggressive"


@dataclass(frozen=True, slots=True)
class CanonicalizeOptions:
    """Options of upstream's pass."""

    enable_patterns: tuple[str, ...] = option(
        (), f"only patterns with one of these labels: {', '.join(LABELS)}, or upstream's"
    )
    disable_patterns: tuple[str, ...] = option((), "no patterns with one of these labels")
    top_down: bool = option(True, "visit ops in textual order first")
    region_simplify: RegionSimplification = option(RegionSimplification.NORMAL, "amount of region simplification")
    max_iterations: int = option(10, "sweeps over the module before it is left; -1: any")
    max_num_rewrites: int = option(-1, "applications of patterns, of this dialect or upstream's, in one sweep; -1: any")
    test_convergence: bool = option(False, "fail if patterns still apply after that many sweeps")


@pass_("canonicalize", on=ANY, options=CanonicalizeOptions)
def canonicalize_ops(op: ir.Operation, options: CanonicalizeOptions) -> None:
    """canonicalize: Rewrite ops to their canonical form, by the patterns of the dialect and of upstream.

        %1 = sdy.reshard %0 <@mesh, [{"a"}]> : tensor<8xf32>
        %2 = sdy.reshard %1 <@mesh, [{}]> : tensor<8xf32>
    ==> %1 = sdy.reshard %0 <@mesh, [{}]> : tensor<8xf32>
    """
    converged = canonicalize(
        op,
        options.enable_patterns,
        options.disable_patterns,
        top_down=options.top_down,
        region_simplify=options.region_simplify.value,
        max_iterations=options.max_iterations,
        max_num_rewrites=options.max_num_rewrites,
    )
    if options.test_convergence and not converged:
        raise DiagnosticError(op, f"patterns still apply after {options.max_iterations} sweeps")


_MODULE = "builtin.module"
_VISIBILITY = "sym_visibility"


@pass_("symbol-dce", on=_MODULE)
def symbol_dce(module: ir.Operation) -> None:
    """symbol-dce: Remove private symbols without uses, meshes included.

        sdy.mesh @unused = <["a"=2]> {sym_visibility = "private"}
        func.func private @unused_too() { return }
    ==>
    """
    if not _all_are_called(module):
        run_upstream(f"{_MODULE}(symbol-dce)", module)
    # Upstream does not know that meshes are symbols; they name no other symbols, so they can go last.
    _remove_meshes(module)


def _all_are_called(module: ir.Operation) -> bool:
    """Return whether all private symbols are functions that public ones call, or their callees: all of them stay.

    Upstream refuses modules with unregistered ops that may define symbols, even if nothing has to be removed.
    """
    ops = ops_directly_in(module)
    if any(op.name == _MODULE for op in ops):
        return False
    private = {text_of(op.attributes["sym_name"]) for op in ops if op.name != "sdy.mesh" and _is_private(op)}
    calls = CallGraph(module).calls if private else {}
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
    """Remove unused meshes from `table` and the modules in it; only symbols inside the outermost one count as uses."""
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


_NO_INLINE = "no_inline"


@dataclass(frozen=True, slots=True)
class InlineOptions:
    """Supported options of upstream's pass."""

    default_pipeline: str = option("canonicalize", "passes that run on each function before and after, or nothing")

    def __post_init__(self) -> None:
        """Raises `ValueError` for passes that there are not."""
        self.planned()

    def planned(self) -> Sequence[PlannedStep]:
        return plan(f"{FUNCTION}({self.default_pipeline})") if self.default_pipeline else ()


@pass_("inline", on=MODULE, options=InlineOptions)
def inline(module: ir.Operation, options: InlineOptions) -> None:
    """inline: Inline function calls, in named computations as well.

        func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
          %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
          %0 = sdy.reshard %arg0 <@mesh, [{}]> : tensor<8xf32>
          return %0 : tensor<8xf32>
        }
    ==> func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
          %0 = sdy.reshard %arg0 <@mesh, [{}]> : tensor<8xf32>
          return %0 : tensor<8xf32>
        }

    Private functions without remaining calls are erased. Shardings of the callee's arguments and results are lost.
    """
    passes = options.planned()

    def simplify(func: ir.Operation) -> None:
        for each in passes:
            each.run(func)

    CallGraph(module).check_growth()
    # Upstream asks the dialect of an op whether it may be inlined, and IRDL has no way to answer. So calls of functions
    # of one block are replaced here, in upstream's order, and upstream sees to functions of more blocks.
    _Inliner(module, simplify).run()
    if any(len(func.regions[0].blocks) > 1 for func in CallGraph(module).callee_first):
        run_upstream(f"{MODULE}(inline{{default-pipeline={{{options.default_pipeline}}}}})", module)


class _Inliner:
    """Goes through the functions, callees first.

    A private function is moved into its last remaining call, and erased if nothing refers to it when it is visited.
    These calls are not inlined: calls that close a cycle, calls or callees marked so, and calls started as an
    asynchronous operation, which has to stay one op.
    """

    def __init__(self, module: ir.Operation, simplify: Callable[[ir.Operation], None]) -> None:
        self._simplify = simplify
        self._functions = {symbol_name(func): func for func in CallGraph(module).callee_first}
        self._place = {name: index for index, name in enumerate(self._functions)}
        self._uses = Counter(used_symbols(module))
        self._uses_in = {name: Counter(used_symbols(func)) for name, func in self._functions.items()}

    def run(self) -> None:
        done: list[ir.Operation] = []
        for name, caller in self._functions.items():
            self._simplify_and_count(name)
            if self._is_left(name, 0):
                done.append(caller)
                continue
            inlined = False
            for call in self._inlinable_calls(name):
                callee = callee_name(call)
                if self._is_left(callee, 1):
                    done.append(self._functions[callee])
                inline_call(call, self._functions[callee])
                self._count(name, self._uses_in[callee])
                self._count(name, Counter([callee]), -1)
                inlined = True
            if inlined:
                self._simplify_and_count(name)
        for func in done:
            func.erase()

    def _is_left(self, name: str, uses: int) -> bool:
        """Return whether a private function has that many uses left."""
        return self._uses[name] == uses and _is_private(self._functions[name])

    def _inlinable_calls(self, caller: str) -> list[ir.Operation]:
        found = []
        for call in calls_in(self._functions[caller]):
            callee = callee_name(call)
            known = callee in self._functions and self._place[callee] < self._place[caller]
            if known and _may_be_inlined(call, self._functions[callee]):
                found.append(call)
        return found

    def _simplify_and_count(self, name: str) -> None:
        self._simplify(self._functions[name])
        before, now = self._uses_in[name].copy(), Counter(used_symbols(self._functions[name]))
        self._count(name, before, -1)
        self._count(name, now)

    def _count(self, user: str, uses: Counter[str], factor: int = 1) -> None:
        """Adds uses by a function, or takes them away."""
        for name, count in uses.items():
            self._uses[name] += factor * count
            self._uses_in[user][name] += factor * count
            # Of what is inlined all the way up nothing is left to be counted on the way.
            if not self._uses_in[user][name]:
                del self._uses_in[user][name]


def _may_be_inlined(call: ir.Operation, callee: ir.Operation) -> bool:
    if _NO_INLINE in call.attributes or _NO_INLINE in callee.attributes:
        return False
    if call.parent is not None and call.parent.operation.name == START:
        return False
    return len(callee.regions[0].blocks) == 1
