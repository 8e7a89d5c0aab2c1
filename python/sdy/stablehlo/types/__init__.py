"""Types as plain values, and what they have to do with one another."""
