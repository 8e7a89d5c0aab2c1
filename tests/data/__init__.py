"""Real programs for tests and benchmarks: JAX functions lowered to StableHLO. See `generate`."""
