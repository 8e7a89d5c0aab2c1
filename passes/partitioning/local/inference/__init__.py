"""Types and attributes of ops on the parts that devices have (spec: type-inference, 3)."""
