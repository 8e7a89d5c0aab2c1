"""What ops are called in tables for people."""

from __future__ import annotations

import pytest

import sdy
from sdy.dialect.surroundings import op_name


@pytest.mark.parametrize(
    ("location", "name"),
    [
        ('loc("jit(f)/tanh"("a.py":3:5))', "jit(f)/tanh"),
        ('loc("a.mlir":3:5)', "a.mlir:3:5"),
        ('loc("sdy#7"("a.mlir":3:5))', "a.mlir:3:5"),
        ('loc("sdy#7"("jit(f)/tanh"("a.py":3:5)))', "jit(f)/tanh"),
        ('loc("sdy#7")', "unknown"),
        ("loc(unknown)", "unknown"),
    ],
)
def test_numbers_of_copies_are_no_names(location: str, name: str) -> None:
    module = sdy.parse(f"module {{}} {location}")
    assert op_name(module.operation.location) == name
