"""What the documents forbid and the C++ dialect takes, asked for from Python (see lit_tests/dialect)."""

from __future__ import annotations

import pytest

import sdy
from sdy.mlir.diagnostics import DiagnosticError

MESHES = 'sdy.mesh @a = <["x"=2]>\nsdy.mesh @b = <["x"=4]>\n'
IDS = 'sdy.mesh @a = <["x"=2], device_ids=[0, 1]>\n'


def test_modules_are_as_strict_as_the_documents_if_asked() -> None:
    with pytest.raises(DiagnosticError, match=r"-:2:1: error: 'sdy.mesh' op has 4 devices"):
        sdy.parse(MESHES, strict_documents=True)
    with pytest.raises(DiagnosticError, match=r"f:1:37: error: device ids in order"):
        sdy.parse(IDS, "f", strict_documents=True)
    module = sdy.parse(MESHES)
    sdy.verify_module(module)
    with pytest.raises(DiagnosticError, match="has 4 devices"):
        sdy.verify_module(module, strict_documents=True)
    sdy.verify_module(sdy.parse(IDS), strict_documents=True)
