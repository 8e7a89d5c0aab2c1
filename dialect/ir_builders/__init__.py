"""Builders that all steps of the partitioner use."""
