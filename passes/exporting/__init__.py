"""Passes between propagation and the partitioner (spec: export-passes)."""
