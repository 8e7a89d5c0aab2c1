"""Which functions the named computations of a program become, and what they have in common."""
