"""Uneven dimensions are padded to multiples of their shards (spec: partitioner, 4)."""
