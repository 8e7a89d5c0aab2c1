"""Ops that are rewritten as simpler ones, of which sharded dimensions are easier to keep."""
