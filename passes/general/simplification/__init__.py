"""Patterns that simplify StableHLO."""
