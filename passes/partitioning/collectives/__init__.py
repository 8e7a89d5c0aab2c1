"""Passes that reduce communication, in the order of sdy-partition-pipeline.

The reference has none of them. Each preserves the program's results, and is deterministic.
"""
