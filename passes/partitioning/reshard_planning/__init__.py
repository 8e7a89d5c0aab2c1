"""How data moves from one sharding to another, as plain values, and what it costs (spec: collectives, 1)."""
