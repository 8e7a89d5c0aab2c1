"""The fixed point that propagates shardings to unsharded values by the rules of ops (spec: propagation)."""
