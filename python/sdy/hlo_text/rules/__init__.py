"""Rules of asynchronous HLO (spec: async, 9.4)."""
