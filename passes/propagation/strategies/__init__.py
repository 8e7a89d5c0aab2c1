"""Which axes an op passes on from tensor to tensor (spec: propagation, 5)."""
