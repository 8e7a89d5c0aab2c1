"""Partitioning of single ops, to find a wrong one."""
