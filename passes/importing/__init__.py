"""What prepares a module for sharding propagation (spec: import-passes)."""
