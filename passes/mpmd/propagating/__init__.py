"""Passes around sharding propagation through fragments and transfers."""
