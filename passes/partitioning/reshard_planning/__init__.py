"""Steps between two shardings, as plain values (spec: collectives, 1)."""
