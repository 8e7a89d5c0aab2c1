"""Analyses of a sharded program."""
