"""Cures of collectives: changes of a program's shardings, each evaluated on a copy."""
