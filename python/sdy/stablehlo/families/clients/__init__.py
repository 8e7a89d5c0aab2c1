"""Ops of CHLO, the dialect of StableHLO's clients."""
