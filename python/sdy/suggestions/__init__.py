"""Cures of collectives and of whole programs: changes of shardings, each evaluated on a copy."""
