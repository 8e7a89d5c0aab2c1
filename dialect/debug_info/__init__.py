"""What is noted about where axes came from, for debugging (spec: propagation, 15)."""
