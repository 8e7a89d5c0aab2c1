"""What asynchronous HLO has to obey (spec: async, 9.4)."""
