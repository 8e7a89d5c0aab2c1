"""Errors that are raised in a worker process reach the one that waits for it."""

from __future__ import annotations

import pickle

import pytest

from sdy import ir
from sdy.dialect.context import make_context
from sdy.dialect.extensions import ExtensionError
from sdy.dialect.program_values import SelectorError
from sdy.hlo_text import HloRuleError, HloSyntaxError
from sdy.mlir.declared_dialects import TooManyTypes
from sdy.mlir.diagnostics import DiagnosticError, InternalError, Position
from sdy.page import PageNotBuilt
from sdy.passes.steps import PipelineError
from sdy.stablehlo import InferenceError


def _located() -> InferenceError:
    with make_context():
        return InferenceError("stablehlo.add", "add_c1", "is wrong", ir.Location.name("here"))


@pytest.mark.parametrize(
    "error",
    [
        DiagnosticError(Position("f", 1, 2), "is wrong", [(Position("f", 3, 4), "because of this")]),
        ExtensionError("is wrong"),
        HloRuleError("is wrong", (1, 2)),
        HloSyntaxError("is wrong", 1, 2),
        InternalError(Position("f", 1, 2), "a pass", ValueError("is wrong")),
        PageNotBuilt("is wrong"),
        PipelineError("is wrong"),
        SelectorError("is wrong"),
        TooManyTypes(40),
        _located(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_survive_pickling(error: Exception) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy) is type(error) or isinstance(copy, DiagnosticError)) and str(copy) == str(error)
    for name in ("diagnostics", "position", "line", "column", "needed", "constraint"):
        assert getattr(copy, name, None) == getattr(error, name, None)
