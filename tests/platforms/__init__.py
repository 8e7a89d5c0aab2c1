"""What JAX lowers for accelerators, which need not be there: it has a rule, and sends what it sends on CPUs."""
