"""Tests of what needs no MLIR context and no reference."""
