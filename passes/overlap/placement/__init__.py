"""Where starts and dones of collectives are put (spec: async, 14)."""
