"""Reshards around ops, for sdy-insert-explicit-reshards (spec: export-passes, 5)."""
