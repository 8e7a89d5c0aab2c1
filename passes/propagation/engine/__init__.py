"""How sharding propagation works: the snapshot of a module, the visits of its ops, the fixed point."""
