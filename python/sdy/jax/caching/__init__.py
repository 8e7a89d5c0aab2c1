"""Partitioned programs that are kept for the next process, beside XLA's in JAX's compilation cache."""
