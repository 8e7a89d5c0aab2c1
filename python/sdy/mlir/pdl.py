"""Applying patterns that are written in PDL, and hence matched without a call to Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from threading import local
from typing import Any

from sdy.lazy_dataclass import dataclass
from sdy.mlir import ir, rewrite
from sdy.mlir.per_context import PerContext

_FEW = 200
"""Number of ops up to which a walk is faster."""

_OFTEN = 8
"""Number of times a question is asked in a context before compiling its patterns pays off."""


def few_ops(root: ir.Operation, question: str) -> list[ir.Operation] | None:
    """Return the ops below `root`, nested ones before their parent.

    None where patterns are faster: for many ops, and for a `question` asked often, or once about many ops.
    """
    asked = _asked.of(root.context)
    times = asked.get(question, 0)
    if times >= _OFTEN:
        return None
    found = _ops_below(root)
    asked[question] = _OFTEN if found is None else times + 1
    return found


_asked: PerContext[dict[str, int]] = PerContext(dict, most=256)
"""Number of times each question was asked in a context."""


def _ops_below(root: ir.Operation) -> list[ir.Operation] | None:
    """The ops below `root`; None if they are many."""
    found: list[ir.Operation] = []
    advance, interrupt = ir.WalkResult.ADVANCE, ir.WalkResult.INTERRUPT

    def visit(op: ir.Operation) -> ir.WalkResult:
        found.append(op)
        return advance if len(found) <= _FEW else interrupt

    root.walk(visit, ir.WalkOrder.POST_ORDER)
    return found[:-1] if len(found) <= _FEW else None


RUNS = 10
"""Number of runs of neighbouring ops that are sampled; larger blocks take longer to find their starts."""

LENGTH = 60
"""Ops per run."""


def count_ops(parents: Sequence[ir.Operation]) -> int:
    """Number of ops directly in the regions of `parents`."""
    return sum(len(block.operations) for block in _blocks(parents))


def sample(parents: Sequence[ir.Operation]) -> list[ir.Operation]:
    """Up to `RUNS * LENGTH` ops directly in the regions of `parents`, in runs of neighbours at equal distances."""
    found: list[ir.Operation] = []
    total = count_ops(parents)
    starts = [total * run // RUNS for run in range(RUNS)]
    passed = 0  # how many ops are in the blocks before
    for block in _blocks(parents):
        operations = block.operations
        count = len(operations)
        while starts and starts[0] < passed + count:
            found += _run(operations[starts.pop(0) - passed].operation)
        passed += count
    return found


def _blocks(parents: Sequence[ir.Operation]) -> Iterator[ir.Block]:
    return (block for op in parents for region in op.regions for block in region.blocks)


def _run(op: ir.Operation) -> list[ir.Operation]:
    """Return `op` and the ops behind it in its block, `LENGTH` at most."""
    run = [op]
    while len(run) < LENGTH and (following := ir.InsertionPoint.after(run[-1]).ref_operation) is not None:
        run.append(following.operation)
    return run


NOTHING = "%nothing = pdl.type : i1"
"""The rewrite of a pattern that only keeps those of lower benefit from matching; a rewrite must not be empty."""


def calling(function: str) -> str:
    """The rewrite that hands the op to a native function."""
    return f'pdl.apply_native_rewrite "{function}"(%op : !pdl.operation)'


@dataclass(frozen=True)
class Source:
    """The attribute `name` of the op that defines an operand as result number `result`."""

    name: str
    attribute: ir.Attribute
    result: int


@dataclass(frozen=True)
class Operand:
    """The type of an operand and, where needed, its maker."""

    type: ir.Type
    source: Source | None = None


NamedAttributes = tuple[tuple[str, ir.Attribute | None], ...]


@dataclass(frozen=True)
class Signature:
    """Common properties of ops; None and unlisted attributes match anything."""

    name: str | None = None
    attributes: NamedAttributes = ()
    operands: tuple[Operand, ...] | None = None
    results: tuple[ir.Type, ...] | None = None


class PatternText:
    """The text of PDL patterns that recognise ops by their signature.

    Attributes and types are written once, as aliases: to parse an attribute of this dialect takes 15 us.
    """

    def __init__(self) -> None:
        self._attributes: dict[ir.Attribute, str] = {}
        self._types: dict[ir.Type, str] = {}
        self._patterns: list[str] = []

    def __str__(self) -> str:
        aliases = (f"{alias} = {each}" for names in (self._attributes, self._types) for each, alias in names.items())
        return "\n".join([*aliases, *self._patterns])

    def add(self, signature: Signature, benefit: int, rewrite: str) -> None:
        """Add a pattern; of those that match an op, the one with the greatest benefit is applied."""
        lines: list[str] = []
        attributes = self._attribute_constraints(signature.attributes, lines)
        operands = self._operand_constraints(signature.operands, lines)
        results = self._result_constraints(signature.results, lines)
        name = "" if signature.name is None else f'"{signature.name}"'
        lines.append(f"%op = pdl.operation {name} {operands} {attributes} {results}")
        lines.append(f"pdl.rewrite %op {{ {rewrite} }}")
        body = "\n  ".join(lines)
        self._patterns.append(f"pdl.pattern : benefit({benefit}) {{\n  {body}\n}}")

    def _attribute_constraints(self, attributes: NamedAttributes, lines: list[str]) -> str:
        for index, (_, attribute) in enumerate(attributes):
            given = "" if attribute is None else f" = {self._attribute(attribute)}"
            lines.append(f"%a{index} = pdl.attribute{given}")
        named = ", ".join(f'"{name}" = %a{index}' for index, (name, _) in enumerate(attributes))
        return f"{{{named}}}" if named else ""

    def _operand_constraints(self, operands: tuple[Operand, ...] | None, lines: list[str]) -> str:
        if operands is None:
            lines.append("%operands = pdl.operands")
            return "(%operands : !pdl.range<value>)"
        for index, operand in enumerate(operands):
            lines.append(f"%t{index} = pdl.type : {self._type(operand.type)}")
            lines += self._source(operand.source, index) if operand.source else [f"%v{index} = pdl.operand : %t{index}"]
        return _listed("%v", "!pdl.value", len(operands))

    def _source(self, source: Source, index: int) -> list[str]:
        """Operand number `index` is a result of an op of any kind that has the attribute."""
        return [
            f"%sa{index} = pdl.attribute = {self._attribute(source.attribute)}",
            f"%so{index} = pdl.operands",
            f"%st{index} = pdl.types",
            f'%s{index} = pdl.operation (%so{index} : !pdl.range<value>) {{"{source.name}" = %sa{index}}}'
            f" -> (%st{index} : !pdl.range<type>)",
            f"%v{index} = pdl.result {source.result} of %s{index}",
        ]

    def _result_constraints(self, results: tuple[ir.Type, ...] | None, lines: list[str]) -> str:
        if results is None:
            lines.append("%types = pdl.types")
            return "-> (%types : !pdl.range<type>)"
        lines += [f"%r{index} = pdl.type : {self._type(type_)}" for index, type_ in enumerate(results)]
        listed = _listed("%r", "!pdl.type", len(results))
        return f"-> {listed}" if listed else ""

    def _attribute(self, attribute: ir.Attribute) -> str:
        return self._attributes.setdefault(attribute, f"#a{len(self._attributes)}")

    def _type(self, type_: ir.Type) -> str:
        return self._types.setdefault(type_, f"!t{len(self._types)}")


def _listed(prefix: str, type_: str, count: int) -> str:
    """`(%v0, %v1 : !pdl.value, !pdl.value)`; empty for none."""
    if not count:
        return ""
    return f"({', '.join(f'{prefix}{index}' for index in range(count))} : {', '.join([type_] * count)})"


Function = Callable[[rewrite.PatternRewriter, rewrite.PDLResultList, list[Any]], Any]


def apply_pdl(
    root: ir.Operation, text: str, functions: Mapping[str, Function] | None = None, *, keep: bool = True
) -> None:
    """Applies PDL patterns to each op below `root`, in the order of `search.ops_named`.

    `functions` are the native rewrites that the patterns apply, by name. The compiled patterns are cached, except those
    that are made for one program.
    """
    kept, functions = _patterns.of(root.context), functions or {}
    patterns = kept.get(text) or Patterns(root.context, text, functions)
    patterns.apply(root, functions)
    if keep:
        kept[text] = patterns


def is_kept(context: ir.Context, text: str) -> bool:
    """Return whether compiled patterns are kept."""
    return text in _patterns.of(context)


_DIALECT = re.compile(r'pdl\.operation "([^".]*)\.')


class Patterns:
    """Compiled patterns: to compile them takes as long as to walk over a thousand ops.

    They may be cached per context, since they do not keep it alive. They match the ops of a dialect that is loaded
    later, too.
    """

    def __init__(self, context: ir.Context, text: str, names: Iterable[str]) -> None:
        """Compile the patterns; `names` are the names of their native rewrites."""
        self._running = local()
        """Its `functions` are what the native rewrites do this time; another thread may have them do something else."""
        self._text, self._names = text, tuple(names)
        self._dialects = frozenset(_DIALECT.findall(text))
        self._compile(context)

    def _compile(self, context: ir.Context) -> None:
        compiled = rewrite.PDLModule(source := ir.Module.parse(self._text, context))
        for name in self._names:
            compiled.register_rewrite_function(name, _forward(name, self._running))
        self._frozen = compiled.freeze()
        del source  # had to outlive `compiled`
        self._unloaded = [each for each in self._dialects if not context.is_dialect_loaded(each)]
        """Dialects of ops in the patterns; loading one renames its ops, which compiled patterns do not notice."""

    def apply(self, root: ir.Operation, functions: Mapping[str, Function]) -> None:
        """Applies the patterns to each op below `root`; `functions` are the native rewrites, by name."""
        if self._unloaded and any(map(root.context.is_dialect_loaded, self._unloaded)):
            self._compile(root.context)
        self._running.functions = functions
        try:
            rewrite.walk_and_apply_patterns(root, self._frozen)
        finally:
            del self._running.functions


def _forward(name: str, running: local) -> Function:
    return lambda rewriter, results, values: running.functions[name](rewriter, results, values)


_MOST = 256
"""Number of compiled patterns that a context keeps."""

_patterns: PerContext[dict[str, Patterns]] = PerContext(dict, most=_MOST)
