"""Passes before propagation (spec: import-passes)."""
