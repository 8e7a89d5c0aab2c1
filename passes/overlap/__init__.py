"""Communication that overlaps with computation, in device-local programs (spec: async, 12 to 17)."""
