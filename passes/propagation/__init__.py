"""The fixed point that gives values without a sharding one, from the rules of ops (spec: propagation)."""
