"""Collectives of a loop that run one round ahead (spec: async, 16)."""
