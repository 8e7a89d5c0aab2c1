"""Passes for any program, independent of partitioning."""
