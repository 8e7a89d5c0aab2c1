"""Strategies of propagating axes between the tensors of an op (spec: propagation, 5)."""
