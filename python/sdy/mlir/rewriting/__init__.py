"""Changing programs, whatever they consist of."""
