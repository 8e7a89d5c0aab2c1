"""Engine of propagation: the snapshot of a module, the visits of its ops, the fixed point."""
