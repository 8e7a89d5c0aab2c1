"""Products with gathered or scattered tensors, cut into steps that overlap with communication (spec: async, 15)."""
