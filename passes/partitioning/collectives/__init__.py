"""Passes that save communication, in the order in which sdy-partition-pipeline runs them.

The reference has none of them. Each keeps what the program computes, and is deterministic.
"""
