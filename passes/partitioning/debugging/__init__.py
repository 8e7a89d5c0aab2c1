"""Partitioning single ops, to find out which one goes wrong."""
