"""Placement of starts and dones of collectives (spec: async, 14)."""
