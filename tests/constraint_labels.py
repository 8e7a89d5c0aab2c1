"""The constraints that our functions check for an op of StableHLO or CHLO, read off their source.

A label is what `OpFacts.error` is given: `c3` for a constraint, `i2` for an input of the specification, a word where
it has no number. Labels are literals, in the functions of an op, in those that they call, or in tables of theirs.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from functools import cache
from types import FunctionType
from typing import Any

from sdy.stablehlo.body_rules import WindowLabels
from sdy.stablehlo.declarations import declaration_of
from sdy.stablehlo.registry import find

_NUMBERED = re.compile(r"[ci]\d+\Z")


def labels_of(name: str) -> set[str]:
    """The labels with which an op can be refused, as in `slice_c3`, but for those of its declaration alone."""
    known, declaration = find(name), declaration_of(name)
    assert known is not None and declaration is not None
    labels = {inspect.getclosurevars(trait).nonlocals["constraint"] for trait in declaration.traits}
    for function in (known.infer, known.verify, known.verify_region):
        if function is not None:
            labels |= _reachable_labels(function)
    if known.infer is not None and (known.is_compatible is not None or not known.is_partial):
        labels |= {known.result_constraint, known.element_constraint} - {""}
    short = name.partition(".")[2]
    return {f"{short}_{label}" for label in labels}


def labels_of_verifier(name: str) -> set[str]:
    """The labels that the verifier of an op checks, as in `c3`."""
    known = find(name)
    assert known is not None and known.verify is not None
    return _reachable_labels(known.verify)


def _reachable_labels(function: Any) -> set[str]:
    labels: set[str] = set()
    seen, waiting = set(), [function]
    while waiting:
        current = waiting.pop()
        if current not in seen:
            seen.add(current)
            own, called = _labels_and_calls(current)
            labels |= own
            waiting += called
    return labels


@cache
def _labels_and_calls(function: FunctionType) -> tuple[frozenset[str], tuple[FunctionType, ...]]:
    """Labels in the text of a function and in the tables that it names, and the functions of ours that it names."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(definition, ast.FunctionDef)
    body = ast.Module(definition.body, [])
    labels, called = set(_literals(body)), []
    for node in ast.walk(body):
        value = function.__globals__.get(node.id) if isinstance(node, ast.Name) else None
        if isinstance(value, FunctionType) and value.__module__.startswith("sdy.stablehlo."):
            called.append(value)
        elif isinstance(value, WindowLabels):
            labels |= {getattr(value, each) for each in WindowLabels.__slots__} - {""}
    return frozenset(labels), tuple(called)


def _literals(body: ast.Module) -> Iterator[str]:
    """Literals that look like labels, unless something is compared with them, and words that errors are given."""
    compared = {id(part) for node in ast.walk(body) if isinstance(node, ast.Compare) for part in ast.walk(node)}
    for node in ast.walk(body):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "error":
            word = _text(node.args[0])
            if word:
                yield word
        elif id(node) not in compared and _NUMBERED.match(_text(node)):
            yield _text(node)


def _text(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
