"""Analyses of the patterns that save communication."""
