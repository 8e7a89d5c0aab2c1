"""What locations are called in tables."""

from __future__ import annotations

import pytest

import sdy
from sdy.dialect.op_names import op_name
from sdy.mlir.search import ops_named


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("unknown", "unknown"),
        ('"f.py":3:4', "f.py:3:4"),
        ('"jit(f)/add"("f.py":3:4)', "jit(f)/add"),
        ('"add"', "add"),
        ('fused["f.py":3:4, "g.py":5:6]', "f.py:3:4"),
        ('fused["f.py":3:4, "add"]', "add"),
        ('callsite("f"("f.py":1:2) at "g"("g.py":4:5))', "f"),
        (r'"a \22b\22":3:4', 'a "b":3:4'),
        (r'fused["a \22b\22":3:4, "c":5:6]', 'a "b":3:4'),
        (r'"\C3\A9t\C3\A9 \\"("f":1:1)', "été \\"),
        (r'"two\0Alines"', r"two\0Alines"),
        (r'"no text: \FF"', r"no text: \FF"),
        ('""', ""),
        ('"f.py":3:4 to :9', "f.py:3:4"),
    ],
)
def test_names(location: str, expected: str) -> None:
    module = sdy.parse(f"func.func @main() {{\nreturn loc({location})\n}}")
    (op,) = ops_named(module.operation, "func.return")
    assert op_name(op.location) == expected
